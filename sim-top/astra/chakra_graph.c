/* SPDX-License-Identifier: Apache-2.0 */
/* chakra_graph.c -- see chakra_graph.h */
#include "chakra_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astra_memory.h"
#include "chakra_file.h"
#include "exit_status.h"
#include "message.h"
#include "npu.h"
#include "schedule.h"
#include "values.h"

/* A collective that is nodes of its own, while these are given: a trace, or parts of an all-reduce. */
typedef struct inner {
    chakra_file *file; /* NULL: there is none */
    ace_command part[SCHEDULE_PARTS];
    unsigned parts, part_next;
    uint32_t priority; /* of the parts */
    uint64_t id;       /* of the collective */
    uint64_t base;     /* of the ids of its nodes */
    uint64_t tag;      /* of its messages */
    uint64_t *before;  /* what the collective waits for */
    unsigned befores;
    uint64_t *node; /* ids of its nodes */
    unsigned nodes, room;
    unsigned *member, members; /* by number */
    uint64_t bytes;            /* of the collective */
} inner;

typedef struct rank {
    const chakra_setup *s;
    chakra_file *file;
    unsigned npu;
    bool data_only;
    uint64_t work; /* collectives so far */
    uint64_t *parent;
    size_t room;
    bool late; /* the node that holds it back was given */
    unsigned
        *member[CHAKRA_MASKS];  /* who differs from the NPU in these dimensions alone; or NULL */
    unsigned own[CHAKRA_MASKS]; /* which of them it is */
    inner inner;
    uint64_t inners; /* so far */
} rank;

/* The node that holds an NPU back has an id that traces do not use. */
#define LATE UINT64_MAX

/* Tags of collectives by messages, beside those of traces: the group, and the step in 8 bits. */
#define GROUP_TAG (UINT64_C(1) << 62)
/* Of messages within a collective that is a trace of its own: the group, and the trace's tag in 30 bits; and the ids
 * of its nodes: which collective, and theirs in 24. */
#define INNER_TAG (GROUP_TAG | UINT64_C(1) << 61)
#define INNER_ID  (UINT64_C(1) << 63)
enum { INNER_TAG_BITS = 30, INNER_ID_BITS = 24 };

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
        snprintf(to, room, "%s.%u.et", s->prefix, npu);
    else if (j->job[npu] != ASTRA_NO_JOB)
        snprintf(to, room, "%s.%" PRIu32 ".et", j->at[j->job[npu]].prefix, j->rank[npu]);
}

/* The job of a rank; NULL: there are none, or it has none. */
static const astra_job *own_job(const rank *r) {
    const astra_jobs *j = r->s->jobs;

    return j && j->job[r->npu] != ASTRA_NO_JOB ? &j->at[j->job[r->npu]] : NULL;
}

static int fail(const rank *r, const Chakra__Node *n, const char *found, const char *expected) {
    fprintf(stderr, "acesim: %s: node %" PRIu64 " (%s), NPU %u: found %s, expected %s\n",
            chakra_file_name(r->inner.file ? r->inner.file : r->file), n->id, n->name, r->npu,
            found, expected);
    return -1;
}

/* ---- attributes ---------------------------------------------------------------------------- */

static const Chakra__Attribute *attribute(const Chakra__Node *n, const char *name) {
    for (size_t i = 0; i < n->n_attr; i++)
        if (!strcmp(n->attr[i]->name, name)) return n->attr[i];
    return NULL;
}

