/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mscclpp_read.c -- reads a plan: its head, its GPUs, its thread blocks
 *
 * All chunks are divided into as many parts as the groups of thread blocks need, so every operation
 * has a whole number of parts. The steps of a thread block form several lanes: its own steps, and
 * for each peer its sends and their arrivals there. A lane is an ordered list of steps. After all
 * thread blocks are read, waits are matched with signals, and each lane becomes a thread block of
 * the algorithm.
 */
#include "mscclpp_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "digest.h"
#include "exit_status.h"
#include "input_file.h"
#include "message.h"
#include "mscclpp_plan.h"
#include "values.h"
#include "yaml_file.h"

/* Reads the name of the collective. A plan may name a collective of its author, whose results
 * cannot be checked. A name that differs from a known one by a few letters is refused, because it
 * is probably misspelled and such a plan would run unchecked. */
static bool take_collective(mscclpp_plan *p, const yaml_node_t *root) {
    static const char *const collectives[] = { "allreduce", "allgather", "reducescatter",
                                               "alltoall",  "broadcast", "reduce",
                                               NULL };
    const yaml_node_t *at = mscclpp_value(p, root, "collective");
    char found[96], hint[MESSAGE_HINT], expected[64 + MESSAGE_HINT];
    int c;

    if (!*mscclpp_text(at))
        return mscclpp_fault(
            p, at ? at : root, "no collective",
            "allreduce, allgather, reducescatter, alltoall, broadcast, reduce or a name");
    const bool known_name = parse_name(mscclpp_text(at), collectives, &c);
    if (!known_name && *message_hint(hint, mscclpp_text(at), collectives)) {
        snprintf(found, sizeof found, "collective '%.60s'", mscclpp_text(at));
        snprintf(expected, sizeof expected, "a name of one's own, or a known one%s", hint);
        return mscclpp_fault(p, at, found, expected);
    }
    p->a->collective = known_name ? (msccl_collective)c : MSCCL_CUSTOM;
    return true;
}

/* Reads a size in bytes; without the key *to does not change. */
static bool take_size(mscclpp_plan *p, const yaml_node_t *root, const char *key, uint64_t *to) {
    const yaml_node_t *at = mscclpp_value(p, root, key);
    char found[96];

    if (!at || parse_unsigned(mscclpp_text(at), 0, UINT64_MAX, to)) return true;
    snprintf(found, sizeof found, "%s '%.60s'", key, mscclpp_text(at));
    return mscclpp_fault(p, at, found, "a number of bytes");
}

static bool take_head(mscclpp_plan *p, const yaml_node_t *root) {
    static const char *const keys[] = { "name",
                                        "collective",
                                        "protocol",
                                        "inplace",
                                        "reuse_resources",
                                        "gpus",
                                        "num_threads_per_block",
                                        "use_double_scratch_buffer",
                                        "buffer_alignment",
                                        "min_message_size",
                                        "max_message_size",
                                        NULL };
    const yaml_node_t *gpus = mscclpp_value(p, root, "gpus");
    msccl_algorithm *a = p->a;
    char found[64];

    if (!mscclpp_known(p, root, keys)) return false;
    snprintf(a->name, sizeof a->name, "%.100s", mscclpp_text(mscclpp_value(p, root, "name")));
    if (!take_collective(p, root)) return false;
    a->in_place = !strcmp(mscclpp_text(mscclpp_value(p, root, "inplace")), "true");
    a->out_of_place = !a->in_place;
    a->gpus = mscclpp_length(gpus);
    if (a->gpus < 2 || a->gpus > MSCCL_GPUS) {
        snprintf(found, sizeof found, "%u gpus", a->gpus);
        return mscclpp_fault(p, gpus ? gpus : root, found, "2 to 1024 gpus");
    }
    if (!take_size(p, root, "min_message_size", &a->least_bytes) ||
        !take_size(p, root, "max_message_size", &a->most_bytes))
        return false;
    if (a->most_bytes == UINT64_MAX) a->most_bytes = 0; /* the format's value for no limit */
    a->line = a->column = 1;
    a->gpu = calloc(a->gpus, sizeof *a->gpu);
    return a->gpu != NULL || mscclpp_no_memory(p);
}

/* Finds the least number of parts of a chunk that every group's size divides. Returns false after a
 * message. */
