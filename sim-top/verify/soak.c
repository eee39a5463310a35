/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak.c -- draws clusters and commands, runs them, and judges pins and values
 *
 * One random generator determines everything: the configuration, the work, the faults and the
 * stalls. One node is a pair of cores in lockstep. Results are compared with a reference if the
 * order of the chunks cannot change the result. A failure keeps the state of the generator, so it
 * can be repeated.
 */
#include "soak.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "ace_control.h"
#include "ace_link_crc.h"
#include "ace_memory.h"
#include "ace_node_faults.h"
#include "ace_plan.h"
#include "ace_program.h"
#include "ace_reference.h"
#include "hub.h"

/* A random generator that gives the same numbers on every machine. */
typedef struct dice {
    uint64_t s;
} dice;
static uint32_t roll(dice *d) {
    d->s ^= d->s << 13;
    d->s ^= d->s >> 7;
    d->s ^= d->s << 17;
    return (uint32_t)(d->s >> 16);
}
static uint32_t between(dice *d, uint32_t low, uint32_t high) {
    return low + roll(d) % (high - low + 1);
}

enum { NODES_MAX = 18, RING_MAX = 9, COMMANDS_MAX = 6, WINDOW = 8 };
enum { HUBS_MAX = NODES_MAX / 2 * ACE_LINKS, CHUNK_ROWS_MAX = 1024 };
enum { WINDOW_ROWS = 1 << 20 }; /* all vectors are in the first 256 MiB */
enum { AFTERMATH = 100 };       /* windows that still run after a row is lost */
enum { SILENCE = 250 };         /* intervals: no link is lost by the faults of a soak */

typedef struct bench {
    unsigned nodes;
    uint16_t ring[ACE_DIMENSIONS];
    ace_node *node[NODES_MAX];
    ace_memory *memory[NODES_MAX];
    ace_wire *wire[NODES_MAX][ACE_LINKS], *from_hub[NODES_MAX][ACE_LINKS];
    hub *hub[HUBS_MAX];
    unsigned hubs;
    bool direct[ACE_DIMENSIONS]; /* for dimensions with hubs: fully connected, no switch */
    ace_core *pair;
    unsigned pair_at; /* any node, because rank 0 alone would hide errors that depend on the rank */
    ace_config config;
    uint32_t stall;
    uint64_t late[NODES_MAX]; /* cycles after the others, for nodes that agree on an order */
    ace_upsets upsets;        /* of the pair */
    uint64_t chance;          /* probability that a bit of a frame is flipped in transit, / 2^64 */
    uint64_t seed;
    bool rush; /* nothing but the engine is the limit: every bank, pipe and port is busy */
} bench;

/* Returns the cycles of a row in Q8 for a rate in bytes per cycle. */
static uint32_t cost(uint32_t rate) { return ACE_ROW_BYTES * ACE_COST_ONE * 256u / rate; }

enum { ONE_WAY_RING = 1, PROGRAMS = 5, PAIRWISE = 7 }; /* indexes of ace_program_names */

/* Sets a node's rank in each dimension. */
static void set_ranks(const bench *b, unsigned node, ace_config *c) {
    for (unsigned k = 0; k < ACE_DIMENSIONS; node /= b->ring[k++])
        c->rank[k] = (uint16_t)(node % b->ring[k]);
}

/* Returns whether each node has room for its programs, and whether such programs exist for its
 * number of members. */
static bool has_programs(const bench *b) {
    for (unsigned i = 0; i < b->nodes; i++) {
        ace_config c = b->config;
        set_ranks(b, i, &c);
        if (ace_program_defaults(&c) != ACE_OK) return false;
    }
    return true;
}

/* Makes some of the dimensions switches or fully connected. */
static void draw_hubs(dice *d, bench *b) {
    ace_config *c = &b->config;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) {
        if (b->ring[i] == 1 || roll(d) % 4) continue;
        c->hub[i] = true;
        b->direct[i] = roll(d) % 2;
        c->algorithm[i] = (uint8_t)between(d, 1, PROGRAMS);
        if (!has_programs(b)) c->algorithm[i] = 0;
    }
}

/* Where all dimensions are rings, and all nodes take commands in one order, some benches have one
 * chunk at a time in each node. */
static void draw_exchanges(dice *d, bench *b) {
    ace_config *c = &b->config;
    bool rings = c->order == ACE_FIFO;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) rings &= !c->hub[i];
    if (!rings || roll(d) % 3) return;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++)
        if (b->ring[i] > 1) c->algorithm[i] = roll(d) % 4 ? PAIRWISE + 1 : 0;
}

