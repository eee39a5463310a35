/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link.h -- one link of a node: a port for each channel, and the guard at the pins that they share
 *
 * The C twin of rtl/ace_link.v, whose contract says what the channels, grants and frames are: same
 * pins, same cycle, same values.  Of a node, all links are one ace_link, a lane each, as the ports are.
 *
 *     ace_link k;
 *     if (ace_link_create(links, &parameters, payload, &k) != ACE_OK) ...
 *     if (ace_link_keep_frames(&k, &parameters, retry) != ACE_OK) ...
 *     ace_link_reset(&k, &config);
 *     for (;;) {                                  a rising edge, `out` are the pins before it
 *         if (ace_link_is_guarded(&k, out, in))
 *             ace_link_receive(&k, &let_in, out);     `let_in`, a copy of `in`: what goes on
 *         else
 *             ace_link_count(out, in);
 *         out->tx_grant_valid = ...               grants, none while k.tight
 *         ace_link_plain(&k, in, ...);            `let_in`, if it was guarded
 *         ace_link_routed(&k, in, ...);           not while none is about
 *         guarded ? ace_link_send(&k, out) : ace_link_show(out);
 *     }
 *     ace_link_destroy(&k);
 *
 * Rules
 *   Guards      While retry is off and no frame is wrong, guards only count frames.  Their numbers are
 *               then those of the pins alone.
 *   Pins        What leaves is in `out` from one cycle to the next; rows are the ports'.
 *   Payload     Without it there are no rows.
 *   Threads     The links of one node, one thread.
 *
 * ace_link_pins is one link, lane 0, behind the pins of rtl/ace_link.v.
 */
#ifndef ACE_LINK_H
#define ACE_LINK_H

#include "ace_core.h"
#include "ace_cycle_classes.h"
#include "ace_link_guard.h"
#include "ace_link_port.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_link {
    ace_link_port *routed, *plain;
    ace_link_guard *guard[ACE_LINKS];
    ace_frame given[ACE_LINKS]; /* to the guards in this cycle, with retry on */
    unsigned lanes;             /* links; there may be fewer than ACE_LINKS */
    uint16_t retry;             /* cycles, 0: off */
    uint8_t hold, tight;        /* of the guards, a bit a link */
} ace_link;

/* Ports of so many links, their sizes as of a node with parameters `p`; no guards yet.  ACE_OK, or
 * ACE_EINVAL or ACE_ENOMEM: the caller destroys what there is. */
int ace_link_create(unsigned links, const ace_parameters *p, bool payload, ace_link *k);
void ace_link_destroy(ace_link *k);
/* Guards, with room for frames if they are to send some again.  ACE_OK, or ACE_EINVAL or ACE_ENOMEM. */
int ace_link_keep_frames(ace_link *k, const ace_parameters *p, uint16_t retry);
/* A rising edge with rst high, while cfg says what a packet costs and when to retry. */
void ace_link_reset(ace_link *k, const ace_config *cfg);
void ace_link_state(ace_link *k, ace_state *s);
/* After out's own state: its rows. */
void ace_link_point(const ace_link *k, ace_pins_out *out);

/* ---- the guards, in cycles in which they do more than count ---- */

/* Does anything but numbers change in the guards? */
static inline bool ace_link_is_guarded(const ace_link *k, const ace_pins_out *out,
                                       const ace_pins_in *in) {
    return k->retry | out->link_failed | in->rx.flipped;
}
/* Their rising edge: in->rx becomes what they let through; hold and tight are of this cycle. */
void ace_link_receive(ace_link *k, ace_pins_in *in, ace_pins_out *out);
/* Then, when the ports have moved: the pins tx of the next cycle.  Are all guards idle? */
bool ace_link_send(ace_link *k, ace_pins_out *out);

/* ---- and in the others ---- */

typedef uint16_t ace_number_lanes __attribute__((vector_size(16), aligned(2), may_alias));

/* One more where the bit is set. */
ACE_INLINE void ace_link_count_frames(uint16_t numbers[ACE_LINKS], unsigned set) {
    const ace_number_lanes bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
    ace_number_lanes *const n = (ace_number_lanes *)(void *)numbers;
    *n -= (ace_number_lanes)((bit & (uint16_t)set) == bit);
}
/* The frames of this cycle. */
ACE_INLINE void ace_link_count(ace_pins_out *out, const ace_pins_in *in) {
    ace_link_count_frames(out->tx_number, out->tx_frame);
    ace_link_count_frames(out->tx_ack, in->rx.frame);
}
/* What the ports and a grant show in the next one is a frame. */
ACE_INLINE void ace_link_show(ace_pins_out *out) {
    out->tx_frame = out->tx_valid | out->tx_credit | out->tx_grant_valid | out->tx_routed_credit;
}

