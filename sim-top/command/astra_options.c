/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_options.c -- the command line of acesim astra, and the files that it names
 *
 * The command takes the options of ASTRA-sim 2.x, acesim's own options about traces, and some
 * options of acesim collective. The options of acesim collective override values of the cluster
 * that the network's and the system's files describe.
 */
#include <stdlib.h>
#include <string.h>

#include "astra_run.h"
#include "astra_shares.h"
#include "chakra_kinds.h"
#include "chakra_process_groups.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "option_table.h"
#include "options.h"
#include "values.h"

/* ---- the command line ----------------------------------------------------------------------- */

enum { BACKEND_ENGINE, BACKEND_UNAWARE, BACKEND_AWARE };
static const char *const compat_names[] = { "0", "2", NULL };
static const char *const backend_names[] = { "engine", "unaware", "aware", NULL };
static const char *const deps_names[] = { "auto", "union", "data", NULL };

#define FILE_ROW(member, name, argument, ...) \
    OPTION_TEXT_ROW(astra_options, member, name, argument, __VA_ARGS__)
static const option_row rows[] = {
    FILE_ROW(workload, "workload-configuration", "PREFIX", "prefix: NPU i reads PREFIX.i.et",
             OPTION_COMMON(OPTION_WORK)),
    FILE_ROW(system, "system-configuration", "FILE", "JSON", OPTION_COMMON(OPTION_CLUSTER)),
    FILE_ROW(network, "network-configuration", "FILE", "YAML of the analytical backends",
             OPTION_COMMON(OPTION_CLUSTER)),
    FILE_ROW(memory, "remote-memory-configuration", "FILE", "JSON", OPTION_COMMON(OPTION_CLUSTER)),
    FILE_ROW(groups, "comm-group-configuration", "FILE", "JSON: name and members of groups",
             OPTION_COMMON(OPTION_WORK)),
    FILE_ROW(jobs, "jobs", "FILE", "YAML: several workloads, in place of one and its groups",
             .heading = OPTION_WORK),
    { "compat", "0|2", OPTION_WORD, offsetof(astra_options, compat),
      .text = "2: the times of its analytical backends, nothing is simulated [0]",
      .accepted = "0 or 2", .names = compat_names, OPTION_COMMON(OPTION_FIDELITY) },
    { "backend", "NAME", OPTION_WORD, offsetof(astra_options, backend),
      .text = "of --compat 2: unaware (of congestion) or aware [unaware]",
      .accepted = "engine, unaware or aware", .names = backend_names, .heading = OPTION_FIDELITY },
    { "deps", "NAME", OPTION_WORD, offsetof(astra_options, deps),
      .text = "auto, union or data: whether ctrl_deps are followed [auto]",
      .accepted = "auto, union or data", .names = deps_names, .heading = OPTION_WORK },
    { "window", "N", OPTION_UNSIGNED, offsetof(astra_options, window),
      .text = "nodes of a trace in memory at a time [4096]", .accepted = "1 to 2^28 nodes",
      .low = 1, .high = 1 << 28, .heading = OPTION_ADVANCED },
    { "comm-slots", "N", OPTION_UNSIGNED, offsetof(astra_options, slots),
      .text = "collectives and sends of an NPU under way, as ASTRA-sim 1; 0: no limit [0]",
      .accepted = "0 to 65535", .high = 65535, .heading = OPTION_WORK },
    FILE_ROW(scale, "compute-scale", "LIST", "factor on compute times: X, or NPUS:X,... [1]",
             .heading = OPTION_WORK),
    FILE_ROW(late, "start-delay", "LIST", "delay before an NPU starts: TIME, or NPUS:TIME,... [0]",
             .heading = OPTION_WORK),
    FILE_ROW(peak, "peak-perf", "LIST",
             "TFLOPS in place of the system's, with a roofline: X, or NPUS:X,...",
             .heading = OPTION_CLUSTER),
    FILE_ROW(memory_bandwidth, "local-mem-bw", "LIST", "GB/s in place of the system's, likewise",
             .heading = OPTION_CLUSTER),
    FILE_ROW(csv, "csv", "DIR",
             "a folder for EndToEnd.csv and links.csv; with --compat 2 collectives.csv",
             .heading = OPTION_OUTPUT, .aside = true),
    { "format", "NAME", OPTION_WORD, offsetof(astra_options, format),
      .text = "table: the lines of ASTRA-sim; json, or csv of each rank [table]",
      .accepted = "table, json or csv", .names = format_names, .heading = OPTION_OUTPUT,
      .aside = true },
    OPTION_FLAG_ROW(astra_options, lenient, "lenient",
                    "accept communication of no bytes, and more traces than NPUs",
                    .heading = OPTION_ADVANCED),
};
/* Options of ASTRA-sim that do not affect timing here. A value other than the one in brackets is
 * reported. It is refused if it would change cycles in ASTRA-sim. */
