/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_list_walk.c -- the twin of rtl/ace_list_walk.v: items become sends
 *
 * Rows of the list go into a small ring, from which items are taken one at a time. A send occupies
 * a slot, and slots send one row each, round-robin. A receive blocks the items after it until
 * enough rows have arrived. A wrong item is reported and skipped. The list is fetched before rows
 * of sends are read.
 */
#include "ace_list_walk.h"

#include <stdlib.h>

static const uint64_t ROW_ADDRESS = (UINT64_C(1) << 40) - 1;

int ace_list_walk_create(unsigned sends, ace_list_walk **walk) {
    if (sends < 1 || sends > ACE_LIST_SENDS_MAX) return ACE_EINVAL;
    ace_list_walk *l = calloc(1, sizeof *l);
    if (!l) return ACE_ENOMEM;
    l->sends = sends;
    *walk = l;
    return ACE_OK;
}

void ace_list_walk_destroy(ace_list_walk *l) { free(l); }

void ace_list_walk_reset(ace_list_walk *l) {
    const uint32_t sends = l->sends;
    memset(l, 0, sizeof *l);
    l->sends = sends;
}

void ace_list_walk_state(ace_list_walk *l, ace_state *s) {
    const uint32_t sends = l->sends;
    ACE_STATE(s, *l);
    ACE_STATE_BOOLS(s, "ace_list_walk.protocol_error", &l->protocol_error, &l->here, &l->enough,
                    &l->peers, &l->code_mismatch, &l->wrong);
    ace_state_must(s, l->sends == sends, "ace_list_walk.sends");
    ace_state_must(s, l->turn < sends, "ace_list_walk.turn");
    ace_state_must(s, sends == 64 || !(l->valid >> sends), "ace_list_walk.valid");
    ace_state_must(s, l->places <= ACE_LIST_ROWS, "ace_list_walk.places");
    ace_state_must(s, l->held <= l->places, "ace_list_walk.held");
    ace_state_must(s, l->rd < ACE_LIST_ROWS, "ace_list_walk.rd");
    ace_state_must(s, l->wr == (l->rd + l->held) % ACE_LIST_ROWS, "ace_list_walk.wr");
    ace_state_must(s, l->item < ACE_LIST_ROW_ITEMS, "ace_list_walk.item");
    for (uint64_t set = l->valid; ace_state_loaded(s) && set; set &= set - 1)
        ace_state_must(s, l->send[__builtin_ctzll(set)].left != 0, "ace_list_walk.send");
}

/* ---- items: eight words, the first the lowest -------------------------------------- */

/* Returns whether the current item breaks the contract. */
static bool bad(const ace_list_walk *l, uint32_t ring) {
    const uint32_t *w = l->now;
    const uint8_t what = (uint8_t)w[0], key = (uint8_t)(w[0] >> 8);
    const uint64_t hops = w[0] >> 16 | (uint64_t)w[1] << 16;
    const uint64_t amount = w[6] | (uint64_t)w[7] << 32;
    const unsigned first = ring >> 24 > 1 ? 2 * ACE_LIST_KEYS_FIRST : ACE_LIST_KEYS_FIRST;
    ace_list_item i;
    if (!l->here || what == ACE_LIST_NOTHING) return false;
    if (what > ACE_LIST_PEERS || (l->peers && what != ACE_LIST_RECEIVE)) return true;
    if (what == ACE_LIST_PEERS) return amount > UINT64_C(1) << 32 || l->fetch_left || l->places;
    if (key < first) return true;
    if (what == ACE_LIST_RECEIVE) return amount > UINT64_C(1) << 32;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned on = hops >> 8 * d & 0x7f;
        if (on && on >= (ring >> 8 * d & 0xff)) return true;
    }
    ace_list_item_read(w, &i);
    return amount > UINT64_C(1) << 40 || (!i.piece && i.gap);
}

uint8_t ace_list_walk_receive_key(const ace_list_walk *l) { return (uint8_t)(l->now[0] >> 8); }

/* ---- requests for rows -------------------------------------------------------------- */

static bool fetches(const ace_list_walk *l) { return l->fetch_left && l->places != ACE_LIST_ROWS; }

/* Returns the slot of the send whose row is next, or -1. */
static int next_send(const ace_list_walk *l) {
    const uint64_t later = l->valid >> l->turn << l->turn;
    return l->valid ? __builtin_ctzll(later ? later : l->valid) : -1;
}

