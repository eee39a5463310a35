/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_files.h -- the configuration files of ASTRA-sim 2.x
 *
 * Each key is taken, or the file is refused, or what the key would have done is told on standard
 * error where it makes no cycle here: none is passed over in silence.  What the keys mean is told
 * in docs/guide/astra-sim.md.
 *
 * Rules that hold for every call
 *   Errors   EXIT_OK, or EXIT_USAGE after a message with the file, and the line and column where
 *            they are known; EXIT_CHECK: no memory.
 */
#ifndef ASTRA_FILES_H
#define ASTRA_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ace_types.h"
#include "cluster.h"
#include "yaml_file.h"

/* Dimensions of a network: --compat 2 has so many, a cluster ACE_CLUSTER_DIMENSIONS. */
enum { ASTRA_WORD = 32, ASTRA_DIMENSIONS = 8, ASTRA_NPUS = 1 << 20 };

/* Where a value stands in its file, from 1; 0: in none. */
typedef struct astra_place {
    size_t line, column;
} astra_place;

/* The word of our key in-network for a switch that reduces and multicasts; the other is none. */
#define ASTRA_IN_NETWORK "reduce+multicast"

/* GB/s there are 2^30 bytes a second; here 10^9. */
typedef struct astra_network {
    unsigned dims; /* 1..ASTRA_DIMENSIONS */
    uint8_t wiring[ASTRA_DIMENSIONS];
    unsigned members[ASTRA_DIMENSIONS]; /* 2 and more, ASTRA_NPUS at most in all */
    astra_place members_at[ASTRA_DIMENSIONS], latency_at[ASTRA_DIMENSIONS];
    double GBps[ASTRA_DIMENSIONS];       /* of a link, one way */
    double latency_ns[ASTRA_DIMENSIONS]; /* of a link */
    bool in_network[ASTRA_DIMENSIONS];   /* ours: its switch reduces and multicasts */
    unsigned npus;
    char links[256]; /* file that lists those of a dimension of WIRING_LINKS, or "" */
} astra_network;

/* How each dimension runs a kind of collective: a word of --algorithm, or "". */
typedef char astra_algorithms[ACE_CLUSTER_DIMENSIONS][ASTRA_WORD];

/* Collectives that are traces of their own: prefixes of one for each member. */
enum { ASTRA_PREFIX = 256, ASTRA_KINDS = 4, ASTRA_REDUCTIONS = 3, ASTRA_CUSTOM_NODES = 64 };
typedef struct astra_custom {
    char kind[ASTRA_KINDS]
             [ASTRA_PREFIX]; /* of all-reduces, reduce-scatters, all-gathers, all-to-alls; or "" */
    struct {
        uint64_t id; /* of a trace's node, at whichever NPU: goes before its kind */
        char prefix[ASTRA_PREFIX];
    } node[ASTRA_CUSTOM_NODES];
    unsigned nodes;
    uint64_t bytes; /* that they were made for; 0: sizes stay as they are written */
} astra_custom;

typedef struct astra_system {
    ace_order order;
    double memory_GBps, peak_TFLOPS; /* of the roofline; 0: not given */
    bool roofline, replay;
    astra_algorithms algorithms; /* of reductions and gathers, by astra_system_choose() */
    astra_algorithms
        list[ASTRA_REDUCTIONS]; /* of each kind, of all-reduces first; words "": it has none */
    bool balanced;              /* all-reduces go over the dimensions as schedule.h has it */
    uint64_t smallest_first;    /* collectives handed over at a time, the smallest first; 0: all */
    astra_custom custom;
} astra_system;

/* What is behind memory nodes. */
typedef enum astra_memory_type {
    ASTRA_MEMORY_NONE,
    ASTRA_MEMORY_NPU,         /* of each NPU its own */
    ASTRA_MEMORY_NODE,        /* of `npus_per_node` NPUs, which take turns */
    ASTRA_MEMORY_POOL,        /* of all, which take turns */
    ASTRA_MEMORY_HIERARCHICAL /* of all, behind switches (astra_memory.h) */
} astra_memory_type;

typedef struct astra_memory {
    astra_memory_type type;
    double capacity_bytes; /* of each memory; 0: no end */
    double latency_ns;
    double bytes_per_ns;           /* but of a hierarchical pool: of one of its groups */
    unsigned nodes, npus_per_node; /* of NODE; nodes of HIERARCHICAL, too */
    unsigned groups, switches;     /* HIERARCHICAL: of memory; out of nodes */
    double out_bytes_per_ns;       /* of the link from each of those switches to each node's */
    double in_bytes_per_ns;        /* of that to an NPU */
    double local_bytes_per_ns;     /* of the NPU's own memory */
    double chunk_bytes;            /* that a group moves in a round */
    bool in_switch;                /* loads are gathered and stores reduced on their way */
} astra_memory;

typedef struct astra_group {
    char *name;
    unsigned *npu, count;
} astra_group;
typedef struct astra_groups {
    astra_group *at;
    unsigned count;
    unsigned listed; /* the first of them are a file's; the others some trace's
                        (chakra_process_groups.h) */
    /* Which of `at` the trace of each NPU brings along, the last of a name counts; NULL: none
     * does. */
    struct astra_own_groups {
        unsigned *group, count;
    } * own;
    unsigned npus; /* of `own` */
} astra_groups;

int astra_network_read(const char *file, astra_network *n);
int astra_system_read(const char *file, const astra_network *n, astra_system *s);
/* The list of the kinds that are used, a bit each as lists stand there: one for all of them, as the
 * engine's program of a dimension runs each. */
enum { ASTRA_ALL_REDUCTIONS = (1 << ASTRA_REDUCTIONS) - 1 };
int astra_system_choose(const char *file, unsigned kinds, astra_system *s);
int astra_memory_read(const char *file, unsigned npus, astra_memory *m);
/* Its keys, for a file that has it as one of its own; then what they lack is looked for. */
enum { ASTRA_MEMORY_KEYS = 14 };
void astra_memory_keys(astra_memory *m, yaml_key to[ASTRA_MEMORY_KEYS]);
int astra_memory_check(const char *file, unsigned npus, const astra_memory *m);
/* On one line, JSON, which is YAML, too. */
void astra_memory_write(FILE *to, const astra_memory *m);

int astra_groups_read(const char *file, unsigned npus, astra_groups *g);
/* For a file that has them under a key of its own. */
typedef struct astra_groups_reader {
    const char *file;
    const uint64_t *npus; /* read before */
    astra_groups *to;
} astra_groups_reader;
yaml_items astra_groups_items(astra_groups_reader *r);
void astra_groups_write(FILE *to, const astra_groups *g); /* as astra_memory_write() */
void astra_groups_free(astra_groups *g);
/* The group that an NPU's trace means: of those it brings along, else of the file's.  NULL: no
 * such group. */
const astra_group *astra_groups_find(const astra_groups *g, unsigned npu, const char *name);

#endif
