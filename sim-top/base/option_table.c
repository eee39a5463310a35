/* SPDX-License-Identifier: Apache-2.0 */
/*
 * option_table.c -- reads a command line by a table of options, and prints the table as help
 *
 * Every command takes --help and --quiet. A command without a row for --quiet prints no progress,
 * so the option has no effect there, and scripts can pass it to every command.
 *
 * getopt_long() gets one entry for each row. Its value is the row's number over all groups, plus an
 * offset beyond the letters that getopt returns. So rows need no codes of their own.
 */
#include "option_table.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"

enum {
    QUIET = 'q',
    FIRST = 256,
    /* values of getopt below are letters */ COLUMN = 30 /* where texts begin */,
    WIDTH = 70,
    WORD_TEXT = 4096 /* an option and its value */
};

/* Returns row n, counted over all groups, and its group; NULL: there are fewer rows. */
static const option_row *row_of(const option_table *t, unsigned n, const option_group **group) {
    for (unsigned g = 0; g < OPTION_GROUPS; g++) {
        *group = &t->group[g];
        if (n < t->group[g].rows) return &t->group[g].row[n];
        n -= t->group[g].rows;
    }
    return NULL;
}

/* Returns how many letters of a text fit on a line of WIDTH letters, up to a blank. */
static size_t line_of(const char *text) {
    size_t end = strcspn(text, "\n"), at;

    if (end <= WIDTH) return end;
    for (at = WIDTH; at && text[at] != ' ';) at--;
    return at ? at : end;
}

/* Prints one row. Further lines of its text begin under the first. A long name gets a line of its
 * own. */
static void print_row(const char *name, const char *argument, const char *text) {
    char left[64];
    size_t n = line_of(text);

    snprintf(left, sizeof left, "--%s%s%s", name, argument ? " " : "", argument ? argument : "");
    if (strlen(left) > COLUMN - 3) printf("  %s\n", left);
    printf("%s%-*s %.*s\n", "  ", COLUMN - 3, strlen(left) > COLUMN - 3 ? "" : left, (int)n, text);
    while (text[n]) {
        text += n + 1;
        n = line_of(text);
        printf("%*s%.*s\n", COLUMN, "", (int)n, text);
    }
}

static bool has_row(const option_table *t, const char *name) {
    const option_group *group;
    const option_row *r;

    for (unsigned n = 0; (r = row_of(t, n, &group)) != NULL; n++)
        if (!strcmp(r->name, name)) return true;
    return false;
}

static bool has_common(const option_table *t) {
    const option_group *group;
    const option_row *r;

    for (unsigned n = 0; (r = row_of(t, n, &group)) != NULL; n++)
        if (r->common) return true;
    return false;
}

/* Prints the rows under one heading, or without `all` the common rows, without a heading. *above:
 * rows were printed before, so that an empty line precedes a heading. */
static void print_rows(const option_table *t, option_heading heading, bool all, bool *above) {
    static const char *const titles[OPTION_HEADINGS] = { NULL,       "cluster", "work",
                                                         "fidelity", "output",  "advanced" };
    const char *title = all ? titles[heading] : NULL;
    const option_group *group;
    const option_row *r;

    for (unsigned n = 0; (r = row_of(t, n, &group)) != NULL; n++) {
        if (r->heading != heading || (!all && heading != OPTION_PLAIN && !r->common)) continue;
        if (title) printf("%s%s:\n", *above ? "\n" : "", title);
        title = NULL;
        *above = true;
        print_row(r->name, r->argument, r->text);
    }
}

void option_table_help(const option_table *t, bool all) {
    const bool some = has_common(t);
    bool above = false;

    fputs(t->about, stdout);
    for (unsigned h = 0; h < OPTION_HEADINGS; h++)
        print_rows(t, (option_heading)h, all || !some, &above);
    if (some && all) printf("\n");
    print_row("help", some ? "[all]" : NULL,
              !some ? "this text"
              : all ? "the options that most people need, or all of them"
                    : "this text; --help all shows every option");
    if (t->tail) fputs(t->tail, stdout);
}

int option_refuse(const char *command, const char *option, const char *value,
                  const char *expected) {
    char hint[MESSAGE_HINT];

    fprintf(stderr, "acesim %s: --%s: found '%s', expected %s%s\n", command, option, value,
            expected, message_hint_of_text(hint, value, expected));
    return EXIT_USAGE;
}