enum { IDLE_QUEUES = 2, IDLE_INJECTION, IDLE_REFUSED, IDLE = 6 };
static const option_row idle_rows[IDLE] = {
    FILE_ROW(logging, "logging-configuration", "FILE", "settings of its logger [empty]",
             .heading = OPTION_ADVANCED),
    FILE_ROW(folder, "logging-folder", "DIR",
             "its log files: the lines are on standard output [log]", .heading = OPTION_ADVANCED),
    FILE_ROW(queues, "num-queues-per-dim", "N", "its queues: the engine has its own [1]",
             .heading = OPTION_ADVANCED),
    FILE_ROW(injection, "injection-scale", "F", "of endpoint-delay: the endpoint is simulated [1]",
             .heading = OPTION_ADVANCED),
    FILE_ROW(rendezvous, "rendezvous-protocol", "BOOL", "a handshake before each message [false]",
             .heading = OPTION_ADVANCED),
    FILE_ROW(communication_scale, "comm-scale", "F", "of communication [1]",
             .heading = OPTION_ADVANCED),
};

static bool takes(const setup_field *f) {
    static const setup_id taken[] = { SETUP_TYPE,
                                      SETUP_OP,
                                      SETUP_ENDPOINT,
                                      SETUP_RUNG,
                                      SETUP_RTL,
                                      SETUP_CALIBRATION,
                                      SETUP_SPEED,
                                      SETUP_FOLD,
                                      SETUP_FAST_FORWARD,
                                      SETUP_MEMORY_BANDWIDTH,
                                      SETUP_SMS,
                                      SETUP_MEMORY_LATENCY,
                                      SETUP_SWITCH_BUFFER,
                                      SETUP_SWITCH_BANDWIDTH,
                                      SETUP_CLOCK,
                                      SETUP_CHUNK,
                                      SETUP_FSMS,
                                      SETUP_CONTEXTS,
                                      SETUP_LINK_INPUT_ROWS,
                                      SETUP_ROUTER_INPUT_ROWS,
                                      SETUP_THREADS,
                                      SETUP_TIMELINE,
                                      SETUP_TIMELINE_LIMIT,
                                      SETUP_CHECKPOINT,
                                      SETUP_CHECKPOINT_EVERY,
                                      SETUP_RESUME,
                                      SETUP_QUIET };

    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        if (f == &setup_fields[taken[i]]) return true;
    return false;
}

static const option_table options = {
    .command = "astra",
    .about = "usage: acesim astra --workload-configuration PREFIX --system-configuration FILE\n"
             "           --network-configuration FILE --remote-memory-configuration FILE "
             "[OPTIONS]\n\n"
             "Runs Chakra traces on ACE or another endpoint, with the flags and files of ASTRA-sim "
             "2.x;\na cycle of what it prints is a nanosecond.\n\n",
    .tail =
        "\nexample: cd workloads/astra-sim-2 && acesim astra "
        "--workload-configuration all_reduce \\\n"
        "    --system-configuration Ring_4chunks.json --network-configuration Ring_4npus.yml \\\n"
        "    --remote-memory-configuration no_memory_expansion.json\n",
    .expected = "an option of acesim astra --help",
    .group = { OPTION_GROUP(rows), OPTION_GROUP(idle_rows) },
};

int astra_run_refuse(const char *option, const char *found, const char *expected) {
    fprintf(stderr, "acesim astra: --%s: found %s, expected %s\n", option, found, expected);
    return EXIT_USAGE;
}

static const char *value_of(const astra_options *a, const option_row *row) {
    const char *value;

    memcpy(&value, (const char *)a + row->at, sizeof value);
    return value;
}

/* Checks that the required files are given. */
static int resolve_files(astra_options *a) {
    for (const option_row *row = rows; row < rows + 4; row++)
        if (!value_of(a, row) && (row != rows || !a->jobs))
            return astra_run_refuse(row->name, "none", row->text);
    if (a->jobs && (a->workload || a->groups))
        return astra_run_refuse("jobs", "it beside a workload or groups",
                                "those of each job in its file");
    if (a->jobs) a->workload = a->jobs; /* for error messages */
    return EXIT_OK;
}

