/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_graph.h -- a dimension whose nodes are connected by links that a file lists
 *
 *     link_graph *g;
 *     rc = link_graph_read("fabrics/dgx-1.yaml", &defaults, &g);
 *     ... g->route[0][3].link[0] is the first link from NPU 0 to NPU 3 ...
 *     link_graph_destroy(g);
 *
 * The file (docs/guide/fabrics.md) numbers nodes: first those with an NPU, then switches, which
 * only forward. Each link carries both directions. Two things are derived from the links:
 *
 *   order    The numbering of NPUs in a run, which follows a logical ring: after the last NPU comes
 *            the first.  In this order a row travels the ring in the shortest time.  If the links
 *            have rings through all NPUs, the order is the widest ring.  If they have none, some
 *            NPUs reach the next over nodes between them, and `detours` counts these NPUs.  For up
 *            to 16 NPUs dynamic programming over the sets of NPUs visited finds the best order
 *            (Held and Karp, "A Dynamic Programming Approach to Sequencing Problems", 1962).  For
 *            more NPUs a search reverses and moves stretches of rings (2-opt and Or-opt) and starts
 *            again from changed rings.  It finds the same order each time, but not always the
 *            best.  A file may give another order.
 *   route    The path from each NPU to each other on which a row arrives first over idle links.
 *            Among equal paths it is the one whose links have the least load if all pairs send
 *            equally much.  Pairs are visited several times, each with the current routes of all
 *            others.  A pair keeps one route for the whole run, so that its packets stay in order.
 */
#ifndef LINK_GRAPH_H
#define LINK_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LINK_GRAPH_NPUS = 64,
    LINK_GRAPH_NODES = 112, /* with switches */
    LINK_GRAPH_LINKS = 1024 /* two for each link of the file */
};

typedef struct graph_link {
    uint8_t from, to; /* nodes, as the file numbers them */
    double GBps;      /* in one direction, without the link efficiency */
    uint32_t latency; /* cycles, 2 or more */
    uint32_t cost;    /* cycles of a row in Q16.8, with the efficiency */
} graph_link;

typedef struct link_route {
    uint8_t hops;
    uint16_t link[LINK_GRAPH_NODES];
    uint32_t latency; /* sum over its links, cycles */
} link_route;

typedef struct link_graph {
    char name[64];
    unsigned npus, nodes, links;
    graph_link link[LINK_GRAPH_LINKS]; /* 2k and 2k + 1 are the two directions of one link */
    uint8_t order[LINK_GRAPH_NPUS];    /* the node of the run's NPU i */
    bool ordered;                      /* the file gives the order, or nodes keep their numbers */
    unsigned detours;  /* NPUs that reach the next one on the ring over other nodes */
    uint32_t shortest; /* latency of any link, cycles */
    link_route route[LINK_GRAPH_NPUS][LINK_GRAPH_NPUS]; /* between NPUs as the run numbers them */
} link_graph;

/* Values for links without their own, and the clock for latencies. */
typedef struct link_defaults {
    double GBps, efficiency, clock_MHz;
    uint32_t latency;
    unsigned npus; /* as many as the topology has */
    /* If the file gives no order, NPU i is node i. Used where nothing travels along a ring. */
    bool keep_numbers;
    bool links_alone; /* do not compute order and routes, which takes time */
} link_defaults;

/* Reads a file, which is searched as in data_path.h. Returns EXIT_OK; EXIT_USAGE after a message
 * with file, line and column; EXIT_CHECK when there is no memory. */
int link_graph_read(const char *file, const link_defaults *d, link_graph **to);
void link_graph_destroy(link_graph *g); /* NULL is allowed */
/* Returns the bandwidth of all links on which a node's NPU sends, GB/s. */
double link_graph_GBps(const link_graph *g, unsigned node);
/* Computes the routes for the given `order`. Returns false if an NPU cannot reach another. Only
 * link_graph.c calls it. */
bool link_graph_route(link_graph *g);
/* Computes the order of the ring. Returns false when there is no memory. Only link_graph.c calls
 * it. */
bool link_graph_ring(link_graph *g);

#ifdef __cplusplus
}
#endif

#endif
