/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine.h -- the machine that a run simulates and the work that it is given
 *
 * A result depends only on these values, so config_digest covers them. setup_make() checks them and
 * derives the second half of the struct. Code that runs the machine reads it and never changes it.
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
struct refusal;     /* refusal.h */

/* How commands reach an ACE. */
enum control { CONTROL_PINS, CONTROL_REGISTERS, CONTROL_TRIGGER };
enum expert_order { EXPERTS_IN_ORDER, EXPERTS_BALANCED };

typedef struct machine {
    cluster cluster;

    /* The collective. A workload also takes its type, op and dimensions from here. */
    ace_kind kind;
    ace_type type;
    ace_op op;
    bool type_given, dims_given; /* the user gave them, so they also hold for a workload */
    uint8_t dims[ACE_CLUSTER_DIMENSIONS], dim_count;
    uint64_t size;           /* bytes */
    int schedule;            /* enum schedule */
    unsigned root, peer;     /* members; of a send-receive: peer is the receiver */
    const char *counts_file; /* NULL: the counts follow from skew */
    double skew;
    int experts;    /* enum expert_order, of a file with tokens of experts */
    bool transpose; /* the counts are for the other direction */

    const char *workload; /* file, or NULL to run the collective above */
    unsigned iterations;
    bool contention; /* communication slows compute down */
    int dlrm_loop;   /* 1: optimized, 0: plain, -1: as in the workload's file */
    /* Collectives that are issued at a time, the smallest first. 0: all, in the order of
     * arrival. */
    unsigned smallest_first;

    char rtl[256]; /* for the rung rtl: name or path, or "" for the program's own RTL */
    const char *calibration_file; /* for the rung calibrated, or NULL */
    int control;                  /* enum control: the last two are of ace_engine.v */
    bool payload, check;          /* rows carry data; check compares the result with a reference */
    uint64_t seed;
    const char *fault_list; /* or NULL: see faults.h */
    bool keep_numbers;      /* NPU i is at node i of a file of links (link_defaults.keep_numbers) */

    /* ---- derived by setup_make() ---- */
    unsigned nodes;
    char rtl_digest[17];  /* of the Verilog of rtl, or "" */
    uint64_t rtl_content; /* hash of its object */
    ace_config config;    /* shared by all nodes (rank 0), with the programs of the algorithms */
    node_plan plan;       /* each node's rung and speed */
    faults faults;        /* empty if none are requested */
    ace_command command;  /* the collective */
    struct calibration *calibration; /* for the rung calibrated; otherwise NULL */
    struct link_graph *graph;        /* of a dimension's links; otherwise NULL */
    uint64_t *counts;                /* of an all-to-all-v, members x members; otherwise NULL */
} machine;

/* Returns the same machine without payload, with or without its faults. It borrows from m and is
 * not freed. */
machine machine_plain(const machine *m, bool with_faults);
/* Returns the collective of the machine, without the counts of an all-to-all-v. */
ace_command machine_collective(const machine *m);
/* Returns the GB/s of all links of one member in one direction, in the dimension whose links a file
 * lists. */
double machine_member_GBps(const machine *m, unsigned rank);
/* If a file of links gives no order, its nodes are numbered along the ring that was found through
 * them. Sets npu_of to the NPU at each node, for all NPUs of the run. Returns false if NPU i is at
 * node i. */
bool machine_moved(const machine *m, unsigned *npu_of);
/* Refuses the agreed order for NPUs that may do different things: agreement needs one sequence of
 * commands for all. Returns EXIT_OK, or EXIT_USAGE with a refusal. */
int machine_refuse_agreed(const machine *m, struct refusal *why);
/* Refuses what a run with a dead link or node does not model. Returns EXIT_OK, also if nothing
 * dies, or EXIT_USAGE with a refusal. */
int machine_refuse_failure(const machine *m, const struct output *o, struct refusal *why);
/* Frees what setup_make() has made. */
void machine_free(machine *m);

#ifdef __cplusplus
}
#endif

#endif
