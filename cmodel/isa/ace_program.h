/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_program.h -- algorithms as programs of the FSMs
 *
 * A program describes one phase of a collective on one dimension of n members.  It lists the pieces
 * that a chunk's context sends, and the pieces that the context receives at the same time.
 * Operands are relative to the member's own index on the dimension, so one text serves all
 * members.  The ring all-reduce, in both directions:
 *
 *     all-reduce ring
 *       send    up to ahead 1    shard behind k    from source reduce  wait rows+1  grant first
 *       send    up to ahead 1    shard behind k-1  from target store   wait rows+1  grant none
 *       receive up from behind 1 shard behind k+1  reduce last         grant first
 *       receive up from behind 1 shard behind k    store               grant none
 *
 * Loop    `once N`: k = N; `up`: k = 1, 2, .. n-1; `halve`: k = n/2, n/4, .. 1; `double`:
 *         k = 1, 2, .. n/2.
 * Peer    `ahead X`, `behind X`: X members up, or down, the dimension.  Odd chunks go the opposite
 *         direction, unless the program is `one-way`.  `xor X`; `member X`.  X: a number 0..127,
 *         or k.  On a ring only `ahead 1` and `behind 1` exist, and, where a chunk is alone, `xor`
 *         of a neighbour: both members send each other a piece, and receive them.  On a switch the
 *         own index means the switch itself (`ahead 0`), which reduces what all members send and
 *         returns the result to each member (ace_hub_reducer.h).  All members send the switch the
 *         same pieces, in the same order, with `reduce`, and store the results; no grants are used.
 * Piece   `shard MODE Y`: one of the n shards of the block.  `shards MODE Y`: k shards, starting
 *         at a multiple of k.  `block`: all n shards.  Y: 0, k, k-1, k+1.
 * Send    `from source` (the block as the phase found it, and its partial sums) or `from
 *         target` (its results); the receiver is to `reduce` the rows, or to `store` them.
 * Receive `reduce`: added to the source block; `reduce last`: in the last iteration the
 *         sum goes to the target block; `reduce target`: in each.  Only the sum of all members
 *         goes there: an average is divided then.  `store`: into the target.
 * Wait    when a row may be sent.  `rows`, `rows+N`, `rows-N`: when as many rows of the program
 *         have been received and written as were sent, with N pieces of slack.  +1 lets the first
 *         piece go at once; each row of the next piece then follows the same row received.
 *         `step`: as many as were sent before this piece; `begin`: as many as were sent before
 *         this loop.  Without a wait, at once.
 * Grant   a receiver grants when it is ready: before `each` piece (earlier pieces are then
 *         written), before the `first` piece of the loop, or never (`none`).  The sender waits for
 *         the same grants, so both lines of a pair have the same word.
 *
 * The header is a kind (`reduce-scatter`, `all-reduce` or `all-gather`), a name, and options:
 *
 *   even, odd   the chunks that run the program; without either, all chunks do
 *   one-way     all chunks go up, on the first port
 *   copy        the own shard is first copied from the source to the target block
 *   alone       the engine has one chunk at a time, whatever program the chunk runs.  A row that
 *               comes too early waits at its link, so that no grants are needed.  Dimensions
 *               with a hub cannot have this: there, rows of several peers share a link
 *
 * A block has n shards.  The target of a reduce-scatter and the source of an all-gather have one
 * shard.  Comments begin with #.
 */
#ifndef ACE_PROGRAM_H
#define ACE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ace_flit.h"
#include "ace_program_fields.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the words in the hardware's memory -------------------------------------------
 *
 * Words 0..31 are the entry points of the programs; the other words are instructions.
 * ace_program_fields.h defines their fields, and docs/reference/instruction-set.md explains them.
 */
enum {
    ACE_PROGRAM_WORDS = 128,
    ACE_PROGRAM_CODE = 32,                    /* first word that is an instruction */
    ACE_PROGRAM_SHARDS_MAX = 64 * ACE_MEMBERS /* a thread that sends more has no end */
};

typedef struct ace_instruction {
    uint8_t op, loop, peer, peer_k, number, shard, shard_k, piece, target, reduce, last, wait,
        grant;
    int8_t add;  /* to the shard's operand, -1..1 */
    int8_t bias; /* of ACE_WAIT_ROWS, in pieces, -4..3 */
} ace_instruction;

uint32_t ace_instruction_encode(const ace_instruction *i);
void ace_instruction_decode(uint32_t word, ace_instruction *i);

/* ---- a thread of a program: the arithmetic that the hardware does -----------
 *
 * The position of one thread (send or receive) of a context in its program.  In the calls below, n
 * is the number of members of the dimension, 2..128, and `rank` this member's index. */
