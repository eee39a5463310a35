/* SPDX-License-Identifier: Apache-2.0 */
/* command_astra.c -- acesim astra: ASTRA-sim 2.x's flags, files and lines, on this cluster's
 * engine */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "astra_bound.h"
#include "astra_check.h"
#include "astra_files.h"
#include "astra_memory.h"
#include "astra_places.h"
#include "astra_setup.h"
#include "astra_shares.h"
#include "calibrated_error.h"
#include "calibrated_rung.h"
#include "chakra_graph.h"
#include "chakra_kinds.h"
#include "chakra_process_groups.h"
#include "command.h"
#include "compat_csv.h"
#include "compat_run.h"
#include "digest.h"
#include "exit_status.h"
#include "fabric.h"
#include "figures.h"
#include "graph_engine.h"
#include "message.h"
#include "observers.h"
#include "options.h"
#include "processes.h"
#include "run_cost.h"
#include "setup.h"
#include "values.h"

/* ---- the command line ----------------------------------------------------------------------- */

typedef enum flag_kind {
    FLAG_FILE,     /* ASTRA-sim's, needed */
    FLAG_OPTIONAL, /* ASTRA-sim's */
    FLAG_IDLE,     /* ASTRA-sim's, that makes no cycle: told unless it is the default */
    FLAG_REFUSED,  /* likewise, that would: refused unless it is the default */
    FLAG_OWN,      /* of acesim */
    FLAG_SWITCH    /* likewise, without a value */
} flag_kind;

enum {
    WORKLOAD,
    SYSTEM,
    NETWORK,
    MEMORY,
    GROUPS,
    LOGGING,
    FOLDER,
    QUEUES,
    INJECTION,
    RENDEZVOUS,
    COMPUTE_SCALE,
    COMM_SCALE,
    COMPAT,
    BACKEND,
    DEPS,
    WINDOW,
    SLOTS,
    LATE,
    PEAK,
    MEMORY_BANDWIDTH,
    CSV,
    JOBS,
    LENIENT,
    FLAGS
};

static const struct {
    const char *name;
    flag_kind kind;
    const char *initial, *text;
} flags[FLAGS] = {
    { "workload-configuration", FLAG_FILE, NULL, "prefix: NPU i reads PREFIX.i.et" },
    { "system-configuration", FLAG_FILE, NULL, "JSON" },
    { "network-configuration", FLAG_FILE, NULL, "YAML of the analytical backends" },
    { "remote-memory-configuration", FLAG_FILE, NULL, "JSON" },
    { "comm-group-configuration", FLAG_OPTIONAL, NULL, "JSON: name and members of groups" },
    { "logging-configuration", FLAG_IDLE, "empty", "settings of its logger" },
    { "logging-folder", FLAG_IDLE, "log", "its log files: the lines are on standard output" },
    { "num-queues-per-dim", FLAG_IDLE, "1", "its queues: the engine has its own" },
    { "injection-scale", FLAG_IDLE, "1", "of endpoint-delay: the endpoint is simulated" },
    { "rendezvous-protocol", FLAG_REFUSED, "false", "a handshake before each message" },
    { "compute-scale", FLAG_OWN, "1", "compute takes so many times as long: X, or NPUS:X,..." },
    { "comm-scale", FLAG_REFUSED, "1", "of communication" },
    { "compat", FLAG_OWN, "0", "2: the times of its analytical backends, nothing is simulated" },
    { "backend", FLAG_OWN, "engine", "of --compat 2: unaware (of congestion) or aware [unaware]" },
    { "deps", FLAG_OWN, "auto", "auto, union or data: whether ctrl_deps are followed" },
    { "window", FLAG_OWN, "4096", "nodes of a trace held at a time" },
    { "comm-slots", FLAG_OWN, "0",
      "collectives and sends of an NPU under way, as ASTRA-sim 1; 0: no limit" },
    { "start-delay", FLAG_OWN, "0", "an NPU begins so much later: TIME, or NPUS:TIME,..." },
    { "peak-perf", FLAG_OWN, NULL,
      "TFLOPS in place of the system's, with a roofline: X, or NPUS:X,..." },
    { "local-mem-bw", FLAG_OWN, NULL, "GB/s in place of the system's, likewise" },
    { "csv", FLAG_OWN, NULL,
      "a folder for EndToEnd.csv and links.csv; with --compat 2 collectives.csv" },
    { "jobs", FLAG_OWN, NULL, "YAML: several workloads, in place of one and its groups" },
    { "lenient", FLAG_SWITCH, NULL,
      "communication of no bytes is over at once; more traces than NPUs" },
};

/* Options of acesim collective that are taken here, too; 1: with a value. */
static const struct {
    const char *name;
    bool value, result;
} shared[] = {
    { "type", true, true },
    { "op", true, true },
    { "endpoint", true, true },
    { "rung", true, true },
    { "rtl", true, true },
    { "calibration", true, true },
    { "speed", true, true },
    { "fold", true, false },
    { "fast-forward", true, false },
    { "memory-bandwidth", true, true },
    { "sms", true, true },
    { "memory-latency", true, true },
    { "switch-buffer", true, true },
    { "switch-bandwidth", true, true },
    { "clock", true, true },
    { "chunk", true, true },
    { "fsms", true, true },
    { "contexts", true, true },
    { "link-rows", true, true },
    { "router-rows", true, true },
    { "threads", true, false },
    { "timeline", true, false },
    { "timeline-limit", true, false },
    { "checkpoint", true, false },
    { "checkpoint-every", true, false },
    { "resume", true, false },
    { "quiet", false, false },
};
enum { SHARED = sizeof shared / sizeof *shared, WORDS = 128 };

