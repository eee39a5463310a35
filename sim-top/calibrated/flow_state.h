/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_state.h -- what a calibrated node holds: chunks in flight, servers, what is to come
 *
 * The parts of chunk_flow.h work on one state, as each changes what is left to the others: what the
 * exchange has of a link chunks have not, what links have of a bank loads and stores have not.
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
    FETCHED = 64,     /* bytes that come from memory at a time */
    FEW = 8,          /* that a list begins with */
    STAGES = ACE_CLUSTER_PHASES + 2,
    LINK_BANKS = ACE_BANKS / 2, /* even chunks go up and odd ones down: bank 2 i + link % 2 */
    PIPES = 2,
    BANK_USES = 2 * LINK_BANKS,
    PHASE_JOBS = 16, /* of a direction: half the contexts */
    LINK_JOBS = ACE_CLUSTER_PHASES * PHASE_JOBS
};
#define NEVER INFINITY
/* fmin() and fmax() of what are numbers. */
static inline double flow_less(double a, double b) { return a < b ? a : b; }
static inline double flow_more(double a, double b) { return a > b ? a : b; }
/* What is left of a piece of work when nothing is left of it but rounding. */
#define NOTHING 1e-6
/* The end of work of which something is left: later than now, or its event would come again and
 * again with as much of it, since the clock's steps may be longer than the work: from 2^34 cycles
 * on they are of 4e-6. */
static inline double flow_behind(double now, double end) {
    return end > now ? end : nextafter(now, INFINITY);
}
/* What somebody has of what others take first. */
#define LEAST_SHARE 0.02
/* A link that is so much in use by an all-to-all always has a row of it to take. */
#define TIGHT 0.97

/* A phase of chunks that are alike, of even ones and of odd ones. */
typedef struct phase_shape {
    double work[2], most[2]; /* cycles of the link; cycles of it a cycle */
    double hop;              /* behind the last row, beside the link's latency */
    double peer, step; /* a shard takes the link to its peer, and until the next; 0: no such link */
    uint32_t rows[2];  /* sent */
    uint8_t dim, reduced; /* halves of it that are reduced, not copied, by who receives it */
} phase_shape;

/* Chunks of a command are alike but for the last one: what a chunk would be asked again and again
 * is found once. */
typedef struct chunk_shape {
    phase_shape phase[ACE_CLUSTER_PHASES]; /* by the hardware's phases, 0..phases - 1 */
    double load, store;                    /* cycles of the memory */
    uint32_t users; /* chunks, and their command while it has more of them; 0: it is free */
    uint16_t needs[ACE_CLUSTER_PARTITIONS], tag;
    uint8_t first;                   /* stage that loads it */
    uint8_t load_burst, store_burst; /* rows */
    bool last;
} chunk_shape;

/* A phase of a chunk on a link. */
typedef struct job {
    double left, rate; /* cycles of the link; cycles of it a cycle */
    uint32_t chunk;
    uint8_t phase, reduced;
} job;
typedef struct link {
    double at;    /* its jobs have come to here */
    double share; /* what the exchange leaves */
    double cost;  /* cycles of a row */
    double pipes
        [PIPES]; /* rows a cycle that come from it into that which reduces, and that which stores */
    double
        use[BANK_USES]; /* rows a cycle that it reads of each of its banks, then that it writes */
    uint64_t rows;      /* sent */
    job *jobs;          /* the oldest chunk first; LINK_JOBS at the most, and mostly few */
    uint16_t wanting;   /* a bit a phase: it wants any */
    uint16_t count, room;
    bool free; /* each job has what it can use of it */
} link;

/* Loads or stores, one behind the other. */
typedef struct memory_port {
    double left; /* of the first: cycles of the memory */
    double at, next, rate;
    double cost, share; /* cycles of a row; what the exchange leaves */
    unsigned head, count;
    uint8_t chunk[FLOW_CHUNKS]; /* modulo FLOW_CHUNKS */
} memory_port;

typedef enum event_kind {
    DISPATCH,
    JOIN,
    OVER,
    COMPLETE,
    ENTERED,
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
    uint32_t handed;     /* its number in the order in which commands were handed over */
    unsigned live;       /* its dimensions with more than one member */
    uint16_t shape;      /* of all chunks but the last, once there is one */
} waiting;

