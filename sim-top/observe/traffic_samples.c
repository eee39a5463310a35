/* SPDX-License-Identifier: Apache-2.0 */
#include "traffic_samples.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "processes.h"

/* `points` samples of the first width are no shorter than a window: so what is merged
 * during a run would be in the end, too, however far its last window reaches. */
enum { FIRST_SPAN = 10000 };

typedef struct sample {
    atomic_uint_fast64_t sum[SAMPLE_COUNTERS];
} sample;

typedef struct counters {
    uint64_t at[SAMPLE_COUNTERS];
} counters;

struct traffic_samples {
    unsigned points, room, members;
    uint64_t width, cycles;
    sample *at;
    counters *last; /* of each member, where its last sample ended */
};

traffic_samples *traffic_samples_create(unsigned points, unsigned members) {
    traffic_samples *s = calloc(1, sizeof *s);

    if (!s) return NULL;
    *s = (traffic_samples){ .points = points, .room = 2 * points, .members = members, .width = 1 };
    while (points * s->width < FIRST_SPAN) s->width *= 2;
    s->at = calloc(s->room, sizeof *s->at);
    s->last = calloc(members, sizeof *s->last);
    if (s->at && s->last) return s;
    traffic_samples_destroy(s);
    return NULL;
}

void traffic_samples_destroy(traffic_samples *s) {
    if (!s) return;
    free(s->at);
    free(s->last);
    free(s);
}

static void halve(traffic_samples *s) {
    for (unsigned i = 0; i < s->room; i++) {
        for (unsigned k = 0; k < SAMPLE_COUNTERS; k++)
            s->at[i].sum[k] = 2 * i < s->room ? s->at[2 * i].sum[k] + s->at[2 * i + 1].sum[k] : 0;
    }
    s->width *= 2;
}

void traffic_samples_reach(traffic_samples *s, uint64_t until) {
    while (until > s->room * s->width) halve(s);
}

uint64_t traffic_samples_edge(const traffic_samples *s, uint64_t now) {
    return (now / s->width + 1) * s->width;
}

void traffic_samples_add(traffic_samples *s, unsigned member, unsigned weight, uint64_t cycle,
                         const uint64_t counter[SAMPLE_COUNTERS]) {
    uint64_t *last = s->last[member].at;
    sample *at = &s->at[(cycle - 1) / s->width];

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
    while (cycles > s->points * s->width) halve(s);
    return true;
}

unsigned traffic_samples_points(const traffic_samples *s) { return s->points; }
uint64_t traffic_samples_width(const traffic_samples *s) { return s->width; }
unsigned traffic_samples_count(const traffic_samples *s) {
    return (unsigned)((s->cycles + s->width - 1) / s->width);
}
uint64_t traffic_samples_sum(const traffic_samples *s, unsigned counter, unsigned sample) {
    return s->at[sample].sum[counter];
}

void traffic_samples_state(traffic_samples *s, ace_state *to) {
    ACE_STATE(to, s->width);
    ace_state_bytes(to, s->at, s->room * sizeof *s->at);
    ace_state_bytes(to, s->last, s->members * sizeof *s->last);
}
