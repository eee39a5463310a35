/* SPDX-License-Identifier: Apache-2.0 */
/*
 * acesim.h -- what the parts of the program share
 *
 *   options.c   command line -> options          cluster.c   YAML -> cluster
 *   workload.c  YAML, layer table -> workload    model.h     layers by shape -> workload
 *   operations.h  shapes -> counts               npu.h       counts -> time
 *   program.h   workload -> an NPU's steps       training.c  the NPUs go through them
 *   places.h    cluster -> rungs and speeds      fold.c      nodes that behave alike
 *   fabric.c    nodes and wires, made (fabric_make.c), run, saved (fabric_state.c)
 *   ideal.c     the ideal endpoint               baseline.h  endpoints in software
 *   report.c    tables, JSON, traces             processes.h one run on several processes
 *   result.c    the JSON that is read again      samples.h   the traffic over time
 *   timeline.h  the Chrome trace                 watch.h     chunks, seen on the wires
 *   sweep.h     many runs                          checkpoint.h  a run in a file
 *   study.h     sweeps, their tables and figures   recording.h  a node's pins in a file
 *   counts.h    how uneven an all-to-all-v is
 *   saved_run.h results, read again              page.h, report_page.h  about them
 */
#ifndef ACESIM_H
#define ACESIM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ace_node.h"
#include "npu.h"
#include "operations.h"
#include "setup_fields.h"

#define ACESIM_VERSION "0.1.0"

enum { EXIT_OK = 0, EXIT_CHECK = 1, EXIT_USAGE = 2 };

typedef enum endpoint {
    ENDPOINT_ACE,
    ENDPOINT_IDEAL,
    ENDPOINT_COMM_OPT,
    ENDPOINT_COMP_OPT,
    ENDPOINT_NO_OVERLAP
} endpoint;
/* How the nodes of a dimension are joined: each to two neighbours, or by hubs (hub.h). */
typedef enum wiring { WIRING_RING, WIRING_SWITCH, WIRING_DIRECT } wiring;
typedef enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV } format;

typedef struct cluster {
    char name[64];
    uint8_t ring[ACE_DIMENSIONS];   /* members of each dimension */
    uint8_t sizes;                  /* dimensions that the topology is written with */
    uint8_t wiring[ACE_DIMENSIONS]; /* enum wiring */
    char algorithms[256];           /* "", or one word for all dimensions or for each: "ring,direct"
                                       or files with programs */
    double link_GBps[ACE_DIMENSIONS]; /* of one link, one way */
    uint32_t link_latency[ACE_DIMENSIONS];
    double efficiency;
    double clock_MHz;
    double
        memory_GBps; /* of communication, each way; 0: the endpoint's own (cluster_memory_GBps) */
    unsigned sms;    /* of communication, baselines only; 0: the endpoint's own (cluster_sms) */
    bool lazy_last_reduction; /* baselines: left to the next phase, see baseline_chunk.h */
    uint32_t memory_latency;
    uint64_t chunk_bytes;
    ace_order order;
    endpoint endpoint;
    ace_parameters parameters;
    char rungs[256];  /* "cycle", or "rtl:0,5;cycle:rest" */
    char speeds[256]; /* "" or "0.5:3,7": of a node's memory and compute, 1 where not named */
    npu npu;
} cluster;

/* As where nothing else is said (setup_fields.def). */
cluster cluster_default(void);
unsigned cluster_nodes(const cluster *c);
/* The hardware that the topology needs: with a fourth dimension FSMs in fives, 20 for 16. */
void cluster_settle(cluster *c);
/* The configuration all nodes share (rank 0).  A message on stderr and EXIT_USAGE
 * when the cluster cannot be built. */
struct options;
int cluster_config(const struct options *o, ace_config *cfg);
/* Ideal bandwidth of a collective that puts bytes[] on the dimensions: the busiest
 * dimension full, link efficiency left out.  GB/s. */