typedef struct arguments {
    const char *flag[FLAGS];
    astra_setup_words made; /* of the files */
    char *given[WORDS];     /* that the user gave */
    unsigned givens;
    double clock_MHz;            /* of the node */
    const char *rung, *endpoint; /* NULL: not given */
    uint64_t digest;
    bool theirs, aware; /* --compat 2, and its backend */
} arguments;

static void help(void) {
    printf("usage: acesim astra --workload-configuration PREFIX --system-configuration FILE\n"
           "           --network-configuration FILE --remote-memory-configuration FILE "
           "[OPTIONS]\n\n"
           "Runs Chakra traces on ACE or another endpoint, with the flags and files of ASTRA-sim "
           "2.x;\na cycle of what it prints is a nanosecond.\n\n");
    for (unsigned i = 0; i < FLAGS; i++)
        printf("  --%-29s %s%s%s%s\n", flags[i].name, flags[i].text, flags[i].initial ? " [" : "",
               flags[i].initial ? flags[i].initial : "", flags[i].initial ? "]" : "");
    printf("\nand of acesim collective:");
    for (unsigned i = 0; i < SHARED; i++) printf("%s--%s", i % 7 ? " " : "\n  ", shared[i].name);
    printf(
        "\n\nexample: cd workloads/astra-sim-2 && acesim astra "
        "--workload-configuration all_reduce \\\n"
        "    --system-configuration Ring_4chunks.json --network-configuration Ring_4npus.yml \\\n"
        "    --remote-memory-configuration no_memory_expansion.json\n");
}

static int refuse(const char *option, const char *found, const char *expected) {
    fprintf(stderr, "acesim astra: --%s: found %s, expected %s\n", option, found, expected);
    return EXIT_USAGE;
}

/* Is the word --name or --name=value?  Where the value begins, NULL: it is the next word. */
static bool is_option(const char *word, const char *name, const char **value) {
    const size_t n = strlen(name);

    if (strncmp(word, "--", 2) || strncmp(word + 2, name, n)) return false;
    *value = word[2 + n] == '=' ? word + 3 + n : NULL;
    return *value || !word[2 + n];
}

static int unknown(const char *word) {
    const char *names[FLAGS + SHARED + 1] = { NULL };
    char hint[MESSAGE_HINT];

    for (unsigned i = 0; i < FLAGS; i++) names[i] = flags[i].name;
    for (unsigned i = 0; i < SHARED; i++) names[FLAGS + i] = shared[i].name;
    fprintf(stderr, "acesim astra: found '%s', expected an option of acesim astra --help%s\n", word,
            message_hint(hint, word + strspn(word, "-"), names));
    return EXIT_USAGE;
}

/* One option, from argv[*i] on. */
static int take_option(int argc, char **argv, int *i, arguments *a) {
    const char *value;
    char *word = argv[*i];

    for (unsigned f = 0; f < FLAGS; f++) {
        if (!is_option(word, flags[f].name, &value)) continue;
        if (flags[f].kind == FLAG_SWITCH) {
            if (value) return refuse(flags[f].name, value, "no value");
            a->flag[f] = word;
            return EXIT_OK;
        }
        if (!value && ++*i == argc) return refuse(flags[f].name, "nothing", "a value");
        a->flag[f] = value ? value : argv[*i];
        return EXIT_OK;
    }
    for (unsigned f = 0; f < SHARED; f++) {
        if (!is_option(word, shared[f].name, &value)) continue;
        if (a->givens + 2 > WORDS / 2) return refuse(shared[f].name, "too many", "fewer options");
        a->given[a->givens++] = word;
        if (shared[f].value && !value) {
            if (++*i == argc) return refuse(shared[f].name, "nothing", "a value");
            value = a->given[a->givens++] = argv[*i];
        }
        if (shared[f].result) a->digest = fnv1a(a->digest, shared[f].name, strlen(shared[f].name));
        if (shared[f].result && value) a->digest = fnv1a(a->digest, value, strlen(value) + 1);
        if (value && !strcmp(shared[f].name, "rung")) a->rung = value;
        if (value && !strcmp(shared[f].name, "endpoint")) a->endpoint = value;
        if (value && !strcmp(shared[f].name, "clock") && !parse_clock(value, &a->clock_MHz))
            return refuse("clock", value, "a frequency such as 1GHz");
        return EXIT_OK;
    }
    return unknown(word);
}

/* --compat and --backend, and what of the engine stands beside them. */
static int settle_compat(arguments *a) {
    const char *const backend = a->flag[BACKEND];

    a->theirs = !strcmp(a->flag[COMPAT], "2");
    a->aware = !strcmp(backend, "aware");
    if (!a->theirs && strcmp(a->flag[COMPAT], "0"))
        return refuse("compat", a->flag[COMPAT], "0 or 2");
    if (!a->theirs && strcmp(backend, "engine"))
        return refuse("backend", backend, "engine, or --compat 2 with it");
    if (a->theirs && backend != flags[BACKEND].initial && !a->aware && strcmp(backend, "unaware"))
        return refuse("backend", backend, "unaware or aware with --compat 2");
    if (a->theirs && a->flag[JOBS])
        return refuse("compat", "2 with --jobs", "one workload, as ASTRA-sim 2.x has it");
    for (unsigned i = 0; a->theirs && i < a->givens; i++)
        if (!strncmp(a->given[i], "--", 2) && strcmp(a->given[i], "--quiet"))
            return refuse("compat", a->given[i],
                          "no option of acesim collective with it: nothing of this cluster is "
                          "simulated");
    return EXIT_OK;
}