/* ---- the ports: a bit a link ---- */

static inline ace_link_header ace_link_arrived(const ace_pins_in *in, unsigned l) {
    const uint8_t reduce = (uint8_t)(in->rx.reduce >> l & 1);
    return (ace_link_header){ in->rx.link[l].context, in->rx.link[l].mark, reduce, 0 };
}

/* The rising edge of the routed ports: what leaves joins the plain packets in `out`.  `wrote`: what
 * was put on their s_ pins. */
ACE_INLINE void ace_link_routed(ace_link *k, const ace_pins_in *in, unsigned pop, unsigned reserve,
                                unsigned wrote, bool payload, ace_pins_out *out) {
    ace_link_port *const p = k->routed;
    const unsigned packets = in->rx.routed & in->rx.valid;
    for (unsigned set = packets; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        ace_link_port_put_rx(p, l, ace_link_arrived(in, l), payload ? in->rx_data[l] : NULL);
        ace_link_port_put_rx_route(p, l, in->rx_route[l]);
    }
    ace_link_port_cycle(p, packets, in->rx.routed_credit, pop, reserve, wrote, k->hold);
    for (unsigned set = p->tx_valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        const ace_link_header *h = ace_link_port_tx(p, l);
        memcpy(&out->tx[l], h, sizeof out->tx[l]);
        out->tx_reduce = (uint8_t)(out->tx_reduce | h->reduce << l);
        out->tx_route[l] = ace_link_port_tx_route(p, l);
        out->tx_data[l] = payload ? ace_link_port_tx_data(p, l) : NULL;
    }
    out->tx_valid |= p->tx_valid;
    out->tx_routed = p->tx_valid;
    out->tx_routed_credit = p->tx_credit;
}

/* The rising edge of the plain ports, before that of the routed ones, which have the serialiser
 * where `wants` says so. */
ACE_INLINE void ace_link_plain(ace_link *k, const ace_pins_in *in, unsigned pop, unsigned reserve,
                               unsigned wrote, unsigned wants, bool payload, ace_pins_out *out) {
    ace_link_port *const p = k->plain;
    const unsigned packets = in->rx.valid & ~(unsigned)in->rx.routed;
    for (unsigned set = packets; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        ace_link_port_put_rx(p, l, ace_link_arrived(in, l), payload ? in->rx_data[l] : NULL);
    }
    ace_link_port_cycle(p, packets, in->rx.credit, pop, reserve, wrote, wants | k->hold);
    unsigned tx_reduce = 0;
    for (unsigned set = p->tx_valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        const ace_link_header *h = ace_link_port_tx(p, l);
        memcpy(&out->tx[l], h, sizeof out->tx[l]);
        out->tx_route[l] = h->peer;
        out->tx_data[l] = payload ? ace_link_port_tx_data(p, l) : NULL;
        tx_reduce |= (unsigned)h->reduce << l;
    }
    const uint8_t sets[] = { p->tx_valid, (uint8_t)tx_reduce, p->tx_credit, out->tx_grant_valid };
    memcpy(&out->tx_valid, sets, sizeof sets);
}

/* ---- the pins of one link ---- */

#define ACE_LINK_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint32_t, cfg_cost, 24)                              \
    WORD(uint16_t, cfg_retry, 16)                             \
    BIT(rx_frame)                                             \
    FIELD(bool, rx_resend, 1, rx_frame)                       \
    FIELD(uint16_t, rx_number, 16, rx_frame)                  \
    FIELD(uint16_t, rx_ack, 16, rx_frame)                     \
    FIELD(uint32_t, rx_crc, 32, rx_frame)                     \
    FIELD(bool, rx_valid, 1, rx_frame)                        \
    FIELD(uint8_t, rx_context, 8, rx_frame)                   \
    FIELD(bool, rx_reduce, 1, rx_frame)                       \
    FIELD(uint8_t, rx_mark, 8, rx_frame)                      \
    ROW(rx_data)                                              \
    FIELD(bool, rx_routed, 1, rx_frame)                       \
    FIELD(uint64_t, rx_route, 64, rx_frame)                   \
    FIELD(bool, rx_credit, 1, rx_frame)                       \
    FIELD(bool, rx_routed_credit, 1, rx_frame)                \
    FIELD(bool, rx_grant_valid, 1, rx_frame)                  \
    FIELD(uint8_t, rx_grant_context, 8, rx_frame)             \
    FIELD(uint8_t, rx_grant_mark, 8, rx_frame)                \
    FIELD(uint8_t, rx_grant_peer, 8, rx_frame)                \
    BIT(s_grant_valid)                                        \
    FIELD(uint8_t, s_grant_context, 8, s_grant_valid)         \
    FIELD(uint8_t, s_grant_mark, 8, s_grant_valid)            \
    FIELD(uint8_t, s_grant_peer, 8, s_grant_valid)            \
    BIT(m_pop)                                                \
    BIT(s_reserve)                                            \
    BIT(s_valid)                                              \
    FIELD(uint8_t, s_context, 8, s_valid)                     \
    FIELD(bool, s_reduce, 1, s_valid)                         \
    FIELD(uint8_t, s_mark, 8, s_valid)                        \
    FIELD(uint8_t, s_peer, 8, s_valid)                        \
    ROW(s_data)                                               \
    BIT(m_routed_pop)                                         \
    BIT(s_routed_reserve)                                     \
    BIT(s_routed_valid)                                       \
    FIELD(uint64_t, s_routed_route, 64, s_routed_valid)       \
    FIELD(uint32_t, s_routed_note, 17, s_routed_valid)        \
    ROW(s_routed_data)