typedef struct exchange_work {
    ace_command c;
    message_list messages; /* of a command of messages */
    uint32_t handed;       /* as of those that become chunks */
} exchange_work;

/* All-to-alls and messages, one command at a time. */
typedef struct exchange {
    bool runs, asked; /* asked: its first rows of the memory, which they wait for */
    unsigned count, room;
    exchange_work *waiting;
    unsigned outside; /* of them, the last: the dispatcher has not taken them yet */
    uint32_t number;
    double left, rate, at;                       /* of 1 */
    double link[ACE_CLUSTER_LINKS], read, write; /* cycles it has for each, of all of it */
    double trips; /* cycles of its reads, or writes, where the memory answers at once but for its
                     latency */
    double least; /* cycles on the links, whatever each of them takes */
    double most;  /* rows read ahead at the most: what waits for the links that it fills */
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
    double lost;           /* cycles that the busiest link rests where rows turn to it */
    double sent;           /* when the links had sent the last row */
    uint32_t filled;       /* a bit a link that it fills, where these are of several dimensions */
    double unsure;         /* cycles in which chunks wanted such links */
} exchange;

struct chunk_flow {
    chunk_flow_setup s; /* its last lines are looked at often */
    /* looked at in each window, side by side */
    double next; /* of all that is to come */
    double now;
    uint64_t events;
    int error;
    unsigned done_first, done_count, done_room;
    unsigned arrival_first, arrival_count, arrival_room;
    unsigned token_first, token_count, token_room;
    unsigned mail_first, mail_count, mail_room;
    flow_token *tokens; /* to be told */
    flow_mail *mails;   /* of messages, to be brought */
    /* what is to come: a heap */
    event *heap;
    unsigned heap_count, heap_room;
    uint64_t order;
    double ends[ACE_CLUSTER_LINKS]; /* the first job of each link ends, as far as is known */
    unsigned links_past;            /* links from here on have no wire */
    uint32_t busy;                  /* a bit a link: it has jobs */
    /* dispatcher */
    waiting *commands;
    chunk_shape *shapes;
    unsigned command_count, command_room, shape_count, shape_room;
    unsigned outside; /* commands, the last: the dispatcher has not taken them yet */
    uint32_t handed;  /* commands so far */
    uint16_t offered; /* its shape */
    bool entering, planning, offers, fifo;
    /* scheduler */
    unsigned phases, store, contexts;
    double decide_at;
    uint32_t dispatched, admitted[STAGES], finished[STAGES];
    uint64_t over[STAGES]; /* a bit a chunk */
    uint32_t look;         /* a bit a stage: something may have changed since none could go on */
    uint32_t load_waits;   /* likewise: none could since so many loads are under way */
    unsigned loads;
    uint16_t used[ACE_CLUSTER_PARTITIONS][ACE_BANKS], room[ACE_CLUSTER_PARTITIONS];
    /* servers */
    bool scaled;
    double answer; /* the memory takes to */
    memory_port read, write;
    uint16_t flights[FLOW_CHUNKS]; /* the shape of each chunk under way */
    _Alignas(FETCHED) link links[ACE_CLUSTER_LINKS];
    exchange exchange;     /* and what is looked at less often */
    ace_completion *done;  /* to be told */
    ace_arrival *arrivals; /* likewise */
    double steps[ACE_CLUSTER_DIMENSIONS]
                [2]; /* shards a half of an all-reduce sends, of even and odd chunks */
};

/* Of a chunk under way, whose number may be modulo FLOW_CHUNKS. */
static inline const chunk_shape *flow_shape(const chunk_flow *f, uint32_t chunk) {
    return &f->shapes[f->flights[chunk % FLOW_CHUNKS]];
}
/* Links with jobs, a bit each, of the direction of this one, or of this bank's chunks. */
static inline uint32_t flow_busy(const chunk_flow *f, unsigned parity) {
    return f->busy & (parity % 2 ? 0xaaaaaaaaU : 0x55555555U);
}
/* Of a link, that a job can use where no other wants the link to its peer. */
static inline double flow_most(const chunk_flow *f, const job *j) {
    return flow_shape(f, j->chunk)->phase[j->phase].most[j->chunk & 1];
}

#endif
