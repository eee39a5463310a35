/* SPDX-License-Identifier: Apache-2.0 */
/* options.c -- the command line: one table for getopt, --help and the values */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "acesim.h"
#include "faults.h"

enum { COLLECTIVE = 1, RUN = 2, BOTH = 3 };

/* name, argument or NULL, where, what it accepts or does */
#define OPTIONS(X)                                                                                \
    X(TOPOLOGY, "topology", "SIZES", COLLECTIVE,                                                  \
      "sizes of x, y, z, w, or Ring(4)_Switch(8)_FullyConnected(2) [4x4x4]")                      \
    X(ALGORITHM, "algorithm", "LIST", BOTH,                                                       \
      "of all dimensions or each: see acesim program --help, or a file [ring, or direct]")        \
    X(SIZE, "size", "SIZE", COLLECTIVE, "bytes of the vector, 1 to 1TiB, such as 64MiB [1MiB]")   \
    X(ROOT, "root", "N", COLLECTIVE, "of broadcast, reduce, gather, scatter: a member [0]")       \
    X(FROM, "from", "N", COLLECTIVE, "of send-receive: the member that sends [0]")                \
    X(TO, "to", "N", COLLECTIVE, "of send-receive: the member that receives [1]")                 \
    X(COUNTS, "counts", "FILE", COLLECTIVE,                                                       \
      "of all-to-all-v: CSV, bytes that the member of a line sends each")                         \
    X(SKEW, "skew", "F", COLLECTIVE, "of all-to-all-v without --counts: 0 even, to 1 [0.5]")      \
    X(TYPE, "type", "TYPE", BOTH, TYPES_ACCEPTED " [fp32, or the workload's]")                    \
    X(OP, "op", "OP", BOTH, OPS_ACCEPTED " [sum]")                                                \
    X(DIMS, "dims", "LIST", BOTH, "dimensions in the order of the phases, such as x,y,z [all]")   \
    X(ENDPOINT, "endpoint", "NAME", BOTH,                                                         \
      "ace, ideal, or in software: comm-opt, comp-opt, no-overlap [ace]")                         \
    X(RUNG, "rung", "LIST", BOTH, "cycle, rtl, or a list such as 'rtl:0,5;cycle:rest'")           \
    X(CONTROL, "control", "pins|registers", COLLECTIVE,                                           \
      "how commands reach an ACE: by its pins, or by registers and interrupts [pins]")            \
    X(SPEED, "speed", "LIST", BOTH, "of memory and compute of some nodes, such as '0.5:3,7' [1]") \
    X(FOLD, "fold", "auto|off", BOTH, "simulate one of the nodes that behave alike [auto]")       \
    X(FAST_FORWARD, "fast-forward", "auto|off", BOTH,                                             \
      "leave out the periods of a long collective [auto]")                                        \
    X(MEMORY_BANDWIDTH, "memory-bandwidth", "RATE", BOTH,                                         \
      "of communication each way, such as 450GB/s [the endpoint's]")                              \
    X(SMS, "sms", "N", BOTH, "SMs that run a software endpoint, 1 to 1024 [the endpoint's]")      \
    X(LAZY_LAST_REDUCTION, "lazy-last-reduction", "on|off", BOTH,                                 \
      "of a software endpoint's reduce-scatter, left to the next phase [on]")                     \
    X(MEMORY_LATENCY, "memory-latency", "CYCLES", BOTH, "2 to 65535 [200]")                       \
    X(LINK_BANDWIDTH, "link-bandwidth", "X,Y,Z,W", BOTH,                                          \
      "of one link one way: of all dimensions or each [200GB/s,25GB/s,25GB/s]")                   \
    X(LINK_LATENCY, "link-latency", "X,Y,Z,W", BOTH,                                              \
      "cycles, 1 to 1000000: of all dimensions or each [90,500,500,500]")                         \
    X(LINK_EFFICIENCY, "link-efficiency", "F", BOTH, "a fraction above 0, at most 1 [0.94]")      \
    X(CLOCK, "clock", "FREQ", BOTH, "of the nodes, such as 1245MHz")                              \
    X(CHUNK, "chunk", "SIZE", BOTH, "rounded down to whole-row shards [64KiB]")                   \
    X(ORDER, "order", "NAME", BOTH, "lifo or fifo")                                               \
    X(FSMS, "fsms", "N", BOTH, "4, 8 or 16; with four dimensions 5, 10 or 20")                    \
    X(CONTEXTS, "contexts", "N", BOTH,                                                            \
      "chunks an FSM holds: 2, 4 or 8, not 2 with one FSM a phase")                               \
    X(BANK_ROWS, "bank-rows", "N", BOTH, "rows of a scratchpad bank, 64 to 4096")                 \
    X(CONTENTION, "contention", "on|off", RUN,                                                    \
      "collectives take SMs and memory from compute [on]")                                        \
    X(DLRM_LOOP, "dlrm-loop", "NAME", RUN, "plain or optimised [as the workload says]")           \
    X(ITERATIONS, "iterations", "N", RUN, "1 to 1000 [2]")                                        \
    X(PAYLOAD, "payload", "random", COLLECTIVE, "carry bits: random, from the seed")              \
    X(CHECK, "check", NULL, COLLECTIVE, "compare the payload with the reference, bit for bit")    \
    X(FAULTS, "faults", "LIST", BOTH, FAULTS_ACCEPTED)                                            \
    X(SEED, "seed", "N", BOTH, "of the payload [1]")                                              \
    X(THREADS, "threads", "N", BOTH, "1 to 256; results do not depend on it [1]")                 \
    X(FORMAT, "format", "NAME", BOTH, "table, json or csv")                                       \
    X(TIMELINE, "timeline", "FILE", BOTH, "write a Chrome trace (Perfetto opens it)")             \
    X(TIMELINE_LIMIT, "timeline-limit", "SIZE", BOTH,                                             \
      "of that file, 1MB to 1TiB; longer runs get less detail [64MB]")                            \
    X(SAMPLES, "samples", "N", BOTH, "at most N points of traffic over time, 16 to 1024")         \
    X(OUTPUT, "output", "DIR", BOTH, "write result.json and timeline.json there")                 \
    X(WAVE, "wave", "FILE", BOTH, "write the waveform of a node on the rtl rung")                 \
    X(WAVE_NODE, "wave-node", "N", BOTH, "which node [0]")                                        \
    X(WAVE_FROM, "wave-from", "CYCLE", BOTH, "first cycle of the waveform [0]")                   \
    X(WAVE_TO, "wave-to", "CYCLE", BOTH, "cycle the waveform ends before [the end]")              \
    X(RECORD, "record", "DIR", BOTH, "keep a node's pins there, for acesim wave")                 \
    X(RECORD_NODE, "record-node", "N", BOTH, "which node [0]")                                    \
    X(CHECKPOINT, "checkpoint", "FILE", BOTH, "keep the state of the run there, to resume from")  \
    X(CHECKPOINT_EVERY, "checkpoint-every", "CYCLES", BOTH, "at least 1 [20000000]")              \
    X(RESUME, "resume", "FILE", BOTH, "go on from a checkpoint, with the options of its run")     \
    X(HELP, "help", NULL, BOTH, "this text")

