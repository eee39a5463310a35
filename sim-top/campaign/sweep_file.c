/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_file.c -- the file of a sweep: a grid of values into command lines */
#include "sweep_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "data_path.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "names.h"
#include "program_digest.h"
#include "rtl_sets.h"
#include "run_fields.h"
#include "setup_fields.h"
#include "setup_schema.h"
#include "values.h"
#include "version.h"
#include "workload.h"
#include "workload_read.h"
#include "yaml_file.h"

enum { POINTS = 100000 };

#define COMMAND "'collective KIND' or 'run CLUSTER.yaml WORKLOAD', or a list of these"
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

/* The first value takes the place of the axis's own. */
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

static bool pass_over(void *self, const yaml_item *item) {
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

/* Splits at blanks, in place. */
static int split(char *text, char *words[4]) {
    int n = 0;
    char *rest;

    for (char *w = strtok_r(text, " ", &rest); w; w = strtok_r(NULL, " ", &rest)) {
        if (n == 4) return 5;
        words[n++] = w;
    }
    return n;
}

/* A command and the files it names. */
static int check_command(const sweep *s, const sweep_value *v) {
    char *text = strdup(v->text), *words[4] = { 0 };
    int rc = text ? EXIT_USAGE : message_no_memory(), kind;
    run_fields o;
    workload w;

    if (text) {
        const int n = split(text, words);

        if (n == 2 && !strcmp(words[0], "collective") && parse_name(words[1], kind_names, &kind)) {
            rc = EXIT_OK;
        } else if (n == 3 && !strcmp(words[0], "run")) {
            setup_initial(&o);
            rc = cluster_read(words[1], &o);
            if (rc == EXIT_OK)
                rc = workload_read(words[2], &o.cluster.npu, o.cluster.clock_MHz, &w);
            if (rc == EXIT_OK) workload_free(&w);
        } else {
            refuse(s, v->line, v->column, "", v->text, COMMAND);
        }
    }
    free(text);
    return rc;
}

/* The values of an option, by every command they will be given to. */
static int check_option(const sweep *s, sweep_axis *a) {
    const sweep_axis *command = command_of(s);

    for (unsigned i = 0; i < command->count; i++) {
        const char *verb = strncmp(command->values[i].text, "run", 3) ? "collective" : "run";

        for (unsigned j = 0; j < a->count; j++) {
            const sweep_value *v = &a->values[j];
            const option_value o = options_value(verb, a->name, v->text);
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

/* What a command stands for beyond its words: the contents of its files.  The workload is
 * read at a clock of picoseconds, where no two of its cycles round to one. */
static int digest_command(const char *text, uint64_t *hash) {
    char *copy = strdup(text), *words[4] = { 0 };
    int rc = copy ? EXIT_OK : message_no_memory();
    char cluster_file[DATA_PATH];
    const cluster any = cluster_default();
    workload w;

    if (copy && split(copy, words) == 3) {
        rc = data_path_find(words[1], cluster_file) && digest_file(cluster_file, hash)
                 ? workload_read(words[2], &any.npu, 1e6, &w)
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

static bool add_word(sweep_point *p, const char *option, const char *value) {
    const size_t room = strlen(option) + strlen(value) + 1;
    char *word = malloc(room);

    if (!word) return false;
    snprintf(word, room, "%s%s", option, value);
    p->words[p->count++] = word;
    return true;
}

/* Options stand in the order of --help, so that neither the order in the file nor whether
 * an option is in options or in grid makes another point of it. */
static bool make_point(const sweep *s, unsigned point, const unsigned *order, uint64_t hash) {
    sweep_point *p = &s->points[point];
    bool ok;

    p->words = calloc(s->axis_count + 4, sizeof *p->words);
    ok = p->words != NULL;
    for (unsigned i = 0; ok && i < s->axis_count; i++) {
        const sweep_axis *a = &s->axes[order[i]];
        const char *value = sweep_setting(s, point, order[i]);
        char option[80];

        snprintf(option, sizeof option, "--%.70s%s", a->name, a->flag ? "" : "=");
        if (a->number < 0) {
            char *copy = strdup(value), *words[4] = { 0 };

            ok = copy && split(copy, words) <= 3;
            for (int w = 0; ok && w < 3 && words[w]; w++) ok = add_word(p, "", words[w]);
            free(copy);
        } else if (!a->flag) {
            /* A name may be that of other RTL another day. */
            ok = add_word(p, option, value) &&
                 (a->number != SETUP_RTL || rtl_set_digest(value, &hash));
        } else if (!strcmp(value, "true")) {
            ok = add_word(p, option, "");
        }
    }
    for (int i = 0; ok && i < p->count; i++)
        hash = fnv1a(hash, p->words[i], strlen(p->words[i]) + 1);
    snprintf(p->key, sizeof p->key, "%016" PRIx64, hash);
    return ok;
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
        if (!make_point(s, i, order, files[c])) rc = message_no_memory();
    }
    free(order);
    free(files);
    return rc;
}

/* The keys of a sweep's file, and what takes their values. */
typedef struct sweep_keys {
    yaml_items command, options, instead;
    yaml_key keys[6];
} sweep_keys;

static void make_keys(sweep_keys *k, sweep *s, bool quick) {
    k->command = (yaml_items){ .take = take_command, .self = s };
    k->options = (yaml_items){ .take = take_option, .self = s };
    k->instead = (yaml_items){ .take = quick ? take_quick : pass_over, .self = s };
    const yaml_key keys[] = { { "name", true, read_name, s->name, "1 to 63 letters, digits, _ or -",
                                NULL },
                              { "command", true, NULL, &k->command, COMMAND, NULL },
                              { "options", false, NULL, &k->options, SETTING, NULL },
                              { "grid", false, NULL, &k->options, SETTING, NULL },
                              { "quick", false, NULL, &k->instead, SETTING, NULL },
                              { 0 } };
    memcpy(k->keys, keys, sizeof keys);
}

cJSON *sweep_schema(void) {
    sweep s = { 0 };
    sweep_keys k;
    make_keys(&k, &s, false);
    cJSON *schema = yaml_schema(k.keys, NULL), *keys = cJSON_GetObjectItem(schema, "properties");
    cJSON *quick = setup_options_schema(SETUP_BOTH);

    cJSON_AddItemToObject(cJSON_GetObjectItem(quick, "properties"), "command",
                          cJSON_Duplicate(cJSON_GetObjectItem(keys, "command"), true));
    cJSON_ReplaceItemInObject(keys, "options", setup_options_schema(SETUP_BOTH));
    cJSON_ReplaceItemInObject(keys, "grid", setup_options_schema(SETUP_BOTH));
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
    s->file = NULL; /* it goes out of scope */
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
        for (int j = 0; j < s->points[i].count; j++) free(s->points[i].words[j]);
        free(s->points[i].words);
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
        name_to_shell(to, p->words[i]);
    }
    fclose(to);
    return line;
}
