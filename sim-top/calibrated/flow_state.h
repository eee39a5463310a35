/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_state.h -- the state of a calibrated node: chunks in flight, servers, future events
 *
 * The parts of chunk_flow.h share one state, because each changes what is left to the others. The
 * exchange takes its share of a link before chunks do, and links take their share of a bank before
 * loads and stores do.
 *   flow_events     future events, and results
 *   flow_dispatch   cuts commands into chunks, which stages admit
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
    WHOLE_BURST = 16,  /* rows */
    STORED_AHEAD = 32, /* rows that a store has read ahead: the slots of an RX half */
    LOADED_AHEAD = 18, /* loaded rows in buffers before their bank: of memory and TX DMA */
    MOST_BURSTS = 255, /* outstanding, each way */
    LOADS = 5,         /* one under way, and those that the DMA queues behind it */
    FETCHED = 64,      /* bytes of a cache line */
    FEW = 8,           /* initial size of a list */
    STAGES = ACE_CLUSTER_PHASES + 2,
    LINK_BANKS = ACE_BANKS / 2, /* even chunks go up and odd ones down: bank 2 i + link % 2 */
    PIPES = 2,
    BANK_USES = 2 * LINK_BANKS,
    PHASE_JOBS = 16, /* in one direction: half the contexts */
    LINK_JOBS = ACE_CLUSTER_PHASES * PHASE_JOBS
};
#define NEVER INFINITY
/* Like fmin() and fmax(), for values that are no NaN. */
static inline double flow_less(double a, double b) { return a < b ? a : b; }
static inline double flow_more(double a, double b) { return a > b ? a : b; }
/* An amount of work that is only a rounding error. */
#define NOTHING 1e-6
/* Returns the end of work that is not finished, which must be later than now. Otherwise its event
 * would recur with the same work left, because the steps of the clock may be longer than the work:
 * above 2^34 cycles they are 4e-6. */
static inline double flow_behind(double now, double end) {
    return end > now ? end : nextafter(now, INFINITY);
}
/* Lower bound on the share of a resource for its lowest-priority user, so that no rate becomes
 * 0. */
#define LEAST_SHARE 0.02
/* An all-to-all that uses at least this share of a link always has a row waiting for it. */
#define ALMOST_FULL 0.97

/* The shape of a phase, for even and for odd chunks. */
typedef struct phase_shape {
    double work[2], most[2]; /* cycles of the link; largest share of the link */
    double hop;              /* after the last row, in addition to the link's latency */
    /* Where shards go one by one: a shard's cycles of the port, then of the direct link to its
     * peer, or 0 if there is none. `rate` is the largest share of the port. `rest` is the cycles to
     * the next shard, from the last row at a hub and from the first row on a ring. Both are first
     * for shards that are summed, then for others. */
    double shard, peer, rate[2], rest[2];
    uint16_t shards[2], summed[2]; /* shards sent, and the first of them that are summed */
    uint32_t rows[2];              /* rows sent */
    /* halves of its rows that the receiver reduces, instead of copying them */
    uint8_t dim, reduced;
} phase_shape;

/* The chunks of a command are alike except for the last one. So properties of a chunk are computed
 * once. */
typedef struct chunk_shape {
    phase_shape phase[ACE_CLUSTER_PHASES]; /* indexed by the hardware's phases, 0..phases - 1 */
    double load, store;                    /* memory cycles */
    double load_most, store_most; /* largest share of the memory: few bursts are under way */
    uint32_t users; /* number of chunks, plus 1 while their command has more; 0: unused */
    uint16_t needs[ACE_CLUSTER_PARTITIONS], tag;
    uint8_t first;                   /* stage that loads the chunk */
    uint8_t load_burst, store_burst; /* rows */
    bool last;
} chunk_shape;

/* Where a shard is that goes over a hub: at the port, on the direct link to its peer, or over, so
 * that the next shard waits for its grant. */
typedef enum shard_state { SENDS, CROSSES, RESTS } shard_state;