/* Draws shares. Classes need nodes that agree, because they choose by the commands that are there.
 * `d` is a copy, so that the rest of a bench does not depend on these draws. */
static void draw_classes(dice d, ace_config *c) {
    (void)roll(&d);
    if (roll(&d) % 2) c->routed_rows = (uint8_t)between(&d, 1, 20);
    if (roll(&d) % 2) c->chunk_window = (uint8_t)between(&d, 1, 24);
    if (!c->agreed || roll(&d) % 3 == 0) return;
    c->class_tag = (uint16_t)between(&d, 1, 6);
    for (unsigned i = 0; i < ACE_COMMAND_CLASSES; i++)
        c->class_weight[i] = (uint8_t)between(&d, 0, 7);
}

/* Half of the benches have a format on the wire.  `d` is a copy, as for classes. */
static void draw_wire(dice d, const ace_parameters *p, ace_config *c) {
    (void)roll(&d);
    if (p->wire_formats && roll(&d) % 4) c->wire_format = (uint8_t)(roll(&d) % ACE_WIRE_FORMATS);
}

static void draw_config(soak_work *s, dice *d, bench *b) {
    ace_config *c = &b->config;
    do {
        b->nodes = 1;
        for (unsigned i = 0; i < ACE_DIMENSIONS; i++) b->ring[i] = 1;
        for (unsigned i = 0; i < s->parameters.dimensions; i++)
            b->ring[i] = (uint8_t)(roll(d) % 3 == 0   ? 1
                                   : roll(d) % 6 == 0 ? between(d, 4, RING_MAX)
                                                      : between(d, 2, 4));
        for (unsigned i = 0; i < ACE_DIMENSIONS; i++) b->nodes *= b->ring[i];
    } while (b->nodes > NODES_MAX || b->nodes < 2);
    memset(c, 0, sizeof *c);
    b->rush = roll(d) % 3 == 0;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) c->ring[i] = b->ring[i];
    for (unsigned i = 0; i < s->parameters.dimensions; i++) {
        c->algorithm[i] = roll(d) % 4 == 0 ? 1 + ONE_WAY_RING : 0;
        c->link_cost[i] = cost(b->rush       ? between(d, 200 << 8, 256 << 8)
                               : roll(d) % 3 ? between(d, 4 << 8, 256 << 8)
                                             : (4u << 8) << roll(d) % 7);
    }
    draw_hubs(d, b);
    /* Every partition holds the largest block of a chunk: its rows, and the padding of a ring. */
    const unsigned partitions = s->parameters.dimensions + 2, padding = RING_MAX - 1;
    const unsigned most = s->parameters.bank_rows / partitions;
    const unsigned longest = roll(d) % 8 ? 64 : CHUNK_ROWS_MAX;
    c->chunk_rows = (uint16_t)between(d, 1, most - padding < longest ? most - padding : longest);
    unsigned spare = s->parameters.bank_rows - partitions * (c->chunk_rows + padding);
    for (unsigned p = 0; p < partitions; p++) {
        const unsigned extra = between(d, 0, spare < 200 ? spare : 200);
        c->partition_rows[p] = (uint16_t)(c->chunk_rows + padding + extra);
        spare -= extra;
    }
    c->read_cost = cost(between(d, b->rush ? 200 << 8 : 16 << 8, 256 << 8));
    c->write_cost = cost(between(d, b->rush ? 200 << 8 : 16 << 8, 256 << 8));
    c->memory_latency = (uint16_t)between(d, 2, 300);
    c->order = roll(d) % 2 && !s->make_first ? ACE_LIFO : ACE_FIFO;
    draw_exchanges(d, b);
    draw_wire(*d, &s->parameters, c);
    for (unsigned i = 0, agrees = c->order == ACE_LIFO && roll(d) % 2; agrees && i < ACE_DIMENSIONS;
         i++)
        c->agreed = (uint8_t)(c->agreed | (b->ring[i] > 1) << i);
    draw_classes(*d, c);
    for (unsigned w = 0; w < ACE_WINDOWS; w++) c->window_after[w] = UINT32_MAX - WINDOW_ROWS + 1;
    b->stall = !b->rush && roll(d) % 2 ? between(d, 1, 40) : 0;
    if (s->upsets && roll(d) % 2)
        b->upsets = (ace_upsets){ .chance = UINT64_MAX >> between(d, 0, 8),
                                  .words = roll(d) % 2,
                                  .bounded = true,
                                  .seed = roll(d) };
}