#define X(id, name, argument, where, text) OPT_##id,
enum { OPTIONS(X) OPT_COUNT };
#undef X

static const struct {
    const char *name, *argument;
    int where;
    const char *text;
} table[] = {
#define X(id, name, argument, where, text) { name, argument, where, text },
    OPTIONS(X)
#undef X
};

typedef struct values {
    const char *at[OPT_COUNT];
    bool failed;
    bool quiet; /* the first bad value is not told */
} values;

static void help(int where) {
    if (where == COLLECTIVE)
        printf("usage: acesim collective KIND [OPTIONS]\n\nKIND is all-reduce, reduce-scatter, "
               "all-gather, all-to-all,\nall-to-all-v, broadcast, reduce, gather, scatter, "
               "send-receive or barrier.\n\n");
    else
        printf(
            "usage: acesim run CLUSTER.yaml WORKLOAD [OPTIONS]\n\nWORKLOAD is a YAML file or a layer "
            "table of ASTRA-sim 1.0.\n\n");
    for (int i = 0; i < OPT_COUNT; i++) {
        char left[64];
        if (!(table[i].where & where)) continue;
        snprintf(left, sizeof left, "--%s%s%s", table[i].name, table[i].argument ? " " : "",
                 table[i].argument ? table[i].argument : "");
        printf("  %-28s%s\n", left, table[i].text);
    }
    if (where == COLLECTIVE)
        printf(
            "\nexample: acesim collective all-reduce --topology 4x4x4 --size 64MiB --threads 4\n");
    else
        printf(
            "\nexample: acesim run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml\n");
}

