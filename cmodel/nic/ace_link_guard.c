/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_guard.c -- the twin of rtl/ace_link_guard.v: a go-back-N window of frames
 *
 * The window lies between `base`, the oldest frame without an acknowledgement, and `next`, the
 * number of the next frame. `send` goes back to `base` when the peer requests a repetition or a
 * timer ends. A packet that is repeated takes its time on the link again, which `due` counts.
 * Heads stay in a ring of frames, rows in a smaller ring of their own. With retry off the first
 * bad frame makes the link fail.
 */
#include "ace_link_guard.h"

#include <stdlib.h>

#include "ace_flit.h"

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
    g->cost = g->due = ACE_COST_ONE;
    if (frames) g->kept = calloc(frames, sizeof *g->kept);
    if (frames) g->kept_sums = calloc(rows, sizeof *g->kept_sums);
    if (frames && payload) g->kept_rows = calloc(2 * (size_t)rows, sizeof *g->kept_rows);
    if (frames && (!g->kept || !g->kept_sums || (payload && !g->kept_rows))) {
        ace_link_guard_destroy(g);
        return ACE_ENOMEM;
    }
    *guard = g;
    return ACE_OK;
}

/* Returns the least power of two that is at least n. */
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
    free(g->kept_sums);
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
                           .due = ACE_COST_ONE,
                           .kept = was.kept,
                           .kept_sums = was.kept_sums,
                           .kept_rows = was.kept_rows };
}

/* Checks a loaded state: the invariants that tests/formal/link_guard.v proves. */
static void check(const ace_link_guard *g, const ace_link_guard *made, ace_state *s) {
    const uint16_t used = (uint16_t)(g->next - g->base), sent = (uint16_t)(g->send - g->base),
                   fresh = (uint16_t)(g->fresh - g->base);
    ace_state_must(s,
                   g->frames == made->frames && g->rows == made->rows && g->spare == made->spare &&
                       g->retry == made->retry && g->cost == made->cost,
                   "ace_link_guard.frames");
    ACE_STATE_BOOLS(s, "ace_link_guard.hold", &g->owe, &g->resend, &g->told, &g->failed, &g->hold,
                    &g->tight, &g->put, &g->fresh_row, &g->kept_row);
    if (!ace_state_loaded(s) || !g->retry) return;
    ace_state_must(s, used <= g->frames, "ace_link_guard.next");
    ace_state_must(s, fresh <= used, "ace_link_guard.fresh");
    ace_state_must(s, sent <= fresh, "ace_link_guard.send");
    ace_state_must(s, g->tries <= ACE_GUARD_TRIES, "ace_link_guard.tries");
    ace_state_must(s, g->wait <= ACE_GUARD_ACK_WAIT, "ace_link_guard.wait");
    ace_state_must(s, g->timer <= g->retry, "ace_link_guard.timer");
    ace_state_must(s, g->row - g->from <= g->rows, "ace_link_guard.from");
    ace_state_must(s, g->due <= g->cost + 2 * ACE_COST_ONE, "ace_link_guard.due");
}

void ace_link_guard_state(ace_link_guard *g, ace_state *s) {
    const ace_link_guard made = *g;
    ACE_STATE_BUT(s, *g, &g->kept, &g->kept_sums, &g->kept_rows);
    if (ace_state_loaded(s)) check(g, &made, s);
    if (s->failed) return;
    ace_state_bytes(s, g->kept, g->frames * sizeof *g->kept);
    if (g->kept_rows) ace_state_bytes(s, g->kept_rows, 2 * g->rows * sizeof *g->kept_rows);
}

static const ace_kept_frame *kept(const ace_link_guard *g, uint16_t number) {
    return &g->kept[number & (g->frames - 1)];
}

static bool names(uint64_t head, unsigned phases, unsigned contexts) {
    const bool packet = (head & 1) && !(head >> ACE_FRAME_ROUTED & 1),
               grant = head >> ACE_FRAME_GRANT & 1;
    return (!packet || ace_context_is((uint8_t)(head >> 8), phases, contexts)) &&
           (!grant || ace_grant_is((uint8_t)(head >> 24), phases, contexts));
}

void ace_link_guard_check_contexts(const ace_link_guard *g, const ace_frame *given, unsigned phases,
                                   unsigned contexts, ace_state *s) {
    ace_state_must(s, names(given->head, phases, contexts), "ace_link_guard.given");
    for (uint16_t i = g->base; ace_state_loaded(s) && g->retry && i != g->next; i++)
        ace_state_must(s, names(kept(g, i)->head, phases, contexts), "ace_link_guard.kept");
}

/* Returns whether a kept frame is sent again in this cycle.  A packet must wait for its time on the
 * link; a frame without a packet goes at once. */
