/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_graph.h -- a dimension whose nodes are joined by links that a file lists, one by one
 *
 *     link_graph *g;
 *     rc = link_graph_read("fabrics/dgx-1.yaml", &defaults, &g);
 *     ... g->route[0][3].link[0] is the first link from NPU 0 to NPU 3 ...
 *     link_graph_destroy(g);
 *
 * The file (docs/guide/fabrics.md) numbers nodes: first those with an NPU, then switches, which
 * only pass on.  Each link leads both ways.  From the links follow
 *
 *   order    In which NPUs are numbered in a run: round a logical ring, so that the NPU after the
 *            last is the first.  In this order a row goes round the ring soonest.  If the links
 *            have rings through all NPUs, the order is the widest of them.  If they have none, some
 *            NPUs reach the next over nodes between them, and `detours` counts these NPUs.  For up
 *            to 16 NPUs dynamic programming over the sets of NPUs visited finds the best order
 *            (Held and Karp, "A Dynamic Programming Approach to Sequencing Problems", 1962).  For
 *            more NPUs a search reverses and moves stretches of rings (2-opt and Or-opt) and starts
 *            again from changed rings.  It finds the same order each time, but not always the best.
 *            A file may give another order.
 *   route    Of each NPU to each other: the way by which one row is there soonest on idle links; of
 *            several such, that whose links have least to carry if each pair sends the same; pairs
 *            are gone through several times, each with the ways of all others.  Always the same way
 *            in a run, so that what a pair sends keeps its order.
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
    LINK_GRAPH_LINKS = 1024 /* two for each of the file */
};

typedef struct graph_link {
    uint8_t from, to; /* nodes, as the file numbers them */
    double GBps;      /* one way, without the link efficiency */
    uint32_t latency; /* cycles, 2 or more */
    uint32_t cost;    /* of a row, cycles in Q16.8, with the efficiency */
} graph_link;

typedef struct link_route {
    uint8_t hops;
    uint16_t link[LINK_GRAPH_NODES];
    uint32_t latency; /* the sum of its links', cycles */
} link_route;

typedef struct link_graph {
    char name[64];
    unsigned npus, nodes, links;
    graph_link link[LINK_GRAPH_LINKS]; /* 2k and 2k + 1 are the two ways of one */
    uint8_t order[LINK_GRAPH_NPUS];    /* the node that NPU i of the run stands at */
    bool ordered;                      /* the file says so, or nodes keep their numbers */
    unsigned detours;                  /* NPUs that reach the next on the ring over others */
    uint32_t shortest;                 /* latency of any link, cycles */
    link_route route[LINK_GRAPH_NPUS][LINK_GRAPH_NPUS]; /* from NPU to NPU of the run */
} link_graph;

/* What links have of which the file says nothing, and the clock that cycles are of. */
typedef struct link_defaults {
    double GBps, efficiency, clock_MHz;
    uint32_t latency;
    unsigned npus; /* that the topology asks for */
    /* Where the file says no order, NPU i stands at node i: nothing goes round a ring. */
    bool keep_numbers;
    bool links_alone; /* neither order nor routes are found, which takes time */
} link_defaults;

/* EXIT_OK; EXIT_USAGE after a message with file, line and column; EXIT_CHECK: no memory.  The file
 * is looked for as others are (data_path.h). */
int link_graph_read(const char *file, const link_defaults *d, link_graph **to);
void link_graph_destroy(link_graph *g); /* NULL is allowed */
/* All that the NPU of a node sends on its links, one way, GB/s. */
double link_graph_GBps(const link_graph *g, unsigned node);
/* Gives routes (of what `order` says); false: an NPU does not reach another.  For link_graph.c. */
bool link_graph_route(link_graph *g);
/* Gives the order of the ring; false: no memory.  For link_graph.c. */
bool link_graph_ring(link_graph *g);

#ifdef __cplusplus
}
#endif

#endif