/* Returns the bits of a frame of a bench that are flipped. */
static uint16_t disturb(void *self, const ace_flit *f) {
    const bench *b = self;
    dice d = { (f->cycle ^ (uint64_t)f->number << 40 ^ b->seed) * 0x9E3779B97F4A7C15u + 1 };
    for (unsigned i = 0; i < 4; i++) (void)roll(&d);
    if (d.s >= b->chance) return 0;
    for (;;) {
        const unsigned bit = roll(&d) % (roll(&d) % 2 ? (unsigned)ACE_BITS : (unsigned)ACE_BIT_ROW);
        if (ace_flit_has(f, bit)) return (uint16_t)(bit + 1);
    }
}

/* Draws links that flip bits: rarely, or in many frames. */
static void draw_faults(soak_work *s, dice *d, bench *b, uint32_t latency) {
    if (!s->faults || roll(d) % 4) return;
    b->config.retry = (uint16_t)(2 * latency + between(d, 40, 200));
    b->chance = UINT64_MAX / (roll(d) % 3 ? between(d, 100, 5000) : between(d, 20, 60));
    b->seed = roll(d);
}

/* Links to other nodes, but not to a switch, start a new epoch in a third of the benches. This does
 * not depend on the other random numbers. */
static void draw_epoch(const bench *b, unsigned node, ace_config *c) {
    if ((b->pair_at + c->chunk_rows) % 3) return;
    c->epoch = (uint16_t)(1 + (node + 257u * c->memory_latency) % UINT16_MAX); /* any but 0 */
    for (unsigned l = 0; l < ACE_LINKS; l++)
        c->epoch_links |= (uint8_t)((b->ring[l / 2] > 1 && !c->hub[l / 2]) << l);
    if (c->memory_latency % 2) c->silence = SILENCE;
}

/* Makes two hubs for each group of nodes along a dimension with hubs, or one for direct links, as
 * fabric_make.c does. */
static int make_hubs(const soak_work *s, bench *b) {
    for (unsigned l = 0, stride = 1; l < ACE_LINKS; stride *= l & 1 ? b->ring[l / 2] : 1, l++)
        for (unsigned i = 0; i < b->nodes; i++) {
            const unsigned members = b->ring[l / 2];
            const hub_setup setup = { .members = members,
                                      .simulated = members,
                                      .direct = b->direct[l / 2],
                                      .payload = true,
                                      .node = i,
                                      .link = l,
                                      .cost = b->config.link_cost[l / 2],
                                      .input_rows = s->parameters.link_input_rows,
                                      .router_rows = s->parameters.router_input_rows,
                                      /* A few rows, independent of the other random numbers. */
                                      .buffer_rows = (unsigned)(b->pair_at + b->nodes) % 3 *
                                                     (1 + b->config.memory_latency % 5),
                                      .retry = b->config.retry };
            if (!b->config.hub[l / 2] || i / stride % members || (setup.direct && l & 1)) continue;
            hub *h = b->hub[b->hubs++] = hub_create(&setup);
            if (!h) return ACE_ENOMEM;
            for (unsigned port = 0; port < members << setup.direct; port++) {
                const unsigned rank = port >> setup.direct, node = i + rank * stride;
                const unsigned on = l + (setup.direct ? port & 1 : 0);

                hub_connect(h, port, node, rank, b->wire[node][on], b->from_hub[node][on]);
            }
        }
    return ACE_OK;
}

static void destroy_hubs(bench *b) {
    while (b->hubs) hub_destroy(b->hub[--b->hubs]);
}

static ace_wire *make_wire(bench *b, uint32_t latency) {
    ace_wire *w = ace_wire_create(latency, WINDOW, true);
    if (w && b->chance) ace_wire_set_disturb(w, disturb, b);
    return w;
}