typedef struct ace_thread {
    bool end;
    bool first, last; /* iteration of the loop */
    uint8_t pc, k;
    uint8_t peer;
    uint8_t shard, shards; /* the piece: from this one on, how many */
    uint32_t word;         /* the instruction */
} ace_thread;

/* ace_thread_begin() puts the thread at the first piece of the program at pc; ace_thread_next()
 * moves it to the next piece. */
void ace_thread_begin(ace_thread *t, const uint32_t *program, unsigned pc, unsigned n,
                      unsigned rank, bool up);
void ace_thread_next(ace_thread *t, const uint32_t *program, unsigned n, unsigned rank, bool up);

/* The index of the word with the entry point of a phase's program. */
static inline unsigned ace_program_entry(unsigned kind, unsigned dim, bool odd) {
    return (unsigned)odd << 4 | dim << 2 | kind;
}

/* ---- text ------------------------------------------------------------------- */

/* Where a text is wrong.  Line and column count from 1. */
typedef struct ace_program_error {
    unsigned line, column;
    char message[160]; /* what was found, and what would be accepted */
} ace_program_error;

/* Assembles the programs of `text` for the dimensions of `dims` (a bit each), after the programs
 * in the memory. The programs of other dimensions stay.  ACE_OK; or ACE_EINVAL with *error, and
 * `program` is unchanged. */
int ace_program_assemble(const char *text, unsigned dims, uint32_t program[ACE_PROGRAM_WORDS],
                         ace_program_error *error);
/* Writes the text of a dimension's programs to `to`, at most `capacity` bytes with the final 0.
 * Returns the length of the complete text, without the final 0. */
size_t ace_program_disassemble(const uint32_t program[ACE_PROGRAM_WORDS], unsigned dim, char *to,
                               size_t capacity);

/* The names of the algorithms that come with the engine; a NULL ends the list.  ace_program_text()
 * writes the text for member `rank` of n members, at most `capacity` bytes with the final 0.  Only
 * a tree's text depends on n and rank.  ACE_OK; ACE_EINVAL: no such name, or the algorithm does not
 * support n members. */
extern const char *const ace_program_names[];
int ace_program_text(const char *name, unsigned n, unsigned rank, char *to, size_t capacity);
/* Writes the text for member `rank` of a line: a ring of n members without the link between the
 * last member and the first.  It has all-reduces only, and one chunk at a time.  A block crosses
 * each link four times.  ACE_OK or ACE_EINVAL. */
int ace_program_line(unsigned n, unsigned rank, char *to, size_t capacity);

/* The wiring between members of a dimension: a switch, a link from each member to each other one,
 * or a ring. */
typedef enum ace_program_wires {
    ACE_WIRES_SWITCH,
    ACE_WIRES_FULL,
    ACE_WIRES_RING
} ace_program_wires;
/* The algorithm with which a phase of this kind takes the fewest cycles, by the table that
 * scripts/small-messages.py measured, for n members and a block of `bytes`.  For a phase of another
 * kind than an all-reduce, both a reduce-scatter and an all-gather were counted.  The links of the
 * table carry a row in 1.695 cycles, with a latency of 90; links with k times the latency for k
 * times the cycles of a row give about the same order.  A name of ace_program_names that runs on n
 * members, or NULL: the table has no such phase.  `pairwise` on a ring is for a collective of one
 * chunk, on dimensions that are all rings. */
const char *ace_program_small(ace_program_wires wires, ace_phase_kind kind, unsigned n,
                              uint64_t bytes);
enum {
    ACE_SMALL_BYTES = 256 << 10, /* the largest block of the table */
    ACE_SMALL_MEMBERS = 64,      /* the most members */
    ACE_SMALL_LATENCY = 90,      /* of its links, cycles */
    ACE_SMALL_COST = 434         /* of a row on its links, cycles in Q16.8 */
};

/* Assembles the program of its algorithm for each dimension that has no program.  ACE_OK;
 * ACE_EINVAL: the algorithm does not support the number of members; ACE_ENOMEM. */
int ace_program_defaults(ace_config *cfg);
/* Returns whether an engine has programs for a dimension of so many members. Without programs,
 * nodes of other kinds use the ring, or send directly through a hub. */
static inline bool ace_program_has(const ace_config *cfg, unsigned dim) {
    return dim < ACE_DIMENSIONS && cfg->ring[dim] <= ACE_MEMBERS;
}
/* Does a dimension run the default ring program? */
bool ace_program_is_ring(const ace_config *cfg, unsigned dim);
/* Sets *relative: do a dimension's programs name peers and shards only by distance, never by number
 * or by `xor`?  Then the origin from which members are counted makes no difference.  ACE_OK, or
 * ACE_ENOMEM. */
