/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.h -- nodes, links and endpoints of a run */
#ifndef CLUSTER_H
#define CLUSTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ace_node.h"
#include "npu.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum endpoint {
    ENDPOINT_ACE,
    ENDPOINT_IDEAL,
    ENDPOINT_COMM_OPT,
    ENDPOINT_COMP_OPT,
    ENDPOINT_NO_OVERLAP
} endpoint;
/* How the nodes of a dimension are joined: each to two neighbours, or by hubs (hub.h); LINKS as a
 * file lists them (link_graph.h), in one dimension at most. */
typedef enum wiring { WIRING_RING, WIRING_SWITCH, WIRING_DIRECT, WIRING_LINKS } wiring;

/* Which collective goes first: the last that came, the first, or the last of those that all nodes
 * have. */
typedef enum cluster_order {
    CLUSTER_LIFO = ACE_LIFO,
    CLUSTER_FIFO = ACE_FIFO,
    CLUSTER_AGREED
} cluster_order;

/* Cycles of a link, at most; and of one that rows are kept on their way over: an endpoint that
 * has wires. */
enum { CLUSTER_LATENCY = 1000000000, CLUSTER_WIRE_LATENCY = 1000000 };

/* What collectives of a machine reach of its links' data sheets, and what they cost beside bytes.
 * Shares of bandwidth stretch links: node_share those of the first dimension, replica_share those
 * of the others, from which groups of tensor parallelism and stages may differ.  Starts are of
 * composed iterations alone: exact nodes have the latencies of their links. */
typedef struct cluster_runs {
    double node_share, nodes_share, replica_share, stage_share;
    double start_us;     /* of a collective or a message */
    double hop_us;       /* of each step of a ring: 2 (n - 1) of an all-reduce, n - 1 of others */
    double iteration_us; /* of an iteration, beside what it is made of */
} cluster_runs;

typedef struct cluster {
    char name[64];
    uint16_t ring[ACE_CLUSTER_DIMENSIONS];  /* members of each dimension */
    uint8_t sizes;                          /* dimensions that the topology is written with */
    uint8_t wiring[ACE_CLUSTER_DIMENSIONS]; /* enum wiring */
    char algorithms[256]; /* "", or one word for all dimensions or for each: "ring,direct"
                                       or files with programs */
    char links[256];      /* file that lists the links of LINKS, or "" */
    double link_GBps[ACE_CLUSTER_DIMENSIONS]; /* of each of an NPU's two ports, one way */
    double npu_GBps
        [ACE_CLUSTER_DIMENSIONS]; /* of both ports, which no port's half exceeds; 0: not said */
    double links_GBps; /* of links of the file that say nothing; 0: npu_GBps, or else link_GBps */
    uint32_t link_latency[ACE_CLUSTER_DIMENSIONS];
    uint32_t shortest_link; /* of LINKS, settled: the least latency of those that the file lists */
    char shared_links[256]; /* letters of dimensions that have one interface of an NPU, or "" */
    double efficiency;
    unsigned switch_rows; /* of each output of a switch; 0: no end */
    double switch_GBps;   /* through each switch; 0: that of its links */
    double clock_MHz;
    double
        memory_GBps; /* of communication, each way; 0: the endpoint's own (cluster_memory_GBps) */
    unsigned sms;    /* of communication, baselines only; 0: the endpoint's own (cluster_sms) */
    bool lazy_last_reduction; /* baselines: left to the next phase, see baseline_chunk.h */
    uint32_t memory_latency;
    uint64_t chunk_bytes;
    cluster_order order;
    endpoint endpoint;
    ace_parameters parameters;
    char rungs[256];       /* "cycle", or "rtl:0,5;cycle:rest" */
    char speeds[256];      /* "" or "0.5:3,7": of a node's memory and compute, 1 where not named */
    char accelerator[256]; /* file that its NPUs are of, or "" */
    char gemm_table[256];  /* file that npu.products is of, or "" */
    npu npu;
    cluster_runs runs;
    bool reserved; /* communication keeps its share of the NPU while none is under way, too */
} cluster;

unsigned cluster_nodes(const cluster *c);
/* Dimensions that a field with a value for each is said of: those of an engine, or more that have
 * members. */