static int take_options(int argc, char **argv, arguments *a) {
    int rc = EXIT_OK;

    *a = (arguments){ .clock_MHz = 1000, .digest = FNV1A_START };
    for (int i = 1; rc == EXIT_OK && i < argc; i++) rc = take_option(argc, argv, &i, a);
    for (unsigned f = 0; rc == EXIT_OK && f < FLAGS; f++) {
        if (!a->flag[f]) {
            if (flags[f].kind == FLAG_FILE && (f != WORKLOAD || !a->flag[JOBS]))
                rc = refuse(flags[f].name, "none", flags[f].text);
            a->flag[f] = flags[f].initial;
        } else if (flags[f].kind == FLAG_REFUSED && strcmp(a->flag[f], flags[f].initial)) {
            fprintf(stderr, "acesim astra: --%s: found '%s', %s, which is not modelled\n",
                    flags[f].name, a->flag[f], flags[f].text);
            rc = EXIT_USAGE;
        } else if (flags[f].kind == FLAG_IDLE && strcmp(a->flag[f], flags[f].initial) &&
                   !(a->flag[COMPAT] && !strcmp(a->flag[COMPAT], "2") &&
                     (f == QUEUES || f == INJECTION))) {
            fprintf(stderr, "acesim astra: --%s %s makes no cycle: %s\n", flags[f].name, a->flag[f],
                    flags[f].text);
        }
    }
    if (rc == EXIT_OK && a->flag[JOBS] && (a->flag[WORKLOAD] || a->flag[GROUPS]))
        return refuse("jobs", "it beside a workload or groups", "those of each job in its file");
    if (rc == EXIT_OK && a->flag[JOBS]) a->flag[WORKLOAD] = a->flag[JOBS]; /* for messages */
    return rc == EXIT_OK ? settle_compat(a) : rc;
}

/* ---- the files become a setup --------------------------------------------------------------- */

typedef struct astra_run {
    arguments a;
    astra_network network;
    astra_system system;
    astra_memory memory;
    astra_groups groups;
    astra_jobs jobs;
    astra_places places;
    chakra_setup chakra;
    compat_system theirs; /* of --compat 2 */
    astra_ranks ranks;
    astra_deps deps;
    uint32_t window;
    unsigned slots;
    double *scale, *late_ns;           /* of each NPU */
    double *peak_TFLOPS, *memory_GBps; /* likewise; NULL: as the system's file says */
    setup o;
    fabric_work work;
} astra_run;

/* What the network's nodes are to be. */
static astra_nodes nodes_of(const arguments *a) {
    if (a->endpoint && !strcmp(a->endpoint, "ideal")) return ASTRA_NODES_IDEAL;
    return a->rung && strstr(a->rung, "calibrated") && (!a->endpoint || !strcmp(a->endpoint, "ace"))
               ? ASTRA_NODES_CALIBRATED
               : ASTRA_NODES_ENGINES;
}

static int make_fields(astra_run *r) {
    char *argv[WORDS + 1];
    int argc = 0, rc = astra_setup_make(r->a.flag[NETWORK], &r->network, &r->system,
                                        nodes_of(&r->a), r->a.clock_MHz, &r->a.made);

    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; i < r->a.made.count; i++) {
        char *const word = argv[argc++] = r->a.made.word[i];
        r->a.digest = fnv1a(r->a.digest, word, strlen(word) + 1);
    }
    for (unsigned i = 0; i < r->a.givens; i++) argv[argc++] = r->a.given[i];
    argv[argc] = NULL;
    (void)options_collective(argc, argv, &r->o, &rc);
    if (rc == EXIT_OK) rc = astra_setup_links(r->a.flag[NETWORK], &r->network, &r->o);
    if (rc == EXIT_OK) astra_setup_npu(&r->system, &r->o);
    r->a.digest =
        fnv1a(r->a.digest, r->o.machine.cluster.npu_GBps, sizeof r->o.machine.cluster.npu_GBps);
    return rc;
}

/* A value of each NPU: *to, or NULL where all have the initial one. */
static int read_share(const astra_run *r, unsigned flag, double initial, astra_share *parse,
                      const char *expected, double **to) {
    const char *const text = r->a.flag[flag];

    *to = NULL;
    if (!text || (flags[flag].initial && !strcmp(text, flags[flag].initial))) return EXIT_OK;
    if (!astra_shares_read(text, r->network.npus, initial, parse, to))
        return refuse(flags[flag].name, text, expected);
    return *to ? EXIT_OK : EXIT_CHECK;
}

