/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traffic_samples.h -- the traffic of a run over time
 *
 *     s = traffic_samples_create(points, members);
 *     before each window        traffic_samples_reach(s, until);
 *     for each member, in it    run to traffic_samples_edge(s, now) at most; traffic_samples_add(...);
 *     after the run             traffic_samples_end(s, cycles); traffic_samples_sum(s, k, i);
 *
 * Time is cut into samples of equal width, a power of two cycles.  When they are too many,
 * two become one: in the end there are at most `points`, as narrow as that allows.  The
 * sums are of integers and a member stops at the edges, so neither threads nor processes
 * nor folding change them.
 */
#ifndef TRAFFIC_SAMPLES_H
#define TRAFFIC_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_state.h"
#include "ace_types.h"

/* What is summed over the nodes: bytes put on links and moved to or from memory. */
enum { SAMPLE_SENT, SAMPLE_READ = ACE_DIMENSIONS, SAMPLE_WRITTEN, SAMPLE_COUNTERS };

typedef struct traffic_samples traffic_samples;
traffic_samples *traffic_samples_create(unsigned points, unsigned members); /* NULL: no memory */
void traffic_samples_destroy(traffic_samples *s);                           /* NULL is allowed */
/* Makes room for cycles before `until`; called between windows. */
void traffic_samples_reach(traffic_samples *s, uint64_t until);
/* The first edge after cycle `now`. */
uint64_t traffic_samples_edge(const traffic_samples *s, uint64_t now);
/* A member has run to `cycle`, from the edge before it or later: its counters so far.
 * Members may be on several threads. */
void traffic_samples_add(traffic_samples *s, unsigned member, unsigned weight, uint64_t cycle,
                         const uint64_t counter[SAMPLE_COUNTERS]);
/* Of a run of this many cycles; sums over all processes, at process 0.  False: no memory. */
bool traffic_samples_end(traffic_samples *s, uint64_t cycles);
unsigned traffic_samples_points(const traffic_samples *s); /* as it was created */
uint64_t traffic_samples_width(const traffic_samples *s);  /* cycles */
unsigned traffic_samples_count(const traffic_samples *s); /* of those that hold cycles of the run */
uint64_t traffic_samples_sum(const traffic_samples *s, unsigned counter, unsigned sample);
void traffic_samples_state(traffic_samples *s, ace_state *to);

#endif
