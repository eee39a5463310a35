/* SPDX-License-Identifier: Apache-2.0 */
/* cluster.h -- the nodes, links and endpoints of a run */
#ifndef CLUSTER_H
#define CLUSTER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ace_node.h"
#include "npu.h"

struct link_defaults; /* link_graph.h */

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
/* How the nodes of a dimension are connected: in a ring, or by hubs (hub.h). With LINKS a file
 * lists the links (link_graph.h), in at most one dimension. */
typedef enum wiring { WIRING_RING, WIRING_SWITCH, WIRING_DIRECT, WIRING_LINKS } wiring;

/* Which collective goes first: the latest, the oldest, or the latest of those that all nodes
 * have. */
typedef enum cluster_order {
    CLUSTER_LIFO = ACE_LIFO,
    CLUSTER_FIFO = ACE_FIFO,
    CLUSTER_AGREED
} cluster_order;

/* Most cycles of a link; and of a link on which rows are stored, at an endpoint with wires. */
enum { CLUSTER_LATENCY = 1000000000, CLUSTER_WIRE_LATENCY = 1000000 };

/* The part of its links' nominal bandwidth that a machine's collectives reach, and their fixed
 * costs. The shares scale the bandwidth of links: node_share for the first dimension, replica_share
 * for the others. Groups of tensor parallelism and pipeline stages may have other shares. The fixed
 * costs apply only to composed iterations, because exact nodes have the latencies of their
 * links. */
typedef struct cluster_runs {
    double node_share, nodes_share, replica_share, stage_share;
    double start_us; /* of a collective or a message, us */
    /* of each step of a ring, us: 2 (n - 1) steps of an all-reduce, n - 1 of others */
    double hop_us;
    double iteration_us; /* of an iteration, us, in addition to its parts */
} cluster_runs;

typedef struct cluster {
    char name[64];
    uint16_t ring[ACE_CLUSTER_DIMENSIONS];  /* members of each dimension */
    uint8_t sizes;                          /* number of dimensions in the topology's text */
    uint8_t wiring[ACE_CLUSTER_DIMENSIONS]; /* enum wiring */
    /* "", one name for all dimensions or one for each, as in "ring,direct", or files with
     * programs */
    char algorithms[256];
    char links[256];                          /* the file that lists the links of LINKS, or "" */
    double link_GBps[ACE_CLUSTER_DIMENSIONS]; /* of each of an NPU's two ports, in one direction */
    /* of both ports; no port exceeds half of it; 0: not given */
    double npu_GBps[ACE_CLUSTER_DIMENSIONS];
    /* of links in the file without a bandwidth; 0: npu_GBps, or else link_GBps */
    double links_GBps;
    uint32_t link_latency[ACE_CLUSTER_DIMENSIONS]; /* cycles */
    /* as it was given, which the clock converts to cycles; 0: given in cycles */
    double link_latency_us[ACE_CLUSTER_DIMENSIONS];
    /* of LINKS, once the file is read: the least latency of its links, cycles */
    uint32_t shortest_link;
    /* derived by setup_derive_rows(): packets of a buffer that covers the round trip of any link */
    unsigned round_trip_rows;
    /* letters of the dimensions that share one interface of an NPU, or "" */
    char shared_links[256];
    double efficiency;
    unsigned switch_rows; /* slots at each output of a switch; 0: unlimited */
    double switch_GBps;   /* total bandwidth through each switch; 0: the sum of its links */
    double clock_MHz;
    /* for communication, each way; 0: the endpoint's default (cluster_memory_GBps) */
    double memory_GBps;
    unsigned sms; /* for communication, baselines only; 0: the endpoint's default (cluster_sms) */
    /* baselines: the last reduction is left to the next phase, see baseline_chunk.h */
    bool lazy_last_reduction;
    uint32_t memory_latency;  /* cycles */
    double memory_latency_us; /* as link_latency_us */
    uint64_t chunk_bytes;
    cluster_order order;
    endpoint endpoint;
    ace_wire_format wire_format; /* of rows of FP32 on the links */
    ace_parameters parameters;
    char rungs[256];  /* "cycle", or "rtl:0,5;cycle:rest" */
    char speeds[256]; /* "" or "0.5:3,7": speed of a node's memory and compute; 1 for other nodes */
    char accelerator[256];     /* the file that describes its NPUs, or "" */
    char gemm_table[256];      /* the file from which npu.products was read, or "" */
    char attention_table[256]; /* the same of npu.attention */
    npu npu;
    cluster_runs runs;
    bool reserved; /* communication keeps its share of the NPU even while none is under way */
} cluster;

unsigned cluster_nodes(const cluster *c);
/* Returns the number of dimensions for which a field has values: the dimensions of an engine, or
 * more if those have members. */
unsigned cluster_dimensions(const cluster *c);
/* Returns whether engines support the dimension: it is one of their four, and has no more members
 * than they allow on a ring or a hub. Other dimensions exist only on the rung calibrated. */
