/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_file.c -- reads a sweep's file, and makes command lines from its grid of values */
#include "sweep_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "build_info.h"
#include "cluster_file.h"
#include "data_path.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "names.h"
#include "program_digest.h"
#include "rtl_sets.h"
#include "setup.h"
#include "setup_fields.h"
#include "setup_schema.h"
#include "values.h"
#include "workload.h"
#include "workload_read.h"
#include "yaml_file.h"

enum { POINTS = 100000, COMMAND_ARGUMENTS = 24 };

#define COMMAND                                                                            \
    "'collective KIND', 'run CLUSTER.yaml WORKLOAD' or 'train MODEL', with options, or a " \
    "list of these"
#define SETTING "a mapping of options to a value or a list of values"

/* ---- reading -------------------------------------------------------------------- */

static bool read_name(void *to, const char *s) {
    const size_t n = strlen(s);

    if (!n || n > 63 ||
        strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                  "0123456789_-") != n)
        return false;
    memcpy(to, s, n + 1);
    return true;
}

static bool refuse(const sweep *s, size_t line, size_t column, const char *what, const char *found,
                   const char *expected) {
    char text[160];

    snprintf(text, sizeof text, "%s'%.80s'", what, found);
    yaml_error(s->file, line, column, text, expected);
    return false;
}

static bool add_value(const sweep *s, sweep_axis *a, const yaml_item *item) {
    sweep_value *grown;

    for (unsigned i = 0; i < a->count; i++)
        if (!strcmp(a->values[i].text, item->value))
            return refuse(s, item->line, item->column, "a second ", item->value, "each value once");
    grown = realloc(a->values, (a->count + 1) * sizeof *a->values);
    if (!grown) return !message_no_memory();
    a->values = grown;
    a->values[a->count] = (sweep_value){ strdup(item->value), item->line, item->column };
    return a->values[a->count++].text || !message_no_memory();
}

static bool take(void *self, const yaml_item *item) {
    sweep *s = self;
    sweep_axis *a = NULL;
    void *grown;

    for (unsigned i = 0; i < s->axis_count; i++)
        if (!strcmp(s->axes[i].name, item->key)) a = &s->axes[i];
    if (a && !item->index)
        return refuse(s, item->key_line, item->key_column, "a second ", item->key,
                      "each option once, in options or in grid");
    if (!a) {
        grown = realloc(s->axes, (s->axis_count + 1) * sizeof *s->axes);
        if (!grown) return !message_no_memory();
        s->axes = grown;
        a = &s->axes[s->axis_count++];
        *a = (sweep_axis){ .name = strdup(item->key),
                           .line = item->key_line,
                           .column = item->key_column,
                           .number = -1 };
        if (!a->name) return !message_no_memory();
    }
    return add_value(s, a, item);
}

static bool take_command(void *self, const yaml_item *item) {
    if (!strcmp(item->key, "command")) return take(self, item);
    return refuse(self, item->key_line, item->key_column, "a key ", item->key, COMMAND);
}

static bool take_option(void *self, const yaml_item *item) {
    if (strcmp(item->key, "command")) return take(self, item);
    return refuse(self, item->key_line, item->key_column, "unknown option ", item->key,
                  "the command at the top of the file");
}

/* The first `quick` value replaces the axis's own values. */
static bool take_quick(void *self, const yaml_item *item) {
    sweep *s = self;

    for (unsigned i = 0; i < s->axis_count; i++) {
        sweep_axis *a = &s->axes[i];

        if (strcmp(a->name, item->key)) continue;
        if (!item->index) {
            for (unsigned j = 0; j < a->count; j++) free(a->values[j].text);
            a->count = 0;
        }
        return add_value(s, a, item);
    }
    return refuse(s, item->key_line, item->key_column, "a quick ", item->key,
                  "a name above, of options or grid");
}

static bool ignore(void *self, const yaml_item *item) {
    (void)self;
    (void)item;
    return true;
}

static const sweep_axis *command_of(const sweep *s) {
    for (unsigned i = 0; i < s->axis_count; i++)
        if (!strcmp(s->axes[i].name, "command")) return &s->axes[i];
    return NULL;
}

