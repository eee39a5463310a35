/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_dispatcher.h"

#include <stdlib.h>

#include "ace_node.h"

enum { DIVISION_CYCLES = 12 };

int ace_dispatcher_create(const ace_config *cfg, unsigned commands, ace_dispatcher *d) {
    *d = (ace_dispatcher){ .cfg = cfg, .commands = commands };
    d->waiting = calloc(commands, sizeof *d->waiting);
    return d->waiting ? ACE_OK : ACE_ENOMEM;
}

void ace_dispatcher_destroy(ace_dispatcher *d) { free(d->waiting); }

void ace_dispatcher_reset(ace_dispatcher *d) {
    d->head = d->tail = 0;
    d->next_mark = 0;
    d->state = ACE_DISPATCH_IDLE;
}

static void take(ace_dispatcher *d, const ace_command *c) {
    ace_waiting *w = &d->waiting[d->tail % d->commands];
    w->kind = (uint8_t)c->kind;
    w->type = (uint8_t)c->type;
    w->count = 0;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) w->dims[i] = 0;
    for (unsigned i = 0; i < c->dim_count; i++)
        if (d->cfg->ring[c->dims[i]] > 1) /* rings of one node take no part */
            w->dims[w->count++] = c->dims[i];
    w->source = c->source;
    w->destination = c->destination;
    w->limit = c->destination + c->bytes;
    w->rows = (c->bytes + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES;
    w->tag = c->tag;
    w->mark = d->next_mark;
    d->next_mark = (uint8_t)(d->next_mark + 53);
    d->tail++;
}

/* The command dimension and the kind of each phase of a list, first to last. */
static unsigned list_phases(const ace_waiting *w, uint8_t slot[ACE_PHASES],
                            uint8_t kind[ACE_PHASES]) {
    unsigned n = 0;
    if (w->kind == ACE_ALL_REDUCE && w->count > 1) {
        slot[n] = 0, kind[n++] = ACE_PHASE_REDUCE_SCATTER;
        for (uint8_t i = 1; i < w->count; i++) slot[n] = i, kind[n++] = ACE_PHASE_ALL_REDUCE;
        slot[n] = 0, kind[n++] = ACE_PHASE_ALL_GATHER;
    } else
        for (uint8_t i = 0; i < w->count; i++) {
            slot[n] = w->kind == ACE_ALL_GATHER ? (uint8_t)(w->count - 1 - i) : i;
            kind[n++] = w->kind == ACE_ALL_REDUCE       ? ACE_PHASE_ALL_REDUCE
                        : w->kind == ACE_REDUCE_SCATTER ? ACE_PHASE_REDUCE_SCATTER
                                                        : ACE_PHASE_ALL_GATHER;
        }
    return n;
}

static void plan(ace_dispatcher *d) {
    const ace_waiting *w = &d->waiting[d->at];
    const ace_config *cfg = d->cfg;
    const bool reduce = w->kind == ACE_ALL_REDUCE;
    uint16_t shard[ACE_DIMENSIONS] = { 0 };
    uint32_t own = 0, end = d->rows_cut; /* a shard ends with the shard it was cut from */
    for (unsigned i = 0; i < w->count; i++) {
        const uint16_t whole = i == 0 ? d->rows_cut : reduce ? shard[0] : shard[i - 1];
        const uint8_t n = cfg->ring[w->dims[i]];
        shard[i] = (uint16_t)((whole + n - 1) / n);
        own += (uint32_t)cfg->rank[w->dims[i]] * shard[i];
        end = own + shard[i] < end ? own + shard[i] : end;
    }
    const uint64_t own_bytes = (uint64_t)own * ACE_ROW_BYTES;
    const uint16_t own_rows = w->count ? shard[w->count - 1] : d->rows_cut;

    ace_chunk *c = &d->chunk;
    uint8_t slot[ACE_PHASES], kind[ACE_PHASES];
    const unsigned n = list_phases(w, slot, kind);
    for (unsigned p = 0; p < ACE_PHASES; p++) {
        const bool used = p + n >= ACE_PHASES;
        const unsigned s = used ? slot[p + n - ACE_PHASES] : 0;
        c->kinds[p] = used ? kind[p + n - ACE_PHASES] : ACE_PHASE_NONE;
        c->dims[p] = used ? w->dims[s] : 0;
        c->shards[p] = used ? shard[s] : 0;
        c->valids[p] = !used                                 ? 0
                       : c->kinds[p] == ACE_PHASE_ALL_GATHER ? shard[s]
                       : s == 0                              ? d->rows_cut
                       : reduce                              ? shard[0]
                                                             : shard[s - 1];
    }
    c->type = w->type;
    c->mark = w->mark;
    c->load_address = w->source + (w->kind == ACE_ALL_GATHER ? own_bytes : 0);
    c->load_rows = w->kind == ACE_ALL_GATHER ? own_rows : d->rows_cut;
    c->store_address = w->destination + (w->kind == ACE_REDUCE_SCATTER ? own_bytes : 0);
    c->store_rows = w->kind == ACE_REDUCE_SCATTER ? own_rows : d->rows_cut;
    c->limit = w->limit;
    const uint64_t shard_limit = w->destination + (uint64_t)end * ACE_ROW_BYTES;
    if (w->kind == ACE_REDUCE_SCATTER && w->count && shard_limit < c->limit) c->limit = shard_limit;
    /* Every address of the chunk is a multiple of the burst, so none crosses 4 KiB. */
    const unsigned grain = cfg->chunk_rows | shard[0] | shard[1] | shard[2] | 16u;
    c->burst = (uint8_t)__builtin_ctz(grain);
    c->last = d->rows_cut == w->rows;
    c->tag = w->tag;
}

void ace_dispatcher_tick(ace_dispatcher *d, const ace_command *cmd, bool chunk_ready) {
    switch (d->state) {
    case ACE_DISPATCH_IDLE:
        if (cmd && d->tail - d->head != d->commands) {
            take(d, cmd);
        } else if (d->tail != d->head) {
            d->at = (d->cfg->order == ACE_FIFO ? d->head : d->tail - 1) % d->commands;
            const ace_waiting *w = &d->waiting[d->at];
            d->rows_cut = w->rows > d->cfg->chunk_rows ? d->cfg->chunk_rows : (uint16_t)w->rows;
            d->left = DIVISION_CYCLES * w->count;
            d->state = d->left ? ACE_DISPATCH_DIVIDE : ACE_DISPATCH_EMIT;
            plan(d);
        }
        break;
    case ACE_DISPATCH_DIVIDE:
        if (--d->left == 0) d->state = ACE_DISPATCH_EMIT;
        break;
    default:
        if (chunk_ready) {
            ace_waiting *w = &d->waiting[d->at];
            if (d->chunk.last) {
                if (d->cfg->order == ACE_FIFO)
                    d->head++;
                else
                    d->tail--;
            }
            w->rows -= d->rows_cut;
            w->source += (uint64_t)d->rows_cut * ACE_ROW_BYTES;
            w->destination += (uint64_t)d->rows_cut * ACE_ROW_BYTES;
            w->mark++;
            d->state = ACE_DISPATCH_IDLE;
        }
    }
}
