/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_table.h -- the options of a command as one table
 *
 * A command states each option once, as a row: its name, its argument, where the value goes, what
 * is accepted and the line of --help.  The help text, the call of getopt, the values and the
 * messages follow from the rows.  Rows that several commands share stand in groups, which a command
 * lists.
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
 * The options --help and --quiet stand in no table: every command takes them.  A command of many
 * options marks those that most people need as common: --help shows these, and --help all shows
 * all, under headings.
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
    OPTION_TEXT,     /* any text, which stays argv's         const char * */
    OPTION_WORD,     /* one of .names                        int, or an enum of that size */
    OPTION_COUNT,    /* a whole number, .low to .high        uint64_t */
    OPTION_UNSIGNED, /* a whole number, .low to .high        unsigned */
    OPTION_SIZE,     /* bytes, such as 64MiB                 uint64_t */
    OPTION_POSITIVE, /* a number above 0, below .high if set double */
    OPTION_OWN       /* .take reads it                       anything */
} option_type;

typedef enum option_heading {
    OPTION_PLAIN, /* none: always shown, and first */
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
    const char *text;     /* of --help, broken into lines that end at column 100 */
    const char *accepted; /* for "found 'x', expected ..."; not for FLAG and TEXT */
    uint64_t low, high;
    const char *const *names;
    option_heading heading;
    bool common;
    bool aside; /* changes no number of a result: a file that is written, how it is computed */
    /* Of OPTION_OWN: takes the value of row number `row` of the group into the group's
     * struct.  Returns false for a value that is not accepted; without .accepted it has then
     * printed the message itself. */
    bool (*take)(void *group, unsigned row, const char *value);
} option_row;

typedef struct option_group {
    const option_row *row;
    unsigned rows;
    size_t at; /* offset of the group's struct in the command's */
} option_group;

enum { OPTION_GROUPS = 4, OPTION_MOST = 128 /* rows of a command */ };
typedef struct option_table {
    const char *command;      /* as in messages: "acesim COMMAND: ..." */
    const char *about, *tail; /* of --help: before the rows, and after them (NULL: nothing) */
    int least, most;          /* arguments that are no options; most < 0: any number */
    const char *expected;     /* these, in words, for a message about their number */
    option_group group[OPTION_GROUPS];
} option_table;

/* Rows whose values lie in the command's own struct. */
#define OPTION_GROUP(rows_) \
    { .row = rows_, .rows = sizeof(rows_) / sizeof *(rows_) }
/* A row of a kind that many commands have; "..." is its text, and behind that other fields of the
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
/* Behind a row's text: it stands under the heading, and is one that most people need. */
#define OPTION_COMMON(heading_) .heading = heading_, .common = true
#define OPTION_FORMAT(type, member)                                                    \
    {                                                                                  \
        "format", "NAME", OPTION_WORD, offsetof(type, member),                         \
            .text = "table, json or csv", "table, json or csv", .names = format_names, \
            .aside = true                                                              \
    }
/* How many runs are under way at a time, in processes of their own.  "..." as with
 * OPTION_TEXT_ROW(). */
#define OPTION_JOBS(type, member, ...)                                                             \
    {                                                                                              \
        "jobs", "N", OPTION_UNSIGNED, offsetof(type, member),                                      \
            .text = "runs at a time, 1 to 256 [1]", .accepted = "1 to 256", .low = 1, .high = 256, \
            .aside = true, __VA_ARGS__                                                             \
    }
/* The same of a command that can look at what there is, too. */
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

/* Reads the command line argv[0..argc) into the command's struct; values that are not given stay
 * as they are.  Returns the arguments that are no options, at the end of argv, which ends with
 * NULL.  Returns NULL where the command ends here: *status is EXIT_OK after --help, EXIT_USAGE
 * after a message. */
char **option_table_read(const option_table *t, int argc, char **argv, void *into, int *status);
/* A command line, as option_table_read() has left it. */
typedef struct option_line {
    const option_table *table;
    int argc;
    char **argv;
} option_line;
/* The words from which the same result comes again, as a list of JSON: the command, its arguments,
 * and each option that was given, as "--name=value", in the order of the rows and without those
 * aside.  NULL: no memory. */
struct cJSON;
struct cJSON *option_line_words(const option_line *l);
/* Prints the help to standard output.  all: not the common options alone. */
void option_table_help(const option_table *t, bool all);
/* Prints "acesim COMMAND: --OPTION: found 'VALUE', expected EXPECTED", and the word of EXPECTED
 * that may have been meant.  Returns EXIT_USAGE. */
int option_refuse(const char *command, const char *option, const char *value, const char *expected);

#ifdef __cplusplus
}
#endif

#endif
