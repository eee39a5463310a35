/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_program.h -- algorithms as programs of the FSMs
 *
 * A phase of a collective, on one dimension of n members, is a program: what a chunk's context
 * sends, piece after piece, and at the same time what it receives.  Operands are relative to
 * the own place, so that one text serves all members.  Ring, both ways:
 *
 *     all-reduce ring
 *       send    up to ahead 1    shard behind k    from source reduce  wait rows+1  grant first
 *       send    up to ahead 1    shard behind k-1  from target store   wait rows+1  grant none
 *       receive up from behind 1 shard behind k+1  reduce last         grant first
 *       receive up from behind 1 shard behind k    store               grant none
 *
 * Loop    `once N`: k = N; `up`: k = 1, 2, .. n-1; `halve`: k = n/2, n/4, .. 1; `double`:
 *         k = 1, 2, .. n/2.
 * Peer    `ahead X`, `behind X`: X places up, or down, the dimension; of odd chunks down, or
 *         up (but for programs that are `one-way`).  `xor X`; `member X`.  X: a number 0..127,
 *         or k.  On a ring only `ahead 1` and `behind 1` exist.  On a switch the own place stands
 *         for the switch itself (`ahead 0`): it reduces what all members send it and gives each
 *         of them the result (ace_hub_reducer.h).  All send it the same pieces, in the same order
 *         and to be reduced, and store what comes back; neither is granted.
 * Piece   `shard MODE Y`: one of the n shards of the block.  `shards MODE Y`: k of them, from a
 *         multiple of k on.  `block`: all n.  Y: 0, k, k-1, k+1.
 * Send    `from source` (the block as the phase found it, and its partial sums) or `from
 *         target` (its results); the receiver is to `reduce` the rows, or to `store` them.
 * Receive `reduce`: added to the source block; `reduce last`: in the last turn of the loop the
 *         sum goes to the target block; `reduce target`: in each.  Only the sum of all members
 *         goes there: an average is divided then.  `store`: into the target.
 * Wait    when a row may be sent.  `rows`, `rows+N`, `rows-N`: as many rows of the program
 *         have been received and written as were sent, but for N pieces: +1 lets the first
 *         piece go at once and each row of the next follow the same row received.  `step`: as
 *         many as were sent before this piece; `begin`: before this loop.  Else at once.
 * Grant   a receiver says when it is ready: before `each` piece (what was received before is
 *         then written), the `first` of the loop, or `none`.  A sender waits alike, so both
 *         lines of a pair say the same.
 *
 * The header: `reduce-scatter`, `all-reduce` or `all-gather`, then a name, then any of
 * `even`, `odd` (chunks; both when neither is given), `one-way` (all chunks go up, on the first
 * port) and `copy` (the own shard goes from the source to the target block first).  A block
 * has n shards, but for the target of a reduce-scatter and the source of an all-gather, which
 * have one.  Comments begin with #.
 */
#ifndef ACE_PROGRAM_H
#define ACE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ace_program_fields.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the words the hardware keeps -------------------------------------------
 *
 * Words 0..31 say where the programs begin, the others are instructions; ace_program_fields.h has
 * their fields, and docs/reference/instruction-set.md says what they mean. */
