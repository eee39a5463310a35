/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command_convert.c -- acesim convert: converts files between ASTRA-sim and acesim
 *
 * Conversions in both directions: network and system files of ASTRA-sim 2.x and a cluster file;
 * Chakra traces and a graph file; a layer table of ASTRA-sim 1.0 and a workload. A layer table also
 * becomes Chakra traces.
 *
 * Files written for ASTRA-sim are read again. A field that would come back with another value
 * cannot be expressed there, so the conversion fails and names the field.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "astra_setup.h"
#include "atomic_file.h"
#include "chakra_text.h"
#include "chakra_write.h"
#include "cluster_file.h"
#include "command.h"
#include "exit_status.h"
#include "machine_links.h"
#include "message.h"
#include "names.h"
#include "option_table.h"
#include "options.h"
#include "values.h"
#include "workload_read.h"
#include "yaml_file.h"

enum { VALUE = 300 };

static const char *const gather_names[] = { "shard", "total", NULL };

typedef struct convert {
    const char *network, *system, *memory; /* files of ASTRA-sim */
    const char *cluster;                   /* cluster file of acesim */
    const char *traces, *groups;           /* prefix of Chakra traces, and their groups */
    const char *graph;                     /* graph file of acesim */
    const char *table, *workload; /* a layer table of ASTRA-sim 1.0, and a workload of acesim */
    uint64_t passes;
    /* An index of gather_names: how its all-gathers count bytes. -1: the table's keys decide. */
    int gathers;
    const char *output; /* file or folder; NULL: standard output */
    double clock_MHz;
} convert;

static bool take_clock(void *convert_, unsigned row, const char *value) {
    (void)row;
    return parse_clock(value, &((convert *)convert_)->clock_MHz);
}

static const option_row rows[] = {
    OPTION_TEXT_ROW(convert, network, "network-configuration", "FILE",
                    "YAML of the analytical backends", OPTION_COMMON(OPTION_CLUSTER)),
    OPTION_TEXT_ROW(convert, system, "system-configuration", "FILE", "JSON",
                    OPTION_COMMON(OPTION_CLUSTER)),
    OPTION_TEXT_ROW(convert, memory, "remote-memory-configuration", "FILE", "JSON",
                    OPTION_COMMON(OPTION_CLUSTER)),
    { "clock", "FREQ", OPTION_OWN, 0,
      .text = "clock of the nodes, which the files of ASTRA-sim do not give [1GHz]",
      .accepted = "a frequency such as 1GHz", .heading = OPTION_CLUSTER, .take = take_clock },
    OPTION_TEXT_ROW(convert, traces, "workload-configuration", "PREFIX",
                    "Chakra traces PREFIX.0.et and on, to become a graph file",
                    OPTION_COMMON(OPTION_WORK)),
    OPTION_TEXT_ROW(convert, groups, "comm-group-configuration", "FILE",
                    "JSON: the groups of the traces", OPTION_COMMON(OPTION_WORK)),
    OPTION_TEXT_ROW(convert, graph, "graph", "FILE",
                    "a graph file: traces of it, PREFIX.0.et and on, and "
                    "PREFIX.groups.json and PREFIX.memory.json",
                    OPTION_COMMON(OPTION_WORK)),
    OPTION_TEXT_ROW(convert, table, "workload-table", "FILE",
                    "a layer table of ASTRA-sim 1.0: Chakra traces of it, PREFIX.0.et and "
                    "on, for each NPU of the network; or without one a workload of it, in "
                    "YAML",
                    OPTION_COMMON(OPTION_WORK)),
    OPTION_TEXT_ROW(convert, workload, "workload", "FILE",
                    "a workload in YAML: a layer table of it", OPTION_COMMON(OPTION_WORK)),
    { "passes", "N", OPTION_COUNT, offsetof(convert, passes),
      .text = "passes of the table, forward and back [1]", .accepted = "1 to 1000", .low = 1,
      .high = 1000, OPTION_COMMON(OPTION_WORK) },
    { "all-gathers", "shard|total", OPTION_WORD, offsetof(convert, gathers),
      .text =
          "how the table counts bytes of all-gathers: each NPU's shard, or the total [total with "
          "SimAI's keys, else shard]",
      .accepted = "shard or total", .names = gather_names, .heading = OPTION_WORK },
    OPTION_TEXT_ROW(convert, output, "output", "NAME",
                    "one file [standard output]; or the folder of network.yml, system.json "
                    "and remote_memory.json; or the prefix of traces",
                    OPTION_COMMON(OPTION_OUTPUT)),
};
static const option_table options = {
    .command = "convert",
    .about =
        "usage: acesim convert --network-configuration FILE --system-configuration FILE [OPTIONS]\n"
        "       acesim convert CLUSTER.yaml --output FOLDER\n"
        "       acesim convert --workload-configuration PREFIX [OPTIONS]\n"
        "       acesim convert --graph FILE --output PREFIX\n"
        "       acesim convert --workload-table FILE --network-configuration FILE --output PREFIX\n"
        "       acesim convert --workload-table FILE | --workload FILE [--output FILE]\n\n"
        "Converts the network, system and memory files of ASTRA-sim 2.x into a cluster file.\n"
        "The other direction works for a cluster file without values that those files cannot\n"
        "hold. Keys that do not affect timing here are listed. For any cluster, acesim\n"
        "calibrate --export writes the closest files. Chakra traces, with their groups and\n"
        "remote memory, become a graph file: YAML that people can read and change, and that\n"
        "becomes the same traces again. A layer table of data parallelism and a workload with\n"
        "layers of kind given convert to each other in the same way.\n\n",
    .tail = "\nexample: cd workloads/astra-sim-2 && acesim convert --network-configuration "
            "Ring_4npus.yml \\\n"
            "             --system-configuration Ring_4chunks.json\n",
    .most = 1,
    .expected = "one cluster file",
    .group = { OPTION_GROUP(rows) },
};

