/* SPDX-License-Identifier: Apache-2.0 */
/*
 * traffic_samples.c -- adds counters into samples whose width doubles when they are too many
 *
 * A representative stops at each edge of a sample. The difference of its counters since the last
 * stop, times the nodes that it represents, is added to the sample. The sums are atomic integers,
 * so threads may add in any order.
 */
#include "traffic_samples.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "fabric.h"
#include "message.h"
#include "processes.h"

/* With the first width, `points` samples are at least as long as a window. Samples are therefore
 * merged during the run only if they would also be merged at its end, even though the last window
 * may reach past the end. */
enum { FIRST_SPAN = 10000 };

typedef struct sample {
    atomic_uint_fast64_t sum[SAMPLE_COUNTERS];
} sample;

typedef struct counters {
    uint64_t at[SAMPLE_COUNTERS];
} counters;

struct traffic_samples {
    fabric *f;
    unsigned points, room, representatives;
    size_t memory[2]; /* indexes of a node's counters of bytes read and written; STATISTICS: none */
    uint64_t width, cycles;
    sample *at;
    counters *last; /* of each representative, at the end of its last sample */
};

traffic_samples *traffic_samples_create(unsigned points) {
    traffic_samples *s = calloc(1, sizeof *s);

    if (!s) return NULL;
    *s = (traffic_samples){ .points = points, .room = 2 * points, .width = 1 };
    while (points * s->width < FIRST_SPAN) s->width *= 2;
    s->at = calloc(s->room, sizeof *s->at);
    if (s->at) return s;
    traffic_samples_destroy(s);
    return NULL;
}

/* Finds the counters. All nodes have the same ones, because all have the same endpoint. */
static void find_counters(traffic_samples *s, const ace_node *node) {
    static const char *const names[] = { "memory.read.bytes", "memory.write.bytes" };
    ace_statistic v[STATISTICS];
    const size_t n = ace_node_statistics(node, v, STATISTICS);

    for (size_t i = 0; i < n && i < STATISTICS; i++)
        for (unsigned k = 0; k < 2; k++)
            if (!strcmp(v[i].name, names[k])) s->memory[k] = i;
}

static int attach(void *self, fabric *f, const driver *d) {
    traffic_samples *s = self;
    unsigned first = 0;

    (void)d;
    s->f = f;
    s->representatives = fabric_representatives(f);
    s->memory[0] = s->memory[1] = STATISTICS;
    while (first < s->representatives && !fabric_is_local(f, first)) first++;
    if (first < s->representatives) find_counters(s, fabric_node(f, first));
    s->last = calloc(s->representatives, sizeof *s->last);
    if (s->last) return EXIT_OK;
    return message_no_memory();
}

void traffic_samples_destroy(traffic_samples *s) {
    if (!s) return;
    free(s->at);
    free(s->last);
    free(s);
}

/* Returns whether the cycles of samples with twice the width can still be counted. */
static bool can_halve(const traffic_samples *s) { return s->width <= UINT64_MAX / 2 / s->room; }

static void halve(traffic_samples *s) {
    for (unsigned i = 0; i < s->room; i++) {
        for (unsigned k = 0; k < SAMPLE_COUNTERS; k++)
            s->at[i].sum[k] = 2 * i < s->room ? s->at[2 * i].sum[k] + s->at[2 * i + 1].sum[k] : 0;
    }
    s->width *= 2;
}

/* Makes room for cycles before `until`. */
static void before_window(void *self, uint64_t until) {
    traffic_samples *s = self;

    while (until > s->room * s->width && can_halve(s)) halve(s);
}

/* Returns the first edge after cycle `now`. */
static uint64_t horizon(const void *self, uint64_t now, uint64_t next) {
    const traffic_samples *s = self;

    (void)next;
    return (now / s->width + 1) * s->width;
}

/* Adds the traffic of a representative since the last call to the sample that contains the cycle
 * before `now`. `now` is at most the next edge. */
static void after_run(void *self, unsigned representative, uint64_t now) {
    traffic_samples *s = self;
    const unsigned weight = fabric_weight(s->f, representative);
    uint64_t *last = s->last[representative].at, counter[SAMPLE_COUNTERS] = { 0 };
    const uint64_t last_sample = s->room - 1, of = (now - 1) / s->width;
    sample *at = &s->at[of < last_sample ? of : last_sample];
    ace_statistic v[STATISTICS];
    const size_t n = ace_node_statistics(fabric_node(s->f, representative), v, STATISTICS);

    for (unsigned l = 0; l < ACE_LINKS; l++)
        counter[SAMPLE_SENT + l / 2] += fabric_link_bytes(s->f, representative, l);
    for (unsigned k = 0; k < 2; k++)
        if (s->memory[k] < n && s->memory[k] < STATISTICS)
            counter[SAMPLE_READ + k] = v[s->memory[k]].value;
    for (unsigned k = 0; k < SAMPLE_COUNTERS; k++) {
        atomic_fetch_add_explicit(&at->sum[k], (counter[k] - last[k]) * weight,
                                  memory_order_relaxed);
        last[k] = counter[k];
    }
}

bool traffic_samples_end(traffic_samples *s, uint64_t cycles) {
    const size_t bytes = s->room * sizeof *s->at;
    const unsigned processes = processes_rank() ? 0 : processes_count();
    sample *all = malloc(processes * bytes + 1);

    if (processes_agree(all ? 0 : 1)) {
        free(all);
        return false;
    }
    processes_gather(s->at, all, bytes);
    for (unsigned i = s->room; processes && i < processes * s->room; i++)
        for (unsigned k = 0; k < SAMPLE_COUNTERS; k++) all[i % s->room].sum[k] += all[i].sum[k];
    if (processes) memcpy(s->at, all, bytes);
    free(all);
    s->cycles = cycles;
    while (cycles > s->points * s->width && can_halve(s)) halve(s);
    return true;
}

uint64_t traffic_samples_width(const traffic_samples *s) { return s->width; }
unsigned traffic_samples_count(const traffic_samples *s) {
    const uint64_t count = s->cycles / s->width + (s->cycles % s->width != 0);

    return count < s->room ? (unsigned)count : s->room;
}
uint64_t traffic_samples_sum(const traffic_samples *s, unsigned counter, unsigned sample) {
    return s->at[sample].sum[counter];
}

static void state(void *self, ace_state *to) {
    traffic_samples *s = self;

    ACE_STATE(to, s->width);
    ace_state_must(to, s->width && !(s->width & (s->width - 1)) && !(s->width >> 48),
                   "traffic_samples.width");
    ace_state_bytes(to, s->at, s->room * sizeof *s->at);
    ace_state_bytes(to, s->last, s->representatives * sizeof *s->last);
}

fabric_observer traffic_samples_observer(traffic_samples *s) {
    return (fabric_observer){ .self = s,
                              .attach = attach,
                              .before_window = before_window,
                              .horizon = horizon,
                              .after_run = after_run,
                              .name = "samples",
                              .key = s->points,
                              .state = state };
}
