/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_internal.h -- what a fabric is made of, for the files that make it (fabric_make.c), run it
 * (fabric_run.c), save it (fabric_state.c) and tell why it hangs (fabric_hang.c)
 */
#ifndef FABRIC_INTERNAL_H
#define FABRIC_INTERNAL_H

#include "ace_recurrence.h"
#include "atomic_file.h"
#include "fabric.h"
#include "fabric_observer.h"
#include "faults.h"
#include "hub.h"
#include "node_plan.h"
#include "process_borders.h"

typedef struct representative {
    /* looked at in each window, side by side */
    uint64_t next;     /* nothing happens here before, as known at the window's beginning */
    uint64_t now;      /* the node has run to here */
    uint64_t wake;     /* the NPU acts then */
    uint64_t reaction; /* see driver.act */
    uint64_t events;   /* completions and acts, for the watchdog */
    uint64_t moved;    /* packets it has sent and steps of its own, when it last ran; likewise */
    ace_node *node;
    bool hears;             /* something may come over a wire, which only a look tells */
    int met;                /* of those that go together the first: an error of their meetings */
    bool no_memory;         /* for a command: others would wait for it */
    unsigned place, weight; /* the first node it stands for, and how many */
    float speed;
    uint8_t rung;
    bool known;
    bool here;                      /* this process simulates it: what follows is made */
    unsigned to[ACE_CLUSTER_LINKS]; /* the representative at the other end */
    ace_memory *memory;
    ace_config cfg;
    ace_wire *in[ACE_LINKS], *out[ACE_LINKS];
    bool from_hub[ACE_DIMENSIONS]; /* links that lead to a hub: what they bring is its own */
    link_disturber *disturber;     /* LINK_FAULT_PLACES, or NULL */
    uint64_t expected[ACE_CLUSTER_DIMENSIONS];
    /* For who asks in a hang: collectives it was handed, by their dimensions, a bit each; and of
     * all its commands, how many have completed. */
    uint32_t handed[1 << ACE_CLUSTER_DIMENSIONS], over;
} representative;

/* What is written of its state and read again; strings are the setup's. */
typedef struct fabric_files {
    const char *checkpoint, *resume; /* or NULL */
    uint64_t every;                  /* cycles between two checkpoints */
    uint64_t wave_from;              /* first cycle of a waveform; UINT64_MAX: there is none */
} fabric_files;

struct fabric {
    unsigned representatives, threads;
    unsigned first, past; /* [first, past) are this process's */
    representative *representative;
    unsigned *representative_of; /* of each node */
    fabric_observer *observer;
    unsigned observers;
    process_borders *borders;
    hub **hub; /* of dimensions that are no rings: those that this process runs */
    unsigned hubs;
    bool any_hub;            /* at any process */
    const link_graph *graph; /* the setup's, or NULL */
    uint64_t *carried; /* with a graph: bytes of each link, then cycles of each, after the run */
    faults faults;
    uint64_t configuration; /* digest of it */
    unsigned classes;       /* of nodes that behave alike */
    unsigned wave;          /* representative whose waveform is written */
    atomic_file waveform;   /* of it, where it is here */
    unsigned wave_failures; /* of this process before it */
    uint32_t window;        /* longest allowed */
    unsigned together;      /* so many representatives, one behind the other, go in shorter ones by
                               themselves */
    uint32_t inside;        /* of these; where `together` is not 1 */
    bool payload, folded, step_by_step, quiet, messages;
    char folding[128], skipping[128];
    struct meeting *meeting;    /* of nodes on the rung calibrated, where several are simulated */
    void *notes;                /* what nodes of all processes told it, where there are several */
    bool told;                  /* behind the last window it told a node something */
    ace_recurrence *recurrence; /* of all representatives; NULL: step by step */
    fabric_files files;
    /* the window under way */
    const driver *driver;
    uint64_t now, until;
    /* for the watchdog: events, and the window edge at which they were new, later by what was
     * passed over since */
    uint64_t seen, moved;
    uint64_t patience; /* simulated cycles without an event after which it barks */
    uint64_t save;     /* a checkpoint is due */
    struct crew *crew; /* its threads, while it runs */
};

/* After a hang: says why it is taken for one, and of each representative here that is not finished
 * what it waits for and for whom.  EXIT_CHECK where there is one, else EXIT_OK: it is another
 * process's. */
int fabric_hang(const fabric *f, const char *why);
/* Nothing comes to the node before this cycle; nothing happens there, either. */
static inline uint64_t fabric_arrival(const representative *m) {
    uint64_t t = UINT64_MAX;

    for (unsigned l = 0; m->hears && l < ACE_LINKS; l++) {
        const uint64_t a = m->in[l] ? ace_wire_next(m->in[l]) : UINT64_MAX;
        if (a < t) t = a;
    }
    return t;
}

static inline uint64_t fabric_earliest(const representative *m) {
    const uint64_t quiet = ace_node_quiet_until(m->node), arrival = fabric_arrival(m);

    return quiet < arrival ? quiet : arrival;
}
/* NULL: no memory. */
ace_recurrence *fabric_recurrence(fabric *f);
/* See ace_state.h; self: a fabric between two windows. */
void fabric_state(void *self, ace_state *s);

#endif
