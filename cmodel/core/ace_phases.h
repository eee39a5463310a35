/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_phases.h -- the phases of a node's collectives: programs, FSMs, the grants they give, parity
 *
 * The C twin of rtl/ace_phases.v; the contract is there.  The RTL has the same parts.
 *
 *     takes = ace_phases_requests(p, ...);      requests that the switch takes in this cycle
 *     ace_phases_read(p, ..., &reads);          words that are read, and failed checks
 *     left = ace_phases_grant(p, ...);          an edge: one grant leaves
 *     ...                                       the datapath's edge, which calls ace_phases_*()
 *     ace_phases_tick(p, &reads, ...);          the rest of the edge
 *
 * Rules
 *   Sets        A set of FSMs has a bit for each FSM.  The sets follow from the FSMs' state and are
 *               updated where an FSM changes, so that a cycle reads the sets instead of 16 FSMs.
 *   Front       The FSMs' order depends on the scheduler's oldest chunk, and an FSM that is done
 *               wakes the scheduler.  So most functions take the front.
 *   Threads     One node, one thread.
 */
#ifndef ACE_PHASES_H
#define ACE_PHASES_H

#include "ace_front.h"
#include "ace_fsm.h"
#include "ace_program_ram.h"
#include "ace_row_uses.h"
#include "ace_switch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sets of links are looked up in two halves; each FSM's link is in one half. */
enum { HALF_LINKS = ACE_LINKS / 2, ROOMS = 1 << HALF_LINKS };

typedef struct ace_phases {
    unsigned fsms, per_phase;
    /* With two or four FSMs a phase, FSM f takes the chunks whose number has the parity of f.  With
     * four, f and f ^ 2 have one parity and send in one direction, so they share the next packet.
     * `sibling` is that 2, else 0. */
    unsigned sibling;
    ace_fsm fsm[ACE_SWITCH_FSMS];
    uint32_t ready; /* FSMs that send next, given room */
    uint32_t
        served[2][ROOMS]; /* FSMs whose link has room, for any set of low, of high, links with it */
    uint32_t mixed;       /* FSMs of a phase and direction whose contexts differ in link */
    uint32_t copies;      /* FSMs with rows to copy */
    uint32_t granting;    /* FSMs that grant */
    uint32_t fetching;    /* FSMs that want a word of the program */
    uint32_t working;     /* FSMs that compute segments */
    uint32_t turning;     /* FSMs with stalled contexts, whose next row must wait */
    uint32_t closing;     /* FSMs with contexts that stall after their next row */
    uint32_t exchanging;  /* FSMs with contexts that receive in an exchange */
    /* The programs have `alone`: one chunk in the engine at a time.  A row whose context has no
     * chunk yet then waits. */
    bool alone;
    ace_program_ram program[ACE_PHASES];
    uint32_t words[ACE_PROGRAM_WORDS]; /* the loaded programs, the same for all phases */
    uint8_t codes[ACE_PROGRAM_WORDS];  /* the parity codes of the words */
    uint8_t wrongs;                    /* failed words and rows that are not counted yet */
    ace_row_uses unfit;                /* uses of rows that failed their parity check */
    bool looking;                      /* a phase has read a word, or found a wrong one */
} ace_phases;

/* Words and rows that do not fit their code, found in the cycle before: how many, and the first. */
typedef struct ace_wrongs {
    unsigned count;
    uint16_t at;
} ace_wrongs;

/* The reads of a cycle: the job of each FSM that reads its program, and the failed checks. */
typedef struct ace_phases_reads {
    uint32_t fsms;
    uint8_t job[ACE_SWITCH_FSMS];
    ace_wrongs wrongs;
} ace_phases_reads;

/* Sets what follows from the parameters; `p` is zeroed before. */
void ace_phases_init(ace_phases *p, const ace_parameters *of);
/* A rising edge with rst high. */
void ace_phases_reset(ace_phases *p, ace_pins_out *out);
/* Takes the programs and their parity codes from the configuration. */
void ace_phases_take_program(ace_phases *p, const ace_config *cfg);

/* Is no program being loaded?  All phases load at once. */
static inline bool ace_phases_idle(const ace_phases *p) {
    return ace_program_ram_idle(&p->program[0]);
}

