/* SPDX-License-Identifier: Apache-2.0 */
/* schedule.c -- see schedule.h */
#include "schedule.h"

#include <string.h>

#include "ace_command.h"

/* Parts begin at such addresses: whole rows and elements. */
enum { ALIGNED = 4096 };

/* The dimensions of the command, the one at `first` before the others. */
static void lead(ace_command *c, const ace_command *whole, unsigned first) {
    unsigned at = 1;

    c->dims[0] = whole->dims[first];
    for (unsigned i = 0; i < whole->dim_count; i++)
        if (i != first) c->dims[at++] = whole->dims[i];
}

/* When the busiest dimension would be done, were a part given to them too. */
static double busiest(const cluster *c, const uint64_t *load, const uint64_t *more) {
    double most = 0;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const double t = (double)(load[d] + more[d]) / c->link_GBps[d];

        if (t > most) most = t;
    }
    return most;
}

/* Gives the part its order, and the dimensions their loads. */
static void balance(const cluster *c, const ace_config *cfg, const ace_command *whole,
                    ace_command *part, uint64_t *load) {
    uint64_t bytes[ACE_CLUSTER_DIMENSIONS];
    unsigned best = 0;
    double soonest = -1;

    for (unsigned first = 0; first < whole->dim_count; first++) {
        if (cfg->ring[whole->dims[first]] < 2) continue;
        lead(part, whole, first);
        ace_command_bytes(part, cfg, bytes);
        const double t = busiest(c, load, bytes);
        if (soonest >= 0 && !(t < soonest)) continue;
        soonest = t;
        best = first;
    }
    lead(part, whole, best);
    ace_command_bytes(part, cfg, bytes);
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) load[d] += bytes[d];
}

unsigned schedule_parts(schedule by, const cluster *c, const ace_config *cfg,
                        const ace_command *whole, ace_command part[SCHEDULE_PARTS]) {
    uint64_t load[ACE_CLUSTER_DIMENSIONS] = { 0 }, each, at = 0;
    unsigned parts = SCHEDULE_PARTS, i;

    while (parts > 1 && whole->bytes / parts < c->chunk_bytes) parts--;
    part[0] = *whole;
    if (by == SCHEDULE_BASELINE || parts == 1) return 1;
    each = whole->bytes / parts / ALIGNED * ALIGNED;
    if (!each) return 1;
    for (i = 0; i < parts; i++, at += each) {
        part[i] = *whole;
        part[i].tag = (uint16_t)i;
        part[i].source += at;
        part[i].destination += at;
        part[i].bytes = i + 1 < parts ? each : whole->bytes - at;
        balance(c, cfg, whole, &part[i], load);
    }
    return parts;
}