static int read_shares(astra_run *r) {
    static const unsigned of_roofline[] = { PEAK, MEMORY_BANDWIDTH };
    const astra_system *const s = &r->system;
    int rc = read_share(r, COMPUTE_SCALE, 1, astra_share_scale,
                        "a number above 0, or 0:1.5,4-7:2 of NPUs of the network", &r->scale);

    if (rc == EXIT_OK)
        rc = read_share(r, LATE, 0, astra_share_delay,
                        "a time such as 10us, or 0:10us,4-7:1ms of NPUs of the network",
                        &r->late_ns);
    for (unsigned i = 0; rc == EXIT_OK && i < 2; i++)
        if (r->a.flag[of_roofline[i]] && !s->roofline)
            rc = refuse(flags[of_roofline[i]].name, r->a.flag[of_roofline[i]],
                        "it with roofline-enabled in the system's file alone");
    if (rc == EXIT_OK)
        rc = read_share(r, PEAK, s->peak_TFLOPS, astra_share_scale,
                        "TFLOPS above 0, or 0:50,4-7:100 of NPUs of the network", &r->peak_TFLOPS);
    if (rc == EXIT_OK)
        rc = read_share(r, MEMORY_BANDWIDTH, s->memory_GBps, astra_share_scale,
                        "GB/s above 0, or 0:400,4-7:800 of NPUs of the network", &r->memory_GBps);
    return rc;
}

/* What of the options and the files --compat 2 takes, and its numbers. */
static int settle_theirs(astra_run *r) {
    uint64_t queues;
    char *end;
    const double injection = strtod(r->a.flag[INJECTION], &end);

    if (!parse_unsigned(r->a.flag[QUEUES], 1, 64, &queues))
        return refuse("num-queues-per-dim", r->a.flag[QUEUES], "1 to 64");
    if (end == r->a.flag[INJECTION] || *end || !(injection >= 0 && injection <= 1e6))
        return refuse("injection-scale", r->a.flag[INJECTION], "0 to 1000000");
    if (r->a.aware && r->network.dims > 1)
        return refuse("backend", "aware on several dimensions",
                      "unaware: ASTRA-sim 2.x is aware of congestion in one dimension");
    if (r->memory.type == ASTRA_MEMORY_HIERARCHICAL)
        return refuse("compat", "2 with a HIERARCHICAL_POOL",
                      "a memory that ASTRA-sim 2.x has, or no --compat 2");
    r->theirs.queues = (unsigned)queues;
    r->theirs.endpoint_ns = (uint64_t)((double)r->theirs.endpoint_ns * injection);
    if (r->a.flag[SLOTS] == flags[SLOTS].initial) r->slots = 1;
    for (unsigned i = 0; i < r->a.givens; i++)
        if (!strcmp(r->a.given[i], "--quiet")) r->o.execution.quiet = true;
    return EXIT_OK;
}

/* NPUs of a job begin with it. */
static int late_jobs(astra_run *r) {
    const astra_jobs *j = &r->jobs;

    if (!r->late_ns) r->late_ns = calloc(r->network.npus, sizeof *r->late_ns);
    if (!r->late_ns) return message_no_memory();
    for (unsigned i = 0; i < r->network.npus; i++)
        if (j->job[i] != ASTRA_NO_JOB) r->late_ns[i] += j->at[j->job[i]].start_ns;
    return EXIT_OK;
}

/* Where the lists of the system's file are not one, that of what the traces have. */
static int choose_algorithms(astra_run *r) {
    const chakra_setup named = { .prefix = r->a.flag[WORKLOAD],
                                 .jobs = r->a.flag[JOBS] ? &r->jobs : NULL };
    const astra_system *const s = &r->system;
    bool one = true;

    for (unsigned i = 1; i < ASTRA_REDUCTIONS; i++)
        one = one && !memcmp(s->list[0], s->list[i], sizeof s->list[i]);
    return astra_system_choose(r->a.flag[SYSTEM],
                               one ? ASTRA_ALL_REDUCTIONS : chakra_kinds(&named, r->network.npus),
                               &r->system);
}

static int read_files(astra_run *r) {
    static const char *const deps[] = { "auto", "union", "data", NULL };
    uint64_t window, slots;
    int v, rc;

    if (!parse_name(r->a.flag[DEPS], deps, &v))
        return refuse("deps", r->a.flag[DEPS], "auto, union or data");
    if (!parse_unsigned(r->a.flag[WINDOW], 1, 1 << 28, &window))
        return refuse("window", r->a.flag[WINDOW], "1 to 2^28 nodes");
    if (!parse_unsigned(r->a.flag[SLOTS], 0, 65535, &slots))
        return refuse("comm-slots", r->a.flag[SLOTS], "0 to 65535");
    r->deps = (astra_deps)v;
    r->window = (uint32_t)window;
    r->slots = (unsigned)slots;
    rc = astra_network_read(r->a.flag[NETWORK], &r->network);
    for (unsigned d = 0; rc == EXIT_OK && r->a.theirs && d < r->network.dims; d++)
        if (r->network.in_network[d])
            return refuse("compat", "2 with a switch that reduces", "one that ASTRA-sim 2.x has");
    if (rc == EXIT_OK && r->a.theirs && *r->network.links)
        return refuse("compat", "2 with Links",
                      "rings, switches and full connections, as ASTRA-sim 2.x has them");
    if (rc == EXIT_OK)
        rc = r->a.theirs
                 ? compat_system_read(r->a.flag[SYSTEM], &r->network, &r->system, &r->theirs)
                 : astra_system_read(r->a.flag[SYSTEM], &r->network, &r->system);
    if (rc == EXIT_OK) rc = astra_memory_read(r->a.flag[MEMORY], r->network.npus, &r->memory);
    if (rc == EXIT_OK)
        rc = r->a.flag[JOBS]
                 ? astra_jobs_read(r->a.flag[JOBS], r->network.npus, &r->jobs, &r->groups)
                 : astra_groups_read(r->a.flag[GROUPS], r->network.npus, &r->groups);
    if (rc == EXIT_OK && !r->a.theirs) rc = choose_algorithms(r);
    if (rc == EXIT_OK) rc = r->a.theirs ? settle_theirs(r) : make_fields(r);
    if (rc == EXIT_OK) rc = read_shares(r);
    if (rc == EXIT_OK && r->a.flag[JOBS]) rc = late_jobs(r);
    r->chakra =
        (chakra_setup){ .prefix = r->a.flag[WORKLOAD],
                        .jobs = r->a.flag[JOBS] ? &r->jobs : NULL,
                        .network = &r->network,
                        .system = &r->system,
                        .memory = &r->memory,
                        .groups = &r->groups,
                        .type = r->o.machine.type,
                        .op = r->o.machine.op,
                        .clock_MHz = r->a.theirs ? 1000 : r->o.machine.cluster.clock_MHz,
                        .calibrated = strstr(r->o.machine.cluster.rungs, "calibrated") != NULL,
                        .software = endpoint_is_baseline(r->o.machine.cluster.endpoint),
                        .theirs = r->a.theirs,
                        .cluster = &r->o.machine.cluster,
                        .config = &r->o.machine.config,
                        .lenient = r->a.flag[LENIENT] != NULL,
                        .scale = r->scale,
                        .late_ns = r->late_ns,
                        .peak_TFLOPS = r->peak_TFLOPS,
                        .memory_GBps = r->memory_GBps };
    if (rc == EXIT_OK) rc = chakra_process_groups(&r->chakra, r->network.npus, &r->groups);
    return rc;
}

