/* SPDX-License-Identifier: Apache-2.0 */
/* cluster_file_write.c -- writes the fields of a cluster as a file; see cluster_write() in
 * cluster_file.h */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "cluster_file.h"
#include "exit_status.h"
#include "message.h"
#include "setup.h"
#include "setup_fields.h"

enum { VALUE = 300 };

typedef struct writer {
    yaml_emitter_t yaml;
    const setup *o;
    bool said[SETUP_FIELDS]; /* the field is written, or has its default */
    bool ok;
} writer;

static void emit(writer *w, yaml_event_t *e, int made) {
    w->ok = made && w->ok && yaml_emitter_emit(&w->yaml, e);
}

/* Writes a text, with quotes if YAML requires them. */
static void put_text(writer *w, const char *text) {
    yaml_event_t e;

    emit(w, &e,
         yaml_scalar_event_initialize(&e, NULL, NULL, (const yaml_char_t *)text, (int)strlen(text),
                                      1, 1, YAML_PLAIN_SCALAR_STYLE));
}

static void begin_mapping(writer *w, yaml_mapping_style_t style) {
    yaml_event_t e;

    emit(w, &e, yaml_mapping_start_event_initialize(&e, NULL, NULL, 1, style));
}

static void end_mapping(writer *w) {
    yaml_event_t e;

    emit(w, &e, yaml_mapping_end_event_initialize(&e));
}

/* Writes a number with only the digits that are needed to read it again, and its unit. */
static const char *shortest(const char *text, char to[VALUE]) {
    char *unit;
    const double v = strtod(text, &unit);

    for (int digits = 15; unit != text && digits <= 17; digits++) {
        snprintf(to, VALUE, "%.*g%s", digits, v, unit);
        if (memcmp(&v, &(double){ strtod(to, NULL) }, sizeof v) == 0) return to;
    }
    return text;
}

/* Cuts the printed topology to the dimensions that the file had. */
static void cut_topology(const cluster *c, char *text) {
    for (unsigned d = 0; d < c->sizes && text; d++) {
        text = strchr(text, '_');
        if (text && d + 1U == c->sizes) *text = '\0';
        if (text) text++;
    }
}

/* Writes the text of the field, or of its part for dimension d. */
static void put_value(writer *w, const setup_field *f, int d) {
    char all[VALUE], brief[VALUE], *rest = NULL, *part = all;

    setup_print(f, w->o, all, sizeof all);
    if (f->type == SETUP_TYPE_TOPOLOGY) cut_topology(&w->o->machine.cluster, all);
    if (d >= 0)
        for (part = strtok_r(all, ",", &rest); part && d; d--) part = strtok_r(NULL, ",", &rest);
    put_text(w, !part ? "" : f->type == SETUP_TYPE_TEXT ? part : shortest(part, brief));
}

/* Returns the length of the mapping's name in the key, with the dot; 0: a key at the top level. */
static size_t mapping_of(const char *key) {
    const char *const dot = strchr(key, '.');

    return dot ? (size_t)(dot - key) + 1 : 0;
}

/* Writes all members of the mapping, for dimension d of links. */
static void put_members(writer *w, const char *mapping, size_t length, int d) {
    begin_mapping(w, YAML_FLOW_MAPPING_STYLE);
    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];

        if (w->said[i] || strncmp(f->key, mapping, length) != 0) continue;
        if (d >= 0 && (i == SETUP_NPU_BANDWIDTH || i == SETUP_LINK_BANDWIDTH) &&
            (i == SETUP_NPU_BANDWIDTH) != (w->o->machine.cluster.npu_GBps[d] > 0))
            continue;                                    /* the other field has it */
        put_text(w, f->key + length + (d >= 0 ? 2 : 0)); /* after "*." */
        put_value(w, f, d);
    }
    end_mapping(w);
}

static void put_mapping(writer *w, const char *key) {
    const size_t length = mapping_of(key);
    char name[VALUE];

    snprintf(name, sizeof name, "%.*s", (int)length - 1, key);
    put_text(w, name);
    if (key[length] == '*') {
        begin_mapping(w, YAML_BLOCK_MAPPING_STYLE);
        for (unsigned d = 0; d < w->o->machine.cluster.sizes; d++) {
            put_text(w, (const char[]){ ACE_DIMENSION_LETTERS[d], '\0' });
            put_members(w, key, length, (int)d);
        }
        end_mapping(w);
    } else {
        put_members(w, key, length, -1);
    }
    for (unsigned i = 0; i < SETUP_FIELDS; i++)
        if (!w->said[i] && !strncmp(setup_fields[i].key, key, length)) w->said[i] = true;
}

/* Marks fields that need not be written because they have their default. */
static bool leave_out(writer *w) {
    setup *initial = malloc(sizeof *initial);
    char value[VALUE], without[VALUE];

    if (!initial) return false;
    setup_initial(initial);
    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];

        setup_print(f, w->o, value, sizeof value);
        setup_print(f, initial, without, sizeof without);
        w->said[i] = !f->key || i == SETUP_ACCELERATOR || !strcmp(value, without);
    }
    w->said[SETUP_TOPOLOGY] = false;
    free(initial);
    return true;
}

int cluster_write(const setup *o, FILE *to) {
    writer w = { .o = o, .ok = true };
    yaml_event_t e;

    if (!leave_out(&w) || !yaml_emitter_initialize(&w.yaml)) return message_no_memory();
    yaml_emitter_set_output_file(&w.yaml, to);
    emit(&w, &e, yaml_stream_start_event_initialize(&e, YAML_UTF8_ENCODING));
    emit(&w, &e, yaml_document_start_event_initialize(&e, NULL, NULL, NULL, 1));
    begin_mapping(&w, YAML_BLOCK_MAPPING_STYLE);
    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];

        if (w.said[i]) continue;
        if (mapping_of(f->key)) {
            put_mapping(&w, f->key);
            continue;
        }
        put_text(&w, f->key);
        put_value(&w, f, -1);
        w.said[i] = true;
    }
    end_mapping(&w);
    emit(&w, &e, yaml_document_end_event_initialize(&e, 1));
    emit(&w, &e, yaml_stream_end_event_initialize(&e));
    yaml_emitter_delete(&w.yaml);
    return w.ok ? EXIT_OK : message_no_memory();
}