/* Returns whether nothing is printed about options and keys that change no cycle. */
static bool quiet(const astra_run *r) { return r->a.given.at[SETUP_QUIET] != NULL; }

static int resolve_idle(const astra_run *r) {
    for (unsigned i = 0; i < IDLE; i++) {
        const option_row *const row = &idle_rows[i];
        const char *const value = value_of(&r->a, row), *const initial = strchr(row->text, '[') + 1;
        const int text = (int)(initial - row->text) - 2;

        if (!value ||
            (strlen(value) == strcspn(initial, "]") && !strncmp(value, initial, strlen(value))))
            continue;
        if (i >= IDLE_REFUSED) {
            fprintf(stderr, "acesim astra: --%s: found '%s', %.*s, which is not modelled\n",
                    row->name, value, text, row->text);
            return EXIT_USAGE;
        }
        if (!quiet(r) && (!r->with_compat || (i != IDLE_QUEUES && i != IDLE_INJECTION)))
            fprintf(stderr, "acesim astra: --%s %s has no effect here: %.*s\n", row->name, value,
                    text, row->text);
    }
    return EXIT_OK;
}

/* Resolves --compat and --backend, and refuses options of the engine that --compat 2 does not
 * take. */
static int check_compat(astra_run *r) {
    const int backend = r->a.backend;

    r->with_compat = r->a.compat == 1;
    r->aware = backend == BACKEND_AWARE;
    if (!r->with_compat && backend > BACKEND_ENGINE)
        return astra_run_refuse("backend", backend_names[backend], "engine, or --compat 2 with it");
    if (r->with_compat && backend == BACKEND_ENGINE)
        return astra_run_refuse("backend", "engine", "unaware or aware with --compat 2");
    if (r->with_compat && r->a.jobs)
        return astra_run_refuse("compat", "2 with --jobs", "one workload, as ASTRA-sim 2.x has it");
    for (unsigned i = 0; r->with_compat && i < SETUP_FIELDS; i++) {
        char option[48];

        if (!r->a.given.at[i] || i == SETUP_QUIET || i == SETUP_THREADS) continue;
        snprintf(option, sizeof option, "--%s", setup_fields[i].option);
        return astra_run_refuse(
            "compat", option,
            "no option of acesim collective with it: nothing of this cluster is "
            "simulated");
    }
    return EXIT_OK;
}

/* Reads the command line. Returns false if the command ends with *status. */
static bool take_options(int argc, char **argv, astra_run *r, int *status) {
    *r =
        (astra_run){ .digest = FNV1A_START,
                     .a = { .backend = ASTRA_NOT_GIVEN, .window = 4096, .slots = ASTRA_NO_SLOTS } };
    r->table = options;
    r->table.group[2] = setup_rows_group(&r->a.given, takes, offsetof(astra_options, given));
    if (!option_table_read(&r->table, argc, argv, &r->a, status)) return false;
    *status = resolve_files(&r->a);
    if (*status == EXIT_OK) *status = check_compat(r);
    if (*status == EXIT_OK) *status = resolve_idle(r);
    r->line = (option_line){ &r->table, argc, argv };
    return *status == EXIT_OK;
}

/* ---- the files become a setup --------------------------------------------------------------- */

/* Adds to the digest the options of acesim collective that the result depends on. */
static void digest_given(astra_run *r) {
    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const char *const value = r->a.given.at[i];

        if (!value || setup_fields[i].part != SETUP_PART_RESULT) continue;
        r->digest = fnv1a(r->digest, setup_fields[i].option, strlen(setup_fields[i].option));
        r->digest = fnv1a(r->digest, value, strlen(value) + 1);
    }
}

/* Returns the kind of nodes that the options select for the network. */
static astra_nodes nodes_of(const astra_options *a) {
    const char *const endpoint = a->given.at[SETUP_ENDPOINT], *const rung = a->given.at[SETUP_RUNG];

    if (endpoint && !strcmp(endpoint, "ideal")) return ASTRA_NODES_IDEAL;
    return rung && strstr(rung, "calibrated") && (!endpoint || !strcmp(endpoint, "ace"))
               ? ASTRA_NODES_CALIBRATED
               : ASTRA_NODES_ENGINES;
}