static int refuse(const char *found, const char *expected) {
    fprintf(stderr, "acesim convert: found %s, expected %s\n", found, expected);
    return EXIT_USAGE;
}

/* Checks that the options form one of the conversions, and that no option of another is given. */
static int check_options(const convert *v) {
    const bool files = v->network || v->system || v->memory;

    if (v->table || v->workload) {
        const bool alone = !v->cluster && !v->system && !v->memory && !v->traces && !v->groups &&
                           !v->graph && !(v->table && v->workload);

        if (alone && (v->network ? v->table && v->output : true)) return EXIT_OK;
        return refuse(
            "--workload-table or --workload beside other files, or a network without an output",
            "of a table --network-configuration and --output alone with it");
    }
    if (v->graph)
        return v->output && !files && !v->cluster && !v->traces && !v->groups
                   ? EXIT_OK
                   : refuse("--graph without an output, or beside other files", "--output alone");
    if (v->traces)
        return !v->network && !v->system && !v->cluster
                   ? EXIT_OK
                   : refuse("--workload-configuration beside other files",
                            "groups and remote memory alone with it");
    if (v->groups) return refuse("groups without traces", "--workload-configuration");
    if (v->cluster && files)
        return refuse("a cluster file beside files of ASTRA-sim", "one or the other");
    if (v->cluster && !v->output)
        return refuse("a cluster file without --output", "--output FOLDER");
    if (!v->cluster && (!v->network || !v->system))
        return refuse(v->network  ? "--network-configuration without --system-configuration"
                      : v->system ? "--system-configuration without --network-configuration"
                                  : "no file",
                      "both of --network-configuration and --system-configuration, or a cluster "
                      "file with --output FOLDER");
    return EXIT_OK;
}

/* Derives the fields of a setup from ASTRA-sim's files. */
static int take_files(const char *file, const astra_network *n, const astra_system *s,
                      double clock_MHz, setup *o) {
    astra_arguments made;
    char *argv[ASTRA_ARGUMENTS + 2], calibrated[] = "--rung=calibrated";
    int argc = 0, rc = astra_setup_make(file, n, s, ASTRA_NODES_OF_FILE, clock_MHz, &made);

    if (rc != EXIT_OK) return rc;
    while (argc < (int)made.count) argv[argc] = made.text[argc], argc++;
    /* such a network takes no other rung */
    if (!astra_network_of_engines(n)) argv[argc++] = calibrated;
    argv[argc] = NULL;
    (void)options_collective(argc, argv, o, &rc);
    if (rc == EXIT_OK) rc = astra_setup_links(file, n, o);
    if (rc == EXIT_OK) astra_setup_npu(s, &o->machine.cluster.npu);
    return rc;
}

/* ---- ASTRA-sim to acesim ------------------------------------------------------------------- */

static int write_cluster(const convert *v, const setup *o) {
    atomic_file f;
    int rc = atomic_file_open(&f, v->output ? v->output : "-");

    if (rc != EXIT_OK) return rc;
    fprintf(f.to, "# Of ASTRA-sim 2.x's %s and %s.\n", v->network, v->system);
    rc = cluster_write(o, f.to);
    if (rc == EXIT_OK) return atomic_file_close(&f);
    atomic_file_drop(&f);
    return rc;
}