#define ACE_LINK_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)      \
    BIT(tx_frame)                                                   \
    BIT(tx_resend)                                                  \
    FIELD(uint16_t, tx_number, 16, tx_frame)                        \
    FIELD(uint16_t, tx_ack, 16, tx_frame)                           \
    BIT(tx_valid)                                                   \
    FIELD(uint8_t, tx_context, 8, tx_valid)                         \
    FIELD(bool, tx_reduce, 1, tx_valid)                             \
    FIELD(uint8_t, tx_mark, 8, tx_valid)                            \
    ROW(tx_data)                                                    \
    FIELD(uint32_t, tx_crc, 32, tx_frame && (tx_data || !tx_valid)) \
    BIT(tx_routed)                                                  \
    FIELD(uint64_t, tx_route, 64, tx_valid)                         \
    BIT(tx_credit)                                                  \
    BIT(tx_routed_credit)                                           \
    BIT(tx_grant_valid)                                             \
    FIELD(uint8_t, tx_grant_context, 8, tx_grant_valid)             \
    FIELD(uint8_t, tx_grant_mark, 8, tx_grant_valid)                \
    FIELD(uint8_t, tx_grant_peer, 8, tx_grant_valid)                \
    BIT(m_tight)                                                    \
    BIT(m_grant_valid)                                              \
    BIT(m_head_valid)                                               \
    FIELD(uint8_t, m_head_context, 8, m_head_valid)                 \
    FIELD(bool, m_head_reduce, 1, m_head_valid)                     \
    FIELD(uint8_t, m_head_mark, 8, m_head_valid)                    \
    ROW(m_data)                                                     \
    BIT(s_room)                                                     \
    BIT(m_routed_valid)                                             \
    FIELD(uint64_t, m_routed_route, 64, m_routed_valid)             \
    FIELD(uint32_t, m_routed_note, 17, m_routed_valid)              \
    ROW(m_routed_data)                                              \
    BIT(s_routed_room)                                              \
    BIT(s_routed_room_two)                                          \
    BIT(failed)                                                     \
    WORD(uint32_t, count_resent, 32)                                \
    WORD(uint32_t, count_bad, 32)                                   \
    WORD(uint32_t, count_dropped, 32)                               \
    LANES(uint64_t, count, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)     \
    BIT(idle)

typedef struct ace_link_pins_in {
    ACE_PORTS(ACE_LINK_INPUTS)
} ace_link_pins_in;
typedef struct ace_link_pins_out {
    ACE_PORTS(ACE_LINK_OUTPUTS)
} ace_link_pins_out;

typedef struct ace_link_pins {
    ace_link link;
    ace_pins_out out;    /* of lane 0: what the ports show, and the numbers while retry is off */
    bool protocol_error; /* a port's rule was broken: until reset, the pins are undefined */
} ace_link_pins;

/* cfg_cost and cfg_retry may change in reset alone.  ACE_OK, ACE_EINVAL or ACE_ENOMEM. */
int ace_link_pins_create(const ace_parameters *p, bool payload, ace_link_pins **pins);
void ace_link_pins_destroy(ace_link_pins *p); /* NULL is allowed */
void ace_link_pins_reset(ace_link_pins *p);
void ace_link_pins_eval(const ace_link_pins *p, const ace_link_pins_in *in, ace_link_pins_out *o);
void ace_link_pins_tick(ace_link_pins *p, const ace_link_pins_in *in);
bool ace_link_pins_idle(const ace_link_pins *p);
void ace_link_pins_skip(ace_link_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif
#endif