/* ---- the run -------------------------------------------------------------------------------- */

static int open_graph(void *self, unsigned npu, graph_reader *to) {
    const astra_run *r = self;

    return chakra_graph_open(&r->chakra, npu, r->ranks.data_only[npu], to);
}

static graph_words words(const void *self, uint32_t label) {
    (void)self;
    return (graph_words){ chakra_label(label), "" };
}

static void label(const void *self, uint32_t number, char *to, size_t room) {
    (void)self;
    snprintf(to, room, "%s", chakra_label(number));
}

static double progress(const void *self, const graph_account *a) {
    const astra_run *r = self;

    return (double)a->finished * r->network.npus / (double)(r->ranks.nodes + 1);
}

enum { TIMES = 6 };

/* In the order in which they finished, then by number; a cycle of theirs is so many ns. */
static void print_ranks(const compat_time *time, unsigned npus, double ns) {
    uint64_t last = 0, next;

    for (bool first = true;; first = false) {
        next = UINT64_MAX;
        for (unsigned i = 0; i < npus; i++)
            if ((first || time[i].finished > last) && time[i].finished < next)
                next = time[i].finished;
        if (next == UINT64_MAX) return;
        for (unsigned i = 0; i < npus; i++) {
            const compat_time *t = &time[i];

            if (t->finished != next) continue;
            printf("[workload] [info] sys[%u] finished, %" PRIu64
                   " cycles, exposed communication %" PRIu64 " cycles.\n",
                   i, figure_scaled(t->finished, ns), figure_scaled(t->exposed, ns));
            printf("[statistics] [info] sys[%u], Wall time: %" PRIu64 "\n", i,
                   figure_scaled(t->finished, ns));
            printf("[statistics] [info] sys[%u], Comm time: %" PRIu64 "\n", i,
                   figure_scaled(t->communication, ns));
            printf("[statistics] [info] sys[%u], GPU time: %" PRIu64 "\n", i,
                   figure_scaled(t->computing, ns));
        }
        last = next;
    }
}

/* An array of what each NPU has, to one of what each rank has.  False: no memory. */
static bool by_rank(const astra_run *r, void *of_each, size_t bytes) {
    const astra_places *p = &r->places;
    const astra_places back = { p->rank_of, p->npu_of, p->npus };

    return astra_places_move(&back, of_each, bytes);
}

/* When each job was over, and how long that was after its start. */
static void print_jobs(const astra_run *r, const compat_time *time, double ns) {
    for (unsigned k = 0; r->a.flag[JOBS] && k < r->jobs.count; k++) {
        const astra_job *j = &r->jobs.at[k];
        uint64_t last = 0;

        for (unsigned i = 0; i < j->count; i++) {
            const compat_time *t = &time[astra_rank_of(&r->places, j->npu[i])];

            if (t->finished > last) last = t->finished;
        }
        printf("[acesim] [info] job %s of %u NPUs finished, %" PRIu64
               " cycles, begun at %.0f, took %" PRIu64 "\n",
               j->name, j->count, figure_scaled(last, ns), j->start_ns,
               figure_scaled(last, ns) - (uint64_t)j->start_ns);
    }
}

static int write_links(const astra_run *r, fabric *f) {
    fabric_link_count *of = fabric_links(f, r->network.npus, r->network.dims);
    int rc = of && by_rank(r, of, 2 * r->network.dims * sizeof *of) ? EXIT_OK : EXIT_CHECK;

    if (rc == EXIT_OK && !processes_rank())
        rc = compat_csv_links(r->a.flag[CSV], of, r->network.npus, r->network.dims,
                              1000 / r->o.machine.cluster.clock_MHz);
    free(of);
    return processes_agree(rc);
}

/* Of the rung calibrated: as of all that was held out beside others. */
static void print_error(const astra_run *r, uint64_t unsure) {
    cJSON *root = cJSON_CreateObject();

    calibrated_error_add(root, &r->o, NULL, 0, unsure);
    calibrated_error_print(root, 10);
    cJSON_Delete(root);
}