static int build(soak_work *s, dice *d, bench *b) {
    b->pair_at = roll(d) % b->nodes;
    const uint32_t latency = between(d, WINDOW, b->rush ? WINDOW : 120);
    draw_faults(s, d, b, latency);
    for (unsigned i = 0; i < b->nodes; i++)
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if ((b->ring[l / 2] > 1 && !(b->wire[i][l] = make_wire(b, latency))) ||
                (b->config.hub[l / 2] && !(b->from_hub[i][l] = make_wire(b, latency))))
                return ACE_ENOMEM;
    if (make_hubs(s, b) != ACE_OK) return ACE_ENOMEM;
    for (unsigned i = 0; i < b->nodes; i++) {
        ace_node_setup setup = { .parameters = s->parameters, .config = b->config };
        set_ranks(b, i, &setup.config);
        draw_epoch(b, i, &setup.config);
        for (unsigned l = 0, stride = 1; l < ACE_LINKS; stride *= l & 1 ? b->ring[l / 2] : 1, l++) {
            const unsigned n = b->ring[l / 2], from = setup.config.rank[l / 2];
            if (n < 2) continue;
            const unsigned to = (from + (l & 1 ? n - 1 : 1)) % n;
            setup.out[l] = b->wire[i][l];
            setup.in[l] = b->config.hub[l / 2] ? b->from_hub[i][l]
                                               : b->wire[i - from * stride + to * stride][l ^ 1];
        }
        if (!(b->memory[i] = setup.memory = ace_memory_create())) return ACE_ENOMEM;
        ace_core *core;
        int err = i == b->pair_at && s->make_first
                      ? s->make_first(&setup.parameters, &setup.config, 0, &core)
                      : ace_cycle_core_create(&setup.parameters, &setup.config, true, &core);
        if (!err && i == b->pair_at) {
            ace_core *second;
            err = s->make_second(&setup.parameters, &setup.config, roll(d), &second);
            if (!err)
                err = ace_lockstep_core_create(core, second, setup.parameters.dimensions, &core);
            if (!err) ace_lockstep_watch(core, s->watch);
            b->pair = core;
        }
        if (!err) err = ace_driver_create(core, &setup, &b->node[i]);
        if (err) return err;
        ace_driver_stall(b->node[i], b->stall, s->seed);
        if (i == b->pair_at) ace_driver_upset(b->node[i], &b->upsets);
        if (i == b->pair_at && s->upsets && !s->make_first && roll(d) % 8 == 0) {
            const uint64_t row = between(d, 0, roll(d) % 2 ? 40 : 3000);
            const bool read = roll(d) % 2;
            ace_driver_fail(b->node[i], read ? row : UINT64_MAX, read ? UINT64_MAX : row,
                            roll(d) % 2 ? ACE_SLVERR : ACE_DECERR);
        }
    }
    return ACE_OK;
}

static void tear_down(bench *b) {
    for (unsigned i = 0; i < b->nodes; i++) {
        ace_node_destroy(b->node[i]);
        ace_memory_destroy(b->memory[i]);
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            ace_wire_destroy(b->wire[i][l]);
            ace_wire_destroy(b->from_hub[i][l]);
        }
    }
    destroy_hubs(b);
}

/* Draws an element that adds without special cases, or any bit pattern if `wild`. */
static uint32_t draw_word(dice *d, bool wild) {
    /* Zeros, ones and their negatives: in the wider formats, sums cancel. */
    static const uint32_t plain[] = {
        0, 0x80008000, 0x3f800000, 0xbf800000, 0x3c003c00, 0xbc00bc00
    };
    if (roll(d) % 4 == 0) return plain[roll(d) % 6];
    return wild ? roll(d) ^ roll(d) << 13 : (roll(d) & 0x0fff0fff) | 0x3c003c00;
}

static int check_values(soak_work *s, const bench *b, const ace_command *c,
                        uint8_t *const before[]) {
    uint8_t *want[NODES_MAX];
    int err = ACE_OK;
    uint8_t *got = malloc(c->bytes + 1);
    for (unsigned i = 0; i < b->nodes; i++) {
        want[i] = malloc(c->bytes + 1);
        memcpy(want[i], before[i], c->bytes);
    }
    ace_reference_collective(c, &b->config, (const uint8_t *const *)before, want);
    for (unsigned i = 0; i < b->nodes && !err; i++) {
        ace_memory_read(b->memory[i], c->destination, got, c->bytes);
        for (uint64_t k = 0; k < c->bytes && !err; k++)
            if (got[k] != want[i][k]) {
                snprintf(s->difference, sizeof s->difference,
                         "node %u, kind %d type %d op %d, byte %" PRIu64 " of %" PRIu64
                         ": %#x, the reference has %#x",
                         i, (int)c->kind, (int)c->type, (int)c->op, k, c->bytes, got[k],
                         want[i][k]);
                err = ACE_EPROTO;
            }
    }
    for (unsigned i = 0; i < b->nodes; i++) free(want[i]);
    free(got);
    return err;
}

/* Draws a kind of collective except a list, which is made by composed kinds. Only the first three
 * run in FSMs. */
static ace_kind draw_kind(dice *d) {
    if (roll(d) % 4 == 0) return (ace_kind)(roll(d) % ACE_ALL_TO_ALL);
    const uint32_t kind = roll(d) % ACE_ALL_TO_ALL_V;
    return kind == ACE_LIST ? ACE_ALL_TO_ALL_V : (ace_kind)kind;
}

