/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_graph.c -- a reader that makes the graph of one NPU from a stage's plan
 *
 * A group on whole dimensions becomes a collective on rings. Any other group gets a list of
 * members, in an order relative to the NPU. Labels number the nodes of all stages in a row, so a
 * label leads back to its node.
 */
#include "strategy_graph.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "values.h"

/* The ranks of a group's collectives. Along an axis the group has `part` ranks, and each is `apart`
 * from the next. These are all ranks of the axis, a block of them, or one rank of each block. */
typedef struct party {
    unsigned part[AXES], apart[AXES];
    bool messages; /* not on rings */
    uint8_t dimension[ACE_CLUSTER_DIMENSIONS];
    unsigned dimensions;
    unsigned members;
} party;

struct strategy_graph {
    const strategy_plan *plan;
    const placement *p;
    const machine *machine;
    party of[GROUPS];
    unsigned npus;
    uint32_t *rank;  /* of each NPU */
    uint32_t *label; /* first label of each stage, and one after the last */
    graph_messages *messages;
};

#define GROUP_TAG (UINT64_C(1) << 62) /* of collectives by messages, apart from messages' */

/* ---- what is not modelled ------------------------------------------------------------------ */

static int refuse(const char *found, const char *expected) {
    fprintf(stderr, "acesim train: strategy: found %s, which is not modelled, expected %s\n", found,
            expected);
    return EXIT_USAGE;
}

int strategy_graph_check(const training_model *m) {
    char found[96];

    if (m->kind == MODEL_DLRM || m->kind == MODEL_ENCODER_DECODER) {
        snprintf(found, sizeof found, "a model that is a %s", model_kind_names[m->kind]);
        return refuse(found, "a decoder or an encoder");
    }
    return EXIT_OK;
}

/* ---- groups -------------------------------------------------------------------------------- */

static void join_part(strategy_graph *g, plan_group w, axis a, uint64_t part, uint64_t apart) {
    const placement_axis *at = &g->p->axis[a];
    party *to = &g->of[w];

    to->part[a] = (unsigned)part;
    to->apart[a] = (unsigned)apart;
    to->members *= (unsigned)part;
    if (part == 1) return;
    to->messages = to->messages || !at->whole || part < g->p->degree[a];
    for (unsigned i = 0; i < at->legs && at->whole; i++)
        if (at->leg[i].extent > 1) to->dimension[to->dimensions++] = at->leg[i].dimension;
}

static void join(strategy_graph *g, plan_group w, axis a) {
    join_part(g, w, a, g->p->degree[a], 1);
}

/* Experts occupy a block of each axis. Other blocks have their replicas. */
static void join_experts(strategy_graph *g, axis a) {
    const uint64_t block = strategy_expert_part(&g->plan->s, a);
    const uint64_t apart = a == AXIS_TP ? g->plan->s.expert_tensor : 1;

    join_part(g, GROUP_EXPERTS, a, block, apart);
    join_part(g, GROUP_EXPERT_DATA, a, g->p->degree[a] / block / apart, block * apart);
}

static void make_parties(strategy_graph *g) {
    bool any = g->p->degree[AXIS_PP] > 1;

    for (plan_group w = 0; w < GROUPS; w++) {
        g->of[w].members = 1;
        for (axis a = 0; a < AXES; a++) g->of[w].part[a] = 1;
    }
    join(g, GROUP_TENSOR, AXIS_TP);
    join(g, GROUP_CONTEXT, AXIS_CP);
    join(g, GROUP_DATA, AXIS_DP);
    join(g, GROUP_DATA, AXIS_CP);
    join_experts(g, AXIS_DP);
    join_experts(g, AXIS_CP);
    join_experts(g, AXIS_TP);
    join_part(g, GROUP_EXPERT_TENSOR, AXIS_TP, g->plan->s.expert_tensor, 1);
    g->of[GROUP_TIED] = (party){ .messages = true, .members = 2 };
    for (plan_group w = 0; w < GROUP_TIED; w++)
        any = any || (g->of[w].messages && g->of[w].members > 1);
    any = any || (g->p->degree[AXIS_CP] > 1 && !g->plan->s.exchange);
    if (any) g->of[GROUP_CONTEXT].messages = g->of[GROUP_EXPERTS].messages = true;
}

/* Raises period[] to the distance at which the groups of an axis repeat. A shift by the span of a
 * leg keeps each NPU's index along the axis. If the span is the whole ring, a collective repeats at
 * any shift, because its members keep their distances. A ring of keys over several legs does not
 * repeat, because its steps go from one leg to the next. */
