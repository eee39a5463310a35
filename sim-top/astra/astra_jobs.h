/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_jobs.h -- several workloads at a time on one network, each on NPUs of its own
 *
 *     workload: { a: traces/pp8, b: traces/reduce }     first: prefixes of traces, its rank i reads
 *                                                       PREFIX.i.et
 *     npus: { a: 0-7, b: [8-10, 15] }                   the NPU of each rank, in this order
 *     start: { b: 2ms }                                 nothing of it begins before
 *     groups: { a: pp8.json }                           its --comm-group-configuration, of its
 *                                                       ranks
 *
 * NPUs that no job names do nothing.  What a trace calls all are the ranks of its job.
 */
#ifndef ASTRA_JOBS_H
#define ASTRA_JOBS_H

#include "astra_files.h"

enum { ASTRA_JOBS = 256, ASTRA_JOB_NAME = 64 };
#define ASTRA_NO_JOB UINT32_MAX

typedef struct astra_job {
    char name[ASTRA_JOB_NAME], prefix[256];
    char groups[256]; /* file, or "" */
    unsigned *npu, count;
    double start_ns;
    unsigned everyone; /* which of the run's groups all its ranks are */
} astra_job;

typedef struct astra_jobs {
    astra_job *at;
    unsigned count;
    uint32_t *job, *rank; /* of each NPU; job ASTRA_NO_JOB: none */
} astra_jobs;

/* The file; and the groups of all jobs, of NPUs, in one list: `JOB/NAME`, and `JOB/` of all its
 * ranks. EXIT_OK; EXIT_USAGE after a message with the place, EXIT_CHECK: no memory.  Both are freed
 * in any case. */
int astra_jobs_read(const char *file, unsigned npus, astra_jobs *j, astra_groups *g);
void astra_jobs_free(astra_jobs *j);

#endif