enum {
    ACE_PROGRAM_WORDS = 128,
    ACE_PROGRAM_CODE = 32 /* first word that is an instruction */
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
 * Where a thread of a context is.  Of a dimension of n members, 2..128, in place `rank`. */
typedef struct ace_thread {
    bool end;
    bool first, last; /* turn of the loop */
    uint8_t pc, k;
    uint8_t peer;
    uint8_t shard, shards; /* the piece: from this one on, how many */
    uint32_t word;         /* the instruction */
} ace_thread;

/* At the beginning of the program at pc; then on to the next piece. */
void ace_thread_begin(ace_thread *t, const uint32_t *words, unsigned pc, unsigned n, unsigned rank,
                      bool up);
void ace_thread_next(ace_thread *t, const uint32_t *words, unsigned n, unsigned rank, bool up);

/* The word that says where a phase's program begins. */
static inline unsigned ace_program_entry(unsigned kind, unsigned dim, bool odd) {
    return (unsigned)odd << 4 | dim << 2 | kind;
}

/* ---- text ------------------------------------------------------------------- */

/* Where a text is wrong.  Line and column count from 1. */
typedef struct ace_program_error {
    unsigned line, column;
    char message[160]; /* what was found, and what would be accepted */
} ace_program_error;

/* Puts the programs of `text` on the dimensions of `dims` (a bit each), behind what the memory
 * holds; others stay.  ACE_OK, or ACE_EINVAL and *error, and `words` is as before. */
int ace_program_assemble(const char *text, unsigned dims, uint32_t words[ACE_PROGRAM_WORDS],
                         ace_program_error *error);
/* The text of what a dimension has.  At most `capacity` bytes with the final 0; gives the
 * length without it, of all. */
size_t ace_program_disassemble(const uint32_t words[ACE_PROGRAM_WORDS], unsigned dim, char *to,
                               size_t capacity);

/* Algorithms that come with the engine, by name; a NULL ends the list.  Text for a dimension of
 * n members seen from place `rank` (a tree's text depends on both, the others' on neither), at
 * most `capacity` bytes with the final 0.  ACE_OK; ACE_EINVAL: no such name, or not with so
 * many members. */
extern const char *const ace_program_names[];
int ace_program_text(const char *name, unsigned n, unsigned rank, char *to, size_t capacity);

/* Gives each dimension without a program that of its algorithm, as seen from its rank.  ACE_OK
 * or ACE_EINVAL: not with so many members, or no room. */
int ace_program_defaults(ace_config *cfg);
/* Does an engine hold programs for a dimension of so many members?  Nodes of other kinds go round
 * the ring there, or send directly where it is a hub. */
static inline bool ace_program_has(const ace_config *cfg, unsigned dim) {
    return dim < ACE_DIMENSIONS && cfg->ring[dim] <= ACE_MEMBERS;
}
/* Does a dimension run the program it has when nothing is said: a ring? */
bool ace_program_is_ring(const ace_config *cfg, unsigned dim);
/* Do a dimension's programs name peers and shards by how far away they are alone, and none by its
 * number or its bits?  Then it makes no difference from where its places are counted. */
bool ace_program_is_relative(const ace_config *cfg, unsigned dim);

/* Does the node of *cfg tell apart whose grants it has?  On a hub its programs, those for even or
 * for odd chunks, send after grants of members alone whose numbers differ modulo `peers`.  Programs
 * that there are none of are those of the dimension's algorithm; of one that does not assemble the
 * answer is yes. */
bool ace_program_tells_apart(const ace_config *cfg, unsigned dim, unsigned peers);

/* ---- what a program does, without a clock ----------------------------------- */

/* One piece that goes from member to member. */
typedef struct ace_transfer {
    bool everyone; /* from each member's source block, by the switch, to each one's target block */
    uint8_t from, to, shard, shards;
    bool from_target, reduce, to_target;
    /* Of what the sender has received, counted in shards, so many are written when it sends,
     * as its wait says; rows: so many and one more for each shard of the piece, row by row. */
    int written;
    bool rows;
    unsigned turn; /* shards the receiver has received before */
} ace_transfer;

/* Runs the n programs of one phase against each other, piece by piece, and hands each transfer
 * to `act`.  words(self, member): the memory of that member.  Those that do not depend on
 * each other come in any order.  ACE_OK, or ACE_EINVAL and what is wrong in
 * `why`: no program, partners that do not agree, or members that wait for each other. */
int ace_program_run(const uint32_t *(*words)(void *self, unsigned member),
                    void (*act)(void *self, const ace_transfer *t), void *self, unsigned kind,
                    unsigned dim, unsigned n, bool odd, char *why, size_t capacity);
/* Whether the n programs do what `kind` promises: every result has every member's share, once,
 * and nothing is sent before a wait makes sure that it is there.  ring: peers are neighbours.
 * ACE_OK or ACE_EINVAL, with `why`. */
int ace_program_check(const uint32_t *(*words)(void *self, unsigned member), void *self,
                      unsigned kind, unsigned dim, unsigned n, bool ring, bool odd, char *why,
                      size_t capacity);
/* Gives steps[i], for each of the n members: the number of transfers, each of which needs the one
 * before, behind which the phase's result of member i is complete.  No program is faster, whatever
 * the hardware: waits and grants are not counted.  ACE_OK, ACE_EINVAL as of ace_program_run(), or
 * ACE_ENOMEM. */
int ace_program_steps(const uint32_t *(*words)(void *self, unsigned member), void *self,
                      unsigned kind, unsigned dim, unsigned n, bool odd, uint16_t *steps);
/* Shards of a chunk that place 0 of n may have on their way through the switch, in any phase of a
 * dimension; 0: it sends it none. */
unsigned ace_program_in_network(const uint32_t words[ACE_PROGRAM_WORDS], unsigned dim, unsigned n);
/* Shards that place `rank` sends in a phase. */
unsigned ace_program_shards(const uint32_t words[ACE_PROGRAM_WORDS], unsigned kind, unsigned dim,
                            unsigned n, unsigned rank, bool odd);

#ifdef __cplusplus
}
#endif

#endif
