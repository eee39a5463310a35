/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mscclpp_operations.c -- translates one operation of a plan into steps
 *
 * A table defines for each operation whether it sums, reads from a peer, puts, uses packets or
 * signals. Chunks and channels are first resolved from the block's numbers to GPUs and buffers, and
 * then checked against their sizes.
 */
#include <stdio.h>
#include <string.h>

#include "exit_status.h"
#include "mscclpp_plan.h"
#include "values.h"

/* ---- its chunks and channels ----------------------------------------------------------------- */

static const char *const buffer_names[] = { "i", "o", "s", NULL };

/* Finds the GPU that owns a remote buffer of the block. */
static bool take_remote(mscclpp_plan *p, const yaml_node_t *n, const char *channel,
                        mscclpp_chunks *to) {
    const yaml_node_t *refs = mscclpp_value(p, p->block, "remote_buffer_refs"), *ids = NULL, *all,
                      *b;
    uint32_t id, at;
    int buffer;

    for (uint32_t i = 0; i < mscclpp_length(refs); i++)
        if (!strcmp(mscclpp_text(mscclpp_value(p, mscclpp_item(p, refs, i), "access_channel_type")),
                    channel))
            ids = mscclpp_value(p, mscclpp_item(p, refs, i), "remote_buffer_ids");
    if (!mscclpp_number(p, n, "buffer_id", UINT32_MAX - 2, &id)) return false;
    if (id >= mscclpp_length(ids))
        return mscclpp_fault(p, n, "a buffer_id that the block has not",
                             "one of its remote_buffer_refs of the operation's channel_type");
    all = mscclpp_value(p, p->gpu, "remote_buffers");
    if (!mscclpp_unsigned(p, n, mscclpp_item(p, ids, id), "remote_buffer_ids", UINT32_MAX - 2, &at))
        return false;
    if (at >= mscclpp_length(all))
        return mscclpp_fault(p, mscclpp_item(p, ids, id),
                             "a number of a buffer that the GPU has not",
                             "one of its remote_buffers");
    b = mscclpp_item(p, all, at);
    if (!mscclpp_number(p, b, "rank", p->a->gpus - 1, &to->rank)) return false;
    if (to->rank == p->rank ||
        !parse_name(mscclpp_text(mscclpp_value(p, b, "type")), buffer_names, &buffer))
        return mscclpp_fault(p, b, "no buffer of another GPU", "its rank, and type i, o or s");
    to->buffer = (uint8_t)buffer;
    to->remote = true;
    return true;
}

/* Restricts the chunks to the block's part, if the operation is divided among a group of blocks. */
static bool take_part(mscclpp_plan *p, mscclpp_chunks *c) {
    const yaml_node_t *group = mscclpp_value(p, p->op, "tbg_info");
    uint32_t id, size;

    c->at *= p->parts_per_chunk;
    c->count *= p->parts_per_chunk;
    if (!group) return true;
    if (!mscclpp_number(p, group, "tbg_size", MSCCLPP_PARTS, &size) ||
        !mscclpp_number(p, group, "tb_id", size ? size - 1 : 0, &id))
        return false;
    if (!size || c->count % size) return mscclpp_fault(p, group, "a tbg_size of 0", "1 to 64");
    c->count /= size;
    c->at += id * c->count;
    return true;
}

static bool take_chunks(mscclpp_plan *p, const yaml_node_t *n, const char *channel,
                        mscclpp_chunks *c) {
    static const char *const names[] = { "type", "index", "size", "buffer_id", "switch_channel_id",
                                         NULL };
    int buffer;

    *c = (mscclpp_chunks){ .rank = p->rank };
    if (!mscclpp_known(p, n, names)) return false;
    if (mscclpp_value(p, n, "switch_channel_id"))
        return mscclpp_fault(p, n, "chunks behind a switch channel",
                             "buffers of GPUs: no switch here sums and multicasts single chunks");
    if (!mscclpp_number(p, n, "index", MSCCLPP_MOST_CHUNKS, &c->at) ||
        !mscclpp_number(p, n, "size", MSCCLPP_MOST_CHUNKS, &c->count))
        return false;
    if (!c->count) return mscclpp_fault(p, n, "size 0", "1 chunk or more");
    if (mscclpp_value(p, n, "buffer_id")) {
        if (!take_remote(p, n, channel, c)) return false;
    } else {
        if (!parse_name(mscclpp_text(mscclpp_value(p, n, "type")), buffer_names, &buffer))
            return mscclpp_fault(p, n, "chunks of no buffer", "type i, o or s, or buffer_id");
        c->buffer = (uint8_t)buffer;
    }
    if (!take_part(p, c)) return false;
    if (c->at + c->count > p->a->gpu[c->rank].chunks[c->buffer])
        return mscclpp_fault(p, n, "chunks behind the end of their buffer",
                             "some of its input_chunks, output_chunks or scratch_chunks");
    return true;
}

