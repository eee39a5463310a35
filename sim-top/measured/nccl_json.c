/* SPDX-License-Identifier: Apache-2.0 */
/* nccl_json.c -- finds the values of nccl-tests' and rccl-tests' JSON by their keys.  YAML contains
 * JSON, so libyaml reads the text and gives the position of each value; see nccl_json.h. */
#include "nccl_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

#include "exit_status.h"
#include "values.h"
#include "yaml_file.h"

typedef struct json_reader {
    collective_reader *r;
    yaml_documents d;
} json_reader;

/* ---- values ------------------------------------------------------------------------------ */

static const yaml_node_t *get(json_reader *j, const yaml_node_t *n, const char *key) {
    if (!n || n->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *p = n->data.mapping.pairs.start; p < n->data.mapping.pairs.top; p++) {
        const yaml_node_t *k = yaml_document_get_node(&j->d.doc, p->key);

        if (k->type == YAML_SCALAR_NODE && !strcmp((const char *)k->data.scalar.value, key))
            return yaml_document_get_node(&j->d.doc, p->value);
    }
    return NULL;
}

static size_t count(const yaml_node_t *n) {
    return n && n->type == YAML_SEQUENCE_NODE
               ? (size_t)(n->data.sequence.items.top - n->data.sequence.items.start)
               : 0;
}

static const yaml_node_t *item(json_reader *j, const yaml_node_t *n, size_t i) {
    return yaml_document_get_node(&j->d.doc, n->data.sequence.items.start[i]);
}