/* All that an NPU's links carry in a dimension, one way. */
static double links_of(const astra_run *r, unsigned npu, unsigned dimension) {
    unsigned rank = npu;

    if (r->network.wiring[dimension] != WIRING_LINKS)
        return astra_network_npu_GBps(&r->network, dimension);
    for (unsigned d = 0; d < dimension; d++) rank /= r->network.members[d];
    return machine_member_GBps(&r->o.machine, rank % r->network.members[dimension]);
}

/* What an NPU sent into a dimension.  Ideal endpoints pass the messages of others on at no cost. */
static uint64_t sent_by(const astra_run *r, const fabric *f, unsigned representative, unsigned d) {
    const unsigned npu = fabric_place(f, representative);
    const graph_messages *const m = r->ranks.messages;
    const uint64_t all = fabric_sent(f, representative, d);

    if (!m || r->o.machine.cluster.endpoint != ENDPOINT_IDEAL) return all;
    return all - graph_messages_bytes(m, npu, d) + graph_messages_own_bytes(m, npu, d);
}

/* Law 13: no result beats the links that the file describes. */
static int check_bound(const astra_run *r, const fabric *f, const compat_time *time) {
    astra_sent sent = { .clock_MHz = r->o.machine.cluster.clock_MHz };

    for (unsigned i = 0; i < r->network.npus; i++)
        if (time[i].finished > sent.cycles) sent.cycles = time[i].finished;
    for (unsigned i = 0; i < fabric_representatives(f); i++)
        for (unsigned d = 0; d < r->network.dims && fabric_here(f, i); d++) {
            sent.npu = fabric_place(f, i);
            sent.dimension = d;
            sent.bytes = sent_by(r, f, i, d);
            sent.GBps = links_of(r, sent.npu, d);
            if (astra_bound_check(r->a.flag[NETWORK], &sent) != EXIT_OK) return EXIT_CHECK;
        }
    return EXIT_OK;
}

static int report(const astra_run *r, fabric *f, const graph_engine *e) {
    const unsigned count = fabric_representatives(f), npus = r->network.npus;
    uint64_t *sum = calloc((size_t)count * TIMES, sizeof *sum);
    compat_time *time = calloc(npus, sizeof *time);
    char topology[TOPOLOGY_TEXT];
    int rc = EXIT_OK;

    if (!sum || !time) {
        free(sum);
        free(time);
        return message_no_memory();
    }
    for (unsigned i = 0; i < count; i++) {
        const graph_account a = graph_engine_account(e, i);

        sum[TIMES * i] = a.now;
        sum[TIMES * i + 1] = a.exposed;
        sum[TIMES * i + 2] = a.communication;
        sum[TIMES * i + 3] = a.computing;
        sum[TIMES * i + 4] = a.memory;
        sum[TIMES * i + 5] = a.host;
    }
    processes_maximum(sum, count * TIMES);
    const uint64_t unsure = r->o.machine.calibration ? fabric_most(f, "calibrated.unsure") : 0;
    for (unsigned i = 0; i < npus; i++) {
        const uint64_t *t = &sum[TIMES * fabric_representative_of(f, i)];

        time[i] = (compat_time){ t[0], t[1], t[2], t[3], t[4], t[5] };
    }
    const int bound = check_bound(r, f, time); /* which counts by NPU */
    if (!by_rank(r, time, sizeof *time)) rc = EXIT_CHECK;
    print_topology(&r->o.machine.cluster, topology);
    if (rc == EXIT_OK && !processes_rank()) {
        printf("[acesim] [info] %u NPUs on %s, endpoint %s, %" PRIu64 " nodes, %" PRIu64
               " collectives, %" PRIu64 " messages, %" PRIu64 " bytes; folding: %s\n",
               npus, topology, endpoint_name(r->o.machine.cluster.endpoint), r->ranks.nodes,
               r->ranks.collectives, r->ranks.sent, r->ranks.bytes, fabric_folding(f));
        print_error(r, unsure);
        print_ranks(time, npus, 1000 / r->o.machine.cluster.clock_MHz);
        print_jobs(r, time, 1000 / r->o.machine.cluster.clock_MHz);
    }
    if (rc == EXIT_OK) rc = bound;
    if (rc == EXIT_OK && !processes_rank() && r->a.flag[CSV])
        rc = compat_csv_end_to_end(r->a.flag[CSV], time, npus,
                                   1000 / r->o.machine.cluster.clock_MHz, true);
    free(sum);
    free(time);
    rc = processes_agree(rc);
    if (rc == EXIT_OK && r->a.flag[CSV] && r->o.machine.cluster.endpoint != ENDPOINT_IDEAL)
        rc = write_links(r, f);
    return rc == EXIT_OK ? fabric_check_bytes(f) : rc;
}

/* What a user may not expect of traces that were looked at with that status. */
static void tell_traces(const astra_run *r, int rc) {
    if (rc == EXIT_OK && r->ranks.nothing)
        fprintf(stderr,
                "acesim: %s: %" PRIu64 " nodes communicate no bytes: they are over at once\n",
                r->a.flag[WORKLOAD], r->ranks.nothing);
    if (rc == EXIT_OK && !r->ranks.bytes)
        fprintf(stderr, "acesim: %s: the traces move no byte between NPUs\n", r->a.flag[WORKLOAD]);
}

/* ---- with ASTRA-sim 2.x's own times ----------------------------------------------------------- */

static const char *refuse_theirs(const void *self, const graph_node *n) {
    const astra_run *r = self;

    return compat_collectives_refuse(&r->theirs, &r->network, n);
}