/* Collects the options; returns the number of the first positional argument, or -1. */
static int collect(int argc, char **argv, int where, values *v) {
    struct option longs[OPT_COUNT + 1];
    int n = 0, c;

    memset(longs, 0, sizeof longs);
    for (int i = 0; i < OPT_COUNT; i++) {
        if (!(table[i].where & where)) continue;
        longs[n].name = table[i].name;
        longs[n].has_arg = table[i].argument ? required_argument : no_argument;
        longs[n++].val = i + 256;
    }
    optind = 1;
    opterr = 1;
    while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        if (c == 'h') c = OPT_HELP + 256;
        if (c < 256) {
            fprintf(stderr, "acesim %s --help lists what is accepted\n", argv[0]);
            return -1;
        }
        v->at[c - 256] = optarg ? optarg : "";
    }
    return optind;
}

static bool given(const values *v, int o) { return v->at[o] != NULL; }

/* What follows reads one value each; the first bad one is told and the rest skipped. */
static bool bad(values *v, int o, bool ok) {
    if (ok || v->failed) return false;
    if (!v->quiet)
        fprintf(stderr, "acesim: --%s: found '%s', expected %s\n", table[o].name, v->at[o],
                table[o].text);
    v->failed = true;
    return true;
}

static uint64_t count(values *v, int o, uint64_t low, uint64_t high, uint64_t otherwise) {
    uint64_t n = otherwise;

    if (given(v, o)) bad(v, o, parse_unsigned(v->at[o], low, high, &n));
    return n;
}

static int named(values *v, int o, const char *const *names, int otherwise) {
    int n = otherwise;

    if (given(v, o)) bad(v, o, parse_name(v->at[o], names, &n));
    return n;
}

/* "a,b,c": a value for each dimension, or one for all of them.  How many; 0: no such list. */
static unsigned each_dimension(const char *s, bool (*one)(const char *, unsigned, cluster *),
                               cluster *c) {
    const char *const all = s;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        char part[64];
        const size_t n = strcspn(s, ",");

        if (n >= sizeof part) return 0;
        memcpy(part, s, n);
        part[n] = 0;
        if (!one(part, d, c)) return 0;
        if (s[n]) {
            s += n + 1;
            continue;
        }
        for (unsigned rest = 1; d == 0 && rest < ACE_DIMENSIONS; rest++) (void)one(all, rest, c);
        return d + 1;
    }
    return 0;
}

static bool one_bandwidth(const char *s, unsigned d, cluster *c) {
    return parse_bandwidth(s, &c->link_GBps[d]);
}
static bool one_latency(const char *s, unsigned d, cluster *c) {
    uint64_t v;

    if (!parse_unsigned(s, 1, 1000000, &v)) return false;
    c->link_latency[d] = (uint32_t)v;
    return true;
}

/* One value is that of all dimensions; more must be as many as the topology is written with, or as
 * the hardware has.  A value by itself (quiet) has no topology yet. */
static void links(values *v, int o, bool (*one)(const char *, unsigned, cluster *), cluster *c) {
    const unsigned n = given(v, o) ? each_dimension(v->at[o], one, c) : 0;

    if (!given(v, o) || bad(v, o, n != 0) || v->failed || v->quiet) return;
    if (n == 1 || n == c->sizes || n == c->parameters.dimensions) return;
    fprintf(
        stderr,
        "acesim: --%s: found %u values in '%s', expected one for all dimensions, or %u: one for "
        "each dimension of the topology\n",
        table[o].name, n, v->at[o], c->sizes);
    v->failed = true;
}