/* Returns whether the collective may write to the destination while the source is read. */
static bool in_place(const ace_command *c) {
    return c->kind < ACE_ALL_TO_ALL || c->kind == ACE_BROADCAST || c->kind == ACE_REDUCE;
}

/* Draws the bytes of a vector, at most `most`. It may be any number, a few elements, or a size near
 * the end of a row, of 64 elements, of a chunk, or of a row of each member. */
static uint64_t draw_bytes(dice *d, const bench *b, const ace_command *c, uint32_t most) {
    const uint32_t element = ace_type_bytes(c->type);
    const uint32_t units[] = { ACE_ROW_BYTES, 64 * element,
                               (uint32_t)b->config.chunk_rows * ACE_ROW_BYTES,
                               (uint32_t)ace_plan_members(c, &b->config) * ACE_ROW_BYTES };
    const uint32_t unit = units[roll(d) % 4], step = roll(d) % 2 ? element : 1;
    const uint32_t any = roll(d) % 8 && !b->rush ? 40000 : 400000;
    switch (roll(d) % 8) {
    case 0: return between(d, 1, 600);
    case 1: return element * (2 * between(d, 0, 75) + 1);
    case 2:
    case 3:
    case 4:
        if (unit < most) {
            const uint64_t end = unit * between(d, 1, most / unit < 40 ? most / unit : 40);
            return end - step + step * between(d, 0, 2);
        }
    /* fall through */
    default: return between(d, 1, any < most ? any : most);
    }
}

/* Returns whether the result is independent of the order in which chunks go round the rings. */
static bool any_order(const ace_command *c) {
    if (c->kind != ACE_ALL_REDUCE && c->kind != ACE_REDUCE_SCATTER && c->kind != ACE_REDUCE)
        return true;
    return c->type == ACE_INT8 || c->type == ACE_INT32 || c->op == ACE_MINIMUM ||
           c->op == ACE_MAXIMUM;
}

/* Draws roots, peers and counts. The counts of an all-to-all-v add up to the vector at most. */
static void draw_parts(dice *d, const ace_config *cfg, ace_command *c, uint64_t *counts) {
    const uint32_t members = (uint32_t)ace_plan_members(c, cfg);
    const uint32_t most = (uint32_t)(c->bytes / ACE_ROW_BYTES / members * ACE_ROW_BYTES);
    c->root = (uint16_t)(roll(d) % members);
    c->peer = (uint16_t)(c->kind == ACE_SEND ? roll(d) % members : 0);
    if ((c->kind == ACE_SEND && roll(d) % 4 == 0) || c->kind == ACE_BARRIER) c->bytes = 0;
    if (c->kind != ACE_ALL_TO_ALL_V) return;
    for (uint32_t i = 0; i < members * members; i++)
        counts[i] = roll(d) % 3 && most ? between(d, 0, most) : 0;
    c->counts = counts;
}

/* ---- a run ------------------------------------------------------------------------------- */

/* The work of a bench, and its progress. */
typedef struct run {
    unsigned commands;
    ace_command list[COMMANDS_MAX];
    uint64_t counts[COMMANDS_MAX][NODES_MAX * NODES_MAX]; /* of all-to-all-vs */
    /* The initial vectors of collectives that are checked by value: a single one, and of several
     * each whose result does not depend on the order of chunks. All others are checked only pin by
     * pin. */
    uint8_t *before[COMMANDS_MAX][NODES_MAX];
    uint64_t reset_at; /* UINT64_MAX: never */
    uint64_t now;
    unsigned done; /* completions */
    unsigned lost; /* windows since a row was lost */
    bool resetting;
    ace_counts was; /* the pair's counts before this window, if coverage is counted */
} run;

static int fails(soak_work *s, const char *how, ...) __attribute__((format(printf, 2, 3)));
static int fails(soak_work *s, const char *how, ...) {
    va_list values;

    va_start(values, how);
    vsnprintf(s->difference, sizeof s->difference, how, values);
    va_end(values);
    return ACE_EPROTO;
}

/* Draws one of the bits that are set. */
static unsigned draw_bit(dice *d, unsigned bits, unsigned count) {
    unsigned drawn;

    do drawn = roll(d) % count;
    while (!(bits >> drawn & 1));
    return drawn;
}

