/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_engine.h -- runs the graphs of all NPUs on a fabric
 *
 *     graph_engine_create(&maker, &options, fabric, &e);
 *     driver d = graph_engine_driver(e);
 *     fabric_run(fabric, &d, digest);
 *     rc = graph_engine_end(e);
 *     graph_engine_destroy(e);                before the fabric
 *
 * Whoever makes the graphs gives a maker: it opens the graph of an NPU, and hears of marks.
 *
 * Compute with contention: an operation starts as the cycles it takes alone, and in each cycle
 * makes a rate's worth of them, which depends on whether a collective is outstanding at its NPU
 * and whether the background computes (npu.h), all in whole numbers: it does not matter how often
 * anyone looks. Between two cycles in which something changes for it, an NPU is left alone.
 *
 * Rules that hold for every call
 *   Threads     The driver's, for one representative from one thread at a time.  So are the maker's
 *               calls that name a representative.
 *   Processes   Graphs are opened for the representatives of this process only (processes.h).
 *   Checkpoint  Graphs are read again up to where they were; they must be the same.
 */
#ifndef GRAPH_ENGINE_H
#define GRAPH_ENGINE_H

#include "fabric.h"
#include "graph.h"
#include "graph_messages.h"
#include "machine.h"
#include "spans.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the background lane has of an NPU: an SM and 80 GB/s of 80 SMs and 900 GB/s (R). */
#define GRAPH_BACKGROUND_SHARE ((npu_share){ 1, 80 })

/* Cycles of an NPU since the run began. */
typedef struct graph_account {
    uint64_t now;
    uint64_t computing;     /* in which it computed, in whichever lane */
    uint64_t compute_lane;  /* in which the compute lane did */
    uint64_t alone;         /* that its operations would have taken alone, of those begun */
    uint64_t communication; /* in which a collective, send or receive was outstanding */
    uint64_t exposed;       /* of those, in which it did not compute */
    uint64_t memory;        /* in which memory was all that went on, or that and its CPU */
    uint64_t host;          /* in which its CPU was */
    uint64_t finished;      /* nodes */
} graph_account;

typedef struct graph_words {
    const char *what, *name; /* "all-reduce", and of a layer or "" */
} graph_words;

/* Memory that NPUs share, see graph_pool.h. */
typedef struct graph_pool {
    unsigned npus;     /* that one server serves, NPU i by server i / npus; 0: there is none */
    bool together;     /* all transfers are of all NPUs */
    uint64_t shortest; /* no transfer takes fewer cycles */
} graph_pool;

typedef struct graph_maker {
    void *self;
    /* The graph of the NPU at node `npu` of the cluster, at its beginning.  EXIT_OK, or another
     * status after a message. */
    int (*open)(void *self, unsigned npu, graph_reader *r);
    uint32_t window; /* nodes of a graph that are held at a time */
    /* What computes at the node `at`; NULL: the cluster's NPU.  It differs in its memory's
     * bandwidth alone. */
    const npu *(*npu)(const void *self, unsigned at);
    /* Collectives on the endpoint begin in the order of graph_order.h: the graph is opened twice.
     */
    bool in_order;
    const graph_messages *messages; /* of all graphs, in order; NULL: there are none */
    unsigned slots;                 /* of the communication lane; 0: no limit */
    bool spans;                     /* keep those of collectives (graph_engine_spans) */
    /* Every node says how far `ahead` it is, of nodes that are not yet read, too; there is no
     * limit of slots. */
    bool looks_ahead;
    graph_pool
        pool; /* what `shared` nodes wait for: on a fabric that is not folded, of one process */
    double moved_GBps; /* that a node which `moves` takes of the NPU's memory */
    double sum_bytes; /* a cycle: what sums of collectives by messages read and write; 0: no time */
    /* The names of a label: of a collective, and of any node in words.  They last as long as the
     * maker. */
    graph_words (*words)(const void *self, uint32_t label);
    void (*label)(const void *self, uint32_t label, char *to, size_t room);
    /* A mark was reached; NULL: nobody asks. */
    void (*marked)(void *self, unsigned representative, uint32_t label, const graph_account *a);
    double (*progress)(const void *self, const graph_account *a); /* of representative 0: 0..1 */
    void (*state)(void *self, ace_state *s); /* what marks have brought; NULL: nothing */
} graph_maker;

typedef struct graph_engine graph_engine;
/* The options, the fabric and the maker stay the caller's and in place.  EXIT_OK, or EXIT_USAGE or
 * EXIT_CHECK after a message. */
int graph_engine_create(const graph_maker *m, const machine *of, fabric *f, graph_engine **e);
void graph_engine_destroy(graph_engine *e); /* NULL is allowed */
driver graph_engine_driver(graph_engine *e);
/* After the run; all processes call.  EXIT_OK; or after a message EXIT_CHECK, an endpoint refused a
 * command or completed one that was not issued; or EXIT_USAGE, a graph was not what it should
 * be. */
int graph_engine_end(const graph_engine *e);
const spans *graph_engine_spans(const graph_engine *e, unsigned representative);
graph_account graph_engine_account(const graph_engine *e, unsigned representative);

/* What an operation of a lane takes alone, on the cluster's NPU at full speed, or on another one.
 */
uint64_t graph_operation_cycles(const machine *of, const operation *op, graph_lane lane);
uint64_t graph_operation_cycles_on(const npu *n, double clock_MHz, const operation *op,
                                   graph_lane lane);

#ifdef __cplusplus
}
#endif

#endif
