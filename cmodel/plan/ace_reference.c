/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_reference.c -- the result of a collective, reduced in the order of the rings
 *
 * In a ring of n nodes, direction +, shard s starts at node s + 1 and travels to node s.  Each node
 * computes incoming partial (+) local, where (+) is the operation.  An average is a sum that is
 * divided after its last addition.  Direction - is the mirror image.  Even chunks go +, odd chunks
 * go -; the numbering of chunks continues from one command to the next.  Other programs than the
 * ring define their own order, which ace_program_run() gives.
 */
#include "ace_reference.h"

#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "ace_plan.h"
#include "ace_program.h"

typedef struct cluster {
    const ace_command *c;
    const ace_config *cfg;
    uint64_t before; /* chunks of commands before this one */
    unsigned nodes;
    unsigned stride[ACE_DIMENSIONS];
    size_t room;           /* bytes of a block, at most */
    uint8_t *block, *next; /* nodes x room; zero beyond a block's rows */
} cluster;

/* The elements of a vector, one after the other. */
static uint32_t get(const uint8_t *from, unsigned bytes) {
    uint32_t x = 0;
    for (unsigned i = 0; i < bytes; i++) x |= (uint32_t)from[i] << (8 * i);
    return x;
}
static void put(uint8_t *to, unsigned bytes, uint32_t x) {
    for (unsigned i = 0; i < bytes; i++) to[i] = (uint8_t)(x >> (8 * i));
}

static void reduce(const ace_command *c, uint8_t *partial, const uint8_t *local, size_t bytes) {
    const unsigned each = ace_type_bytes(c->type);

    for (size_t i = 0; i < bytes; i += each)
        put(partial + i, each,
            ace_reduce(c->type, c->op, get(partial + i, each), get(local + i, each)));
}

static void average(const ace_command *c, uint8_t *sum, uint64_t members, size_t bytes) {
    const unsigned each = ace_type_bytes(c->type);

    for (size_t i = 0; i < bytes; i += each)
        put(sum + i, each, ace_average(c->type, get(sum + i, each), members));
}

/* Rows that have been on a wire, or that an ALU made, have its format. */
static void on_wire(const cluster *t, uint8_t *rows, size_t bytes) {
    for (size_t at = 0; t->cfg->wire_format && at < bytes; at += ACE_ROW_BYTES) {
        uint32_t row[ACE_ROW_WORDS];
        memcpy(row, rows + at, sizeof row);
        ace_reference_wire((ace_wire_format)t->cfg->wire_format, row, ACE_ROW_WORDS);
        memcpy(rows + at, row, sizeof row);
    }
}

/* One phase on one ring; node(j) is j * stride beyond `first`.  last: no phase after it
 * reduces. */
static void ring_phase(cluster *t, const ace_phase *p, unsigned first, bool minus, bool last) {
    const unsigned n = p->ring, stride = t->stride[p->dim];
    const size_t shard = (size_t)p->shard_rows * ACE_ROW_BYTES;
    const bool reduces = p->kind != ACE_PHASE_ALL_GATHER;
    const bool gathers = p->kind != ACE_PHASE_REDUCE_SCATTER;

    for (unsigned s = 0; s < n; s++) {
        const unsigned owner = first + s * stride;
        const uint8_t *own = t->block + owner * t->room; /* all-gather: the shard of the owner */
        uint8_t *sum = t->next + owner * t->room + (gathers ? s * shard : 0);

        if (reduces) {
            for (unsigned hop = 1; hop <= n; hop++) {
                const unsigned at = minus ? (s + n - hop % n) % n : (s + hop) % n;
                const uint8_t *local = t->block + (first + at * stride) * t->room + s * shard;

                if (hop == 1)
                    memcpy(sum, local, shard);
                else
                    reduce(t->c, sum, local, shard);
                on_wire(t, sum, shard);
            }
            if (last && t->c->op == ACE_AVERAGE)
                average(t->c, sum, ace_plan_members(t->c, t->cfg), shard);
        } else {
            memcpy(sum, own, shard);
            on_wire(t, sum, shard);
        }
        if (!gathers) continue;
        for (unsigned j = 0; j < n; j++)
            if (j != s) memcpy(t->next + (first + j * stride) * t->room + s * shard, sum, shard);
    }
}

/* ---- a phase that is no ring: its program, transfer by transfer ------------- */

typedef struct performance {
    cluster *t;
    const ace_phase *p;
    unsigned first;
    bool last;
    uint8_t *sum, *leaving; /* a shard under way; the shards of a piece that is sent */
    uint32_t program[128][ACE_PROGRAM_WORDS];
} performance;