int ace_program_is_relative(const ace_config *cfg, unsigned dim, bool *relative);

/* Can the node of *cfg distinguish the grants of its peers on a hub?  It can if all peers whose
 * grants one program waits for have different numbers modulo `peers`.  A dimension without programs
 * is checked with its algorithm's programs.  If those do not assemble, the result is true. */
bool ace_program_distinguishes(const ace_config *cfg, unsigned dim, unsigned peers);

/* ---- what a program does, without a clock ----------------------------------- */

/* One piece that one member sends to another. */
typedef struct ace_transfer {
    bool everyone; /* the switch reduces all source blocks into each member's target block */
    bool exchange; /* one of both uses `xor` */
    bool granted;  /* the sender waits for a grant */
    const struct ace_transfer *back; /* an exchange: what the receiver sends at the same time */
    uint8_t from, to, shard, shards;
    bool from_target, reduce, to_target;
    /* Shards that the sender has received and that its wait guarantees to be written when it
     * sends.  rows: the wait is by rows, so one more shard for each shard of the piece is written
     * row by row, just ahead of the rows sent.  passed: shards that were written when the thread
     * sent its earlier pieces, by their waits. */
    int written, passed;
    bool rows;
    unsigned received; /* shards that the receiver has received before */
} ace_transfer;

/* Runs the n programs of one phase against each other, piece by piece, and hands each transfer to
 * `carry`. program(self, member): the memory of that member. Transfers that do not depend on each
 * other come in any order. ACE_OK; or ACE_EINVAL with the reason in `why`: no program, partners
 * that do not agree, or members that wait for each other. */
int ace_program_run(const uint32_t *(*program)(void *self, unsigned member),
                    void (*carry)(void *self, const ace_transfer *t), void *self, unsigned kind,
                    unsigned dim, unsigned n, bool odd, char *why, size_t capacity);
/* Checks that the n programs implement `kind`: every result contains every member's share exactly
 * once, and every piece sent is guaranteed by a wait to be present.  ring: peers are neighbours.
 * ACE_OK or ACE_EINVAL, with `why`. */
int ace_program_check(const uint32_t *(*program)(void *self, unsigned member), void *self,
                      unsigned kind, unsigned dim, unsigned n, bool ring, bool odd, char *why,
                      size_t capacity);
/* Computes steps[i] for each of the n members: the length of the longest chain of dependent
 * transfers that member i's result needs.  It is a lower bound for any hardware, because waits and
 * grants are not counted.  ACE_OK, ACE_EINVAL as from ace_program_run(), or ACE_ENOMEM. */
int ace_program_steps(const uint32_t *(*program)(void *self, unsigned member), void *self,
                      unsigned kind, unsigned dim, unsigned n, bool odd, uint16_t *steps);
/* The same for members that begin at different times: computes complete[i], the earliest time at
 * which member i's result can be complete.  start: the time at which each member begins.  step: the
 * time that a transfer takes, in the same unit.  Returns as ace_program_steps() does. */
int ace_program_times(const uint32_t *(*program)(void *self, unsigned member), void *self,
                      unsigned kind, unsigned dim, unsigned n, bool odd, const uint64_t *start,
                      uint64_t step, uint64_t *complete);
/* The most shards of a chunk that member 0 of n may have in flight through the switch in any phase.
 * 0: the dimension sends nothing to the switch. */
unsigned ace_program_in_network(const uint32_t program[ACE_PROGRAM_WORDS], unsigned dim,
                                unsigned n);
/* The result of running the programs of all members of a dimension, without a clock. */
typedef struct ace_program_verdict {
    bool runs;        /* the algorithm has a program for each member */
    unsigned kind;    /* the first phase that goes wrong; 0: none does */
    bool odd;         /* its chunks are odd ones */
    char reason[200]; /* why it goes wrong */
    unsigned blind;   /* the first member that cannot distinguish the grants of others */
    unsigned
        shards; /* most shards of a chunk that a member has in flight through a switch; 0: none */
} ace_program_verdict;

/* Runs the programs of a dimension as ace_program_check() does, for each kind of phase and for even
 * and odd chunks.  A dimension without programs runs the programs of its algorithm.  proved: the
 * programs are the default ones or the ring's, and only their grants are checked.  If no member is
 * blind, v->blind is the number of members.  ACE_OK or ACE_ENOMEM. */
int ace_program_examine(const ace_config *cfg, unsigned dim, unsigned peers, bool proved,
                        ace_program_verdict *v);
/* The number of shards that member `rank` sends in a phase. */
unsigned ace_program_shards(const uint32_t program[ACE_PROGRAM_WORDS], unsigned kind, unsigned dim,
                            unsigned n, unsigned rank, bool odd);

#ifdef __cplusplus
}
#endif

#endif