bool chakra_whole(const Chakra__Attribute *a, uint64_t *v) {
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

/* 0: it is there; 1: it is not, *v is 0; -1: failed. */
static int number(const rank *r, const Chakra__Node *n, const char *name, uint64_t *v) {
    const Chakra__Attribute *a = attribute(n, name);
    char found[96];

    *v = 0;
    if (!a) return 1;
    if (chakra_whole(a, v)) return 0;
    snprintf(found, sizeof found, "%s of another kind, or negative", name);
    return fail(r, n, found, "a whole number");
}

static int required(const rank *r, const Chakra__Node *n, const char *name, uint64_t *v) {
    const int rc = number(r, n, name, v);
    char found[64];

    if (rc <= 0) return rc;
    snprintf(found, sizeof found, "no %s", name);
    return fail(r, n, found, "one");
}

/* ---- time ------------------------------------------------------------------------------------ */

static int given(const rank *r, const Chakra__Node *n, double ns, graph_node *to) {
    const double cycles = ns * r->s->clock_MHz / 1000;

    if (cycles > (double)NPU_MOST_CYCLES) return fail(r, n, "a time above 2^38 cycles", "less");
    to->operations = 1;
    to->single =
        (operation){ .what = "given", .class_ = OPERATION_TIME, .cycles = (uint64_t)ceil(cycles) };
    return 0;
}

static double scale_of(const rank *r) { return r->s->scale ? r->s->scale[r->npu] : 1; }

/* Work of an NPU that has `own` where the system, of whose speed all are, has `all`. */
static uint64_t scaled(const rank *r, uint64_t work, double all, const double *own) {
    const double times = scale_of(r) * (own ? all / own[r->npu] : 1);

    return times == 1 ? work : (uint64_t)fmin(ceil((double)work * times), 0x1p63);
}

static int replay(const rank *r, const Chakra__Node *n, graph_node *to) {
    const double ns = n->duration_micros ? 1e3 * (double)n->duration_micros : 1;

    return given(r, n, to->kind == GRAPH_COMPUTE ? ns * scale_of(r) : ns, to);
}

static int compute(const rank *r, const Chakra__Node *n, bool host, graph_node *to) {
    uint64_t flops, bytes;

    to->kind = GRAPH_COMPUTE;
    to->lane = host ? LANE_HOST : LANE_COMPUTE;
    to->label = host ? CHAKRA_LABEL_HOST : CHAKRA_LABEL_COMPUTE;
    if (host || r->s->system->replay || !r->s->system->roofline) return replay(r, n, to);
    if (required(r, n, "num_ops", &flops) || required(r, n, "tensor_size", &bytes)) return -1;
    flops = scaled(r, flops, r->s->system->peak_TFLOPS, r->s->peak_TFLOPS);
    bytes = scaled(r, bytes, r->s->system->memory_GBps, r->s->memory_GBps);
    to->operations = 1;
    to->single = (operation){
        .what = "roofline", .class_ = OPERATION_VECTOR, .flops = flops, .read_bytes = bytes
    };
    return 0;
}

static int memory(const rank *r, const Chakra__Node *n, graph_node *to) {
    const astra_memory *m = r->s->memory;
    const unsigned npus = r->s->network->npus;
    uint64_t bytes;

    to->kind = GRAPH_MEMORY;
    to->lane = LANE_COMMUNICATION;
    to->label = CHAKRA_LABEL_MEMORY;
    if (r->s->system->replay) return replay(r, n, to);
    to->moves = true;
    if (m->type == ASTRA_MEMORY_NONE)
        return fail(r, n, "a memory node, and NO_MEMORY_EXPANSION", "remote memory");
    to->shared = astra_memory_shared(m, npus);
    if (required(r, n, "tensor_size", &bytes)) return -1;
    return given(r, n, astra_memory_ns(m, npus, bytes), to);
}

/* ---- collectives ---------------------------------------------------------------------------- */

uint64_t chakra_dims_tag(unsigned dims) { return GROUP_TAG | (uint64_t)dims << 8; }
uint64_t chakra_group_tag(unsigned group) {
    return GROUP_TAG | ((uint64_t)group + CHAKRA_MASKS) << 8;
}
unsigned chakra_group(const graph_node *n) {
    return (unsigned)((n->tag ^ GROUP_TAG) >> 8) - CHAKRA_MASKS;
}

unsigned chakra_dims(const graph_node *n) {
    const uint64_t v = (n->tag ^ GROUP_TAG) >> 8;

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

/* The dimensions that a group is the product of; false: it is no such. */
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
    /* as many different NPUs as the product has, all of which differ from this one in it alone */
    for (unsigned i = 0; i < g->count; i++) in = in || g->npu[i] == npu;
    return in && size == g->count;
}

/* Who takes part. */
typedef struct party {
    unsigned dims;          /* whole dimensions; of another group 0 */
    const unsigned *member; /* of whole dimensions not yet: name_members() */
    unsigned count, own;    /* this NPU is the own-th */
    uint64_t tag;
} party;

/* All that differ from this NPU in some dimensions alone. */
static void whole_dimensions(const rank *r, unsigned dims, party *p) {
    *p = (party){ .dims = dims, .count = 1, .tag = chakra_dims_tag(dims) };
    for (unsigned d = 0; d < r->s->network->dims; d++)
        if (dims >> d & 1) p->count *= r->s->network->members[d];
}

/* Who they are, x fastest.  0; or -1: no memory. */
static int name_members(rank *r, party *p) {
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

/* The dimensions of involved_dim: without it all.  0; or -1. */
static int involved(const rank *r, const Chakra__Node *n, unsigned *dims) {
    const Chakra__Attribute *mask = attribute(n, "involved_dim");
    const astra_network *net = r->s->network;

    *dims = (1U << net->dims) - 1;
    if (!mask) return 0;
    if (mask->value_case != CHAKRA__ATTRIBUTE__VALUE_BOOL_LIST)
        return fail(r, n, "involved_dim of another kind", "a list of truth values");
    if (mask->bool_list->n_values < net->dims)
        return fail(r, n, "involved_dim of fewer dimensions than the network has",
                    "a truth value for each");
    *dims = 0;
    for (unsigned d = 0; d < net->dims; d++)
        if (mask->bool_list->values[d]) *dims |= 1U << d;
    return 0;
}

/* 0; or -1. */
static int members(rank *r, const Chakra__Node *n, party *p) {
    const Chakra__Attribute *group = attribute(n, "pg_name");
    const astra_groups *all = r->s->groups;
    const astra_group *g;
    const astra_job *const job = own_job(r);
    const bool everyone = !group || group->value_case != CHAKRA__ATTRIBUTE__VALUE_STRING_VAL ||
                          !*group->string_val || !strcmp(group->string_val, "0");
    char found[128], name[160];
    unsigned dims;

    if (job && everyone && attribute(n, "involved_dim"))
        return fail(r, n, "involved_dim in a job, which has no dimensions of its own",
                    "none, or a group");
    if (involved(r, n, &dims)) return -1;
    if (everyone && !job) return whole_dimensions(r, dims, p), 0;
    snprintf(name, sizeof name, "%s%s%.80s", job ? job->name : "", job ? "/" : "",
             everyone ? "" : group->string_val);
    g = everyone ? &all->at[job->everyone] : astra_groups_find(all, name);
    if (!g) {
        snprintf(found, sizeof found, "pg_name %.64s", group->string_val);
        return fail(r, n, found, "a group of --comm-group-configuration");
    }
    if ((!r->s->theirs || g->count == r->s->network->npus || g->count == 1) &&
        group_dims(r->s->network, g, r->npu, &dims))
        return whole_dimensions(r, dims, p), 0;
    *p = (party){ .member = g->npu,
                  .count = g->count,
                  .own = g->count,
                  .tag = chakra_group_tag((unsigned)(g - all->at)) };
    for (unsigned i = 0; i < g->count; i++)
        if (g->npu[i] == r->npu) p->own = i;
    if (p->own < p->count) return 0;
    snprintf(found, sizeof found, "group %.64s, without this NPU", g->name);
    return fail(r, n, found, "the rank among its members");
}

/* What the trace's number of a kind is; ACE_LIST: nothing that runs. */
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

/* Of a collective in all, and of a message. */
#define MOST_BYTES         (UINT64_C(1) << 40)
#define MOST_MESSAGE_BYTES (UINT64_C(1) << 38)

/* comm_size, of `times` as much in all: 0; or 1: there is none, and that is taken; or -1. */
static int bytes_of(const rank *r, const Chakra__Node *n, uint64_t times, uint64_t most,
                    uint64_t *bytes) {
    uint64_t size;
    const int rc =
        r->s->lenient ? number(r, n, "comm_size", &size) : required(r, n, "comm_size", &size);

    if (rc < 0 || (r->s->lenient && (rc || !size))) return rc < 0 ? -1 : 1;
    if (!size || size > most / times)
        return fail(r, n, "comm_size 0, or above 1 TiB in all or 256 GiB of a message",
                    "bytes to be moved; --lenient takes 0 as over at once");
    *bytes = size * times;
    return 0;
}

/* Nothing is moved. */
static int nothing(graph_node *to) {
    to->kind = GRAPH_MARK;
    to->label = CHAKRA_LABEL_NOTHING;
    return 0;
}

/* It keeps its lane for its time. */
static int replay_communication(const rank *r, const Chakra__Node *n, graph_node *to) {
    to->kind = GRAPH_MEMORY;
    to->lane = LANE_COMMUNICATION;
    to->label = CHAKRA_LABEL_REPLAY;
    return replay(r, n, to);
}

/* Is it one of those that the endpoint carries out? */
static bool on_endpoint(const rank *r, const party *p, ace_kind kind) {
    const bool exchanges = kind == ACE_ALL_TO_ALL || kind == ACE_BROADCAST || kind == ACE_BARRIER;
    const chakra_rings *const rings = &r->s->rings[chakra_job(r->s, r->npu)];

    if (r->s->theirs) return p->dims != 0;
    return p->dims && rings->masks >> p->dims & 1 && !(rings->reductions && exchanges);
}

/* The prefix of the traces that a collective is made of; NULL: it has none. */
static const char *custom_of(const rank *r, uint64_t id, ace_kind kind) {
    static const ace_kind kinds[ASTRA_KINDS] = { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER,
                                                 ACE_ALL_TO_ALL };
    const astra_custom *c = &r->s->system->custom;

    for (unsigned i = 0; i < c->nodes; i++)
        if (c->node[i].id == id) return c->node[i].prefix;
    for (unsigned i = 0; i < ASTRA_KINDS; i++)
        if (kinds[i] == kind && *c->kind[i]) return c->kind[i];
    return NULL;
}

static int by_number(const void *a, const void *b) {
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return x < y ? -1 : x > y;
}

static void begin_nodes(rank *r, const Chakra__Node *n) {
    r->inner.id = n->id;
    r->inner.base = INNER_ID | r->inners++ << INNER_ID_BITS;
    r->inner.nodes = 0;
}

/* Of a collective, what is inside comes next: INNER; or 1: it moves no bytes; or -1. */
enum { INNER = 2 };
static int begin_inner(rank *r, const Chakra__Node *n, party *p, const char *prefix) {
    inner *const in = &r->inner;
    char name[CHAKRA_TRACE_NAME];
    unsigned own = 0;
    int rc;

    begin_nodes(r, n);
    in->tag = INNER_TAG | (p->tag ^ GROUP_TAG) >> 8 << INNER_TAG_BITS;
    rc = bytes_of(r, n, 1, MOST_BYTES, &in->bytes);
    if (rc) return rc;
    if (p->dims && name_members(r, p)) return -1;
    free(in->member);
    in->members = p->count;
    in->member = malloc(p->count * sizeof *in->member);
    if (!in->member) return (void)message_no_memory(), -1;
    memcpy(in->member, p->member, p->count * sizeof *in->member);
    qsort(in->member, p->count, sizeof *in->member, by_number);
    while (in->member[own] != r->npu) own++;
    snprintf(name, sizeof name, "%s.%u.et", prefix, own);
    return chakra_file_open(name, &in->file) == EXIT_OK ? INNER : -1;
}

/* An all-reduce that is cut into parts: INNER; or 0: it is one. */
static int begin_parts(rank *r, const Chakra__Node *n, const graph_node *whole) {
    inner *const in = &r->inner;
    const ace_command *c = &whole->command;

    if (!r->s->system->balanced || !r->s->cluster || whole->members || c->kind != ACE_ALL_REDUCE)
        return 0;
    in->parts = schedule_parts(SCHEDULE_BALANCED, r->s->cluster, r->s->config, c, in->part);
    in->part_next = 0;
    if (in->parts < 2) return (int)(in->parts = 0);
    in->tag = whole->tag;
    in->priority = whole->priority;
    begin_nodes(r, n);
    return INNER;
}

static int collective(rank *r, const Chakra__Node *n, graph_node *to) {
    ace_command *c = &to->command;
    uint64_t type;
    party p;
    int rc;

    if (r->s->system->replay) return replay_communication(r, n, to);
    if (required(r, n, "comm_type", &type) || members(r, n, &p)) return -1;
    if (r->s->theirs && kind_of(type) == ACE_BROADCAST) return replay_communication(r, n, to);
    if (r->s->theirs && kind_of(type) == ACE_BARRIER)
        return fail(r, n, "BARRIER", "a collective that ASTRA-sim 2.x has, or no --compat 2");
    *c = (ace_command){ .kind = kind_of(type), .type = r->s->type, .op = r->s->op };
    if (c->kind == ACE_LIST)
        return fail(r, n, kind_name(type),
                    "ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, ALL_TO_ALL, BROADCAST or BARRIER");
    if (p.count == 1) {
        to->kind = GRAPH_MARK;
        return 0;
    }
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) /* those behind them have no endpoint */
        if (p.dims >> d & 1) c->dims[c->dim_count++] = (uint8_t)d;
    to->kind = GRAPH_COLLECTIVE;
    to->lane = LANE_COMMUNICATION;
    to->label = c->kind;
    to->tag = p.tag;
    if (custom_of(r, n->id, c->kind)) {
        rc = begin_inner(r, n, &p, custom_of(r, n->id, c->kind));
        return rc == 1 ? nothing(to) : rc;
    }
    if (!on_endpoint(r, &p, c->kind)) {
        if (p.dims && name_members(r, &p)) return -1;
        to->member = p.member;
        to->members = p.count;
        to->own = p.own;
    }
    rc = c->kind == ACE_BARRIER
             ? 0
             : bytes_of(r, n, c->kind == ACE_ALL_GATHER ? p.count : 1, MOST_BYTES, &c->bytes);
    if (rc > 0) return nothing(to);
    if (c->kind == ACE_ALL_TO_ALL) c->destination = (c->bytes + 4095) / 4096 * 4096;
    if (r->s->system->smallest_first) to->priority = graph_smallest_first(c->bytes);
    if (!rc) rc = begin_parts(r, n, to);
    if (rc) return rc;
    to->work = r->work++;
    return 0;
}

/* ---- messages ------------------------------------------------------------------------------ */

static int message_of(rank *r, const Chakra__Node *n, bool sends, graph_node *to) {
    const char *const own = sends ? "comm_src" : "comm_dst", *const far =
                                                                 sends ? "comm_dst" : "comm_src";
    const astra_job *const job = own_job(r);
    uint64_t self, peer;
    char found[96];
    int rc;

    if (r->s->system->replay) return replay_communication(r, n, to);
    if (number(r, n, own, &self) < 0 || required(r, n, far, &peer) ||
        required(r, n, "comm_tag", &to->tag))
        return -1;
    if (attribute(n, own) && self != (job ? r->s->jobs->rank[r->npu] : r->npu)) {
        snprintf(found, sizeof found, "%s %" PRIu64, own, self);
        return fail(r, n, found, "the NPU itself");
    }
    if (peer >= (job ? job->count : r->s->network->npus)) {
        snprintf(found, sizeof found, "%s %" PRIu64, far, peer);
        return fail(r, n, found, job ? "a rank of its job" : "an NPU of the network");
    }
    if (to->tag >= GROUP_TAG) return fail(r, n, "a comm_tag above 2^62", "a lower one");
    to->kind = sends ? GRAPH_SEND : GRAPH_RECEIVE;
    to->lane = LANE_COMMUNICATION;
    to->label = sends ? CHAKRA_LABEL_SEND : CHAKRA_LABEL_RECEIVE;
    to->peer = job ? job->npu[peer] : (unsigned)peer;
    rc = bytes_of(r, n, 1, MOST_MESSAGE_BYTES, &to->command.bytes);
    if (rc > 0) return nothing(to);
    to->work = r->work++;
    return rc;
}

/* ---- the reader ----------------------------------------------------------------------------- */

static bool add_parents(rank *r, const uint64_t *id, size_t count, graph_node *to) {
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

static int take(rank *r, const Chakra__Node *n, graph_node *to) {
    uint64_t host;
    char found[64];

    if (number(r, n, "is_cpu_op", &host) < 0) return -1;
    if (host && r->s->system->replay &&
        n->type > CHAKRA__NODE_TYPE__METADATA_NODE) /* its time is all there is of it */
        return compute(r, n, true, to);
    if (host && n->type >= CHAKRA__NODE_TYPE__COMM_SEND_NODE &&
        n->type <= CHAKRA__NODE_TYPE__COMM_COLL_NODE)
        return fail(r, n, "communication with is_cpu_op", "is_cpu_op false: an NPU communicates");
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
        return fail(r, n, found, "types 0 to 7 of Chakra 0.0.4 to 1.0.0");
    }
}

/* ---- within a collective ---------------------------------------------------------------------- */

/* Bytes that a custom trace says, made for a collective of other bytes. */
static uint64_t scaled_bytes(const rank *r, uint64_t bytes) {
    const uint64_t made_for = r->s->system->custom.bytes;
    const double v =
        made_for ? (double)bytes * (double)r->inner.bytes / (double)made_for : (double)bytes;

    return v < 1 ? 1 : (uint64_t)v;
}

static int inner_message(rank *r, const Chakra__Node *n, bool sends, graph_node *to) {
    uint64_t peer, tag, bytes;

    if (required(r, n, sends ? "comm_dst" : "comm_src", &peer) ||
        required(r, n, "comm_tag", &tag) || bytes_of(r, n, 1, MOST_MESSAGE_BYTES, &bytes))
        return -1;
    if (peer >= r->inner.members || r->inner.member[peer] == r->npu)
        return fail(r, n, "a peer that is no other member", "a place in the group, from 0");
    if (tag >> INNER_TAG_BITS) return fail(r, n, "a comm_tag above 2^30", "a lower one");
    to->kind = sends ? GRAPH_SEND : GRAPH_RECEIVE;
    to->label = sends ? CHAKRA_LABEL_SEND : CHAKRA_LABEL_RECEIVE;
    to->peer = r->inner.member[peer];
    to->tag = r->inner.tag | tag;
    to->command.bytes = scaled_bytes(r, bytes);
    to->work = r->work++;
    return 0;
}

static int inner_node(rank *r, const Chakra__Node *n, graph_node *to) {
    to->lane = LANE_COMMUNICATION;
    switch (n->type) {
    case CHAKRA__NODE_TYPE__INVALID_NODE:
    case CHAKRA__NODE_TYPE__METADATA_NODE: to->kind = GRAPH_MARK; return 0;
    case CHAKRA__NODE_TYPE__COMM_SEND_NODE: return inner_message(r, n, true, to);
    case CHAKRA__NODE_TYPE__COMM_RECV_NODE: return inner_message(r, n, false, to);
    case CHAKRA__NODE_TYPE__COMP_NODE:
        to->kind = GRAPH_MEMORY;
        to->label = CHAKRA_LABEL_COMPUTE;
        return replay(r, n, to);
    default:
        return fail(r, n, "another node in a custom collective",
                    "COMM_SEND, COMM_RECV and COMP nodes there");
    }
}

/* Its nodes get ids of their own. */
static bool inner_parents(rank *r, const uint64_t *id, size_t count, graph_node *to) {
    const unsigned first = to->parents;

    if (!add_parents(r, id, count, to)) return false;
    for (unsigned i = first; i < to->parents; i++) r->parent[i] |= r->inner.base;
    return true;
}

/* The collective is over when all of them are. */
static int end_inner(rank *r, graph_node *to) {
    inner *const in = &r->inner;

    chakra_file_close(in->file);
    in->file = NULL;
    *to = (graph_node){ .id = in->id, .kind = GRAPH_MARK };
    return add_parents(r, in->before, in->befores, to) && add_parents(r, in->node, in->nodes, to)
               ? 1
               : ((void)message_no_memory(), -1);
}

/* Room for the id of one more of its nodes, which is taken. */
static bool add_node(inner *in, uint64_t id) {
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

static int next_part(rank *r, graph_node *to) {
    inner *const in = &r->inner;
    const ace_command *c = &in->part[in->part_next];

    if (in->part_next == in->parts) {
        in->parts = 0;
        return end_inner(r, to);
    }
    *to = (graph_node){ .id = in->base | in->part_next++,
                        .kind = GRAPH_COLLECTIVE,
                        .lane = LANE_COMMUNICATION,
                        .priority = in->priority,
                        .label = c->kind,
                        .tag = in->tag,
                        .command = *c,
                        .work = r->work++ };
    return add_node(in, to->id) && add_parents(r, in->before, in->befores, to)
               ? 1
               : ((void)message_no_memory(), -1);
}

static int next_inner(rank *r, graph_node *to) {
    inner *const in = &r->inner;
    const Chakra__Node *n;
    bool room = true;
    int more;

    if (in->parts) return next_part(r, to);
    more = chakra_file_next(in->file, &n);

    if (more < 0) return -1;
    if (!more) return end_inner(r, to);
    if (n->id >> INNER_ID_BITS) return fail(r, n, "an id above 2^24", "a lower one");
    *to = (graph_node){ .id = in->base | n->id };
    room = add_node(in, to->id) && inner_parents(r, n->data_deps, n->n_data_deps, to) &&
           inner_parents(r, n->ctrl_deps, n->n_ctrl_deps, to);
    if (room && !to->parents) room = add_parents(r, in->before, in->befores, to);
    if (!room) return (void)message_no_memory(), -1;
    return inner_node(r, n, to) ? -1 : 1;
}

/* What the collective waits for is what its first nodes wait for. */
static int open_inner(rank *r, graph_node *to) {
    inner *const in = &r->inner;
    uint64_t *at = realloc(in->before, (to->parents + 1) * sizeof *at);

    if (!at) return (void)message_no_memory(), -1;
    in->before = at;
    in->befores = to->parents;
    if (to->parents) memcpy(at, to->parent, to->parents * sizeof *at);
    return next_inner(r, to);
}

/* What all that waits for nothing else waits for. */
static int late(rank *r, graph_node *to) {
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
    rank *r = self;
    const bool is_late = r->s->late_ns && r->s->late_ns[r->npu] > 0;
    const Chakra__Node *n;
    int more, rc;

    if (!r->file) return 0;
    if (r->inner.file || r->inner.parts) return next_inner(r, to);
    if (is_late && !r->late) return late(r, to);
    more = chakra_file_next(r->file, &n);
    if (more <= 0) return more;
    *to = (graph_node){ .id = n->id };
    if (!add_parents(r, n->data_deps, n->n_data_deps, to) ||
        (!r->data_only && !add_parents(r, n->ctrl_deps, n->n_ctrl_deps, to)))
        return (void)message_no_memory(), -1;
    if (is_late && !to->parents && !add_parents(r, &held_back, 1, to))
        return (void)message_no_memory(), -1;
    rc = take(r, n, to);
    if (rc == INNER) return open_inner(r, to);
    return rc ? -1 : 1;
}

static int again(void *self) {
    rank *r = self;

    r->work = 0;
    r->late = false;
    r->inners = 0;
    chakra_file_close(r->inner.file);
    r->inner.file = NULL;
    r->inner.parts = 0;
    return r->file ? chakra_file_rewind(r->file) : EXIT_OK;
}

static void release(void *self) {
    rank *r = self;

    chakra_file_close(r->file);
    for (unsigned i = 0; i < CHAKRA_MASKS; i++) free(r->member[i]);
    chakra_file_close(r->inner.file);
    free(r->inner.before);
    free(r->inner.node);
    free(r->inner.member);
    free(r->parent);
    free(r);
}

int chakra_graph_open(const chakra_setup *s, unsigned npu, bool data_only, graph_reader *to) {
    char name[CHAKRA_TRACE_NAME];
    rank *r = calloc(1, sizeof *r);
    int rc;

    if (!r) return message_no_memory();
    *r = (rank){ .s = s, .npu = npu, .data_only = data_only };
    chakra_trace_name(s, npu, name, sizeof name);
    rc = *name ? chakra_file_open(name, &r->file) : EXIT_OK;
    if (rc != EXIT_OK) {
        free(r);
        return rc;
    }
    *to = (graph_reader){ .self = r,
                          .name = r->file ? chakra_file_name(r->file) : "no trace",
                          .next = next,
                          .rewind = again,
                          .close = release };
    return EXIT_OK;
}
