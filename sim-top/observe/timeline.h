/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.h -- the timeline of a run: a Chrome trace, which Perfetto opens
 *
 *     timeline_create(of, &t);
 *     observer = timeline_observer(t);     handed to the fabric: see fabric_observer.h
 *     ... the run; the file grows window by window ...
 *     timeline_destroy(t);
 *
 * The file holds for each NPU (timeline_text.c):
 *   compute, background   the program's steps
 *   collectives           from issue to completion, each on the lowest track that is free; a
 *                         flow leads from a collective's issue at one NPU to its completion at
 *                         the next, and from the last NPU to the first
 *   phase P, context C    a chunk's stay, as derived from the wires (chunk_stays.h), with the
 *                         times in which it waited and sent; flows lead to its next phase and
 *                         to the NPU that receives
 *   FSM N                 busy: one of its contexts or more holds a chunk, by the stays
 *   units                 the cycle classes that the node counts: busy, blocked and starved
 *                         cycles of an interval, drawn in this order from the interval's
 *                         beginning.  The remainder was idle.  The total length of all slices
 *                         of a name therefore equals the counter, to the cycle
 *   counters              averages of an interval: bytes sent by dimension, bytes moved to and
 *                         from memory and their share of its bandwidth, collectives
 *                         outstanding, chunks in phases
 *
 * Size. The final file is no larger than --timeline-limit, however long the run is. Half of the
 * limit is for intervals (units and counters), three eighths for chunks, and an eighth for compute
 * and collectives. When one of the three is full, its part of the file loses half its detail, and
 * later events are written with this detail:
 *   intervals     1024 cycles long at first, then twice as long; sums stay exact
 *   chunks        every second stay of a context that was drawn; then every fourth ...
 *   spans         steps that begin in the same interval are merged into one with their number;
 *                 every second collective is dropped, the same ones at all NPUs
 * If the limit is less than 256 KiB for each NPU, only the first NPUs are drawn.
 *
 * Streaming. The content of the file is also in memory, which takes about half of its size. The
 * file is written during the run, as NAME.part until the run has ended. It is written again from
 * the start when detail is lost. A run that is killed leaves an array of events without its end,
 * which viewers accept.
 *
 * The bytes do not depend on threads, processes or checkpoints: between two windows,
 * representatives are written in their order.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "fabric.h"
#include "fabric_observer.h"

typedef struct timeline timeline;

/* Creates the observer of a timeline. Returns EXIT_OK, or EXIT_CHECK after a message. */
int timeline_create(const machine *of, const output *request, timeline **t);
void timeline_destroy(timeline *t); /* NULL is allowed */
fabric_observer timeline_observer(timeline *t);

#endif