static ace_command draw_command(const soak_work *s, dice *d, const bench *b, run *r, unsigned k) {
    const unsigned dimensions = s->parameters.dimensions;
    /* With a format on the wire all reductions are of FP32, without averages and products. */
    const bool wire = b->config.wire_format != ACE_WIRE_NONE;
    const unsigned types = wire ? 1u << ACE_FP32 : s->parameters.alu_types;
    const unsigned ops =
        wire ? 1u << ACE_SUM | 1u << ACE_MINIMUM | 1u << ACE_MAXIMUM : s->parameters.alu_ops;
    uint8_t dims[ACE_DIMENSIONS] = { 0, 1, 2, 3 };
    ace_command c = { .kind = draw_kind(d),
                      .type = (ace_type)draw_bit(d, types, ACE_TYPES),
                      .op = (ace_op)draw_bit(d, ops & s->parameters.alu_ops, ACE_OPS),
                      .tag = (uint16_t)k };

    for (unsigned i = dimensions - 1; i > 0; i--) {
        const unsigned j = roll(d) % (i + 1);
        const uint8_t t = dims[i];
        dims[i] = dims[j];
        dims[j] = t;
    }
    const bool everywhere = r->commands == 1 || roll(d) % 2;
    c.dim_count = (uint8_t)(everywhere ? dimensions : between(d, 0, dimensions));
    memcpy(c.dims, dims, dimensions);
    /* An engine that waits for a slow link, or for tiny chunks, soon shows nothing new. */
    uint64_t most = 48ull * b->config.chunk_rows * ACE_ROW_BYTES;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++)
        if (b->ring[i] > 1 && ACE_ROW_BYTES * ACE_COST_ONE / b->config.link_cost[i] * 2000 < most)
            most = ACE_ROW_BYTES * ACE_COST_ONE / b->config.link_cost[i] * 2000;
    c.bytes = draw_bytes(d, b, &c, (uint32_t)most);
    if (ace_composed(&c)) draw_parts(d, &b->config, &c, r->counts[k]);
    c.source = (uint64_t)k << 20;
    c.destination = roll(d) % 2 && in_place(&c) ? c.source : c.source + (64u << 20);
    return c;
}

/* Does the reference know the result?  A format of the wire rounds, so that the order of chunks
 * matters, and the all-gather of a broadcast rounds what the reference copies. */
static bool has_reference(const bench *b, const run *r, const ace_command *c) {
    if (b->config.wire_format) return r->commands == 1 && c->kind != ACE_BROADCAST;
    return r->commands == 1 || any_order(c);
}

/* Gives the vectors of command k and the command to all nodes. They get it in cycle `at`, or with
 * the agreed order at different cycles. */
static int submit(dice *d, bench *b, run *r, unsigned k, bool wild, uint64_t at) {
    const ace_command *c = &r->list[k];
    uint32_t *data = malloc(c->bytes + 4);
    int err = data ? ACE_OK : ACE_ENOMEM;

    for (unsigned i = 0; i < b->nodes && !err; i++) {
        for (uint64_t w = 0; 4 * w < c->bytes; w++) data[w] = draw_word(d, wild);
        err = ace_memory_write(b->memory[i], c->source, data, c->bytes);
        if (!err) err = ace_memory_write(b->memory[i], c->destination, data, c->bytes);
        if (!err && has_reference(b, r, c)) {
            r->before[k][i] = malloc(c->bytes + 1);
            if (r->before[k][i])
                memcpy(r->before[k][i], data, c->bytes);
            else
                err = ACE_ENOMEM;
        }
        if (b->config.agreed && roll(d) % 2) b->late[i] += between(d, 0, 3000);
        if (!err) err = ace_node_submit(b->node[i], c, at + b->late[i]);
    }
    free(data);
    return err;
}

static int draw_run(soak_work *s, dice *d, bench *b, run *r) {
    uint64_t at = 0;
    int err = ACE_OK;

    r->commands = roll(d) % 3 == 0 ? 1 : between(d, 2, COMMANDS_MAX);
    const bool wild = roll(d) % 2;
    for (unsigned k = 0; k < r->commands && !err; k++) {
        r->list[k] = draw_command(s, d, b, r, k);
        at += roll(d) % 3 == 0 ? between(d, 0, 4000) : 0;
        err = submit(d, b, r, k, wild, at);
    }
    r->reset_at = r->commands > 1 && roll(d) % 2 == 0 ? between(d, 100, 8000) : UINT64_MAX;
    if (err) (void)fails(s, "cannot begin: %s", ace_strerror(err));
    return err;
}

