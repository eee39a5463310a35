/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrated_rung.c -- reads a calibration for a run, and refuses what it does not cover
 *
 * The checks go from the options to the origin of the file and then to the ranges.
 * calibrated_rung_form() makes the parameters of the calibrated node from a machine.
 */
#include "calibrated_rung.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"
#include "chunk_flow.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "program_digest.h"
#include "refusal.h"

static int not_covered(refusal *why, const char *found, const char *expected) {
    return refuse(why, "--rung calibrated: found %s, expected %s", found, expected);
}

/* Refuses options of the run that the rung does not support. */
static int check_options(const machine *m, const execution *e, const output *o, refusal *why) {
    const cluster *c = &m->cluster;
    const struct {
        bool found;
        const char *what;
    } lacks[] = {
        { memchr(m->plan.rung, RUNG_CYCLE, m->plan.nodes) ||
              memchr(m->plan.rung, RUNG_RTL, m->plan.nodes),
          "nodes on another rung beside it: no rows cross the links between them" },
        { c->endpoint != ENDPOINT_ACE, "another endpoint than ace" },
        { m->graph != NULL, "links that a file lists: it has no routes" },
        { c->switch_rows || c->switch_GBps > 0,
          "switches with buffers or a bandwidth of their own" },
        { m->plan.in_network != 0, "--algorithm in-network, or another that switches reduce for" },
        { *c->shared_links != 0, "--shared-links" },
        { m->schedule != 0, "--schedule balanced" },
        { m->payload, "--payload: it moves no bits" },
        { m->control != CONTROL_PINS, "--control registers or trigger" },
        { m->fault_list != NULL, "--faults" },
        { o->timeline || o->samples || o->record || o->report || o->folder,
          "--timeline, --samples, --record, --report or --output: it has no rows to show" },
        { e->checkpoint || e->resume, "--checkpoint or --resume" },
    };

    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (lacks[i].found)
            return not_covered(why, lacks[i].what, "a run without it, or rung cycle");
    return EXIT_OK;
}

/* Checks that the calibration belongs to this program and this cluster. */
static int check_origin(const calibration *c, const char *file, uint64_t cluster_digest,
                        refusal *why) {
    char cluster[CALIBRATION_DIGEST], digest[CALIBRATION_DIGEST];
    uint64_t program = FNV1A_START;

    if (!program_digest(&program)) return EXIT_CHECK;
    snprintf(digest, sizeof digest, "%016" PRIx64, program);
    snprintf(cluster, sizeof cluster, "%016" PRIx64, cluster_digest);
    if (strcmp(digest, c->program))
        return refuse(why,
                      "%s: found a calibration of program %s, expected one of %s, which acesim "
                      "calibrate makes anew",
                      file, c->program, digest);
    if (!strcmp(cluster, c->cluster_digest)) return EXIT_OK;
    return refuse(why,
                  "%s: found a calibration of another cluster (%s), expected one of this cluster's "
                  "topology, algorithms, links, memory latency, order and hardware",
                  file, c->cluster);
}

static int range(refusal *why, const char *what, double found, const double of[2],
                 const char *unit) {
    char text[160], expected[120];

    if (found >= of[0] * (1 - 1e-9) && found <= of[1] * (1 + 1e-9)) return EXIT_OK;
    snprintf(text, sizeof text, "%s of %.10g %s", what, found, unit);
    snprintf(expected, sizeof expected, "%.10g to %.10g, which were measured", of[0], of[1]);
    return not_covered(why, text, expected);
}

static int check_range(const machine *m, refusal *why) {
    const calibration *c = m->calibration;
    const double GBps = cluster_memory_GBps(&m->cluster);
    float slowest = 1;
    int rc = range(why, "a chunk", (double)m->cluster.chunk_bytes, c->chunk_bytes, "bytes");

    for (unsigned i = 0; i < m->plan.nodes; i++)
        if (m->plan.speed[i] < slowest) slowest = m->plan.speed[i];
    if (rc == EXIT_OK) rc = range(why, "a memory bandwidth", GBps, c->memory_GBps, "GB/s");
    if (rc == EXIT_OK)
        rc = range(why, "a slow node's memory bandwidth", GBps * (double)slowest, c->memory_GBps,
                   "GB/s");
    if (rc != EXIT_OK || m->workload) return rc;
    if (!chunk_flow_covers(&m->command))
        return not_covered(why, kind_names[m->command.kind],
                           "all-reduce, reduce-scatter, all-gather or all-to-all");
    return range(why, "a collective", (double)m->command.bytes, c->bytes, "bytes");
}

/* Says that an engine takes another algorithm, as its time is then another one. */
static void note_algorithm(const machine *m) {
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const char *const name = machine_engine_algorithm(m, d);

        if (!name) continue;
        fprintf(stderr,
                "acesim: --rung calibrated: this is the time of the default algorithm; an engine "
                "takes %s on %c for this size, and is faster\n",
                name, ACE_DIMENSION_LETTERS[d]);
        return;
    }
}

int calibrated_rung_make(machine *m, const execution *e, const output *o, uint64_t cluster,
                         refusal *why) {
    const bool needed = memchr(m->plan.rung, RUNG_CALIBRATED, m->plan.nodes);

    if (!needed && o->interval)
        return refuse(why, "--interval: found no node on the rung calibrated, expected --rung "
                           "calibrated with it: others have no error");
    if (!needed && !m->calibration_file) return EXIT_OK;
    if (!needed)
        return refuse(why, "--calibration: found no node on the rung calibrated, expected --rung "
                           "calibrated with it");
    if (!m->calibration_file)
        return not_covered(why, "no file", "--calibration FILE, which acesim calibrate writes");
    m->calibration = calloc(1, sizeof *m->calibration);
    if (!m->calibration) return message_no_memory();
    int rc = calibration_read(m->calibration_file, m->calibration);
    if (rc == EXIT_OK) rc = check_options(m, e, o, why);
    if (rc == EXIT_OK) rc = check_origin(m->calibration, m->calibration_file, cluster, why);
    if (rc == EXIT_OK) rc = check_range(m, why);
    if (rc == EXIT_OK) note_algorithm(m);
    return rc;
}

int calibrated_rung_covers(const machine *m, const char *what, uint64_t bytes, refusal *why) {
    if (!m->calibration || !bytes) return EXIT_OK;
    return range(why, what, (double)bytes, m->calibration->bytes, "bytes");
}

void calibrated_rung_free(machine *m) {
    if (m->calibration) calibration_free(m->calibration);
    free(m->calibration);
    m->calibration = NULL;
}

/* Returns how much longer a row from a port to one other member takes than a row on the port. With
 * direct connections each pair has its own link, and the links of a member together carry what its
 * two ports send (hub.h). */
static double divided(const cluster *c, unsigned d) {
    return c->wiring[d] == WIRING_DIRECT && c->ring[d] > 3 ? (c->ring[d] - 1) / 2.0 : 1;
}

/* A row crosses two links on its route through a switch. */
chunk_flow_setup calibrated_rung_form(const machine *m, const ace_config *cfg,
                                      const flow_parameters *flow) {
    const cluster *c = &m->cluster;
    chunk_flow_setup to = { .parameters = c->parameters, .config = *cfg, .flow = flow };

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        to.latency[d] = c->link_latency[d] * (c->wiring[d] == WIRING_SWITCH ? 2 : 1);
        to.divided[d] = divided(c, d);
    }
    return to;
}