static void add_period(const placement_axis *at, uint32_t const ring[], bool indices,
                       uint16_t period[ACE_CLUSTER_DIMENSIONS]) {
    for (unsigned i = 0; i < at->legs; i++) {
        const placement_leg *l = &at->leg[i];
        const uint32_t span = l->extent * l->stride;

        if ((indices || span < ring[l->dimension]) && span > period[l->dimension])
            period[l->dimension] = (uint16_t)span;
    }
}

void strategy_graph_period(const strategy_graph *g, unsigned groups, bool stages,
                           uint16_t period[ACE_CLUSTER_DIMENSIONS]) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) period[d] = 1;
    if (stages) add_period(&g->p->axis[AXIS_PP], g->p->ring, true, period);
    for (plan_group w = 0; w < GROUP_TIED; w++)
        for (axis a = 0; a < AXES; a++)
            if (groups >> w & 1 && g->of[w].part[a] > 1)
                add_period(
                    &g->p->axis[a], g->p->ring,
                    g->of[w].part[a] < g->p->degree[a] ||
                        (w == GROUP_CONTEXT && !g->plan->s.exchange && g->p->axis[a].legs > 1),
                    period);
}

static void indices(const strategy_graph *g, unsigned npu, uint64_t index[AXES]) {
    placement_indices(g->p, g->rank[npu], index);
}

/* Returns the NPU with another index along an axis. */
static unsigned along(const strategy_graph *g, unsigned npu, axis a, uint64_t to) {
    uint64_t index[AXES];

    indices(g, npu, index);
    index[a] = to;
    return (unsigned)placement_node(g->p, index);
}

uint32_t strategy_graph_stage(const strategy_graph *g, unsigned npu) {
    uint64_t index[AXES];

    indices(g, npu, index);
    return (uint32_t)index[AXIS_PP];
}

unsigned strategy_graph_npu(const strategy_graph *g, uint32_t stage) {
    const uint64_t index[AXES] = { [AXIS_PP] = stage };

    return (unsigned)placement_node(g->p, index);
}

/* Returns the receiver of a message, or its sender. */
static unsigned peer_of(const strategy_graph *g, unsigned npu, const plan_node *n, bool to) {
    const axis a = n->group == GROUP_PIPELINE ? AXIS_PP : AXIS_CP;
    const uint64_t degree = g->p->degree[a];
    const bool up = to == (n->group != GROUP_PIPELINE || n->mode == MODE_FORWARD);
    uint64_t index[AXES];

    indices(g, npu, index);
    return along(g, npu, a, (index[a] + (up ? 1 : degree - 1)) % degree);
}

unsigned strategy_graph_from(const strategy_graph *g, unsigned npu, const plan_node *n) {
    return peer_of(g, npu, n, false);
}

/* ---- making -------------------------------------------------------------------------------- */

static bool make_ranks(strategy_graph *g) {
    g->rank = calloc(g->npus, sizeof *g->rank);
    if (!g->rank) return false;
    for (unsigned r = 0; r < g->npus; r++) {
        uint64_t index[AXES];

        placement_indices(g->p, r, index);
        g->rank[placement_node(g->p, index)] = r;
    }
    return true;
}

static bool make_labels(strategy_graph *g) {
    const uint64_t stages = g->p->degree[AXIS_PP];

    g->label = calloc(stages + 1, sizeof *g->label);
    for (uint64_t r = 0; g->label && r < stages; r++)
        g->label[r + 1] = g->label[r] + g->plan->stage[r].nodes;
    return g->label != NULL;
}

static int add_messages(strategy_graph *g, const ace_config *cfg) {
    bool any = false;
    int rc = EXIT_OK;

    for (plan_group w = 0; w < GROUPS; w++)
        any = any || (g->of[w].messages && plan_members(g->plan, w) > 1);
    if (!any && g->p->degree[AXIS_PP] == 1) return EXIT_OK;
    g->messages = graph_messages_create(g->npus, cfg);
    if (!g->messages) return message_no_memory();
    for (unsigned i = 0; rc == EXIT_OK && i < g->npus; i++) {
        graph_reader r;
        graph_node n;

        rc = strategy_graph_open(g, i, &r);
        if (rc != EXIT_OK) break;
        while (rc == EXIT_OK && r.next(r.self, &n) > 0) rc = graph_messages_add(g->messages, &n, i);
        r.close(r.self);
    }
    return rc == EXIT_OK ? graph_messages_check(g->messages, g->plan->m.name) : rc;
}

