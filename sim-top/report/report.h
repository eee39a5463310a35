/* SPDX-License-Identifier: Apache-2.0 */
/* report.h -- what is printed and written of a run */
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
    const setup *setup;         /* made ready */
    const ace_command *command; /* of a collective; or NULL */
    fabric *f;
    const char *kind;          /* "all-reduce", or the workload's name */
    uint64_t digest_of;        /* FNV-1a of the workload, 0 for a collective */
    uint64_t cycles;           /* of the whole run */
    uint64_t communication;    /* cycles the bandwidth is taken over */
    uint64_t by_pins;          /* cycles without registers, 0 where there are none or faults */
    uint64_t without_faults;   /* cycles of the same run without its faults, or 0 */
    const training *training;  /* or NULL */
    traffic_samples *samples;  /* the traffic over time, or NULL */
    const workload *workload;  /* of it */
    const spans *const *spans; /* of each representative */
    bool bytes_ok;
    int payload_ok; /* -1: not checked */
} report;
/* Prints to stdout and writes the files asked for; all processes call.  EXIT_OK, EXIT_USAGE. */
int report_write(const report *r);
struct cJSON;
/* The words from which the same result comes again, as the member `command`. */
void result_add_command(struct cJSON *root, const setup *o);
/* What `acesim report` and `acesim explain` need to know of a run, put in its JSON: the
 * command, the configuration, each node's counters, the traffic over time.  All processes
 * call, root is process 0's.  EXIT_OK, or EXIT_CHECK after a message. */
int result_add(const report *r, struct cJSON *root);
/* Of everything that a result depends on: o, cfg, kind and digest_of are looked at. */
uint64_t report_digest(const report *r);

#ifdef __cplusplus
}
#endif

#endif
