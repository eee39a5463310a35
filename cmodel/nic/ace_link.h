/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link.h -- one link of a node: a port for each channel, and a guard (link-layer retry) at the
 * pins that the channels share
 *
 * The C twin of rtl/ace_link.v: same pins, same cycle, same values.  The RTL's head defines the
 * channels, grants and frames.  One ace_link holds all links of a node, one lane for each link, as
 * the ports do.
 *
 *     ace_link k;
 *     if (ace_link_create(links, &parameters, payload, &k) != ACE_OK) ...
 *     if (ace_link_keep_frames(&k, &parameters, retry) != ACE_OK) ...
 *     ace_link_reset(&k, &config);
 *     for (;;) {                                  a rising edge, `out` are the pins before it
 *         ace_link_arrive(&k, in);                every step on its way moves on
 *         const bool guarded = ace_link_is_guarded(&k, out);
 *         guarded ? ace_link_receive(&k, out->link_failed) : ace_link_count(&k);
 *         rx = ace_link_accepted(&k);             accepted frames, to the ports in this cycle
 *         tx = ace_link_leaving(&k);
 *         tx->grant_valid = ...                   grants, none while k.tight
 *         ace_link_plain(&k, in, ...);
 *         ace_link_routed(&k, in, ...);           not needed without routed packets
 *         guarded ? ace_link_send(&k, out) : ace_link_show(&k, payload, out);
 *     }
 *     ace_link_destroy(&k);
 *
 * Rules
 *   Steps       A frame passes the pipeline steps of the RTL: two cycles from the port to the pins,
 *               three from the pins to the port.  Its row is in a port's buffer meanwhile.
 *   Guards      While retry is off, no link has an epoch and no frame is wrong, guards only count
 *               frames.
 *   Pins        `out` keeps the leaving frames until the next cycle; it points to the ports' rows.
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
#include "ace_link_receiver.h"
#include "ace_link_sender.h"
#include "ace_link_sync.h"
#include "ace_link_turn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_link {
    ace_link_port *routed, *plain;
    ace_link_guard *guard[ACE_LINKS];
    ace_link_sync sync[ACE_LINKS];
    ace_frame given[ACE_LINKS]; /* to the guards in this cycle, with retry on */
    ace_link_sender sender;
    ace_link_receiver receiver;
    /* numbers of the frames to be given and accepted next */
    uint16_t next[ACE_LINKS], expect[ACE_LINKS];
    unsigned lanes; /* links; there may be fewer than ACE_LINKS */
    uint16_t retry; /* cycles, 0: off */
    bool synced;    /* some have an epoch */
    ace_link_turn turn;
    uint8_t hold, tight; /* of the guards, a bit a link */
} ace_link;

/* Creates the ports of `links` links, with the sizes of a node with parameters `p`; no guards yet.
 * ACE_OK; or ACE_EINVAL or ACE_ENOMEM, and the caller calls ace_link_destroy(). */
int ace_link_create(unsigned links, const ace_parameters *p, bool payload, ace_link *k);
void ace_link_destroy(ace_link *k);
/* Creates the guards.  If retry is not 0, they have room for the frames that may be sent again.
 * ACE_OK, ACE_EINVAL or ACE_ENOMEM. */
int ace_link_keep_frames(ace_link *k, const ace_parameters *p, uint16_t retry);
/* A rising edge with rst high, with cfg: the cost of a packet and the retry timer. */
void ace_link_reset(ace_link *k, const ace_config *cfg);
void ace_link_state(ace_link *k, ace_state *s);
/* Call after the state of `out` was loaded: points `out` to its rows again. */
void ace_link_point(ace_link *k, ace_pins_out *out);

/* Normalises the state so that equal states have equal bytes: rings start at index 0, and unused
 * slots are 0. */
void ace_link_normal(ace_link *k);

/* ---- steps ---- */

