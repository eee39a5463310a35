/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traffic_samples.h -- the traffic of a run over time
 *
 *     s = traffic_samples_create(points);
 *     observer = traffic_samples_observer(s);      handed to the fabric: see fabric_observer.h
 *     ... the run ...
 *     traffic_samples_end(s, cycles); traffic_samples_sum(s, k, i);
 *     traffic_samples_destroy(s);
 *
 * Time is divided into samples of equal width, a power of two cycles. When there are too many,
 * pairs are merged. In the end there are at most `points` samples, as narrow as possible. The sums
 * are integers and a representative stops at the edges, so threads, processes and folding do not
 * change them.
 */
#ifndef TRAFFIC_SAMPLES_H
#define TRAFFIC_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"
#include "fabric_observer.h"

/* The sums over the nodes: bytes sent on the links of each dimension, and bytes moved to or from
 * memory. */
enum { SAMPLE_SENT, SAMPLE_READ = ACE_DIMENSIONS, SAMPLE_WRITTEN, SAMPLE_COUNTERS };

typedef struct traffic_samples traffic_samples;
traffic_samples *traffic_samples_create(unsigned points); /* NULL: no memory */
void traffic_samples_destroy(traffic_samples *s);         /* NULL is allowed */
fabric_observer traffic_samples_observer(traffic_samples *s);
/* Ends the samples of a run of this many cycles. Process 0 then has the sums of all processes.
 * Returns false if there is no memory. */
bool traffic_samples_end(traffic_samples *s, uint64_t cycles);
uint64_t traffic_samples_width(const traffic_samples *s); /* cycles */
/* of samples that hold cycles of the run */
unsigned traffic_samples_count(const traffic_samples *s);
uint64_t traffic_samples_sum(const traffic_samples *s, unsigned counter, unsigned sample);

#endif