/* Refuses what the endpoint would not look at. */
static void only_in_software(values *v, const cluster *c, int o) {
    if (!given(v, o) || endpoint_is_baseline(c->endpoint) || v->failed || v->quiet) return;
    fprintf(stderr,
            "acesim: --%s: found endpoint '%s', which uses no SMs, expected --endpoint comm-opt, "
            "comp-opt or no-overlap with it\n",
            table[o].name, endpoint_name(c->endpoint));
    v->failed = true;
}

/* A send may be of nothing. */
static bool read_vector(const char *s, options *o) {
    if (o->kind != ACE_SEND || strcmp(s, "0")) return parse_size(s, &o->size);
    o->size = 0;
    return true;
}

static void apply(values *v, options *o) {
    cluster *c = &o->cluster;
    ace_parameters *p = &c->parameters;
    const char *const *at = v->at;

    if (at[OPT_TOPOLOGY])
        bad(v, OPT_TOPOLOGY,
            (c->sizes = (uint8_t)parse_topology(at[OPT_TOPOLOGY], c->ring, c->wiring)) != 0);
    if (at[OPT_ALGORITHM] &&
        !bad(v, OPT_ALGORITHM, strlen(at[OPT_ALGORITHM]) < sizeof c->algorithms))
        strcpy(c->algorithms, at[OPT_ALGORITHM]);
    o->size = 1 << 20;
    if (at[OPT_SIZE])
        bad(v, OPT_SIZE, read_vector(at[OPT_SIZE], o) && o->size <= UINT64_C(1) << 40);
    o->root = (unsigned)count(v, given(v, OPT_FROM) ? OPT_FROM : OPT_ROOT, 0, 65535, 0);
    o->peer = (unsigned)count(v, OPT_TO, 0, 65535, o->kind == ACE_SEND);
    o->counts = at[OPT_COUNTS];
    o->skew = 0.5;
    if (at[OPT_SKEW])
        bad(v, OPT_SKEW,
            !strcmp(at[OPT_SKEW], "0") ? (o->skew = 0, true)
                                       : parse_fraction(at[OPT_SKEW], &o->skew));
    o->type_given = at[OPT_TYPE] != NULL;
    o->type = (ace_type)named(v, OPT_TYPE, type_names, ACE_FP32);
    int op = ACE_SUM;
    if (given(v, OPT_OP)) bad(v, OPT_OP, parse_op(at[OPT_OP], &op));
    o->op = (ace_op)op;
    cluster_settle(c);
    o->dim_count = (uint8_t)p->dimensions;
    for (uint8_t d = 0; d < ACE_DIMENSIONS; d++) o->dims[d] = d;
    if (at[OPT_DIMS]) {
        bool there = parse_dims(at[OPT_DIMS], o->dims, &o->dim_count);
        for (unsigned i = 0; there && i < o->dim_count; i++) there = o->dims[i] < p->dimensions;
        bad(v, OPT_DIMS, there);
    }
    c->endpoint = (endpoint)named(v, OPT_ENDPOINT, endpoint_names, (int)c->endpoint);
    if (at[OPT_RUNG] && !bad(v, OPT_RUNG, strlen(at[OPT_RUNG]) < sizeof c->rungs))
        strcpy(c->rungs, at[OPT_RUNG]);
    if (at[OPT_SPEED] && !bad(v, OPT_SPEED, strlen(at[OPT_SPEED]) < sizeof c->speeds))
        strcpy(c->speeds, at[OPT_SPEED]);
    o->registers = at[OPT_CONTROL] && !strcmp(at[OPT_CONTROL], "registers");
    if (at[OPT_CONTROL]) bad(v, OPT_CONTROL, o->registers || !strcmp(at[OPT_CONTROL], "pins"));
    o->unfolded = at[OPT_FOLD] && !strcmp(at[OPT_FOLD], "off");
    if (at[OPT_FOLD]) bad(v, OPT_FOLD, o->unfolded || !strcmp(at[OPT_FOLD], "auto"));
    o->step_by_step = at[OPT_FAST_FORWARD] && !strcmp(at[OPT_FAST_FORWARD], "off");
    if (at[OPT_FAST_FORWARD])
        bad(v, OPT_FAST_FORWARD, o->step_by_step || !strcmp(at[OPT_FAST_FORWARD], "auto"));
    if (at[OPT_MEMORY_BANDWIDTH])
        bad(v, OPT_MEMORY_BANDWIDTH, parse_bandwidth(at[OPT_MEMORY_BANDWIDTH], &c->memory_GBps));
    c->sms = (unsigned)count(v, OPT_SMS, 1, 1024, c->sms);
    if (at[OPT_LAZY_LAST_REDUCTION])
        bad(v, OPT_LAZY_LAST_REDUCTION,
            parse_switch(at[OPT_LAZY_LAST_REDUCTION], &c->lazy_last_reduction));
    only_in_software(v, c, OPT_SMS);
    only_in_software(v, c, OPT_LAZY_LAST_REDUCTION);
    c->memory_latency = (uint32_t)count(v, OPT_MEMORY_LATENCY, 2, 65535, c->memory_latency);
    links(v, OPT_LINK_BANDWIDTH, one_bandwidth, c);
    links(v, OPT_LINK_LATENCY, one_latency, c);
    if (at[OPT_LINK_EFFICIENCY])
        bad(v, OPT_LINK_EFFICIENCY, parse_fraction(at[OPT_LINK_EFFICIENCY], &c->efficiency));
    if (at[OPT_CLOCK]) bad(v, OPT_CLOCK, parse_clock(at[OPT_CLOCK], &c->clock_MHz));
    if (at[OPT_CHUNK]) bad(v, OPT_CHUNK, parse_size(at[OPT_CHUNK], &c->chunk_bytes));
    c->order = (ace_order)named(v, OPT_ORDER, order_names, (int)c->order);
    const unsigned phases = p->dimensions + 1;
    p->fsms = (unsigned)count(v, OPT_FSMS, 4, 20, p->fsms);
    cluster_settle(c);
    if (at[OPT_FSMS])
        bad(v, OPT_FSMS, p->fsms == phases || p->fsms == 2 * phases || p->fsms == 4 * phases);
    p->contexts = (unsigned)count(v, OPT_CONTEXTS, 2, 8, p->contexts);
    if (at[OPT_CONTEXTS])
        bad(v, OPT_CONTEXTS,
            !(p->contexts & (p->contexts - 1)) && p->fsms / phases * p->contexts >= 4);
    p->bank_rows = (unsigned)count(v, OPT_BANK_ROWS, 64, 4096, p->bank_rows);
    o->contention = true;
    if (at[OPT_CONTENTION])
        bad(v, OPT_CONTENTION, parse_switch(at[OPT_CONTENTION], &o->contention));
    o->dlrm_loop = named(v, OPT_DLRM_LOOP, loop_names, -1);
    o->iterations = (unsigned)count(v, OPT_ITERATIONS, 1, 1000, 2);
    if (at[OPT_PAYLOAD]) bad(v, OPT_PAYLOAD, !strcmp(at[OPT_PAYLOAD], "random"));
    o->payload = at[OPT_PAYLOAD] != NULL;
    o->check = at[OPT_CHECK] != NULL;
    if (o->check && !o->payload && !v->failed) {
        fprintf(stderr, "acesim: --check: found no payload, expected --payload random with it\n");
        v->failed = true;
    }
    o->seed = count(v, OPT_SEED, 0, UINT64_MAX, 1);
    o->threads = (unsigned)count(v, OPT_THREADS, 1, 256, 1);
    o->format = (format)named(v, OPT_FORMAT, format_names, FORMAT_TABLE);
    o->timeline = at[OPT_TIMELINE];
    o->timeline_limit = 64000000;
    if (at[OPT_TIMELINE_LIMIT])
        bad(v, OPT_TIMELINE_LIMIT,
            parse_size(at[OPT_TIMELINE_LIMIT], &o->timeline_limit) && o->timeline_limit >= 1000000);
    o->samples = (unsigned)count(v, OPT_SAMPLES, 16, 1024, 0);
    o->output = at[OPT_OUTPUT];
    o->wave_file = at[OPT_WAVE];
    o->wave_node = (unsigned)count(v, OPT_WAVE_NODE, 0, UINT32_MAX, 0);
    o->wave_from = count(v, OPT_WAVE_FROM, 0, UINT64_MAX, 0);
    o->wave_to = count(v, OPT_WAVE_TO, 0, UINT64_MAX, UINT64_MAX);
    o->record = at[OPT_RECORD];
    o->record_node = (unsigned)count(v, OPT_RECORD_NODE, 0, UINT32_MAX, 0);
    o->faults = at[OPT_FAULTS];
    if (o->faults) {
        faults f;
        bad(v, OPT_FAULTS, faults_read(o->faults, &f));
        faults_free(&f);
    }
    o->checkpoint = at[OPT_CHECKPOINT];
    o->checkpoint_every = count(v, OPT_CHECKPOINT_EVERY, 1, UINT64_MAX, 20000000);
    if (at[OPT_CHECKPOINT_EVERY] && !o->checkpoint && !v->failed) {
        fprintf(stderr, "acesim: --checkpoint-every: found no file, expected --checkpoint FILE\n");
        v->failed = true;
    }
    o->resume = at[OPT_RESUME];
    if (o->registers && (c->endpoint != ENDPOINT_ACE || o->record || o->checkpoint || o->resume) &&
        !v->failed && !v->quiet) {
        fprintf(stderr,
                "acesim: --control registers: found %s, expected --endpoint ace without --record, "
                "--checkpoint and --resume\n",
                c->endpoint != ENDPOINT_ACE ? endpoint_name(c->endpoint)
                : o->record                 ? "--record"
                : o->checkpoint             ? "--checkpoint"
                                            : "--resume");
        v->failed = true;
    }
}