static inline ace_rx_step *ace_link_rx(ace_link *k, unsigned age) {
    return ace_link_receiver_step(&k->receiver, age);
}
static inline ace_tx_step *ace_link_tx(ace_link *k, unsigned age) {
    return ace_link_sender_step(&k->sender, age);
}
/* The frames accepted in this cycle; and below, the frames that leave in the next cycle. */
static inline const ace_rx_pins *ace_link_accepted(ace_link *k) {
    return &ace_link_rx(k, ACE_LINK_RX_VERDICT)->pins;
}
static inline ace_tx_step *ace_link_leaving(ace_link *k) { return ace_link_tx(k, 0); }

/* Links with frames in the pipeline steps; call after the ports have moved. */
static inline unsigned ace_link_flying(const ace_link *k) {
    return ace_link_sender_flying(&k->sender) | ace_link_receiver_flying(&k->receiver);
}
/* Links on which routed packets, or credits for routed packets, are arriving. */
static inline unsigned ace_link_routed_arrives(const ace_link *k) {
    return ace_link_receiver_routed(&k->receiver);
}

/* Marks all frames as taken, in order, after cycles in which frames were only counted.
 * arrived: the call is within a cycle, after ace_link_arrive(). */
static inline void ace_link_know(ace_link *k, bool arrived) {
    ace_link_receiver_resolve(&k->receiver, k->expect, arrived);
}
/* The number of the next frame to arrive on a link, if every frame follows the one before. */
uint16_t ace_link_due(const ace_link *k, unsigned l);

/* All steps move on.  The frames on rx in this cycle enter the first step, and the slot for the
 * frames that leave in the next cycle becomes free. */
ACE_INLINE void ace_link_arrive(ace_link *k, const ace_pins_in *in) {
    ace_link_receiver_rx(&k->receiver, &in->rx);
}

/* ---- the guards, in cycles in which they do more than count ---- */

/* Do the guards do more than count frames? */
static inline bool ace_link_is_guarded(const ace_link *k, const ace_pins_out *out) {
    return k->retry | k->synced | out->link_failed | k->receiver.wrong;
}
/* The rising edge of the guards' receive side.  Frames that a guard does not accept are dropped.
 * Afterwards `hold` and `tight` belong to this cycle.  close: the pin s_close of all links. */
void ace_link_receive(ace_link *k, bool close);
/* Does a link send SYNC frames by itself? */
static inline bool ace_link_begins(const ace_link *k) {
    bool begins = false;
    for (unsigned l = 0; k->synced && l < k->lanes; l++)
        begins = begins || !ace_link_sync_idle(&k->sync[l]);
    return begins;
}
/* The pins link_state: an ace_link_life a link, two bits each. */
uint16_t ace_link_states(const ace_link *k);
/* The rising edge of the guards' send side, after the ports have moved: sets the tx pins of the
 * next cycle.  Returns whether all guards are idle. */
bool ace_link_send(ace_link *k, ace_pins_out *out);

/* ---- cycles in which the guards only count frames ---- */

/* Counts the frames of this cycle. */
ACE_INLINE void ace_link_count(ace_link *k) {
    k->receiver.counted = true;
    k->receiver.taken = ace_link_rx(k, ACE_LINK_RX_ROW)->pins.frame;
    ace_link_count_frames(k->next, ace_link_tx(k, 0)->frame);
    ace_link_count_frames(k->expect, ace_link_accepted(k)->frame);
    ace_link_sender_tick(&k->sender);
}
/* Sets the tx pins to the frames that have reached them. */
ACE_INLINE void ace_link_to_pins(ace_link *k, bool payload, ace_pins_out *out) {
    const ace_tx_step *const s = ace_link_sender_tx(&k->sender, out);
    for (unsigned set = payload ? s->frame & s->valid : 0; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        const ace_link_port *p = s->routed >> l & 1 ? k->routed : k->plain;
        out->tx_data[l] = s->kept >> l & 1 ? ace_link_guard_row(k->guard[l], s->row[l])
                                           : p->out_rows[ace_link_slot(l, s->row[l])];
    }
}
/* Makes a frame for the next cycle on each link whose ports or grant have something to send. */
ACE_INLINE void ace_link_show(ace_link *k, bool payload, ace_pins_out *out) {
    ace_tx_step *const s = ace_link_tx(k, 0);
    s->frame = s->valid | s->credit | s->grant_valid | s->routed_credit;
    memcpy(s->number, k->next, sizeof s->number);
    memcpy(s->ack, k->expect, sizeof s->ack);
    ace_link_to_pins(k, payload, out);
}