/* Resets all nodes and links at once, and then runs one more collective. */
static int reset(soak_work *s, bench *b, run *r) {
    int err;

    r->resetting = true;
    s->resets++;
    for (unsigned i = 0; i < b->nodes; i++) {
        ace_driver_reset(b->node[i]);
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            if (b->wire[i][l]) ace_wire_reset(b->wire[i][l]);
            if (b->from_hub[i][l]) ace_wire_reset(b->from_hub[i][l]);
        }
    }
    destroy_hubs(b);
    err = make_hubs(s, b);
    r->done = b->nodes * (r->commands - 1);
    for (unsigned i = 0; i < b->nodes && !err; i++)
        err = ace_node_submit(b->node[i], &r->list[0], r->now);
    return err ? fails(s, "cannot go on after a reset: %s", ace_strerror(err)) : ACE_OK;
}

/* Counts which units have worked since the previous window when the pair first reports a fault. */
static void cover_fault(const soak_work *s, const bench *b, const run *r, int error) {
    const unsigned fault = error == ACE_ESCRATCHPAD ? COVER_LOST
                           : error == ACE_EMEMORY   ? COVER_MEMORY
                                                    : COVER_PARITY;
    ace_counts now;

    b->pair->class_->counts(b->pair, now);
    for (unsigned u = 0; u < ACE_UNITS; u++)
        if (now[u][0] != r->was[u][0]) soak_cover_met(s->cover, CROSS_FAULT_UNIT, fault, u);
}

/* Runs all nodes and hubs to r->now. */
static int run_window(soak_work *s, bench *b, run *r) {
    int err = ACE_OK;

    if (s->cover && !r->lost) b->pair->class_->counts(b->pair, r->was);
    for (unsigned i = 0; i < b->nodes; i++) {
        ace_completion c;
        ace_node_run(b->node[i], r->now);
        while (ace_node_completion(b->node[i], &c)) r->done++;
        const int e = ace_node_error(b->node[i]);
        if ((e == ACE_ESCRATCHPAD || e == ACE_EMEMORY || e == ACE_EPARITY) && i == b->pair_at) {
            if (!r->lost++ && s->cover) cover_fault(s, b, r, e);
        } else if (e)
            err = fails(s, "cycle %" PRIu64 ", node %u: %s", r->now, i, ace_strerror(e));
    }
    for (unsigned i = 0; i < b->hubs; i++) {
        hub_run(b->hub[i], r->now);
        if (!err && hub_error(b->hub[i]) != ACE_OK)
            err = fails(s, "cycle %" PRIu64 ": a hub's link", r->now);
    }
    return err;
}

static int run_to_end(soak_work *s, bench *b, run *r) {
    const unsigned all = b->nodes * r->commands;
    int err = ACE_OK;

    while (!err && r->done < all && r->lost < AFTERMATH && !ace_lockstep_difference(b->pair)) {
        r->now += WINDOW;
        err = run_window(s, b, r);
        if (!err && r->now >= r->reset_at && !r->resetting) err = reset(s, b, r);
        if (!err && r->now > 4000000)
            err = fails(s, "a hang: %u of %u completions by cycle %" PRIu64, r->done, all, r->now);
    }
    return err;
}

/* Checks pins, counters and values. */
static int judge(soak_work *s, bench *b, run *r, int err) {
    if (ace_lockstep_difference(b->pair)) {
        err = fails(s, "%s", ace_lockstep_difference(b->pair));
        /* The watch sees the cycle of the difference, and some more. */
        if (s->watch.check) ace_node_run(b->node[b->pair_at], r->now + WINDOW);
    }
    if (!err) {
        ace_lockstep_compare_counts(b->pair);
        if (ace_lockstep_difference(b->pair))
            err = fails(s, "%s", ace_lockstep_difference(b->pair));
    }
    for (unsigned k = 0; k < r->commands && !err && !r->resetting && !r->lost; k++)
        if (r->before[k][0]) err = check_values(s, b, &r->list[k], r->before[k]);
    return err;
}

static void report_failure(const soak_work *s, const bench *b, const run *r) {
    for (unsigned i = 0; i < s->parameters.dimensions; i++)
        fprintf(s->log, "%u on a %s, algorithm %u; ", b->ring[i],
                !b->config.hub[i] ? "ring"
                : b->direct[i]    ? "fully connected group"
                                  : "switch",
                b->config.algorithm[i]);
    fprintf(s->log, "%s, chunk %u rows, memory stalls %u %%, reset at %" PRIu64 "\n",
            b->config.agreed              ? "LIFO agreed on"
            : b->config.order == ACE_LIFO ? "LIFO"
                                          : "FIFO",
            b->config.chunk_rows, b->stall, r->reset_at);
    for (unsigned k = 0; k < r->commands; k++) {
        const ace_command *c = &r->list[k];
        fprintf(s->log,
                "collective %u: kind %d type %d op %d, %u dimensions %u%u%u%u, %" PRIu64
                " bytes, root %u, peer %u\n",
                k, (int)c->kind, (int)c->type, (int)c->op, c->dim_count, c->dims[0], c->dims[1],
                c->dims[2], c->dims[3], c->bytes, c->root, c->peer);
    }
    ace_node_dump(b->node[b->pair_at], s->log);
}

