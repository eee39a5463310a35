/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_port.h -- one link of the NIC: input buffer, output buffer, serialiser, credits
 *
 * The C twin of rtl/ace_link_port.v: same pins, same cycle, same values.
 *
 *     ace_link_port *p;
 *     if (ace_link_port_create(128, 8, payload, &p) != ACE_OK) ...
 *     for (;;) {
 *         ace_link_port_eval(p, &out);     outputs of this cycle, from state only
 *         ace_link_port_tick(p, &in);      rising edge
 *     }
 *     ace_link_port_destroy(p);
 *
 * Rules
 *   Receive     A row is written when it arrives; rx_valid only while rx_room.  Later rx_commit
 *               commits the oldest uncommitted row, and its head shows from the next cycle.
 *               rx_abort drops all rows that are not committed.  Each committed row uses up a
 *               credit of its sender.  m_pop only while m_head_valid; the row is on m_data from
 *               the cycle after the pop until the next pop; tx_credit is 1 in the cycle after the
 *               pop.
 *   Send        s_reserve only while s_room; each reserve is followed, in the same cycle
 *               or any later one, by one s_valid, and two cycles after that by s_sum.  Packets
 *               leave in the order of s_valid.
 *   Serialiser  While a packet waits and a credit is held, a cycle is added each cycle; the
 *               packet is on tx_* in the cycle after the sum reaches cfg_cost (cycles in
 *               Q16.8, one at least), and the remainder is kept.  The sum is 0 while nothing
 *               can be sent.  Row and CRC sum are on tx a cycle later; the slot is free again.
 *   Two ports   may share a link, and one of them goes first.  Its m_wants is s_hold of the other
 *               port, which keeps its sum of cycles meanwhile.  Its m_waits is s_waits of the
 *               other port.
 *   Counters    Each cycle in exactly one: busy (a packet is being serialised, here or by the
 *               port that holds this one), blocked (a packet waits for a credit, here or in the
 *               other port), starved (a slot is reserved, no row written), idle.
 *   Code        The parity code of a row is computed at rx_valid and leaves with it on m_code.
 *   Errors      A broken rule sets `protocol_error` until reset; the pins are then undefined.
 *   Lanes       Ports of one size may lie side by side, a lane each; a cycle of all of them
 *               is one ace_link_port_cycle with a bit a lane for each pin.  eval and tick are
 *               the pins of lane 0.
 *   Threads     One port, one thread; lanes are of one thread.
 */
#ifndef ACE_LINK_PORT_H
#define ACE_LINK_PORT_H

#include "ace_cycle_classes.h"
#include "ace_ports.h"
#include "ace_row_code.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_LINK_PORT_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint32_t, cfg_cost, 24)                                   \
    BIT(rx_valid)                                                  \
    FIELD(uint8_t, rx_context, 8, rx_valid)                        \
    FIELD(bool, rx_reduce, 1, rx_valid)                            \
    FIELD(uint8_t, rx_mark, 8, rx_valid)                           \
    FIELD(uint64_t, rx_route, 64, rx_valid)                        \
    ROW(rx_data)                                                   \
    BIT(rx_commit)                                                 \
    BIT(rx_abort)                                                  \
    BIT(rx_credit)                                                 \
    BIT(m_pop)                                                     \
    BIT(s_reserve)                                                 \
    BIT(s_valid)                                                   \
    FIELD(uint8_t, s_context, 8, s_valid)                          \
    FIELD(bool, s_reduce, 1, s_valid)                              \
    FIELD(uint8_t, s_mark, 8, s_valid)                             \
    FIELD(uint64_t, s_route, 64, s_valid)                          \
    ROW(s_data)                                                    \
    WORD(uint32_t, s_sum, 32)                                      \
    BIT(s_hold)                                                    \
    BIT(s_waits)

