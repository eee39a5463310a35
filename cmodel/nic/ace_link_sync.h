/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_sync.h -- the two ends of a link begin a life together, whenever each of them was reset
 *
 * The C twin of rtl/ace_link_sync.v, which says what it does: same pins, same cycle, same values.
 *
 *     ace_link_sync *y;
 *     if (ace_link_sync_create(&y) != ACE_OK) ...
 *     for (;;) {
 *         ace_link_sync_eval(y, &in, &out);   outputs of this cycle: they follow its inputs
 *         ace_link_sync_tick(y, &in);         rising edge
 *     }
 *     ace_link_sync_destroy(y);
 *
 * Rules
 *   Parts     A link calls the parts of eval and tick: up, blocks, passes, show, move.
 *   Threads   One link, one thread.
 */
#ifndef ACE_LINK_SYNC_H
#define ACE_LINK_SYNC_H

#include "ace_flit.h"
#include "ace_link_crc.h"
#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_LINK_SYNC_WAIT = 63 };

#define ACE_LINK_SYNC_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint16_t, cfg_epoch, 16)                                  \
    BIT(s_frame)                                                   \
    BIT(rx_frame)                                                  \
    BIT(rx_good)                                                   \
    BIT(rx_sync)                                                   \
    BIT(rx_ask)                                                    \
    FIELD(uint16_t, rx_number, 16, rx_frame)                       \
    FIELD(uint16_t, rx_ack, 16, rx_frame)

#define ACE_LINK_SYNC_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(m_frame)                                                    \
    BIT(m_sync)                                                     \
    BIT(m_ask)                                                      \
    WORD(uint16_t, m_number, 16)                                    \
    WORD(uint16_t, m_ack, 16)                                       \
    BIT(m_rx_frame)                                                 \
    BIT(m_up)                                                       \
    BIT(m_block)                                                    \
    WORD(uint8_t, m_state, 2)                                       \
    BIT(idle)

typedef struct ace_link_sync_in {
    ACE_PORTS(ACE_LINK_SYNC_INPUTS)
} ace_link_sync_in;
typedef struct ace_link_sync_out {
    ACE_PORTS(ACE_LINK_SYNC_OUTPUTS)
} ace_link_sync_out;

typedef struct ace_link_sync {
    uint16_t epoch; /* of this end; 0: up from reset on */
    uint16_t heard; /* of the other, 0: not yet */
    uint8_t wait;   /* cycles until a SYNC goes that asks */
    bool up, ended, answer;
} ace_link_sync;

int ace_link_sync_create(ace_link_sync **sync); /* ACE_OK or ACE_ENOMEM */
void ace_link_sync_destroy(ace_link_sync *y);   /* NULL is allowed */
void ace_link_sync_reset(ace_link_sync *y);     /* a rising edge with rst high */
void ace_link_sync_state(ace_link_sync *y, ace_state *s);

static inline bool ace_link_sync_up(const ace_link_sync *y) { return y->up || !y->epoch; }
/* It is neither up nor will it only a reset bring it there. */
static inline bool ace_link_sync_open(const ace_link_sync *y) {
    return !ace_link_sync_up(y) && !y->ended;
}
/* The pins m_block and m_state. */
static inline bool ace_link_sync_blocks(const ace_link_sync *y) {
    return !ace_link_sync_up(y) || y->answer;
}
static inline ace_link_life ace_link_sync_life(const ace_link_sync *y) {
    return ace_link_sync_up(y) ? ACE_LINK_UP
           : y->ended          ? ACE_LINK_ENDED
           : y->heard          ? ACE_LINK_SYNC
                               : ACE_LINK_DOWN;
}
static inline bool ace_link_sync_idle(const ace_link_sync *y) {
    return !ace_link_sync_open(y) && !y->answer;
}
static inline void ace_link_sync_skip(ace_link_sync *y, uint64_t cycles) {
    (void)y;
    (void)cycles;
}

/* Does the frame on rx, with the right CRC or not, go on to the guard? */
bool ace_link_sync_passes(const ace_link_sync *y, const ace_frame *rx, bool good);
/* What the guard sends in this cycle becomes what leaves. */
void ace_link_sync_show(const ace_link_sync *y, ace_frame *tx);
/* The rising edge.  s_frame: the guard had a frame. */
void ace_link_sync_move(ace_link_sync *y, bool s_frame, const ace_frame *rx, bool good);

void ace_link_sync_eval(const ace_link_sync *y, const ace_link_sync_in *in, ace_link_sync_out *o);
void ace_link_sync_tick(ace_link_sync *y, const ace_link_sync_in *in);

#ifdef __cplusplus
}
#endif
#endif
