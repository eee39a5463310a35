/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_guard.h -- link-layer retry: frames have numbers and are sent again until acknowledged
 *
 * The C twin of rtl/ace_link_guard.v: same pins, same cycle, same values.  The RTL's head has the
 * contract.
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
 *   Payload   In a timing-only run rows are not kept, and a packet is sent again without its row.
 *   Parts     A node, which has the row of a packet when it gives it, calls the parts of eval and
 *             tick: show, accepts, move.
 *   Threads   One guard, one thread.
 */
#ifndef ACE_LINK_GUARD_H
#define ACE_LINK_GUARD_H

#include "ace_link_crc.h"
#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_GUARD_ACK_WAIT = 8, ACE_GUARD_TRIES = 8 };

#define ACE_LINK_GUARD_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint16_t, cfg_retry, 16)                                   \
    WORD(uint32_t, cfg_cost, 24)                                    \
    WORD(uint64_t, s_head, 48)                                      \
    WORD(uint64_t, s_route, 64)                                     \
    ROW(s_data)                                                     \
    WORD(uint32_t, s_sum, 32)                                       \
    BIT(rx_frame)                                                   \
    BIT(rx_good)                                                    \
    BIT(rx_took)                                                    \
    FIELD(uint64_t, rx_head, 48, rx_frame)                          \
    FIELD(uint16_t, rx_number, 16, rx_frame)                        \
    FIELD(uint16_t, rx_ack, 16, rx_frame)

#define ACE_LINK_GUARD_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(m_hold)                                                      \
    BIT(m_tight)                                                     \
    BIT(tx_frame)                                                    \
    FIELD(uint64_t, tx_head, 48, tx_frame)                           \
    FIELD(uint64_t, tx_route, 64, tx_frame)                          \
    FIELD(uint16_t, tx_number, 16, tx_frame)                         \
    FIELD(uint16_t, tx_ack, 16, tx_frame)                            \
    ROW(tx_data)                                                     \
    WORD(uint32_t, tx_sum, 32)                                       \
    BIT(m_accept)                                                    \
    BIT(failed)                                                      \
    WORD(uint32_t, count_resent, 32)                                 \
    WORD(uint32_t, count_bad, 32)                                    \
    WORD(uint32_t, count_dropped, 32)                                \
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
    uint32_t row;  /* rows given */
    uint32_t from; /* rows given before the oldest kept frame, as of a cycle ago */
    uint32_t due;  /* cycles spent so far on the packet being sent again, Q16.8 */
    uint8_t tries, wait;
    bool owe, resend, told, failed, hold, tight;
    bool put, fresh_row, kept_row; /* a row to be kept; one sent as it was given, or again */
    uint32_t put_at, get_at;       /* rows given before those */
    uint32_t resent, bad, dropped;
    ace_kept_frame *kept;
    uint32_t *kept_sums; /* of rows, for the pins alone */
    ace_row *kept_rows;  /* twice `rows`, so that one that is leaving is not written over; NULL:
                            timing-only */
} ace_link_guard;

/* Creates a guard in its reset state.  frames 0: no frame is kept, for links with retry off.
 * ACE_OK, ACE_EINVAL
 * (frames: a power of two up to 16384; rows: likewise, from 4; spare < frames) or ACE_ENOMEM. */
int ace_link_guard_create(unsigned frames, unsigned rows, unsigned spare, bool payload,
                          ace_link_guard **guard);
/* Creates the guard of a node's link, whose input buffers hold this many packets: plain packets
 * (input_rows) and routed packets (router_rows). */
int ace_link_guard_create_for(unsigned input_rows, unsigned router_rows, bool retry, bool payload,
                              ace_link_guard **guard);
void ace_link_guard_destroy(ace_link_guard *g); /* NULL is allowed */
void ace_link_guard_reset(ace_link_guard *g);   /* a rising edge with rst high */
void ace_link_guard_state(ace_link_guard *g, ace_state *s);
/* Checks a loaded guard of an engine: its kept frames, and the frame it is given, must name
 * contexts that the engine has.  Ports have the same check. */
void ace_link_guard_check_contexts(const ace_link_guard *g, const ace_frame *given, unsigned phases,
                                   unsigned contexts, ace_state *s);

static inline uint16_t ace_link_guard_used(const ace_link_guard *g) {
    return (uint16_t)(g->next - g->base);
}
/* Frames are being sent again. */
static inline bool ace_link_guard_again(const ace_link_guard *g) {
    return g->retry && g->send != g->next;
}
/* The distance of a numbered frame from the expected number, modulo 2^16. */
static inline uint16_t ace_link_guard_ahead(const ace_link_guard *g, const ace_frame *rx) {
    return (uint16_t)(rx->number - g->expect);
}
/* May a frame be taken on arrival, that is, does it have the expected number? */
static inline bool ace_link_guard_takes(const ace_link_guard *g, const ace_frame *rx) {
    return rx->valid && (rx->head & ACE_FRAME_NUMBERED) && ace_link_guard_ahead(g, rx) == 0;
}
/* The pins m_hold and m_tight. */
static inline bool ace_link_guard_hold(const ace_link_guard *g) { return g->hold; }
static inline bool ace_link_guard_tight(const ace_link_guard *g) { return g->tight; }
/* The row of a kept frame. */
static inline const uint32_t *ace_link_guard_row(const ace_link_guard *g, uint32_t rows) {
    return g->kept_rows ? g->kept_rows[rows & (2 * g->rows - 1)] : NULL;
}
/* Is the buffer of kept frames almost full, so that the node may give no more grants? */
static inline bool ace_link_guard_full(const ace_link_guard *g) {
    return g->retry && ace_link_guard_used(g) >= g->frames - g->spare;
}
/* Without input, ticks change nothing. */
static inline bool ace_link_guard_idle(const ace_link_guard *g) {
    const bool steady =
        g->hold == g->failed && g->tight == ace_link_guard_full(g) && !g->fresh_row && !g->kept_row;
    return !g->owe && !g->resend && steady &&
           (!g->retry || (g->next == g->base && g->from == g->row) ||
            (g->failed && !ace_link_guard_again(g)));
}
static inline void ace_link_guard_skip(ace_link_guard *g, uint64_t cycles) {
    (void)g;
    (void)cycles;
}

/* Sets *tx to the frame on tx in this cycle.  given: the new frame from the ports and the node. */
void ace_link_guard_show(const ace_link_guard *g, const ace_frame *given, ace_frame *tx);
/* Is the frame on rx accepted and passed to the ports?  good: its CRC is right. */
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
