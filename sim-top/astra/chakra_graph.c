/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_graph.c -- one trace node after another becomes a node of the graph
 *
 * take() chooses by the type of the node. A collective goes to the endpoint, becomes messages, or
 * is replaced by nodes of its own (chakra_inner.c). A start delay is an extra node that all nodes
 * without parents wait for.
 */
#include "chakra_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astra_memory.h"
#include "chakra_graph_inside.h"
#include "exit_status.h"
#include "message.h"

/* The node that delays an NPU's start has an id that traces do not use. */
#define LATE UINT64_MAX

const char *chakra_label(uint32_t label) {
    switch (label) {
    case CHAKRA_LABEL_COMPUTE: return "compute";
    case CHAKRA_LABEL_HOST: return "cpu";
    case CHAKRA_LABEL_MEMORY: return "remote memory";
    case CHAKRA_LABEL_REPLAY: return "replay";
    case CHAKRA_LABEL_SEND: return "send";
    case CHAKRA_LABEL_RECEIVE: return "receive";
    case CHAKRA_LABEL_DELAY: return "start delay";
    case CHAKRA_LABEL_NOTHING: return "nothing";
    default: return kind_names[label];
    }
}

unsigned chakra_job(const chakra_setup *s, unsigned npu) {
    return !s->jobs || s->jobs->job[npu] == ASTRA_NO_JOB ? 0 : s->jobs->job[npu];
}

void chakra_trace_name(const chakra_setup *s, unsigned npu, char *to, size_t room) {
    const astra_jobs *j = s->jobs;

    *to = '\0';
    if (!j)
        snprintf(to, room, "%s.%u.et", s->prefix, astra_rank_of(s->rank_map, npu));
    else if (j->job[npu] != ASTRA_NO_JOB)
        snprintf(to, room, "%s.%" PRIu32 ".et", j->at[j->job[npu]].prefix, j->rank[npu]);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Scales work from the system's speed `all` to this NPU's own speed. */
static uint64_t scaled(const chakra_rank *r, uint64_t work, double all, const double *own) {
    const double times = chakra_scale(r) * (own ? all / own[r->npu] : 1);

    return times == 1 ? work : (uint64_t)fmin(ceil((double)work * times), 0x1p63);
}

static int compute(const chakra_rank *r, const Chakra__Node *n, bool host, graph_node *to) {
    uint64_t flops, bytes;

    to->kind = GRAPH_COMPUTE;
    to->lane = host ? LANE_HOST : LANE_COMPUTE;
    to->label = host ? CHAKRA_LABEL_HOST : CHAKRA_LABEL_COMPUTE;
    if (host || r->s->system->replay || !r->s->system->roofline) return chakra_replay(r, n, to);
    if (chakra_required(r, n, "num_ops", &flops) || chakra_required(r, n, "tensor_size", &bytes))
        return -1;
    flops = scaled(r, flops, r->s->system->peak_TFLOPS, r->s->peak_TFLOPS);
    bytes = scaled(r, bytes, r->s->system->memory_GBps, r->s->memory_GBps);
    to->operations = 1;
    to->single = (operation){
        .what = "roofline", .class_ = OPERATION_VECTOR, .flops = flops, .read_bytes = bytes
    };
    return 0;
}

static int memory(const chakra_rank *r, const Chakra__Node *n, graph_node *to) {
    const astra_memory *m = r->s->memory;
    const unsigned npus = r->s->network->npus;
    uint64_t bytes;

    to->kind = GRAPH_MEMORY;
    to->lane = LANE_COMMUNICATION;
    to->label = CHAKRA_LABEL_MEMORY;
    if (r->s->system->replay) return chakra_replay(r, n, to);
    to->moves = true;
    if (m->type == ASTRA_MEMORY_NONE)
        return chakra_fail(r, n, "a memory node, and NO_MEMORY_EXPANSION", "remote memory");
    to->shared = astra_memory_shared(m, npus);
    if (chakra_required(r, n, "tensor_size", &bytes)) return -1;
    return chakra_given(r, n, astra_memory_ns(m, npus, bytes), to);
}

/* ---- collectives ---------------------------------------------------------------------------- */

/* Translates the trace's number of a kind; ACE_LIST: not supported. */
static ace_kind kind_of(uint64_t type) {
    static const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_LIST,           ACE_ALL_GATHER,
                                      ACE_LIST,       ACE_LIST,           ACE_BROADCAST,
                                      ACE_ALL_TO_ALL, ACE_REDUCE_SCATTER, ACE_LIST,
                                      ACE_BARRIER };
    return type < sizeof kinds / sizeof *kinds ? kinds[type] : ACE_LIST;
}