/* Stores the value of a row. Returns false if it is not accepted. */
static bool store(const option_row *r, unsigned nth, void *group, const char *value) {
    char *const to = (char *)group + r->at;
    uint64_t whole = 0;
    double real = 0;
    int word = 0;
    bool good = true;

    switch (r->type) {
    case OPTION_FLAG: memcpy(to, &(bool){ true }, sizeof(bool)); break;
    case OPTION_TEXT: memcpy(to, &value, sizeof value); break;
    case OPTION_WORD:
        good = parse_name(value, r->names, &word);
        if (good) memcpy(to, &word, sizeof word);
        break;
    case OPTION_COUNT:
    case OPTION_UNSIGNED:
        good = parse_unsigned(value, r->low, r->high, &whole);
        if (good && r->type == OPTION_UNSIGNED)
            memcpy(to, &(unsigned){ (unsigned)whole }, sizeof(unsigned));
        else if (good)
            memcpy(to, &whole, sizeof whole);
        break;
    case OPTION_SIZE:
        good = parse_size(value, &whole);
        if (good) memcpy(to, &whole, sizeof whole);
        break;
    case OPTION_POSITIVE:
        good = parse_positive(value, &real) && (!r->high || real < (double)r->high);
        if (good) memcpy(to, &real, sizeof real);
        break;
    case OPTION_OWN: return r->take(group, nth, value);
    }
    return good;
}

static bool take(const option_table *t, unsigned n, const char *value, void *into) {
    const option_group *group;
    const option_row *const r = row_of(t, n, &group);

    if (store(r, (unsigned)(r - group->row), (char *)into + group->at, value)) return true;
    if (r->accepted) option_refuse(t->command, r->name, value, r->accepted);
    return false;
}

static void make_longs(const option_table *t, struct option longs[OPTION_MOST + 3]) {
    const option_group *group;
    const option_row *r;
    unsigned n = 0;

    memset(longs, 0, (OPTION_MOST + 3) * sizeof *longs);
    for (; (r = row_of(t, n, &group)) != NULL; n++) {
        assert(n < OPTION_MOST);
        longs[n] = (struct option){ r->name, r->argument ? required_argument : no_argument, NULL,
                                    FIRST + (int)n };
    }
    longs[n++] = (struct option){ "help", no_argument, NULL, 'h' };
    if (!has_row(t, "quiet")) longs[n] = (struct option){ "quiet", no_argument, NULL, QUIET };
}

static bool count_arguments(const option_table *t, int argc, char **argv) {
    const int count = argc - optind;

    if (count >= t->least && (t->most < 0 || count <= t->most)) return true;
    if (t->most)
        fprintf(stderr, "acesim %s: found %d arguments, expected %s\n", t->command, count,
                t->expected);
    else
        fprintf(stderr, "acesim %s: found '%s', expected %s\n", t->command, argv[optind],
                t->expected);
    return false;
}

char **option_table_read(const option_table *t, int argc, char **argv, void *into, int *status) {
    struct option longs[OPTION_MOST + 3];
    int c;

    make_longs(t, longs);
    *status = EXIT_USAGE;
    optind = 1;
    while ((c = message_getopt(t->command, argc, argv, longs, t->about)) != -1) {
        if (c == 'h') {
            option_table_help(t, optind < argc && !strcmp(argv[optind], "all"));
            *status = EXIT_OK;
            return NULL;
        }
        if (c == QUIET) continue;
        if (c < FIRST || !take(t, (unsigned)(c - FIRST), optarg, into)) return NULL;
    }
    if (!count_arguments(t, argc, argv)) return NULL;
    *status = EXIT_OK;
    return argv + optind;
}

cJSON *option_line_arguments(const option_line *l) {
    const char *given[OPTION_MOST] = { NULL };
    const char *const space = strrchr(l->table->command, ' ');
    cJSON *const arguments = cJSON_CreateArray();
    struct option longs[OPTION_MOST + 3];
    const option_group *group;
    const option_row *row;
    int c;

    make_longs(l->table, longs);
    optind = 1;
    while ((c = message_getopt(l->table->command, l->argc, l->argv, longs, l->table->about)) != -1)
        if (c >= FIRST) given[c - FIRST] = optarg ? optarg : "";
    cJSON_AddItemToArray(arguments, cJSON_CreateString(space ? space + 1 : l->table->command));
    for (int i = optind; i < l->argc; i++)
        cJSON_AddItemToArray(arguments, cJSON_CreateString(l->argv[i]));
    for (unsigned n = 0; (row = row_of(l->table, n, &group)); n++) {
        char text[WORD_TEXT];

        if (!given[n] || row->aside) continue;
        snprintf(text, sizeof text, "--%s%s%s", row->name, row->argument ? "=" : "",
                 row->argument ? given[n] : "");
        cJSON_AddItemToArray(arguments, cJSON_CreateString(text));
    }
    return arguments;
}