/* A phase of a chunk on a link. */
typedef struct job {
    /* cycles of the link; share of the link. Where shards go one by one, those of a shard, or of
     * the direct link */
    double left, rate;
    double begun;       /* when the shard began */
    double ahead, pace; /* of a direct link, while the port sends: cycles done; their rate */
    uint32_t chunk;
    uint32_t crossing; /* of a direct link: the lower number came to the link first */
    uint16_t shards;   /* still to be sent at a hub */
    uint8_t phase, reduced, state;
} job;
/* The longest shards of a phase on a link: their cycles, and the share that their chunks use. */
typedef struct longest_shard {
    double cycles, used;
} longest_shard;
typedef struct link {
    double at;    /* the jobs have been moved to this time */
    double share; /* what the exchange leaves of the link */
    double cost;  /* cycles of a row */
    /* rows a cycle that it sends through the pipe that reduces, and through the one that stores */
    double pipes[PIPES];
    /* rows a cycle that it reads of each of its banks, then that it writes */
    double use[BANK_USES];
    double summed[LINK_BANKS]; /* of the rows that it writes, those that are reduced */
    uint64_t rows;             /* sent */
    job *jobs;                 /* the oldest chunk first; at most LINK_JOBS, and usually few */
    uint16_t wanting;          /* one bit for each phase that wants the link */
    uint16_t count, room;
    bool free;  /* each job has the share of the link that it can use */
    bool mixed; /* shards of a phase are not equally long */
} link;

/* Loads, or the stores of even or of odd chunks, one after the other. */
typedef struct memory_port {
    double left;          /* of the first, memory cycles */
    double begun;         /* when the first began */
    double blocked_until; /* a store's first burst waits until then for earlier bursts */
    double at, next, rate;
    double queued;      /* loaded rows that wait for their bank, in memory cycles */
    double queues;      /* how fast they become more */
    double cost, share; /* cycles of a row; what the exchange leaves */
    unsigned head, count;
    uint8_t chunk[FLOW_CHUNKS]; /* modulo FLOW_CHUNKS */
} memory_port;

typedef enum event_kind {
    DISPATCH,
    DECIDE,
    JOIN,
    SHARD,
    PORT_CHANGE,
    OVER,
    COMPLETE,
    ENTERED,
    EXCHANGE_BEGIN,
    EXCHANGE_OVER,
    ARRIVE
} event_kind;
typedef struct event {
    double at;
    uint64_t order; /* among events at the same time, the lower goes first */
    uint32_t chunk; /* or the tag, or the label of an arrival */
    uint8_t kind, stage;
} event;

typedef struct waiting {
    ace_command c;
    uint64_t chunks, at; /* chunks of the command; chunks dispatched */
    uint32_t handed;     /* its number in the order of submission */
    unsigned live;       /* number of its dimensions with more than one member */
    uint16_t shape;      /* of all chunks but the last, once the first was offered */
} waiting;

typedef struct exchange_work {
    ace_command c;
    message_list messages; /* for a command of messages */
    uint32_t handed;       /* as in `waiting` */
} exchange_work;

/* All-to-alls and messages, one command at a time. */
typedef struct exchange {
    bool runs, came_first;  /* came_first: it came before loads once */
    unsigned rounds_before; /* rounds of loads before its first rows, so far */
    unsigned count, room;
    exchange_work *waiting;
    unsigned outside; /* the last ones, which the dispatcher has not taken yet */
    uint32_t number;
    double left, rate, at; /* shares of the whole exchange */
    /* cycles of the whole exchange on each link, and for its reads and writes */
    double link[ACE_CLUSTER_LINKS], read, write;
    double trips;        /* cycles of its reads or writes, if the memory had only its latency */
    double least;        /* lower limit of the link cycles, whatever each link takes */
    double most;         /* most rows read ahead: those that wait for the links that it fills */
    double rows, unread; /* of the whole exchange; not yet read */
    /* rows that crossed the links and are not yet in memory, and the most of these */
    double unwritten, buffers;
    double reading, writing; /* shares of the whole exchange, a cycle */
    double burst_rows;       /* rows that are still read before loads get the memory */
    double loads;            /* time until which loads have the memory then */
    bool full;               /* rows wait at the links that it fills */
    bool starved;            /* loads have kept it from reading what its links take */
    /* time from which rows wait behind another full link, too; time of its next change of rates */
    double behind, next_change;
    /* cycles of the longest route; the earliest arrival of a last row over it */
    double tail, earliest;
    double lost; /* cycles in which the busiest link is idle where rows turn to it */
    double sent; /* time when the links had sent the last row */
    /* the only dimension that it fills, and the one from which most of its rows turn there, so that
     * both of its links may not be full at a time; ACE_CLUSTER_DIMENSIONS: none */
    unsigned headed, headed_from;
    /* one bit for each link that it fills, if chunks may wait there or pass: links of several
     * dimensions, or those of `headed` */
    uint32_t filled;
    /* cycles in which chunks wanted such links, or several links shared a phase */
    double unsure;
} exchange;