/* A cluster file cannot hold the bandwidth of links for which the links' file gives none, unless an
 * NPU has one link of that bandwidth. */
static int check_links(const convert *v, const astra_network *n, const machine *m) {
    const int d = cluster_links_dimension(&m->cluster);
    machine doubled = *m;
    double GBps = 0, other = 0;

    if (d < 0) return EXIT_OK;
    doubled.cluster.links_GBps *= 2;
    int rc = machine_links_GBps(m, &GBps);
    if (rc == EXIT_OK) rc = machine_links_GBps(&doubled, &other);
    if (rc != EXIT_OK || GBps <= n->GBps[d] || other <= GBps) return rc;
    fprintf(stderr,
            "acesim: %s: found links of %s without a bandwidth, expected one there: a cluster file "
            "says what "
            "an NPU has on all its links\n",
            v->network, n->links);
    return EXIT_USAGE;
}

static int from_astra(const convert *v, setup *o) {
    astra_network n;
    astra_system s;
    astra_memory m = { 0 };
    int rc = astra_network_read(v->network, &n);

    if (rc == EXIT_OK) rc = astra_system_read(v->system, &n, false, &s);
    if (rc == EXIT_OK) rc = astra_system_choose(v->system, ASTRA_ALL_REDUCTIONS, &s);
    if (rc == EXIT_OK && v->memory) rc = astra_memory_read(v->memory, n.npus, &m);
    if (rc == EXIT_OK && v->memory && m.type != ASTRA_MEMORY_NONE) {
        fprintf(stderr,
                "acesim: %s: found a remote memory, expected NO_MEMORY_EXPANSION: it goes "
                "with the traces, into a graph file\n",
                v->memory);
        return EXIT_USAGE;
    }
    if (rc == EXIT_OK && s.balanced)
        fprintf(stderr,
                "acesim: %s: inter-dimension-scheduling themis has no place in a cluster file: "
                "--schedule balanced of a run\n",
                v->system);
    if (rc == EXIT_OK && s.smallest_first)
        fprintf(stderr,
                "acesim: %s: intra-dimension-scheduling SCF has no place in a cluster file: "
                "--smallest-first %" PRIu64 " of a run\n",
                v->system, s.smallest_first);
    if (rc == EXIT_OK) rc = take_files(v->network, &n, &s, v->clock_MHz, o);
    if (rc == EXIT_OK) rc = check_links(v, &n, &o->machine);
    return rc == EXIT_OK ? write_cluster(v, o) : rc;
}

/* ---- acesim to ASTRA-sim ------------------------------------------------------------------- */

/* Prints the values of the dimensions that the topology has. A single algorithm for all dimensions
 * is repeated for each. */
static void print(const setup_field *f, const setup *o, char to[VALUE]) {
    char one[VALUE];

    setup_print(f, o, to, VALUE);
    if (f->type == SETUP_TYPE_BANDWIDTHS || f->type == SETUP_TYPE_COUNTS) {
        char *end = to;

        for (unsigned d = 0; d < o->machine.cluster.sizes && end; d++)
            end = strchr(end + (d > 0), ',');
        if (end) *end = '\0';
    }
    if (f != &setup_fields[SETUP_ALGORITHM] || !*to || strchr(to, ',')) return;
    snprintf(one, sizeof one, "%s", to);
    for (unsigned d = 1; d < o->machine.cluster.sizes; d++) {
        const size_t at = strlen(to);
        snprintf(to + at, VALUE - at, ",%s", one);
    }
}

/* Names each field of the cluster that has another value after a round trip through ASTRA-sim's
 * files. */
static int compare(const setup *ours, const setup *theirs) {
    int rc = EXIT_OK;

    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const setup_field *const f = &setup_fields[i];
        char a[VALUE], b[VALUE], found[VALUE + 200];

        if (!f->key || f->part != SETUP_PART_RESULT || i == SETUP_RUNG || i == SETUP_NPU_BANDWIDTH)
            continue; /* the bandwidth of each port contains this, too */
        print(f, ours, a);
        print(f, theirs, b);
        if (!strcmp(a, b)) continue;
        setup_found(ours, (setup_id)i, found, sizeof found);
        fprintf(stderr, "%s for %s, expected %s: ASTRA-sim 2.x's files cannot say another\n", found,
                f->key, *b ? b : "none");
        rc = EXIT_USAGE;
    }
    return rc;
}