#define ACE_LINK_PORT_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(rx_room)                                                    \
    BIT(tx_valid)                                                   \
    FIELD(uint8_t, tx_context, 8, tx_valid)                         \
    FIELD(bool, tx_reduce, 1, tx_valid)                             \
    FIELD(uint8_t, tx_mark, 8, tx_valid)                            \
    FIELD(uint64_t, tx_route, 64, tx_valid)                         \
    ROW(tx_data)                                                    \
    FIELD(uint32_t, tx_sum, 32, tx_data)                            \
    BIT(tx_credit)                                                  \
    BIT(m_head_valid)                                               \
    FIELD(uint8_t, m_head_context, 8, m_head_valid)                 \
    FIELD(bool, m_head_reduce, 1, m_head_valid)                     \
    FIELD(uint8_t, m_head_mark, 8, m_head_valid)                    \
    FIELD(uint64_t, m_head_route, 64, m_head_valid)                 \
    ROW(m_data)                                                     \
    FIELD(uint32_t, m_code, 32, m_data)                             \
    BIT(s_room)                                                     \
    BIT(s_room_two)                                                 \
    BIT(m_wants)                                                    \
    BIT(m_waits)                                                    \
    LANES(uint64_t, count, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)     \
    BIT(idle)

typedef struct ace_link_port_in {
    ACE_PORTS(ACE_LINK_PORT_INPUTS)
} ace_link_port_in;
typedef struct ace_link_port_out {
    ACE_PORTS(ACE_LINK_PORT_OUTPUTS)
} ace_link_port_out;

typedef struct ace_link_header {
    _Alignas(4) uint8_t context; /* one word, and no padding */
    uint8_t mark;
    uint8_t reduce; /* 0 or 1 */
    uint8_t peer;   /* where it goes, on a hub */
} ace_link_header;
/* A header as a word, whose low byte is the context. */
typedef uint32_t ace_header_word __attribute__((may_alias));
enum { ACE_HEADER_REDUCE = 1 << 16 };

enum { ACE_LINK_LANES = 8, ACE_LINK_COUNTED = 3, ACE_LINK_COUNT_EVERY = 1 << 16 };

/* One number for each lane.  Comparisons give all ones or zero. */
typedef uint32_t ace_lanes __attribute__((vector_size(4 * ACE_LINK_LANES)));
typedef float ace_sign_lanes __attribute__((vector_size(4 * ACE_LINK_LANES)));
typedef uint8_t ace_byte_lanes __attribute__((vector_size(ACE_LINK_LANES)));

/* ace_lanes_of() sets the lanes whose bit is set to all ones; ace_lanes_set() is the reverse.
 * (Lanes are passed by address, because passing them in registers depends on the machine.) */
ACE_INLINE void ace_lanes_of(ace_lanes *truths, uint32_t set) {
    const ace_lanes bit = { 1, 2, 4, 8, 16, 32, 64, 128 };
    *truths = (ace_lanes)((bit & set) == bit);
}
ACE_INLINE uint8_t ace_lanes_set(const ace_lanes *truths) {
#ifdef __AVX__
    return (uint8_t)__builtin_ia32_movmskps256((ace_sign_lanes)*truths);
#else
    union {
        ace_byte_lanes lanes;
        uint64_t bytes;
    } u;
    u.lanes = __builtin_convertvector(*truths, ace_byte_lanes);
    return (uint8_t)((u.bytes & 0x8040201008040201u) * 0x0101010101010101u >> 56);
#endif
}

/* The number of cycles that a leaving row takes to the pins of a link. */
enum { ACE_LINK_LEAVING = 3 };

/* Buffers have more slots than their nominal size.  A row that has just left (m_data, tx_data, the
 * pins of the link) is thus not overwritten.  The lanes of a slot are adjacent. */
