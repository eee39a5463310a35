/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.h -- the machine that a run simulates and the work that it is given
 *
 * A result depends on these values and on nothing else, so config_digest covers them.  setup_make()
 * checks them and derives the second half of the struct.  Whoever runs the machine reads it and
 * never changes it.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"
#include "cluster.h"
#include "faults.h"
#include "node_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct calibration; /* calibration_file.h */
struct link_graph;  /* link_graph.h */

typedef struct machine {
    cluster cluster;

    /* The collective.  A workload takes its type, op and dimensions from here, too. */
    ace_kind kind;
    ace_type type;
    ace_op op;
    bool type_given, dims_given; /* someone wrote them, so they hold for a workload */
    uint8_t dims[ACE_CLUSTER_DIMENSIONS], dim_count;
    uint64_t size;           /* bytes */
    int schedule;            /* enum schedule */
    unsigned root, peer;     /* members; of a send-receive: the sender, the receiver */
    const char *counts_file; /* NULL: counts follow from skew */
    double skew;

    const char *workload; /* file, or NULL: the collective above */
    unsigned iterations;
    bool contention;         /* communication takes its share from compute */
    int dlrm_loop;           /* 1: optimised, 0: plain, -1: as the workload says */
    unsigned smallest_first; /* collectives handed over at a time, the smallest first; 0: all, as
                                they come */

    char rtl[256];                /* of the rung rtl: name or path, or "": what the program has */
    const char *calibration_file; /* of the rung calibrated, or NULL */
    bool registers;               /* commands go to ace_engine.v, not to the pins of ace_node.v */
    bool payload, check;          /* rows carry data; the result is compared with a reference */
    uint64_t seed;
    const char *fault_list; /* or NULL: see faults.h */
    bool keep_numbers; /* NPU i stands at node i of a file of links (link_defaults.keep_numbers) */

    /* ---- derived by setup_make() ---- */
    unsigned nodes;
    char rtl_digest[17];  /* of the Verilog of rtl, or "" */
    uint64_t rtl_content; /* of its object */
    ace_config config;    /* that all nodes share (rank 0), with the words of the algorithms */
    node_plan plan;       /* each node's rung and speed */
    faults faults;        /* none where none are asked for */
    ace_command command;  /* of a collective */
    struct calibration *calibration; /* of the rung calibrated; else NULL */
    struct link_graph *graph;        /* of a dimension's links; else NULL */
    uint64_t *counts;                /* of its all-to-all-v, members x members; else NULL */
} machine;

/* The same machine without payload, and with its faults or without.  It borrows from m and is not
 * freed. */
machine machine_plain(const machine *m, bool with_faults);
/* The collective that is asked for, but for the counts of an all-to-all-v. */
ace_command machine_collective(const machine *m);
/* GB/s, one way, of all links of one member of the dimension whose links a file lists. */
double machine_member_GBps(const machine *m, unsigned rank);
/* Where a file of links says no order, its nodes are numbered round the ring that was found
 * through them: which NPU of the run stands at each node, of as many as there are.  False: NPU i
 * stands at node i. */
bool machine_moved(const machine *m, unsigned *npu_of);

#ifdef __cplusplus
}
#endif

#endif
