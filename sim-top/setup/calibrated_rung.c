/* SPDX-License-Identifier: Apache-2.0 */
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
#include "setup_fields.h"

static int not_covered(const char *found, const char *expected) {
    fprintf(stderr, "acesim: --rung calibrated: found %s, expected %s\n", found, expected);
    return EXIT_USAGE;
}

static bool reduces_in_network(const run_setup *s) {
    bool any = false;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        any |= cluster_in_network(&s->config, d) != 0;
    return any;
}

/* What the run asks for that the rung has not. */
static int look_at_options(const run_setup *s) {
    const run_fields *o = &s->fields;
    const struct {
        bool found;
        const char *what;
    } lacks[] = {
        { memchr(s->plan.rung, RUNG_CYCLE, s->plan.nodes) ||
              memchr(s->plan.rung, RUNG_RTL, s->plan.nodes),
          "nodes on another rung beside it: no rows cross the links between them" },
        { o->cluster.endpoint != ENDPOINT_ACE, "another endpoint than ace" },
        { s->graph != NULL, "links that a file lists: it has no routes" },
        { o->cluster.switch_rows || o->cluster.switch_GBps > 0,
          "switches with buffers or a bandwidth of their own" },
        { reduces_in_network(s), "--algorithm in-network, or another that switches reduce for" },
        { *o->cluster.shared_links != 0, "--shared-links" },
        { o->schedule != 0, "--schedule balanced" },
        { o->payload, "--payload: it moves no bits" },
        { o->registers, "--control registers" },
        { o->faults != NULL, "--faults" },
        { o->timeline || o->samples || o->record || o->report || o->output,
          "--timeline, --samples, --record, --report or --output: it has no rows to show" },
        { o->checkpoint || o->resume, "--checkpoint or --resume" },
    };

    for (size_t i = 0; i < sizeof lacks / sizeof *lacks; i++)
        if (lacks[i].found) return not_covered(lacks[i].what, "a run without it, or rung cycle");
    return EXIT_OK;
}

static int look_at_origin(const run_setup *s) {
    const calibration *c = s->calibration;
    char cluster[CALIBRATION_DIGEST], digest[CALIBRATION_DIGEST];
    uint64_t program = FNV1A_START;

    if (!program_digest(&program)) return EXIT_CHECK;
    snprintf(digest, sizeof digest, "%016" PRIx64, program);
    snprintf(cluster, sizeof cluster, "%016" PRIx64, setup_cluster_digest(&s->fields));
    if (strcmp(digest, c->program)) {
        fprintf(stderr,
                "acesim: %s: found a calibration of program %s, expected one of %s, which acesim "
                "calibrate makes anew\n",
                s->fields.calibration, c->program, digest);
        return EXIT_USAGE;
    }
    if (!strcmp(cluster, c->cluster_digest)) return EXIT_OK;
    fprintf(
        stderr,
        "acesim: %s: found a calibration of another cluster (%s), expected one of this cluster's topology, "
        "links, memory latency, order and hardware\n",
        s->fields.calibration, c->cluster);
    return EXIT_USAGE;
}

static int range(const char *what, double found, const double of[2], const char *unit) {
    char text[120], expected[120];

    if (found >= of[0] * (1 - 1e-9) && found <= of[1] * (1 + 1e-9)) return EXIT_OK;
    snprintf(text, sizeof text, "%s of %.10g %s", what, found, unit);
    snprintf(expected, sizeof expected, "%.10g to %.10g, which were measured", of[0], of[1]);
    return not_covered(text, expected);
}

static int look_at_range(const run_setup *s) {
    const run_fields *o = &s->fields;
    const calibration *c = s->calibration;
    float slowest = 1;
    int rc = range("a chunk", (double)o->cluster.chunk_bytes, c->chunk_bytes, "bytes");

    for (unsigned i = 0; i < s->plan.nodes; i++)
        if (s->plan.speed[i] < slowest) slowest = s->plan.speed[i];
    if (rc == EXIT_OK)
        rc = range("a memory bandwidth", cluster_memory_GBps(&o->cluster), c->memory_GBps, "GB/s");
    if (rc == EXIT_OK)
        rc = range("a slow node's memory bandwidth",
                   cluster_memory_GBps(&o->cluster) * (double)slowest, c->memory_GBps, "GB/s");
    if (rc != EXIT_OK || o->workload) return rc;
    if (!chunk_flow_covers(&s->command)) {
        char found[64];

        snprintf(found, sizeof found, "%s", kind_names[s->command.kind]);
        return not_covered(found, "all-reduce, reduce-scatter, all-gather or all-to-all");
    }
    return range("a collective", (double)s->command.bytes, c->bytes, "bytes");
}

int calibrated_rung_make(run_setup *s) {
    const run_fields *o = &s->fields;
    const bool asked = memchr(s->plan.rung, RUNG_CALIBRATED, s->plan.nodes);

    if (!asked && o->interval) {
        fprintf(stderr, "acesim: --interval: found no node on the rung calibrated, expected --rung "
                        "calibrated with it: others have no error\n");
        return EXIT_USAGE;
    }
    if (!asked && !o->calibration) return EXIT_OK;
    if (!asked) {
        fprintf(stderr, "acesim: --calibration: found no node on the rung calibrated, expected "
                        "--rung calibrated with it\n");
        return EXIT_USAGE;
    }
    if (!o->calibration)
        return not_covered("no file", "--calibration FILE, which acesim calibrate writes");
    s->calibration = calloc(1, sizeof *s->calibration);
    if (!s->calibration) return message_no_memory();
    int rc = calibration_read(o->calibration, s->calibration);
    if (rc == EXIT_OK) rc = look_at_options(s);
    if (rc == EXIT_OK) rc = look_at_origin(s);
    return rc == EXIT_OK ? look_at_range(s) : rc;
}

int calibrated_rung_covers(const run_setup *s, const char *what, uint64_t bytes) {
    char name[120];

    if (!s->calibration || !bytes) return EXIT_OK;
    snprintf(name, sizeof name, "%s", what);
    return range(name, (double)bytes, s->calibration->bytes, "bytes");
}

void calibrated_rung_free(run_setup *s) {
    if (s->calibration) calibration_free(s->calibration);
    free(s->calibration);
    s->calibration = NULL;
}

/* From a port to one other member a row takes so many times the cost of the port.  Directly connected, each pair has a link of
 * its own, and those of a member together carry what its two ports send (hub.h). */
static double divided(const cluster *c, unsigned d) {
    return c->wiring[d] == WIRING_DIRECT && c->ring[d] > 3 ? (c->ring[d] - 1) / 2.0 : 1;
}

/* Over a switch a row crosses two links. */
chunk_flow_setup calibrated_rung_form(const run_setup *s, const ace_config *cfg,
                                      const flow_parameters *flow) {
    const cluster *c = &s->fields.cluster;
    chunk_flow_setup to = { .parameters = c->parameters, .config = *cfg, .flow = flow };

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        to.latency[d] = c->link_latency[d] * (c->wiring[d] == WIRING_SWITCH ? 2 : 1);
        to.divided[d] = divided(c, d);
    }
    return to;
}