typedef struct ace_link_port {
    ace_lanes in_head, in_tail, in_count; /* of the committed rows */
    ace_lanes in_end;                     /* after all written rows */
    ace_lanes out_head, out_tail, out_count, reserved;
    ace_lanes credits;
    ace_lanes cost;                   /* cycles a packet takes, Q16.8 */
    ace_lanes acc;                    /* cycles of the present packet serialised, Q16.8 */
    ace_lanes busy, starved, blocked; /* cycles not yet in `counted` */
    uint64_t counted[ACE_LINK_COUNTED][ACE_LINK_LANES]; /* in that order */
    uint64_t cycles;                                    /* since reset */
    uint32_t uncounted;                                 /* ticks not yet in `counted` */
    uint32_t lanes, input_rows, output_rows;
    uint32_t in_mask, out_mask;                                /* of a slot */
    uint8_t tx_valid, tx_credit, popped, s_room, m_head_valid; /* a bit a lane */
    bool protocol_error;
    /* of lane 0, for the pins: sums that come in this cycle and the next, where the next one goes
     */
    bool sum_comes[2];
    bool sent;              /* tx_valid of the last cycle */
    uint32_t sum_at, shown; /* and of the row on tx_data */
    uint32_t *out_sums;
    ace_link_header *in_headers, *out_headers;
    uint64_t *in_routes, *out_routes; /* NULL: packets have none */
    ace_row *in_rows, *out_rows;      /* NULL: timing-only */
    uint32_t *in_codes;               /* likewise */
} ace_link_port;

/* Creates `lanes` ports in reset state; routes: their packets have routes.  ACE_OK, ACE_EINVAL
 * (rows: 1..65535 each; lanes: 1..8) or ACE_ENOMEM. */
int ace_link_port_create_lanes(unsigned lanes, unsigned input_rows, unsigned output_rows,
                               bool routes, bool payload, ace_link_port **port);
/* One port, with routes. */
int ace_link_port_create(unsigned input_rows, unsigned output_rows, bool payload,
                         ace_link_port **port);
void ace_link_port_destroy(ace_link_port *p); /* NULL is allowed */
void ace_link_port_reset(ace_link_port *p);   /* a rising edge with rst high */
void ace_link_port_state(ace_link_port *p, ace_state *s);
/* Is the lane empty in both directions? */
bool ace_link_port_unused(const ace_link_port *p, unsigned lane);
/* Checks a loaded port of an engine: its packets must name contexts that the engine has.  Routed
 * packets name none, and endpoints of other kinds use the field differently.  wrong: lanes on which
 * a frame arrived with a flipped bit; uncommitted rows there may hold any value. */
void ace_link_port_check_contexts(const ace_link_port *p, unsigned phases, unsigned contexts,
                                  unsigned wrong, ace_state *s);

/* The cost stays until it is set again. */
static inline void ace_link_port_set_cost(ace_link_port *p, unsigned lane, uint32_t cfg_cost) {
    p->cost[lane] = ace_cost(cfg_cost);
}

/* Without input, ticks only count idle cycles (packets may wait in the input buffers). */
static inline bool ace_link_port_idle(const ace_link_port *p) {
    uint32_t work = p->tx_valid | p->tx_credit;
    for (unsigned l = 0; l < ACE_LINK_LANES; l++)
        work |= p->out_count[l] | p->reserved[l] | p->acc[l];
    return work == 0;
}

/* ---- slots of a lane's buffers: an index, or the packet in it ---- */

static inline size_t ace_link_slot(unsigned lane, uint32_t slot) {
    return (size_t)slot * ACE_LINK_LANES + lane;
}
/* The packet that left last is in the slot before the head. */
static inline const ace_link_header *ace_link_port_tx(const ace_link_port *p, unsigned lane) {
    return &p->out_headers[ace_link_slot(lane, (p->out_head[lane] - 1) & p->out_mask)];
}
static inline const uint32_t *ace_link_port_tx_data(const ace_link_port *p, unsigned lane) {
    return p->out_rows ? p->out_rows[ace_link_slot(lane, (p->out_head[lane] - 1) & p->out_mask)]
                       : NULL;
}
static inline const ace_link_header *ace_link_port_head(const ace_link_port *p, unsigned lane) {
    return &p->in_headers[ace_link_slot(lane, p->in_head[lane])];
}
static inline const uint32_t *ace_link_port_head_data(const ace_link_port *p, unsigned lane) {
    return p->in_rows ? p->in_rows[ace_link_slot(lane, p->in_head[lane])] : NULL;
}
/* The routes of the packets on tx_ and m_head_; only for a port with routes. */
static inline uint64_t ace_link_port_tx_route(const ace_link_port *p, unsigned lane) {
    return p->out_routes[ace_link_slot(lane, (p->out_head[lane] - 1) & p->out_mask)];
}
static inline uint64_t ace_link_port_head_route(const ace_link_port *p, unsigned lane) {
    return p->in_routes[ace_link_slot(lane, p->in_head[lane])];
}
/* The row popped last, NULL while there is none. */
static inline const uint32_t *ace_link_port_popped_data(const ace_link_port *p, unsigned lane) {
    return p->in_rows && (p->popped >> lane & 1)
               ? p->in_rows[ace_link_slot(lane, (p->in_head[lane] - 1) & p->in_mask)]
               : NULL;
}

