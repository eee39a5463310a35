/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_plan.c -- how a command becomes chunks and phases
 *
 *   all-reduce      one dimension: AR d1; more: RS d1, AR d2, ..., AR dk, AG d1
 *   reduce-scatter  RS d1, ..., RS dk
 *   all-gather      AG dk, ..., AG d1
 *   all-to-all      no phases: a block to each other member
 *   others          are composed of these, and of lists: see ace_composition.h
 *
 * Dimensions of size 1 are dropped first.  A chunk of P rows has shards of S1 = ceil(P / n1) rows.
 * Each later phase of an all-reduce cuts S1 again: S2 = ceil(S1 / n2), S3 = ceil(S1 / n3).  The
 * shards of a reduce-scatter and of an all-gather nest: S2 = ceil(S1 / n2), S3 = ceil(S2 / n3) and
 * so on.  A scattered block lies at row r1 S1 + r2 S2 + ... of its chunk, where ri is the node's
 * coordinate in dimension i.  A plan counts the block's rows without padding.  The dispatcher of
 * the RTL moves the whole padded shard, and masks the bytes after m_chunk_limit.
 */
#include "ace_plan.h"

#include <string.h>

#include "ace_program.h"
#include "ace_scale.h"

static uint32_t ceil_div(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

/* The dimensions that have more than one node, in the command's order. */
static unsigned live_dims(const ace_command *c, const ace_config *cfg,
                          uint8_t dims[ACE_CLUSTER_DIMENSIONS]) {
    unsigned n = 0;

    for (unsigned i = 0; i < c->dim_count && i < ACE_CLUSTER_DIMENSIONS; i++)
        if (c->dims[i] < ACE_CLUSTER_DIMENSIONS && cfg->ring[c->dims[i]] > 1)
            dims[n++] = c->dims[i];
    return n;
}

static uint64_t rows_of(const ace_command *c) {
    return (c->bytes + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES;
}

uint64_t ace_plan_chunks(const ace_command *c, const ace_config *cfg) {
    return (rows_of(c) + cfg->chunk_rows - 1) / cfg->chunk_rows;
}

/* The phases of a chunk of `rows` rows. */
static void plan_phases(ace_kind kind, const uint8_t *dims, unsigned n, const uint16_t *ring,
                        uint32_t rows, ace_phase phase[ACE_CLUSTER_PHASES]) {
    const unsigned count = kind == ACE_ALL_REDUCE && n > 1 ? n + 1 : n;
    ace_phase *p = phase + (ACE_CLUSTER_PHASES - count);
    uint16_t shard[ACE_CLUSTER_DIMENSIONS] = { 0 };

    memset(phase, 0, ACE_CLUSTER_PHASES * sizeof *phase);
    for (unsigned i = 0; i < n; i++) {
        const uint32_t block = i == 0 ? rows : kind == ACE_ALL_REDUCE ? shard[0] : shard[i - 1];
        shard[i] = (uint16_t)ceil_div(block, ring[dims[i]]);
    }
    for (unsigned j = 0; j < count; j++) {
        unsigned i = j;
        ace_phase_kind k;

        if (kind == ACE_REDUCE_SCATTER) {
            k = ACE_PHASE_REDUCE_SCATTER;
        } else if (kind == ACE_ALL_GATHER) {
            i = n - 1 - j;
            k = ACE_PHASE_ALL_GATHER;
        } else if (j == n) {
            i = 0;
            k = ACE_PHASE_ALL_GATHER;
        } else {
            k = j == 0 && n > 1 ? ACE_PHASE_REDUCE_SCATTER : ACE_PHASE_ALL_REDUCE;
        }
        p[j] =
            (ace_phase){ .kind = k, .dim = dims[i], .ring = ring[dims[i]], .shard_rows = shard[i] };
    }
}

void ace_plan_chunk(const ace_command *c, const ace_config *cfg, uint64_t k, ace_chunk_plan *plan) {
    uint8_t dims[ACE_CLUSTER_DIMENSIONS] = { 0 };
    const unsigned n = live_dims(c, cfg, dims);
    const uint64_t first = k * cfg->chunk_rows, left = rows_of(c) - first;
    const uint32_t rows = left < cfg->chunk_rows ? (uint32_t)left : cfg->chunk_rows;
    const uint64_t base = first * ACE_ROW_BYTES;
    uint32_t offset = 0, valid = rows, block = rows;
    uint64_t scattered;

    memset(plan, 0, sizeof *plan);
    plan_phases(c->kind, dims, n, cfg->ring, rows, plan->phase);
    for (unsigned i = 0; i < n; i++) { /* this node's scattered block, without padding */
        const uint32_t shard = ceil_div(block, cfg->ring[dims[i]]);
        const uint32_t skip = cfg->rank[dims[i]] * shard;

        valid = valid > skip ? valid - skip : 0;
        valid = valid < shard ? valid : shard;
        offset += skip;
        block = shard;
    }
    scattered = base + (uint64_t)offset * ACE_ROW_BYTES;
    plan->rows = plan->load_rows = plan->store_rows = (uint16_t)rows;
    plan->load_offset = (__typeof__(plan->load_offset))base;
    plan->store_offset = (__typeof__(plan->store_offset))base;
    if (c->kind == ACE_REDUCE_SCATTER) {
        plan->store_rows = (uint16_t)valid;
        plan->store_offset = (__typeof__(plan->store_offset))scattered;
    } else if (c->kind == ACE_ALL_GATHER) {
        plan->load_rows = (uint16_t)valid;
        plan->load_offset = (__typeof__(plan->load_offset))scattered;
    }
}

uint64_t ace_plan_members(const ace_command *c, const ace_config *cfg) {
    uint8_t dims[ACE_CLUSTER_DIMENSIONS] = { 0 };
    uint64_t members = 1;

    for (unsigned n = live_dims(c, cfg, dims); n-- > 0;) members *= cfg->ring[dims[n]];
    return members;
}

uint32_t ace_plan_scale(const ace_command *c, const ace_config *cfg) {
    return ace_scale(c->type, ace_plan_members(c, cfg));
}

uint64_t ace_plan_block_rows(const ace_command *c, const ace_config *cfg) {
    const uint64_t row = ace_plan_members(c, cfg) * ACE_ROW_BYTES;

    return (c->bytes + row - 1) / row;
}

/* The hops of the even rows of a block along dimension d, summed over all members: hops[0] upwards,
 * hops[1] downwards.  Even rows for the member halfway round a ring go upwards.  Odd rows take the
 * mirrored routes: with up and down exchanged.  On a hub (a switch or full connection) each member
 * is one hop away. */
static void hops_of(const ace_config *cfg, unsigned d, uint64_t hops[2]) {
    const uint64_t up = cfg->ring[d] / 2u, down = (cfg->ring[d] - 1u) / 2u;

    hops[0] = cfg->hub[d] ? up : up * (up + 1) / 2;
    hops[1] = cfg->hub[d] ? down : down * (down + 1) / 2;
}

void ace_plan_exchange_rows(const ace_command *c, const ace_config *cfg,
                            uint64_t rows[ACE_CLUSTER_LINKS]) {
    uint8_t dims[ACE_CLUSTER_DIMENSIONS] = { 0 };
    const uint64_t members = ace_plan_members(c, cfg), block = ace_plan_block_rows(c, cfg);
    const uint64_t odd = block / 2, even = block - odd;

    memset(rows, 0, ACE_CLUSTER_LINKS * sizeof *rows);
    for (unsigned n = live_dims(c, cfg, dims); n-- > 0;) {
        const unsigned d = dims[n];
        const uint64_t pairs_per_distance = members / cfg->ring[d];
        uint64_t hops[2];

        hops_of(cfg, d, hops);
        rows[2 * d] = pairs_per_distance * (even * hops[0] + odd * hops[1]);
        rows[2 * d + 1] = pairs_per_distance * (even * hops[1] + odd * hops[0]);
    }
}

/* Shards that a node sends in a phase, of even chunks and of odd ones. */
static void shards_sent(const ace_config *cfg, const ace_phase *p, uint64_t shards[2]) {
    ace_config with_programs = *cfg;

    shards[0] = shards[1] = (p->ring - 1u) * (p->kind == ACE_PHASE_ALL_REDUCE ? 2u : 1u);
    if (!ace_program_has(cfg, p->dim) || ace_program_is_ring(cfg, p->dim) ||
        ace_program_defaults(&with_programs) != ACE_OK)
        return;
    for (unsigned odd = 0; odd < 2; odd++)
        shards[odd] = ace_program_shards(with_programs.program, p->kind, p->dim, p->ring,
                                         cfg->rank[p->dim], odd);
}

void ace_plan_bytes(const ace_command *c, const ace_config *cfg,
                    uint64_t bytes[ACE_CLUSTER_DIMENSIONS]) {
    uint8_t dims[ACE_CLUSTER_DIMENSIONS] = { 0 };
    const unsigned n = live_dims(c, cfg, dims);
    const uint64_t rows = rows_of(c);
    const uint64_t times[2] = { rows / cfg->chunk_rows, rows % cfg->chunk_rows ? 1 : 0 };
    const uint32_t size[2] = { cfg->chunk_rows, (uint32_t)(rows % cfg->chunk_rows) };

    memset(bytes, 0, ACE_CLUSTER_DIMENSIONS * sizeof *bytes);
    if (c->kind == ACE_ALL_TO_ALL) {
        uint64_t sent[ACE_CLUSTER_LINKS];

        ace_plan_exchange_rows(c, cfg, sent);
        for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) bytes[l / 2] += sent[l] * ACE_ROW_BYTES;
        return;
    }
    for (unsigned t = 0; t < 2; t++) {
        ace_phase phase[ACE_CLUSTER_PHASES];

        if (!times[t]) continue;
        plan_phases(c->kind, dims, n, cfg->ring, size[t], phase);
        for (unsigned i = 0; i < ACE_CLUSTER_PHASES; i++) {
            uint64_t shards[2];

            if (phase[i].kind == ACE_PHASE_NONE) continue;
            shards_sent(cfg, &phase[i], shards);
            /* of full chunks the first is even, and the last chunk follows them */
            const uint64_t odd = t ? times[0] % 2 : times[0] / 2;
            bytes[phase[i].dim] += ((times[t] - odd) * shards[0] + odd * shards[1]) *
                                   phase[i].shard_rows * ACE_ROW_BYTES;
        }
    }
}

/* Gives one block at a time to the partition with the lowest rows / (weight * block), as long as
 * one fits into what is left. If two are equal, the larger weight comes first. */
static void share_out(unsigned phases, uint32_t left, const uint32_t *block, const uint32_t *weight,
                      uint32_t *rows) {
    for (;;) {
        unsigned best = ACE_CLUSTER_PARTITIONS;
        uint64_t best_rows = 0, best_weighted_block = 1;

        for (unsigned i = 0; i <= phases; i++) {
            const uint64_t weighted_block = (uint64_t)weight[i] * block[i];

            if (!weight[i] || block[i] > left) continue;
            if (best < ACE_CLUSTER_PARTITIONS &&
                (rows[i] * best_weighted_block > best_rows * weighted_block ||
                 (rows[i] * best_weighted_block == best_rows * weighted_block &&
                  weight[i] <= weight[best])))
                continue;
            best = i;
            best_rows = rows[i];
            best_weighted_block = weighted_block;
        }
        if (best == ACE_CLUSTER_PARTITIONS) return;
        rows[best] += block[best];
        left -= block[best];
    }
}

/*
 * Weights of partitions.  Only their ratio counts: a middle partition gets six times the room of
 * the first or the last (decision 0002).  The share of a partition follows the time that blocks
 * stay in it during the default all-reduce over all dimensions.  The ratio fits the default
 * cluster:
 *
 *   middle   A block stays for a traversal of two rings with links of 500 cycles and 25 GB/s.
 *   ends     A block goes between memory and the ring of the first dimension, whose links have 90
 *            cycles and 200 GB/s, eight times the bandwidth.
 *
 * The ratio is chosen, not computed from these figures.
 */
enum { WEIGHT_MIDDLE = 12, WEIGHT_ENDS = 2 };

/* With only one dimension, its ring counts as slow, so all partitions have a middle one's weight.
 * In addition every partition holds one block of any phase of any other collective. */
int ace_plan_partitions(const ace_parameters *p, ace_config *cfg) {
    uint8_t dims[ACE_CLUSTER_DIMENSIONS] = { 0 };
    const ace_command c = { .kind = ACE_ALL_REDUCE,
                            .dim_count = ACE_CLUSTER_DIMENSIONS,
                            .dims = { 0, 1, 2, 3, 4, 5 },
                            .bytes = 1 };
    const unsigned phases = p->dimensions + 1;
    ace_phase planned[ACE_CLUSTER_PHASES], *phase = planned + (ACE_CLUSTER_PHASES - phases);
    uint32_t block[ACE_CLUSTER_PARTITIONS], weight[ACE_CLUSTER_PARTITIONS],
        rows[ACE_CLUSTER_PARTITIONS];
    uint32_t largest = cfg->chunk_rows, total = 0, head = cfg->chunk_rows;
    const unsigned n = live_dims(&c, cfg, dims), ends = n > 1 ? WEIGHT_ENDS : WEIGHT_MIDDLE;
    bool first = true;

    if (cfg->chunk_rows < 1 || cfg->chunk_rows > 1024) return ACE_EINVAL;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        if (d >= ACE_DIMENSIONS && cfg->ring[d] <= 1) continue;
        if (cfg->ring[d] < 1 || cfg->ring[d] > ACE_CLUSTER_MEMBERS) return ACE_EINVAL;
        const uint32_t b = ceil_div(cfg->chunk_rows, cfg->ring[d]) * cfg->ring[d];
        if (b > largest) largest = b;
    }
    if (n > p->dimensions) return ACE_EINVAL;
    plan_phases(ACE_ALL_REDUCE, dims, n, cfg->ring, cfg->chunk_rows, planned);
    for (unsigned i = 0; i < phases; i++) {
        const uint32_t gathered = (uint32_t)phase[i].ring * phase[i].shard_rows;

        switch (phase[i].kind) {
        case ACE_PHASE_NONE:
            block[i] = largest;
            weight[i] = 0;
            break;
        case ACE_PHASE_ALL_GATHER:
            block[i] = phase[i].shard_rows;
            weight[i] = WEIGHT_MIDDLE;
            break;
        default: block[i] = gathered; weight[i] = first ? ends : WEIGHT_MIDDLE;
        }
        if (phase[i].kind != ACE_PHASE_NONE) {
            if (first) head = gathered;
            first = false;
        }
    }
    block[phases] = head;
    weight[phases] = ends;
    for (unsigned i = 0; i <= phases; i++) {
        rows[i] = largest;
        total += rows[i];
    }
    if (total > p->bank_rows) return ACE_EINVAL;
    share_out(phases, p->bank_rows - total, block, weight, rows);
    for (unsigned i = 0; i < ACE_CLUSTER_PARTITIONS; i++)
        cfg->partition_rows[i] = i <= phases ? (uint16_t)rows[i] : 0;
    return ACE_OK;
}

