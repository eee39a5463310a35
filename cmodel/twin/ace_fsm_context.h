/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_fsm_context.h -- one chunk of an FSM: the pieces it sends and receives, row by row
 *
 * The C twin of rtl/ace_fsm_context.v, whose head defines the strobes.  The calls have the names of
 * the RTL's ports: m_... is a function of the state, s_... is a strobe at the edge.  After a strobe
 * the FSM must update its sets of contexts (ace_fsm.h).
 *
 * The twin keeps the instruction of a piece and counts rows from the piece's beginning; the RTL
 * counts the rows that are left.  The struct also has fields that the RTL keeps in the FSM: the
 * position of the chunk's blocks, and how to reduce its rows.
 */
#ifndef ACE_FSM_CONTEXT_H
#define ACE_FSM_CONTEXT_H

#include "ace_flit.h"
#include "ace_ports.h"
#include "ace_program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The s_admit_* pins of an FSM. */
typedef struct ace_admission {
    uint8_t phase, index, kind, dim, ring, rank, type, op, mark;
    uint16_t shard, valids, source_row, target_row;
    uint64_t scale;
} ace_admission;

/* Rows of a partition in its bank. */
typedef struct ace_extent {
    uint16_t end, rows;
} ace_extent;

/* A thread of a context: the current piece, and the next piece, which is computed while rows of the
 * current piece move. */
typedef struct ace_fsm_thread {
    bool live, next; /* `now` is valid; `behind` is valid */
    bool begins;     /* no piece has been computed yet */
    bool over;       /* no further piece follows */
    ace_thread now, behind;
} ace_fsm_thread;

typedef struct ace_fsm_context {
    bool valid, up;
    bool needs, clear; /* the piece to send: a grant; nothing but rows */
    bool into, grant;  /* the piece to receive: sums go to the target; a grant is due */
    bool copies;       /* the own shard goes to the target first */
    bool two_links;    /* the pieces to send have different links */
    bool exchange;     /* the piece to receive comes from the peer of a piece to send, on a ring */
    bool down;         /* and comes on the link down */
    bool stalls, few;  /* its next row must wait; the next row but one must */
    uint8_t fresh;     /* 2: it has just begun.  1: rows before it may not be written yet */
    bool was_open, was_held; /* before the edge: rows are received, not written; are not read */
    uint16_t was_sent;       /* likewise: rows sent */
    bool hold; /* the piece waits for `base` rows, else for `bias` fewer than it has sent */
    uint8_t kind, dim, link, ring, rank, type, op, mark;
    uint16_t shard, valids, source, target;
    ace_fsm_thread send, receive;
    uint16_t send_rows, send_row, send_offset, base;
    uint16_t receive_rows, receive_row, receive_offset;
    uint16_t sent, received, written; /* of all pieces */
    uint16_t copy, copied, own;
    int16_t bias;
    uint64_t granted[ACE_DIMENSIONS]; /* a bit a peer, see ace_fsm_context_slot() */
    uint64_t scale;
} ace_fsm_context;

/* The row of a block at `offset` from its first row; blocks wrap around in their partition. */
static inline uint16_t ace_fsm_context_row(unsigned first, unsigned offset, ace_extent e) {
    const unsigned sum = first + offset;
    return (uint16_t)(sum > e.end ? sum - e.rows : sum);
}
/* The peers on dimensions.  hub: cfg_hub, dimensions with a hub.  apart: how many members of a hub
 * are distinguished, a power of two. */
typedef struct ace_fsm_peers {
    uint8_t hub, apart;
} ace_fsm_peers;
/* The bit of `granted` for a peer: on a ring it is the neighbour. */
static inline unsigned ace_fsm_context_slot(ace_fsm_peers p, unsigned dim, unsigned peer) {
    return p.hub >> dim & 1 ? peer & (p.apart - 1u) : 0;
}

/* ---- functions of the state ---- */

/* The link of the piece to send.  An exchange on a ring goes to the one or the other neighbour. */
static inline unsigned ace_fsm_context_m_link(const ace_fsm_context *c) { return c->link; }
/* The link of a chunk's direction, "ahead". */
static inline unsigned ace_fsm_context_ahead(const ace_fsm_context *c) {
    return 2u * c->dim + !c->up;
}

