/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline_inside.h -- what the node of a software endpoint is made of, for the files that run it
 * (baseline.c) and that save and load its state (baseline_state.c)
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
    CODES = 256 / CHUNKS, /* for phases in packets and grants.  The first of five has that of the
                             last: when a neighbour is in the last, the first is long over */
    OWN = ACE_LINKS,      /* in place of a link: rows that are not sent */
    STREAMS = ACE_LINKS + 1,
    WRITES = 64,         /* rows being written, a power of two */
    WRITES_A_CYCLE = 24, /* more than the fastest memory serves */
    COMMANDS = 1024,     /* handed over and not completed, or its completion not taken */
    MARK_STEP = 53       /* between the marks of commands */
};

typedef struct waiting {
    ace_command command;
    uint64_t start;
    uint64_t cut, chunks, over; /* chunks cut, of, and done with; an all-to-all is one */
    uint64_t number;            /* in the order of submission; 0: a free entry */
    uint8_t mark;               /* of its next chunk */
} waiting;

/* Of messages that the exchange has not taken: their list, by entry of their command. */
typedef struct list {
    uint32_t *words, bytes;
} list;

/* A row on its way from memory to a link. */
typedef struct flight {
    uint64_t cycle; /* it is there */
    ace_link_header header;
    uint8_t place; /* of its chunk */
    bool result;   /* is to be written */
} flight;

typedef struct stream { /* a ring of flights, `first` being its place among all */
    uint32_t first, mask, head, count, window;
} stream;

typedef struct writing {
    uint64_t cycle; /* it is written */
    uint8_t place;
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
    unsigned entries;                    /* of `command` that have ever been used */
    unsigned uncut;                      /* commands with chunks to cut */
    unsigned waiting;                    /* all-to-alls the exchange has not taken */
    unsigned open;                       /* commands not completed */
    uint64_t submitted, chunked;         /* ever; of them what is cut into chunks */
    ace_completion completion[COMMANDS]; /* a ring */
    unsigned completion_head, completions;
    list *list;
    ace_arrival *arrived; /* messages, in order; those before `heard` were taken */
    unsigned heard, arrivals, arrival_room;
    /* chunks: numbers [oldest, newest) are in flight, `over` the places of those done with */
    baseline_chunk chunk[CHUNKS];
    uint64_t oldest, newest, over;
    uint64_t ready[STREAMS];    /* places of chunks with a row to read */
    uint64_t results;           /* with a result to write */
    uint64_t grants[ACE_LINKS]; /* with a grant to send on this link */
    unsigned some_ready;        /* streams with any of `ready`, a bit each */
    unsigned granting;          /* links with any of `grants` */
    uint64_t granted[CODES][ACE_DIMENSIONS];
    uint8_t grant_mark[CODES][ACE_DIMENSIONS][CHUNKS];
    /* rows */
    stream stream[STREAMS];
    flight *flights;
    unsigned with_room; /* streams whose window has room, a bit each */
    unsigned with_rows; /* and those with rows under way */
    ace_link_port *port;
    unsigned turn; /* the link whose received row is written first */
    writing write[WRITES];
    uint32_t write_head, writes;
    baseline_memory memory;
    baseline_exchange *exchange;
    bool exchanging; /* it is not idle */
} baseline;

static inline baseline *self(ace_node *n) { return (baseline *)n; }

static inline bool is_exchange(const waiting *w) {
    return w->command.kind == ACE_ALL_TO_ALL || w->command.kind == ACE_LIST;
}

static inline flight *flight_of(const baseline *n, const stream *q, uint32_t behind) {
    return &n->flights[q->first + ((q->head + behind) & q->mask)];
}

/* ace_node_state() of such a node. */
void baseline_state(ace_node *node, uint64_t now, ace_state *s);

#endif