/* Reads src_buff or dst_buff. Refuses more than 16 buffers. */
static bool take_list(mscclpp_plan *p, const char *key, const char *channel,
                      mscclpp_chunks to[MSCCLPP_BUFFERS], uint32_t *count) {
    const yaml_node_t *list = mscclpp_value(p, p->op, key);

    *count = mscclpp_length(list);
    if (*count > MSCCLPP_BUFFERS) return mscclpp_fault(p, list, "more than 16 buffers", "fewer");
    for (uint32_t i = 0; i < *count; i++)
        if (!take_chunks(p, mscclpp_item(p, list, i), channel, &to[i])) return false;
    return true;
}

/* Finds the GPU that a channel of the block leads to, and the channel's index among those to this
 * GPU. */
static bool take_channel(mscclpp_plan *p, const char *type, uint32_t local, const yaml_node_t *at,
                         uint32_t *peer, uint32_t *pair) {
    const yaml_node_t *mine = mscclpp_value(p, p->block, "channels"), *ids = NULL;
    const yaml_node_t *all = mscclpp_value(p, p->gpu, "channels");
    uint32_t want, seen = 0, to[MSCCL_GPUS] = { 0 };

    for (uint32_t i = 0; i < mscclpp_length(mine); i++)
        if (!strcmp(mscclpp_text(mscclpp_value(p, mscclpp_item(p, mine, i), "channel_type")), type))
            ids = mscclpp_value(p, mscclpp_item(p, mine, i), "channel_ids");
    if (local >= mscclpp_length(ids))
        return mscclpp_fault(p, at, "a channel that the block has not", "one of its channel_ids");
    if (!mscclpp_unsigned(p, at, mscclpp_item(p, ids, local), "channel_ids", UINT32_MAX - 2, &want))
        return false;
    for (uint32_t i = 0; i < mscclpp_length(all); i++) {
        const yaml_node_t *c = mscclpp_item(p, all, i),
                          *peers = mscclpp_value(p, c, "connected_to");

        if (strcmp(mscclpp_text(mscclpp_value(p, c, "channel_type")), type)) continue;
        for (uint32_t k = 0; k < mscclpp_length(peers); k++) {
            if (!mscclpp_unsigned(p, peers, mscclpp_item(p, peers, k), "connected_to",
                                  p->a->gpus - 1, peer))
                return false;
            *pair = to[*peer]++;
            if (seen++ == want)
                return *peer != p->rank || mscclpp_fault(p, peers, "the GPU itself", "another");
        }
    }
    return mscclpp_fault(p, at, "a number of a channel that the GPU has not",
                         "one of its channels");
}

/* Finds the peer at the other end of a channel, and the channel's index among those of both
 * GPUs. */
static bool take_end(mscclpp_plan *p, const char *type, const yaml_node_t *ids, uint32_t i,
                     uint32_t *peer, uint32_t *pair) {
    uint32_t local;

    if (!mscclpp_unsigned(p, ids, mscclpp_item(p, ids, i), "channel_ids", UINT32_MAX - 2, &local) ||
        !take_channel(p, type, local, ids, peer, pair))
        return false;
    *pair |= !strcmp(type, "port") ? 1U << 16 : 0;
    return true;
}

/* ---- the operation --------------------------------------------------------------------------- */

/* Translates signal and wait. */
static bool signal_or_wait(mscclpp_plan *p, const char *type, bool waits) {
    const yaml_node_t *ids = mscclpp_value(p, p->op, "channel_ids");

    if (!mscclpp_length(ids))
        return mscclpp_fault(p, p->op, "no channel_ids", "channels of the block");
    for (uint32_t i = 0; i < mscclpp_length(ids); i++) {
        uint32_t peer = 0, pair = 0;

        if (!take_end(p, type, ids, i, &peer, &pair) ||
            !(waits ? mscclpp_wait_for(p, peer, pair) : mscclpp_signal(p, peer, pair)))
            return false;
    }
    return true;
}

