/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mscclpp_read.c -- reads a plan: its head, its GPUs, its blocks
 *
 * All chunks are divided into as many parts as the groups of blocks need, so every operation has a
 * whole number of parts. After all blocks are read, waits are matched with signals, and lanes
 * become thread blocks.
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
    const yaml_node_t *gpus = mscclpp_value(p, root, "gpus"),
                      *most = mscclpp_value(p, root, "max_message_size");
    msccl_algorithm *a = p->a;
    uint64_t v;

    if (!mscclpp_known(p, root, keys)) return false;
    snprintf(a->name, sizeof a->name, "%.100s", mscclpp_text(mscclpp_value(p, root, "name")));
    if (!take_collective(p, root)) return false;
    a->in_place = !strcmp(mscclpp_text(mscclpp_value(p, root, "inplace")), "true");
    a->out_of_place = !a->in_place;
    a->gpus = mscclpp_length(gpus);
    if (a->gpus < 2 || a->gpus > MSCCL_GPUS)
        return mscclpp_fault(p, gpus ? gpus : root, "another number of gpus", "2 to 1024 of them");
    if (parse_unsigned(mscclpp_text(mscclpp_value(p, root, "min_message_size")), 0, UINT64_MAX, &v))
        a->least_bytes = v;
    if (parse_unsigned(mscclpp_text(most), 0, UINT64_MAX - 1, &v)) a->most_bytes = v;
    a->line = a->column = 1;
    a->gpu = calloc(a->gpus, sizeof *a->gpu);
    return a->gpu != NULL || mscclpp_no_memory(p);
}

/* Finds the least number of parts of a chunk that every group's size divides. Returns false after a
 * message. */
static bool find_parts(mscclpp_plan *p, const yaml_node_t *gpus) {
    uint64_t count = 0;

    p->fine = 1;
    for (uint32_t g = 0; g < p->a->gpus; g++) {
        const yaml_node_t *blocks = mscclpp_value(p, mscclpp_item(p, gpus, g), "threadblocks");

        if (mscclpp_length(blocks) > MSCCL_CHANNELS / 2)
            return mscclpp_fault(p, blocks, "more than 512 blocks", "fewer");
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
                while (size && p->fine * times % size) times++;
                p->fine *= times;
                if (!size || p->fine > MSCCLPP_PARTS)
                    return mscclpp_fault(
                        p, group, "groups of blocks that cut a chunk into more than 64 parts",
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
    uint32_t id, most = 0;

    if (!mscclpp_known(p, p->gpu, keys) || !mscclpp_number(p, p->gpu, "id", MSCCL_GPUS, &id))
        return false;
    if (id != g)
        return mscclpp_fault(p, p->gpu, "another id", "gpus in the order of their ids, from 0");
    to->line = (uint32_t)p->gpu->start_mark.line + 1;
    to->column = (uint32_t)p->gpu->start_mark.column + 1;
    for (unsigned i = 0; i < MSCCL_BUFFERS; i++) {
        if (!mscclpp_number(p, p->gpu, names[i], MSCCLPP_MOST_CHUNKS / MSCCLPP_PARTS,
                            &to->chunks[i]))
            return false;
        to->chunks[i] *= p->fine;
        if (i < MSCCL_SCRATCH && to->chunks[i] > most) most = to->chunks[i];
    }
    if (g && most != p->a->chunks)
        return mscclpp_fault(p, p->gpu, "another number of chunks than gpu 0 has", "as many");
    p->a->chunks = most;
    for (unsigned i = 0; i < MSCCL_BUFFERS; i++) p->positions += to->chunks[i] + most;
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
        uint32_t id;

        p->block = mscclpp_item(p, blocks, b);
        p->rank = g;
        p->number = b;
        if (!mscclpp_known(p, p->block, keys) ||
            !mscclpp_number(p, p->block, "id", MSCCL_CHANNELS / 2 - 1, &id))
            return false;
        if (id != b)
            return mscclpp_fault(p, p->block, "another id",
                                 "threadblocks in the order of their ids");
        if (mscclpp_own_lane(p) == MSCCLPP_NOBODY) return false;
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

    return ((!g->chunks[MSCCL_I] || g->chunks[MSCCL_I] == in) &&
            (!g->chunks[MSCCL_O] || g->chunks[MSCCL_O] == out)) ||
           mscclpp_fault(
               p, at, "input_chunks and output_chunks that are not those of the collective",
               "as many of both, or of a gather and a scatter the gpus-th part of the other");
}

static bool take_plan(mscclpp_plan *p) {
    yaml_node_t *root = yaml_document_get_root_node(&p->doc);
    const yaml_node_t *gpus = mscclpp_value(p, root, "gpus");
    uint64_t scratch = 0;

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
        p->a->chunks % p->a->gpus)
        return mscclpp_fault(p, root, "chunks that no GPU has as many of as another",
                             "a multiple of gpus");
    for (uint32_t g = 0; p->a->collective != MSCCL_CUSTOM && g < p->a->gpus; g++)
        if (!check_buffers(p, mscclpp_item(p, gpus, g), &p->a->gpu[g])) return false;
    p->writer = malloc((scratch + 1) * sizeof *p->writer);
    if (!p->writer) return mscclpp_no_memory(p);
    for (uint64_t i = 0; i < scratch; i++) p->writer[i] = MSCCLPP_NOBODY;
    for (uint32_t g = 0; g < p->a->gpus; g++) {
        p->gpu = mscclpp_item(p, gpus, g);
        if (!take_blocks(p, g)) return false;
    }
    return mscclpp_settle(p) && mscclpp_lay_out(p);
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
                parser.problem ? parser.problem : "what is no text");
        p.status = EXIT_USAGE;
    }
    yaml_parser_delete(&parser);
    for (uint32_t i = 0; i < p.lanes; i++) free(p.lane[i].step);
    free(p.lane);
    free(p.step);
    free(p.wait);
    free(p.told);
    free(p.writer);
    free(p.scratch);
    free(all);
    return p.status;
}
