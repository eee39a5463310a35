/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline_inside.h -- the state of an endpoint in software
 *
 * baseline.c runs it. baseline_state.c saves and loads it.
 */
#ifndef BASELINE_INSIDE_H
#define BASELINE_INSIDE_H

#include "ace_link_port.h"
#include "baseline.h"
#include "baseline_chunk.h"
#include "baseline_exchange.h"
#include "baseline_memory.h"

enum {
    CHUNKS = BASELINE_CHUNKS,
    /* codes of phases in packets and grants. The first of five phases shares the last one's code:
     * when a neighbour is in the last phase, the first ended long ago */
    CODES = 256 / CHUNKS,
    OWN = ACE_LINKS, /* index instead of a link: rows that are not sent */
    STREAMS = ACE_LINKS + 1,
    WRITES = 64,         /* rows being written, a power of two */
    WRITES_A_CYCLE = 24, /* more than the fastest memory serves */
    COMMANDS = 1024,     /* submitted and not completed, or their completion not taken */
    TAG_STEP = 53        /* distance between the marks of commands */
};

typedef struct waiting {
    ace_command command;
    uint64_t start;
    uint64_t cut, chunks, over; /* chunks cut, in all, and completed; an all-to-all counts as one */
    uint64_t number;            /* in the order of submission; 0: unused entry */
    uint8_t mark;               /* of its next chunk */
} waiting;

/* The list of a messages command that the exchange has not taken, indexed by the command's
 * entry. */
typedef struct list {
    uint32_t *words, bytes;
} list;

/* A row under way from memory to a link. */
typedef struct flight {
    uint64_t cycle; /* when it arrives */
    ace_link_header header;
    uint8_t slot; /* slot of its chunk */
    bool result;  /* must be written */
} flight;

typedef struct stream { /* a ring of flights; `first` is its index in baseline.flights */
    uint32_t first, mask, head, count, window;
} stream;

typedef struct writing {
    uint64_t cycle; /* when it has been written */
    uint8_t slot;
    bool result;
} writing;

typedef struct baseline {
    ace_node node;
    ace_config cfg;
    ace_wire *in[ACE_LINKS], *out[ACE_LINKS];
    unsigned dimensions;
    bool lazy;
    uint64_t now;
    int error;
    /* commands */
    waiting command[COMMANDS];
    unsigned entries;            /* entries of `command` in use so far */
    unsigned uncut;              /* commands with chunks left to cut */
    unsigned waiting;            /* all-to-alls that the exchange has not taken */
    unsigned open;               /* commands not completed */
    uint64_t submitted, chunked; /* number of commands so far; of these, those cut into chunks */
    ace_completion completion[COMMANDS]; /* a ring buffer */
    unsigned completion_head, completions;
    list *list;
    ace_arrival *arrived; /* messages in order; the NPU has taken the first `arrivals_taken` */
    unsigned arrivals_taken, arrivals, arrival_room;
    /* chunks [oldest, newest) are in flight; `over`: the slots of completed ones */
    baseline_chunk chunk[CHUNKS];
    uint64_t oldest, newest, over;
    uint64_t ready[STREAMS];    /* slots of chunks with a row to read */
    uint64_t results;           /* slots of chunks with a result to write */
    uint64_t grants[ACE_LINKS]; /* slots of chunks with a grant to send on this link */
    unsigned some_ready;        /* streams with a bit in `ready`, one bit each */
    unsigned granting;          /* links with a bit in `grants`, one bit each */
    uint64_t granted[CODES][ACE_DIMENSIONS];
    uint8_t grant_mark[CODES][ACE_DIMENSIONS][CHUNKS];
    /* rows */
    stream stream[STREAMS];
    flight *flights;
    unsigned with_room; /* streams whose window has room, one bit each */
    unsigned with_rows; /* streams with rows under way, one bit each */
    ace_link_port *port;
    unsigned turn; /* the link whose received row is written first */
    writing write[WRITES];
    uint32_t write_head, writes;
    baseline_memory memory;
    baseline_exchange *exchange;
    bool exchanging; /* the exchange is not idle */
} baseline;

static inline baseline *self(ace_node *n) { return (baseline *)n; }

static inline bool is_exchange(const waiting *w) {
    return w->command.kind == ACE_ALL_TO_ALL || w->command.kind == ACE_LIST;
}

static inline flight *flight_of(const baseline *n, const stream *q, uint32_t behind) {
    return &n->flights[q->first + ((q->head + behind) & q->mask)];
}

/* Saves or loads the state of such a node, for ace_node_state(). */
void baseline_state(ace_node *node, uint64_t now, ace_state *s);

#endif