static int run_theirs(astra_run *r) {
    const unsigned npus = r->network.npus;
    compat_time *time = calloc(npus, sizeof *time);
    compat_csv csv = { 0 };
    compat_setup s = { .chakra = &r->chakra,
                       .ranks = &r->ranks,
                       .system = &r->theirs,
                       .aware = r->a.aware,
                       .slots = r->slots,
                       .window = r->window };
    int rc;

    r->chakra.refuse = refuse_theirs;
    r->chakra.refuse_of = r;
    rc = time ? astra_check(&r->chakra, NULL, r->deps, r->window, &r->ranks) : message_no_memory();
    tell_traces(r, rc);
    if (rc == EXIT_OK && r->a.flag[CSV])
        rc = compat_csv_open(&csv, r->a.flag[CSV], "collectives.csv", compat_csv_collectives);
    s.collectives = csv.file.to;
    if (rc == EXIT_OK) rc = compat_run(&s, time);
    if (rc != EXIT_OK && csv.file.to) atomic_file_drop(&csv.file);
    if (rc == EXIT_OK && csv.file.to) rc = compat_csv_close(&csv);
    if (rc == EXIT_OK && r->a.flag[CSV])
        rc = compat_csv_end_to_end(r->a.flag[CSV], time, npus, 1, false);
    if (rc == EXIT_OK) {
        printf("[acesim] [info] %u NPUs, ASTRA-sim 2.x's times, network %s of congestion, %" PRIu64
               " nodes, %" PRIu64 " collectives, %" PRIu64 " messages, %" PRIu64 " bytes\n",
               npus, r->a.aware ? "aware" : "unaware", r->ranks.nodes, r->ranks.collectives,
               r->ranks.sent, r->ranks.bytes);
        print_ranks(time, npus, 1);
    }
    free(time);
    return rc;
}

/* Memory that NPUs share. */
static graph_pool pool_of(const astra_run *r) {
    const astra_memory *m = &r->memory;

    return (graph_pool){ .npus = astra_memory_sharers(m, r->network.npus),
                         .together = m->type == ASTRA_MEMORY_HIERARCHICAL,
                         .shortest =
                             (uint64_t)(m->latency_ns * r->o.machine.cluster.clock_MHz / 1000) };
}

/* Watched as the options say; *f and *e are the caller's, also after a message. */
static int run_on(astra_run *r, const observers *watch, fabric **f, graph_engine **e) {
    const graph_maker m = { .self = r,
                            .open = open_graph,
                            .window = r->window,
                            .in_order = !r->system.smallest_first,
                            .messages = r->ranks.messages,
                            .sum_bytes = cluster_memory_GBps(&r->o.machine.cluster) * 1e3 /
                                         r->o.machine.cluster.clock_MHz,
                            .pool = pool_of(r),
                            .moved_GBps = astra_memory_rate(&r->memory, r->network.npus),
                            .slots = r->slots,
                            .words = words,
                            .label = label,
                            .progress = progress };
    driver d;
    int rc = fabric_create(&r->o.machine, &r->o.execution, &r->work,
                           &(fabric_watch){ watch->list, watch->count, &r->o.output.wave }, f);

    if (rc != EXIT_OK) return rc;
    rc = processes_agree(graph_engine_create(&m, &r->o.machine, *f, e));
    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; r->ranks.messages && i < fabric_representatives(*f); i++)
        for (unsigned k = 0; k < ACE_CLUSTER_DIMENSIONS; k++)
            fabric_expect(*f, i, k,
                          graph_messages_bytes(r->ranks.messages, fabric_place(*f, i), k));
    d = graph_engine_driver(*e);
    rc = fabric_run(*f, &d, r->a.digest);
    return rc == EXIT_OK ? graph_engine_end(*e) : rc;
}

static int run(astra_run *r) {
    observers watch;
    fabric *f = NULL;
    graph_engine *e = NULL;
    int closed, rc = processes_agree(observers_create(&r->o.machine, &r->o.output, &watch));

    if (rc == EXIT_OK) rc = run_on(r, &watch, &f, &e);
    if (rc == EXIT_OK) rc = report(r, f, e);
    graph_engine_destroy(e);
    closed = fabric_destroy(f);
    observers_destroy(&watch);
    return rc == EXIT_OK ? closed : rc;
}

/* Who hands over the smallest collective first. */
static void settle_smallest_first(astra_run *r, bool alike) {
    if (!r->system.smallest_first) return;
    if (alike && !r->ranks.messages && !r->ranks.shared) {
        if (r->a.flag[SLOTS] == flags[SLOTS].initial) r->slots = (unsigned)r->system.smallest_first;
        return;
    }
    r->system.smallest_first = 0;
    fprintf(
        stderr,
        "acesim: %s: intra-dimension-scheduling SCF makes no cycle where NPUs are not alike or send messages: "
        "each would choose by its own moment, and rings join those that choose the same\n",
        r->a.flag[SYSTEM]);
}

/* Dimensions along which engines agree on which collectives all have, where NPUs are not alike: those of the
 * rings, along which all hand over one sequence.  0: there are no such engines, or jobs have several. */
static unsigned agreed_along(const astra_run *r) {
    const cluster *c = &r->o.machine.cluster;
    const bool engines = c->endpoint == ENDPOINT_ACE && !strstr(c->rungs, "calibrated");

    return engines && !r->chakra.jobs ? r->ranks.rings[0].along : 0;
}

