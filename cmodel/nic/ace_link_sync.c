/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_sync.c -- the twin of rtl/ace_link_sync.v: a handshake of two epochs
 *
 * Each end repeats a request with its own epoch and the last one that it received. The link is up
 * when the peer's frame names this end's epoch. A frame with another pair of epochs ends the
 * link's life until reset. A sync frame leaves only in a cycle in which the link has no other
 * frame.
 */
#include "ace_link_sync.h"

#include <stdlib.h>

int ace_link_sync_create(ace_link_sync **sync) {
    *sync = calloc(1, sizeof **sync);
    return *sync ? ACE_OK : ACE_ENOMEM;
}

void ace_link_sync_destroy(ace_link_sync *y) { free(y); }

void ace_link_sync_reset(ace_link_sync *y) { *y = (ace_link_sync){ .epoch = y->epoch }; }

void ace_link_sync_state(ace_link_sync *y, ace_state *s) {
    const uint16_t epoch = y->epoch;
    ACE_STATE(s, *y);
    ACE_STATE_BOOLS(s, "ace_link_sync.up", &y->up, &y->ended, &y->answer);
    ace_state_must(s, y->epoch == epoch, "ace_link_sync.epoch");
    ace_state_must(s, y->wait <= ACE_LINK_SYNC_WAIT, "ace_link_sync.wait");
    ace_state_must(s, epoch || !(y->heard || y->up || y->ended || y->answer || y->wait),
                   "ace_link_sync.heard");
    ace_state_must(s, !(y->up || y->ended) || (y->heard && y->up != y->ended), "ace_link_sync.up");
}

static bool sends(const ace_link_sync *y, bool s_frame) {
    return !s_frame && (y->answer || (ace_link_sync_open(y) && !y->wait));
}

bool ace_link_sync_passes(const ace_link_sync *y, const ace_frame *rx, bool good) {
    return rx->valid && ace_link_sync_up(y) && !(good && ace_frame_is_sync(rx->head));
}

void ace_link_sync_show(const ace_link_sync *y, ace_frame *tx) {
    if (sends(y, tx->valid)) {
        const uint64_t request = ace_link_sync_open(y);
        *tx = (ace_frame){ .valid = true,
                           .head = UINT64_C(1) << ACE_FRAME_ROUTED | request << ACE_FRAME_RESEND,
                           .number = y->epoch,
                           .ack = y->heard };
    } else {
        tx->valid = tx->valid && ace_link_sync_up(y);
    }
}

void ace_link_sync_move(ace_link_sync *y, bool s_frame, const ace_frame *rx, bool good) {
    const bool receives = y->epoch && !y->ended && rx->valid && good && ace_frame_is_sync(rx->head);
    const bool requests = rx->head >> ACE_FRAME_RESEND & 1, named = rx->ack == y->epoch;
    const bool other = receives && y->up && !(named && rx->number == y->heard);
    const bool sent = sends(y, s_frame), begins = receives && named && !y->up;

    if (ace_link_sync_open(y))
        y->wait = sent ? ACE_LINK_SYNC_WAIT : (uint8_t)(y->wait - (y->wait != 0));
    y->answer = !other && ((receives && requests) || (y->answer && !sent));
    if (receives && !y->up) y->heard = rx->number;
    y->ended |= other;
    y->up = (y->up || begins) && !other;
}

/* ---- pins ---- */

static ace_frame frame_rx(const ace_link_sync_in *in) {
    return (ace_frame){ .valid = in->rx_frame,
                        .head = (uint64_t)in->rx_sync << ACE_FRAME_ROUTED | (uint64_t)in->rx_ask
                                                                                << ACE_FRAME_RESEND,
                        .number = in->rx_number,
                        .ack = in->rx_ack };
}
/* As the pins have it in this cycle. */
static ace_link_sync set(const ace_link_sync *y, const ace_link_sync_in *in) {
    ace_link_sync now = *y;
    now.epoch = in->cfg_epoch;
    return now;
}

void ace_link_sync_eval(const ace_link_sync *y, const ace_link_sync_in *in, ace_link_sync_out *o) {
    const ace_link_sync now = set(y, in);
    const ace_frame rx = frame_rx(in);
    ace_frame tx = { .valid = in->s_frame };
    ace_link_sync_show(&now, &tx);
    o->m_frame = tx.valid;
    o->m_sync = tx.valid && ace_frame_is_sync(tx.head);
    o->m_ask = ace_link_sync_open(&now);
    o->m_number = now.epoch;
    o->m_ack = now.heard;
    o->m_rx_frame = ace_link_sync_passes(&now, &rx, in->rx_good);
    o->m_up = ace_link_sync_up(&now);
    o->m_block = ace_link_sync_blocks(&now);
    o->m_state = (uint8_t)ace_link_sync_life(&now);
    o->idle = ace_link_sync_idle(&now);
}

void ace_link_sync_tick(ace_link_sync *y, const ace_link_sync_in *in) {
    const ace_frame rx = frame_rx(in);
    *y = set(y, in);
    ace_link_sync_move(y, in->s_frame, &rx, in->rx_good);
}