double cluster_ideal_GBps(const cluster *c, const uint64_t bytes[ACE_DIMENSIONS]);
/* The fields that a cluster file has, into options.  EXIT_OK, or EXIT_USAGE after a message. */
int cluster_read(const char *file, struct options *o);
/* What was asked for, or else what the endpoint gives to communication. */
double cluster_memory_GBps(const cluster *c);
unsigned cluster_sms(const cluster *c); /* 0: none take part */
bool endpoint_is_baseline(endpoint e);
/* What a collective takes of an NPU while it is under way. */
npu_share cluster_communication(const cluster *c);
const char *endpoint_name(endpoint e);

/* ---- values people write --------------------------------------------------- */

bool parse_size(const char *s, uint64_t *bytes);   /* 64MiB, 4 KB, 100 */
bool parse_bandwidth(const char *s, double *GBps); /* 128GB/s, 128 */
bool parse_clock(const char *s, double *MHz);      /* 1245 MHz, 1 GHz */
bool parse_rate(const char *s, double *TFLOPS);    /* 120 TFLOPS, 120 */
bool parse_time(const char *s, double *us);        /* 2 us, 500 ns; at most 1 ms */
bool parse_unsigned(const char *s, uint64_t low, uint64_t high, uint64_t *v);
bool parse_fraction(const char *s, double *v); /* (0, 1] */
bool parse_switch(const char *s, bool *v);     /* on, off */
/* 4x8x2, or as ASTRA-sim writes it: Ring(4)_FullyConnected(8)_Switch(2).  How many sizes are
 * written; 0: no topology.  Dimensions behind them have one member. */
unsigned parse_topology(const char *s, uint8_t ring[ACE_DIMENSIONS],
                        uint8_t wiring[ACE_DIMENSIONS]);
/* The other way round. */
enum { TOPOLOGY_TEXT = 96 };
void print_topology(const cluster *c, char to[TOPOLOGY_TEXT]);
bool parse_dims(const char *s, uint8_t dims[ACE_DIMENSIONS], uint8_t *count);
bool parse_name(const char *s, const char *const *names, int *v); /* NULL-ended list */
bool parse_op(const char *s, int *op);                            /* an ace_op */
#define TYPES_ACCEPTED "fp32, fp16, bf16, fp8-e4m3, fp8-e5m2, int8 or int32"
#define OPS_ACCEPTED   "sum, avg, min, max or prod"
/* "WORD" or "WORD:0,5;WORD:rest": set() is called once for each node that is named, and
 * says whether it takes the word.  False: not such a list, or a node named twice. */
bool parse_node_list(const char *s, unsigned nodes,
                     bool (*set)(void *self, unsigned node, const char *word, size_t length),
                     void *self);
extern const char *const kind_names[],
    *const type_names[], *const op_names[], *const order_names[], *const endpoint_names[],
                                                                      *const loop_names[],
                                                                          *const format_names[];

/* Quoted where its characters ask for it. */
void csv_cell(FILE *to, const char *s);

/* ---- options --------------------------------------------------------------- */

/* A word of a command line: an argument (no name), a flag (no value), or --name=value. */
typedef struct option_word {
    const char *name, *value;
} option_word;
enum { OPTION_WORDS = 128 };