/* "" where the value is none, or a list. */
static const char *text(const yaml_node_t *n) {
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

/* A missing value has the position of the object that lacks it. */
static csv_field field(json_reader *j, const yaml_node_t *object, const yaml_node_t *n) {
    const yaml_node_t *at = n ? n : object;

    j->r->at.line = at->start_mark.line + 1;
    return (csv_field){ text(n), at->start_mark.column + 1 };
}

static int refuse(json_reader *j, const yaml_node_t *n, const char *found, const char *expected) {
    return collective_reader_refuse(j->r, field(j, n, n).column, found, expected);
}

static unsigned number(json_reader *j, const yaml_node_t *n, const char *key, unsigned otherwise) {
    uint64_t v;

    return parse_unsigned(text(get(j, n, key)), 0, 1 << 20, &v) ? (unsigned)v : otherwise;
}

/* ---- nccl-tests -------------------------------------------------------------------------- */

/* Each process lists its first device; a process has `each`.  If a later version lists all, some
 * device has a rank that is no multiple of `each`. */
static int check_devices(json_reader *j, const yaml_node_t *config) {
    const yaml_node_t *devices = get(j, config, "devices"), *last = NULL;
    const unsigned each = number(j, config, "nthreads", 1) * number(j, config, "ngpus", 1);
    const char *group = NULL;
    unsigned listed = 0, hosts = 0;
    bool all = !each;

    for (size_t i = 0; i < count(devices); i++) {
        const yaml_node_t *d = item(j, devices, i);
        bool known = false;

        if (!group) group = text(get(j, d, "group"));
        if (strcmp(group, text(get(j, d, "group")))) continue; /* of another communicator */
        for (size_t k = 0; k < i && !known; k++) {
            const yaml_node_t *other = item(j, devices, k);

            known = !strcmp(group, text(get(j, other, "group"))) &&
                    !strcmp(text(get(j, other, "hostname")), text(get(j, d, "hostname")));
        }
        hosts += !known;
        listed++;
        all |= each && number(j, d, "rank", 0) % each;
        last = d;
    }
    if (!last) return EXIT_OK;
    (void)field(j, last, last);
    return collective_reader_devices(j->r, all ? listed : listed * each, hosts);
}

static int read_result(json_reader *j, const yaml_node_t *n) {
    const yaml_node_t *const out = get(j, n, "out_of_place"), *const size = get(j, n, "size");
    const yaml_node_t *const wrong = get(j, out, "nwrong"), *const bus = get(j, out, "bus_bw");
    const yaml_node_t *const time = get(j, out, "time");
    csv_field bytes, bus_field, wrong_field;

    if (!size) return refuse(j, n, "a result without it", "the key 'size'");
    if (get(j, out, "cpu_time"))
        return refuse(j, get(j, out, "cpu_time"), "'cpu_time'",
                      "'time': -C writes the host's time to launch, which says nothing of links");
    if (!out || out->type != YAML_MAPPING_NODE)
        return refuse(j, out ? out : n, "no times out of place", "'out_of_place' with 'time'");
    bytes = field(j, n, size);
    bus_field = field(j, out, bus);
    wrong_field = field(j, out, wrong);
    if (wrong && !strcmp(wrong_field.text, "null")) wrong_field.text = "N/A"; /* not checked */
    const csv_field us = field(j, out, time);
    return collective_reader_add(j->r, &bytes, &us, bus ? &bus_field : NULL,
                                 wrong ? &wrong_field : NULL);
}

static int read_nccl(json_reader *j, const yaml_node_t *root) {
    const yaml_node_t *const results = get(j, root, "results"), *const args = get(j, root, "args");
    const yaml_node_t *const okay = get(j, get(j, root, "out_of_bounds"), "okay");
    int rc;

    if (!results || results->type != YAML_SEQUENCE_NODE)
        return refuse(j, root, "JSON without a list of results",
                      "what nccl-tests writes with -J, or rccl-tests with -x and -Z json");
    if (!strcmp(text(okay), "false"))
        return refuse(j, okay, "results out of bounds", "none: such times are not fitted");
    if (count(args)) {
        const char *path = text(item(j, args, 0)), *name = strrchr(path, '/');

        name = name ? name + 1 : path;
        if (strstr(name, "_perf")) collective_reader_name(j->r, name, strcspn(name, "."));
    }
    rc = check_devices(j, get(j, root, "config"));
    for (size_t i = 0; rc == EXIT_OK && i < count(results); i++)
        rc = read_result(j, item(j, results, i));
    return rc;
}

/* ---- rccl-tests -------------------------------------------------------------------------- */

static int read_record(json_reader *j, const yaml_node_t *n) {
    const char *const in_place = text(get(j, n, "inPlace")), *const name = text(get(j, n, "name"));
    const yaml_node_t *const ranks = get(j, n, "ranks"), *const nodes = get(j, n, "nodes");
    const csv_field bytes = field(j, n, get(j, n, "size"));
    const csv_field bus = field(j, n, get(j, n, "busBw"));
    const csv_field wrong = field(j, n, get(j, n, "wrong"));
    csv_field us;
    int rc = EXIT_OK;

    if (!*name || !*bytes.text || !*bus.text)
        return refuse(j, n, "a record without them", "the keys 'name', 'size', 'time' and 'busBw'");
    if (strcmp(in_place, "0")) return EXIT_OK;
    collective_reader_name(j->r, name, strlen(name));
    (void)field(j, n, ranks);
    if (ranks && nodes)
        rc = collective_reader_devices(j->r, number(j, n, "ranks", 0), number(j, n, "nodes", 0));
    us = field(j, n, get(j, n, "time"));
    return rc == EXIT_OK
               ? collective_reader_add(j->r, &bytes, &us, &bus, *wrong.text ? &wrong : NULL)
               : rc;
}

/* ---- the file ---------------------------------------------------------------------------- */

bool nccl_json_is(const char *text) {
    static const char blank[] = " \t\r\n";

    text += strspn(text, blank);
    if (*text == '[') {
        text++;
        text += strspn(text, blank);
    }
    return *text == '{';
}

int nccl_json_read(collective_reader *r) {
    json_reader j = { .r = r };
    const yaml_node_t *root;
    int rc = EXIT_OK;

    if (yaml_documents_open(r->path, &j.d)) return EXIT_USAGE;
    if (yaml_documents_next(&j.d) <= 0) {
        rc = EXIT_USAGE;
    } else if ((root = yaml_document_get_root_node(&j.d.doc))->type == YAML_SEQUENCE_NODE) {
        for (size_t i = 0; rc == EXIT_OK && i < count(root); i++)
            rc = read_record(&j, item(&j, root, i));
    } else {
        rc = read_nccl(&j, root);
    }
    yaml_documents_close(&j.d);
    return rc;
}
