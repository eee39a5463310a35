/* SPDX-License-Identifier: Apache-2.0 */
/* cluster_file.c -- reads cluster files and accelerator files, and makes their digest and schema */
#include "cluster_file.h"

#include <stdlib.h>
#include <string.h>

#include "accelerator_list.h"
#include "data_path.h"
#include "digest.h"
#include "exit_status.h"
#include "gemm_table.h"
#include "input_file.h"
#include "message.h"
#include "setup.h"
#include "setup_schema.h"
#include "yaml_file.h"

enum {
    MAPPINGS = 10 + ACE_CLUSTER_DIMENSIONS,
    KEYS = 40
}; /* maximum keys of a cluster file, and of a mapping */

/* The field that a key of the file sets, and the position of the key. */
typedef struct slot {
    const setup_field *field;
    unsigned dimension; /* if the field has a value for each dimension */
    setup *o;
    const char *file;
    size_t line, column; /* line 0: the file does not have the key */
} slot;

typedef struct cluster_keys {
    yaml_key keys[MAPPINGS][KEYS]; /* keys[0]: the keys at the top of the file */
    unsigned count[MAPPINGS], mappings;
    char names[MAPPINGS * KEYS][32];
    unsigned name_count;
    slot slots[SETUP_FIELDS + 3 * ACE_CLUSTER_DIMENSIONS];
    unsigned slot_count;
    char accepted[SETUP_FIELDS][96];
} cluster_keys;

static bool take_slot(void *to, const char *value) {
    const slot *s = to;

    return s->field->type == SETUP_TYPE_BANDWIDTHS || s->field->type == SETUP_TYPE_COUNTS
               ? setup_take_one(s->field, value, s->dimension, s->o)
               : setup_take(s->field, value, s->o);
}

static void slot_seen(void *to, size_t line, size_t column) {
    slot *s = to;

    s->line = line;
    s->column = column;
    s->o->source[s->field - setup_fields] =
        (setup_source){ .file = s->file, .line = line, .column = column };
}

/* Returns the key of a name in a mapping. Adds it if it is not there yet. */
static yaml_key *key_of(cluster_keys *k, unsigned mapping, const char *name, size_t length) {
    yaml_key *key = k->keys[mapping];

    for (; key->name; key++)
        if (strlen(key->name) == length && !strncmp(key->name, name, length)) return key;
    snprintf(k->names[k->name_count], sizeof k->names[0], "%.*s", (int)length, name);
    key->name = k->names[k->name_count++];
    return key;
}

/* Adds the keys for a path such as "links.*.latency" to a mapping. */
static void add_key(cluster_keys *k, unsigned mapping, const char *path, const slot *to) {
    const char *const dot = strchr(path, '.');
    yaml_key *key;

    if (*path == '*') {
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
            char one[64];
            slot s = *to;

            snprintf(one, sizeof one, "%c%s", ACE_DIMENSION_LETTERS[d], path + 1);
            s.dimension = d;
            add_key(k, mapping, one, &s);
        }
        return;
    }
    key = key_of(k, mapping, path, dot ? (size_t)(dot - path) : strlen(path));
    if (dot) {
        if (!key->map) key->map = k->keys[++k->mappings];
        add_key(k, (unsigned)((const yaml_key(*)[KEYS])key->map - k->keys), dot + 1, to);
        return;
    }
    k->slots[k->slot_count] = *to;
    key->parse = take_slot;
    key->to = &k->slots[k->slot_count++];
    key->required = to->field == &setup_fields[SETUP_TOPOLOGY];
    key->accepted = k->accepted[to->field - setup_fields];
}