static bool repeats(const ace_link_guard *g) {
    return ace_link_guard_again(g) && (g->due >= g->cost || !(kept(g, g->send)->head & 1));
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
        if (k->head & 1) tx->row = ace_link_guard_row(g, k->rows);
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

bool ace_link_guard_accepts(const ace_link_guard *g, const ace_frame *rx, bool good) {
    (void)g;
    return rx->valid && good && rx->took;
}

/* Updates counters and acknowledgements for the frame that arrived.  sends: a frame was sent in the
 * same cycle. */
static void receive(ace_link_guard *g, const ace_frame *rx, bool good, bool sends) {
    const bool accept = ace_link_guard_accepts(g, rx, good), bad = rx->valid && !good;
    const bool dropped = rx->valid && good && (rx->head & ACE_FRAME_NUMBERED) && !accept;
    const bool repeated = dropped && ace_link_guard_ahead(g, rx) & 0x8000,
               beyond = dropped && !repeated;
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

/* Sets the registered outputs (hold, tight), which follow their cause by a cycle, and the registers
 * that address the rows of this cycle's frames. */
static void register_outputs(ace_link_guard *g, const ace_frame *given, bool direct,
                             bool repeats_) {
    const uint16_t used = ace_link_guard_used(g);
    const bool tight = ace_link_guard_full(g);
    const uint32_t rows = (g->row - g->from) & (2 * g->rows - 1);
    g->hold = g->failed || ace_link_guard_again(g) || tight || (g->retry && rows > g->rows - 3);
    g->tight = tight;
    if (g->retry) g->from = used ? kept(g, g->base)->rows : g->row;
    g->put = g->retry && given->head & 1;
    g->put_at = g->row;
    g->fresh_row = direct && given->head & 1;
    g->kept_row = repeats_ && kept(g, g->send)->head & 1;
    if (g->retry) g->get_at = kept(g, g->send)->rows;
}

void ace_link_guard_move(ace_link_guard *g, const ace_frame *given, const ace_frame *rx,
                         bool good) {
    ace_frame tx;
    ace_link_guard_show(g, given, &tx);
    const bool any = given->head & ACE_FRAME_NUMBERED, again = ace_link_guard_again(g);
    const bool repeats_ = repeats(g), direct = any && !again;
    const uint16_t used = ace_link_guard_used(g), acked = (uint16_t)(rx->ack - g->base);
    const bool answered = rx->valid && good && g->retry && acked <= used, gone = answered && acked;
    const uint16_t base = answered ? rx->ack : g->base,
                   sent = (uint16_t)(g->send + (repeats_ || direct));
    const bool late = g->retry && !g->failed && used && !again && g->timer + 1u >= g->retry;
    const bool packet = again && kept(g, g->send)->head & 1;
    const bool last = g->tries == ACE_GUARD_TRIES;
    const bool back = !g->failed && g->next != base &&
                      ((answered && rx->head >> ACE_FRAME_RESEND & 1) || (late && !gone && !last));

    register_outputs(g, given, direct, repeats_);
    receive(g, rx, good, tx.valid);
    if (g->retry) {
        if (any) {
            const uint64_t head = ace_frame_clean(given->head);
            g->kept[g->next & (g->frames - 1)] =
                (ace_kept_frame){ head, head & 1 ? given->route : 0, g->row };
            if (head & 1 && g->kept_rows)
                ace_row_copy(g->kept_rows[g->row & (2 * g->rows - 1)], given->row);
            g->row += head & 1;
        }
        g->resent += repeats_ && packet && g->send != g->fresh;
        g->fresh = (uint16_t)(g->fresh + (direct || (repeats_ && g->send == g->fresh)));
        g->due = !again    ? ACE_COST_ONE
                 : !packet ? g->due
                           : g->due + ACE_COST_ONE - (repeats_ ? g->cost : 0);
        g->send = back || (answered && (uint16_t)(sent - g->base) < acked) ? base : sent;
        g->base = base;
        g->timer = gone || again || back || !used ? 0 : (uint16_t)(g->timer + 1);
        g->tries = gone ? 0 : (uint8_t)(g->tries + (late && back));
        g->failed |= late && !gone && last;
    }
    g->next = (uint16_t)(g->next + any);
}

/* ---- pins ---- */

/* Returns the frame to send, without its row, which comes a cycle later. */
static ace_frame frame_given(const ace_link_guard_in *in) {
    return (ace_frame){ .head = in->s_head, .route = in->s_route };
}
static ace_frame frame_rx(const ace_link_guard_in *in) {
    return (ace_frame){ .valid = in->rx_frame,
                        .took = in->rx_took,
                        .head = in->rx_head,
                        .number = in->rx_number,
                        .ack = in->rx_ack };
}
/* Returns the state with the configuration that the pins have in this cycle. */
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
    o->tx_data = NULL;
    o->tx_sum = 0;
    if (now.fresh_row) {
        o->tx_data = in->s_data;
        o->tx_sum = in->s_sum;
    } else if (now.kept_row) {
        o->tx_data = ace_link_guard_row(&now, now.get_at);
        o->tx_sum = now.kept_sums[now.get_at & (now.rows - 1)];
    }
    o->m_accept = ace_link_guard_accepts(&now, &rx, in->rx_good);
    o->failed = now.failed;
    o->count_resent = now.resent;
    o->count_bad = now.bad;
    o->count_dropped = now.dropped;
    o->idle = ace_link_guard_idle(&now);
}

void ace_link_guard_tick(ace_link_guard *g, const ace_link_guard_in *in) {
    const ace_frame given = frame_given(in), rx = frame_rx(in);
    *g = set(g, in);
    if (g->put) {
        g->kept_sums[g->put_at & (g->rows - 1)] = in->s_sum;
        if (g->kept_rows) ace_row_copy(g->kept_rows[g->put_at & (2 * g->rows - 1)], in->s_data);
    }
    ace_link_guard_move(g, &given, &rx, in->rx_good);
}