int strategy_graph_create(const strategy_plan *plan, const placement *p, const machine *of,
                          const ace_config *cfg, strategy_graph **to) {
    strategy_graph *g = calloc(1, sizeof *g);
    int rc;

    *to = NULL;
    if (!g) return message_no_memory();
    *g = (strategy_graph){ .plan = plan, .p = p, .machine = of, .npus = 1 };
    for (axis a = 0; a < AXES; a++) g->npus *= (unsigned)p->degree[a];
    make_parties(g);
    rc = !make_ranks(g) || !make_labels(g) ? message_no_memory()
         : cfg                             ? add_messages(g, cfg)
                                           : EXIT_OK;
    if (rc == EXIT_OK)
        *to = g;
    else
        strategy_graph_destroy(g);
    return rc;
}

void strategy_graph_destroy(strategy_graph *g) {
    if (!g) return;
    graph_messages_destroy(g->messages);
    free(g->rank);
    free(g->label);
    free(g);
}

bool strategy_graph_along(const strategy_graph *g, plan_group w, axis a) {
    return g->of[w].part[a] > 1 || (a == AXIS_PP && (w == GROUP_TIED || w == GROUP_PIPELINE));
}
bool strategy_graph_by_messages(const strategy_graph *g, plan_group w) {
    return g->of[w].messages && g->of[w].members > 1;
}
const graph_messages *strategy_graph_messages(const strategy_graph *g) { return g->messages; }

/* ---- reading ------------------------------------------------------------------------------- */

typedef struct cursor {
    const strategy_graph *g;
    const plan_stage *stage;
    unsigned npu;
    uint32_t r, next;
    uint64_t *parent;
    uint32_t parent_room;
    unsigned *member[GROUPS]; /* of groups by messages, beginning with this NPU */
} cursor;

/* Returns the distance from the NPU to `node` in each dimension, packed into one number. NPUs that
 * are shifted against each other get equal numbers. */
static uint64_t ahead_of(const cursor *c, uint64_t node) {
    uint64_t ahead = 0, own = c->npu;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const uint64_t ring = c->g->p->ring[d];

        ahead |= (node % ring + ring - own % ring) % ring << (10 * d); /* below 512 */
        node /= ring;
        own /= ring;
    }
    return ahead;
}

/* Lists the members of the NPU's group by their distance, so the lists of shifted NPUs
 * correspond. */
static bool name_members(cursor *c, plan_group w) {
    const party *of = &c->g->of[w];
    unsigned *at = calloc(of->members, sizeof *at), count = 0;
    uint64_t own[AXES], index[AXES];

    if (!at) return false;
    indices(c->g, c->npu, own);
    for (unsigned i = 0; w != GROUP_TIED && i < of->members; i++) {
        unsigned rest = i, k;
        uint64_t node;

        for (axis a = 0; a < AXES; a++) {
            const unsigned part = of->part[a], apart = of->part[a] > 1 ? of->apart[a] : 1;

            index[a] = own[a] - own[a] / apart % part * apart + rest % part * apart;
            rest /= part;
        }
        node = placement_node(c->g->p, index);
        for (k = count++; k && ahead_of(c, at[k - 1]) > ahead_of(c, node); k--) at[k] = at[k - 1];
        at[k] = (unsigned)node;
    }
    if (w == GROUP_TIED) {
        at[0] = c->npu;
        at[1] = along(c->g, c->npu, AXIS_PP, own[AXIS_PP] ? 0 : c->g->p->degree[AXIS_PP] - 1);
    }
    c->member[w] = at;
    return true;
}

static bool is_fp32(const strategy *s, const plan_node *n) {
    return s->precision != PRECISION_16 || (n->gradient && s->gradient_bytes == 4);
}

static int make_collective(cursor *c, const plan_node *p, graph_node *n) {
    const strategy_graph *g = c->g;
    const party *of = &g->of[p->group];

    n->command = (ace_command){ .kind = (ace_kind)p->collective,
                                .type = is_fp32(&g->plan->s, p)  ? ACE_FP32
                                        : g->machine->type_given ? g->machine->type
                                                                 : ACE_FP16,
                                .op = g->machine->op,
                                .dim_count = (uint8_t)of->dimensions,
                                .source = p->source,
                                .destination = p->destination,
                                .bytes = p->bytes };
    memcpy(n->command.dims, of->dimension, sizeof n->command.dims);
    n->work = n->label;
    if (!of->messages) return 1;
    if (!c->member[p->group] && !name_members(c, (plan_group)p->group)) {
        (void)message_no_memory();
        return -1;
    }
    n->member = c->member[p->group];
    n->members = of->members;
    n->tag = GROUP_TAG | (uint64_t)p->group << 8;
    return 1;
}

