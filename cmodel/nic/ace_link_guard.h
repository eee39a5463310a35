/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_guard.h -- one link made reliable: frames with a number and a CRC, sent again until
 * acknowledged
 *
 * The C twin of rtl/ace_link_guard.v, which says what it does: same pins, same cycle, same values.
 *
 *     ace_link_guard *g;
 *     if (ace_link_guard_create(1024, 128, 260, payload, &g) != ACE_OK) ...
 *     for (;;) {
 *         ace_link_guard_eval(g, &in, &out);   outputs of this cycle: they follow its inputs
 *         ace_link_guard_tick(g, &in);         rising edge
 *     }
 *     ace_link_guard_destroy(g);
 *
 * Rules
 *   Payload   Without it rows are not kept, and a packet is sent again without its row.
 *   Parts     A node, which knows whether a frame is good without its CRC, calls the parts of
 *             eval and tick: show, accepts, move.
 *   Threads   One guard, one thread.
 */
#ifndef ACE_LINK_GUARD_H
#define ACE_LINK_GUARD_H

#include "ace_link_crc.h"
#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_GUARD_ACK_WAIT = 16, ACE_GUARD_TRIES = 8 };

#define ACE_LINK_GUARD_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint16_t, cfg_retry, 16)                                   \
    WORD(uint32_t, cfg_cost, 24)                                    \
    WORD(uint64_t, s_head, 48)                                      \
    WORD(uint64_t, s_route, 64)                                     \
    ROW(s_data)                                                     \
    BIT(rx_frame)                                                   \
    FIELD(uint64_t, rx_head, 48, rx_frame)                          \
    FIELD(uint64_t, rx_route, 64, rx_frame)                         \
    FIELD(uint16_t, rx_number, 16, rx_frame)                        \
    FIELD(uint16_t, rx_ack, 16, rx_frame)                           \
    FIELD(uint32_t, rx_crc, 32, rx_frame)                           \
    ROW(rx_data)

#define ACE_LINK_GUARD_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)     \
    BIT(m_hold)                                                          \
    BIT(m_tight)                                                         \
    BIT(tx_frame)                                                        \
    FIELD(uint64_t, tx_head, 48, tx_frame)                               \
    FIELD(uint64_t, tx_route, 64, tx_frame && (tx_head & 1))             \
    FIELD(uint16_t, tx_number, 16, tx_frame)                             \
    FIELD(uint16_t, tx_ack, 16, tx_frame)                                \
    ROW(tx_data)                                                         \
    FIELD(uint32_t, tx_crc, 32, tx_frame && (tx_data || !(tx_head & 1))) \
    BIT(m_accept)                                                        \
    BIT(failed)                                                          \
    WORD(uint32_t, count_resent, 32)                                     \
    WORD(uint32_t, count_bad, 32)                                        \
    WORD(uint32_t, count_dropped, 32)                                    \
    BIT(idle)

typedef struct ace_link_guard_in {
    ACE_PORTS(ACE_LINK_GUARD_INPUTS)
} ace_link_guard_in;
typedef struct ace_link_guard_out {
    ACE_PORTS(ACE_LINK_GUARD_OUTPUTS)
} ace_link_guard_out;

typedef struct ace_kept_frame {
    uint64_t head, route;
    uint32_t rows; /* given before it */
} ace_kept_frame;

typedef struct ace_link_guard {
    uint32_t frames, rows, spare;
    uint16_t retry;
    uint32_t cost; /* Q16.8 */
    uint16_t next, send, base, fresh, expect, timer;
    uint32_t row; /* rows given */
    uint32_t acc;
    uint8_t tries, wait;
    bool owe, resend, told, failed;
    uint32_t resent, bad, dropped;
    ace_kept_frame *kept;
    ace_row *kept_rows; /* NULL: timing-only */
} ace_link_guard;

/* In reset state.  frames 0: nothing is kept, for links that have retry off.  ACE_OK, ACE_EINVAL
 * (frames: a power of two up to 16384; rows: likewise, from 4; spare < frames) or ACE_ENOMEM. */
int ace_link_guard_create(unsigned frames, unsigned rows, unsigned spare, bool payload,
                          ace_link_guard **guard);
/* As a node has it for a link whose input buffers hold so many packets, plain and routed. */
int ace_link_guard_create_for(unsigned input_rows, unsigned router_rows, bool retry, bool payload,
                              ace_link_guard **guard);
void ace_link_guard_destroy(ace_link_guard *g); /* NULL is allowed */
void ace_link_guard_reset(ace_link_guard *g);   /* a rising edge with rst high */
void ace_link_guard_state(ace_link_guard *g, ace_state *s);

static inline uint16_t ace_link_guard_used(const ace_link_guard *g) {
    return (uint16_t)(g->next - g->base);
}
/* Frames are being sent again. */
static inline bool ace_link_guard_again(const ace_link_guard *g) {
    return g->retry && g->send != g->next;
}
static inline bool ace_link_guard_tight(const ace_link_guard *g) {
    return g->retry && ace_link_guard_used(g) >= g->frames - g->spare;
}
/* The pin m_hold. */
bool ace_link_guard_hold(const ace_link_guard *g);
/* Without input, ticks change nothing. */
static inline bool ace_link_guard_idle(const ace_link_guard *g) {
    return !g->owe && !g->resend &&
           (!g->retry || g->next == g->base || (g->failed && !ace_link_guard_again(g)));
}
static inline void ace_link_guard_skip(ace_link_guard *g, uint64_t cycles) {
    (void)g;
    (void)cycles;
}

/* The frame on tx in this cycle, when `given` is from ports and node. */
void ace_link_guard_show(const ace_link_guard *g, const ace_frame *given, ace_frame *tx);
/* Does the frame on rx, with the right CRC or not, go on to them? */
bool ace_link_guard_accepts(const ace_link_guard *g, const ace_frame *rx, bool good);
/* The rising edge. */
void ace_link_guard_move(ace_link_guard *g, const ace_frame *given, const ace_frame *rx, bool good);

void ace_link_guard_eval(const ace_link_guard *g, const ace_link_guard_in *in,
                         ace_link_guard_out *o);
void ace_link_guard_tick(ace_link_guard *g, const ace_link_guard_in *in);

#ifdef __cplusplus
}
#endif
#endif