/* ---- the sets of FSMs ---- */

static inline uint32_t ace_phases_with(uint32_t set, unsigned at, bool bit) {
    return (set & ~(1u << at)) | (unsigned)bit << at;
}
/* Records that FSM f's next packet goes to `link`, so that ace_phases_served() can look up, for any
 * set of links with free slots, which FSMs may send. */
static inline void ace_phases_set_link(ace_phases *p, unsigned f, unsigned link) {
    const unsigned half = link / HALF_LINKS, at = link % HALF_LINKS;
    for (unsigned room = 0; room < ROOMS; room++) {
        p->served[half][room] = ace_phases_with(p->served[half][room], f, room >> at & 1);
        p->served[!half][room] = ace_phases_with(p->served[!half][room], f, false);
    }
}
static inline uint32_t ace_phases_served(const ace_phases *p, unsigned room) {
    return p->served[0][room % ROOMS] | p->served[1][room / ROOMS % ROOMS];
}
/* The other FSM of f's phase whose chunks have the same parity; f itself if there is none. */
static inline unsigned ace_phases_sibling(const ace_phases *p, unsigned f) {
    return f ^ p->sibling;
}
static inline unsigned ace_phases_oldest(const ace_phases *p, const ace_front *front, unsigned f) {
    return ace_scheduler_oldest(&front->scheduler, f >> p->fsm[f].shift);
}

/* Updates which FSM sends next, after the packets that FSM f can send may have changed. */
static inline void ace_phases_touch(ace_phases *p, const ace_front *front, unsigned f) {
    const unsigned g = ace_phases_sibling(p, f);
    const ace_fsm *a = &p->fsm[f], *b = &p->fsm[g];
    const unsigned set = ace_fsm_prefer_begun(a->ready | b->ready, a->begun | b->begun);
    /* the oldest chunk of f's parity, counted among the chunks of that parity */
    const unsigned from = (ace_phases_oldest(p, front, f) + !(f & 1)) / 2;
    const unsigned leads = set && a->ready >> ace_first(set, from) & 1;
    p->ready = (p->ready & ~(1u << f | 1u << g)) | (unsigned)(set != 0) << (leads ? f : g);
}
/* Updates what FSM f would grant. */
static inline void ace_phases_may_grant(ace_phases *p, unsigned f) {
    p->granting = ace_phases_with(p->granting, f, p->fsm[f].granting != 0);
}
/* Updates which words FSM f requests, and which rows must wait. */
static inline void ace_phases_update_waits(ace_phases *p, unsigned f) {
    p->fetching = ace_phases_with(p->fetching, f, ace_fsm_fetches(&p->fsm[f]));
    p->turning = ace_phases_with(p->turning, f, p->fsm[f].turning != 0);
    p->closing = ace_phases_with(p->closing, f, p->fsm[f].closing != 0);
    p->exchanging = ace_phases_with(p->exchanging, f, p->fsm[f].exchanging != 0);
}
/* The same after FSM f has received a row, which can only add requests and waits. */
static inline void ace_phases_may_stall(ace_phases *p, unsigned f) {
    p->fetching |= (unsigned)(p->fsm[f].wants[ACE_FETCH_RECEIVE] != 0) << f;
    p->turning |= (unsigned)(p->fsm[f].turning != 0) << f;
    p->closing = ace_phases_with(p->closing, f, p->fsm[f].closing != 0);
    p->exchanging = ace_phases_with(p->exchanging, f, p->fsm[f].exchanging != 0);
}
/* Wakes the scheduler if a context is done. */
static inline void ace_phases_progress(const ace_phases *p, ace_front *front, unsigned f,
                                       unsigned index) {
    if (ace_fsm_done(&p->fsm[f], index)) front->wake = true;
}

/* ---- before the edge ---- */

/* The FSMs whose requests the switch takes in this cycle.  room: links with a free slot, and with
 * two slots, which an FSM needs while the switch has a request of it queued. */
uint32_t ace_phases_mixed(ace_phases *p, const ace_front *front, const ace_switch *s,
                          const ace_link_port *links);