typedef struct operation_kind {
    const char *name;
    /* sums the sources; reads from a peer; writes to peers; packets */
    bool sums, reads, puts, packets;
    bool signals; /* after each put, on the channel with the same index */
} operation_kind;

static const operation_kind moves[] = {
    { "put", false, false, true, false, false },   { "pws", false, false, true, false, true },
    { "pwsf", false, false, true, false, true },   { "ppkt", false, false, true, true, false },
    { "rppkt", false, false, true, true, false },  { "get", false, true, false, false, false },
    { "copy", false, false, false, false, false }, { "cpkt", false, false, false, true, false },
    { "upkt", false, false, false, true, false },  { "re", true, false, false, false, false },
    { "repkt", true, false, false, true, false },  { "res", true, false, true, false, false },
    { "respkt", true, false, true, true, false },  { "rre", true, true, false, false, false },
    { "rres", true, true, true, false, false }
};

static bool same(const mscclpp_chunks *a, const mscclpp_chunks *b) {
    return !a->remote && !b->remote && a->buffer == b->buffer && a->at == b->at;
}

/* Puts the sum of all sources into the first destination. */
static bool sum_up(mscclpp_plan *p, const mscclpp_chunks *source, uint32_t sources,
                   const mscclpp_chunks *to) {
    bool begun = false;

    for (uint32_t i = 0; i < sources; i++) begun = begun || same(&source[i], to);
    for (uint32_t i = 0; i < sources; i++) {
        if (source[i].remote && !begun && !i)
            mscclpp_request(p, &source[i], NULL, to);
        else if (source[i].remote)
            mscclpp_request(p, &source[i], to, to);
        else if (!same(&source[i], to))
            (void)mscclpp_add(p, mscclpp_own_lane(p), begun ? MSCCL_RE : MSCCL_CPY, &source[i], to,
                              MSCCL_NONE);
        begun = true;
    }
    return p->status == EXIT_OK;
}

/* Adds a signal after the i-th put, which goes to `peer`. In MSCCL++ only a proxy, at a port
 * channel, puts and signals in one operation. At a memory channel it only copies, so the peer's
 * wait would never end. */
static bool signal_put(mscclpp_plan *p, const char *channel, uint32_t i, uint32_t peer) {
    const yaml_node_t *ids = mscclpp_value(p, p->op, "channel_ids");
    uint32_t to = 0, pair = 0;

    if (strcmp(channel, "port"))
        return mscclpp_fault(p, p->op, "a put with signal at another channel_type", "port");
    if (i >= mscclpp_length(ids))
        return mscclpp_fault(p, p->op, "fewer channel_ids than dst_buff", "a channel for each");
    if (!take_end(p, channel, ids, i, &to, &pair)) return false;
    if (to != peer)
        return mscclpp_fault(p, ids, "a channel that leads to another GPU than its buffer's",
                             "the same GPU");
    return mscclpp_signal(p, to, pair);
}

static bool move(mscclpp_plan *p, const operation_kind *k, const char *channel) {
    mscclpp_chunks source[MSCCLPP_BUFFERS], to[MSCCLPP_BUFFERS];
    uint32_t sources, tos;
    const bool puts_alone = k->puts && !k->sums;

    if (!take_list(p, "src_buff", channel, source, &sources) ||
        !take_list(p, "dst_buff", channel, to, &tos))
        return false;
    if (!sources || !tos || (!k->sums && sources > 1 && sources != tos))
        return mscclpp_fault(p, p->op, "buffers that do not pair",
                             "as many of src_buff as of dst_buff");
    for (uint32_t i = 0; i < sources; i++) {
        if (source[i].count != to[0].count)
            return mscclpp_fault(p, p->op, "sources and destinations of different sizes",
                                 "equal ones");
        if (source[i].remote && !k->reads)
            return mscclpp_fault(p, p->op, "a source of another GPU",
                                 "one of its own with this operation");
        if (k->packets && source[i].buffer == MSCCL_SCRATCH &&
            !mscclpp_await_packets(p, &source[i]))
            return false;
    }
    for (uint32_t i = 0; i < tos; i++) {
        if (to[i].count != to[0].count)
            return mscclpp_fault(p, p->op, "destinations of different sizes", "equal ones");
        if (to[i].remote != (k->puts && (i || puts_alone)))
            return mscclpp_fault(p, p->op, "a destination at the wrong GPU",
                                 k->puts ? "one of another, behind the first of a sum" : "its own");
    }
    if (k->sums && !sum_up(p, source, sources, to)) return false;
    for (uint32_t i = 0; i < tos && !k->sums && !k->puts; i++) {
        const mscclpp_chunks *s = &source[sources > 1 ? i : 0];

        if (s->remote)
            mscclpp_request(p, s, NULL, &to[i]);
        else
            (void)mscclpp_add(p, mscclpp_own_lane(p), MSCCL_CPY, s, &to[i], MSCCL_NONE);
        if (k->packets) mscclpp_write_packets(p, &to[i], mscclpp_last_own(p));
    }
    for (uint32_t i = puts_alone ? 0 : 1; i < tos && k->puts; i++) {
        const uint32_t came =
            mscclpp_send(p, to[i].rank, k->sums ? &to[0] : &source[sources > 1 ? i : 0], &to[i]);

        if (k->packets) mscclpp_write_packets(p, &to[i], came);
        if (k->signals && !signal_put(p, channel, i, to[i].rank)) return false;
    }
    return p->status == EXIT_OK;
}