struct chunk_flow {
    chunk_flow_setup s; /* its last fields are read often */
    /* read in each window, so they are adjacent */
    double next; /* time of the next event */
    double now;
    uint64_t events;
    int error;
    unsigned done_first, done_count, done_room;
    unsigned arrival_first, arrival_count, arrival_room;
    unsigned token_first, token_count, token_room;
    unsigned mail_first, mail_count, mail_room;
    flow_token *tokens; /* to be taken by the caller */
    flow_mail *mails;   /* to be passed to their receivers */
    /* future events, as a heap */
    event *heap;
    unsigned heap_count, heap_room;
    uint64_t order;
    double ends[ACE_CLUSTER_LINKS]; /* when the first job of each link ends, as far as is known */
    unsigned links_end;             /* links from this number on have no wire */
    uint32_t busy;                  /* one bit for each link that has jobs */
    uint32_t shared;                /* one bit for each link that shares a phase with another */
    uint32_t crossings;             /* number of shards that came to a direct link */
    uint8_t by_shards;              /* one bit for each dimension where shards go one by one */
    /* dispatcher */
    waiting *commands;
    chunk_shape *shapes;
    unsigned command_count, command_room, shape_count, shape_room;
    unsigned outside; /* the last commands, which the dispatcher has not taken yet */
    uint32_t handed;  /* commands submitted so far */
    uint16_t offered; /* index of its shape */
    bool entering, planning, offers, fifo;
    /* scheduler */
    unsigned phases, store, contexts;
    double decide_at, deciding; /* of the next decision; of the latest event for one */
    uint32_t dispatched, admitted[STAGES], finished[STAGES];
    uint64_t over[STAGES]; /* one bit for each chunk */
    uint32_t check; /* one bit for each stage: something may have changed since its last check */
    uint32_t load_waits; /* the same for stages whose loads had to wait for others */
    unsigned loads;
    uint16_t used[ACE_CLUSTER_PARTITIONS][ACE_BANKS], room[ACE_CLUSTER_PARTITIONS];
    /* servers */
    bool scaled;
    double answer;                 /* cycles until the memory answers */
    memory_port read, write[2];    /* write: of even and of odd chunks */
    uint16_t flights[FLOW_CHUNKS]; /* the index of the shape of each chunk under way */
    _Alignas(FETCHED) link links[ACE_CLUSTER_LINKS];
    exchange exchange;     /* the fields from here on are read less often */
    ace_completion *done;  /* to be taken by the caller */
    ace_arrival *arrivals; /* to be taken by the caller */
    longest_shard longest[ACE_CLUSTER_LINKS][ACE_CLUSTER_PHASES];
    /* shards that a half of an all-reduce sends, for even and odd chunks */
    double steps[ACE_CLUSTER_DIMENSIONS][2];
};

/* Returns the shape of a chunk under way, whose number may be modulo FLOW_CHUNKS. */
static inline const chunk_shape *flow_shape(const chunk_flow *f, uint32_t chunk) {
    return &f->shapes[f->flights[chunk % FLOW_CHUNKS]];
}
/* Returns the links with jobs, one bit each, that have the direction of this link, or use this
 * bank. */
static inline uint32_t flow_busy(const chunk_flow *f, unsigned parity) {
    return f->busy & (parity % 2 ? 0xaaaaaaaaU : 0x55555555U);
}
/* Returns the share of the link that a phase can use on a ring. */
static inline double flow_most(const chunk_flow *f, const job *j) {
    return flow_shape(f, j->chunk)->phase[j->phase].most[j->chunk & 1];
}

#endif