/* An option that has to do with the run, not with what is written of it. */
static bool may_vary(int o) {
    switch (o) {
    case OPT_FORMAT:
    case OPT_TIMELINE:
    case OPT_TIMELINE_LIMIT:
    case OPT_SAMPLES:
    case OPT_OUTPUT:
    case OPT_WAVE:
    case OPT_WAVE_NODE:
    case OPT_WAVE_FROM:
    case OPT_WAVE_TO:
    case OPT_RECORD:
    case OPT_RECORD_NODE:
    case OPT_CHECKPOINT:
    case OPT_CHECKPOINT_EVERY:
    case OPT_RESUME:
    case OPT_HELP: return false;
    }
    return true;
}

/* The words from which the same result comes again. */
static void keep_words(const values *v, char **argv, int positional, options *o) {
    option_word *w = o->words;

    *w++ = (option_word){ NULL, argv[0] };
    for (int i = 0; i < positional; i++) *w++ = (option_word){ NULL, argv[optind + i] };
    for (int i = 0; i < OPT_COUNT; i++)
        if (given(v, i) && may_vary(i) && i != OPT_THREADS && i != OPT_FOLD &&
            i != OPT_FAST_FORWARD)
            *w++ = (option_word){ table[i].name, table[i].argument ? v->at[i] : NULL };
    o->word_count = (unsigned)(w - o->words);
}
_Static_assert(OPT_COUNT + 3 <= OPTION_WORDS, "room for every option and the arguments");

