/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_inner.c -- replaces a collective by the nodes of a custom trace, or by parts
 *
 * While a collective is replaced, the reader returns inner nodes, with ids from a range of their
 * own. The first of them wait for the collective's parents. A mark with the collective's own id
 * comes last and waits for all inner nodes. So nodes that wait for the collective need no change.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chakra_graph_inside.h"
#include "exit_status.h"
#include "message.h"

static int by_number(const void *a, const void *b) {
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return x < y ? -1 : x > y;
}

static void begin_nodes(chakra_rank *r, const Chakra__Node *n) {
    r->inner.id = n->id;
    r->inner.base = INNER_ID | r->inners++ << INNER_ID_BITS;
    r->inner.nodes = 0;
}

int chakra_begin_inner(chakra_rank *r, const Chakra__Node *n, chakra_party *p, const char *prefix) {
    chakra_inner *const in = &r->inner;
    char name[CHAKRA_TRACE_NAME];
    unsigned own = 0;
    int rc;

    begin_nodes(r, n);
    in->tag = INNER_TAG | (p->tag ^ CHAKRA_GROUP_TAG) >> 8 << INNER_TAG_BITS;
    rc = chakra_bytes(r, n, 1, CHAKRA_MOST_BYTES, &in->bytes);
    if (rc) return rc;
    if (p->dims && chakra_name_members(r, p)) return -1;
    free(in->member);
    in->members = p->count;
    in->member = malloc(p->count * sizeof *in->member);
    if (!in->member) return (void)message_no_memory(), -1;
    for (unsigned i = 0; i < p->count; i++)
        in->member[i] = astra_rank_of(r->s->rank_map, p->member[i]);
    qsort(in->member, p->count, sizeof *in->member, by_number);
    for (unsigned i = 0; i < p->count; i++)
        in->member[i] = astra_npu_of(r->s->rank_map, in->member[i]);
    while (in->member[own] != r->npu) own++;
    snprintf(name, sizeof name, "%s.%u.et", prefix, own);
    return chakra_file_open(name, &in->file) == EXIT_OK ? CHAKRA_INSIDE : -1;
}

int chakra_begin_parts(chakra_rank *r, const Chakra__Node *n, const graph_node *whole) {
    chakra_inner *const in = &r->inner;
    const ace_command *c = &whole->command;

    if (!r->s->system->balanced || !r->s->cluster || whole->members || c->kind != ACE_ALL_REDUCE)
        return 0;
    in->parts = schedule_parts(SCHEDULE_BALANCED, r->s->cluster, r->s->config, c, in->part);
    in->part_next = 0;
    if (in->parts < 2) return (int)(in->parts = 0);
    in->tag = whole->tag;
    in->priority = whole->priority;
    begin_nodes(r, n);
    return CHAKRA_INSIDE;
}

/* Scales the bytes in a custom trace to the collective's bytes. */
static uint64_t scaled_bytes(const chakra_rank *r, uint64_t bytes) {
    const uint64_t made_for = r->s->system->custom.bytes;
    const double v =
        made_for ? (double)bytes * (double)r->inner.bytes / (double)made_for : (double)bytes;

    return v < 1 ? 1 : (uint64_t)v;
}

static int inner_message(chakra_rank *r, const Chakra__Node *n, bool sends, graph_node *to) {
    uint64_t peer, tag, bytes;

    if (chakra_required(r, n, sends ? "comm_dst" : "comm_src", &peer) ||
        chakra_required(r, n, "comm_tag", &tag) ||
        chakra_bytes(r, n, 1, CHAKRA_MOST_MESSAGE_BYTES, &bytes))
        return -1;
    if (peer >= r->inner.members || r->inner.member[peer] == r->npu)
        return chakra_fail(r, n, "a peer that is no other member", "a place in the group, from 0");
    if (tag >> INNER_TAG_BITS) return chakra_fail(r, n, "a comm_tag above 2^30", "a lower one");
    to->kind = sends ? GRAPH_SEND : GRAPH_RECEIVE;
    to->label = sends ? CHAKRA_LABEL_SEND : CHAKRA_LABEL_RECEIVE;
    to->peer = r->inner.member[peer];
    to->tag = r->inner.tag | tag;
    to->command.bytes = scaled_bytes(r, bytes);
    to->work = r->work++;
    return 0;
}