static int to_astra(const convert *v, setup *ours, setup *theirs) {
    astra_network n;
    astra_system s;
    int rc;

    setup_initial(ours);
    rc = cluster_read(v->cluster, ours);
    if (rc == EXIT_OK) rc = setup_check(ours);
    if (rc != EXIT_OK) return rc;
    if (cluster_links_dimension(&ours->machine.cluster) >= 0) {
        char found[VALUE + 200];

        setup_found(ours, SETUP_LINKS, found, sizeof found);
        fprintf(stderr, "%s, expected none: ASTRA-sim 2.x's files list no links\n", found);
        return EXIT_USAGE;
    }
    astra_setup_read(&ours->machine.cluster, setup_given(ours->source, SETUP_NPU_MATRIX), &n, &s);
    rc = take_files(v->cluster, &n, &s, v->clock_MHz, theirs);
    if (rc == EXIT_OK) rc = compare(ours, theirs);
    return rc == EXIT_OK ? astra_setup_write(v->output, &n, &s) : rc;
}

/* ---- a layer table to traces --------------------------------------------------------------- */

static int to_traces(const convert *v) {
    astra_network n;
    layer_table t;
    int rc = astra_network_read(v->network, &n);

    if (rc != EXIT_OK) return rc;
    rc = layer_table_read(v->table, true, &t);
    if (v->gathers >= 0) t.total = v->gathers;
    if (rc == EXIT_OK) rc = chakra_write(v->output, v->table, &t, &n, (unsigned)v->passes);
    layer_table_free(&t);
    if (rc == EXIT_OK)
        fprintf(stderr,
                "acesim: compute takes the table's nanoseconds with roofline-enabled 1, peak-perf "
                "1 and local-mem-bw 1000 of the system's file; without, whole microseconds\n");
    return rc;
}

/* ---- traces to a graph file ------------------------------------------------------------------ */

static int to_graph(const convert *v) {
    chakra_text t = { .prefix = v->traces, .ranks = chakra_text_ranks(v->traces) };
    int rc;

    if (!t.ranks) {
        fprintf(stderr, "acesim: %s.0.et: found no such file, expected a trace of Chakra\n",
                v->traces);
        return EXIT_USAGE;
    }
    rc = astra_groups_read(v->groups, t.ranks, &t.groups);
    if (rc == EXIT_OK && v->memory) rc = astra_memory_read(v->memory, t.ranks, &t.memory);
    if (rc == EXIT_OK) rc = chakra_text_write(v->output ? v->output : "-", &t);
    astra_groups_free(&t.groups);
    return rc;
}

/* ---- a layer table to a workload, and back -----------------------------------------------------
 */

static int to_workload(const convert *v) {
    layer_table t;
    atomic_file f;
    int rc =
        v->table ? layer_table_read(v->table, false, &t) : workload_read_given(v->workload, &t);

    if (rc == EXIT_OK && v->table && t.word != TABLE_DATA) {
        yaml_error(v->table, 1, 1, table_names[t.word], "DATA, as which a workload comes back");
        rc = EXIT_USAGE;
    }
    for (unsigned i = 0; rc == EXIT_OK && v->table && i < t.count; i++) {
        if (!name_fault(t.layer[i].name)) continue;
        yaml_error(v->table, t.layer[i].line, 1, name_fault(t.layer[i].name), NAME_ACCEPTED);
        rc = EXIT_USAGE;
    }
    if (rc == EXIT_OK) rc = atomic_file_open(&f, v->output ? v->output : "-");
    if (rc == EXIT_OK) {
        if (v->table)
            layer_table_write_yaml(f.to, &t);
        else
            layer_table_write(f.to, &t);
        rc = atomic_file_close(&f);
    }
    layer_table_free(&t);
    return rc;
}

int command_convert(int argc, char **argv) {
    convert v = { .clock_MHz = 1000, .passes = 1, .gathers = -1 };
    setup *o;
    int rc;
    char **const file = option_table_read(&options, argc, argv, &v, &rc);

    if (!file) return rc;
    v.cluster = *file;
    rc = check_options(&v);
    if (rc != EXIT_OK) return rc;
    if (v.table && v.network) return to_traces(&v);
    if (v.table || v.workload) return to_workload(&v);
    if (v.traces) return to_graph(&v);
    if (v.graph) return chakra_text_read(v.graph, v.output);
    o = calloc(2, sizeof *o);
    if (!o) return message_no_memory();
    rc = v.cluster ? to_astra(&v, &o[0], &o[1]) : from_astra(&v, &o[0]);
    free(o);
    return rc;
}
