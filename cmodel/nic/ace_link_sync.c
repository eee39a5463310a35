/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_sync.c -- the twin of rtl/ace_link_sync.v: a handshake of two epochs
 *
 * Each end repeats a request with its own epoch and the last one that it received. The link is up
 * when the peer's frame names this end's epoch. A frame with another pair of epochs ends the
 * link's life until reset. A sync frame leaves only in a cycle in which the link has no other
 * frame, or at an ended link, no packet.
 */
#include "ace_link_sync.h"

#include <stdlib.h>

int ace_link_sync_create(ace_link_sync **sync) {
    *sync = calloc(1, sizeof **sync);
    return *sync ? ACE_OK : ACE_ENOMEM;
}

void ace_link_sync_destroy(ace_link_sync *y) { free(y); }

void ace_link_sync_reset(ace_link_sync *y) {
    *y = (ace_link_sync){ .epoch = y->epoch, .silence = y->silence };
}

void ace_link_sync_state(ace_link_sync *y, ace_state *s) {
    const uint16_t epoch = y->epoch;
    const uint8_t silence = y->silence;
    ACE_STATE(s, *y);
    ACE_STATE_BOOLS(s, "ace_link_sync.up", &y->up, &y->ended, &y->answer);
    ace_state_must(s, y->epoch == epoch && y->silence == silence, "ace_link_sync.epoch");
    ace_state_must(s, y->wait <= ACE_LINK_SYNC_WAIT, "ace_link_sync.wait");
    ace_state_must(s, epoch || !(y->heard || y->up || y->ended || y->answer || y->wait || y->quiet),
                   "ace_link_sync.heard");
    ace_state_must(s, !y->up || (y->heard && !y->ended), "ace_link_sync.up");
    ace_state_must(s, !y->ended || y->heard || silence, "ace_link_sync.ended");
}

static bool sends(const ace_link_sync *y, const ace_frame *s) {
    const bool repeats = ace_link_sync_open(y) || (ace_link_sync_watches(y) && y->ended);
    return !(s->valid && (!y->ended || s->head & 1)) && (y->answer || (repeats && !y->wait));
}

static bool requests(const ace_link_sync *y) {
    return ace_link_sync_open(y) || (y->up && y->quiet);
}

bool ace_link_sync_passes(const ace_link_sync *y, const ace_frame *rx, bool good) {
    return rx->valid && ace_link_sync_up(y) && !(good && ace_frame_is_sync(rx->head));
}

void ace_link_sync_show(const ace_link_sync *y, ace_frame *tx) {
    if (sends(y, tx)) {
        const uint64_t request = requests(y);
        *tx = (ace_frame){ .valid = true,
                           .head = UINT64_C(1) << ACE_FRAME_ROUTED | request << ACE_FRAME_RESEND,
                           .number = y->epoch,
                           .ack = y->ended ? 0 : y->heard };
    } else {
        tx->valid = tx->valid && ace_link_sync_up(y);
    }
}

void ace_link_sync_move(ace_link_sync *y, bool close, bool sent, const ace_frame *rx, bool good) {
    const bool receives = y->epoch && !y->ended && rx->valid && good && ace_frame_is_sync(rx->head);
    const bool request = rx->head >> ACE_FRAME_RESEND & 1, named = rx->ack == y->epoch;
    const bool other = receives && y->up && !(named && rx->number == y->heard);
    const bool begins = receives && named && !y->up, watches = ace_link_sync_watches(y);
    const bool closes = watches && close && !y->ended, ends = watches && y->up && !y->wait;

    if (closes)
        y->wait = 0;
    else if (ace_link_sync_open(y) || watches)
        y->wait = sent || ends ? ACE_LINK_SYNC_WAIT : (uint8_t)(y->wait - (y->wait != 0));
    y->answer =
        !other && !closes && ((receives && request) || (ends && y->quiet) || (y->answer && !sent));
    if (rx->valid && good)
        y->quiet = 0;
    else
        y->quiet = (uint8_t)(y->quiet + (ends && y->quiet != UINT8_MAX));
    if (receives && !y->up) y->heard = rx->number;
    y->ended |= other || closes;
    y->up = (y->up || begins) && !other && !closes;
}

/* ---- pins ---- */

static ace_frame frame_rx(const ace_link_sync_in *in) {
    return (ace_frame){ .valid = in->rx_frame,
                        .head = (uint64_t)in->rx_sync << ACE_FRAME_ROUTED | (uint64_t)in->rx_ask
                                                                                << ACE_FRAME_RESEND,
                        .number = in->rx_number,
                        .ack = in->rx_ack };
}
static ace_frame frame_tx(const ace_link_sync_in *in) {
    return (ace_frame){ .valid = in->s_frame, .head = in->s_packet };
}
/* As the pins have it in this cycle. */
static ace_link_sync set(const ace_link_sync *y, const ace_link_sync_in *in) {
    ace_link_sync now = *y;
    now.epoch = in->cfg_epoch;
    now.silence = in->cfg_silence;
    return now;
}

void ace_link_sync_eval(const ace_link_sync *y, const ace_link_sync_in *in, ace_link_sync_out *o) {
    const ace_link_sync now = set(y, in);
    const ace_frame rx = frame_rx(in);
    ace_frame tx = frame_tx(in);
    ace_link_sync_show(&now, &tx);
    o->m_frame = tx.valid;
    o->m_sync = tx.valid && ace_frame_is_sync(tx.head);
    o->m_ask = requests(&now);
    o->m_number = now.epoch;
    o->m_ack = now.ended ? 0 : now.heard;
    o->m_rx_frame = ace_link_sync_passes(&now, &rx, in->rx_good);
    o->m_up = ace_link_sync_up(&now);
    o->m_block = ace_link_sync_blocks(&now);
    o->m_state = (uint8_t)ace_link_sync_life(&now);
    o->m_lost = ace_link_sync_lost(&now);
    o->idle = ace_link_sync_idle(&now);
}

void ace_link_sync_tick(ace_link_sync *y, const ace_link_sync_in *in) {
    const ace_frame rx = frame_rx(in), tx = frame_tx(in);
    *y = set(y, in);
    ace_link_sync_move(y, in->s_close, sends(y, &tx), &rx, in->rx_good);
}
