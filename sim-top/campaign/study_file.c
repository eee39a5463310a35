/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study_file.c -- reads the file of a study, and the sweeps that it names
 *
 * Names of sweeps, views and tables become file names, so they may only have letters, digits, _ and
 * -. The table of keys also gives the JSON Schema. study_write.c reads the views and tables.
 */
#include "study_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "yaml_file.h"
#include "yaml_schema.h"

#define NAMES "a list of names of letters, digits, _ and -"

typedef struct names {
    const char *file;
    char ***names;
    unsigned *count;
} names;

static bool good_name(const char *s, size_t most) {
    const size_t n = strlen(s);

    return n && n < most &&
           strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == n;
}

static bool take_name(void *self, const yaml_item *item) {
    names *n = self;
    char **grown, found[100];

    for (unsigned i = 0; i < *n->count; i++)
        if (!strcmp((*n->names)[i], item->value)) {
            snprintf(found, sizeof found, "a second '%.80s'", item->value);
            yaml_error(n->file, item->line, item->column, found, "each name once");
            return false;
        }
    if (!good_name(item->value, 64)) {
        snprintf(found, sizeof found, "'%.80s'", item->value);
        yaml_error(n->file, item->line, item->column, found, NAMES);
        return false;
    }
    grown = realloc(*n->names, (*n->count + 1) * sizeof *grown);
    if (grown) *n->names = grown;
    if (!grown || !(grown[*n->count] = strdup(item->value))) {
        (void)message_no_memory();
        return false;
    }
    ++*n->count;
    return true;
}

static bool read_name(void *to, const char *s) {
    if (!good_name(s, 64)) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}

static bool read_page(void *to, const char *s) {
    if (!*s || strlen(s) > 63 || strchr(s, '/')) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}

/* The keys of a study's file, and the variables for their values. */
typedef struct study_keys {
    names sweeps, views, tables;
    yaml_items sweep_items, view_items, table_items;
    yaml_key keys[6];
} study_keys;

static void make_keys(study_keys *k, study *s, const char *file) {
    k->sweeps = (names){ file, &s->sweep_names, &s->sweep_count };
    k->views = (names){ file, &s->views, &s->view_count };
    k->tables = (names){ file, &s->tables, &s->table_count };
    k->sweep_items = (yaml_items){ .take = take_name, .self = &k->sweeps };
    k->view_items = (yaml_items){ .take = take_name, .self = &k->views };
    k->table_items = (yaml_items){ .take = take_name, .self = &k->tables };
    const yaml_key keys[] = { { "name", true, read_name, s->name, "1 to 63 letters, digits, _ or -",
                                NULL },
                              { "sweeps", true, NULL, &k->sweep_items, NAMES, NULL },
                              { "views", false, NULL, &k->view_items, NAMES, NULL },
                              { "tables", true, NULL, &k->table_items, NAMES, NULL },
                              { "page", true, read_page, s->page, "a file beside this one", NULL },
                              { 0 } };
    memcpy(k->keys, keys, sizeof keys);
}

cJSON *study_schema(void) {
    study s = { 0 };
    study_keys k;

    make_keys(&k, &s, "");
    return yaml_schema(k.keys, NULL);
}

int study_read(const char *folder, bool quick, study *s) {
    char file[STUDY_PATH], found[DATA_PATH];
    study_keys k;
    int rc;

    *s = (study){ .quick = quick };
    snprintf(file, sizeof file, "%s/study.yaml", folder);
    if (!data_path_find(file, found)) return EXIT_USAGE;
    snprintf(s->folder, sizeof s->folder, "%.*s", (int)(strrchr(found, '/') - found), found);
    make_keys(&k, s, found);
    rc = yaml_read(found, k.keys) ? EXIT_USAGE : EXIT_OK;
    if (rc == EXIT_OK && !(s->sweeps = calloc(s->sweep_count, sizeof *s->sweeps))) {
        rc = message_no_memory();
    }
    for (unsigned i = 0; rc == EXIT_OK && i < s->sweep_count; i++) {
        snprintf(file, sizeof file, "%s/sweeps/%s.yaml", s->folder, s->sweep_names[i]);
        rc = sweep_read(file, quick, &s->sweeps[i]);
    }
    return rc;
}

void study_free(study *s) {
    for (unsigned i = 0; s->sweeps && i < s->sweep_count; i++) sweep_free(&s->sweeps[i]);
    for (unsigned i = 0; i < s->sweep_count; i++) free(s->sweep_names[i]);
    for (unsigned i = 0; i < s->view_count; i++) free(s->views[i]);
    for (unsigned i = 0; i < s->table_count; i++) free(s->tables[i]);
    free(s->sweeps);
    free(s->sweep_names);
    free(s->views);
    free(s->tables);
}