static const uint32_t *program_of(void *self, unsigned member) {
    return ((performance *)self)->program[member];
}

static uint8_t *block_of(const performance *e, bool target, unsigned member, unsigned shard) {
    const size_t bytes = (size_t)e->p->shard_rows * ACE_ROW_BYTES;
    uint8_t *blocks = target ? e->t->next : e->t->block;
    /* the target of a reduce-scatter is the own shard alone */
    if (target && e->p->kind == ACE_PHASE_REDUCE_SCATTER) shard = 0;
    return blocks + (e->first + member * e->t->stride[e->p->dim]) * e->t->room + shard * bytes;
}

/* The switch reduces members two by two, then pairs two by two, and so on (rtl/ace_hub_reducer.v).
 */
static void perform_everyone(const performance *e, const ace_transfer *x) {
    const size_t shard = (size_t)e->p->shard_rows * ACE_ROW_BYTES;
    const unsigned n = e->p->ring;

    for (unsigned s = x->shard; s < x->shard + (unsigned)x->shards; s++) {
        for (unsigned i = 0; i < n; i++)
            memcpy(block_of(e, true, i, s), block_of(e, false, i, s), shard);
        for (unsigned step = 1; step < n; step *= 2)
            for (unsigned i = 0; i + step < n; i += 2 * step)
                reduce(e->t->c, block_of(e, true, i, s), block_of(e, true, i + step, s), shard);
        for (unsigned i = 1; i < n; i++)
            memcpy(block_of(e, true, i, s), block_of(e, true, 0, s), shard);
    }
}

/* The shards of a transfer arrive, as they are in `leaving`. */
static void arrive(const performance *e, const ace_transfer *x, const uint8_t *leaving) {
    const size_t shard = (size_t)e->p->shard_rows * ACE_ROW_BYTES;

    for (unsigned s = x->shard; s < x->shard + (unsigned)x->shards; s++) {
        const uint8_t *local = block_of(e, false, x->to, s);

        memcpy(e->sum, leaving + (s - x->shard) * shard, shard);
        on_wire(e->t, e->sum, shard);
        if (x->reduce) {
            reduce(e->t->c, e->sum, local, shard);
            on_wire(e->t, e->sum, shard);
        }
        if (x->reduce && x->to_target && e->last && e->t->c->op == ACE_AVERAGE)
            average(e->t->c, e->sum, ace_plan_members(e->t->c, e->t->cfg), shard);
        memcpy(block_of(e, x->to_target, x->to, s), e->sum, shard);
    }
}

static void perform(void *self, const ace_transfer *x) {
    const performance *e = self;
    const size_t shard = (size_t)e->p->shard_rows * ACE_ROW_BYTES;

    if (x->everyone) {
        perform_everyone(e, x);
        return;
    }
    memcpy(e->leaving, block_of(e, x->from_target, x->from, x->shard), x->shards * shard);
    if (x->back) arrive(e, x->back, block_of(e, x->back->from_target, x->to, x->back->shard));
    arrive(e, x, e->leaving);
}

static int program_phase(cluster *t, const ace_phase *p, unsigned first, bool odd, bool last) {
    performance *e = malloc(sizeof *e);
    char why[200];
    int err;

    if (!e) return ACE_ENOMEM;
    e->sum = malloc((size_t)p->shard_rows * ACE_ROW_BYTES + 1);
    e->leaving = malloc((size_t)p->shard_rows * ACE_ROW_BYTES * p->ring + 1);
    err = e->sum && e->leaving ? ACE_OK : ACE_ENOMEM;
    e->t = t;
    e->p = p;
    e->first = first;
    e->last = last;
    for (unsigned i = 0; i < p->ring && !err; i++) {
        ace_config cfg = *t->cfg;

        cfg.rank[p->dim] = (uint8_t)i;
        err = ace_program_defaults(&cfg);
        memcpy(e->program[i], cfg.program, sizeof e->program[i]);
        if (cfg.program[ace_program_entry(p->kind, p->dim, odd)] >> 14 & 1) {
            memcpy(block_of(e, true, i, i), block_of(e, false, i, 0),
                   (size_t)p->shard_rows * ACE_ROW_BYTES);
            on_wire(t, block_of(e, true, i, i), (size_t)p->shard_rows * ACE_ROW_BYTES);
        }
    }
    if (!err)
        err =
            ace_program_run(program_of, perform, e, p->kind, p->dim, p->ring, odd, why, sizeof why);
    free(e->sum);
    free(e->leaving);
    free(e);
    return err;
}