/* ---- checking ------------------------------------------------------------------- */

/* Splits a text at blanks, in place. */
static int split(char *text, char *arguments[COMMAND_ARGUMENTS]) {
    int n = 0;
    char *rest;

    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
        if (n == COMMAND_ARGUMENTS) return COMMAND_ARGUMENTS + 1;
        arguments[n++] = w;
    }
    return n;
}

/* Options that a sweep may set in addition to a setup's. The run itself checks their values. The
 * first one belongs to acesim collective, too. */
static const struct own_option {
    const char *name;
    bool flag;
} own_options[] = { { "cluster", false },
                    { "strategy", false },
                    { "placement", false },
                    { "batch", false },
                    { "sequence", false },
                    { "layers", false },
                    { "layers-per-stage", false },
                    { "bucket", false },
                    { "composed", true },
                    { "fractional", true },
                    { "compare-run", true },
                    { "oversize", true },
                    { NULL, false } };

static int own_options_of(const char *verb) {
    return !strcmp(verb, "train")        ? (int)(sizeof own_options / sizeof *own_options) - 1
           : !strcmp(verb, "collective") ? 1
                                         : 0;
}

/* Returns the number of an option; SETUP_FIELDS and above: index in the list above; -1: unknown. */
static option_value value_of(const char *verb, const char *name, const char *value) {
    option_value v;

    for (int i = 0; i < own_options_of(verb); i++) {
        if (strcmp(own_options[i].name, name)) continue;
        v = (option_value){ .number = SETUP_FIELDS + i, .flag = own_options[i].flag };
        v.accepted = v.flag ? !strcmp(value, "true") || !strcmp(value, "false") : *value != 0;
        snprintf(v.expected, sizeof v.expected, v.flag ? "true or false" : "a value");
        return v;
    }
    return options_value(strcmp(verb, "train") ? verb : "run", name, value);
}

static const char *verb_of(const char *command) {
    return !strncmp(command, "run", 3)     ? "run"
           : !strncmp(command, "train", 5) ? "train"
                                           : "collective";
}

/* Returns the value of "--name=value"; NULL if the argument is another one. */
static const char *argument_value(const char *argument, const char *name) {
    const size_t n = strlen(name);

    return !strncmp(argument, "--", 2) && !strncmp(argument + 2, name, n) && argument[2 + n] == '='
               ? argument + 3 + n
               : NULL;
}