static const char *kind_name(uint64_t type) {
    static const char *const names[] = { "ALL_REDUCE", "REDUCE",         "ALL_GATHER",
                                         "GATHER",     "SCATTER",        "BROADCAST",
                                         "ALL_TO_ALL", "REDUCE_SCATTER", "REDUCE_SCATTER_BLOCK",
                                         "BARRIER" };
    return type < sizeof names / sizeof *names ? names[type] : "an unknown collective";
}

/* Makes a mark: no bytes are moved. */
static int nothing(graph_node *to) {
    to->kind = GRAPH_MARK;
    to->label = CHAKRA_LABEL_NOTHING;
    return 0;
}

/* The node occupies the communication lane for its recorded time. */
static int replay_communication(const chakra_rank *r, const Chakra__Node *n, graph_node *to) {
    to->kind = GRAPH_MEMORY;
    to->lane = LANE_COMMUNICATION;
    to->label = CHAKRA_LABEL_REPLAY;
    return chakra_replay(r, n, to);
}

/* Returns whether the endpoint runs the collective. */
static bool on_endpoint(const chakra_rank *r, const chakra_party *p, ace_kind kind) {
    const bool listed = kind == ACE_BROADCAST || kind == ACE_BARRIER;
    const bool exchanges = kind == ACE_ALL_TO_ALL || listed;
    const chakra_rings *const rings = &r->s->rings[chakra_job(r->s, r->npu)];

    if (r->s->with_compat) return p->dims != 0;
    if (r->s->software && listed) return false;
    return p->dims && rings->masks >> p->dims & 1 && !(rings->reductions && exchanges);
}

/* Returns the prefix of the traces that replace a collective; NULL: none do. */
static const char *custom_of(const chakra_rank *r, uint64_t id, ace_kind kind) {
    static const ace_kind kinds[ASTRA_KINDS] = { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER,
                                                 ACE_ALL_TO_ALL };
    const astra_custom *c = &r->s->system->custom;

    for (unsigned i = 0; i < c->nodes; i++)
        if (c->node[i].id == id) return c->node[i].prefix;
    for (unsigned i = 0; i < ASTRA_KINDS; i++)
        if (kinds[i] == kind && *c->kind[i]) return c->kind[i];
    return NULL;
}

static int collective(chakra_rank *r, const Chakra__Node *n, graph_node *to) {
    ace_command *c = &to->command;
    uint64_t type;
    chakra_party p;
    int rc;

    if (r->s->system->replay) return replay_communication(r, n, to);
    if (chakra_required(r, n, "comm_type", &type) || chakra_members(r, n, &p)) return -1;
    if (r->s->with_compat && kind_of(type) == ACE_BROADCAST) return replay_communication(r, n, to);
    if (r->s->with_compat && kind_of(type) == ACE_BARRIER)
        return chakra_fail(r, n, "BARRIER",
                           "a collective that ASTRA-sim 2.x has, or no --compat 2");
    *c = (ace_command){ .kind = kind_of(type), .type = r->s->type, .op = r->s->op };
    if (c->kind == ACE_LIST)
        return chakra_fail(
            r, n, kind_name(type),
            "ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BROADCAST or BARRIER");
    if (p.count == 1) {
        to->kind = GRAPH_MARK;
        return 0;
    }
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) /* further dimensions have no endpoint */
        if (p.dims >> d & 1) c->dims[c->dim_count++] = (uint8_t)d;
    to->kind = GRAPH_COLLECTIVE;
    to->lane = LANE_COMMUNICATION;
    to->label = c->kind;
    to->tag = p.tag;
    if (custom_of(r, n->id, c->kind)) {
        rc = chakra_begin_inner(r, n, &p, custom_of(r, n->id, c->kind));
        return rc == 1 ? nothing(to) : rc;
    }
    const bool own = on_endpoint(r, &p, c->kind);
    if (own && r->s->calibrated && (c->kind == ACE_BROADCAST || c->kind == ACE_BARRIER))
        return chakra_fail(r, n, kind_name(type),
                           "ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER or ALL_TO_ALL, which the rung "
                           "calibrated has");
    if (!own) {
        if (p.dims && chakra_name_members(r, &p)) return -1;
        to->member = p.member;
        to->members = p.count;
        to->own = p.own;
    }
    rc = c->kind == ACE_BARRIER ? chakra_no_bytes(r, n)
                                : chakra_bytes(r, n, c->kind == ACE_ALL_GATHER ? p.count : 1,
                                               CHAKRA_MOST_BYTES, &c->bytes);
    if (rc > 0) return nothing(to);
    if (c->kind == ACE_ALL_TO_ALL) c->destination = (c->bytes + 4095) / 4096 * 4096;
    if (r->s->system->smallest_first) to->priority = graph_smallest_first(c->bytes);
    if (!rc) rc = chakra_begin_parts(r, n, to);
    if (rc) return rc;
    to->work = r->work++;
    return 0;
}