static int inner_node(chakra_rank *r, const Chakra__Node *n, graph_node *to) {
    to->lane = LANE_COMMUNICATION;
    switch (n->type) {
    case CHAKRA__NODE_TYPE__INVALID_NODE:
    case CHAKRA__NODE_TYPE__METADATA_NODE: to->kind = GRAPH_MARK; return 0;
    case CHAKRA__NODE_TYPE__COMM_SEND_NODE: return inner_message(r, n, true, to);
    case CHAKRA__NODE_TYPE__COMM_RECV_NODE: return inner_message(r, n, false, to);
    case CHAKRA__NODE_TYPE__COMP_NODE:
        to->kind = GRAPH_MEMORY;
        to->label = CHAKRA_LABEL_COMPUTE;
        return chakra_replay(r, n, to);
    default:
        return chakra_fail(r, n, "another node in a custom collective",
                           "COMM_SEND, COMM_RECV and COMP nodes there");
    }
}

/* Adds parents from the custom trace, whose ids are moved into a range of their own. */
static bool inner_parents(chakra_rank *r, const uint64_t *id, size_t count, graph_node *to) {
    const unsigned first = to->parents;

    if (!chakra_add_parents(r, id, count, to)) return false;
    for (unsigned i = first; i < to->parents; i++) r->parent[i] |= r->inner.base;
    return true;
}

/* Makes the mark that waits for all inner nodes. */
static int end_inner(chakra_rank *r, graph_node *to) {
    chakra_inner *const in = &r->inner;

    chakra_file_close(in->file);
    in->file = NULL;
    *to = (graph_node){ .id = in->id, .kind = GRAPH_MARK };
    return chakra_add_parents(r, in->before, in->befores, to) &&
                   chakra_add_parents(r, in->node, in->nodes, to)
               ? 1
               : ((void)message_no_memory(), -1);
}

/* Appends the id of an inner node. Returns false when there is no memory. */
static bool add_node(chakra_inner *in, uint64_t id) {
    if (in->nodes == in->room) {
        const unsigned room = in->room ? 2 * in->room : 64;
        uint64_t *at = realloc(in->node, room * sizeof *at);

        if (!at) return false;
        in->node = at;
        in->room = room;
    }
    in->node[in->nodes++] = id;
    return true;
}

static int next_part(chakra_rank *r, graph_node *to) {
    chakra_inner *const in = &r->inner;
    const unsigned part = in->part_next++;
    const ace_command *c = &in->part[part];

    if (part == in->parts) {
        in->parts = 0;
        return end_inner(r, to);
    }
    *to = (graph_node){ .id = in->base | part,
                        .parts = in->parts,
                        .part = part,
                        .kind = GRAPH_COLLECTIVE,
                        .lane = LANE_COMMUNICATION,
                        .priority = in->priority,
                        .label = c->kind,
                        .tag = in->tag,
                        .command = *c,
                        .work = r->work++ };
    return add_node(in, to->id) && chakra_add_parents(r, in->before, in->befores, to)
               ? 1
               : ((void)message_no_memory(), -1);
}

int chakra_next_inner(chakra_rank *r, graph_node *to) {
    chakra_inner *const in = &r->inner;
    const Chakra__Node *n;
    bool room = true;
    int more;

    if (in->parts) return next_part(r, to);
    more = chakra_file_next(in->file, &n);

    if (more < 0) return -1;
    if (!more) return end_inner(r, to);
    if (n->id >> INNER_ID_BITS) return chakra_fail(r, n, "an id above 2^24", "a lower one");
    *to = (graph_node){ .id = in->base | n->id };
    room = add_node(in, to->id) && inner_parents(r, n->data_deps, n->n_data_deps, to) &&
           inner_parents(r, n->ctrl_deps, n->n_ctrl_deps, to);
    if (room && !to->parents) room = chakra_add_parents(r, in->before, in->befores, to);
    if (!room) return (void)message_no_memory(), -1;
    return inner_node(r, n, to) ? -1 : 1;
}

int chakra_open_inner(chakra_rank *r, graph_node *to) {
    chakra_inner *const in = &r->inner;
    uint64_t *at = realloc(in->before, (to->parents + 1) * sizeof *at);

    if (!at) return (void)message_no_memory(), -1;
    in->before = at;
    in->befores = to->parents;
    if (to->parents) memcpy(at, to->parent, to->parents * sizeof *at);
    return chakra_next_inner(r, to);
}