ACE_INLINE uint32_t ace_phases_requests(ace_phases *p, const ace_front *front, const ace_switch *s,
                                        const ace_link_port *links, unsigned room[2]) {
    if (p->mixed) p->ready = ace_phases_mixed(p, front, s, links);
    room[0] = room[1] = links->s_room;
    if (!p->ready) return 0;
    uint32_t roomy = ace_phases_served(p, room[0]);
    if (p->ready & s->crowded) {
        room[1] = ace_link_port_room_two(links);
        roomy = (roomy & ~s->crowded) | (ace_phases_served(p, room[1]) & s->crowded);
    }
    return p->ready & roomy & ~s->full;
}

/* The context whose row is copied next, as the switch names it. */
ACE_INLINE uint8_t ace_phases_copy_context(const ace_phases *p) {
    if (!p->copies) return 0;
    uint16_t source, target;
    const unsigned f = (unsigned)__builtin_ctz(p->copies);
    const ace_fsm *const fsm = &p->fsm[f];
    const unsigned at = ace_fsm_copy(fsm, &source, &target);
    return ace_context_name(f >> fsm->shift, at << fsm->shift | fsm->index);
}

/* Heads that must not be popped. Their context waits for its next segment, or a row before them is
 * the last of its segment as far as is known. */
unsigned ace_phases_waiting_heads(const ace_phases *p, const ace_switch *s,
                                  const ace_switch_in *requests);
static inline unsigned ace_phases_last_row(const ace_phases *p, const ace_switch *s,
                                           const ace_switch_in *requests,
                                           const ace_pipe_stage *stage) {
    const ace_fsm *fsm = &p->fsm[ace_switch_fsm(s, stage->context)];
    return stage->valid && !stage->copy && ace_fsm_closing(fsm, ace_context_index(stage->context))
               ? ~ace_switch_other(requests, stage->context, 255)
               : 0;
}
ACE_INLINE void ace_phases_stall(const ace_phases *p, const ace_switch *s,
                                 ace_switch_in *requests) {
    if (p->turning | p->exchanging || p->alone)
        requests->head_valid =
            (uint8_t)(requests->head_valid & ~ace_phases_waiting_heads(p, s, requests));
    if (p->closing | p->exchanging) {
        const unsigned closes = ace_phases_last_row(p, s, requests, &s->reduce[s->at]) |
                                ace_phases_last_row(p, s, requests, &s->store[s->at]);
        requests->head_valid = (uint8_t)(requests->head_valid & ~closes);
    }
}

ace_wrongs ace_phases_check_words(ace_phases *p);
void ace_phases_check_rows(ace_phases *p, ace_wrongs *found);
void ace_phases_fetch(ace_phases *p, ace_phases_reads *reads);
void ace_phases_load(ace_phases *p, ace_front *front);
void ace_phases_watch(ace_phases *p, const ace_switch *s);
void ace_phases_exchange(ace_phases *p);
/* Words that are read in this cycle, and checks that failed. */
ACE_INLINE void ace_phases_read(ace_phases *p, ace_front *front, const ace_switch *s,
                                ace_phases_reads *reads) {
    reads->fsms = 0;
    reads->wrongs.count = 0;
    reads->wrongs.at = 0;
    if (p->looking) reads->wrongs = ace_phases_check_words(p);
    if (p->unfit) ace_phases_check_rows(p, &reads->wrongs);
    if (p->exchanging) ace_phases_watch(p, s);
    if (p->program[0].loading)
        ace_phases_load(p, front);
    else if (p->fetching)
        ace_phases_fetch(p, reads);
}

/* ---- the edge ---- */

bool ace_phases_send_number(const ace_agreement *agreement, ace_tx_step *to);
/* At most one grant leaves in a cycle.  A number of the agreement (decision 0058) goes first, then
 * a grant of the latest phase.  The state before the edge decides.  True: the number has left. */