option_value options_value(const char *command, const char *name, const char *value) {
    const int where = strcmp(command, "run") ? COLLECTIVE : RUN;
    /* With the most FSMs, so that no number of contexts is too small: what a value may
     * be combined with is not asked here. */
    options scratch = { .cluster = CLUSTER_DEFAULT };
    values v = { .quiet = true };
    int o = 0;

    scratch.cluster.parameters.fsms = 16;
    while (o < OPT_COUNT && !(table[o].where & where && !strcmp(table[o].name, name))) o++;
    if (o == OPT_COUNT || !(may_vary(o) || o == OPT_SAMPLES)) return (option_value){ .number = -1 };
    if (!table[o].argument)
        return (option_value){ o, true, !strcmp(value, "true") || !strcmp(value, "false"),
                               "true or false" };
    v.at[o] = value;
    apply(&v, &scratch);
    return (option_value){ o, false, !v.failed, table[o].text };
}

static bool has_root(ace_kind k) {
    return k == ACE_BROADCAST || k == ACE_REDUCE || k == ACE_GATHER || k == ACE_SCATTER;
}

/* Options that a kind does not look at are refused, and members that there are not. */
static void match_kind(values *v, options *o) {
    const struct {
        int option;
        bool fits;
        const char *kinds;
    } only[] = {
        { OPT_ROOT, has_root(o->kind), "broadcast, reduce, gather or scatter" },
        { OPT_FROM, o->kind == ACE_SEND, "send-receive" },
        { OPT_TO, o->kind == ACE_SEND, "send-receive" },
        { OPT_COUNTS, o->kind == ACE_ALL_TO_ALL_V && !given(v, OPT_SKEW),
          "all-to-all-v, without --skew" },
        { OPT_SKEW, o->kind == ACE_ALL_TO_ALL_V, "all-to-all-v" },
        { OPT_SIZE, o->kind != ACE_BARRIER && !given(v, OPT_COUNTS),
          "a collective other than barrier, without --counts" },
    };
    unsigned members = 1;

    for (size_t i = 0; i < sizeof only / sizeof *only && !v->failed; i++) {
        if (!given(v, only[i].option) || only[i].fits) continue;
        fprintf(stderr, "acesim: --%s: found it with %s, expected %s\n", table[only[i].option].name,
                kind_names[o->kind], only[i].kinds);
        v->failed = true;
    }
    for (unsigned i = 0; i < o->dim_count; i++) members *= o->cluster.ring[o->dims[i]];
    if (o->kind == ACE_SEND && members == 1 && !given(v, OPT_TO)) o->peer = 0;
    if (!v->failed && (o->root >= members || o->peer >= members)) {
        const bool root = o->root >= members;
        fprintf(stderr, "acesim: --%s: found member %u, expected one of 0 to %u\n",
                table[!root                 ? OPT_TO
                      : o->kind == ACE_SEND ? OPT_FROM
                                            : OPT_ROOT]
                    .name,
                root ? o->root : o->peer, members - 1);
        v->failed = true;
    }
    if (o->kind == ACE_BARRIER) o->size = 0;
}

