/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_lockstep.h"

#include "ace_link_crc.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct ace_pair {
    ace_core base;
    ace_core *first, *second;
    unsigned dimensions;
    uint64_t cycle, busy;
    uint64_t differs; /* cycle of the difference */
    ace_watch watch;
    char difference[192];
    ace_core_class class_;
} ace_pair;

static ace_pair *self(ace_core *c) { return (ace_pair *)c; }

static void differ(ace_pair *p, const char *pin, unsigned link, uint64_t a, uint64_t b) {
    if (!p->difference[0]) {
        p->differs = p->cycle;
        snprintf(p->difference, sizeof p->difference,
                 "cycle %" PRIu64 ", pin %s[%u]: %s %#" PRIx64 ", %s %#" PRIx64, p->cycle, pin,
                 link, p->first->class_->rung, a, p->second->class_->rung, b);
    }
}

static void compare_rows(ace_pair *p, const char *pin, unsigned link, const uint32_t *a,
                         const uint32_t *b) {
    if (a && b)
        for (unsigned i = 0; i < ACE_ROW_WORDS; i++)
            if (a[i] != b[i]) {
                differ(p, pin, link * ACE_ROW_WORDS + i, a[i], b[i]);
                return;
            }
}

#define SAME(pin)                                                 \
    do {                                                          \
        if (a->pin != b->pin) differ(p, #pin, 0, a->pin, b->pin); \
    } while (0)

/* The CRC on a link in this cycle: as the core has it, or of what it sends. */
static uint32_t crc_of(const ace_pins_out *o, unsigned l) {
    if (o->has_crc) return o->tx_crc[l];
    const uint64_t bytes =
        o->tx[l].context | (uint64_t)o->tx[l].mark << 8 | (uint64_t)o->tx_grant[l].context << 16 |
        (uint64_t)o->tx_grant[l].mark << 24 | (uint64_t)o->tx_grant_peer[l] << 32;
    const uint8_t sets[] = { o->tx_valid,
                             o->tx_reduce,
                             o->tx_credit,
                             o->tx_grant_valid,
                             o->tx_routed,
                             o->tx_routed_credit,
                             0,
                             o->tx_ask };
    ace_frame f = { .head = bytes << 8,
                    .route = o->tx_route[l],
                    .number = o->tx_number[l],
                    .ack = o->tx_ack[l],
                    .row = o->tx_data[l] };
    for (unsigned i = 0; i < sizeof sets; i++) f.head |= (uint64_t)(sets[i] >> l & 1) << i;
    return ace_frame_crc(&f);
}

static void compare_frames(ace_pair *p, unsigned l, const ace_pins_out *a, const ace_pins_out *b) {
    if (a->tx_number[l] != b->tx_number[l])
        differ(p, "tx_number", l, a->tx_number[l], b->tx_number[l]);
    if (a->tx_ack[l] != b->tx_ack[l]) differ(p, "tx_ack", l, a->tx_ack[l], b->tx_ack[l]);
    if (a->has_crc != b->has_crc && crc_of(a, l) != crc_of(b, l))
        differ(p, "tx_crc", l, crc_of(a, l), crc_of(b, l));
    if (a->tx_grant_valid >> l & 1) {
        if (a->tx_grant[l].context != b->tx_grant[l].context)
            differ(p, "tx_grant_context", l, a->tx_grant[l].context, b->tx_grant[l].context);
        if (a->tx_grant[l].mark != b->tx_grant[l].mark)
            differ(p, "tx_grant_mark", l, a->tx_grant[l].mark, b->tx_grant[l].mark);
        if (a->tx_grant_peer[l] != b->tx_grant_peer[l])
            differ(p, "tx_grant_peer", l, a->tx_grant_peer[l], b->tx_grant_peer[l]);
    }
}

static const ace_pins_out *pair_out(ace_core *core) {
    ace_pair *p = self(core);
    const ace_pins_out *a = p->first->class_->out(p->first), *b = p->second->class_->out(p->second);
    if (p->difference[0]) return a;
    SAME(cmd_ready);
    SAME(done_valid);
    SAME(tx_valid);
    SAME(tx_credit);
    SAME(tx_grant_valid);
    SAME(tx_routed);
    SAME(tx_routed_credit);
    SAME(tx_frame);
    SAME(tx_ask);
    SAME(link_failed);
    SAME(ar_valid);
    SAME(r_ready);
    SAME(aw_valid);
    SAME(w_valid);
    SAME(b_ready);
    SAME(idle);
    SAME(mismatch);
    SAME(read_failed);
    SAME(write_failed);
    SAME(scratchpad_failed);
    SAME(count_corrected);
    SAME(count_failed);
    if (p->difference[0]) return a;
    if (a->done_valid) SAME(done_tag);
    if (a->read_failed) {
        SAME(read_failed_resp);
        SAME(read_failed_addr);
    }
    if (a->write_failed) {
        SAME(write_failed_resp);
        SAME(write_failed_addr);
    }
    if (a->scratchpad_failed) {
        SAME(scratchpad_failed_bank);
        SAME(scratchpad_failed_row);
    }
    if (a->ar_valid) {
        SAME(ar_addr);
        SAME(ar_len);
    }
    if (a->aw_valid) {
        SAME(aw_addr);
        SAME(aw_len);
    }
    if (a->w_valid) {
        SAME(w_last);
        SAME(w_bytes);
        compare_rows(p, "w_data", 0, a->w_data, b->w_data);
    }
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (a->tx_frame >> l & 1) compare_frames(p, l, a, b);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (a->tx_valid >> l & 1) {
            if ((a->tx_reduce ^ b->tx_reduce) >> l & 1)
                differ(p, "tx_reduce", l, a->tx_reduce >> l & 1, b->tx_reduce >> l & 1);
            if (a->tx[l].context != b->tx[l].context)
                differ(p, "tx_context", l, a->tx[l].context, b->tx[l].context);
            if (a->tx[l].mark != b->tx[l].mark)
                differ(p, "tx_mark", l, a->tx[l].mark, b->tx[l].mark);
            if (a->tx_route[l] != b->tx_route[l])
                differ(p, "tx_route", l, a->tx_route[l], b->tx_route[l]);
            compare_rows(p, "tx_data", l, a->tx_data[l], b->tx_data[l]);
        }
    return a;
}

static void compare_counts(ace_pair *p) {
#define NAME(unit) unit,
    static const char *const units[] = { ACE_UNIT_MAP(NAME) };
#undef NAME
    ace_counts a, b;
    p->first->class_->counts(p->first, a);
    p->second->class_->counts(p->second, b);
    /* every unit counts every cycle in one class, so all units count alike */
    for (unsigned u = 1; u < ACE_UNITS; u++) {
        if (!ace_unit_is_there(u, p->dimensions)) continue;
        uint64_t first = 0, sum = 0;
        for (unsigned c = 0; c < ACE_CLASSES; c++) first += a[0][c], sum += a[u][c];
        if (first != sum) differ(p, units[u], ACE_CLASSES, sum, first);
    }
    const ace_pins_out *o = p->first->class_->out(p->first), *q = p->second->class_->out(p->second);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        for (unsigned i = 0; i < ACE_LINK_COUNTS; i++)
            if (o->link_count[l][i] != q->link_count[l][i])
                differ(p, "link_count", l * ACE_LINK_COUNTS + i, o->link_count[l][i],
                       q->link_count[l][i]);
    for (unsigned u = 0; u < ACE_UNITS; u++)
        for (unsigned c = 0; c < ACE_CLASSES; c++)
            if (a[u][c] != b[u][c]) differ(p, units[u], c, a[u][c], b[u][c]);
}

static void pair_tick(ace_core *core, const ace_pins_in *in) {
    ace_pair *p = self(core);
    if (p->watch.look) p->watch.look(p->watch.self, p->cycle, p->first, p->second, in);
    p->first->class_->tick(p->first, in);
    p->second->class_->tick(p->second, in);
    p->cycle++;
    p->busy++;
    if (p->cycle % 1024 == 0) /* the count pins; they keep what a shorter distance would show */
        compare_counts(p);
}

static void pair_skip(ace_core *core, uint64_t cycles) {
    ace_pair *p = self(core);
    p->first->class_->skip(p->first, cycles);
    p->second->class_->skip(p->second, cycles);
    p->cycle += cycles;
}

static void pair_time(ace_core *core, uint64_t cycle) {
    ace_pair *p = self(core);
    if (p->first->class_->time) p->first->class_->time(p->first, cycle);
    if (p->second->class_->time) p->second->class_->time(p->second, cycle);
    p->cycle = cycle;
}

static void pair_reset(ace_core *core) {
    ace_pair *p = self(core);
    p->first->class_->reset(p->first);
    p->second->class_->reset(p->second);
}

static void pair_destroy(ace_core *core) {
    ace_pair *p = self(core);
    p->first->class_->destroy(p->first);
    p->second->class_->destroy(p->second);
    free(p);
}

static void pair_counts(const ace_core *core, ace_counts c) {
    const ace_pair *p = (const ace_pair *)core;
    p->first->class_->counts(p->first, c);
}

static void pair_dump(const ace_core *core, FILE *to) {
    const ace_pair *p = (const ace_pair *)core;
    p->first->class_->dump(p->first, to);
    p->second->class_->dump(p->second, to);
}

int ace_lockstep_core_create(ace_core *first, ace_core *second, unsigned dimensions,
                             ace_core **core) {
    ace_pair *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    p->class_ = (ace_core_class){ .rung = "lockstep",
                                  .destroy = pair_destroy,
                                  .reset = pair_reset,
                                  .out = pair_out,
                                  .tick = pair_tick,
                                  .skip = pair_skip,
                                  .counts = pair_counts,
                                  .dump = pair_dump,
                                  .time = pair_time };
    p->base.class_ = &p->class_;
    p->first = first;
    p->second = second;
    p->dimensions = dimensions;
    *core = &p->base;
    return ACE_OK;
}

const char *ace_lockstep_difference(const ace_core *core) {
    const ace_pair *p = (const ace_pair *)core;
    return p->difference[0] ? p->difference : NULL;
}

uint64_t ace_lockstep_cycle(const ace_core *core) {
    const ace_pair *p = (const ace_pair *)core;
    return p->difference[0] ? p->differs : p->cycle;
}

void ace_lockstep_watch(ace_core *core, ace_watch watch) { self(core)->watch = watch; }

/* ---- soak ---------------------------------------------------------------- */

/* The same numbers on every machine. */
typedef struct ace_dice {
    uint64_t s;
} ace_dice;
static uint32_t roll(ace_dice *d) {
    d->s ^= d->s << 13;
    d->s ^= d->s >> 7;
    d->s ^= d->s << 17;
    return (uint32_t)(d->s >> 16);
}
static uint32_t between(ace_dice *d, uint32_t low, uint32_t high) {
    return low + roll(d) % (high - low + 1);
}

enum { NODES_MAX = 18, RING_MAX = 9, COMMANDS_MAX = 6, WINDOW = 8 };
enum { AFTERMATH = 100 }; /* windows that go on when a row of the scratchpad is lost */

typedef struct ace_bench {
    unsigned nodes;
    uint8_t ring[ACE_DIMENSIONS];
    ace_node *node[NODES_MAX];
    ace_memory *memory[NODES_MAX];
    ace_wire *wire[NODES_MAX][ACE_LINKS];
    ace_core *pair;
    unsigned pair_at; /* any node: rank 0 alone would hide what depends on the rank */
    ace_config config;
    uint32_t stall;
    ace_upsets upsets; /* of the pair */
    uint64_t chance;   /* that a frame's bit changes on its way, / 2^64 */
    uint64_t seed;
    bool rush; /* nothing but the engine itself is in the way: every bank, pipe and port is busy */
} ace_bench;

/* Cycles that a row takes, of bytes per cycle in Q8. */
static uint32_t cost(uint32_t rate) { return ACE_ROW_BYTES * ACE_COST_ONE * 256u / rate; }

enum { ONE_WAY_RING = 1 }; /* among ace_program_names */

static void draw_config(ace_soak *s, ace_dice *d, ace_bench *b) {
    ace_config *c = &b->config;
    do {
        b->nodes = 1;
        for (unsigned i = 0; i < ACE_DIMENSIONS; i++) b->ring[i] = 1;
        for (unsigned i = 0; i < s->parameters.dimensions; i++)
            b->ring[i] = (uint8_t)(roll(d) % 3 == 0   ? 1
                                   : roll(d) % 6 == 0 ? between(d, 4, RING_MAX)
                                                      : between(d, 2, 3));
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
    /* every partition holds the largest block a chunk can make: rows, and a ring's padding */
    const unsigned partitions = s->parameters.dimensions + 2, padding = RING_MAX - 1;
    const unsigned most = s->parameters.bank_rows / partitions;
    c->chunk_rows = (uint16_t)between(d, 1, most - padding < 64 ? most - padding : 64);
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
    b->stall = !b->rush && roll(d) % 2 ? between(d, 1, 40) : 0;
    if (s->upsets && roll(d) % 2)
        b->upsets = (ace_upsets){ .chance = UINT64_MAX >> between(d, 0, 8),
                                  .words = roll(d) % 2,
                                  .bounded = true,
                                  .seed = roll(d) };
}

/* Of a bench. */
static uint16_t disturb(void *self, const ace_flit *f) {
    const ace_bench *b = self;
    ace_dice d = { (f->cycle ^ (uint64_t)f->number << 40 ^ b->seed) * 0x9E3779B97F4A7C15u + 1 };
    for (unsigned i = 0; i < 4; i++) (void)roll(&d);
    if (d.s >= b->chance) return 0;
    for (;;) {
        const unsigned bit = roll(&d) % (roll(&d) % 2 ? (unsigned)ACE_BITS : (unsigned)ACE_BIT_ROW);
        if (ace_flit_has(f, bit)) return (uint16_t)(bit + 1);
    }
}

/* Links that change bits: seldom, or a good part of the frames. */
static void draw_faults(ace_soak *s, ace_dice *d, ace_bench *b, uint32_t latency) {
    if (!s->faults || roll(d) % 4) return;
    b->config.retry = (uint16_t)(2 * latency + between(d, 40, 200));
    b->chance = UINT64_MAX / (roll(d) % 3 ? between(d, 100, 5000) : between(d, 20, 60));
    b->seed = roll(d);
}

static int build(ace_soak *s, ace_dice *d, ace_bench *b) {
    b->pair_at = roll(d) % b->nodes;
    const uint32_t latency = between(d, WINDOW, b->rush ? WINDOW : 120);
    draw_faults(s, d, b, latency);
    for (unsigned i = 0; i < b->nodes; i++)
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (b->ring[l / 2] > 1 && !(b->wire[i][l] = ace_wire_create(latency, WINDOW, true)))
                return ACE_ENOMEM;
            else if (b->wire[i][l] && b->chance)
                ace_wire_set_disturb(b->wire[i][l], disturb, b);
    for (unsigned i = 0; i < b->nodes; i++) {
        ace_node_setup setup = { .parameters = s->parameters, .config = b->config };
        for (unsigned k = 0, left = i; k < ACE_DIMENSIONS; left /= b->ring[k++])
            setup.config.rank[k] = (uint8_t)(left % b->ring[k]);
        for (unsigned l = 0, stride = 1; l < ACE_LINKS; stride *= l & 1 ? b->ring[l / 2] : 1, l++) {
            const unsigned n = b->ring[l / 2], from = setup.config.rank[l / 2];
            if (n < 2) continue;
            const unsigned to = (from + (l & 1 ? n - 1 : 1)) % n;
            setup.out[l] = b->wire[i][l];
            setup.in[l] = b->wire[i - from * stride + to * stride][l ^ 1];
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
    }
    return ACE_OK;
}

static void tear_down(ace_bench *b) {
    for (unsigned i = 0; i < b->nodes; i++) {
        ace_node_destroy(b->node[i]);
        ace_memory_destroy(b->memory[i]);
        for (unsigned l = 0; l < ACE_LINKS; l++) ace_wire_destroy(b->wire[i][l]);
    }
}

/* One element that adds without surprises, or any bit pattern at all. */
static uint32_t draw_word(ace_dice *d, bool wild) {
    /* zeros, ones and their negatives: sums that cancel, in the wider formats */
    static const uint32_t plain[] = {
        0, 0x80008000, 0x3f800000, 0xbf800000, 0x3c003c00, 0xbc00bc00
    };
    if (roll(d) % 4 == 0) return plain[roll(d) % 6];
    return wild ? roll(d) ^ roll(d) << 13 : (roll(d) & 0x0fff0fff) | 0x3c003c00;
}

static int check_values(ace_soak *s, const ace_bench *b, const ace_command *c,
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

/* Any but a list: those are made by what is composed. */
static ace_kind draw_kind(ace_dice *d) {
    const uint32_t kind = roll(d) % ACE_ALL_TO_ALL_V;
    return kind == ACE_LIST ? ACE_ALL_TO_ALL_V : (ace_kind)kind;
}

/* Others do not write to the destination while the source is read. */
static bool in_place(const ace_command *c) {
    return c->kind < ACE_ALL_TO_ALL || c->kind == ACE_BROADCAST || c->kind == ACE_REDUCE;
}

/* Bytes of a vector, `most` at most: any, few elements, or about where a row, 64 elements, a
 * chunk or a row of each member ends. */
static uint64_t draw_bytes(ace_dice *d, const ace_bench *b, const ace_command *c, uint32_t most) {
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

/* Does the result not depend on the order in which chunks go round the rings? */
static bool any_order(const ace_command *c) {
    if (c->kind != ACE_ALL_REDUCE && c->kind != ACE_REDUCE_SCATTER && c->kind != ACE_REDUCE)
        return true;
    return c->type == ACE_INT8 || c->type == ACE_INT32 || c->op == ACE_MINIMUM ||
           c->op == ACE_MAXIMUM;
}

/* Who has which part in it; the counts of an all-to-all-v come to the vector at most. */
static void draw_parts(ace_dice *d, const ace_config *cfg, ace_command *c, uint64_t *counts) {
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

static int one_run(ace_soak *s, ace_dice *d) {
    ace_bench b = { 0 };
    draw_config(s, d, &b);
    int err = build(s, d, &b);
    if (err) {
        snprintf(s->difference, sizeof s->difference, "cannot build: %s", ace_strerror(err));
        tear_down(&b);
        return err;
    }
    /* one collective alone is checked by value, and so is every one of several whose result any
     * order of chunks gives; the rest is checked pin by pin */
    const unsigned commands = roll(d) % 3 == 0 ? 1 : between(d, 2, COMMANDS_MAX);
    ace_command list[COMMANDS_MAX];
    uint64_t counts[COMMANDS_MAX][NODES_MAX * NODES_MAX]; /* of all-to-all-vs */
    uint8_t *before[COMMANDS_MAX][NODES_MAX] = { 0 };
    uint64_t at = 0;
    const bool wild = roll(d) % 2;
    for (unsigned k = 0; k < commands; k++) {
        ace_command *c = &list[k];
        *c = (ace_command){ .kind = draw_kind(d),
                            .type = (ace_type)(roll(d) % ACE_TYPES),
                            .op = (ace_op)(roll(d) % ACE_OPS),
                            .tag = (uint16_t)k };
        const unsigned dimensions = s->parameters.dimensions;
        uint8_t dims[ACE_DIMENSIONS] = { 0, 1, 2, 3 };
        if (commands == 1) memcpy(c->dims, dims, dimensions);
        for (unsigned i = dimensions - 1; i > 0; i--) {
            const unsigned j = roll(d) % (i + 1);
            const uint8_t t = dims[i];
            dims[i] = dims[j];
            dims[j] = t;
        }
        c->dim_count = (uint8_t)(commands == 1 ? dimensions : between(d, 0, dimensions));
        if (commands > 1) memcpy(c->dims, dims, dimensions);
        /* an engine that waits for a slow link, or for tiny chunks, soon shows nothing new */
        uint64_t most = 48ull * b.config.chunk_rows * ACE_ROW_BYTES;
        for (unsigned i = 0; i < ACE_DIMENSIONS; i++)
            if (b.ring[i] > 1 && ACE_ROW_BYTES * ACE_COST_ONE / b.config.link_cost[i] * 2000 < most)
                most = ACE_ROW_BYTES * ACE_COST_ONE / b.config.link_cost[i] * 2000;
        c->bytes = draw_bytes(d, &b, c, (uint32_t)most);
        if (ace_composed(c)) draw_parts(d, &b.config, c, counts[k]);
        c->source = (uint64_t)k << 20;
        c->destination = roll(d) % 2 && in_place(c) ? c->source : c->source + (64u << 20);
        at += roll(d) % 3 == 0 ? between(d, 0, 4000) : 0;
        uint32_t *words = malloc(c->bytes + 4);
        for (unsigned i = 0; i < b.nodes; i++) {
            for (uint64_t w = 0; 4 * w < c->bytes; w++) words[w] = draw_word(d, wild);
            err |= ace_memory_write(b.memory[i], c->source, words, c->bytes);
            err |= ace_memory_write(b.memory[i], c->destination, words, c->bytes);
            if (commands == 1 || any_order(c)) {
                before[k][i] = malloc(c->bytes + 1);
                memcpy(before[k][i], words, c->bytes);
            }
            err |= ace_node_submit(b.node[i], c, at);
        }
        free(words);
    }
    const uint64_t reset_at = commands > 1 && roll(d) % 2 == 0 ? between(d, 100, 8000) : UINT64_MAX;
    unsigned done = 0;
    uint64_t now = 0;
    bool resetting = false;
    unsigned lost = 0; /* windows since a row was */
    while (!err && done < b.nodes * commands && lost < AFTERMATH &&
           !ace_lockstep_difference(b.pair)) {
        now += WINDOW;
        for (unsigned i = 0; i < b.nodes; i++) {
            ace_completion c;
            ace_node_run(b.node[i], now);
            while (ace_node_completion(b.node[i], &c)) done++;
            if (ace_node_error(b.node[i]) == ACE_ESCRATCHPAD && i == b.pair_at) {
                lost++;
            } else if (ace_node_error(b.node[i])) {
                err = ACE_EPROTO;
                snprintf(s->difference, sizeof s->difference, "cycle %" PRIu64 ", node %u: %s", now,
                         i, ace_strerror(ace_node_error(b.node[i])));
            }
        }
        if (now >= reset_at &&
            !resetting) { /* all at once, links included; then one more collective */
            resetting = true;
            s->resets++;
            for (unsigned i = 0; i < b.nodes; i++) {
                ace_driver_reset(b.node[i]);
                for (unsigned l = 0; l < ACE_LINKS; l++)
                    if (b.wire[i][l]) ace_wire_reset(b.wire[i][l]);
            }
            done = b.nodes * (commands - 1);
            for (unsigned i = 0; i < b.nodes; i++) err |= ace_node_submit(b.node[i], &list[0], now);
        }
        if (now > 4000000) {
            err = ACE_EPROTO;
            snprintf(s->difference, sizeof s->difference,
                     "a hang: %u of %u completions by cycle %" PRIu64, done, b.nodes * commands,
                     now);
        }
    }
    if (ace_lockstep_difference(b.pair)) {
        snprintf(s->difference, sizeof s->difference, "%s", ace_lockstep_difference(b.pair));
        err = ACE_EPROTO;
        /* the watch sees the cycle of the difference, and some more */
        if (s->watch.look) ace_node_run(b.node[b.pair_at], now + WINDOW);
    }
    if (!err) {
        compare_counts((ace_pair *)b.pair);
        if (ace_lockstep_difference(b.pair)) {
            snprintf(s->difference, sizeof s->difference, "%s", ace_lockstep_difference(b.pair));
            err = ACE_EPROTO;
        }
    }
    for (unsigned k = 0; k < commands && !err && !resetting && !lost; k++)
        if (before[k][0]) err = check_values(s, &b, &list[k], before[k]);
    if (err && s->log) {
        fprintf(s->log,
                "torus %ux%ux%ux%u, %s, chunk %u rows, memory stalls %u %%, reset at %" PRIu64 "\n",
                b.ring[0], b.ring[1], b.ring[2], b.ring[3],
                b.config.order == ACE_LIFO ? "LIFO" : "FIFO", b.config.chunk_rows, b.stall,
                reset_at);
        for (unsigned k = 0; k < commands; k++)
            fprintf(s->log,
                    "collective %u: kind %d type %d op %d, %u dimensions %u%u%u%u, %" PRIu64
                    " bytes, root %u, peer %u\n",
                    k, (int)list[k].kind, (int)list[k].type, (int)list[k].op, list[k].dim_count,
                    list[k].dims[0], list[k].dims[1], list[k].dims[2], list[k].dims[3],
                    list[k].bytes, list[k].root, list[k].peer);
        ace_node_dump(b.node[b.pair_at], s->log);
    }
    const ace_pins_out *out = b.pair->class_->out(b.pair);
    for (unsigned l = 0; l < ACE_LINKS; l++) s->resent += out->link_count[l][0];
    s->differs = ace_lockstep_cycle(b.pair);
    s->busy_cycles += ((ace_pair *)b.pair)->busy;
    s->corrected += b.pair->class_->out(b.pair)->count_corrected;
    s->lost += lost != 0;
    s->runs++;
    s->collectives += commands;
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (b.wire[b.pair_at][l]) s->packets += ace_wire_packets(b.wire[b.pair_at][l]);
    for (unsigned k = 0; k < commands; k++)
        for (unsigned i = 0; i < b.nodes; i++) free(before[k][i]);
    tear_down(&b);
    return err;
}

int ace_soak_run(ace_soak *s) {
    ace_dice d = { s->seed * 0x9E3779B97F4A7C15u + 1 };
    s->difference[0] = 0;
    if (s->dice) d.s = s->dice;
    while (s->busy_cycles < s->cycles) {
        s->began = d.s;
        const int err = one_run(s, &d);
        if (err) return err;
    }
    return ACE_OK;
}