ACE_INLINE bool ace_phases_grant(ace_phases *p, const ace_front *front, ace_link *links,
                                 bool parity_failed) {
    ace_tx_step *const to = ace_link_leaving(links);
    const bool stops = links->tight || parity_failed;
    ace_leaving_grant a;
    to->grant_valid = 0;
    if (front->agreement.left && !stops && ace_phases_send_number(&front->agreement, to))
        return true;
    if (!p->granting || stops) return false;
    const unsigned f = 31u - (unsigned)__builtin_clz(p->granting);
    const unsigned at = ace_fsm_leaving(&p->fsm[f], &a);
    ace_fsm_leaving_take(&p->fsm[f], at);
    ace_phases_may_grant(p, f);
    to->grant_valid = (uint8_t)(1u << a.link);
    to->grant[a.link].context = ace_context_name(f >> p->fsm[f].shift, a.index);
    to->grant[a.link].mark = a.mark;
    to->grant_peer[a.link] = a.peer;
    return false;
}

/* FSMs give requests to their queues in the switch; parameters as of ace_phases_requests(). */
ACE_INLINE void ace_phases_send(ace_phases *p, const ace_front *front, ace_switch *s,
                                uint32_t takes, const unsigned room[2]) {
    for (; takes; takes &= takes - 1) {
        const unsigned f = (unsigned)__builtin_ctz(takes);
        ace_fsm *fsm = &p->fsm[f];
        ace_request r;
        /* A checkpoint that somebody changed may call an FSM ready that is not. */
        if (!ace_fsm_request(fsm, room[s->crowded >> f & 1], &r.send)) continue;
        r.row = ace_fsm_send_row(fsm, &r.send);
        ace_switch_join(s, f, &r);
        ace_fsm_send_take(fsm, r.send.context);
        p->fetching |= (unsigned)(fsm->wants[ACE_FETCH_SEND] != 0) << f;
        const unsigned goes_on =
            fsm->ready & fsm->begun; /* the same chunk: the same FSM sends next */
        if (!(goes_on >> ace_fsm_bit(fsm, r.send.context) & 1)) ace_phases_touch(p, front, f);
    }
}

/* A row of the scratchpad's pipes has been written. */
static inline void ace_phases_written(ace_phases *p, ace_front *front, const ace_switch *s,
                                      const ace_pipe_stage *stage) {
    const unsigned f = ace_switch_fsm(s, stage->context);
    const unsigned index = ace_context_index(stage->context);
    ace_fsm *fsm = &p->fsm[f];
    const uint16_t ready = fsm->ready;
    if (stage->copy)
        ace_fsm_copied(fsm, index);
    else
        ace_fsm_written(fsm, index);
    if (fsm->ready != ready) ace_phases_touch(p, front, f);
    if (fsm->granting) ace_phases_may_grant(p, f);
    ace_phases_progress(p, front, f, index);
}

void ace_phases_report(ace_phases *p, const ace_wrongs *w, ace_pins_out *out);
void ace_phases_segments(ace_phases *p, ace_front *front, const ace_phases_reads *reads);
void ace_phases_admit(ace_phases *p, ace_front *front);
/* Grants that have come, segments, chunks that come and go.  Returns the links on which a number of
 * the agreement has come instead of a grant. */
ACE_INLINE unsigned ace_phases_tick(ace_phases *p, ace_front *front, const ace_switch *s,
                                    const ace_phases_reads *reads, const ace_rx_pins *rx,
                                    ace_pins_out *out) {
    if (reads->wrongs.count | p->wrongs) ace_phases_report(p, &reads->wrongs, out);
    unsigned numbers = 0;
    for (unsigned l = rx->grant_valid; l; l &= l - 1) {
        const unsigned link = (unsigned)__builtin_ctz(l);
        const uint8_t context = rx->link[link].grant_context;
        if (context == ACE_NUMBER_CONTEXT) {
            numbers |= 1u << link;
            continue;
        }
        const unsigned f = ace_switch_fsm(s, context);
        ace_fsm_grant(&p->fsm[f], ace_context_index(context), link, rx->grant_peer[link]);
        ace_phases_touch(p, front, f);
    }
    if (p->working | reads->fsms) ace_phases_segments(p, front, reads);
    if (p->exchanging) ace_phases_exchange(p);
    const ace_action bus = front->scheduler.bus;
    if (bus == ACE_ACT_ADMIT || bus == ACE_ACT_RELEASE) ace_phases_admit(p, front);
    return numbers;
}

#ifdef __cplusplus
}
#endif
#endif
