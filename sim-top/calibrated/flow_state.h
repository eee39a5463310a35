/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_state.h -- what a calibrated node holds: chunks in flight, servers, what is to come
 *
 * The parts of chunk_flow.h work on one state, as each changes what is left to the others: what the exchange has of a
 * link chunks have not, what links have of a bank loads and stores have not.
 *   flow_events     what is to come, and what is to be told
 *   flow_dispatch   commands become chunks, which stages admit
 *   flow_links      phases on links, and the scratchpad that they share
 *   flow_memory     loads and stores
 *   flow_exchange   all-to-alls and messages
 */
#ifndef FLOW_STATE_H
#define FLOW_STATE_H

#include <math.h>

#include "ace_plan.h"
#include "chunk_flow.h"

enum {
    WHOLE_BURST = 16, /* rows */
    LOADS = 5,        /* one under way and those that the DMA holds behind it */
    STAGES = ACE_PHASES + 2,
    PHASE_JOBS = 16, /* of a direction: half the contexts */
    LINK_JOBS = ACE_PHASES * PHASE_JOBS
};
#define NEVER INFINITY
/* What is left of a piece of work when nothing is left of it but rounding. */
#define NOTHING 1e-6
/* The end of work of which something is left: later than now, or its event would come again and again with as much of
 * it, since the clock's steps may be longer than the work: from 2^34 cycles on they are of 4e-6. */
static inline double flow_behind(double now, double end) {
    return end > now ? end : nextafter(now, INFINITY);
}
/* What somebody has of what others take first. */
#define LEAST_SHARE 0.02
/* A link that is so much in use by an all-to-all always has a row of it to take. */
#define TIGHT 0.97

typedef struct flight {
    ace_phase phase[ACE_PHASES]; /* by the hardware's phases, 0..phases - 1 */
    uint16_t needs[ACE_PARTITIONS], load_rows, store_rows, tag;
    uint8_t first;                   /* stage that loads it */
    uint8_t load_burst, store_burst; /* rows */
    bool odd, last;
} flight;

/* A phase of a chunk on a link. */
typedef struct job {
    double left, most, rate; /* cycles of the link; cycles of it a cycle */
    uint32_t chunk;
    uint8_t phase;
    float reduced; /* the part of it that is reduced, or copied, by who receives it */
} job;
typedef struct link {
    unsigned count, room;   /* of jobs */
    double at;              /* they have come to here */
    double share;           /* what the exchange leaves */
    double reduced, stored; /* rows a cycle that come from it into the two pipes */
    double reads[ACE_BANKS], writes[ACE_BANKS]; /* rows a cycle that it has of each bank */
    double want[ACE_PHASES];                    /* of the link, that each phase could use */
    uint32_t wanting;                           /* a bit a phase: it wants any */
    double cost;                                /* cycles of a row */
    uint64_t rows;                              /* sent */
    job *jobs; /* the oldest chunk first; LINK_JOBS at the most, and mostly few */
} link;

/* Loads or stores, one behind the other. */
typedef struct memory_port {
    double left[FLOW_CHUNKS]; /* cycles of the memory: of the first what is left of it */
    uint32_t chunk[FLOW_CHUNKS];
    unsigned head, count;
    double at, next, rate;
    double cost, share; /* cycles of a row; what the exchange leaves */
} memory_port;

typedef enum event_kind {
    DISPATCH,
    JOIN,
    OVER,
    COMPLETE,
    EXCHANGE_BEGIN,
    EXCHANGE_OVER,
    ARRIVE
} event_kind;
typedef struct event {
    double at;
    uint64_t order; /* of those at the same time, the first made is first */
    uint32_t chunk; /* or the tag, or an arrival's label */
    uint8_t kind, stage;
} event;

typedef struct waiting {
    ace_command c;
    uint64_t chunks, at; /* of it, and dispatched */
    unsigned live;       /* its dimensions with more than one member */
} waiting;

typedef struct exchange_work {
    ace_command c;
    message_list messages; /* of a command of messages */
} exchange_work;

/* All-to-alls and messages, one command at a time. */
typedef struct exchange {
    exchange_work *waiting;
    unsigned count, room;
    unsigned outside; /* of them, the last: the dispatcher has not taken them yet */
    uint32_t number;
    bool runs, asked;      /* asked: its first rows of the memory, which they wait for */
    double left, rate, at; /* of 1 */
    double link[ACE_LINKS], read, write; /* cycles it has for each, of all of it */
    double least;                        /* cycles on the links, whatever each of them takes */
    double most;         /* rows read ahead at the most: what waits for the links that it fills */
    double rows, unread; /* of it; not yet read */
    double unwritten,
        buffers; /* rows over the links and not yet in memory, and how many at the most */
    double reading, writing; /* of 1 a cycle */
    double turn, loads;      /* rows until loads have the memory, and until when they have */
    bool full;               /* so many that links it fills have rows waiting */
    bool starved;            /* loads have kept it from reading what its links take */
    double behind,
        turns; /* from here on also those behind others; its rates change by themselves */
    double tail, earliest; /* cycles of the longest way; a last row that goes it is there */
    double sent;           /* when the links had sent the last row */
} exchange;

struct chunk_flow {
    /* looked at in each window, side by side */
    double next; /* of all that is to come */
    double now;
    double ends[ACE_LINKS]; /* the first job of each link ends, as far as is known */
    unsigned links_past;    /* links from here on have no wire */
    unsigned token_first, token_count, token_room;
    unsigned mail_first, mail_count, mail_room;
    flow_token *tokens; /* to be told */
    flow_mail *mails;   /* of messages, to be brought */
    uint64_t events;
    int error;
    /* what is to come: a heap */
    event *heap;
    unsigned heap_count, heap_room;
    uint64_t order;
    chunk_flow_setup s;
    unsigned phases, store, contexts;
    /* dispatcher */
    waiting *commands;
    unsigned command_count, command_room;
    flight offered;
    bool planning, offers;
    /* scheduler */
    double decide_at;
    uint32_t dispatched, admitted[STAGES], finished[STAGES];
    uint64_t over[STAGES]; /* a bit a chunk */
    uint32_t look;         /* a bit a stage: something may have changed since none could go on */
    uint16_t used[ACE_PARTITIONS][ACE_BANKS];
    flight flights[FLOW_CHUNKS];
    /* servers */
    uint32_t busy; /* a bit a link: it has jobs */
    link links[ACE_LINKS];
    memory_port read, write;
    unsigned loads; /* under way */
    bool scaled;
    exchange exchange;
    double steps[ACE_DIMENSIONS]
                [2];      /* shards a half of an all-reduce sends, of even and odd chunks */
    ace_completion *done; /* to be told */
    unsigned done_first, done_count, done_room;
    ace_arrival *arrivals; /* to be told */
    unsigned arrival_first, arrival_count, arrival_room;
};

#endif
