/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_sync.h -- synchronises the two ends of a link, which may be reset at different times
 *
 * The C twin of rtl/ace_link_sync.v: same pins, same cycle, same values.  The RTL's head has the
 * contract.
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
    WORD(uint8_t, cfg_silence, 8)                                  \
    BIT(s_close)                                                   \
    BIT(s_frame)                                                   \
    FIELD(bool, s_packet, 1, s_frame)                              \
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
    BIT(m_lost)                                                     \
    BIT(idle)

typedef struct ace_link_sync_in {
    ACE_PORTS(ACE_LINK_SYNC_INPUTS)
} ace_link_sync_in;
typedef struct ace_link_sync_out {
    ACE_PORTS(ACE_LINK_SYNC_OUTPUTS)
} ace_link_sync_out;

typedef struct ace_link_sync {
    uint16_t epoch;  /* of this end; 0: up from reset on */
    uint16_t heard;  /* epoch of the other end; 0: not received yet */
    uint8_t silence; /* intervals without a frame that lose the link; 0: off */
    uint8_t wait;    /* cycles until the next SYNC frame that requests an answer, or the end of an
                        interval */
    uint8_t quiet;   /* intervals that ended since the last good frame */
    bool up, ended, answer;
} ace_link_sync;

int ace_link_sync_create(ace_link_sync **sync); /* ACE_OK or ACE_ENOMEM */
void ace_link_sync_destroy(ace_link_sync *y);   /* NULL is allowed */
void ace_link_sync_reset(ace_link_sync *y);     /* a rising edge with rst high */
void ace_link_sync_state(ace_link_sync *y, ace_state *s);

static inline bool ace_link_sync_up(const ace_link_sync *y) { return y->up || !y->epoch; }
/* Is the link still starting: not up, and not ended, which only a reset changes? */
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
static inline bool ace_link_sync_watches(const ace_link_sync *y) { return y->epoch && y->silence; }
/* Has no frame arrived for too long? */
static inline bool ace_link_sync_lost(const ace_link_sync *y) {
    return ace_link_sync_watches(y) && y->up && y->quiet >= y->silence;
}
static inline bool ace_link_sync_idle(const ace_link_sync *y) {
    return !ace_link_sync_open(y) && !y->answer && !ace_link_sync_watches(y);
}
static inline void ace_link_sync_skip(ace_link_sync *y, uint64_t cycles) {
    (void)y;
    (void)cycles;
}

/* Does the frame on rx go on to the guard?  good: its CRC is right. */
bool ace_link_sync_passes(const ace_link_sync *y, const ace_frame *rx, bool good);
/* Replaces the guard's frame of this cycle by a SYNC frame, or drops it, where necessary. */
void ace_link_sync_show(const ace_link_sync *y, ace_frame *tx);
/* The rising edge.  close: s_close; sent: a SYNC frame left in this cycle. */
void ace_link_sync_move(ace_link_sync *y, bool close, bool sent, const ace_frame *rx, bool good);

void ace_link_sync_eval(const ace_link_sync *y, const ace_link_sync_in *in, ace_link_sync_out *o);
void ace_link_sync_tick(ace_link_sync *y, const ace_link_sync_in *in);

#ifdef __cplusplus
}
#endif
#endif