/* ---- messages ------------------------------------------------------------------------------ */

static int message_of(chakra_rank *r, const Chakra__Node *n, bool sends, graph_node *to) {
    const char *const own = sends ? "comm_src" : "comm_dst", *const far =
                                                                 sends ? "comm_dst" : "comm_src";
    const astra_job *const job = chakra_own_job(r);
    uint64_t self, peer;
    char found[96];
    int rc;

    if (r->s->system->replay) return replay_communication(r, n, to);
    if (chakra_number(r, n, own, &self) < 0 || chakra_required(r, n, far, &peer) ||
        chakra_required(r, n, "comm_tag", &to->tag))
        return -1;
    if (chakra_attribute(n, own) &&
        self != (job ? r->s->jobs->rank[r->npu] : astra_rank_of(r->s->rank_map, r->npu))) {
        snprintf(found, sizeof found, "%s %" PRIu64, own, self);
        return chakra_fail(r, n, found, "the NPU itself");
    }
    if (peer >= (job ? job->count : r->s->network->npus)) {
        snprintf(found, sizeof found, "%s %" PRIu64, far, peer);
        return chakra_fail(r, n, found, job ? "a rank of its job" : "an NPU of the network");
    }
    if (to->tag >= CHAKRA_GROUP_TAG)
        return chakra_fail(r, n, "a comm_tag above 2^62", "a lower one");
    to->kind = sends ? GRAPH_SEND : GRAPH_RECEIVE;
    to->lane = LANE_COMMUNICATION;
    to->label = sends ? CHAKRA_LABEL_SEND : CHAKRA_LABEL_RECEIVE;
    to->peer = job ? job->npu[peer] : astra_npu_of(r->s->rank_map, (unsigned)peer);
    rc = chakra_bytes(r, n, 1, CHAKRA_MOST_MESSAGE_BYTES, &to->command.bytes);
    if (rc > 0) return nothing(to);
    to->work = r->work++;
    return rc;
}

/* ---- the reader ----------------------------------------------------------------------------- */

static int take(chakra_rank *r, const Chakra__Node *n, graph_node *to) {
    uint64_t host;
    char found[64];

    if (chakra_number(r, n, "is_cpu_op", &host) < 0) return -1;
    if (host && r->s->system->replay &&
        n->type > CHAKRA__NODE_TYPE__METADATA_NODE) /* only its time matters */
        return compute(r, n, true, to);
    if (host && n->type >= CHAKRA__NODE_TYPE__COMM_SEND_NODE &&
        n->type <= CHAKRA__NODE_TYPE__COMM_COLL_NODE)
        return chakra_fail(r, n, "communication with is_cpu_op",
                           "is_cpu_op false: an NPU communicates");
    switch (n->type) {
    case CHAKRA__NODE_TYPE__INVALID_NODE:
    case CHAKRA__NODE_TYPE__METADATA_NODE: to->kind = GRAPH_MARK; return 0;
    case CHAKRA__NODE_TYPE__MEM_LOAD_NODE:
    case CHAKRA__NODE_TYPE__MEM_STORE_NODE: return memory(r, n, to);
    case CHAKRA__NODE_TYPE__COMP_NODE: return compute(r, n, host != 0, to);
    case CHAKRA__NODE_TYPE__COMM_COLL_NODE: return collective(r, n, to);
    case CHAKRA__NODE_TYPE__COMM_SEND_NODE: return message_of(r, n, true, to);
    case CHAKRA__NODE_TYPE__COMM_RECV_NODE: return message_of(r, n, false, to);
    default:
        snprintf(found, sizeof found, "a node of type %u", (unsigned)n->type);
        return chakra_fail(r, n, found, "types 0 to 7 of Chakra 0.0.4 to 1.0.0");
    }
}