typedef struct options {
    cluster cluster;
    ace_kind kind;
    ace_type type;
    ace_op op;
    bool type_given;
    uint8_t dims[ACE_DIMENSIONS], dim_count;
    uint64_t size;
    unsigned root, peer; /* members; of a send-receive: who sends, who receives */
    const char *counts;  /* file, or NULL: by skew */
    double skew;
    bool registers; /* commands go to ace_engine.v, not to the pins of ace_node.v */
    bool payload, check;
    unsigned threads;
    uint64_t seed;
    format format;
    const char *timeline, *output;
    uint64_t timeline_limit; /* bytes */
    const char *wave_file;
    unsigned wave_node;
    uint64_t wave_from, wave_to;
    const char *record; /* folder, or NULL */
    unsigned record_node;
    const char *faults;              /* list, or NULL: see faults.h */
    const char *checkpoint, *resume; /* files, or NULL */
    uint64_t checkpoint_every;       /* cycles */
    unsigned iterations;
    const char *workload; /* file */
    bool contention;      /* communication takes its share from compute */
    int dlrm_loop;        /* 1: optimised, 0: plain, -1: as the workload says */
    bool unfolded;        /* every node is simulated, also where one could stand for many */
    unsigned samples;     /* points of the traffic over time, at most; 0: none */
    bool step_by_step;    /* every cycle is, also where periods could be left out */
    bool help;            /* was asked for and given: exit with EXIT_OK */
    setup_source source[SETUP_FIELDS]; /* where each of these was written */
    /* The command from which the same result comes again: no files, no threads. */
    option_word words[OPTION_WORDS];
    unsigned word_count;
} options;

/* Looks at the fields together: what follows from them, and what does not go together.  EXIT_OK, or
 * EXIT_USAGE after a message. */
int setup_settle(options *o);
int options_collective(int argc, char **argv, options *o);
int options_run(int argc, char **argv, options *o);

/* An option as a sweep may set it: none that writes files or chooses the format. */
typedef struct option_value {
    int number;         /* of the option, in the order of --help; -1: no such option */
    bool flag;          /* takes no value: "true" gives it, "false" does not */
    bool accepted;      /* the value, by itself */
    char expected[400]; /* what a person may write */
} option_value;
option_value options_value(const char *command, const char *name, const char *value);

/* ---- workload -------------------------------------------------------------- */

typedef struct layer {
    char name[64];
    shape shape; /* where the workload has shapes */
    uint64_t parameters;
    uint64_t bytes;     /* all-reduced, 0: none */
    uint64_t exchanged; /* all-to-all, each way, 0: none */
    struct {
        unsigned first, count; /* among the workload's operations */
    } pass[PASSES];
} layer;

typedef struct workload {
    char name[64];
    layer *layers;
    unsigned count;
    operation *operations;
    unsigned operation_count;
    bool shaped; /* by shape; otherwise by a table of times */
    ace_type element;
    uint64_t minibatch;
    bool optimised; /* the loop that looks up and updates embeddings in the background */
} workload;

/* Times of a table come out in cycles of clock_MHz.  EXIT_OK, or EXIT_USAGE after a message. */
int workload_read(const char *file, double clock_MHz, workload *w);
/* The loop --dlrm-loop asks for, where it does.  Refused where there is nothing to optimise. */
int workload_set_loop(workload *w, const char *file, int loop);
void workload_free(workload *w);
uint64_t workload_digest(const workload *w);
/* The operations of a pass of a layer are appended, and the layer knows them; false: no
 * memory. */
bool workload_add(workload *w, layer *l, pass p, const operation *o, unsigned count);

/* ---- fold ------------------------------------------------------------------ */

/* The node at the other end of a link. */
unsigned torus_neighbour(const uint8_t ring[ACE_DIMENSIONS], unsigned node, unsigned link);
/* In: the colour of each node, and the dimensions along which no two nodes are alike.  Out:
 * its class; classes are numbered in the order of their first nodes.  Refinement ends early,
 * with more than `most` classes, when there are so many.  False: no memory. */
bool fold_torus(const uint8_t ring[ACE_DIMENSIONS], const bool apart[ACE_DIMENSIONS], unsigned most,
                uint32_t *class_of, unsigned *classes);

/* ---- fabric ---------------------------------------------------------------- */

/* Who drives the members.  The calls for one come from one thread at a time. */
typedef struct driver {
    void *self;
    void (*completed)(void *self, unsigned member, const ace_completion *c);
    /* Acts in cycle `now`; returns the cycle it wants to act in next (UINT64_MAX:
     * only after a completion).  *reaction: a completion at c causes no submission
     * before c + 1 + *reaction. */
    uint64_t (*act)(void *self, unsigned member, uint64_t now, uint64_t *reaction);
    bool (*finished)(void *self, unsigned member);
    double (*progress)(void *self); /* 0..1 */
    /* A label of the timeline in words; the numbers are the driver's. */
    void (*label)(void *self, uint32_t label, char *to, size_t room);
    void (*state)(void *self, ace_state *s); /* all that the calls above go by */
} driver;