static bool find_parts(mscclpp_plan *p, const yaml_node_t *gpus) {
    uint64_t count = 0;

    p->parts_per_chunk = 1;
    for (uint32_t g = 0; g < p->a->gpus; g++) {
        const yaml_node_t *blocks = mscclpp_value(p, mscclpp_item(p, gpus, g), "threadblocks");

        if (mscclpp_length(blocks) > MSCCLPP_BLOCKS)
            return mscclpp_fault(p, blocks, "more than 512 thread blocks", "512 or fewer");
        for (uint32_t b = 0; b < mscclpp_length(blocks); b++) {
            const yaml_node_t *ops = mscclpp_value(p, mscclpp_item(p, blocks, b), "ops");

            count += mscclpp_length(ops);
            if (count > MSCCL_STEPS)
                return mscclpp_fault(p, ops, "more than 2097152 operations", "fewer");
            for (uint32_t i = 0; i < mscclpp_length(ops); i++) {
                const yaml_node_t *group = mscclpp_value(p, mscclpp_item(p, ops, i), "tbg_info");
                uint32_t size, times = 1;

                if (!group) continue;
                if (!mscclpp_number(p, group, "tbg_size", MSCCLPP_PARTS, &size)) return false;
                while (size && p->parts_per_chunk * times % size) times++;
                p->parts_per_chunk *= times;
                if (!size || p->parts_per_chunk > MSCCLPP_PARTS)
                    return mscclpp_fault(
                        p, group,
                        "groups of thread blocks that divide a chunk into more than 64 parts",
                        "sizes with a smaller common multiple");
            }
        }
    }
    return true;
}

static bool take_gpu_head(mscclpp_plan *p, uint32_t g, uint64_t *scratch) {
    static const char *const keys[] = { "id",
                                        "input_chunks",
                                        "output_chunks",
                                        "scratch_chunks",
                                        "threadblocks",
                                        "channels",
                                        "remote_buffers",
                                        "semaphores",
                                        NULL };
    static const char *const names[] = { "input_chunks", "output_chunks", "scratch_chunks" };
    msccl_gpu *to = &p->a->gpu[g];
    char found[64], expected[96];
    uint32_t id, max_chunks = 0;

    if (!mscclpp_known(p, p->gpu, keys) || !mscclpp_number(p, p->gpu, "id", MSCCL_GPUS, &id))
        return false;
    if (id != g) {
        snprintf(found, sizeof found, "id %u", id);
        snprintf(expected, sizeof expected, "id %u: gpus in the order of their ids, from 0", g);
        return mscclpp_fault(p, p->gpu, found, expected);
    }
    to->line = (uint32_t)p->gpu->start_mark.line + 1;
    to->column = (uint32_t)p->gpu->start_mark.column + 1;
    for (unsigned i = 0; i < MSCCL_BUFFERS; i++) {
        if (!mscclpp_number(p, p->gpu, names[i], MSCCLPP_MOST_CHUNKS / MSCCLPP_PARTS,
                            &to->chunks[i]))
            return false;
        to->chunks[i] *= p->parts_per_chunk;
        if (i < MSCCL_SCRATCH && to->chunks[i] > max_chunks) max_chunks = to->chunks[i];
    }
    if (g && max_chunks != p->a->chunks) {
        snprintf(found, sizeof found, "%u chunks", max_chunks / p->parts_per_chunk);
        snprintf(expected, sizeof expected, "%u chunks, as gpu 0 has",
                 p->a->chunks / p->parts_per_chunk);
        return mscclpp_fault(p, p->gpu, found, expected);
    }
    p->a->chunks = max_chunks;
    /* An upper bound: in the check of contents, the input and output of a GPU have up to max_chunks
     * chunks each, also if the plan gives the GPU no such buffer. */
    p->positions += 2 * (uint64_t)max_chunks + to->chunks[MSCCL_SCRATCH];
    if (p->positions > MSCCL_POSITIONS)
        return mscclpp_fault(p, p->gpu, "more than 4194304 chunks in the buffers of all GPUs",
                             "fewer");
    p->scratch[g] = *scratch;
    *scratch += to->chunks[MSCCL_SCRATCH];
    return true;
}

static bool take_blocks(mscclpp_plan *p, uint32_t g) {
    static const char *const keys[] = { "id", "ops", "channels", "remote_buffer_refs", NULL };
    const yaml_node_t *blocks = mscclpp_value(p, p->gpu, "threadblocks");

    for (uint32_t b = 0; b < mscclpp_length(blocks); b++, p->all++) {
        const yaml_node_t *ops;
        char found[64], expected[96];
        uint32_t id;

        p->block = mscclpp_item(p, blocks, b);
        p->rank = g;
        p->number = b;
        if (!mscclpp_known(p, p->block, keys) ||
            !mscclpp_number(p, p->block, "id", MSCCLPP_BLOCKS - 1, &id))
            return false;
        if (id != b) {
            snprintf(found, sizeof found, "id %u", id);
            snprintf(expected, sizeof expected, "id %u: threadblocks in the order of their ids", b);
            return mscclpp_fault(p, p->block, found, expected);
        }
        if (mscclpp_own_lane(p) == MSCCLPP_NONE) return false;
        ops = mscclpp_value(p, p->block, "ops");
        for (uint32_t i = 0; i < mscclpp_length(ops); i++) {
            p->op = mscclpp_item(p, ops, i);
            if (!mscclpp_operation(p, i) || p->status != EXIT_OK) return false;
        }
    }
    return true;
}