/* ---- the ports: a bit a link ---- */

static inline ace_link_header ace_link_arrived(const ace_rx_pins *rx, unsigned l) {
    const uint8_t reduce = (uint8_t)(rx->reduce >> l & 1);
    return (ace_link_header){ rx->link[l].context, rx->link[l].mark, reduce, 0 };
}

/* Has the input buffer a free slot for a packet that arrives?  Without errors it always has one,
 * because the sender holds a credit. */
ACE_INLINE bool ace_link_has_slot(const ace_link *k, const ace_link_port *p, unsigned l) {
    return !(k->retry | k->synced | k->receiver.wrong) || ace_link_port_rx_room(p, l);
}

/* Puts the port's leaving packet on the link.  Returns its reduce flag as a bit of link l. */
ACE_INLINE unsigned ace_link_put(const ace_link_port *p, unsigned l, ace_tx_step *to) {
    const uint32_t slot = (p->out_head[l] - 1) & p->out_mask;
    const ace_link_header *h = &p->out_headers[ace_link_slot(l, slot)];
    memcpy(&to->tx[l], h, sizeof to->tx[l]);
    to->route[l] = h->peer;
    to->row[l] = slot;
    return (unsigned)h->reduce << l;
}

/* The rising edge of the routed ports.  Their leaving packets join the plain ones in `to`.
 * wrote: links with a packet on the ports' s_ pins. */
ACE_INLINE void ace_link_routed(ace_link *k, const ace_pins_in *in, unsigned pop, unsigned reserve,
                                unsigned wrote, bool payload) {
    ace_link_port *const p = k->routed;
    ace_tx_step *const to = ace_link_tx(k, 0);
    const ace_rx_step *const comes = ace_link_rx(k, ACE_LINK_RX_PINS), *const row = ace_link_rx(
                                                                           k, ACE_LINK_RX_ROW);
    const ace_rx_pins *const rx = ace_link_accepted(k);
    ace_link_port_cycle(p, k->receiver.taken & row->pins.valid & row->pins.routed,
                        rx->valid & rx->routed, rx->routed_credit, pop, reserve, wrote,
                        k->hold | k->turn.m_turn, 0);
    for (unsigned set = comes->pins.routed & comes->pins.valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        if (!ace_link_has_slot(k, p, l)) continue;
        ace_link_port_put_rx(p, l, ace_link_arrived(&comes->pins, l),
                             payload ? in->rx_data[l] : NULL);
        ace_link_port_put_rx_route(p, l, in->rx_route[l]);
    }
    for (unsigned set = p->tx_valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        to->reduce = (uint8_t)(to->reduce | ace_link_put(p, l, to));
        to->route[l] = ace_link_port_tx_route(p, l);
    }
    to->valid |= p->tx_valid;
    to->routed = p->tx_valid;
    to->routed_credit = p->tx_credit;
}

/* The rising edge of the plain ports, called before ace_link_routed().  wants: links on which the
 * routed port uses the serialiser; waits: links on which the routed port waits for a credit. */