enum { STATISTICS = 256 }; /* counters of a node, at most */

typedef struct fabric fabric;
/* EXIT_OK, or EXIT_USAGE / EXIT_CHECK after a message. */
int fabric_create(const options *o, const ace_config *cfg, fabric **f);
void fabric_destroy(fabric *f);
/* Hands over a command in cycle `cycle`; the calls for a member come from its act(). */
int fabric_submit(fabric *f, unsigned member, const ace_command *c, uint64_t cycle);
/* Runs until every member's driver has finished; from a checkpoint, and writing checkpoints,
 * where the options say so.  configuration: the digest of the run, which they carry.
 * EXIT_OK, or EXIT_CHECK or EXIT_USAGE after a message. */
int fabric_run(fabric *f, const driver *d, uint64_t configuration);
/* A member is a node that is simulated: each node, or one for all that behave alike and
 * stand on one rung.  Drivers and what follows speak of members; member 0 is node 0's. */
unsigned fabric_members(const fabric *f);
unsigned fabric_place(const fabric *f, unsigned member);   /* the first node it stands for */
unsigned fabric_weight(const fabric *f, unsigned member);  /* how many it stands for */
unsigned fabric_member_of(const fabric *f, unsigned node); /* who stands for it */
double fabric_speed(const fabric *f, unsigned member);     /* of its memory and compute */
const char *fabric_folding(const fabric *f);               /* in words: what, or why not */
const char *fabric_skipping(const fabric *f);              /* after the run: what was left out */
uint64_t fabric_now(const fabric *f);                      /* all members have run to here */
const char *fabric_rung(const fabric *f, unsigned member);
/* Whether this process simulates it (processes.h).  The driver is called for those members
 * only, and what follows is theirs. */
bool fabric_here(const fabric *f, unsigned member);
ace_node *fabric_node(fabric *f, unsigned member);
unsigned fabric_recorded(const fabric *f);             /* the member whose pins --record writes */
ace_memory *fabric_memory(fabric *f, unsigned member); /* NULL when timing-only */
/* Bytes a member put on dimension d, and what the closed form asks for. */
uint64_t fabric_sent(const fabric *f, unsigned member, unsigned d);
uint64_t fabric_expected(const fabric *f, unsigned member, unsigned d);
/* On one link, 0 for an endpoint without wires. */
uint64_t fabric_link_bytes(const fabric *f, unsigned member, unsigned link);
/* Frames sent on it that were changed on the way and have arrived. */
uint64_t fabric_link_faults(const fabric *f, unsigned member, unsigned link);
bool fabric_has_hubs(const fabric *f);
/* Of all hubs and members of this process: frames from hubs that were changed on the way and have
 * arrived; what the hubs' ports count, see ACE_LINK_COUNTS. */
void fabric_hub_faults(const fabric *f, uint64_t *changed, uint64_t counts[ACE_LINK_COUNTS]);
/* The traffic over time, NULL when it was not asked for (samples.h). */
struct samples *fabric_samples(const fabric *f);
/* What a member's driver has done, for the timeline.  label: see driver.label; id: the same for
 * the same collective at all members. */
void fabric_computed(fabric *f, unsigned member, bool background, uint32_t label, uint64_t from,
                     uint64_t to);
void fabric_communicated(fabric *f, unsigned member, uint32_t label, uint64_t id, uint64_t from,
                         uint64_t to);
/* The member at the other end of a link. */
unsigned fabric_to(const fabric *f, unsigned member, unsigned link);
/* Law 4 on every member and dimension, of all processes: a message and EXIT_CHECK at the
 * first difference. */
int fabric_check_bytes(const fabric *f);