/* Returns where a vector ends, as a column of CROSS_KIND_END. */
static unsigned end_of(const bench *b, const ace_command *c) {
    const uint64_t members = ace_plan_members(c, &b->config);

    return c->bytes % ACE_ROW_BYTES               ? COVER_WITHIN
           : c->bytes % (ACE_ROW_BYTES * members) ? COVER_ROW
                                                  : COVER_MEMBERS;
}

/* Counts what a run has met, except its faults. */
static void cover(const soak_work *s, const bench *b, const run *r) {
    const ace_pins_out *out = b->pair->class_->out(b->pair);
    soak_cover *to = s->cover;
    ace_counts now;

    if (s->parameters.dimensions > to->dimensions) to->dimensions = s->parameters.dimensions;
    b->pair->class_->counts(b->pair, now);
    for (unsigned u = 0; u < ACE_UNITS; u++)
        for (unsigned c = 0; c < ACE_CLASSES; c++)
            if (now[u][c]) soak_cover_met(to, CROSS_UNIT_CYCLE, u, c);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        for (unsigned c = 0; c < ACE_LINK_COUNTS; c++)
            if (out->link_count[l][c]) soak_cover_met(to, CROSS_LINK_RETRY, l, c);
    for (unsigned d = 0; d < s->parameters.dimensions; d++)
        if (b->ring[d] > 1)
            soak_cover_met(to, CROSS_WIRING_MEMBERS,
                           !b->config.hub[d] ? COVER_RING
                           : b->direct[d]    ? COVER_DIRECT
                                             : COVER_SWITCH,
                           b->ring[d]);
    for (unsigned k = 0; k < r->commands; k++) {
        const ace_command *c = &r->list[k];

        soak_cover_met(to, CROSS_KIND_TYPE, c->kind, c->type);
        soak_cover_met(to, CROSS_KIND_DIMS, c->kind, c->dim_count);
        if (c->kind == ACE_ALL_REDUCE) soak_cover_met(to, CROSS_OP_TYPE, c->op, c->type);
        if (c->bytes) soak_cover_met(to, CROSS_KIND_END, c->kind, end_of(b, c));
        soak_cover_met(to, CROSS_END_KIND,
                       r->lost        ? COVER_END_LOST
                       : r->resetting ? COVER_RESET
                                      : COVER_END_WELL,
                       c->kind);
    }
}

static void count(soak_work *s, const bench *b, const run *r) {
    const ace_pins_out *out = b->pair->class_->out(b->pair);

    for (unsigned l = 0; l < ACE_LINKS; l++) s->resent += out->link_count[l][0];
    s->differs = ace_lockstep_cycle(b->pair);
    s->busy_cycles += ace_lockstep_busy(b->pair);
    s->corrected += out->count_corrected;
    s->lost += r->lost != 0;
    s->runs++;
    s->runs_on_hubs += b->hubs != 0;
    s->runs_agreed += b->config.agreed != 0;
    s->collectives += r->commands;
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (b->wire[b->pair_at][l]) s->packets += ace_wire_packets(b->wire[b->pair_at][l]);
}

static int one_run(soak_work *s, dice *d) {
    bench b = { 0 };
    run r = { .now = 0 };
    int err;

    draw_config(s, d, &b);
    err = build(s, d, &b);
    if (err) {
        (void)fails(s, "cannot build: %s", ace_strerror(err));
        tear_down(&b);
        return err;
    }
    err = draw_run(s, d, &b, &r);
    if (!err) err = judge(s, &b, &r, run_to_end(s, &b, &r));
    if (err && s->log) report_failure(s, &b, &r);
    count(s, &b, &r);
    if (s->cover && !err) cover(s, &b, &r);
    for (unsigned k = 0; k < r.commands; k++)
        for (unsigned i = 0; i < b.nodes; i++) free(r.before[k][i]);
    tear_down(&b);
    return err;
}

int soak_run(soak_work *s) {
    dice d = { s->seed * 0x9E3779B97F4A7C15u + 1 };
    s->difference[0] = 0;
    if (s->dice) d.s = s->dice;
    while (s->busy_cycles < s->cycles) {
        s->began = d.s;
        const int err = one_run(s, &d);
        if (err) return err;
    }
    return ACE_OK;
}