void ace_list_walk_eval(const ace_list_walk *l, const ace_list_walk_in *in, ace_list_walk_out *o) {
    const bool fetch = fetches(l);
    const int slot = next_send(l);

    *o = (ace_list_walk_out){ .m_ask_valid = fetch || slot >= 0,
                              .m_ask_list = fetch,
                              .m_ask_source = l->fetch_row,
                              .m_wrong = l->wrong,
                              .busy = ace_list_walk_busy(l) };
    if (!fetch && slot >= 0) {
        const ace_list_send *s = &l->send[slot];
        o->m_ask_source = s->source;
        o->m_ask_target = s->target;
        o->m_ask_hops = s->hops;
        o->m_ask_bytes = s->left == 1 ? s->tail : ACE_ROW_BYTES;
        o->m_ask_key = s->key;
    }
    if (l->here) {
        ace_list_item i;
        ace_list_item_read(l->now, &i);
        o->m_bad = bad(l, in->cfg_ring);
        o->m_bad_addr = l->now_at * ACE_LIST_ITEM_BYTES;
        o->m_peers = l->peers;
        o->m_consume = l->enough && !o->m_bad;
        o->m_receive_key = i.key;
        o->m_consume_rows = i.rows;
    }
}

/* ---- the rising edge ---------------------------------------------------------------- */

static void begin(ace_list_walk *l, const ace_list_item *i) {
    const unsigned at = (unsigned)__builtin_ctzll(~l->valid);
    const uint64_t rows = ace_list_item_rows(i);
    l->send[at] =
        (ace_list_send){ .source = i->source,
                         .target = i->target,
                         .left = rows,
                         .hops = i->hops,
                         .tail = (uint16_t)(i->bytes ? i->bytes - (rows - 1) * ACE_ROW_BYTES : 0),
                         .piece = i->piece,
                         .gap = i->gap,
                         .piece_left = i->piece,
                         .key = i->key };
    l->valid |= UINT64_C(1) << at;
}

static void send_row(ace_list_walk *l, unsigned slot) {
    ace_list_send *s = &l->send[slot];
    const uint64_t jump = s->piece_left == 1 ? s->gap + UINT64_C(1) : 1;
    s->source = (s->source + jump) & ROW_ADDRESS;
    s->target += (uint32_t)jump;
    s->piece_left = s->piece_left == 1 ? s->piece : (uint16_t)(s->piece_left - 1);
    if (--s->left == 0) l->valid &= ~(UINT64_C(1) << slot);
    l->turn = ace_ring_next(slot, l->sends);
}

/* Takes the next item out of its row. */
static void move(ace_list_walk *l) {
    const uint64_t row = (l->fetch_row - l->places) & ROW_ADDRESS;
    memcpy(l->now, &l->list[l->rd][l->item * (ACE_LIST_ITEM_BYTES / 4)], sizeof l->now);
    l->now_at = row * ACE_LIST_ROW_ITEMS + l->item;
    l->item = (l->item + 1) % ACE_LIST_ROW_ITEMS;
    if (l->item) return;
    l->code_mismatch = !ace_row_fits(l->list[l->rd], l->codes[l->rd]);
    l->rd = (l->rd + 1) % ACE_LIST_ROWS;
    l->held--;
    l->places--;
}

void ace_list_walk_tick(ace_list_walk *l, const ace_list_walk_in *in) {
    const uint64_t all = l->sends == 64 ? UINT64_MAX : (UINT64_C(1) << l->sends) - 1;
    const bool fetch = fetches(l), fits = l->valid != all;
    const int slot = fetch ? -1 : next_send(l);
    ace_list_item item = { .what = ACE_LIST_NOTHING };
    bool next = false;

    l->protocol_error |= in->s_start && ace_list_walk_busy(l);
    l->protocol_error |= in->s_list_valid && l->held == l->places;
    if (bad(l, in->cfg_ring)) {
        next = true; /* a wrong item is skipped */
    } else if (l->here) {
        ace_list_item_read(l->now, &item);
        next = item.what == ACE_LIST_SEND ? fits : item.what == ACE_LIST_RECEIVE ? l->enough : true;
    }
    l->enough = item.what == ACE_LIST_RECEIVE && !next && in->s_arrived >= item.rows;
    /* the new send gets a slot that was free before this edge */
    if (next && item.what == ACE_LIST_SEND) begin(l, &item);
    if (slot >= 0 && in->s_take) send_row(l, (unsigned)slot);
    const bool moves = l->held && (!l->here || next);
    l->here = moves || (l->here && !next);
    l->wrong = l->code_mismatch;
    l->code_mismatch = false;
    if (moves) move(l);
    if (in->s_list_valid) {
        ace_row_copy(l->list[l->wr], in->s_list_data);
        l->codes[l->wr] = in->s_list_code;
        l->wr = (l->wr + 1) % ACE_LIST_ROWS;
        l->held++;
    }
    if (fetch && in->s_take) {
        l->fetch_row = (l->fetch_row + 1) & ROW_ADDRESS;
        l->fetch_left--;
        l->places++;
    }
    if (item.what == ACE_LIST_PEERS) {
        l->fetch_row = item.source;
        l->fetch_left = item.rows;
        l->peers = true;
    }
    if (in->s_start) {
        l->fetch_row = in->s_row;
        l->fetch_left = in->s_rows;
        l->peers = false;
    }
}