/* alone: for an accelerator's file, which has its name and the keys for its NPUs. */
static cluster_keys *make_keys(setup *o, const char *file, bool alone) {
    cluster_keys *k = calloc(1, sizeof *k);

    for (unsigned i = 0; k && i < SETUP_FIELDS; i++) {
        const slot s = { .field = &setup_fields[i], .o = o, .file = file };

        if (!s.field->key || (alone && i != SETUP_NAME && !setup_of_machine(s.field))) continue;
        setup_accepted(s.field, k->accepted[i], sizeof k->accepted[i]);
        add_key(k, 0, s.field->key, &s);
    }
    if (!k) (void)message_no_memory();
    return k;
}

/* Reads the tables of timed kernels that the file names. */
static int read_kernels(cluster *c) {
    char found[DATA_PATH];
    int rc = EXIT_OK;

    if (*c->gemm_table)
        rc = data_path_find(c->gemm_table, found) ? gemm_table_of(found, &c->npu.products)
                                                  : EXIT_USAGE;
    if (rc != EXIT_OK || !*c->attention_table) return rc;
    return data_path_find(c->attention_table, found) ? attention_table_of(found, &c->npu.attention)
                                                     : EXIT_USAGE;
}

static const slot *slot_of(const cluster_keys *k, setup_id id, unsigned dimension) {
    for (unsigned i = 0; i < k->slot_count; i++)
        if (k->slots[i].field == &setup_fields[id] && k->slots[i].dimension == dimension)
            return &k->slots[i];
    return NULL;
}

/* A file gives a dimension's bandwidth only once: for both ports of an NPU, or for each. */
static int check_bandwidths(const cluster_keys *k, const char *file) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const slot *npu = slot_of(k, SETUP_NPU_BANDWIDTH, d);
        const slot *port = slot_of(k, SETUP_LINK_BANDWIDTH, d);
        char found[64];

        if (!npu || !npu->line || !port->line) continue;
        snprintf(found, sizeof found, "npu_bandwidth and bandwidth of %c",
                 ACE_DIMENSION_LETTERS[d]);
        yaml_error(file, npu->line, npu->column, found,
                   "one: npu_bandwidth of all that an NPU sends into the dimension, or bandwidth "
                   "of each of its two ports");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* Values of a dimension that the topology lacks are for larger topologies (train and search make
 * them). But where a dimension of the topology has no such value, the letter is wrong. */
static int check_dimensions(const cluster_keys *k, unsigned dimensions, const char *file) {
    for (unsigned i = 0; i < k->slot_count; i++) {
        const slot *s = &k->slots[i];
        char found[32], expected[64];

        if (!s->line || s->dimension < dimensions) continue;
        for (unsigned d = 0; d < dimensions; d++) {
            if (slot_of(k, (setup_id)(s->field - setup_fields), d)->line) continue;
            snprintf(found, sizeof found, "%c, which the topology lacks",
                     ACE_DIMENSION_LETTERS[s->dimension]);
            snprintf(expected, sizeof expected, "a value for %c first", ACE_DIMENSION_LETTERS[d]);
            yaml_error(file, s->line, s->column, found, expected);
            return EXIT_USAGE;
        }
    }
    return EXIT_OK;
}

/* Reads the fields of a file. Later messages refer to the file by `file`, which lives longer. */
static int read_fields(const char *file, bool alone, setup *o) {
    char found[DATA_PATH];

    if (!data_path_find(file, found)) return EXIT_USAGE;
    cluster_keys *const k = make_keys(o, input_name(file), alone);
    const int rc = !k                                             ? EXIT_CHECK
                   : yaml_read_seen(found, k->keys[0], slot_seen) ? EXIT_USAGE
                   : check_bandwidths(k, found) != EXIT_OK
                       ? EXIT_USAGE
                       : check_dimensions(k, o->machine.cluster.sizes, found);
    free(k);
    return rc;
}

/* Takes values of the accelerator's file that the cluster's own file does not have. A message about
 * such a value names the line that names the accelerator. */
