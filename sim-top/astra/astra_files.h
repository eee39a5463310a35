/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_files.h -- the configuration files of ASTRA-sim 2.x
 *
 * Each key has one of three results: it is used, or the file is refused, or the key changes no
 * cycle here. A key of the last kind is reported on stderr with what it would have done. No key is
 * ignored silently. docs/guide/astra-sim.md explains the keys.
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

/* Most dimensions of a network with --compat 2; a cluster has at most ACE_CLUSTER_DIMENSIONS. */
enum { ASTRA_WORD = 32, ASTRA_DIMENSIONS = 8, ASTRA_NPUS = 1 << 20 };

/* Where a value is in its file, counted from 1; 0: in no file. */
typedef struct astra_position {
    size_t line, column;
} astra_position;

/* The value of our key in-network for a switch that reduces and multicasts; the other value is
 * none. */
#define ASTRA_IN_NETWORK "reduce+multicast"

/* ASTRA-sim's GB/s are 2^30 bytes a second; here they are 10^9. */
typedef struct astra_network {
    unsigned dims; /* 1..ASTRA_DIMENSIONS */
    uint8_t wiring[ASTRA_DIMENSIONS];
    unsigned members[ASTRA_DIMENSIONS]; /* at least 2, and at most ASTRA_NPUS in all */
    astra_position members_at[ASTRA_DIMENSIONS], latency_at[ASTRA_DIMENSIONS];
    double GBps[ASTRA_DIMENSIONS];       /* of a link, in one direction */
    double latency_ns[ASTRA_DIMENSIONS]; /* of a link */
    bool in_network[ASTRA_DIMENSIONS]; /* our key: the dimension's switch reduces and multicasts */
    unsigned npus;
    char links[256]; /* the file that lists the links of a dimension of WIRING_LINKS, or "" */
} astra_network;

/* For each dimension, a value of --algorithm, or "". */
typedef char astra_algorithms[ACE_CLUSTER_DIMENSIONS][ASTRA_WORD];

/* Collectives that are replaced by traces: a prefix names one trace for each member. */
enum { ASTRA_PREFIX = 256, ASTRA_KINDS = 4, ASTRA_REDUCTIONS = 3, ASTRA_CUSTOM_NODES = 64 };
typedef struct astra_custom {
    /* for all-reduces, reduce-scatters, all-gathers, all-to-alls; or "" */
    char kind[ASTRA_KINDS][ASTRA_PREFIX];
    struct {
        uint64_t id; /* a node's id, at every NPU; takes precedence over the kind */
        char prefix[ASTRA_PREFIX];
    } node[ASTRA_CUSTOM_NODES];
    unsigned nodes;
    uint64_t bytes; /* bytes of the collective that they were made for; 0: sizes are not scaled */
} astra_custom;

typedef struct astra_system {
    ace_order order;
    double memory_GBps, peak_TFLOPS; /* of the roofline; 0: not given */
    bool roofline, replay;
    astra_algorithms algorithms; /* for reductions and gathers, set by astra_system_choose() */
    /* for each kind, all-reduces first; "" where the file has no list */
    astra_algorithms list[ASTRA_REDUCTIONS];
    bool balanced;           /* all-reduces are balanced over the dimensions (schedule.h) */
    uint64_t smallest_first; /* collectives submitted at a time, the smallest first; 0: all */
    astra_custom custom;
} astra_system;

/* The memory that memory nodes use. */
typedef enum astra_memory_type {
    ASTRA_MEMORY_NONE,
    ASTRA_MEMORY_NPU,         /* each NPU has its own */
    ASTRA_MEMORY_NODE,        /* `npus_per_node` NPUs share one, one transfer at a time */
    ASTRA_MEMORY_POOL,        /* all NPUs share one, one transfer at a time */
    ASTRA_MEMORY_HIERARCHICAL /* all NPUs share one behind switches (astra_memory.h) */
} astra_memory_type;

typedef struct astra_memory {
    astra_memory_type type;
    double capacity_bytes; /* of each memory; 0: unlimited */
    double latency_ns;
    double bytes_per_ns;           /* bandwidth; for a hierarchical pool, of one of its groups */
    unsigned nodes, npus_per_node; /* of NODE; HIERARCHICAL uses `nodes`, too */
    unsigned groups, switches;     /* HIERARCHICAL: memory groups, and switches outside the nodes */
    double out_bytes_per_ns;   /* of the link from each such switch to the switch of each node */
    double in_bytes_per_ns;    /* of the link from a node's switch to an NPU */
    double local_bytes_per_ns; /* of the NPU's own memory */
    double chunk_bytes;        /* bytes that a group moves in a round */
    bool in_switch;            /* the switches gather loads and reduce stores */
} astra_memory;

typedef struct astra_group {
    char *name;
    unsigned *npu, count;
} astra_group;
typedef struct astra_groups {
    astra_group *at;
    unsigned count;
    /* the first `listed` come from a file, the others from traces (chakra_process_groups.h) */
    unsigned listed;
    /* For each NPU: the indices in `at` of the groups in its trace. Of several with one name the
     * last counts. NULL: no trace has any. */
    struct astra_own_groups {
        unsigned *group, count;
    } * own;
    unsigned npus; /* length of `own` */
} astra_groups;

int astra_network_read(const char *file, astra_network *n);
/* quiet: no notes on standard error of keys that change nothing here. */
int astra_system_read(const char *file, const astra_network *n, bool quiet, astra_system *s);
/* Chooses the list of the kinds that are used (a bit mask, in the order of the lists). All used
 * kinds must have the same list, because the engine has one program for a dimension. */
enum { ASTRA_ALL_REDUCTIONS = (1 << ASTRA_REDUCTIONS) - 1 };
int astra_system_choose(const char *file, unsigned kinds, astra_system *s);
int astra_memory_read(const char *file, unsigned npus, astra_memory *m);
/* The keys of a memory file, for a file that contains them. astra_memory_check() then checks what
 * is missing. */
enum { ASTRA_MEMORY_KEYS = 14 };
void astra_memory_keys(astra_memory *m, yaml_key to[ASTRA_MEMORY_KEYS]);
int astra_memory_check(const char *file, unsigned npus, const astra_memory *m);
/* Writes one line of JSON, which is also YAML. */
void astra_memory_write(FILE *to, const astra_memory *m);

int astra_groups_read(const char *file, unsigned npus, astra_groups *g);
/* For a file that has groups under one of its keys. */
typedef struct astra_groups_reader {
    const char *file;
    const uint64_t *npus; /* the number of NPUs, known when the groups are read */
    astra_groups *to;
} astra_groups_reader;
yaml_items astra_groups_items(astra_groups_reader *r);
void astra_groups_write(FILE *to, const astra_groups *g); /* like astra_memory_write() */
void astra_groups_free(astra_groups *g);
/* Returns the group that an NPU's trace means by a name: first of the trace's own groups, then of
 * the file's. NULL: there is none. */
const astra_group *astra_groups_find(const astra_groups *g, unsigned npu, const char *name);

#endif