/* Registers the operation, so that messages can name it. Its steps refer to it. */
static bool register_operation(mscclpp_plan *p, const char *name, uint32_t number_in_block) {
    static const char *const others[] = { "signal", "rlxsignal", "wait", "rlxwait",
                                          "flush",  "nop",       NULL };
    const char *constant = "";

    for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++)
        if (!strcmp(name, moves[i].name)) constant = moves[i].name;
    for (unsigned i = 0; others[i]; i++)
        if (!strcmp(name, others[i])) constant = others[i];
    if (!mscclpp_grow(p, (void **)&p->a->operation, &p->operation_room, p->a->operations,
                      sizeof *p->a->operation))
        return false;
    p->a->operation[p->a->operations++] =
        (msccl_operation){ p->rank, p->number, number_in_block, constant };
    return true;
}

bool mscclpp_operation(mscclpp_plan *p, uint32_t number_in_block) {
    static const char *const keys[] = { "name",      "src_buff",    "dst_buff", "channel_type",
                                        "reduce_op", "channel_ids", "tbg_info", NULL };
    static const char *const refused[][2] = {
        { "barrier", "signals and waits: barriers of a GPU's blocks are not modelled" },
        { "pipeline",
          "operations that go one by one: how often a pipeline goes round depends on the size" },
        { "sem_acquire", "signals and barriers: semaphores of a GPU are not modelled" },
        { "sem_release", "signals and barriers: semaphores of a GPU are not modelled" },
        { "glres", "operations of GPUs: no switch here sums single chunks" },
        { "gstore", "operations of GPUs: no switch here multicasts single chunks" },
        { "gstorepkt", "operations of GPUs: no switch here multicasts single chunks" },
        { "recpkt", "repkt and cpkt: one operation stores its sum once here" },
        { "recspkt", "respkt and cpkt: one operation stores its sum once here" }
    };
    const char *const name = mscclpp_text(mscclpp_value(p, p->op, "name"));
    const char *const channel = mscclpp_text(mscclpp_value(p, p->op, "channel_type"));
    const char *const sum = mscclpp_text(mscclpp_value(p, p->op, "reduce_op"));
    char found[80];

    snprintf(found, sizeof found, "operation '%.40s'", name);
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(name, refused[i][0])) return mscclpp_fault(p, p->op, found, refused[i][1]);
    if (!mscclpp_known(p, p->op, keys)) return false;
    if (*sum && strcmp(sum, "sum")) return mscclpp_fault(p, p->op, "another reduce_op", "sum");
    if (!register_operation(p, name, number_in_block)) return false;
    if (!strcmp(name, "nop") || !strcmp(name, "flush"))
        return mscclpp_add(p, mscclpp_own_lane(p), MSCCL_NOP, NULL, NULL, MSCCL_NONE) !=
               MSCCLPP_NONE;
    if (!strcmp(name, "signal") || !strcmp(name, "rlxsignal"))
        return signal_or_wait(p, channel, false);
    if (!strcmp(name, "wait") || !strcmp(name, "rlxwait")) return signal_or_wait(p, channel, true);
    for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++)
        if (!strcmp(name, moves[i].name)) return move(p, &moves[i], channel);
    return mscclpp_fault(
        p, p->op, found,
        "put, pws, pwsf, get, copy, re, res, rre, rres, ppkt, rppkt, upkt, cpkt, repkt, respkt, "
        "signal, wait, rlxsignal, rlxwait, flush or nop");
}
