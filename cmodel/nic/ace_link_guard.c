/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_link_guard.h"

#include <stdlib.h>

static bool is_power(unsigned n) { return n && !(n & (n - 1)); }

int ace_link_guard_create(unsigned frames, unsigned rows, unsigned spare, bool payload,
                          ace_link_guard **guard) {
    if (frames && (!is_power(frames) || frames > 16384 || !is_power(rows) || rows < 4 ||
                   rows > 16384 || spare >= frames))
        return ACE_EINVAL;
    ace_link_guard *g = calloc(1, sizeof *g);
    if (!g) return ACE_ENOMEM;
    g->frames = frames;
    g->rows = rows;
    g->spare = spare;
    g->cost = ACE_COST_ONE;
    if (frames) g->kept = calloc(frames, sizeof *g->kept);
    if (frames && payload) g->kept_rows = calloc(rows, sizeof *g->kept_rows);
    if (frames && (!g->kept || (payload && !g->kept_rows))) {
        ace_link_guard_destroy(g);
        return ACE_ENOMEM;
    }
    *guard = g;
    return ACE_OK;
}

/* The least power of two that is no less. */
static unsigned power_from(unsigned n) {
    unsigned power = 1;
    while (power < n) power *= 2;
    return power;
}

int ace_link_guard_create_for(unsigned input_rows, unsigned router_rows, bool retry, bool payload,
                              ace_link_guard **guard) {
    const unsigned credits = input_rows + router_rows;
    return ace_link_guard_create(retry ? power_from(4 * credits) : 0,
                                 power_from(input_rows < 4 ? 4 : input_rows), credits + 4, payload,
                                 guard);
}

void ace_link_guard_destroy(ace_link_guard *g) {
    if (!g) return;
    free(g->kept);
    free(g->kept_rows);
    free(g);
}

void ace_link_guard_reset(ace_link_guard *g) {
    const ace_link_guard was = *g;
    *g = (ace_link_guard){ .frames = was.frames,
                           .rows = was.rows,
                           .spare = was.spare,
                           .retry = was.retry,
                           .cost = was.cost,
                           .kept = was.kept,
                           .kept_rows = was.kept_rows };
}

void ace_link_guard_state(ace_link_guard *g, ace_state *s) {
    ACE_STATE_BUT(s, *g, &g->kept, &g->kept_rows);
    ace_state_bytes(s, g->kept, g->frames * sizeof *g->kept);
    if (g->kept_rows) ace_state_bytes(s, g->kept_rows, g->rows * sizeof *g->kept_rows);
}

static const ace_kept_frame *kept(const ace_link_guard *g, uint16_t number) {
    return &g->kept[number & (g->frames - 1)];
}

bool ace_link_guard_hold(const ace_link_guard *g) {
    if (g->failed || !g->retry) return g->failed;
    const uint32_t rows = (g->row - kept(g, g->base)->rows) & (2 * g->rows - 1);
    return ace_link_guard_again(g) || ace_link_guard_tight(g) ||
           (g->next != g->base && rows > g->rows - 2);
}

/* The packet sent again has had its time on the link, or the frame has none. */
static bool repeats(const ace_link_guard *g) {
    return ace_link_guard_again(g) &&
           (g->acc + ACE_COST_ONE >= g->cost || !(kept(g, g->send)->head & 1));
}

void ace_link_guard_show(const ace_link_guard *g, const ace_frame *given, ace_frame *tx) {
    const bool again = ace_link_guard_again(g);
    const bool direct = !again && (given->head & ACE_FRAME_NUMBERED);
    *tx = (ace_frame){ .number = g->next, .ack = g->expect };
    if (repeats(g)) {
        const ace_kept_frame *k = kept(g, g->send);
        tx->valid = true;
        tx->head = k->head;
        tx->route = k->route;
        tx->number = g->send;
        if (g->kept_rows && (k->head & 1)) tx->row = g->kept_rows[k->rows & (g->rows - 1)];
    } else if (direct) {
        tx->valid = true;
        tx->head = ace_frame_clean(given->head);
        if (tx->head & 1) {
            tx->route = given->route;
            tx->row = given->row;
        }
    } else {
        tx->valid = g->retry && (g->resend || (g->owe && !g->wait));
    }
    tx->head |= (uint64_t)g->resend << ACE_FRAME_RESEND;
}

/* A frame with a number: how far it is from the one expected, as 16 bits. */
static uint16_t ahead(const ace_link_guard *g, const ace_frame *rx) {
    return (uint16_t)(rx->number - g->expect);
}

bool ace_link_guard_accepts(const ace_link_guard *g, const ace_frame *rx, bool good) {
    return rx->valid && good && (rx->head & ACE_FRAME_NUMBERED) && ahead(g, rx) == 0;
}