/* The parity code of the row popped last; 0 in a timing-only run. */
static inline uint32_t ace_link_port_popped_code(const ace_link_port *p, unsigned lane) {
    return p->in_codes ? p->in_codes[ace_link_slot(lane, (p->in_head[lane] - 1) & p->in_mask)] : 0;
}

/* A bit a lane: the ports that serialise unless held. */
static inline uint8_t ace_link_port_wants(const ace_link_port *p) {
    const ace_lanes ready = (ace_lanes)(p->out_count != 0) & (ace_lanes)(p->credits != 0);
    return ace_lanes_set(&ready);
}
/* The ports in which a packet waits for a credit. */
static inline uint8_t ace_link_port_waits(const ace_link_port *p) {
    const ace_lanes waits = (ace_lanes)(p->out_count != 0) & (ace_lanes)(p->credits == 0);
    return ace_lanes_set(&waits);
}
/* The ports with room for two packets. */
static inline uint8_t ace_link_port_room_two(const ace_link_port *p) {
    ace_lanes leaving;
    ace_lanes_of(&leaving, p->tx_valid);
    const ace_lanes room = (ace_lanes)(p->out_count + p->reserved - leaving + 1 < p->output_rows);
    return ace_lanes_set(&room);
}

/* The packets on s_ and rx_ of a lane are put into the buffers before ace_link_port_cycle(), which
 * then counts them. */
static inline void ace_link_port_put_s(ace_link_port *p, unsigned lane, ace_link_header h,
                                       const uint32_t *row) {
    const size_t at = ace_link_slot(lane, p->out_tail[lane]);
    p->out_headers[at] = h;
    if (row && p->out_rows) ace_row_copy(p->out_rows[at], row);
}
static inline void ace_link_port_put_rx(ace_link_port *p, unsigned lane, ace_link_header h,
                                        const uint32_t *row) {
    const size_t at = ace_link_slot(lane, p->in_end[lane]);
    p->in_headers[at] = h;
    if (!row || !p->in_rows) return;
    ace_row_copy(p->in_rows[at], row);
    p->in_codes[at] = ace_row_code(p->in_rows[at]);
}

static inline void ace_link_port_put_s_route(ace_link_port *p, unsigned lane, uint64_t route) {
    p->out_routes[ace_link_slot(lane, p->out_tail[lane])] = route;
}
static inline void ace_link_port_put_rx_route(ace_link_port *p, unsigned lane, uint64_t route) {
    p->in_routes[ace_link_slot(lane, p->in_end[lane])] = route;
}

/* Rows written and not popped, committed or not. */
static inline uint32_t ace_link_port_held(const ace_link_port *p, unsigned lane) {
    return p->in_count[lane] + ((p->in_end[lane] - p->in_tail[lane]) & p->in_mask);
}
/* The pin rx_room. */
static inline bool ace_link_port_rx_room(const ace_link_port *p, unsigned lane) {
    return ace_link_port_held(p, lane) < p->input_rows;
}

/* Gets the contexts of all heads, and returns their reduce flags, a bit a lane.  It handles all
 * lanes at once and has no branches, because the heads are known only late in a cycle. */