/* Checks options after a command's files, which apply to all of its points. */
static int check_arguments(const sweep *s, const sweep_value *v, const char *verb,
                           char *const *arguments) {
    char name[80], expected[120];
    setup o;

    snprintf(expected, sizeof expected,
             "an option of acesim %s as --NAME=VALUE, which chooses no format and no file", verb);
    for (; *arguments; arguments++) {
        const char *const argument = *arguments;
        const size_t n = strcspn(argument, "=");
        const char *const value = argument[n] ? argument + n + 1 : "true";
        option_value found;

        snprintf(name, sizeof name, "%.*s", n > 2 && n < 80 ? (int)n - 2 : 0, argument + 2);
        found = value_of(verb, name, value);
        if (strncmp(argument, "--", 2) || found.number < 0 || !found.accepted ||
            found.flag == (argument[n] != 0)) {
            refuse(s, v->line, v->column, "", argument, expected);
            return EXIT_USAGE;
        }
        setup_initial(&o);
        if (argument_value(argument, "cluster") && cluster_read(value, &o) != EXIT_OK)
            return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int check_run(const sweep *s, const sweep_value *v, char *const *arguments) {
    setup o;
    workload w;
    int rc;

    setup_initial(&o);
    rc = cluster_read(arguments[1], &o);
    if (rc == EXIT_OK)
        rc = workload_read(arguments[2], &o.machine.cluster.npu, o.machine.cluster.clock_MHz, &w);
    if (rc != EXIT_OK) return rc;
    workload_free(&w);
    return check_arguments(s, v, "run", arguments + 3);
}

/* Checks a command and the files that it names. */
static int check_command(const sweep *s, const sweep_value *v) {
    char *text = strdup(v->text), *arguments[COMMAND_ARGUMENTS + 1] = { 0 }, file[DATA_PATH];
    int rc = text ? EXIT_USAGE : message_no_memory(), kind;

    if (text) {
        const int n = split(text, arguments);
        const bool few = n <= COMMAND_ARGUMENTS;

        if (n >= 2 && few && !strcmp(arguments[0], "collective") &&
            parse_name(arguments[1], kind_names, &kind))
            rc = check_arguments(s, v, "collective", arguments + 2);
        else if (n >= 3 && few && !strcmp(arguments[0], "run"))
            rc = check_run(s, v, arguments);
        else if (n >= 2 && few && !strcmp(arguments[0], "train"))
            rc = data_path_find(arguments[1], file) ? check_arguments(s, v, "train", arguments + 2)
                                                    : EXIT_USAGE;
        else
            refuse(s, v->line, v->column, "", v->text, COMMAND);
    }
    free(text);
    return rc;
}

/* Checks the values of an option with each command that will get them. */
static int check_option(const sweep *s, sweep_axis *a) {
    const sweep_axis *command = command_of(s);

    for (unsigned i = 0; i < command->count; i++) {
        const char *const verb = verb_of(command->values[i].text);

        for (unsigned j = 0; j < a->count; j++) {
            const sweep_value *v = &a->values[j];
            const option_value o = value_of(verb, a->name, v->text);
            char expected[80];

            snprintf(expected, sizeof expected,
                     "an option of acesim %s that chooses no format and no file", verb);
            if (o.number < 0)
                refuse(s, a->line, a->column, "unknown option ", a->name, expected);
            else if (!o.accepted)
                refuse(s, v->line, v->column, "", v->text, o.expected);
            if (o.number < 0 || !o.accepted) return EXIT_USAGE;
            a->number = o.number;
            a->flag = o.flag;
        }
    }
    return EXIT_OK;
}

static int check(sweep *s) {
    const sweep_axis *command = command_of(s);
    uint64_t points = 1;
    int rc = EXIT_OK;

    if (!command) { /* the key exists, but has a mapping of other names */
        yaml_error(s->file, 1, 1, "a mapping as 'command'", "a command, or a list of them");
        return EXIT_USAGE;
    }
    for (unsigned i = 0; rc == EXIT_OK && i < command->count; i++)
        rc = check_command(s, &command->values[i]);
    for (unsigned i = 0; rc == EXIT_OK && i < s->axis_count; i++)
        if (&s->axes[i] != command) rc = check_option(s, &s->axes[i]);
    for (unsigned i = 0; rc == EXIT_OK && i < s->axis_count; i++) {
        points *= s->axes[i].count;
        if (points <= POINTS) continue;
        refuse(s, s->axes[i].line, s->axes[i].column, "more than 100000 points with ",
               s->axes[i].name, "fewer values");
        rc = EXIT_USAGE;
    }
    s->count = (unsigned)points;
    return rc;
}

/* ---- points --------------------------------------------------------------------- */

/* Adds the contents of a command's files to the hash. The workload is read with a clock of
 * picoseconds, at which no two different times round to one cycle. */
static int digest_command(const char *text, uint64_t *hash) {
    char *copy = strdup(text), *arguments[COMMAND_ARGUMENTS] = { 0 };
    int rc = copy ? EXIT_OK : message_no_memory();
    const int count = copy ? split(copy, arguments) : 0;
    char file[DATA_PATH];
    const cluster any = cluster_default();
    workload w;

    if (count && strcmp(arguments[0], "run")) {
        const bool train = !strcmp(arguments[0], "train");

        if (train && (!data_path_find(arguments[1], file) || !digest_file(file, hash)))
            rc = EXIT_USAGE;
        for (int i = 2; rc == EXIT_OK && i < count; i++)
            if (argument_value(arguments[i], "cluster") &&
                !cluster_file_digest(argument_value(arguments[i], "cluster"), hash))
                rc = EXIT_USAGE;
    } else if (count >= 3) {
        rc = cluster_file_digest(arguments[1], hash)
                 ? workload_read(arguments[2], &any.npu, 1e6, &w)
                 : EXIT_USAGE;
        if (rc == EXIT_OK) {
            const uint64_t d = workload_digest(&w);

            *hash = fnv1a(*hash, &d, sizeof d);
            workload_free(&w);
        }
    }
    free(copy);
    return rc;
}

const char *sweep_setting(const sweep *s, unsigned point, unsigned axis) {
    for (unsigned i = s->axis_count - 1; i > axis; i--) point /= s->axes[i].count;
    return s->axes[axis].values[point % s->axes[axis].count].text;
}

bool sweep_point_add(sweep_point *p, const char *option, const char *value) {
    const size_t room = strlen(option) + strlen(value) + 1;
    char *argument = malloc(room);

    if (!argument) return false;
    snprintf(argument, room, "%s%s", option, value);
    p->arguments[p->count++] = argument;
    return true;
}

/* Adds the content of the files that an option names to a point's key: a name may refer to another
 * file later. Returns false after a message. */
static bool digest_option(const sweep_axis *a, const char *value, uint64_t *hash) {
    return (a->number != SETUP_RTL || rtl_set_digest(value, hash)) &&
           (strcmp(a->name, "cluster") || cluster_file_digest(value, hash)) &&
           (strcmp(a->name, "accelerator") || accelerator_file_digest(value, hash));
}

/* Options are written in the order of --help. So the point stays the same if the file has another
 * order, or if an option moves between `options` and `grid`. Returns an exit status; a message has
 * been printed unless it is EXIT_OK. */
static int make_point(const sweep *s, unsigned point, const unsigned *order, uint64_t hash) {
    sweep_point *p = &s->points[point];
    bool ok;

    p->arguments = calloc(s->axis_count + COMMAND_ARGUMENTS + 1, sizeof *p->arguments);
    ok = p->arguments != NULL;
    for (unsigned i = 0; ok && i < s->axis_count; i++) {
        const sweep_axis *a = &s->axes[order[i]];
        const char *value = sweep_setting(s, point, order[i]);
        char option[80];

        snprintf(option, sizeof option, "--%.70s%s", a->name, a->flag ? "" : "=");
        if (a->number < 0) {
            char *copy = strdup(value), *arguments[COMMAND_ARGUMENTS] = { 0 };
            const int count = copy ? split(copy, arguments) : 0;

            ok = copy && count <= COMMAND_ARGUMENTS;
            for (int w = 0; ok && w < count; w++) ok = sweep_point_add(p, "", arguments[w]);
            free(copy);
        } else if (!a->flag) {
            if (!digest_option(a, value, &hash)) return EXIT_USAGE;
            ok = sweep_point_add(p, option, value);
        } else if (!strcmp(value, "true")) {
            ok = sweep_point_add(p, option, "");
        }
    }
    for (int i = 0; ok && i < p->count; i++)
        hash = fnv1a(hash, p->arguments[i], strlen(p->arguments[i]) + 1);
    snprintf(p->key, sizeof p->key, "%016" PRIx64, hash);
    return ok ? EXIT_OK : message_no_memory();
}

static int make_points(sweep *s) {
    const sweep_axis *command = command_of(s);
    const unsigned ci = (unsigned)(command - s->axes);
    unsigned *order = calloc(s->axis_count, sizeof *order);
    uint64_t *files = calloc(command->count, sizeof *files);
    uint64_t program = FNV1A_START;
    int rc = EXIT_OK;

    s->points = calloc(s->count, sizeof *s->points);
    if (!order || !files || !s->points) {
        s->count = 0;
        rc = message_no_memory();
    }
    if (rc == EXIT_OK && !program_digest(&program)) rc = EXIT_CHECK;
    snprintf(s->program, sizeof s->program, "%016" PRIx64, program);
    for (unsigned i = 0; rc == EXIT_OK && i < command->count; i++) {
        files[i] = fnv1a(program, acesim_version, strlen(acesim_version) + 1);
        rc = digest_command(command->values[i].text, &files[i]);
    }
    for (unsigned i = 0; rc == EXIT_OK && i < s->axis_count; i++) {
        unsigned j = i;

        for (; j && s->axes[order[j - 1]].number > s->axes[i].number; j--) order[j] = order[j - 1];
        order[j] = i;
    }
    for (unsigned i = 0; rc == EXIT_OK && i < s->count; i++) {
        const char *value = sweep_setting(s, i, ci);
        unsigned c = 0;

        while (command->values[c].text != value) c++;
        rc = make_point(s, i, order, files[c]);
    }
    free(order);
    free(files);
    return rc;
}

/* The keys of a sweep's file, and the variables for their values. */
typedef struct sweep_keys {
    yaml_items command, options, instead;
    yaml_key keys[6];
} sweep_keys;

static void make_keys(sweep_keys *k, sweep *s, bool quick) {
    k->command = (yaml_items){ .take = take_command, .self = s };
    k->options = (yaml_items){ .take = take_option, .self = s };
    k->instead = (yaml_items){ .take = quick ? take_quick : ignore, .self = s };
    const yaml_key keys[] = { { "name", true, read_name, s->name, "1 to 63 letters, digits, _ or -",
                                NULL },
                              { "command", true, NULL, &k->command, COMMAND, NULL },
                              { "options", false, NULL, &k->options, SETTING, NULL },
                              { "grid", false, NULL, &k->options, SETTING, NULL },
                              { "quick", false, NULL, &k->instead, SETTING, NULL },
                              { 0 } };
    memcpy(k->keys, keys, sizeof keys);
}

/* Returns the schema for options of a run's setup and of acesim train, whose values the run itself
 * checks. */
static cJSON *options_schema(void) {
    cJSON *schema = setup_options_schema(SETUP_BOTH),
          *names = cJSON_GetObjectItem(schema, "properties");

    for (const struct own_option *o = own_options; o->name; o++)
        cJSON_AddItemToObject(names, o->name, cJSON_CreateObject());
    return schema;
}

cJSON *sweep_schema(void) {
    sweep s = { 0 };
    sweep_keys k;
    make_keys(&k, &s, false);
    cJSON *schema = yaml_schema(k.keys, NULL), *keys = cJSON_GetObjectItem(schema, "properties");
    cJSON *quick = options_schema();

    cJSON_AddItemToObject(cJSON_GetObjectItem(quick, "properties"), "command",
                          cJSON_Duplicate(cJSON_GetObjectItem(keys, "command"), true));
    cJSON_ReplaceItemInObject(keys, "options", options_schema());
    cJSON_ReplaceItemInObject(keys, "grid", options_schema());
    cJSON_ReplaceItemInObject(keys, "quick", quick);
    return schema;
}

int sweep_read(const char *file, bool quick, sweep *s) {
    char found[DATA_PATH];
    sweep_keys k;
    int rc;

    *s = (sweep){ .file = found };
    if (!data_path_find(file, found)) return EXIT_USAGE;
    make_keys(&k, s, quick);
    rc = yaml_read(found, k.keys) ? EXIT_USAGE : check(s);
    s->file = NULL; /* the caller's string may not outlive this */
    return rc == EXIT_OK ? make_points(s) : rc;
}

void sweep_free(sweep *s) {
    for (unsigned i = 0; i < s->axis_count; i++) {
        for (unsigned j = 0; j < s->axes[i].count; j++) free(s->axes[i].values[j].text);
        free(s->axes[i].values);
        free(s->axes[i].name);
    }
    free(s->axes);
    for (unsigned i = 0; s->points && i < s->count; i++) {
        for (int j = 0; j < s->points[i].count; j++) free(s->points[i].arguments[j]);
        free(s->points[i].arguments);
    }
    free(s->points);
}

char *sweep_line(const sweep *s, unsigned point) {
    const sweep_point *p = &s->points[point];
    char *line = NULL;
    size_t size;
    FILE *const to = open_memstream(&line, &size);

    if (!to) return NULL;
    fputs("acesim", to);
    for (int i = 0; i < p->count; i++) {
        fputc(' ', to);
        name_to_shell(to, p->arguments[i]);
    }
    fclose(to);
    return line;
}