unsigned cluster_said(const cluster *c);
/* Is it a dimension of engines: one of their four, with no more members than they take on a ring or
 * a hub?  Others are of the rung calibrated alone. */
bool cluster_engine_has(const cluster *c, unsigned dimension);
unsigned cluster_engine_members(const cluster *c, unsigned dimension); /* that they take there */
bool cluster_of_engines(const cluster *c);                             /* all of them are */
/* A bit for each dimension of shared_links, where it names some that are there, each once; 0: it
 * does not. */
unsigned cluster_shared(const cluster *c);
/* The first of the dimensions that share an interface with this one: itself where it has its own.
 */
unsigned cluster_interface(const cluster *c, unsigned dimension);
/* What a row takes of a switch's own bandwidth, cycles; 0: nothing. */
double cluster_pass_cycles(const cluster *c);
/* The dimension whose links a file lists; -1: none. */
int cluster_links_dimension(const cluster *c);
/* The hardware that the topology needs: where 16 FSMs are four a phase of three dimensions, as many
 * of more. */
void cluster_settle(cluster *c);
/* Packets of a dimension's link that are under way from when its sender takes a credit until the
 * credit is back: with a larger input buffer a link never waits for one.  0: no links.  Behind a
 * hub of direct links, or of links of a file, a credit is back a cycle after it is given (hub.h).
 */
unsigned cluster_round_trip(const cluster *c, unsigned dimension);
/* Packets of the input buffers that a cluster has where nothing else is said: a power of two that
 * covers the round trip of every link.  It is no less than the hardware's own default, and no more
 * than half of ACE_LINK_PLACES_MAX. */
unsigned cluster_link_rows(const cluster *c);
/* A chunk of which shards would be padded, so that long rings carry padding for the most part, is
 * doubled until they are not, as far as it is whole bursts and the scratchpad's partitions hold it.
 */
void cluster_settle_chunk(cluster *c);
/* The share of a dimension's bandwidth that data get: link efficiency, and what runs reach. */
double cluster_link_share(const cluster *c, unsigned dimension);
/* Cycles that a row takes at a bandwidth, in 1 / ACE_COST_ONE: to the nearest, or so many that it
 * is never faster. False: no cost that the hardware has. */
bool cluster_cost(const cluster *c, double GBps, bool never_faster, uint32_t *cycles);
/* Rows of a chunk: the size asked for, rounded down so that every shard of every collective is
 * whole rows; where that leaves nothing, of the default all-reduce; where that leaves nothing
 * either, shards are padded. */
uint16_t cluster_chunk_rows(const cluster *c);
/* All that an NPU sends into a dimension, one way: both its ports.  GB/s. */
double cluster_npu_GBps(const cluster *c, unsigned dimension);
/* Ideal bandwidth of a collective that puts bytes[] on the dimensions: the busiest
 * dimension full, link efficiency left out.  GB/s. */
double cluster_ideal_GBps(const cluster *c, const uint64_t bytes[ACE_CLUSTER_DIMENSIONS]);
/* What was asked for, or else what the endpoint gives to communication. */
double cluster_memory_GBps(const cluster *c);
unsigned cluster_sms(const cluster *c); /* 0: none take part */
bool endpoint_is_baseline(endpoint e);
/* What a collective takes of an NPU while it is under way. */
npu_share cluster_communication(const cluster *c);
/* What of that is taken while none is.  An endpoint that leaves compute nothing takes turns with
 * it, whoever reserves what. */
npu_share cluster_reserved(const cluster *c);
const char *endpoint_name(endpoint e);

/* 4x8x2, or as ASTRA-sim writes it: Ring(4)_FullyConnected(8)_Switch(2).  How many sizes are
 * written; 0: no topology.  Dimensions behind them have one member. */
unsigned parse_topology(const char *s, uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                        uint8_t wiring[ACE_CLUSTER_DIMENSIONS]);
/* The other way round. */
enum { TOPOLOGY_TEXT = 128 };
void print_topology(const cluster *c, char to[TOPOLOGY_TEXT]);

#ifdef __cplusplus
}
#endif

#endif