static inline bool ace_fsm_context_m_ready(const ace_fsm_context *c) {
    const bool open = c->hold ? c->written >= c->base : c->sent < c->written + c->bias;
    return c->clear & open & (c->copied == c->shard || c->sent < c->copied);
}
static inline bool ace_fsm_context_m_begun(const ace_fsm_context *c) { return c->send_row != 0; }

static inline bool ace_fsm_context_from_target(const ace_fsm_context *c) {
    return ACE_PROGRAM_GET(c->send.now.word, TARGET);
}
static inline uint16_t ace_fsm_context_m_send_row(const ace_fsm_context *c, ace_extent source,
                                                  ace_extent target) {
    return ace_fsm_context_from_target(c) ? ace_fsm_context_row(c->target, c->send_offset, target)
                                          : ace_fsm_context_row(c->source, c->send_offset, source);
}
static inline bool ace_fsm_context_m_send_zero(const ace_fsm_context *c) {
    return !ace_fsm_context_from_target(c) && c->send_offset >= c->valids;
}
static inline bool ace_fsm_context_m_send_reduce(const ace_fsm_context *c) {
    return ACE_PROGRAM_GET(c->send.now.word, REDUCE);
}

static inline uint16_t ace_fsm_context_m_copy_source(const ace_fsm_context *c, ace_extent source) {
    return ace_fsm_context_row(c->source, c->copy, source);
}
static inline uint16_t ace_fsm_context_m_copy_target(const ace_fsm_context *c, ace_extent target) {
    return ace_fsm_context_row(c->target, (unsigned)c->own + c->copy, target);
}

static inline bool ace_fsm_context_m_granting(const ace_fsm_context *c) {
    return c->valid & c->receive.live & c->grant & (c->written == c->received);
}
/* Returns whether the context is stalled: it has no piece to receive, although another will
 * come. */
static inline bool ace_fsm_context_m_turning(const ace_fsm_context *c) {
    return c->valid && !c->receive.live && !c->receive.over;
}
/* Is the last row of a piece due, while the next piece is not ready?  The piece behind an exchange
 * may come on the other link. Even if it is ready, it needs a cycle. */
static inline bool ace_fsm_context_m_closing(const ace_fsm_context *c) {
    return c->valid & c->receive.live & (!c->receive.next | c->exchange) & !c->receive.over &
           (c->receive_row + 1 == c->receive_rows);
}
/* Returns whether the next row of an exchange must wait if it comes on this link. It waits if the
 * other link's row is due, or if its row of the own block has not been sent. */
static inline bool ace_fsm_context_m_stalls(const ace_fsm_context *c, unsigned link) {
    return c->exchange && (c->stalls || c->down != (link & 1));
}
static inline uint16_t ace_fsm_context_m_receive_source(const ace_fsm_context *c,
                                                        ace_extent source) {
    return ace_fsm_context_row(c->source, c->receive_offset, source);
}
/* Sums of a reduce-scatter go to the front of the target. */
static inline uint16_t ace_fsm_context_m_receive_target(const ace_fsm_context *c,
                                                        ace_extent target) {
    const bool front = c->into && c->kind == ACE_PHASE_REDUCE_SCATTER;
    return ace_fsm_context_row(c->target, front ? c->receive_row : c->receive_offset, target);
}
static inline bool ace_fsm_context_m_receive_zero(const ace_fsm_context *c) {
    return c->receive_offset >= c->valids;
}
/* A chunk is done when it has neither to send nor to receive, and all its rows are written. */
static inline bool ace_fsm_context_m_ending(const ace_fsm_context *c) {
    return c->valid & c->send.over & !c->send.live & c->receive.over & !c->receive.live;
}
static inline bool ace_fsm_context_m_written(const ace_fsm_context *c) {
    return (c->written == c->received) & (c->copied == c->shard);
}
static inline bool ace_fsm_context_m_done(const ace_fsm_context *c) {
    return ace_fsm_context_m_ending(c) && ace_fsm_context_m_written(c);
}

/* ---- strobes ---- */

void ace_fsm_context_reset(ace_fsm_context *c);
void ace_fsm_context_s_admit(ace_fsm_context *c, const ace_admission *a);
/* Takes the entry word of the program: the chunk's direction, and the starts of its threads.
 * odd: the chunk is odd. */