/* Clears all but the first `rows` rows of every block. */
static void cut(cluster *t, size_t rows) {
    const size_t keep = rows * ACE_ROW_BYTES;

    for (unsigned i = 0; i < t->nodes && keep < t->room; i++)
        memset(t->block + i * t->room + keep, 0, t->room - keep);
}

static ace_config config_of(const cluster *t, unsigned i) {
    ace_config cfg = *t->cfg;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        cfg.rank[d] = (uint16_t)(i / t->stride[d] % cfg.ring[d]);
    return cfg;
}

/* Bytes of the vector in `rows` rows at byte `offset`. */
static size_t extent(const ace_command *c, uint64_t offset, uint32_t rows) {
    const uint64_t bytes = (uint64_t)rows * ACE_ROW_BYTES;

    if (offset >= c->bytes) return 0;
    return (size_t)(bytes < c->bytes - offset ? bytes : c->bytes - offset);
}

static int chunk(cluster *t, uint64_t k, const uint8_t *const *in, uint8_t *const *out) {
    const bool odd = (t->before + k) & 1;
    ace_chunk_plan plan = { 0 };

    memset(t->block, 0, t->nodes * t->room);
    for (unsigned i = 0; i < t->nodes; i++) {
        const ace_config cfg = config_of(t, i);
        ace_plan_chunk(t->c, &cfg, k, &plan);
        const size_t n = extent(t->c, plan.load_offset, plan.load_rows);
        if (n) memcpy(t->block + i * t->room, in[i] + plan.load_offset, n);
    }
    for (unsigned j = 0; j < ACE_CLUSTER_PHASES; j++) {
        const ace_phase *p = &plan.phase[j];
        const bool last = j + 1 == ACE_CLUSTER_PHASES || p[1].kind == ACE_PHASE_ALL_GATHER;
        size_t rows;
        uint8_t *swap;

        if (p->kind == ACE_PHASE_NONE) continue;
        memset(t->next, 0, t->nodes * t->room);
        for (unsigned i = 0; i < t->nodes; i++)
            if (i / t->stride[p->dim] % p->ring == 0) {
                const int err = ace_program_is_ring(t->cfg, p->dim)
                                    ? (ring_phase(t, p, i, odd, last), ACE_OK)
                                    : program_phase(t, p, i, odd, last);
                if (err) return err;
            }
        swap = t->block;
        t->block = t->next;
        t->next = swap;
        /* The next phase (or the memory) takes the valid part only. */
        if (p->kind == ACE_PHASE_REDUCE_SCATTER)
            rows = p->shard_rows;
        else if (j + 1 == ACE_CLUSTER_PHASES)
            rows = plan.rows;
        else if (p->kind == ACE_PHASE_ALL_REDUCE)
            rows = plan.phase[ACE_CLUSTER_PHASES - 1].shard_rows;
        else
            rows = plan.phase[j + 1].shard_rows;
        cut(t, rows);
    }
    for (unsigned i = 0; i < t->nodes; i++) {
        const ace_config cfg = config_of(t, i);
        ace_plan_chunk(t->c, &cfg, k, &plan);
        const size_t n = extent(t->c, plan.store_offset, plan.store_rows);
        if (n) memcpy(out[i] + plan.store_offset, t->block + i * t->room, n);
    }
    return ACE_OK;
}

