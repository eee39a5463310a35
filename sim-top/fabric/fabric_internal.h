/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_internal.h -- the state of a fabric
 *
 * fabric_make.c makes it, fabric_run.c runs it, fabric_state.c saves it, and fabric_hang.c reports
 * what it waits for in a hang.
 */
#ifndef FABRIC_INTERNAL_H
#define FABRIC_INTERNAL_H

#include "ace_recurrence.h"
#include "atomic_file.h"
#include "fabric.h"
#include "fabric_observer.h"
#include "faults.h"
#include "hub.h"
#include "ideal_starts.h"
#include "node_plan.h"
#include "process_borders.h"

typedef struct representative {
    /* read in each window, so they are adjacent */
    uint64_t next;     /* nothing happens here before this cycle, as known at the window's start */
    uint64_t now;      /* the node has run to this cycle */
    uint64_t wake;     /* the NPU acts in this cycle */
    uint64_t reaction; /* see driver.act */
    uint64_t events;   /* completions and acts, for the watchdog */
    /* packets sent and the node's own steps, as of its last run; for the watchdog */
    uint64_t activity_count;
    ace_node *node;
    bool has_inputs;   /* a wire leads to this node, so arrivals must be checked */
    int barrier_error; /* in the first of a group that runs together: an error of its barriers */
    bool no_memory;    /* a command found no memory; an error, since others would wait for it */
    unsigned first_node, weight; /* the first node that it represents, and their number */
    float speed;
    uint8_t rung;
    bool known;
    bool is_local; /* this process simulates it; the members below are set only then */
    unsigned to[ACE_CLUSTER_LINKS]; /* the representative at the other end */
    ace_memory *memory;
    ace_config cfg;
    ace_wire *in[ACE_LINKS], *out[ACE_LINKS];
    /* links that lead to a hub; the hub fills their incoming wires */
    bool from_hub[ACE_DIMENSIONS];
    link_disturber *disturber; /* LINK_FAULT_PLACES entries, or NULL */
    uint64_t expected[ACE_CLUSTER_DIMENSIONS];
    /* For the report of a hang: the collectives submitted to it for each set of dimensions (a bit
     * mask), and its completed commands.  submitted[0] counts messages: a report compares the
     * collectives of two nodes, and messages are no collectives. */
    uint32_t submitted[1 << ACE_CLUSTER_DIMENSIONS], completed;
} representative;

/* The files that a run reads and writes. The strings belong to the setup. */
typedef struct fabric_files {
    const char *checkpoint, *resume; /* or NULL */
    uint64_t every;                  /* cycles between two checkpoints */
    uint64_t wave_from;              /* first cycle of the waveform; UINT64_MAX: no waveform */
} fabric_files;

struct fabric {
    unsigned representatives, threads;
    unsigned first, end; /* this process simulates [first, end) */
    representative *representative;
    unsigned *representative_of; /* for each node */
    fabric_observer *observer;
    unsigned observers;
    process_borders *borders;
    hub **hub; /* of dimensions that are no rings: the hubs that this process runs */
    unsigned hubs;
    bool any_hub;                 /* any process has a hub */
    const link_graph *link_graph; /* the setup's, or NULL */
    /* with a link graph, after the run: the bytes of each link, then the cycles of each */
    uint64_t *carried;
    faults faults;
    uint64_t configuration; /* digest of the configuration */
    unsigned classes;       /* number of classes of nodes that behave alike */
    unsigned wave;          /* representative whose waveform is written */
    atomic_file waveform;   /* the waveform file, where the representative is here */
    unsigned wave_failures; /* failed waveform writes of this process before the run */
    uint32_t window;        /* longest allowed window, cycles */
    /* so many consecutive representatives run in shorter windows by themselves; 1: none */
    unsigned group_size;
    uint32_t group_window; /* length of these shorter windows, cycles; valid if group_size > 1 */
    bool payload, folded, step_by_step, quiet, messages;
    char folding[128], left_out[128];
    struct barrier *barrier;    /* of nodes on the rung calibrated, if several are simulated */
    ideal_steps *steps;         /* of ideal endpoints, else NULL */
    ideal_starts *starts;       /* of ideal endpoints, if several are simulated */
    void *all_messages;         /* with several processes: everyone's barrier messages */
    bool delivered;             /* a node got a barrier message at the end of the last window */
    ace_recurrence *recurrence; /* of all representatives; NULL: all cycles are simulated */
    fabric_files files;
    /* the current window */
    const driver *driver;
    uint64_t now, until;
    /* For the watchdog: the event count, and the last window edge at which the count was new.
     * Skipped time is added to the edge. */
    uint64_t counted_events, last_progress_cycle;
    /* simulated cycles without an event after which the watchdog ends the run */
    uint64_t watchdog_cycles;
    uint64_t save;     /* a checkpoint is due in this cycle */
    struct crew *crew; /* the threads, while it runs */
};

/* After a hang: prints `why`, and for each unfinished representative here what it waits for and for
 * which node. Returns EXIT_CHECK if there is such a representative here, else EXIT_OK: another
 * process has it. */
int fabric_hang(const fabric *f, const char *why);
/* Returns the first cycle in which something arrives at the node over a wire. */
static inline uint64_t fabric_arrival(const representative *m) {
    uint64_t t = UINT64_MAX;

    for (unsigned l = 0; m->has_inputs && l < ACE_LINKS; l++) {
        const uint64_t a = m->in[l] ? ace_wire_next(m->in[l]) : UINT64_MAX;
        if (a < t) t = a;
    }
    return t;
}

static inline uint64_t fabric_earliest(const representative *m) {
    const uint64_t quiet = ace_node_quiet_until(m->node), arrival = fabric_arrival(m);

    return quiet < arrival ? quiet : arrival;
}
/* Returns NULL when there is no memory. */
ace_recurrence *fabric_recurrence(fabric *f);
/* See ace_state.h; self: a fabric between two windows. */
void fabric_state(void *self, ace_state *s);

#endif