void ace_fsm_context_s_entry_up(ace_fsm_context *c, uint32_t entry, bool odd);
/* Sets `two_links`: does the thread at the entry send to different links on a ring? */
void ace_fsm_context_find_links(ace_fsm_context *c, uint32_t entry, const uint32_t *program,
                                bool ring);
void ace_fsm_context_s_entry(ace_fsm_context *c, uint32_t entry);
/* Takes the fetched word of a thread's next piece. */
void ace_fsm_context_s_thread(ace_fsm_context *c, ace_fsm_thread *t, const uint32_t *program);
/* The next piece is ready, or the thread has ended.  Returns whether the piece begins at once. */
static inline bool ace_fsm_context_s_piece(ace_fsm_thread *t) {
    t->over = t->behind.end;
    t->next = !t->over;
    return !t->live;
}
/* Is the instruction an exchange: does it send to, or receive from, a neighbour that does both? */
static inline bool ace_fsm_context_exchanges(uint32_t word, bool ring) {
    return ring && ACE_PROGRAM_GET(word, PEER) == ACE_XOR;
}
/* Does the piece go down its dimension, or come from there?  If the numbers of two neighbours
 * differ in one bit, the even one is below.  If they differ in two bits, the odd one is. */
static inline bool ace_fsm_context_goes_down(const ace_fsm_context *c, const ace_thread *t,
                                             bool ring) {
    const unsigned x =
        ACE_PROGRAM_GET(t->word, PEER_K) ? t->k : (unsigned)ACE_PROGRAM_GET(t->word, NUMBER);
    return ace_fsm_context_exchanges(t->word, ring) ? (c->rank ^ x >> 1) & 1 : !c->up;
}
/* Begins the next piece to send, or to receive, if it is ready.  Returns whether it began. */
bool ace_fsm_context_begin_send(ace_fsm_context *c, bool ring);
bool ace_fsm_context_begin_receive(ace_fsm_context *c, bool ring);
/* Before an edge, while the context receives in an exchange.  held: rows to send are not read. */
static inline void ace_fsm_context_watch(ace_fsm_context *c, bool held) {
    c->was_sent = c->sent;
    c->was_open = c->received != c->written;
    c->was_held = held;
}
/* The edge of an exchange: may its next row come?  A sum may overwrite a row of the own block once
 * the row has been read to be sent.  At most two rows that were sent are not read yet, and none
 * while the switch holds none. */
void ace_fsm_context_exchange(ace_fsm_context *c);

static inline void ace_fsm_context_s_granted(ace_fsm_context *c, ace_fsm_peers p, unsigned dim,
                                             unsigned peer) {
    c->granted[dim] |= UINT64_C(1) << ace_fsm_context_slot(p, dim, peer);
}
/* Updates `clear`: does the piece to send wait for nothing but rows? */
static inline void ace_fsm_context_look(ace_fsm_context *c, ace_fsm_peers p) {
    c->clear = c->valid && c->send.live &&
               (!c->needs ||
                (c->granted[c->dim] >> ace_fsm_context_slot(p, c->dim, c->send.now.peer) & 1));
}
/* Was it the last row of its piece? */
static inline bool ace_fsm_context_s_send_take(ace_fsm_context *c, ace_fsm_peers p) {
    if (c->needs) {
        c->granted[c->dim] &= ~(UINT64_C(1) << ace_fsm_context_slot(p, c->dim, c->send.now.peer));
        c->needs = false;
    }
    c->sent++;
    c->send_row++;
    c->send_offset++;
    return c->send_row == c->send_rows;
}
/* Was it the last row to copy? */
static inline bool ace_fsm_context_s_copy_take(ace_fsm_context *c) { return ++c->copy == c->shard; }
static inline void ace_fsm_context_s_grant_take(ace_fsm_context *c) { c->grant = false; }
/* Was it the last row of its piece? */
static inline bool ace_fsm_context_s_receive_take(ace_fsm_context *c) {
    c->received++;
    c->receive_row++;
    c->receive_offset++;
    return c->receive_row == c->receive_rows;
}
static inline void ace_fsm_context_s_written(ace_fsm_context *c) { c->written++; }
static inline void ace_fsm_context_s_copied(ace_fsm_context *c) { c->copied++; }

#ifdef __cplusplus
}
#endif
#endif