/* LIFO where NPUs are not alike is of what those on a ring have, if they can agree on that. */
static void settle_lifo(astra_run *r) {
    const unsigned along = agreed_along(r);

    r->o.machine.config.order = along ? ACE_LIFO : ACE_FIFO;
    r->o.machine.config.agreed = (uint8_t)along;
    if (along) r->o.machine.cluster.order = CLUSTER_AGREED;
    fprintf(
        stderr,
        along
            ? "acesim: %s: LIFO, where NPUs are not alike, is of the collectives that all of a ring "
              "have: their engines agree on these\n"
            : "acesim: %s: LIFO makes no cycle where NPUs are not alike: their collectives are "
              "carried out in the order that all agree on\n",
        r->a.flag[SYSTEM]);
}

/* What is said by rank goes to the NPU that stands at its node. */
static int stand(astra_run *r) {
    const unsigned npus = r->network.npus, sharers = astra_memory_sharers(&r->memory, npus);
    astra_places *p = &r->places;
    int rc = astra_places_make(&r->o.machine, npus, p);

    if (rc != EXIT_OK || !p->npu_of) return rc;
    if (sharers && sharers < npus)
        return refuse(flags[MEMORY].name, "memory of each node beside links without an order",
                      "an order in the file of links, by which NPUs of a node follow one another");
    r->chakra.places = p;
    return astra_places_move_groups(p, &r->groups) &&
                   (!r->chakra.jobs || astra_places_move_jobs(p, &r->jobs)) &&
                   astra_places_move_plan(p, &r->o.machine.plan) &&
                   astra_places_move(p, r->scale, sizeof *r->scale) &&
                   astra_places_move(p, r->late_ns, sizeof *r->late_ns) &&
                   astra_places_move(p, r->peak_TFLOPS, sizeof *r->peak_TFLOPS) &&
                   astra_places_move(p, r->memory_GBps, sizeof *r->memory_GBps)
               ? EXIT_OK
               : EXIT_CHECK;
}

/* Why no NPU stands for another; NULL: one may. */
static const char *unlike(const astra_run *r) {
    const char *why = NULL;

    if (!r->ranks.alike) return "the NPUs do not do the same";
    if (r->ranks.shared) return "NPUs take turns at memory that they share";
    for (unsigned k = 0; k <= ACE_ALL_TO_ALL_V && !why; k++)
        if (r->ranks.kinds >> k & 1) why = fabric_unlike((ace_kind)k);
    return why;
}

static int check(astra_run *r) {
    int rc = astra_check(&r->chakra, &r->o.machine.config, r->deps, r->window, &r->ranks);

    for (unsigned i = 0; i < 2 && rc == EXIT_OK; i++)
        rc = setup_covers(&r->o, "a collective of the traces", r->ranks.carried[i]);
    const bool turns = r->ranks.shared;
    const bool alike = r->ranks.alike && !*r->o.machine.cluster.speeds;
    const double moved = astra_memory_rate(&r->memory, r->network.npus);

    r->work.unlike = unlike(r);
    r->work.messages = r->ranks.messages != NULL;
    r->a.digest = fnv1a(r->a.digest, &r->ranks.digest, sizeof r->ranks.digest);
    settle_smallest_first(r, alike);
    r->a.digest = fnv1a(r->a.digest, &r->slots, sizeof r->slots);
    r->a.digest = fnv1a(r->a.digest, &r->system.balanced, sizeof r->system.balanced);
    r->a.digest = fnv1a(r->a.digest, &r->system.smallest_first, sizeof r->system.smallest_first);
    r->a.digest = fnv1a(r->a.digest, &r->memory.type, sizeof r->memory.type);
    r->a.digest = fnv1a(r->a.digest, &moved, sizeof moved);
    if (rc == EXIT_OK && turns && processes_count() > 1) {
        fprintf(stderr,
                "acesim: %s: found memory that NPUs share over %u ranks, expected one: several do "
                "not know of one another's transfers\n",
                r->a.flag[MEMORY], processes_count());
        return EXIT_USAGE;
    }
    if (rc == EXIT_OK && !alike && r->o.machine.config.order == ACE_LIFO) settle_lifo(r);
    tell_traces(r, rc);
    return rc;
}

int command_astra(int argc, char **argv) {
    static astra_run r;
    const double start = run_cost_start();
    int rc;

    r = (astra_run){ 0 };
    if (argc >= 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        help();
        return EXIT_OK;
    }
    rc = take_options(argc, argv, &r.a);
    if (rc == EXIT_OK) rc = read_files(&r);
    rc = processes_agree(rc);
    if (rc == EXIT_OK && r.a.theirs) {
        rc = run_theirs(&r);
        if (!r.o.execution.quiet) run_cost_print(start);
    } else if (rc == EXIT_OK) {
        rc = setup_make(&r.o);
        if (rc == EXIT_OK) rc = stand(&r);
        rc = processes_agree(rc);
        if (rc == EXIT_OK) rc = processes_agree(check(&r));
        if (rc == EXIT_OK) rc = run(&r);
        if (!r.o.execution.quiet) run_cost_print(start);
        setup_free(&r.o);
    }
    astra_ranks_free(&r.ranks);
    astra_groups_free(&r.groups);
    astra_jobs_free(&r.jobs);
    astra_places_free(&r.places);
    free(r.scale);
    free(r.late_ns);
    free(r.peak_TFLOPS);
    free(r.memory_GBps);
    return rc;
}