ACE_INLINE void ace_link_plain(ace_link *k, const ace_pins_in *in, unsigned pop, unsigned reserve,
                               unsigned wrote, unsigned wants, unsigned waits, bool payload) {
    ace_link_port *const p = k->plain;
    ace_tx_step *const to = ace_link_tx(k, 0);
    const ace_rx_step *const comes = ace_link_rx(k, ACE_LINK_RX_PINS), *const row = ace_link_rx(
                                                                           k, ACE_LINK_RX_ROW);
    const ace_rx_pins *const rx = ace_link_accepted(k);
    if (k->turn.share)
        ace_link_turn_tick(&k->turn, k->lanes, ace_link_port_wants(p), p->tx_valid,
                           k->routed->tx_valid);
    ace_link_port_cycle(p, k->receiver.taken & row->pins.valid & ~(unsigned)row->pins.routed,
                        rx->valid & ~(unsigned)rx->routed, rx->credit, pop, reserve, wrote,
                        (wants & ~(unsigned)k->turn.m_turn) | k->hold, waits);
    for (unsigned set = comes->pins.valid & ~(unsigned)comes->pins.routed; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        if (!ace_link_has_slot(k, p, l)) continue;
        ace_link_port_put_rx(p, l, ace_link_arrived(&comes->pins, l),
                             payload ? in->rx_data[l] : NULL);
    }
    unsigned reduce = 0;
    for (unsigned set = p->tx_valid; set; set &= set - 1)
        reduce |= ace_link_put(p, (unsigned)__builtin_ctz(set), to);
    const uint8_t sets[] = {
        p->tx_valid, (uint8_t)reduce, p->tx_credit, to->grant_valid, 0, 0, 0, 0
    };
    memcpy(&to->valid, sets, sizeof sets);
    to->kept = 0;
}

/* ---- the pins of one link ---- */

#define ACE_LINK_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint32_t, cfg_cost, 24)                              \
    WORD(uint32_t, cfg_plain_cost, 24)                        \
    WORD(uint8_t, cfg_share, 8)                               \
    WORD(uint16_t, cfg_retry, 16)                             \
    WORD(uint16_t, cfg_epoch, 16)                             \
    WORD(uint8_t, cfg_silence, 8)                             \
    BIT(s_close)                                              \
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
    WORD(uint32_t, s_sum, 32)                                 \
    BIT(m_routed_pop)                                         \
    BIT(s_routed_reserve)                                     \
    BIT(s_routed_valid)                                       \
    FIELD(uint64_t, s_routed_route, 64, s_routed_valid)       \
    FIELD(uint32_t, s_routed_note, 17, s_routed_valid)        \
    ROW(s_routed_data)                                        \
    WORD(uint32_t, s_routed_sum, 32)

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
    FIELD(uint8_t, m_grant_context, 8, m_grant_valid)               \
    FIELD(uint8_t, m_grant_mark, 8, m_grant_valid)                  \
    FIELD(uint8_t, m_grant_peer, 8, m_grant_valid)                  \
    BIT(m_head_valid)                                               \
    FIELD(uint8_t, m_head_context, 8, m_head_valid)                 \
    FIELD(bool, m_head_reduce, 1, m_head_valid)                     \
    FIELD(uint8_t, m_head_mark, 8, m_head_valid)                    \
    ROW(m_data)                                                     \
    FIELD(uint32_t, m_code, 32, m_data)                             \
    BIT(s_room)                                                     \
    BIT(s_room_two)                                                 \
    BIT(m_routed_valid)                                             \
    FIELD(uint64_t, m_routed_route, 64, m_routed_valid)             \
    FIELD(uint32_t, m_routed_note, 17, m_routed_valid)              \
    ROW(m_routed_data)                                              \
    FIELD(uint32_t, m_routed_code, 32, m_routed_data)               \
    BIT(s_routed_room)                                              \
    BIT(s_routed_room_two)                                          \
    BIT(failed)                                                     \
    WORD(uint8_t, state, 2)                                         \
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
    ace_pins_out out;    /* of lane 0 */
    bool protocol_error; /* a port's rule was broken: until reset, the pins are undefined */
} ace_link_pins;

/* The costs, cfg_share, cfg_retry, cfg_epoch and cfg_silence may change only during reset.  ACE_OK,
 * ACE_EINVAL or ACE_ENOMEM. */
int ace_link_pins_create(const ace_parameters *p, bool payload, ace_link_pins **pins);
void ace_link_pins_destroy(ace_link_pins *p); /* NULL is allowed */
void ace_link_pins_reset(ace_link_pins *p);
void ace_link_pins_eval(const ace_link_pins *p, ace_link_pins_out *o);
void ace_link_pins_tick(ace_link_pins *p, const ace_link_pins_in *in);
bool ace_link_pins_idle(const ace_link_pins *p);
void ace_link_pins_skip(ace_link_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif
#endif