ACE_INLINE uint8_t ace_link_port_heads(const ace_link_port *p, uint8_t contexts[ACE_LINK_LANES]) {
    const ace_header_word *const headers = (const ace_header_word *)(const void *)p->in_headers;
#define HEAD(lane) headers[ace_link_slot(lane, p->in_head[lane])]
    const ace_lanes heads = {
        HEAD(0), HEAD(1), HEAD(2), HEAD(3), HEAD(4), HEAD(5), HEAD(6), HEAD(7)
    };
#undef HEAD
    const ace_byte_lanes low = __builtin_convertvector(heads, ace_byte_lanes);
    const ace_lanes reduces = (ace_lanes)((heads & (uint32_t)ACE_HEADER_REDUCE) != 0);
    memcpy(contexts, &low, sizeof low);
    return ace_lanes_set(&reduces);
}

/* Would such a cycle break a rule? */
static inline bool ace_link_port_breaks(const ace_link_port *p, unsigned lane, bool rx_valid,
                                        bool rx_commit, bool rx_credit, bool m_pop, bool s_reserve,
                                        bool s_valid) {
    return (rx_credit && p->credits[lane] >= p->input_rows) ||
           (s_reserve && !(p->s_room >> lane & 1)) ||
           (s_valid && p->reserved[lane] + s_reserve == 0) || (m_pop && p->in_count[lane] == 0) ||
           (rx_commit && p->in_end[lane] == p->in_tail[lane]) ||
           (rx_valid && !ace_link_port_rx_room(p, lane));
}

/* The edge of rx_abort, before the rest of the cycle: drops the uncommitted rows. */
static inline void ace_link_port_abort(ace_link_port *p, unsigned lane) {
    p->in_end[lane] = p->in_tail[lane];
}

/* Adds the 32-bit counters to the 64-bit ones and clears them. */
void ace_link_port_count(ace_link_port *p);
/* A lane's cycles since reset: busy, starved, blocked, idle. */
void ace_link_port_classes(const ace_link_port *p, unsigned lane, uint64_t cycles[ACE_COUNT_LANES]);

/* The rising edge of every lane at once: no branches. */
ACE_INLINE void ace_link_port_cycle(ace_link_port *p, uint32_t rx_valid, uint32_t rx_commit,
                                    uint32_t rx_credit, uint32_t m_pop, uint32_t s_reserve,
                                    uint32_t s_valid, uint32_t s_hold, uint32_t s_waits) {
    const ace_lanes waits = (ace_lanes)(p->out_count != 0), credit = (ace_lanes)(p->credits != 0);
    ace_lanes held, other;
    ace_lanes_of(&held, s_hold);
    ace_lanes_of(&other, s_waits);
    const ace_lanes ready = waits & credit, blocked = (waits | other) & ~(ready | held);
    const ace_lanes starved = (ace_lanes)(p->reserved != 0) & ~(waits | other | held);
    p->busy -= ready | held;
    p->blocked -= blocked;
    p->starved -= starved;
    p->cycles++;
    if (++p->uncounted == ACE_LINK_COUNT_EVERY) ace_link_port_count(p);

    ace_lanes credits, reserves, writes, pops, receives, commits;
    ace_lanes_of(&credits, rx_credit);
    ace_lanes_of(&reserves, s_reserve);
    ace_lanes_of(&writes, s_valid);
    ace_lanes_of(&pops, m_pop);
    ace_lanes_of(&receives, rx_valid);
    ace_lanes_of(&commits, rx_commit);

    const ace_lanes sum = (p->acc + ((uint32_t)ACE_COST_ONE & ~held)) & ready;
    const ace_lanes leaves = (ace_lanes)(sum >= p->cost);
    p->acc = sum - (leaves & p->cost);
    p->credits += leaves - credits;
    p->out_head = (p->out_head - leaves) & p->out_mask;
    p->out_tail = (p->out_tail - writes) & p->out_mask;
    p->out_count += leaves - writes;
    p->reserved += writes - reserves;
    p->in_head = (p->in_head - pops) & p->in_mask;
    p->in_end = (p->in_end - receives) & p->in_mask;
    p->in_tail = (p->in_tail - commits) & p->in_mask;
    p->in_count += pops - commits;

    const ace_lanes room = (ace_lanes)(p->out_count + p->reserved - leaves < p->output_rows);
    const ace_lanes heads = (ace_lanes)(p->in_count != 0);
    p->tx_valid = ace_lanes_set(&leaves);
    p->tx_credit = (uint8_t)m_pop;
    p->popped = (uint8_t)(p->popped | m_pop);
    p->s_room = ace_lanes_set(&room);
    p->m_head_valid = ace_lanes_set(&heads);
}