static uint64_t padded(uint64_t bytes) {
    return (bytes + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES * ACE_ROW_BYTES;
}

static void copy(uint8_t *to, const uint8_t *from, uint64_t bytes) {
    if (bytes) memmove(to, from, bytes);
}

/* Copies the block that member i sends to member j, as MPI defines it.  in: the vector of i;
 * out: the vector of j.  A block is cut off where the vector ends; padding is not written. */
static void copy_block(const ace_command *c, uint64_t members, uint64_t block, uint64_t i,
                       uint64_t j, const uint8_t *in, uint8_t *out) {
    const uint64_t larger = i > j ? i : j;
    const uint64_t number = c->kind == ACE_SCATTER ? j : c->kind == ACE_GATHER ? i : larger;
    const uint64_t far = number * block, left = far < c->bytes ? c->bytes - far : 0;
    const uint64_t part = left < block ? left : block;
    uint64_t from = 0, to = 0;

    switch (c->kind) {
    case ACE_ALL_TO_ALL: copy(out + i * block, in + j * block, part); break;
    case ACE_ALL_TO_ALL_V:
        for (uint64_t k = 0; k < j; k++) from += padded(c->counts[i * members + k]);
        for (uint64_t k = 0; k < i; k++) to += padded(c->counts[k * members + j]);
        copy(out + to, in + from, c->counts[i * members + j]);
        break;
    case ACE_SCATTER:
        if (i == c->root) copy(out, in + j * block, part);
        break;
    case ACE_GATHER:
        if (j == c->root) copy(out + i * block, in, part);
        break;
    case ACE_SEND:
        if (i == c->root && j == c->peer) copy(out, in, c->bytes);
        break;
    case ACE_BROADCAST:
        if (i == c->root) copy(out, in, c->bytes);
        break;
    default: break;
    }
}

/* The blocks that members send each other without reduction. */
static void exchange(const ace_command *c, const ace_config *cfg, unsigned nodes,
                     const uint8_t *const *in, uint8_t *const *out) {
    const uint64_t block = ace_plan_block_rows(c, cfg) * ACE_ROW_BYTES;

    for (unsigned from = 0; from < nodes; from++)
        for (unsigned to = 0; to < nodes; to++) {
            unsigned stride = 1, members = 1, i = 0, j = 0; /* numbers of `from` and `to` */
            bool group = true;

            for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
                const unsigned a = from / stride % cfg->ring[d], b = to / stride % cfg->ring[d];

                stride *= cfg->ring[d];
                if (memchr(c->dims, (int)d, c->dim_count)) {
                    i += a * members;
                    j += b * members;
                    members *= cfg->ring[d];
                } else if (a != b) {
                    group = false;
                }
            }
            if (group) copy_block(c, ace_plan_members(c, cfg), block, i, j, in[from], out[to]);
        }
}

/* After a reduce-scatter: the root of each group has its shards. */
static void collect(const cluster *t, uint8_t *const *out) {
    const ace_command *c = t->c;

    for (unsigned root = 0; root < t->nodes; root++)
        for (unsigned from = 0; from < t->nodes; from++) {
            const ace_config at = config_of(t, root), cfg = config_of(t, from);
            uint64_t number = 0, members = 1;
            bool group = true;

            for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
                if (memchr(c->dims, (int)d, c->dim_count)) {
                    number += at.rank[d] * members;
                    members *= cfg.ring[d];
                } else if (at.rank[d] != cfg.rank[d]) {
                    group = false;
                }
            }
            if (!group || number != c->root || from == root) continue;
            for (uint64_t k = 0, chunks = ace_plan_chunks(c, &cfg); k < chunks; k++) {
                ace_chunk_plan plan;

                ace_plan_chunk(c, &cfg, k, &plan);
                copy(out[root] + plan.store_offset, out[from] + plan.store_offset,
                     extent(c, plan.store_offset, plan.store_rows));
            }
        }
}

int ace_reference_collective(const ace_command *c, const ace_config *cfg, const uint8_t *const *in,
                             uint8_t *const *out) {
    return ace_reference_after(c, cfg, 0, in, out);
}

int ace_reference_after(const ace_command *c, const ace_config *cfg, uint64_t before,
                        const uint8_t *const *in, uint8_t *const *out) {
    ace_command ring = *c;
    cluster t = { .c = &ring, .cfg = cfg, .before = before, .nodes = 1 };
    const bool reduces = c->kind == ACE_REDUCE;
    uint64_t chunks;

    if (reduces) ring.kind = ACE_REDUCE_SCATTER;
    if (!cfg->chunk_rows || (!c->bytes && !ace_composed(c)) || c->type >= ACE_TYPES ||
        c->op >= ACE_OPS || c->dim_count > ACE_DIMENSIONS)
        return ACE_EINVAL;
    t.room = cfg->chunk_rows;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        if (!cfg->ring[d]) return ACE_EINVAL;
        t.stride[d] = t.nodes;
        t.nodes *= cfg->ring[d];
        t.room += cfg->ring[d];
    }
    if (c->kind >= ACE_ALL_TO_ALL && !reduces) {
        exchange(c, cfg, t.nodes, in, out);
        return ACE_OK;
    }
    t.room *= ACE_ROW_BYTES;
    t.block = malloc(t.nodes * t.room);
    t.next = malloc(t.nodes * t.room);
    if (!t.block || !t.next) {
        free(t.block);
        free(t.next);
        return ACE_ENOMEM;
    }
    chunks = ace_plan_chunks(c, cfg);
    int err = ACE_OK;
    for (uint64_t k = 0; k < chunks && !err; k++) err = chunk(&t, k, in, out);
    if (reduces && !err) collect(&t, out);
    free(t.block);
    free(t.next);
    return err;
}
