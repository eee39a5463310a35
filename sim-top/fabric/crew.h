/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew.h -- threads that share the items of a round
 *
 *     rc = crew_create(4, one_node, fabric, &crew);
 *     while (...) crew_run(crew, first, past);      one_node(fabric, i) for each i of [first, past)
 *     crew_destroy(crew);
 *
 * A round is over when its items are done. The calling thread takes items, too, and does not wait
 * for a thread that has taken none. So a round also ends in time where the processors are busy with
 * other programs.
 *
 * Rules that hold for every call
 *   Threads    All calls come from one thread.  The items of a round run in any order and in
 *              parallel.  Their writes are visible to all items of the next round and to the
 *              caller.
 *   Errors     EXIT_OK, or EXIT_CHECK after a message: no memory, or no room for so many threads.
 */
#ifndef CREW_H
#define CREW_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct crew crew;

/* threads: the number of threads, the calling one included; 0 means 1, too. */
int crew_create(unsigned threads, void (*work)(void *self, unsigned item), void *self, crew **to);
void crew_run(crew *c, unsigned first, unsigned end);
void crew_destroy(crew *c); /* NULL is allowed */

#ifdef __cplusplus
}
#endif

#endif
