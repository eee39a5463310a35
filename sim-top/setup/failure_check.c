/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failure_check.c -- refuses options that a run with a dead part (failure_run.h) does not model
 *
 * The members that are left use a line (ace_plan_without_link()), which has only all-reduces. Their
 * sums have another order than before, so the check of values needs sums that are exact.
 */
#include <string.h>

#include "exit_status.h"
#include "machine.h"
#include "output.h"
#include "refusal.h"

enum {
    MEMBERS = 256, /* each has a thread of software */
    LATENCY = 8000 /* cycles of a link; the register for silence holds 255 intervals */
};

static bool all_on_rings(const cluster *c) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (c->ring[d] > 1 && c->wiring[d] != WIRING_RING) return false;
    return true;
}

static bool in_all_dimensions(const machine *m) {
    unsigned members = 1;

    for (unsigned d = 0; d < m->dim_count; d++) members *= m->cluster.ring[m->dims[d]];
    return members == m->nodes;
}

static bool all_on_cycle(const node_plan *p) {
    for (unsigned i = 0; i < p->nodes; i++)
        if (p->rung[i] != RUNG_CYCLE) return false;
    return true;
}

int machine_refuse_failure(const machine *m, const output *o, refusal *why) {
    const cluster *c = &m->cluster;
    const struct {
        bool wrong;
        const char *expected;
    } checks[] = {
        { m->workload, "acesim collective" },
        { m->control != CONTROL_REGISTERS,
          "--control registers: the nodes' software ends the collective and runs it again" },
        { !all_on_cycle(&m->plan), "--rung cycle at all nodes" },
        { !all_on_rings(c), "dimensions that are rings" },
        { m->nodes > MEMBERS, "at most 256 nodes" },
        { *c->shared_links, "no --shared-links" },
        { *c->speeds, "no --speed" },
        { c->order == CLUSTER_AGREED, "--order lifo or fifo: a line has no agreement" },
        { c->wire_format, "no --wire-format: values would be rounded" },
        { m->schedule, "no --schedule" },
        { !in_all_dimensions(m), "--dims with all dimensions of the topology" },
        { m->kind != ACE_ALL_REDUCE || m->type != ACE_FP32 || m->op != ACE_SUM,
          "an all-reduce of fp32, sum" },
        { o->compare || o->report || o->timeline || o->folder || o->samples || o->wave.file,
          "no --compare, --report, --timeline, --output, --samples and --wave" },
    };

    if (!m->faults.dead.any) return EXIT_OK;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++)
        if (checks[i].wrong) return refuse(why, "--faults dead: expected %s", checks[i].expected);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (c->ring[d] > 1 && c->link_latency[d] > LATENCY)
            return refuse(why,
                          "--faults dead: found a link latency of %u cycles, expected at most "
                          "%d",
                          c->link_latency[d], LATENCY);
    return EXIT_OK;
}