/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_link_port_skip(ace_link_port *p, uint64_t cycles) { p->cycles += cycles; }

/* ---- the pins of lane 0 ---- */

ACE_INLINE void ace_link_port_eval(const ace_link_port *p, ace_link_port_out *o) {
    const ace_link_header *tx = ace_link_port_tx(p, 0), *head = ace_link_port_head(p, 0);
    o->rx_room = ace_link_port_rx_room(p, 0);
    o->tx_valid = p->tx_valid & 1;
    o->tx_context = tx->context;
    o->tx_reduce = tx->reduce;
    o->tx_mark = tx->mark;
    o->tx_data = p->sent && p->out_rows ? p->out_rows[ace_link_slot(0, p->shown)] : NULL;
    o->tx_sum = p->out_sums[p->shown];
    o->tx_credit = p->tx_credit & 1;
    o->m_head_valid = p->m_head_valid & 1;
    o->m_head_context = head->context;
    o->m_head_reduce = head->reduce;
    o->m_head_mark = head->mark;
    o->tx_route = ace_link_port_tx_route(p, 0);
    o->m_head_route = ace_link_port_head_route(p, 0);
    o->m_data = ace_link_port_popped_data(p, 0);
    o->m_code = ace_link_port_popped_code(p, 0);
    o->s_room = p->s_room & 1;
    o->s_room_two = ace_link_port_room_two(p) & 1;
    o->m_wants = ace_link_port_wants(p) & 1;
    o->m_waits = ace_link_port_waits(p) & 1;
    ace_link_port_classes(p, 0, o->count);
    o->idle = ace_link_port_idle(p) && !ace_link_port_held(p, 0);
}

ACE_INLINE void ace_link_port_tick(ace_link_port *p, const ace_link_port_in *in) {
    p->protocol_error |= ace_link_port_breaks(p, 0, in->rx_valid, in->rx_commit, in->rx_credit,
                                              in->m_pop, in->s_reserve, in->s_valid) ||
                         (in->rx_abort && (in->rx_valid || in->rx_commit));
    const ace_link_header s = { in->s_context, in->s_mark, in->s_reduce, 0 };
    const ace_link_header rx = { in->rx_context, in->rx_mark, in->rx_reduce, 0 };
    if (in->s_valid) ace_link_port_put_s(p, 0, s, in->s_data);
    if (in->s_valid) ace_link_port_put_s_route(p, 0, in->s_route);
    if (in->rx_valid) ace_link_port_put_rx(p, 0, rx, in->rx_data);
    if (in->rx_valid) ace_link_port_put_rx_route(p, 0, in->rx_route);
    if (p->sum_comes[0]) {
        p->out_sums[p->sum_at] = in->s_sum;
        p->sum_at = (p->sum_at + 1) & p->out_mask;
    }
    p->sum_comes[0] = p->sum_comes[1];
    p->sum_comes[1] = in->s_valid;
    p->sent = p->tx_valid & 1;
    if (p->sent) p->shown = (p->out_head[0] - 1) & p->out_mask;
    if (in->rx_abort) ace_link_port_abort(p, 0);
    ace_link_port_set_cost(p, 0, in->cfg_cost);
    ace_link_port_cycle(p, in->rx_valid, in->rx_commit, in->rx_credit, in->m_pop, in->s_reserve,
                        in->s_valid, in->s_hold, in->s_waits);
}

#ifdef __cplusplus
}
#endif
#endif