static int make_fields(astra_run *r) {
    const char *const clock = r->a.given.at[SETUP_CLOCK];
    astra_arguments made;
    char *argv[ASTRA_ARGUMENTS + 1];
    double clock_MHz = 1000;
    int rc;

    if (clock && !parse_clock(clock, &clock_MHz))
        return astra_run_refuse("clock", clock, "a frequency such as 1GHz");
    digest_given(r);
    rc = astra_setup_make(r->a.network, &r->network, &r->system, nodes_of(&r->a), clock_MHz, &made);
    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; i < made.count; i++) {
        argv[i] = made.text[i];
        r->digest = fnv1a(r->digest, argv[i], strlen(argv[i]) + 1);
    }
    argv[made.count] = NULL;
    (void)options_collective_over((int)made.count, argv, &r->a.given, &r->o, &rc);
    if (rc == EXIT_OK) rc = astra_setup_links(r->a.network, &r->network, &r->o);
    if (rc == EXIT_OK) astra_setup_npu(&r->system, &r->o.machine.cluster.npu);
    r->digest =
        fnv1a(r->digest, r->o.machine.cluster.npu_GBps, sizeof r->o.machine.cluster.npu_GBps);
    return rc;
}

/* Returns NULL if the option is not given or is given with its initial value. */
static const char *unless(const char *text, const char *initial) {
    return text && strcmp(text, initial) ? text : NULL;
}

/* Reads a value for each NPU into *to. *to stays NULL if all NPUs have the initial value. */
static int read_share(const astra_run *r, const char *option, const char *text, double initial,
                      astra_share *parse, const char *expected, double **to) {
    *to = NULL;
    if (!text) return EXIT_OK;
    if (!astra_shares_read(text, r->network.npus, initial, parse, to))
        return astra_run_refuse(option, text, expected);
    return *to ? EXIT_OK : EXIT_CHECK;
}

static int read_shares(astra_run *r) {
    const astra_options *const a = &r->a;
    const astra_system *const s = &r->system;
    int rc = read_share(r, "compute-scale", unless(a->scale, "1"), 1, astra_share_scale,
                        "a number above 0, or 0:1.5,4-7:2 of NPUs of the network", &r->scale);

    if (rc == EXIT_OK)
        rc = read_share(r, "start-delay", unless(a->late, "0"), 0, astra_share_delay,
                        "a time such as 10us, or 0:10us,4-7:1ms of NPUs of the network",
                        &r->late_ns);
    if (rc == EXIT_OK && !s->roofline && (a->peak || a->memory_bandwidth))
        return astra_run_refuse(a->peak ? "peak-perf" : "local-mem-bw",
                                a->peak ? a->peak : a->memory_bandwidth,
                                "it with roofline-enabled in the system's file alone");
    if (rc == EXIT_OK)
        rc = read_share(r, "peak-perf", a->peak, s->peak_TFLOPS, astra_share_scale,
                        "TFLOPS above 0, or 0:50,4-7:100 of NPUs of the network", &r->peak_TFLOPS);
    if (rc == EXIT_OK)
        rc = read_share(r, "local-mem-bw", a->memory_bandwidth, s->memory_GBps, astra_share_scale,
                        "GB/s above 0, or 0:400,4-7:800 of NPUs of the network", &r->memory_GBps);
    return rc;
}

/* Checks the options and files that --compat 2 takes, and stores their numbers. */
static int resolve_compat(astra_run *r) {
    const char *const queues = r->a.queues ? r->a.queues : "1";
    const char *const scale = r->a.injection ? r->a.injection : "1";
    double injection;
    uint64_t count;

    if (!parse_unsigned(queues, 1, 64, &count))
        return astra_run_refuse("num-queues-per-dim", queues, "1 to 64");
    if (!parse_not_negative(scale, &injection) || injection > 1e6)
        return astra_run_refuse("injection-scale", scale, "0 to 1000000");
    if (r->aware && r->network.dims > 1)
        return astra_run_refuse("backend", "aware on several dimensions",
                                "unaware: ASTRA-sim 2.x is aware of congestion in one dimension");
    if (r->memory.type == ASTRA_MEMORY_HIERARCHICAL)
        return astra_run_refuse("compat", "2 with a HIERARCHICAL_POOL",
                                "a memory that ASTRA-sim 2.x has, or no --compat 2");
    r->compat.queues = (unsigned)count;
    r->compat.endpoint_ns = (uint64_t)((double)r->compat.endpoint_ns * injection);
    if (r->a.slots == ASTRA_NO_SLOTS) r->slots = 1;
    r->o.execution.quiet = quiet(r);
    return EXIT_OK;
}

