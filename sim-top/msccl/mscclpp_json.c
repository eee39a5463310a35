/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mscclpp_json.c -- access to the JSON of a plan, with the position of each fault
 *
 * JSON is read as YAML, because libyaml keeps the line and the column of each node.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "mscclpp_plan.h"
#include "values.h"

bool mscclpp_fault(mscclpp_plan *p, const yaml_node_t *n, const char *found, const char *expected) {
    if (p->status != EXIT_OK) return false;
    fprintf(stderr, "acesim: %s:%zu:%zu: found %s, expected %s\n", p->a->file,
            n ? n->start_mark.line + 1 : 1, n ? n->start_mark.column + 1 : 1, found, expected);
    p->status = EXIT_USAGE;
    return false;
}

const char *mscclpp_text(const yaml_node_t *n) {
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

yaml_node_t *mscclpp_value(mscclpp_plan *p, const yaml_node_t *n, const char *key) {
    if (!n || n->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *k = n->data.mapping.pairs.start; k < n->data.mapping.pairs.top; k++)
        if (!strcmp(mscclpp_text(yaml_document_get_node(&p->doc, k->key)), key))
            return yaml_document_get_node(&p->doc, k->value);
    return NULL;
}

uint32_t mscclpp_length(const yaml_node_t *n) {
    return n && n->type == YAML_SEQUENCE_NODE
               ? (uint32_t)(n->data.sequence.items.top - n->data.sequence.items.start)
               : 0;
}

yaml_node_t *mscclpp_item(mscclpp_plan *p, const yaml_node_t *n, uint32_t i) {
    return yaml_document_get_node(&p->doc, n->data.sequence.items.start[i]);
}

/* Reads a whole number up to `most`. name: what messages call it. */
bool mscclpp_unsigned(mscclpp_plan *p, const yaml_node_t *at, const yaml_node_t *n,
                      const char *name, uint64_t most, uint32_t *to) {
    char found[96], expected[96];
    uint64_t v;

    if (n && parse_unsigned(mscclpp_text(n), 0, most, &v)) return (*to = (uint32_t)v), true;
    snprintf(found, sizeof found, "%s '%.40s'", name, n ? mscclpp_text(n) : "nothing");
    snprintf(expected, sizeof expected, "a whole number, %" PRIu64 " at most", most);
    return mscclpp_fault(p, n ? n : at, found, expected);
}

bool mscclpp_number(mscclpp_plan *p, const yaml_node_t *n, const char *key, uint64_t most,
                    uint32_t *to) {
    return mscclpp_unsigned(p, n, mscclpp_value(p, n, key), key, most, to);
}

/* Checks that each key is known. */
bool mscclpp_known(mscclpp_plan *p, const yaml_node_t *n, const char *const *names) {
    unsigned most = 0;

    if (!n || n->type != YAML_MAPPING_NODE) return mscclpp_fault(p, n, "no object", "one");
    while (names[most]) most++;
    if (n->data.mapping.pairs.top - n->data.mapping.pairs.start > most)
        return mscclpp_fault(p, n, "a key twice", "each once");
    for (yaml_node_pair_t *k = n->data.mapping.pairs.start; k < n->data.mapping.pairs.top; k++) {
        const yaml_node_t *key = yaml_document_get_node(&p->doc, k->key);
        char found[96], hint[MESSAGE_HINT];
        unsigned i = 0;

        while (names[i] && strcmp(names[i], mscclpp_text(key))) i++;
        if (names[i]) continue;
        snprintf(found, sizeof found, "key '%.60s'", mscclpp_text(key));
        snprintf(hint, sizeof hint, "one of an execution plan");
        return mscclpp_fault(p, key, found, hint);
    }
    return true;
}

bool mscclpp_no_memory(mscclpp_plan *p) {
    if (p->status == EXIT_OK) p->status = message_no_memory();
    return false;
}
