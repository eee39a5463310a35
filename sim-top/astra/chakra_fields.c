/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_fields.c -- reads attributes of a trace's node, or refuses them with the node's name
 *
 * An attribute may have any integer type that Chakra's writers use. A function that refuses a node
 * prints a message and returns -1. Times are converted to cycles here, with the NPU's scale.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chakra_graph_inside.h"
#include "npu.h"

const astra_job *chakra_own_job(const chakra_rank *r) {
    const astra_jobs *j = r->s->jobs;

    return j && j->job[r->npu] != ASTRA_NO_JOB ? &j->at[j->job[r->npu]] : NULL;
}

int chakra_fail(const chakra_rank *r, const Chakra__Node *n, const char *found,
                const char *expected) {
    fprintf(stderr, "acesim: %s: node %" PRIu64 " (%s), NPU %u: found %s, expected %s\n",
            chakra_file_name(r->inner.file ? r->inner.file : r->file), n->id, n->name,
            astra_rank_of(r->s->rank_map, r->npu), found, expected);
    return -1;
}

const Chakra__Attribute *chakra_attribute(const Chakra__Node *n, const char *name) {
    for (size_t i = 0; i < n->n_attr; i++)
        if (!strcmp(n->attr[i]->name, name)) return n->attr[i];
    return NULL;
}

bool chakra_unsigned(const Chakra__Attribute *a, uint64_t *v) {
    int64_t s = 0;

    *v = 0;
    switch (a->value_case) {
    case CHAKRA__ATTRIBUTE__VALUE_INT32_VAL: s = a->int32_val; break;
    case CHAKRA__ATTRIBUTE__VALUE_INT64_VAL: s = a->int64_val; break;
    case CHAKRA__ATTRIBUTE__VALUE_SINT32_VAL: s = a->sint32_val; break;
    case CHAKRA__ATTRIBUTE__VALUE_SINT64_VAL: s = a->sint64_val; break;
    case CHAKRA__ATTRIBUTE__VALUE_SFIXED32_VAL: s = a->sfixed32_val; break;
    case CHAKRA__ATTRIBUTE__VALUE_SFIXED64_VAL: s = a->sfixed64_val; break;
    case CHAKRA__ATTRIBUTE__VALUE_UINT32_VAL: *v = a->uint32_val; return true;
    case CHAKRA__ATTRIBUTE__VALUE_UINT64_VAL: *v = a->uint64_val; return true;
    case CHAKRA__ATTRIBUTE__VALUE_FIXED32_VAL: *v = a->fixed32_val; return true;
    case CHAKRA__ATTRIBUTE__VALUE_FIXED64_VAL: *v = a->fixed64_val; return true;
    case CHAKRA__ATTRIBUTE__VALUE_BOOL_VAL: *v = a->bool_val != 0; return true;
    default: return false;
    }
    *v = (uint64_t)s;
    return s >= 0;
}

int chakra_number(const chakra_rank *r, const Chakra__Node *n, const char *name, uint64_t *v) {
    const Chakra__Attribute *a = chakra_attribute(n, name);
    char found[96];

    *v = 0;
    if (!a) return 1;
    if (chakra_unsigned(a, v)) return 0;
    snprintf(found, sizeof found, "%s of another kind, or negative", name);
    return chakra_fail(r, n, found, "a whole number");
}

int chakra_required(const chakra_rank *r, const Chakra__Node *n, const char *name, uint64_t *v) {
    const int rc = chakra_number(r, n, name, v);
    char found[64];

    if (rc <= 0) return rc;
    snprintf(found, sizeof found, "no %s", name);
    return chakra_fail(r, n, found, "one");
}

int chakra_bytes(const chakra_rank *r, const Chakra__Node *n, uint64_t times, uint64_t most,
                 uint64_t *bytes) {
    uint64_t size;
    const int rc = r->s->lenient ? chakra_number(r, n, "comm_size", &size)
                                 : chakra_required(r, n, "comm_size", &size);

    if (rc < 0 || (r->s->lenient && (rc || !size))) return rc < 0 ? -1 : 1;
    if (!size || size > most / times)
        return chakra_fail(r, n, "comm_size 0, or above 1 TiB in all or 256 GiB of a message",
                           "bytes to be moved; --lenient takes 0 as over at once");
    *bytes = size * times;
    return 0;
}

int chakra_no_bytes(const chakra_rank *r, const Chakra__Node *n) {
    uint64_t size;
    const int rc = chakra_number(r, n, "comm_size", &size);

    if (rc || size <= CHAKRA_MOST_BYTES) return rc < 0 ? -1 : 0;
    return chakra_fail(r, n, "comm_size above 1 TiB of a BARRIER", "0: it moves no bytes");
}

/* Sets a node's time. An NPU's rates limit it to fewer cycles than ASTRA-sim's ticks do. */
static int given(const chakra_rank *r, const Chakra__Node *n, bool fits, uint64_t cycles,
                 graph_node *to) {
    if (!fits)
        return chakra_fail(
            r, n, r->s->with_compat ? "a time above 2^62 ns" : "a time above 2^38 cycles", "less");
    to->operations = 1;
    to->single = (operation){ .what = "given", .class_ = OPERATION_TIME, .cycles = cycles };
    return 0;
}

int chakra_given(const chakra_rank *r, const Chakra__Node *n, double ns, graph_node *to) {
    const double cycles = ns * r->s->clock_MHz / 1000;
    const bool fits = cycles <= (r->s->with_compat ? 0x1p62 : (double)NPU_MOST_CYCLES);

    return given(r, n, fits, fits ? (uint64_t)ceil(cycles) : 0, to);
}

double chakra_scale(const chakra_rank *r) { return r->s->scale ? r->s->scale[r->npu] : 1; }

int chakra_replay(const chakra_rank *r, const Chakra__Node *n, graph_node *to) {
    const double scale = to->kind == GRAPH_COMPUTE ? chakra_scale(r) : 1;
    const uint64_t us = n->duration_micros, most = (UINT64_C(1) << 62) / 1000;

    if (r->s->with_compat && scale == 1) /* a whole number may have more digits than a double */
        return given(r, n, us <= most, us ? 1000 * us : 1, to);
    return chakra_given(r, n, (us ? 1e3 * (double)us : 1) * scale, to);
}

bool chakra_add_parents(chakra_rank *r, const uint64_t *id, size_t count, graph_node *to) {
    if (to->parents + count > r->room) {
        const size_t room = 2 * (to->parents + count);
        uint64_t *at = realloc(r->parent, room * sizeof *at);

        if (!at) return false;
        r->parent = at;
        r->room = room;
    }
    if (count) memcpy(r->parent + to->parents, id, count * sizeof *id);
    to->parents += (unsigned)count;
    to->parent = r->parent;
    return true;
}