bool cluster_engine_has(const cluster *c, unsigned dimension);
/* most members that engines allow there */
unsigned cluster_engine_members(const cluster *c, unsigned dimension);
bool cluster_of_engines(const cluster *c); /* engines support all dimensions */
/* Returns the dimensions in shared_links as bits; 0 if the text is wrong: each letter must be a
 * dimension with members, named once. */
unsigned cluster_shared(const cluster *c);
/* Returns the first dimension that shares an interface with this one: itself if it has its own. */
unsigned cluster_interface(const cluster *c, unsigned dimension);
/* Returns the cycles that a row takes of a switch's total bandwidth; 0: unlimited. */
double cluster_pass_cycles(const cluster *c);
/* Returns the dimension whose links a file lists; -1: none. */
int cluster_links_dimension(const cluster *c);
/* Adapts the hardware to the topology: the number of FSMs grows with the dimensions, from 16 for
 * three dimensions, which is four for each phase. */
void cluster_derive(cluster *c);
/* Returns the packets that are under way from when a link's sender uses a credit until the credit
 * is back. With an input buffer of that size a link never waits for credits. 0: no links. Behind a
 * hub of direct links, or of links of a file, a credit is back one cycle after it is given
 * (hub.h). */
unsigned cluster_round_trip(const cluster *c, unsigned dimension);
/* Returns the default size of input buffers in packets: a power of two that covers the round trip
 * of every link. It is at least the hardware's own default, and at most half of
 * ACE_LINK_PLACES_MAX. */
unsigned cluster_link_rows(const cluster *c);
/* Doubles the chunk size while its shards would be padded, because long rings would then carry
 * mostly padding. The result must consist of whole bursts and fit the scratchpad's partitions. */
void cluster_settle_chunk(cluster *c);
/* Returns the share of a dimension's bandwidth that data get: the link efficiency times the share
 * of real runs. */
double cluster_link_share(const cluster *c, unsigned dimension);
/* Gives the values of links for which the file of links gives none. Returns false if no file lists
 * links. */
bool cluster_link_defaults(const cluster *c, struct link_defaults *to);
/* Computes the cycles of a row at a bandwidth, in 1 / ACE_COST_ONE: rounded to the nearest, or up
 * with never_faster. Returns false if the hardware cannot have that cost. */
bool cluster_cost(const cluster *c, double GBps, bool never_faster, uint32_t *cycles);
/* The cycles of a row, in 1 / ACE_COST_ONE, on each link and in memory; 0: the hardware cannot have
 * that cost. And a row's cycles of a switch's bandwidth (0: unlimited), and the rows of a chunk. */
typedef struct cluster_rates {
    uint32_t link[ACE_CLUSTER_DIMENSIONS], memory;
    double memory_GBps, pass_cycles;
    uint16_t chunk_rows;
} cluster_rates;
cluster_rates cluster_rates_of(const cluster *c);
/* Returns the rows of a chunk. The requested size is rounded down so that every shard of every
 * collective has whole rows. If that gives 0, only the default all-reduce must have whole rows. If
 * that gives 0, too, shards are padded. */
uint16_t cluster_chunk_rows(const cluster *c);
/* Returns what an NPU can send into a dimension with both ports, GB/s. */
double cluster_npu_GBps(const cluster *c, unsigned dimension);
/* Returns the ideal bandwidth of a collective that puts bytes[] on the dimensions, GB/s: the
 * busiest dimension is always full, and the link efficiency is 1. */
double cluster_ideal_GBps(const cluster *c, const uint64_t bytes[ACE_CLUSTER_DIMENSIONS]);
/* Return the given value, or else the endpoint's default for communication. */
double cluster_memory_GBps(const cluster *c);
unsigned cluster_sms(const cluster *c); /* 0: communication uses no SM */
bool endpoint_is_baseline(endpoint e);
/* Returns the share of an NPU that a collective uses while it is under way. */
npu_share cluster_communication(const cluster *c);
/* Returns the part of this share that is used even while no collective is under way. An endpoint
 * that leaves nothing for compute alternates with compute, and then nothing is reserved. */
npu_share cluster_reserved(const cluster *c);
const char *endpoint_name(endpoint e);

/* Parses 4x8x2, or ASTRA-sim's form Ring(4)_FullyConnected(8)_Switch(2). Returns the number of
 * dimensions; 0: malformed. Further dimensions get one member. */
unsigned parse_topology(const char *s, uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                        uint8_t wiring[ACE_CLUSTER_DIMENSIONS]);
/* Writes the topology as text. */
enum { TOPOLOGY_TEXT = 128 };
void print_topology(const cluster *c, char to[TOPOLOGY_TEXT]);
/* Writes each dimension for which a field has values, with its wiring, as in
 * Ring(4)_Switch(8)_Ring(1)_Ring(1). */
void print_wiring(const cluster *c, char *to, size_t room);

#ifdef __cplusplus
}
#endif

#endif