/* The ideal endpoint (ideal.c). */
int ideal_node_create(const ace_config *cfg, const uint32_t latency[ACE_DIMENSIONS],
                      ace_node **node);

/* ---- collectives of a member, in the order in which they ended --------------- */

typedef struct span {
    const char *what; /* "all-reduce", ... */
    const char *name; /* of the layer, or "" */
    uint64_t from, to;
} span;
typedef struct spans {
    span *at;
    size_t count, room;
} spans;
bool spans_add(spans *s, span v);

/* ---- training ---------------------------------------------------------------- */

/* Cycles of an iteration. */
typedef struct iteration {
    uint64_t cycles, forward; /* the whole, and the forward pass of it */
    uint64_t compute;         /* in which the NPU computes */
    uint64_t main, alone;     /* of the main stream; and had it had the whole NPU */
} iteration;
typedef struct training training;
/* EXIT_OK, or EXIT_USAGE / EXIT_CHECK after a message. */
int training_create(const workload *w, const options *o, fabric *f, training **t);
void training_destroy(training *t);
driver training_driver(training *t);
/* After the run: what follows is of all processes.  False: an endpoint refused a command or
 * completed one that was not issued. */
bool training_end(training *t);
const spans *training_spans(const training *t, unsigned member);
/* Over all nodes: an iteration ends when the last of them has ended it; each of the rest is
 * the longest. */
iteration training_iteration(const training *t, unsigned i);
uint64_t training_cycles(const training *t);
/* Cycles in which node 0 had a collective outstanding. */
uint64_t training_communication(const training *t);

/* ---- report ------------------------------------------------------------------ */

typedef struct report {
    const options *o;
    const ace_config *cfg;
    const ace_command *command; /* of a collective; or NULL */
    fabric *f;
    const char *kind;          /* "all-reduce", or the workload's name */
    uint64_t digest_of;        /* FNV-1a of the workload, 0 for a collective */
    uint64_t cycles;           /* of the whole run */
    uint64_t communication;    /* cycles the bandwidth is taken over */
    uint64_t by_pins;          /* cycles without registers, 0 where there are none or faults */
    const training *training;  /* or NULL */
    const workload *workload;  /* of it */
    const spans *const *spans; /* of each member */
    bool bytes_ok;
    int payload_ok; /* -1: not checked */
} report;
/* Prints to stdout and writes the files asked for; all processes call.  EXIT_OK, EXIT_USAGE. */
int report_write(const report *r);
/* What `acesim report` and `acesim explain` need to know of a run, put in its JSON: the
 * command, the configuration, each node's counters, the traffic over time.  All processes
 * call, root is process 0's.  EXIT_OK, or EXIT_CHECK after a message. */
struct cJSON;
int result_add(const report *r, struct cJSON *root);
/* Of everything that a result depends on: o, cfg, kind and digest_of are looked at. */
uint64_t report_digest(const report *r);

/* ---- digests ----------------------------------------------------------------- */

uint64_t fnv1a(uint64_t hash, const void *data, size_t bytes);
bool digest_file(const char *name, uint64_t *hash); /* false: it cannot be read */
#define FNV1A_START UINT64_C(0xcbf29ce484222325)

/* ---- cost -------------------------------------------------------------------- */

double cost_start(void); /* seconds of a clock that only goes on */
/* Wall time since then and the most memory held so far, on stderr. */
void cost_print(double start);

/* The collective that the options ask for, but for the counts of an all-to-all-v. */
ace_command collective_command(const options *o);
int collective_run(const options *o, const ace_config *cfg); /* and its result, printed */

int command_collective(int argc, char **argv);
int command_run(int argc, char **argv);
int command_lockstep(int argc, char **argv);
int command_wave(int argc, char **argv);
int command_program(int argc, char **argv);
int command_alu(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_study(int argc, char **argv);
int command_report(int argc, char **argv);
int command_workload(int argc, char **argv);
int command_explain(int argc, char **argv);

#endif