int options_collective(int argc, char **argv, options *o) {
    values v = { 0 };
    const int first = collect(argc, argv, COLLECTIVE, &v);
    int kind;

    *o = (options){ .cluster = CLUSTER_DEFAULT };
    if (first < 0) return EXIT_USAGE;
    if (given(&v, OPT_HELP)) {
        help(COLLECTIVE);
        o->help = true;
        return EXIT_OK;
    }
    if (first + 1 != argc || !parse_name(argv[first], kind_names, &kind) || kind == ACE_LIST) {
        fprintf(stderr,
                "acesim collective: found '%s', expected one KIND of all-reduce reduce-scatter "
                "all-gather all-to-all all-to-all-v broadcast reduce gather scatter send-receive "
                "barrier\n",
                first < argc ? argv[argc - 1] : "nothing");
        return EXIT_USAGE;
    }
    o->kind = (ace_kind)kind;
    apply(&v, o);
    match_kind(&v, o);
    keep_words(&v, argv, 1, o);
    return v.failed ? EXIT_USAGE : EXIT_OK;
}

int options_run(int argc, char **argv, options *o) {
    values v = { 0 };
    const int first = collect(argc, argv, RUN, &v);

    *o = (options){ .cluster = CLUSTER_DEFAULT };
    if (first < 0) return EXIT_USAGE;
    if (given(&v, OPT_HELP)) {
        help(RUN);
        o->help = true;
        return EXIT_OK;
    }
    if (first + 2 != argc) {
        fprintf(stderr, "acesim run: found %d arguments, expected CLUSTER.yaml and WORKLOAD\n",
                argc - first);
        return EXIT_USAGE;
    }
    if (cluster_read(argv[first], &o->cluster) != EXIT_OK) return EXIT_USAGE;
    o->workload = argv[first + 1];
    o->kind = ACE_ALL_REDUCE;
    apply(&v, o);
    keep_words(&v, argv, 2, o);
    return v.failed ? EXIT_USAGE : EXIT_OK;
}