/* What arrived, and what was sent in the same cycle. */
static void receive(ace_link_guard *g, const ace_frame *rx, bool good, bool sends) {
    const bool accept = ace_link_guard_accepts(g, rx, good), bad = rx->valid && !good;
    const bool dropped = rx->valid && good && (rx->head & ACE_FRAME_NUMBERED) && !accept;
    const bool repeated = dropped && ahead(g, rx) & 0x8000, beyond = dropped && !repeated;
    g->bad += bad;
    g->dropped += dropped;
    g->expect = (uint16_t)(g->expect + accept);
    if (!g->retry) {
        g->failed |= bad || dropped;
        return;
    }
    if (repeated)
        g->wait = 0;
    else if (accept && (!g->owe || sends))
        g->wait = ACE_GUARD_ACK_WAIT;
    else
        g->wait = (uint8_t)(g->wait - (g->wait != 0));
    g->owe = accept || repeated || (g->owe && !sends);
    if (accept) {
        g->resend = g->told = false;
    } else if ((bad || beyond) && !g->told) {
        g->resend = g->told = true;
    } else if (sends) {
        g->resend = false;
    }
}

void ace_link_guard_move(ace_link_guard *g, const ace_frame *given, const ace_frame *rx,
                         bool good) {
    ace_frame tx;
    ace_link_guard_show(g, given, &tx);
    const bool any = given->head & ACE_FRAME_NUMBERED, again = ace_link_guard_again(g);
    const bool repeats_ = repeats(g), direct = any && !again;
    const uint16_t used = ace_link_guard_used(g), acked = (uint16_t)(rx->ack - g->base);
    const bool heard = rx->valid && good && g->retry && acked <= used, gone = heard && acked;
    const uint16_t base = heard ? rx->ack : g->base,
                   sent = (uint16_t)(g->send + (repeats_ || direct));
    const bool late = g->retry && !g->failed && used && !again && g->timer + 1u >= g->retry;
    const bool packet = again && kept(g, g->send)->head & 1;
    const bool last = g->tries == ACE_GUARD_TRIES;
    const bool back = !g->failed && g->next != base &&
                      ((heard && rx->head >> ACE_FRAME_RESEND & 1) || (late && !gone && !last));

    receive(g, rx, good, tx.valid);
    if (g->retry) {
        if (any) {
            const uint64_t head = ace_frame_clean(given->head);
            g->kept[g->next & (g->frames - 1)] =
                (ace_kept_frame){ head, head & 1 ? given->route : 0, g->row };
            if (head & 1 && g->kept_rows)
                ace_row_copy(g->kept_rows[g->row & (g->rows - 1)], given->row);
            g->row += head & 1;
        }
        g->resent += repeats_ && packet && g->send != g->fresh;
        g->fresh = (uint16_t)(g->fresh + (direct || (repeats_ && g->send == g->fresh)));
        g->acc = !again ? 0 : !packet ? g->acc : g->acc + ACE_COST_ONE - (repeats_ ? g->cost : 0);
        g->send = back || (heard && (uint16_t)(sent - g->base) < acked) ? base : sent;
        g->base = base;
        g->timer = gone || again || back || !used ? 0 : (uint16_t)(g->timer + 1);
        g->tries = gone ? 0 : (uint8_t)(g->tries + (late && back));
        g->failed |= late && !gone && last;
    }
    g->next = (uint16_t)(g->next + any);
}

/* ---- pins ---- */

static ace_frame frame_given(const ace_link_guard_in *in) {
    return (ace_frame){ .head = in->s_head, .route = in->s_route, .row = in->s_data };
}
static ace_frame frame_rx(const ace_link_guard_in *in) {
    return (ace_frame){ .valid = in->rx_frame,
                        .head = in->rx_head,
                        .route = in->rx_route,
                        .number = in->rx_number,
                        .ack = in->rx_ack,
                        .row = in->rx_data };
}
/* As the pins have it in this cycle. */
static ace_link_guard set(const ace_link_guard *g, const ace_link_guard_in *in) {
    ace_link_guard now = *g;
    now.retry = in->cfg_retry;
    now.cost = ace_cost(in->cfg_cost);
    return now;
}

void ace_link_guard_eval(const ace_link_guard *g, const ace_link_guard_in *in,
                         ace_link_guard_out *o) {
    const ace_link_guard now = set(g, in);
    const ace_frame given = frame_given(in), rx = frame_rx(in);
    ace_frame tx;
    ace_link_guard_show(&now, &given, &tx);
    o->m_hold = ace_link_guard_hold(&now);
    o->m_tight = ace_link_guard_tight(&now);
    o->tx_frame = tx.valid;
    o->tx_head = tx.head;
    o->tx_route = tx.route;
    o->tx_number = tx.number;
    o->tx_ack = tx.ack;
    o->tx_data = tx.row;
    o->tx_crc = tx.valid ? ace_frame_crc(&tx) : 0;
    o->m_accept = rx.valid && ace_link_guard_accepts(&now, &rx, ace_frame_crc(&rx) == in->rx_crc);
    o->failed = now.failed;
    o->count_resent = now.resent;
    o->count_bad = now.bad;
    o->count_dropped = now.dropped;
    o->idle = ace_link_guard_idle(&now);
}

void ace_link_guard_tick(ace_link_guard *g, const ace_link_guard_in *in) {
    const ace_frame given = frame_given(in), rx = frame_rx(in);
    *g = set(g, in);
    ace_link_guard_move(g, &given, &rx, rx.valid && ace_frame_crc(&rx) == in->rx_crc);
}