/* Makes the rings of a dimension lines of n members, with member 0 at coordinate at + 1. */
static int cut(ace_config *cfg, unsigned dim, unsigned at, unsigned n) {
    if (dim >= ACE_DIMENSIONS || cfg->ring[dim] < 2 || at >= cfg->ring[dim] || cfg->hub[dim] ||
        cfg->agreed)
        return ACE_EINVAL;
    ace_program_error error;
    char text[1024];
    int err;
    const unsigned rank = (cfg->rank[dim] + cfg->ring[dim] - at - 1) % cfg->ring[dim];
    if (rank >= n || !cfg->retry) return ACE_EINVAL;
    if (rank == n - 1) cfg->epoch_links &= (uint8_t) ~(1u << 2 * dim);
    if (rank == 0) cfg->epoch_links &= (uint8_t) ~(2u << 2 * dim);
    cfg->ring[dim] = (uint16_t)n;
    cfg->rank[dim] = (uint16_t)rank;
    cfg->algorithm[dim] = 0;
    memset(cfg->program, 0, sizeof cfg->program);
    if (n < 2) return ACE_OK;
    if ((err = ace_program_line(n, rank, text, sizeof text)) != ACE_OK) return err;
    return ace_program_assemble(text, 1u << dim, cfg->program, &error);
}

int ace_plan_without_link(ace_config *cfg, unsigned dim, unsigned at) {
    return cut(cfg, dim, at, dim < ACE_DIMENSIONS ? cfg->ring[dim] : 0);
}

int ace_plan_without_node(ace_config *cfg, unsigned dim, unsigned at) {
    return cut(cfg, dim, at, dim < ACE_DIMENSIONS ? cfg->ring[dim] - 1u : 0);
}
