/* SPDX-License-Identifier: Apache-2.0 */
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

/* ---- items: eight words, the first the lowest -------------------------------------- */

void ace_list_item_write(const ace_list_item *i, uint32_t *to) {
    const bool send = i->what == ACE_LIST_SEND;
    const uint64_t amount = send ? i->bytes : i->rows;
    const uint64_t word[] = { (uint64_t)i->what | (uint64_t)i->key << 8 | (uint64_t)i->hops << 16,
                              i->source | (uint64_t)i->piece << 40,
                              i->target | (uint64_t)i->gap << 40, amount };
    for (unsigned w = 0; w < 4; w++) {
        to[2 * w] = (uint32_t)word[w];
        to[2 * w + 1] = (uint32_t)(word[w] >> 32);
    }
}

void ace_list_item_read(const uint32_t *from, ace_list_item *i) {
    uint64_t word[4];
    for (unsigned w = 0; w < 4; w++) word[w] = from[2 * w] | (uint64_t)from[2 * w + 1] << 32;
    const uint8_t what = (uint8_t)word[0];
    *i = (ace_list_item){ .what = what == ACE_LIST_SEND || what == ACE_LIST_RECEIVE
                                      ? (ace_list_what)what
                                      : ACE_LIST_NOTHING,
                          .key = (uint8_t)(word[0] >> 8),
                          .hops = (uint32_t)(word[0] >> 16),
                          .source = word[1] & ROW_ADDRESS,
                          .piece = (uint16_t)(word[1] >> 40),
                          .target = (uint32_t)word[2],
                          .gap = (uint16_t)(word[2] >> 40),
                          .bytes = word[3] & ((UINT64_C(1) << 41) - 1),
                          .rows = word[3] & ((UINT64_C(1) << 33) - 1) };
}

static void item_of(const ace_list_walk *l, ace_list_item *i) {
    ace_list_item_read(&l->list[l->rd][l->item * (ACE_LIST_ITEM_BYTES / 4)], i);
}

uint8_t ace_list_walk_receive_key(const ace_list_walk *l) {
    return (uint8_t)(l->list[l->rd][l->item * (ACE_LIST_ITEM_BYTES / 4)] >> 8);
}

/* ---- what is asked for -------------------------------------------------------------- */

static bool fetches(const ace_list_walk *l) { return l->fetch_left && l->places != ACE_LIST_ROWS; }

/* The send whose turn it is, -1 for none. */
static int whose_turn(const ace_list_walk *l) {
    const uint64_t later = l->valid >> l->turn << l->turn;
    return l->valid ? __builtin_ctzll(later ? later : l->valid) : -1;
}

void ace_list_walk_eval(const ace_list_walk *l, const ace_list_walk_in *in, ace_list_walk_out *o) {
    const bool fetch = fetches(l);
    const int who = whose_turn(l);

    *o = (ace_list_walk_out){ .m_ask_valid = fetch || who >= 0,
                              .m_ask_list = fetch,
                              .m_ask_source = l->fetch_row,
                              .busy = ace_list_walk_busy(l) };
    if (!fetch && who >= 0) {
        const ace_list_send *s = &l->send[who];
        o->m_ask_source = s->source;
        o->m_ask_target = s->target;
        o->m_ask_hops = s->hops;
        o->m_ask_bytes = s->left == 1 ? s->tail : ACE_ROW_BYTES;
        o->m_ask_key = s->key;
    }
    if (l->held) {
        ace_list_item i;
        item_of(l, &i);
        o->m_consume = i.what == ACE_LIST_RECEIVE && in->s_arrived >= i.rows;
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
    l->protocol_error |= i->key < ACE_LIST_KEYS_FIRST;
}

static void send_row(ace_list_walk *l, unsigned who) {
    ace_list_send *s = &l->send[who];
    const uint64_t jump = s->piece_left == 1 ? s->gap + UINT64_C(1) : 1;
    s->source = (s->source + jump) & ROW_ADDRESS;
    s->target += (uint32_t)jump;
    s->piece_left = s->piece_left == 1 ? s->piece : (uint16_t)(s->piece_left - 1);
    if (--s->left == 0) l->valid &= ~(UINT64_C(1) << who);
    l->turn = ace_ring_next(who, l->sends);
}

void ace_list_walk_tick(ace_list_walk *l, const ace_list_walk_in *in) {
    const uint64_t all = l->sends == 64 ? UINT64_MAX : (UINT64_C(1) << l->sends) - 1;
    const bool fetch = fetches(l), fits = l->valid != all;
    const int who = fetch ? -1 : whose_turn(l);
    ace_list_item item = { .what = ACE_LIST_NOTHING };
    bool next = false;

    l->protocol_error |= in->s_start && ace_list_walk_busy(l);
    l->protocol_error |= in->s_list_valid && l->held == l->places;
    if (l->held) {
        item_of(l, &item);
        next = item.what == ACE_LIST_SEND      ? fits
               : item.what == ACE_LIST_RECEIVE ? in->s_arrived >= item.rows
                                               : true;
    }
    /* a place is taken among those that were free before this edge */
    if (next && item.what == ACE_LIST_SEND) begin(l, &item);
    if (who >= 0 && in->s_take) send_row(l, (unsigned)who);
    if (next) {
        l->item = (l->item + 1) % ACE_LIST_ROW_ITEMS;
        if (!l->item) {
            l->rd = (l->rd + 1) % ACE_LIST_ROWS;
            l->held--;
            l->places--;
        }
    }
    if (in->s_list_valid) {
        ace_row_copy(l->list[l->wr], in->s_list_data);
        l->wr = (l->wr + 1) % ACE_LIST_ROWS;
        l->held++;
    }
    if (fetch && in->s_take) {
        l->fetch_row = (l->fetch_row + 1) & ROW_ADDRESS;
        l->fetch_left--;
        l->places++;
    }
    if (in->s_start) {
        l->fetch_row = in->s_row;
        l->fetch_left = in->s_rows;
    }
}