/* Checks the buffers' sizes: as the collective needs, or 0 if the GPU does not use the buffer. */
static bool check_buffers(mscclpp_plan *p, const yaml_node_t *at, const msccl_gpu *g) {
    const uint32_t all = p->a->chunks, part = all / p->a->gpus;
    const uint32_t in = p->a->collective == MSCCL_ALL_GATHER ? part : all;
    const uint32_t out = p->a->collective == MSCCL_REDUCE_SCATTER ? part : all;

    const uint32_t parts = p->parts_per_chunk;
    char found[64];

    if ((!g->chunks[MSCCL_I] || g->chunks[MSCCL_I] == in) &&
        (!g->chunks[MSCCL_O] || g->chunks[MSCCL_O] == out))
        return true;
    snprintf(found, sizeof found, "%u input_chunks and %u output_chunks",
             g->chunks[MSCCL_I] / parts, g->chunks[MSCCL_O] / parts);
    return mscclpp_fault(p, at, found,
                         "equal counts, or 0; for allgather input = output / gpus, for "
                         "reducescatter output = input / gpus");
}

static bool take_plan(mscclpp_plan *p) {
    yaml_node_t *root = yaml_document_get_root_node(&p->doc);
    const yaml_node_t *gpus = mscclpp_value(p, root, "gpus");
    uint64_t scratch = 0;
    char found[64], expected[64];

    if (!root) return mscclpp_fault(p, NULL, "an empty file", "an execution plan");
    if (!take_head(p, root) || !find_parts(p, gpus)) return false;
    p->scratch = calloc(p->a->gpus, sizeof *p->scratch);
    if (!p->scratch) return mscclpp_no_memory(p);
    for (uint32_t g = 0; g < p->a->gpus; g++) {
        p->gpu = mscclpp_item(p, gpus, g);
        if (!take_gpu_head(p, g, &scratch)) return false;
    }
    if (!p->a->chunks)
        return mscclpp_fault(p, root, "buffers of no chunks", "input_chunks or output_chunks");
    if (p->a->collective != MSCCL_ALL_REDUCE && p->a->collective != MSCCL_BROADCAST &&
        p->a->collective != MSCCL_REDUCE && p->a->collective != MSCCL_CUSTOM &&
        p->a->chunks % p->a->gpus) {
        snprintf(found, sizeof found, "%u chunks", p->a->chunks / p->parts_per_chunk);
        snprintf(expected, sizeof expected, "a multiple of %u, the number of gpus", p->a->gpus);
        return mscclpp_fault(p, root, found, expected);
    }
    for (uint32_t g = 0; p->a->collective != MSCCL_CUSTOM && g < p->a->gpus; g++)
        if (!check_buffers(p, mscclpp_item(p, gpus, g), &p->a->gpu[g])) return false;
    p->writer = malloc((scratch + 1) * sizeof *p->writer);
    if (!p->writer) return mscclpp_no_memory(p);
    for (uint64_t i = 0; i < scratch; i++) p->writer[i] = MSCCLPP_NONE;
    for (uint32_t g = 0; g < p->a->gpus; g++) {
        p->gpu = mscclpp_item(p, gpus, g);
        if (!take_blocks(p, g)) return false;
    }
    return mscclpp_resolve_waits(p) && mscclpp_lay_out(p);
}

int mscclpp_read(const char *path, msccl_algorithm *a) {
    mscclpp_plan p = { .a = a, .status = EXIT_OK };
    yaml_parser_t parser;
    size_t bytes;
    char *const all = input_text(path, &bytes);

    if (!all) {
        fprintf(stderr, "acesim: %s: %s\n", a->file, strerror(errno));
        return EXIT_USAGE;
    }
    a->digest = fnv1a(a->digest, all, bytes);
    if (!yaml_parser_initialize(&parser)) {
        free(all);
        return message_no_memory();
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)all, bytes);
    if (yaml_load(&parser, &p.doc)) {
        (void)take_plan(&p);
        yaml_document_delete(&p.doc);
    } else {
        fprintf(stderr, "acesim: %s:%zu:%zu: found %s, expected JSON\n", a->file,
                parser.problem_mark.line + 1, parser.problem_mark.column + 1,
                parser.problem ? parser.problem : "no text");
        p.status = EXIT_USAGE;
    }
    yaml_parser_delete(&parser);
    for (uint32_t i = 0; i < p.lanes; i++) free(p.lane[i].step);
    free(p.lane);
    free(p.step);
    free(p.wait);
    free(p.signal);
    free(p.writer);
    free(p.scratch);
    free(all);
    return p.status;
}
