/* SPDX-License-Identifier: Apache-2.0 */
#include "mscclpp_read.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "digest.h"
#include "exit_status.h"
#include "input_file.h"
#include "message.h"
#include "values.h"
#include "yaml_file.h"

enum { PARTS = 64, BUFFERS = 16, MOST_CHUNKS = 1 << 16, MOST_WAITS = 1 << 15 };

/* A block of the algorithm that is made: its steps so far. */
typedef struct lane {
    uint32_t gpu, channel;
    int32_t send, receive;
    uint32_t owner, kind; /* the plan's block that it serves, of all; and what for */
    uint32_t *step;       /* of all steps, in the order in which they were made */
    uint32_t steps, room;
    uint32_t line, column;
} lane;
/* Beside a block's own steps: what it sends to a peer, which comes in there, and the answer to what it asks. */
enum { LANE_OWN, LANE_SEND, LANE_ARRIVE, LANE_ANSWER, LANE_ANSWERED };

/* What a step waits for that is made later. */
typedef struct wait {
    uint32_t step;
    uint32_t gpu, peer, pair; /* the n-th message of the peer's pair-th channel to it */
    uint32_t number;
    bool packets; /* or the one step that writes chunk `number` of the GPU's scratch */
} wait;

typedef struct told {
    uint32_t gpu, peer, pair, step; /* a message without chunks, that came to gpu */
} told;

typedef struct chunks {
    uint32_t rank; /* whose */
    uint8_t buffer;
    uint32_t at, count;
    bool remote;
} chunks;

typedef struct plan {
    msccl_algorithm *a;
    yaml_document_t doc;
    uint32_t fine; /* of each chunk of the plan so many */
    lane *lane;
    uint32_t lanes, lane_room;
    msccl_step *step;
    uint32_t *of; /* the lane of each */
    uint32_t steps, step_room;
    wait *wait;
    uint32_t waits, wait_room;
    told *told;
    uint32_t tolds, told_room;
    uint32_t *
        writer; /* of each chunk of all scratch buffers: a step of packets; or NOBODY, or SEVERAL */
    uint64_t *scratch;         /* where a GPU's begin */
    uint64_t positions, moved; /* chunks: of all buffers; that all steps move */
    uint32_t operation_room;
    yaml_node_t *gpu, *block, *op; /* that are read */
    uint32_t rank, number, all;    /* the GPU, its block, the block of all */
    int status;
} plan;
#define NOBODY  UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

static bool fault(plan *p, const yaml_node_t *n, const char *found, const char *expected) {
    if (p->status != EXIT_OK) return false;
    fprintf(stderr, "acesim: %s:%zu:%zu: found %s, expected %s\n", p->a->file,
            n ? n->start_mark.line + 1 : 1, n ? n->start_mark.column + 1 : 1, found, expected);
    p->status = EXIT_USAGE;
    return false;
}

