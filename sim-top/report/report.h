/* SPDX-License-Identifier: Apache-2.0 */
/* report.h -- prints and writes the result of a run */
#ifndef REPORT_H
#define REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "fabric.h"
#include "setup.h"
#include "spans.h"
#include "traffic_samples.h"
#include "training.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct report {
    const setup *setup;         /* setup_make() has succeeded */
    const ace_command *command; /* the collective, or NULL */
    fabric *f;
    const char *kind;       /* "all-reduce", or the workload's name */
    uint64_t digest_of;     /* FNV-1a of the workload; 0 for a collective */
    uint64_t cycles;        /* of the whole run */
    uint64_t communication; /* cycles over which the bandwidth is averaged */
    uint64_t by_pins; /* cycles without registers; 0: there are no registers, or there are faults */
    uint64_t without_faults;   /* cycles of the same run without its faults; or 0 */
    const training *training;  /* or NULL */
    traffic_samples *samples;  /* the traffic over time, or NULL */
    const workload *workload;  /* of the training */
    const spans *const *spans; /* for each representative */
    bool bytes_ok;
    int payload_ok; /* -1: not checked */
} report;
/* Prints to stdout and writes the requested files. All processes call it. Returns EXIT_OK or
 * EXIT_USAGE. */
int report_write(const report *r);
struct cJSON;
/* Adds the member `command`: the arguments that give the same result again. */
void result_add_command(struct cJSON *root, const setup_argument *arguments, unsigned count);
/* Adds what `acesim report` and `acesim explain` read: the command, the configuration, each node's
 * counters, and the traffic over time. All processes call it; root belongs to process 0. Returns
 * EXIT_OK, or EXIT_CHECK after a message. */
int result_add(const report *r, struct cJSON *root);
/* Returns a digest of everything that a result depends on. It reads o, cfg, kind and digest_of. */
uint64_t report_digest(const report *r);

#ifdef __cplusplus
}
#endif

#endif
