/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_groups.c -- the members of a collective, and the tag that names its group
 *
 * A group that is a product of whole dimensions is identified by its set of dimensions, so that the
 * endpoint can run its rings. Any other group is identified by its index. The tag holds either in
 * one number, in which indices of groups follow the sets of dimensions.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chakra_graph_inside.h"
#include "message.h"

uint64_t chakra_dims_tag(unsigned dims) { return CHAKRA_GROUP_TAG | (uint64_t)dims << 8; }
uint64_t chakra_group_tag(unsigned group) {
    return CHAKRA_GROUP_TAG | ((uint64_t)group + CHAKRA_MASKS) << 8;
}
unsigned chakra_group(const graph_node *n) {
    return (unsigned)((n->tag ^ CHAKRA_GROUP_TAG) >> 8) - CHAKRA_MASKS;
}

unsigned chakra_dims(const graph_node *n) {
    const uint64_t v = (n->tag ^ CHAKRA_GROUP_TAG) >> 8;

    return n->kind == GRAPH_COLLECTIVE && v < CHAKRA_MASKS ? (unsigned)v : 0;
}

unsigned chakra_leader(const astra_network *n, unsigned npu, unsigned dims) {
    unsigned stride = 1, leader = npu;

    for (unsigned d = 0; d < n->dims; d++) {
        if (dims >> d & 1) leader -= npu / stride % n->members[d] * stride;
        stride *= n->members[d];
    }
    return leader;
}

/* Finds the dimensions whose product is the group. Returns false if there are none. */
static bool group_dims(const astra_network *n, const astra_group *g, unsigned npu, unsigned *dims) {
    unsigned size = 1, stride = 1;
    bool in = false;

    *dims = 0;
    for (unsigned d = 0; d < n->dims; d++) {
        for (unsigned i = 0; i < g->count; i++)
            if (g->npu[i] / stride % n->members[d] != npu / stride % n->members[d])
                *dims |= 1U << d;
        if (*dims >> d & 1) size *= n->members[d];
        stride *= n->members[d];
    }
    /* the group has all NPUs that differ from this one only in these dimensions */
    for (unsigned i = 0; i < g->count; i++) in = in || g->npu[i] == npu;
    return in && size == g->count;
}

/* Sets the members to all NPUs that differ from this one only in these dimensions. */
static void whole_dimensions(const chakra_rank *r, unsigned dims, chakra_party *p) {
    *p = (chakra_party){ .dims = dims, .count = 1, .tag = chakra_dims_tag(dims) };
    for (unsigned d = 0; d < r->s->network->dims; d++)
        if (dims >> d & 1) p->count *= r->s->network->members[d];
}

int chakra_name_members(chakra_rank *r, chakra_party *p) {
    const astra_network *net = r->s->network;
    const unsigned leader = chakra_leader(net, r->npu, p->dims);
    unsigned *at = r->member[p->dims];

    if (!at) {
        at = r->member[p->dims] = malloc(p->count * sizeof *at);
        if (!at) return (void)message_no_memory(), -1;
        for (unsigned i = 0; i < p->count; i++) {
            unsigned rest = i, stride = 1;

            at[i] = leader;
            for (unsigned d = 0; d < net->dims; stride *= net->members[d++]) {
                if (!(p->dims >> d & 1)) continue;
                at[i] += rest % net->members[d] * stride;
                rest /= net->members[d];
            }
            if (at[i] == r->npu) r->own[p->dims] = i;
        }
    }
    p->member = at;
    p->own = r->own[p->dims];
    return 0;
}

/* Reads involved_dim; without it, all dimensions. Returns 0, or -1 after a message. */
static int involved(const chakra_rank *r, const Chakra__Node *n, unsigned *dims) {
    const Chakra__Attribute *mask = chakra_attribute(n, "involved_dim");
    const astra_network *net = r->s->network;

    *dims = (1U << net->dims) - 1;
    if (!mask) return 0;
    if (mask->value_case != CHAKRA__ATTRIBUTE__VALUE_BOOL_LIST)
        return chakra_fail(r, n, "involved_dim of another kind", "a list of truth values");
    if (mask->bool_list->n_values < net->dims)
        return chakra_fail(r, n, "involved_dim of fewer dimensions than the network has",
                           "a truth value for each");
    *dims = 0;
    for (unsigned d = 0; d < net->dims; d++)
        if (mask->bool_list->values[d]) *dims |= 1U << d;
    return 0;
}

/* Returns the text of pg_name, which some writers store as a number; "": none. */
static const char *group_name(const Chakra__Attribute *group, char number[32]) {
    uint64_t v;

    *number = '\0';
    if (group && group->value_case == CHAKRA__ATTRIBUTE__VALUE_STRING_VAL) return group->string_val;
    if (group && chakra_unsigned(group, &v)) snprintf(number, 32, "%" PRIu64, v);
    return number;
}

int chakra_members(chakra_rank *r, const Chakra__Node *n, chakra_party *p) {
    const Chakra__Attribute *group = chakra_attribute(n, "pg_name");
    const astra_groups *all = r->s->groups;
    const astra_group *g;
    const astra_job *const job = chakra_own_job(r);
    char found[128], name[160], number[32];
    const char *const text = group_name(group, number);
    const bool everyone = !*text || !strcmp(text, "0");
    unsigned dims;

    if (job && everyone && chakra_attribute(n, "involved_dim"))
        return chakra_fail(r, n, "involved_dim in a job, which has no dimensions of its own",
                           "none, or a group");
    if (involved(r, n, &dims)) return -1;
    if (everyone && !job) return whole_dimensions(r, dims, p), 0;
    snprintf(name, sizeof name, "%s%s%.80s", job ? job->name : "", job ? "/" : "",
             everyone ? "" : text);
    g = everyone ? &all->at[job->everyone] : astra_groups_find(all, r->npu, name);
    if (!g) {
        snprintf(found, sizeof found, "pg_name %.64s", text);
        return chakra_fail(r, n, found,
                           "a group of --comm-group-configuration, or one of ranks that there are "
                           "in a node ## process_group:init ## of the trace");
    }
    if ((!r->s->with_compat || g->count == r->s->network->npus || g->count == 1) &&
        group_dims(r->s->network, g, r->npu, &dims))
        return whole_dimensions(r, dims, p), 0;
    *p = (chakra_party){ .member = g->npu,
                         .count = g->count,
                         .own = g->count,
                         .tag = chakra_group_tag((unsigned)(g - all->at)) };
    for (unsigned i = 0; i < g->count; i++)
        if (g->npu[i] == r->npu) p->own = i;
    if (p->own < p->count) return 0;
    snprintf(found, sizeof found, "group %.64s, without this NPU", g->name);
    return chakra_fail(r, n, found, "the rank among its members");
}