static bool no_memory(plan *p) {
    if (p->status == EXIT_OK) p->status = message_no_memory();
    return false;
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static const char *text(const yaml_node_t *n) {
    return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

static yaml_node_t *value(plan *p, const yaml_node_t *n, const char *key) {
    if (!n || n->type != YAML_MAPPING_NODE) return NULL;
    for (yaml_node_pair_t *k = n->data.mapping.pairs.start; k < n->data.mapping.pairs.top; k++)
        if (!strcmp(text(yaml_document_get_node(&p->doc, k->key)), key))
            return yaml_document_get_node(&p->doc, k->value);
    return NULL;
}

static uint32_t length(const yaml_node_t *n) {
    return n && n->type == YAML_SEQUENCE_NODE
               ? (uint32_t)(n->data.sequence.items.top - n->data.sequence.items.start)
               : 0;
}

static yaml_node_t *item(plan *p, const yaml_node_t *n, uint32_t i) {
    return yaml_document_get_node(&p->doc, n->data.sequence.items.start[i]);
}

/* A whole number of a node: what it is called, and the most it may be. */
static bool whole(plan *p, const yaml_node_t *at, const yaml_node_t *n, const char *name,
                  uint64_t most, uint32_t *to) {
    char found[96], expected[96];
    uint64_t v;

    if (n && parse_unsigned(text(n), 0, most, &v)) return (*to = (uint32_t)v), true;
    snprintf(found, sizeof found, "%s '%.40s'", name, n ? text(n) : "nothing");
    snprintf(expected, sizeof expected, "a whole number, %" PRIu64 " at most", most);
    return fault(p, n ? n : at, found, expected);
}

static bool number(plan *p, const yaml_node_t *n, const char *key, uint64_t most, uint32_t *to) {
    return whole(p, n, value(p, n, key), key, most, to);
}

/* Each key is one that is known. */
static bool known(plan *p, const yaml_node_t *n, const char *const *names) {
    unsigned most = 0;

    if (!n || n->type != YAML_MAPPING_NODE) return fault(p, n, "no object", "one");
    while (names[most]) most++;
    if (n->data.mapping.pairs.top - n->data.mapping.pairs.start > most)
        return fault(p, n, "a key twice", "each once");
    for (yaml_node_pair_t *k = n->data.mapping.pairs.start; k < n->data.mapping.pairs.top; k++) {
        const yaml_node_t *key = yaml_document_get_node(&p->doc, k->key);
        char found[96], hint[MESSAGE_HINT];
        unsigned i = 0;

        while (names[i] && strcmp(names[i], text(key))) i++;
        if (names[i]) continue;
        snprintf(found, sizeof found, "key '%.60s'", text(key));
        snprintf(hint, sizeof hint, "one of an execution plan");
        return fault(p, key, found, hint);
    }
    return true;
}

/* ---- what is made -------------------------------------------------------------------------------- */

static bool grow(plan *p, void **at, uint32_t *room, uint32_t count, size_t size) {
    const uint32_t more = *room ? 2 * *room : 64;
    void *to;

    if (count < *room) return true;
    to = realloc(*at, more * size);
    if (!to) return no_memory(p);
    *at = to;
    *room = more;
    return true;
}

/* The lane at a GPU that serves the present block; its peers. */
static uint32_t lane_of(plan *p, uint32_t kind, uint32_t gpu, int32_t send, int32_t receive) {
    for (uint32_t i = p->lanes; i-- > 0;) {
        const lane *l = &p->lane[i];

        if (l->owner == p->all && l->kind == kind && l->gpu == gpu && l->send == send &&
            l->receive == receive)
            return i;
        if (l->kind == LANE_OWN && l->owner != p->all) break; /* those of a block stand together */
    }
    if (!grow(p, (void **)&p->lane, &p->lane_room, p->lanes, sizeof *p->lane)) return NOBODY;
    p->lane[p->lanes] = (lane){ .gpu = gpu,
                                .send = send,
                                .receive = receive,
                                /* what it sends and what answers it are two connections */
                                .channel = 2 * p->number + (kind >= LANE_ANSWER),
                                .owner = p->all,
                                .kind = kind,
                                .line = (uint32_t)p->block->start_mark.line + 1,
                                .column = (uint32_t)p->block->start_mark.column + 1 };
    return p->lanes++;
}

/* One more step of a lane; NOBODY: failed. */
static uint32_t add(plan *p, uint32_t to, msccl_type type, const chunks *source,
                    const chunks *destination, uint32_t dependency) {
    const chunks none = { 0 };
    const chunks *s = source ? source : &none, *d = destination ? destination : &none;
    lane *l;

    if (to == NOBODY || p->status != EXIT_OK) return NOBODY;
    p->moved += source ? s->count : d->count;
    if (p->steps == MSCCL_STEPS || p->moved > MSCCL_MOVED) {
        (void)fault(p, p->op, "more than 2097152 steps, or 33554432 chunks moved by all",
                    "a smaller plan");
        return NOBODY;
    }
    if (p->steps == p->step_room) {
        uint32_t room = p->step_room;

        if (!grow(p, (void **)&p->step, &p->step_room, p->steps, sizeof *p->step) ||
            !grow(p, (void **)&p->of, &room, p->steps, sizeof *p->of))
            return NOBODY;
    }
    l = &p->lane[to];
    if (!grow(p, (void **)&l->step, &l->room, l->steps, sizeof *l->step)) return NOBODY;
    p->step[p->steps] = (msccl_step){ .line = (uint32_t)p->op->start_mark.line + 1,
                                      .column = (uint32_t)p->op->start_mark.column + 1,
                                      .source = s->at,
                                      .destination = d->at,
                                      .count = source ? s->count : d->count,
                                      .dependency = dependency,
                                      .partner = MSCCL_NONE,
                                      .partner_to = MSCCL_NONE,
                                      .depends_block = -1,
                                      .depends_step = -1,
                                      .operation = p->a->operations - 1,
                                      .type = (uint8_t)type,
                                      .source_buffer = s->buffer,
                                      .destination_buffer = d->buffer,
                                      .told = true };
    p->of[p->steps] = to;
    l->step[l->steps++] = p->steps;
    return p->steps++;
}

static uint32_t own_lane(plan *p) { return lane_of(p, LANE_OWN, p->rank, -1, -1); }
static uint32_t last_own(plan *p) {
    const lane *l = &p->lane[own_lane(p)];

    return l->steps ? l->step[l->steps - 1] : MSCCL_NONE;
}
/* The block goes on behind a step of another lane. */
static void follow(plan *p, uint32_t step) {
    if (step != NOBODY) (void)add(p, own_lane(p), MSCCL_NOP, NULL, NULL, step);
}

/* Chunks, or none, to a peer; the step there that they come in with. */
static uint32_t send(plan *p, uint32_t peer, const chunks *source, const chunks *destination) {
    const uint32_t from = lane_of(p, LANE_SEND, p->rank, (int32_t)peer, -1);
    const uint32_t to = lane_of(p, LANE_ARRIVE, peer, -1, (int32_t)p->rank);
    const uint32_t s = add(p, from, MSCCL_S, source, NULL, last_own(p));
    const uint32_t r = add(p, to, MSCCL_R, NULL, destination, MSCCL_NONE);

    follow(p, s);
    return r;
}

/* A peer's chunks are asked for, and stored, or added to those of `with`. */
static void ask(plan *p, const chunks *from, const chunks *with, const chunks *to) {
    const uint32_t before = last_own(p);
    const uint32_t asked = send(p, from->rank, NULL, NULL);
    const uint32_t there = lane_of(p, LANE_ANSWER, from->rank, (int32_t)p->rank, -1);
    const uint32_t here = lane_of(p, LANE_ANSWERED, p->rank, -1, (int32_t)from->rank);

    (void)add(p, there, MSCCL_S, from, NULL, asked);
    follow(p, add(p, here, with ? MSCCL_RRC : MSCCL_R, with, to, before));
}

/* ---- operations --------------------------------------------------------------------------------- */

static const char *const buffer_words[] = { "i", "o", "s", NULL };

/* The peer of a buffer that the block may reach. */
static bool take_remote(plan *p, const yaml_node_t *n, const char *channel, chunks *to) {
    const yaml_node_t *refs = value(p, p->block, "remote_buffer_refs"), *ids = NULL, *all, *b;
    uint32_t id, at;
    int buffer;

    for (uint32_t i = 0; i < length(refs); i++)
        if (!strcmp(text(value(p, item(p, refs, i), "access_channel_type")), channel))
            ids = value(p, item(p, refs, i), "remote_buffer_ids");
    if (!number(p, n, "buffer_id", UINT32_MAX - 2, &id)) return false;
    if (id >= length(ids))
        return fault(p, n, "a buffer_id that the block has not",
                     "one of its remote_buffer_refs of the operation's channel_type");
    all = value(p, p->gpu, "remote_buffers");
    if (!whole(p, n, item(p, ids, id), "remote_buffer_ids", UINT32_MAX - 2, &at)) return false;
    if (at >= length(all))
        return fault(p, item(p, ids, id), "a number of a buffer that the GPU has not",
                     "one of its remote_buffers");
    b = item(p, all, at);
    if (!number(p, b, "rank", p->a->gpus - 1, &to->rank)) return false;
    if (to->rank == p->rank || !parse_name(text(value(p, b, "type")), buffer_words, &buffer))
        return fault(p, b, "no buffer of another GPU", "its rank, and type i, o or s");
    to->buffer = (uint8_t)buffer;
    to->remote = true;
    return true;
}

/* The part of the chunks that the block has of a group of blocks. */
static bool take_part(plan *p, chunks *c) {
    const yaml_node_t *group = value(p, p->op, "tbg_info");
    uint32_t id, size;

    c->at *= p->fine;
    c->count *= p->fine;
    if (!group) return true;
    if (!number(p, group, "tbg_size", PARTS, &size) ||
        !number(p, group, "tb_id", size ? size - 1 : 0, &id))
        return false;
    if (!size || c->count % size) return fault(p, group, "a tbg_size of 0", "1 to 64");
    c->count /= size;
    c->at += id * c->count;
    return true;
}

static bool take_chunks(plan *p, const yaml_node_t *n, const char *channel, chunks *c) {
    static const char *const names[] = { "type", "index", "size", "buffer_id", "switch_channel_id",
                                         NULL };
    int buffer;

    *c = (chunks){ .rank = p->rank };
    if (!known(p, n, names)) return false;
    if (value(p, n, "switch_channel_id"))
        return fault(p, n, "chunks behind a switch channel",
                     "buffers of GPUs: no switch here sums and multicasts single chunks");
    if (!number(p, n, "index", MOST_CHUNKS, &c->at) ||
        !number(p, n, "size", MOST_CHUNKS, &c->count))
        return false;
    if (!c->count) return fault(p, n, "size 0", "1 chunk or more");
    if (value(p, n, "buffer_id")) {
        if (!take_remote(p, n, channel, c)) return false;
    } else {
        if (!parse_name(text(value(p, n, "type")), buffer_words, &buffer))
            return fault(p, n, "chunks of no buffer", "type i, o or s, or buffer_id");
        c->buffer = (uint8_t)buffer;
    }
    if (!take_part(p, c)) return false;
    if (c->at + c->count > p->a->gpu[c->rank].chunks[c->buffer])
        return fault(p, n, "chunks behind the end of their buffer",
                     "some of its input_chunks, output_chunks or scratch_chunks");
    return true;
}

/* src_buff or dst_buff: how many; of another length than the first of all, or too many: refused. */
static bool take_list(plan *p, const char *key, const char *channel, chunks to[BUFFERS],
                      uint32_t *count) {
    const yaml_node_t *list = value(p, p->op, key);

    *count = length(list);
    if (*count > BUFFERS) return fault(p, list, "more than 16 buffers", "fewer");
    for (uint32_t i = 0; i < *count; i++)
        if (!take_chunks(p, item(p, list, i), channel, &to[i])) return false;
    return true;
}

/* Which GPU the operation's channel leads to, and the how-manieth of the GPU's to it that is. */
static bool take_channel(plan *p, const char *type, uint32_t local, const yaml_node_t *at,
                         uint32_t *peer, uint32_t *pair) {
    const yaml_node_t *mine = value(p, p->block, "channels"), *ids = NULL;
    const yaml_node_t *all = value(p, p->gpu, "channels");
    uint32_t want, seen = 0, to[MSCCL_GPUS] = { 0 };

    for (uint32_t i = 0; i < length(mine); i++)
        if (!strcmp(text(value(p, item(p, mine, i), "channel_type")), type))
            ids = value(p, item(p, mine, i), "channel_ids");
    if (local >= length(ids))
        return fault(p, at, "a channel that the block has not", "one of its channel_ids");
    if (!whole(p, at, item(p, ids, local), "channel_ids", UINT32_MAX - 2, &want)) return false;
    for (uint32_t i = 0; i < length(all); i++) {
        const yaml_node_t *c = item(p, all, i), *peers = value(p, c, "connected_to");

        if (strcmp(text(value(p, c, "channel_type")), type)) continue;
        for (uint32_t k = 0; k < length(peers); k++) {
            if (!whole(p, peers, item(p, peers, k), "connected_to", p->a->gpus - 1, peer))
                return false;
            *pair = to[*peer]++;
            if (seen++ == want)
                return *peer != p->rank || fault(p, peers, "the GPU itself", "another");
        }
    }
    return fault(p, at, "a number of a channel that the GPU has not", "one of its channels");
}

/* The peer at the other end of a channel, and the channel's number among those of both GPUs. */
static bool take_end(plan *p, const char *type, const yaml_node_t *ids, uint32_t i, uint32_t *peer,
                     uint32_t *pair) {
    uint32_t local;

    if (!whole(p, ids, item(p, ids, i), "channel_ids", UINT32_MAX - 2, &local) ||
        !take_channel(p, type, local, ids, peer, pair))
        return false;
    *pair |= !strcmp(type, "port") ? 1U << 16 : 0;
    return true;
}

static bool signal_to(plan *p, uint32_t peer, uint32_t pair) {
    uint32_t came;

    if (p->tolds == MOST_WAITS) return fault(p, p->op, "more than 32768 signals", "fewer");
    came = send(p, peer, NULL, NULL);
    if (!grow(p, (void **)&p->told, &p->told_room, p->tolds, sizeof *p->told)) return false;
    p->told[p->tolds++] = (told){ peer, p->rank, pair, came };
    return true;
}

static bool wait_for(plan *p, uint32_t peer, uint32_t pair) {
    uint32_t n = 0, step;

    if (p->waits == MOST_WAITS) return fault(p, p->op, "more than 32768 waits", "fewer");
    for (uint32_t k = 0; k < p->waits; k++)
        n += !p->wait[k].packets && p->wait[k].gpu == p->rank && p->wait[k].peer == peer &&
             p->wait[k].pair == pair;
    if (!grow(p, (void **)&p->wait, &p->wait_room, p->waits, sizeof *p->wait)) return false;
    step = add(p, own_lane(p), MSCCL_NOP, NULL, NULL, MSCCL_NONE);
    p->wait[p->waits++] = (wait){ step, p->rank, peer, pair, n, false };
    return true;
}

/* signal and wait. */
static bool tell(plan *p, const char *type, bool waits) {
    const yaml_node_t *ids = value(p, p->op, "channel_ids");

    if (!length(ids)) return fault(p, p->op, "no channel_ids", "channels of the block");
    for (uint32_t i = 0; i < length(ids); i++) {
        uint32_t peer = 0, pair = 0;

        if (!take_end(p, type, ids, i, &peer, &pair) ||
            !(waits ? wait_for(p, peer, pair) : signal_to(p, peer, pair)))
            return false;
    }
    return true;
}

/* Packets carry their own signal: their reader waits for each chunk's writer. */
static bool await_packets(plan *p, const chunks *c) {
    if (p->waits + c->count > MOST_WAITS)
        return fault(p, p->op, "more than 32768 chunks of packets", "fewer");
    for (uint32_t k = 0; k < c->count; k++) {
        if (!grow(p, (void **)&p->wait, &p->wait_room, p->waits, sizeof *p->wait)) return false;
        p->wait[p->waits++] = (wait){
            add(p, own_lane(p), MSCCL_NOP, NULL, NULL, MSCCL_NONE), p->rank, 0, 0, c->at + k, true
        };
    }
    return true;
}
static void write_packets(plan *p, const chunks *c, uint32_t step) {
    for (uint32_t k = 0; k < c->count && c->buffer == MSCCL_SCRATCH; k++) {
        uint32_t *w = &p->writer[p->scratch[c->rank] + c->at + k];

        *w = *w == NOBODY ? step : SEVERAL;
    }
}

/* ---- one operation -------------------------------------------------------------------------------- */

typedef struct operation_kind {
    const char *name;
    bool sums, reads, puts, packets; /* sums of the sources; of a peer's; to peers; packets */
    bool signals;                    /* behind each put, on the channel of the same number */
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

static bool same(const chunks *a, const chunks *b) {
    return !a->remote && !b->remote && a->buffer == b->buffer && a->at == b->at;
}

/* The sum of all sources in the first destination. */
static bool sum_up(plan *p, const chunks *source, uint32_t sources, const chunks *to) {
    bool begun = false;

    for (uint32_t i = 0; i < sources; i++) begun = begun || same(&source[i], to);
    for (uint32_t i = 0; i < sources; i++) {
        if (source[i].remote && !begun && !i)
            ask(p, &source[i], NULL, to);
        else if (source[i].remote)
            ask(p, &source[i], to, to);
        else if (!same(&source[i], to))
            (void)add(p, own_lane(p), begun ? MSCCL_RE : MSCCL_CPY, &source[i], to, MSCCL_NONE);
        begun = true;
    }
    return p->status == EXIT_OK;
}

/* Behind the i-th put, which goes to `peer`, its signal.  Only a proxy, at a port channel, puts and
 * signals in one: at a memory channel MSCCL++ copies, and its wait waits for ever. */
static bool signal_put(plan *p, const char *channel, uint32_t i, uint32_t peer) {
    const yaml_node_t *ids = value(p, p->op, "channel_ids");
    uint32_t to = 0, pair = 0;

    if (strcmp(channel, "port"))
        return fault(p, p->op, "a put with signal at another channel_type", "port");
    if (i >= length(ids))
        return fault(p, p->op, "fewer channel_ids than dst_buff", "a channel for each");
    if (!take_end(p, channel, ids, i, &to, &pair)) return false;
    if (to != peer)
        return fault(p, ids, "a channel that leads to another GPU than its buffer's",
                     "the same GPU");
    return signal_to(p, to, pair);
}

static bool move(plan *p, const operation_kind *k, const char *channel) {
    chunks source[BUFFERS], to[BUFFERS];
    uint32_t sources, tos;
    const bool puts_alone = k->puts && !k->sums;

    if (!take_list(p, "src_buff", channel, source, &sources) ||
        !take_list(p, "dst_buff", channel, to, &tos))
        return false;
    if (!sources || !tos || (!k->sums && sources > 1 && sources != tos))
        return fault(p, p->op, "buffers that do not pair", "as many of src_buff as of dst_buff");
    for (uint32_t i = 0; i < sources; i++) {
        if (source[i].count != to[0].count)
            return fault(p, p->op, "sources and destinations of different sizes", "equal ones");
        if (source[i].remote && !k->reads)
            return fault(p, p->op, "a source of another GPU", "one of its own with this operation");
        if (k->packets && source[i].buffer == MSCCL_SCRATCH && !await_packets(p, &source[i]))
            return false;
    }
    for (uint32_t i = 0; i < tos; i++) {
        if (to[i].count != to[0].count)
            return fault(p, p->op, "destinations of different sizes", "equal ones");
        if (to[i].remote != (k->puts && (i || puts_alone)))
            return fault(p, p->op, "a destination at the wrong GPU",
                         k->puts ? "one of another, behind the first of a sum" : "its own");
    }
    if (k->sums && !sum_up(p, source, sources, to)) return false;
    for (uint32_t i = 0; i < tos && !k->sums && !k->puts; i++) {
        const chunks *s = &source[sources > 1 ? i : 0];

        if (s->remote)
            ask(p, s, NULL, &to[i]);
        else
            (void)add(p, own_lane(p), MSCCL_CPY, s, &to[i], MSCCL_NONE);
        if (k->packets) write_packets(p, &to[i], last_own(p));
    }
    for (uint32_t i = puts_alone ? 0 : 1; i < tos && k->puts; i++) {
        const uint32_t came =
            send(p, to[i].rank, k->sums ? &to[0] : &source[sources > 1 ? i : 0], &to[i]);

        if (k->packets) write_packets(p, &to[i], came);
        if (k->signals && !signal_put(p, channel, i, to[i].rank)) return false;
    }
    return p->status == EXIT_OK;
}

/* Messages name the operation; its steps refer to it. */
static bool register_operation(plan *p, const char *name, uint32_t number_in_block) {
    static const char *const others[] = { "signal", "rlxsignal", "wait", "rlxwait",
                                          "flush",  "nop",       NULL };
    const char *constant = "";

    for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++)
        if (!strcmp(name, moves[i].name)) constant = moves[i].name;
    for (unsigned i = 0; others[i]; i++)
        if (!strcmp(name, others[i])) constant = others[i];
    if (!grow(p, (void **)&p->a->operation, &p->operation_room, p->a->operations,
              sizeof *p->a->operation))
        return false;
    p->a->operation[p->a->operations++] =
        (msccl_operation){ p->rank, p->number, number_in_block, constant };
    return true;
}

static bool take_operation(plan *p, uint32_t number_in_block) {
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
    const char *const name = text(value(p, p->op, "name"));
    const char *const channel = text(value(p, p->op, "channel_type"));
    const char *const sum = text(value(p, p->op, "reduce_op"));
    char found[80];

    snprintf(found, sizeof found, "operation '%.40s'", name);
    for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!strcmp(name, refused[i][0])) return fault(p, p->op, found, refused[i][1]);
    if (!known(p, p->op, keys)) return false;
    if (*sum && strcmp(sum, "sum")) return fault(p, p->op, "another reduce_op", "sum");
    if (!register_operation(p, name, number_in_block)) return false;
    if (!strcmp(name, "nop") || !strcmp(name, "flush"))
        return add(p, own_lane(p), MSCCL_NOP, NULL, NULL, MSCCL_NONE) != NOBODY;
    if (!strcmp(name, "signal") || !strcmp(name, "rlxsignal")) return tell(p, channel, false);
    if (!strcmp(name, "wait") || !strcmp(name, "rlxwait")) return tell(p, channel, true);
    for (unsigned i = 0; i < sizeof moves / sizeof *moves; i++)
        if (!strcmp(name, moves[i].name)) return move(p, &moves[i], channel);
    return fault(
        p, p->op, found,
        "put, pws, pwsf, get, copy, re, res, rre, rres, ppkt, rppkt, upkt, cpkt, repkt, respkt, "
        "signal, wait, rlxsignal, rlxwait, flush or nop");
}

/* ---- the plan ---------------------------------------------------------------------------------- */

/* Takes the name of the collective.  A plan may name one of its author's, whose results nothing can
 * check.  A name that differs from a known one by a few letters is refused: such a plan would run
 * unchecked by mistake. */
static bool take_collective(plan *p, const yaml_node_t *root) {
    static const char *const collectives[] = { "allreduce", "allgather", "reducescatter",
                                               "alltoall",  "broadcast", "reduce",
                                               NULL };
    const yaml_node_t *at = value(p, root, "collective");
    char found[96], hint[MESSAGE_HINT], expected[64 + MESSAGE_HINT];
    int c;

    if (!*text(at))
        return fault(p, at ? at : root, "no collective",
                     "allreduce, allgather, reducescatter, alltoall, broadcast, reduce or a name");
    const bool known_name = parse_name(text(at), collectives, &c);
    if (!known_name && *message_hint(hint, text(at), collectives)) {
        snprintf(found, sizeof found, "collective '%.60s'", text(at));
        snprintf(expected, sizeof expected, "a name of one's own, or a known one%s", hint);
        return fault(p, at, found, expected);
    }
    p->a->collective = known_name ? (msccl_collective)c : MSCCL_CUSTOM;
    return true;
}

static bool take_head(plan *p, const yaml_node_t *root) {
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
    const yaml_node_t *gpus = value(p, root, "gpus"), *most = value(p, root, "max_message_size");
    msccl_algorithm *a = p->a;
    uint64_t v;

    if (!known(p, root, keys)) return false;
    snprintf(a->name, sizeof a->name, "%.100s", text(value(p, root, "name")));
    if (!take_collective(p, root)) return false;
    a->in_place = !strcmp(text(value(p, root, "inplace")), "true");
    a->out_of_place = !a->in_place;
    a->gpus = length(gpus);
    if (a->gpus < 2 || a->gpus > MSCCL_GPUS)
        return fault(p, gpus ? gpus : root, "another number of gpus", "2 to 1024 of them");
    if (parse_unsigned(text(value(p, root, "min_message_size")), 0, UINT64_MAX, &v))
        a->least_bytes = v;
    if (parse_unsigned(text(most), 0, UINT64_MAX - 1, &v)) a->most_bytes = v;
    a->line = a->column = 1;
    a->gpu = calloc(a->gpus, sizeof *a->gpu);
    return a->gpu != NULL || no_memory(p);
}

/* The least number of parts of a chunk that all groups of blocks divide; false after a message. */
static bool find_parts(plan *p, const yaml_node_t *gpus) {
    uint64_t count = 0;

    p->fine = 1;
    for (uint32_t g = 0; g < p->a->gpus; g++) {
        const yaml_node_t *blocks = value(p, item(p, gpus, g), "threadblocks");

        if (length(blocks) > MSCCL_CHANNELS / 2)
            return fault(p, blocks, "more than 512 blocks", "fewer");
        for (uint32_t b = 0; b < length(blocks); b++) {
            const yaml_node_t *ops = value(p, item(p, blocks, b), "ops");

            count += length(ops);
            if (count > MSCCL_STEPS) return fault(p, ops, "more than 2097152 operations", "fewer");
            for (uint32_t i = 0; i < length(ops); i++) {
                const yaml_node_t *group = value(p, item(p, ops, i), "tbg_info");
                uint32_t size, times = 1;

                if (!group) continue;
                if (!number(p, group, "tbg_size", PARTS, &size)) return false;
                while (size && p->fine * times % size) times++;
                p->fine *= times;
                if (!size || p->fine > PARTS)
                    return fault(p, group,
                                 "groups of blocks that cut a chunk into more than 64 parts",
                                 "sizes with a smaller common multiple");
            }
        }
    }
    return true;
}

static bool take_gpu_head(plan *p, uint32_t g, uint64_t *scratch) {
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

    if (!known(p, p->gpu, keys) || !number(p, p->gpu, "id", MSCCL_GPUS, &id)) return false;
    if (id != g) return fault(p, p->gpu, "another id", "gpus in the order of their ids, from 0");
    to->line = (uint32_t)p->gpu->start_mark.line + 1;
    to->column = (uint32_t)p->gpu->start_mark.column + 1;
    for (unsigned i = 0; i < MSCCL_BUFFERS; i++) {
        if (!number(p, p->gpu, names[i], MOST_CHUNKS / PARTS, &to->chunks[i])) return false;
        to->chunks[i] *= p->fine;
        if (i < MSCCL_SCRATCH && to->chunks[i] > most) most = to->chunks[i];
    }
    if (g && most != p->a->chunks)
        return fault(p, p->gpu, "another number of chunks than gpu 0 has", "as many");
    p->a->chunks = most;
    for (unsigned i = 0; i < MSCCL_BUFFERS; i++) p->positions += to->chunks[i] + most;
    if (p->positions > MSCCL_POSITIONS)
        return fault(p, p->gpu, "more than 4194304 chunks in the buffers of all GPUs", "fewer");
    p->scratch[g] = *scratch;
    *scratch += to->chunks[MSCCL_SCRATCH];
    return true;
}

static bool take_blocks(plan *p, uint32_t g) {
    static const char *const keys[] = { "id", "ops", "channels", "remote_buffer_refs", NULL };
    const yaml_node_t *blocks = value(p, p->gpu, "threadblocks");

    for (uint32_t b = 0; b < length(blocks); b++, p->all++) {
        const yaml_node_t *ops;
        uint32_t id;

        p->block = item(p, blocks, b);
        p->rank = g;
        p->number = b;
        if (!known(p, p->block, keys) || !number(p, p->block, "id", MSCCL_CHANNELS / 2 - 1, &id))
            return false;
        if (id != b)
            return fault(p, p->block, "another id", "threadblocks in the order of their ids");
        if (own_lane(p) == NOBODY) return false;
        ops = value(p, p->block, "ops");
        for (uint32_t i = 0; i < length(ops); i++) {
            p->op = item(p, ops, i);
            if (!take_operation(p, i) || p->status != EXIT_OK) return false;
        }
    }
    return true;
}

/* What was waited for before it was made. */
static bool settle(plan *p) {
    for (uint32_t i = 0; i < p->waits; i++) {
        const wait *w = &p->wait[i];
        uint32_t n = w->number, on = NOBODY;

        if (w->packets) on = p->writer[p->scratch[w->gpu] + w->number];
        for (uint32_t k = 0; !w->packets && k < p->tolds && on == NOBODY; k++) {
            const told *t = &p->told[k];

            if (t->gpu == w->gpu && t->peer == w->peer && t->pair == w->pair && !n--) on = t->step;
        }
        if (on < SEVERAL) {
            p->step[w->step].dependency = on;
            continue;
        }
        const msccl_operation *o = &p->a->operation[p->step[w->step].operation];
        fprintf(stderr,
                "acesim: %s:%" PRIu32 ":%" PRIu32 ": gpu %" PRIu32 ", block %" PRIu32
                ", operation %" PRIu32 " (%s): found %s, expected %s\n",
                p->a->file, p->step[w->step].line, p->step[w->step].column, o->gpu, o->block,
                o->number, o->name,
                !w->packets     ? "a wait for a signal that is never given"
                : on == SEVERAL ? "packets in chunks that are written several times"
                                : "packets in chunks that nobody writes packets to",
                w->packets ? "chunks with one writer"
                           : "as many signals of the peer's channel as waits");
        p->status = EXIT_USAGE;
        return false;
    }
    return true;
}

/* Lanes become blocks, GPU by GPU, and their steps stand together. */
static bool lay_out(plan *p) {
    msccl_algorithm *a = p->a;
    uint32_t *const to = malloc((p->steps + 1) * sizeof *to);

    a->block = calloc(p->lanes + 1, sizeof *a->block);
    a->step = calloc(p->steps + 1, sizeof *a->step);
    if (!to || !a->block || !a->step) return free(to), no_memory(p);
    for (uint32_t g = 0; g < a->gpus; g++) {
        a->gpu[g].first = a->blocks;
        for (uint32_t i = 0; i < p->lanes; i++) {
            const lane *l = &p->lane[i];

            if (l->gpu != g) continue;
            a->block[a->blocks] =
                (msccl_block){ g,        a->gpu[g].blocks++, l->send, l->receive, l->channel,
                               a->steps, l->steps,           l->line, l->column };
            for (uint32_t k = 0; k < l->steps; k++) {
                to[l->step[k]] = a->steps;
                a->step[a->steps] = p->step[l->step[k]];
                a->step[a->steps++].block = a->blocks;
            }
            a->blocks++;
        }
    }
    for (uint32_t i = 0; i < a->steps; i++)
        if (a->step[i].dependency != MSCCL_NONE) a->step[i].dependency = to[a->step[i].dependency];
    free(to);
    return true;
}

/* Those that the collective has, or 0 where a GPU does not use the name. */
static bool check_buffers(plan *p, const yaml_node_t *at, const msccl_gpu *g) {
    const uint32_t all = p->a->chunks, part = all / p->a->gpus;
    const uint32_t in = p->a->collective == MSCCL_ALL_GATHER ? part : all;
    const uint32_t out = p->a->collective == MSCCL_REDUCE_SCATTER ? part : all;

    return ((!g->chunks[MSCCL_I] || g->chunks[MSCCL_I] == in) &&
            (!g->chunks[MSCCL_O] || g->chunks[MSCCL_O] == out)) ||
           fault(p, at, "input_chunks and output_chunks that are not those of the collective",
                 "as many of both, or of a gather and a scatter the gpus-th part of the other");
}

static bool take_plan(plan *p) {
    yaml_node_t *root = yaml_document_get_root_node(&p->doc);
    const yaml_node_t *gpus = value(p, root, "gpus");
    uint64_t scratch = 0;

    if (!root) return fault(p, NULL, "an empty file", "an execution plan");
    if (!take_head(p, root) || !find_parts(p, gpus)) return false;
    p->scratch = calloc(p->a->gpus, sizeof *p->scratch);
    if (!p->scratch) return no_memory(p);
    for (uint32_t g = 0; g < p->a->gpus; g++) {
        p->gpu = item(p, gpus, g);
        if (!take_gpu_head(p, g, &scratch)) return false;
    }
    if (!p->a->chunks)
        return fault(p, root, "buffers of no chunks", "input_chunks or output_chunks");
    if (p->a->collective != MSCCL_ALL_REDUCE && p->a->collective != MSCCL_BROADCAST &&
        p->a->collective != MSCCL_REDUCE && p->a->collective != MSCCL_CUSTOM &&
        p->a->chunks % p->a->gpus)
        return fault(p, root, "chunks that no GPU has as many of as another", "a multiple of gpus");
    for (uint32_t g = 0; p->a->collective != MSCCL_CUSTOM && g < p->a->gpus; g++)
        if (!check_buffers(p, item(p, gpus, g), &p->a->gpu[g])) return false;
    p->writer = malloc((scratch + 1) * sizeof *p->writer);
    if (!p->writer) return no_memory(p);
    for (uint64_t i = 0; i < scratch; i++) p->writer[i] = NOBODY;
    for (uint32_t g = 0; g < p->a->gpus; g++) {
        p->gpu = item(p, gpus, g);
        if (!take_blocks(p, g)) return false;
    }
    return settle(p) && lay_out(p);
}

int mscclpp_read(const char *path, msccl_algorithm *a) {
    plan p = { .a = a, .status = EXIT_OK };
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
    free(p.of);
    free(p.wait);
    free(p.told);
    free(p.writer);
    free(p.scratch);
    free(all);
    return p.status;
}
