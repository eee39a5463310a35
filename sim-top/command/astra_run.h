/* SPDX-License-Identifier: Apache-2.0 */
/* astra_run.h -- a run of acesim astra: its command line, and the contents of the files it names */
#ifndef ASTRA_RUN_H
#define ASTRA_RUN_H

#include "astra_check.h"
#include "astra_files.h"
#include "astra_jobs.h"
#include "astra_memory.h"
#include "astra_rank_map.h"
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
    const char *scale, *late, *peak, *memory_bandwidth; /* for each NPU, see astra_shares.h */
    const char *csv, *jobs;
    int compat, backend; /* indexes of their names */
    format format;
    int deps; /* an astra_deps */
    unsigned window, slots;
    bool lenient;
    setup_rows given; /* options of acesim collective */
} astra_options;

typedef struct astra_run {
    astra_options a;
    bool with_compat, aware; /* --compat 2, and its congestion-aware backend */
    uint64_t digest;         /* of everything that the result depends on, for checkpoints */
    astra_network network;
    astra_system system;
    astra_memory memory;
    astra_groups groups;
    astra_jobs jobs;
    astra_rank_map rank_map;
    chakra_setup chakra;
    compat_system compat; /* with --compat 2 */
    astra_ranks ranks;
    unsigned slots;
    double *scale, *late_ns;           /* for each NPU */
    double *peak_TFLOPS, *memory_GBps; /* for each NPU; NULL: the value of the system's file */
    setup o;
    fabric_work work;
    option_table table; /* of the command's options */
    option_line line;
} astra_run;

/* Reads the command line and the files that it names.  False: the command ends with *status,
 * EXIT_OK after --help, or another after a message.  astra_run_free() follows in either case. */
bool astra_run_read(int argc, char **argv, astra_run *r, int *status);
void astra_run_free(astra_run *r);
/* The outcome of a run for each rank. The fabric is NULL with --compat 2. */
typedef struct astra_outcome {
    const compat_time *time;
    const fabric *f;
    uint64_t unsure; /* cycles in which the rung calibrated is not sure of its result */
} astra_outcome;
/* The result as JSON.  NULL: no memory. */
struct cJSON *astra_result(const astra_run *r, const astra_outcome *of);

/* Prints "acesim astra: --OPTION: found FOUND, expected EXPECTED". Returns EXIT_USAGE. */
int astra_run_refuse(const char *option, const char *found, const char *expected);

#ifdef __cplusplus
}
#endif

#endif