/* Delays the start of each NPU of a job to the start of the job. */
static int late_jobs(astra_run *r) {
    const astra_jobs *j = &r->jobs;

    if (!r->late_ns) r->late_ns = calloc(r->network.npus, sizeof *r->late_ns);
    if (!r->late_ns) return message_no_memory();
    for (unsigned i = 0; i < r->network.npus; i++)
        if (j->job[i] != ASTRA_NO_JOB) r->late_ns[i] += j->at[j->job[i]].start_ns;
    return EXIT_OK;
}

/* If the collectives' lists in the system's file differ, chooses the list of the collectives that
 * the traces have. */
static int choose_algorithms(astra_run *r) {
    const chakra_setup named = { .prefix = r->a.workload, .jobs = r->a.jobs ? &r->jobs : NULL };
    const astra_system *const s = &r->system;
    bool one = true;

    for (unsigned i = 1; i < ASTRA_REDUCTIONS; i++)
        one = one && !memcmp(s->list[0], s->list[i], sizeof s->list[i]);
    return astra_system_choose(r->a.system,
                               one ? ASTRA_ALL_REDUCTIONS : chakra_kinds(&named, r->network.npus),
                               &r->system);
}

static int read_files(astra_run *r) {
    int rc;

    r->slots = r->a.slots == ASTRA_NO_SLOTS ? 0 : r->a.slots;
    rc = astra_network_read(r->a.network, &r->network);
    for (unsigned d = 0; rc == EXIT_OK && r->with_compat && d < r->network.dims; d++)
        if (r->network.in_network[d])
            return astra_run_refuse("compat", "2 with a switch that reduces",
                                    "one that ASTRA-sim 2.x has");
    if (rc == EXIT_OK && r->with_compat && *r->network.links)
        return astra_run_refuse("compat", "2 with Links",
                                "rings, switches and full connections, as ASTRA-sim 2.x has them");
    if (rc == EXIT_OK)
        rc = r->with_compat ? compat_system_read(r->a.system, &r->network, &r->system, &r->compat)
                            : astra_system_read(r->a.system, &r->network, quiet(r), &r->system);
    if (rc == EXIT_OK) rc = astra_memory_read(r->a.memory, r->network.npus, &r->memory);
    if (rc == EXIT_OK)
        rc = r->a.jobs ? astra_jobs_read(r->a.jobs, r->network.npus, &r->jobs, &r->groups)
                       : astra_groups_read(r->a.groups, r->network.npus, &r->groups);
    if (rc == EXIT_OK && !r->with_compat) rc = choose_algorithms(r);
    if (rc == EXIT_OK) rc = r->with_compat ? resolve_compat(r) : make_fields(r);
    if (rc == EXIT_OK) rc = read_shares(r);
    if (rc == EXIT_OK && r->a.jobs) rc = late_jobs(r);
    r->chakra =
        (chakra_setup){ .prefix = r->a.workload,
                        .jobs = r->a.jobs ? &r->jobs : NULL,
                        .network = &r->network,
                        .system = &r->system,
                        .memory = &r->memory,
                        .groups = &r->groups,
                        .type = r->o.machine.type,
                        .op = r->o.machine.op,
                        .clock_MHz = r->with_compat ? 1000 : r->o.machine.cluster.clock_MHz,
                        .calibrated = strstr(r->o.machine.cluster.rungs, "calibrated") != NULL,
                        .software = endpoint_is_baseline(r->o.machine.cluster.endpoint),
                        .with_compat = r->with_compat,
                        .cluster = &r->o.machine.cluster,
                        .config = &r->o.machine.config,
                        .lenient = r->a.lenient,
                        .scale = r->scale,
                        .late_ns = r->late_ns,
                        .peak_TFLOPS = r->peak_TFLOPS,
                        .memory_GBps = r->memory_GBps };
    if (rc == EXIT_OK) rc = chakra_process_groups(&r->chakra, r->network.npus, &r->groups);
    return rc;
}

bool astra_run_read(int argc, char **argv, astra_run *r, int *status) {
    if (!take_options(argc, argv, r, status)) return false;
    *status = read_files(r);
    return *status == EXIT_OK;
}

void astra_run_free(astra_run *r) {
    astra_ranks_free(&r->ranks);
    astra_groups_free(&r->groups);
    astra_jobs_free(&r->jobs);
    astra_rank_map_free(&r->rank_map);
    free(r->scale);
    free(r->late_ns);
    free(r->peak_TFLOPS);
    free(r->memory_GBps);
}