/* Makes the node that delays the start. All nodes without other parents wait for it. */
static int late(chakra_rank *r, graph_node *to) {
    const double cycles = r->s->late_ns[r->npu] * r->s->clock_MHz / 1000;

    r->late = true;
    *to = (graph_node){ .id = LATE,
                        .kind = GRAPH_COMPUTE,
                        .lane = LANE_HOST,
                        .label = CHAKRA_LABEL_DELAY,
                        .operations = 1,
                        .single = { .what = "start delay",
                                    .class_ = OPERATION_TIME,
                                    .cycles = (uint64_t)ceil(cycles) } };
    return 1;
}

static int next(void *self, graph_node *to) {
    static const uint64_t held_back = LATE;
    chakra_rank *r = self;
    const bool is_late = r->s->late_ns && r->s->late_ns[r->npu] > 0;
    const Chakra__Node *n;
    int more, rc;

    if (!r->file) return 0;
    if (r->inner.file || r->inner.parts) return chakra_next_inner(r, to);
    if (is_late && !r->late) return late(r, to);
    more = chakra_file_next(r->file, &n);
    if (more <= 0) return more;
    *to = (graph_node){ .id = n->id };
    if (!chakra_add_parents(r, n->data_deps, n->n_data_deps, to) ||
        (!r->data_only && !chakra_add_parents(r, n->ctrl_deps, n->n_ctrl_deps, to)))
        return (void)message_no_memory(), -1;
    if (is_late && !to->parents && !chakra_add_parents(r, &held_back, 1, to))
        return (void)message_no_memory(), -1;
    rc = take(r, n, to);
    if (rc == CHAKRA_INSIDE) return chakra_open_inner(r, to);
    return rc ? -1 : 1;
}

static int again(void *self) {
    chakra_rank *r = self;

    r->work = 0;
    r->late = false;
    r->inners = 0;
    chakra_file_close(r->inner.file);
    r->inner.file = NULL;
    r->inner.parts = 0;
    return r->file ? chakra_file_rewind(r->file) : EXIT_OK;
}

static void release(void *self) {
    chakra_rank *r = self;

    chakra_file_close(r->file);
    for (unsigned i = 0; r->member && i < 1U << r->s->network->dims; i++) free(r->member[i]);
    free(r->member);
    free(r->own);
    chakra_file_close(r->inner.file);
    free(r->inner.before);
    free(r->inner.node);
    free(r->inner.member);
    free(r->parent);
    free(r);
}

int chakra_graph_open(const chakra_setup *s, unsigned npu, bool data_only, graph_reader *to) {
    const size_t masks = (size_t)1 << s->network->dims;
    char name[CHAKRA_TRACE_NAME];
    chakra_rank *r = calloc(1, sizeof *r);
    int rc;

    if (!r) return message_no_memory();
    *r = (chakra_rank){ .s = s,
                        .npu = npu,
                        .data_only = data_only,
                        .member = calloc(masks, sizeof *r->member),
                        .own = calloc(masks, sizeof *r->own) };
    chakra_trace_name(s, npu, name, sizeof name);
    rc = !r->member || !r->own ? message_no_memory()
         : *name               ? chakra_file_open(name, &r->file)
                               : EXIT_OK;
    if (rc != EXIT_OK) {
        release(r);
        return rc;
    }
    *to = (graph_reader){ .self = r,
                          .name = r->file ? chakra_file_name(r->file) : "no trace",
                          .next = next,
                          .rewind = again,
                          .close = release };
    return EXIT_OK;
}
