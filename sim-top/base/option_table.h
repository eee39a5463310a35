/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_table.h -- the options of a command as one table
 *
 * A command declares each option once, as a row: its name, argument, target field, accepted values
 * and the text for --help. The help text, the getopt call, the parsing and the messages are made
 * from the rows. Rows that several commands share are in groups, which a command lists.
 *
 *     typedef struct question { bool all; int format; const char *file; } question;
 *     static const option_row own[] = {
 *         { "all", NULL, OPTION_FLAG, offsetof(question, all), .text = "every row" },
 *         OPTION_FORMAT(question, format),
 *     };
 *     static const option_table table = {
 *         .command = "diff", .about = "usage: ...\n\n...\n\n", .least = 1, .most = 1,
 *         .expected = "one FILE", .group = { OPTION_GROUP(own) },
 *     };
 *     char **file = option_table_read(&table, argc, argv, &q, &status);
 *     if (!file) return status;
 *
 * No table has the options --help and --quiet: every command takes them. A command with many
 * options marks the ones that most users need as common. --help shows these, and --help all shows
 * all options, under headings.
 */
#ifndef OPTION_TABLE_H
#define OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum option_type {
    OPTION_FLAG,     /* no argument                          bool */
    OPTION_TEXT,     /* any text, owned by argv           const char * */
    OPTION_WORD,     /* one of .names                        int, or an enum of that size */
    OPTION_COUNT,    /* a whole number, .low to .high        uint64_t */
    OPTION_UNSIGNED, /* a whole number, .low to .high        unsigned */
    OPTION_SIZE,     /* bytes, such as 64MiB                 uint64_t */
    OPTION_POSITIVE, /* a number above 0, below .high if set double */
    OPTION_OWN       /* .take reads it                       anything */
} option_type;

typedef enum option_heading {
    OPTION_PLAIN, /* no heading: always shown, and first */
    OPTION_CLUSTER,
    OPTION_WORK,
    OPTION_FIDELITY,
    OPTION_OUTPUT,
    OPTION_ADVANCED,
    OPTION_HEADINGS
} option_heading;

typedef struct option_row {
    const char *name;
    const char *argument; /* as --help shows it; NULL: a flag */
    option_type type;
    size_t at;            /* offset of the value in the struct of the group */
    const char *text;     /* for --help, wrapped so that lines end at column 100 */
    const char *accepted; /* for "found 'x', expected ..."; unused for FLAG and TEXT */
    uint64_t low, high;
    const char *const *names;
    option_heading heading;
    bool common;
    bool aside; /* changes no number of a result: an output file, or how a result is computed */
    /* For OPTION_OWN: stores the value of row number `row` of the group in the group's struct.
     * Returns false if the value is not accepted. A row without .accepted prints the message in
     * this function. */
    bool (*take)(void *group, unsigned row, const char *value);
} option_row;

typedef struct option_group {
    const option_row *row;
    unsigned rows;
    size_t at; /* offset of the group's struct in the command's */
} option_group;

enum { OPTION_GROUPS = 4, OPTION_MOST = 128 /* rows of a command */ };
typedef struct option_table {
    const char *command;      /* as in messages: "acesim COMMAND: ...", such as "plan model" */
    const char *about, *tail; /* text of --help before and after the rows (tail may be NULL) */
    int least, most;          /* number of arguments that are no options; most < 0: any number */
    const char *expected;     /* description of these arguments, for a message about their number */
    option_group group[OPTION_GROUPS];
} option_table;

/* Rows whose values are in the command's own struct. */
#define OPTION_GROUP(rows_) \
    { .row = rows_, .rows = sizeof(rows_) / sizeof *(rows_) }
/* Rows of kinds that many commands have. "..." is the row's text, followed by further fields of the
 * row. */
#define OPTION_TEXT_ROW(type, member, name, argument, ...) \
    { name, argument, OPTION_TEXT, offsetof(type, member), .text = __VA_ARGS__ }
#define OPTION_FLAG_ROW(type, member, name, ...) \
    { name, NULL, OPTION_FLAG, offsetof(type, member), .text = __VA_ARGS__ }
#define OPTION_COUNT_ROW(type, member, name, ...)                                   \
    {                                                                               \
        name, "N", OPTION_COUNT, offsetof(type, member),                            \
            .text = __VA_ARGS__, .accepted = "a number, 1 to 1073741824", .low = 1, \
            .high = 1U << 30                                                        \
    }
/* Follows a row's text: the row is common, and is shown under the heading. */
#define OPTION_COMMON(heading_) .heading = heading_, .common = true
/* The same for a command whose text describes the CSV; the result's command repeats it. */
#define OPTION_FORMAT_ROW(type, member, text_)                                     \
    {                                                                              \
        "format", "NAME", OPTION_WORD, offsetof(type, member),                     \
            .text = text_, .accepted = "table, json or csv", .names = format_names \
    }
#define OPTION_FORMAT(type, member)                                                    \
    {                                                                                  \
        "format", "NAME", OPTION_WORD, offsetof(type, member),                         \
            .text = "table, json or csv", "table, json or csv", .names = format_names, \
            .aside = true                                                              \
    }
/* How many runs proceed at the same time, each in a process of its own. "..." as in
 * OPTION_TEXT_ROW(). */
#define OPTION_JOBS(type, member, ...)                                                             \
    {                                                                                              \
        "jobs", "N", OPTION_UNSIGNED, offsetof(type, member),                                      \
            .text = "runs at a time, 1 to 256 [1]", .accepted = "1 to 256", .low = 1, .high = 256, \
            .aside = true, __VA_ARGS__                                                             \
    }
/* The same for a command that can also print existing results only. */
#define OPTION_JOBS_OR_NONE(type, member)                                                  \
    {                                                                                      \
        "jobs", "N", OPTION_UNSIGNED, offsetof(type, member),                              \
            .text = "runs at a time, 1 to 256; 0 only prints [1]", .accepted = "0 to 256", \
            .high = 256, .aside = true                                                     \
    }
#define OPTION_QUIET(type, member)                              \
    {                                                           \
        "quiet", NULL, OPTION_FLAG, offsetof(type, member),     \
            .text = "no progress and no cost on standard error" \
    }

/* Reads the command line argv[0..argc) into the command's struct. Fields of options that are not
 * given keep their values. Returns the arguments that are no options: they are moved to the end of
 * argv, and NULL follows. Returns NULL if the command must end: *status is then EXIT_OK after
 * --help, or EXIT_USAGE after a message. */
char **option_table_read(const option_table *t, int argc, char **argv, void *into, int *status);
/* A command line after option_table_read(). */
typedef struct option_line {
    const option_table *table;
    int argc;
    char **argv;
} option_line;
/* Returns a JSON list of the arguments that reproduce the result: the command, its arguments, and
 * each given option as "--name=value", in the order of the rows. Options marked `aside` are left
 * out. NULL: no memory. */
struct cJSON;
struct cJSON *option_line_arguments(const option_line *l);
/* Prints the help to standard output. all: every option, not only the common ones. */
void option_table_help(const option_table *t, bool all);
/* Prints "acesim COMMAND: --OPTION: found 'VALUE', expected EXPECTED", with a suggestion if a word
 * of EXPECTED is near. Returns EXIT_USAGE. */
int option_refuse(const char *command, const char *option, const char *value, const char *expected);

#ifdef __cplusplus
}
#endif

#endif