static int next(void *self, graph_node *n) {
    cursor *c = self;
    const plan_stage *st = c->stage;
    const plan_node *p = &st->node[c->next];

    if (c->next == st->nodes) return 0;
    if (p->parents > c->parent_room) {
        uint64_t *more = realloc(c->parent, p->parents * sizeof *more);

        if (!more) {
            (void)message_no_memory();
            return -1;
        }
        c->parent = more;
        c->parent_room = p->parents;
    }
    for (uint32_t i = 0; i < p->parents; i++) c->parent[i] = st->pool[p->parent + i];
    *n = (graph_node){ .id = c->next,
                       .kind = (graph_kind)p->kind,
                       .lane = p->kind == GRAPH_COMPUTE ? LANE_COMPUTE : LANE_COMMUNICATION,
                       .label = c->g->label[c->r] + c->next,
                       .parent = c->parent,
                       .parents = p->parents };
    c->next++;
    if (p->kind == GRAPH_COMPUTE) {
        n->first_operation = c->g->plan->work.operation + p->first;
        n->operations = p->operations;
    }
    if (p->kind == GRAPH_SEND || p->kind == GRAPH_RECEIVE) {
        n->peer = peer_of(c->g, c->npu, p, p->kind == GRAPH_SEND);
        n->tag = p->message;
        n->command = (ace_command){ .bytes = p->bytes };
    }
    return p->kind == GRAPH_COLLECTIVE ? make_collective(c, p, n) : 1;
}

static int again(void *self) {
    ((cursor *)self)->next = 0;
    return EXIT_OK;
}

static void close_cursor(void *self) {
    cursor *c = self;

    for (plan_group w = 0; w < GROUPS; w++) free(c->member[w]);
    free(c->parent);
    free(c);
}

int strategy_graph_open(const strategy_graph *g, unsigned npu, graph_reader *r) {
    cursor *c = calloc(1, sizeof *c);

    if (!c) return message_no_memory();
    c->g = g;
    c->npu = npu;
    c->r = strategy_graph_stage(g, npu);
    c->stage = &g->plan->stage[c->r];
    *r = (graph_reader){
        .self = c, .name = g->plan->m.name, .next = next, .rewind = again, .close = close_cursor
    };
    return EXIT_OK;
}

/* Room for the replicas' collectives under way, and for some of the next nodes. */
uint32_t strategy_graph_window(const strategy_graph *g) {
    return 8 * (uint32_t)model_layers(&g->plan->m) + 512 + 16 * (uint32_t)g->plan->s.split;
}

/* ---- labels -------------------------------------------------------------------------------- */

uint32_t strategy_graph_node(const strategy_graph *g, uint32_t label, uint32_t *stage) {
    uint32_t low = 0, high = (uint32_t)g->p->degree[AXIS_PP];

    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;

        *(g->label[middle] <= label ? &low : &high) = middle;
    }
    *stage = low;
    return label - g->label[low];
}

static const plan_node *labelled(const strategy_graph *g, uint32_t label, uint32_t *stage) {
    const uint32_t i = strategy_graph_node(g, label, stage);

    return &g->plan->stage[*stage].node[i];
}

static const char *what(const plan_node *n) {
    return n->kind == GRAPH_SEND      ? "send"
           : n->kind == GRAPH_RECEIVE ? "receive"
                                      : kind_names[n->collective];
}

graph_names strategy_graph_names(const strategy_graph *g, uint32_t label) {
    uint32_t stage;
    const plan_node *n = labelled(g, label, &stage);

    return (graph_names){ what(n), plan_group_names[n->group] };
}

void strategy_graph_label(const strategy_graph *g, uint32_t label, char *to, size_t room) {
    uint32_t stage;
    const plan_node *n = labelled(g, label, &stage);
    const work_range *update = &g->plan->work.update[stage];
    char where[64] = "";

    if (g->p->degree[AXIS_PP] > 1) snprintf(where, sizeof where, "stage %u, ", stage);
    if (n->kind == GRAPH_MARK)
        snprintf(to, room, "end");
    else if (n->kind == GRAPH_COMPUTE && update->count && n->first == update->first)
        snprintf(to, room, "optimizer");
    else if (n->kind == GRAPH_COMPUTE)
        snprintf(to, room, "%s %s, %slayer %u, micro-batch %u", work_mode_names[n->mode],
                 work_block_names[n->block], where, n->layer, n->micro_batch);
    else
        snprintf(to, room, "%s of %s, %s, %slayer %u, micro-batch %u", what(n),
                 plan_group_names[n->group], n->mode == MODE_FORWARD ? "forward" : "backward",
                 where, n->layer, n->micro_batch);
}