static int take_accelerator(setup *o) {
    setup *const a = calloc(1, sizeof *a);

    if (!a) return message_no_memory();
    char file[ACCELERATOR_FILE];

    setup_initial(a);
    accelerators_file(o->machine.cluster.accelerator, 0, file);
    const int rc = read_fields(file, true, a);
    for (unsigned i = 0; rc == EXIT_OK && i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];

        if (!setup_of_machine(f) || !setup_given(a->source, (setup_id)i) ||
            setup_given(o->source, (setup_id)i))
            continue;
        memcpy((char *)o + f->at, (const char *)a + f->at, f->bytes);
        o->source[i] = o->source[SETUP_ACCELERATOR];
    }
    free(a);
    return rc;
}

int cluster_read(const char *file, setup *o) {
    int rc = read_fields(file, false, o);

    if (rc == EXIT_OK && *o->machine.cluster.accelerator) rc = take_accelerator(o);
    return rc == EXIT_OK ? read_kernels(&o->machine.cluster) : rc;
}

int accelerator_take(const char *files, setup *o) {
    setup *const a = calloc(1, sizeof *a);
    char file[ACCELERATOR_FILE];

    if (!a) return message_no_memory();
    setup_initial(a);
    accelerators_file(files, 0, file);
    const int rc = accelerator_read(file, a);
    for (unsigned i = 0; rc == EXIT_OK && i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];

        if (!setup_of_machine(f)) continue;
        memcpy((char *)o + f->at, (const char *)a + f->at, f->bytes);
        o->source[i] = a->source[i];
    }
    if (rc == EXIT_OK) {
        o->machine.cluster.npu.products = a->machine.cluster.npu.products;
        o->machine.cluster.npu.attention = a->machine.cluster.npu.attention;
    }
    free(a);
    return rc;
}

int accelerator_read(const char *file, setup *o) {
    const int rc = read_fields(file, true, o);

    return rc == EXIT_OK ? read_kernels(&o->machine.cluster) : rc;
}

int accelerator_cluster(const char *file, cluster *to) {
    setup *const a = calloc(1, sizeof *a);

    if (!a) return message_no_memory();
    setup_initial(a);
    const int rc = accelerator_read(file, a);
    *to = a->machine.cluster;
    free(a);
    return rc;
}

bool accelerator_file_digest(const char *files, uint64_t *hash) {
    char one[ACCELERATOR_FILE], found[DATA_PATH];
    setup *const o = calloc(1, sizeof *o);
    bool ok = true;

    if (!o) return message_no_memory() == EXIT_OK;
    for (unsigned i = 0; ok && accelerators_file(files, i, one); i++) {
        setup_initial(o);
        ok = accelerator_read(one, o) == EXIT_OK && data_path_find(one, found) &&
             digest_file(found, hash);
        if (ok) *hash = npu_tables_digest(&o->machine.cluster.npu, *hash);
    }
    free(o);
    return ok;
}

bool cluster_file_digest(const char *file, uint64_t *hash) {
    char found[DATA_PATH], one[ACCELERATOR_FILE];
    setup o;

    setup_initial(&o);
    if (cluster_read(file, &o) != EXIT_OK) return false;
    if (!data_path_find(file, found) || !digest_file(found, hash)) return false;
    for (unsigned i = 0; accelerators_file(o.machine.cluster.accelerator, i, one); i++)
        if (!data_path_find(one, found) || !digest_file(found, hash)) return false;
    *hash = npu_tables_digest(&o.machine.cluster.npu, *hash);
    return true;
}

static cJSON *slot_schema(const yaml_key *key) {
    return setup_schema(((const slot *)key->to)->field);
}

static cJSON *schema_of(bool alone) {
    setup o;
    cluster_keys *k = make_keys(&o, "", alone);
    cJSON *schema = k ? yaml_schema(k->keys[0], slot_schema) : NULL;

    free(k);
    return schema;
}

cJSON *cluster_schema(void) { return schema_of(false); }
cJSON *accelerator_schema(void) { return schema_of(true); }
