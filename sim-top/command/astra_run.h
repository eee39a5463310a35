/* SPDX-License-Identifier: Apache-2.0 */
/* astra_run.h -- a run of acesim astra: what its command line and the files that it names say */
#ifndef ASTRA_RUN_H
#define ASTRA_RUN_H

#include "astra_check.h"
#include "astra_files.h"
#include "astra_jobs.h"
#include "astra_memory.h"
#include "astra_places.h"
#include "astra_setup.h"
#include "chakra_graph.h"
#include "compat_run.h"
#include "fabric.h"
#include "graph_engine.h"
#include "setup.h"
#include "setup_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ASTRA_NOT_GIVEN = -1 };
#define ASTRA_NO_SLOTS UINT32_MAX

/* The options as they were given; NULL, ASTRA_NOT_GIVEN and ASTRA_NO_SLOTS: not given. */
typedef struct astra_options {
    const char *workload, *system, *network, *memory, *groups; /* files, and a prefix of files */
    const char *logging, *folder, *queues, *injection, *rendezvous, *communication_scale;
    const char *scale, *late, *peak, *memory_bandwidth; /* of each NPU, see astra_shares.h */
    const char *csv, *jobs;
    int compat, backend; /* the numbers of their words */
    format format;
    int deps; /* an astra_deps */
    unsigned window, slots;
    bool lenient;
    setup_rows given; /* options of acesim collective */
} astra_options;

typedef struct astra_run {
    astra_options a;
    bool theirs, aware; /* --compat 2, and its backend */
    uint64_t digest;    /* of all that the result depends on, for checkpoints */
    astra_network network;
    astra_system system;
    astra_memory memory;
    astra_groups groups;
    astra_jobs jobs;
    astra_places places;
    chakra_setup chakra;
    compat_system compat; /* of --compat 2 */
    astra_ranks ranks;
    unsigned slots;
    double *scale, *late_ns;           /* of each NPU */
    double *peak_TFLOPS, *memory_GBps; /* likewise; NULL: as the system's file says */
    setup o;
    fabric_work work;
    option_table table; /* of its options */
    option_line line;
} astra_run;

/* Reads the command line and the files that it names.  False: the command ends with *status,
 * EXIT_OK after --help, or another after a message.  astra_run_free() follows in either case. */
bool astra_run_read(int argc, char **argv, astra_run *r, int *status);
void astra_run_free(astra_run *r);
/* What came out, of each rank; the fabric is NULL with --compat 2. */
typedef struct astra_outcome {
    const compat_time *time;
    const fabric *f;
    uint64_t unsure; /* cycles of which the rung calibrated is not sure */
} astra_outcome;
/* The result as JSON.  NULL: no memory. */
struct cJSON *astra_result(const astra_run *r, const astra_outcome *of);

/* "acesim astra: --OPTION: found FOUND, expected EXPECTED".  EXIT_USAGE. */
int astra_run_refuse(const char *option, const char *found, const char *expected);

#ifdef __cplusplus
}
#endif

#endif
