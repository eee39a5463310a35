/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_jobs.h -- several workloads that run at the same time on one network, on separate NPUs
 *
 *     workload: { a: traces/pp8, b: traces/reduce }     must come first: prefixes of traces; rank i
 *                                                       reads PREFIX.i.et
 *     npus: { a: 0-7, b: [8-10, 15] }                   the NPU of each rank, in order of rank
 *     start: { b: 2ms }                                 no node of the job begins earlier
 *     groups: { a: pp8.json }                           a --comm-group-configuration file for the
 *                                                       ranks of the job
 *
 * NPUs that no job names are idle. A trace's "all ranks" are the ranks of its job.
 */
#ifndef ASTRA_JOBS_H
#define ASTRA_JOBS_H

#include "astra_files.h"

enum { ASTRA_JOBS = 256, ASTRA_JOB_NAME = 64 };
#define ASTRA_NO_JOB UINT32_MAX

typedef struct astra_job {
    char name[ASTRA_JOB_NAME], prefix[256];
    char groups[256]; /* a file, or "" */
    unsigned *npu, count;
    double start_ns;
    unsigned everyone; /* index of the run's group that has all ranks of the job */
} astra_job;

typedef struct astra_jobs {
    astra_job *at;
    unsigned count;
    uint32_t *job, *rank; /* for each NPU; job ASTRA_NO_JOB: none */
} astra_jobs;

/* Reads the file, and puts the groups of all jobs into one list of groups of NPUs. They are named
 * `JOB/NAME`; `JOB/` has all ranks of the job. Returns EXIT_OK; EXIT_USAGE after a message with
 * line and column; EXIT_CHECK when there is no memory. The caller frees both in any case. */
int astra_jobs_read(const char *file, unsigned npus, astra_jobs *j, astra_groups *g);
void astra_jobs_free(astra_jobs *j);

#endif
