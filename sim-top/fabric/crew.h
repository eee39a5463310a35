/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew.h -- threads that share the items of one round after the other
 *
 *     rc = crew_create(4, one_node, fabric, &crew);
 *     while (...) crew_run(crew, first, past);      one_node(fabric, i) for each i of [first, past)
 *     crew_destroy(crew);
 *
 * A round is over when its items are done.  Nobody waits for a thread that has taken none: where
 * processors are busy with something else, the calling thread does what is there itself, and the
 * others come when they can.
 *
 * Rules that hold for every call
 *   Threads    All calls by one thread.  Items of a round run in any order, side by side; what they
 *              do is there for all items of the next, and for the caller.
 *   Errors     EXIT_OK, or EXIT_CHECK after a message: no memory, or no room for so many threads.
 */
#ifndef CREW_H
#define CREW_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crew crew;

/* threads: the calling one among them; of 0 there is that one, too. */
int crew_create(unsigned threads, void (*work)(void *self, unsigned item), void *self, crew **to);
void crew_run(crew *c, unsigned first, unsigned past);
void crew_destroy(crew *c); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
