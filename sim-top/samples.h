/* SPDX-License-Identifier: Apache-2.0 */
/*
 * samples.h -- the traffic of a run over time
 *
 *     s = samples_create(points, members);
 *     before each window        samples_reach(s, until);
 *     for each member, in it    run to samples_edge(s, now) at most; samples_add(...);
 *     after the run             samples_end(s, cycles); samples_sum(s, k, i);
 *
 * Time is cut into samples of equal width, a power of two cycles.  When they are too many,
 * two become one: in the end there are at most `points`, as narrow as that allows.  The
 * sums are of integers and a member stops at the edges, so neither threads nor processes
 * nor folding change them.
 */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_state.h"
#include "ace_types.h"

/* What is summed over the nodes: bytes put on links and moved to or from memory. */
enum { SAMPLE_SENT, SAMPLE_READ = ACE_DIMENSIONS, SAMPLE_WRITTEN, SAMPLE_COUNTERS };

typedef struct samples samples;
samples *samples_create(unsigned points, unsigned members); /* NULL: no memory */
void samples_destroy(samples *s);                           /* NULL is allowed */
/* Makes room for cycles before `until`; called between windows. */
void samples_reach(samples *s, uint64_t until);
/* The first edge after cycle `now`. */
uint64_t samples_edge(const samples *s, uint64_t now);
/* A member has run to `cycle`, from the edge before it or later: its counters so far.
 * Members may be on several threads. */
void samples_add(samples *s, unsigned member, unsigned weight, uint64_t cycle,
                 const uint64_t counter[SAMPLE_COUNTERS]);
/* Of a run of this many cycles; sums over all processes, at process 0.  False: no memory. */
bool samples_end(samples *s, uint64_t cycles);
unsigned samples_points(const samples *s); /* as it was created */
uint64_t samples_width(const samples *s);  /* cycles */
unsigned samples_count(const samples *s);  /* of those that hold cycles of the run */
uint64_t samples_sum(const samples *s, unsigned counter, unsigned sample);
void samples_state(samples *s, ace_state *to);

#endif
