/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_setup.c -- ASTRA-sim's network and system become options, and options become files
 *
 * The network is written as the arguments of a command, and the parser of setups then reads them
 * like arguments that a user typed. Dimensions, members and latencies that the nodes cannot have
 * are refused first, with their position in the file. Bandwidths follow later (astra_setup_links),
 * because they depend on the links that were found.
 */
#include "astra_setup.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "astra_bound.h"
#include "atomic_file.h"
#include "exit_status.h"
#include "figures.h"
#include "machine_links.h"
#include "message.h"
#include "yaml_file.h"

static const char *const blocks[] = { [WIRING_RING] = "Ring",
                                      [WIRING_SWITCH] = "Switch",
                                      [WIRING_DIRECT] = "FullyConnected",
                                      [WIRING_LINKS] = "Links" };
/* ASTRA-sim's names of algorithms, and the values of --algorithm. */
static const char *const algorithm_names[][2] = { { "ring", "ring" },
                                                  { "direct", "direct" },
                                                  { "halvingDoubling", "halving-doubling" },
                                                  { "doubleBinaryTree", "double-binary-tree" } };
static const char in_network[] = "in-network"; /* a value of --algorithm, too */
enum { ALGORITHMS = sizeof algorithm_names / sizeof *algorithm_names, PATH = 512 };
static const double gib_in_GB = 1.073741824;

/* ---- to fields --------------------------------------------------------------------------- */

static char *next_argument(astra_arguments *w) { return w->text[w->count++]; }

/* Writes an argument with a number for each dimension. */
static void make_list(astra_arguments *w, const char *name, const char *format, const double *v,
                      unsigned dims) {
    char *to = next_argument(w);
    size_t at = (size_t)snprintf(to, ASTRA_ARGUMENT_BYTES, "--%s=", name);

    for (unsigned d = 0; d < dims; d++) {
        at += (size_t)snprintf(to + at, ASTRA_ARGUMENT_BYTES - at, "%s", d ? "," : "");
        at += (size_t)snprintf(to + at, ASTRA_ARGUMENT_BYTES - at, format, v[d]);
    }
}

/* Returns the algorithm of a dimension; "": the default of its wiring. */
static const char *algorithm_of(const astra_network *n, const astra_system *s, unsigned d) {
    return n->in_network[d] ? in_network : s->algorithms[d];
}

static void make_algorithms(astra_arguments *w, const astra_network *n, const astra_system *s) {
    bool any = false;
    char *to;
    size_t at;

    for (unsigned d = 0; d < n->dims; d++) any = any || *algorithm_of(n, s, d);
    if (!any) return;
    to = next_argument(w);
    at = (size_t)snprintf(to, ASTRA_ARGUMENT_BYTES, "--algorithm=");
    for (unsigned d = 0; d < n->dims; d++) {
        const char *word = algorithm_of(n, s, d);

        if (!*word) word = n->wiring[d] == WIRING_RING ? "ring" : "direct";
        at += (size_t)snprintf(to + at, ASTRA_ARGUMENT_BYTES - at, "%s%s", d ? "," : "", word);
    }
}

bool astra_network_of_engines(const astra_network *n) {
    cluster c = { .name = "" };

    if (n->dims > ACE_CLUSTER_DIMENSIONS) return false;
    for (unsigned d = 0; d < n->dims; d++) {
        if (n->members[d] > ACE_CLUSTER_MEMBERS) return false;
        c.ring[d] = (uint16_t)n->members[d];
        c.wiring[d] = n->wiring[d];
    }
    return cluster_of_engines(&c);
}

/* ---- what nodes take ------------------------------------------------------------------------ */

static int refuse_at(const char *file, astra_position at, const char *found, const char *expected) {
    yaml_error(file, at.line ? at.line : 1, at.line ? at.column : 1, found, expected);
    return EXIT_USAGE;
}

/* Returns the text of a message: which options accept more than these nodes do. */
static const char *others(astra_nodes nodes) {
    return nodes == ASTRA_NODES_OF_FILE      ? "acesim astra --compat 2 takes more"
           : nodes == ASTRA_NODES_CALIBRATED ? "--compat 2 takes more"
                                             : "--rung calibrated takes 512, --compat 2 takes more";
}

static unsigned most_members(const astra_network *n, unsigned d, astra_nodes nodes) {
    cluster c = { .name = "" };

    if (nodes == ASTRA_NODES_CALIBRATED || nodes == ASTRA_NODES_OF_FILE) return ACE_CLUSTER_MEMBERS;
    c.wiring[d] = n->wiring[d];
    return cluster_engine_members(&c, d);
}

static double latency_cycles(const astra_network *n, unsigned d, double clock_MHz) {
    return fmax(1, round(n->latency_ns[d] * clock_MHz / 1000));
}

static int check_dimension(const char *file, const astra_network *n, unsigned d, astra_nodes nodes,
                           double clock_MHz) {
    const unsigned most = most_members(n, d, nodes);
    const double cycles = latency_cycles(n, d, clock_MHz);
    const uint32_t longest = nodes == ASTRA_NODES_IDEAL ? CLUSTER_LATENCY : CLUSTER_WIRE_LATENCY;
    char found[64], expected[200];

    if (n->members[d] > most) {
        snprintf(found, sizeof found, "'%u'", n->members[d]);
        snprintf(expected, sizeof expected, "2 to %u NPUs of a %s on %s; %s", most,
                 blocks[n->wiring[d]],
                 nodes == ASTRA_NODES_OF_FILE      ? "a cluster"
                 : nodes == ASTRA_NODES_CALIBRATED ? "the rung calibrated"
                                                   : "engines",
                 others(nodes));
        return refuse_at(file, n->members_at[d], found, expected);
    }
    if (cycles > longest) {
        snprintf(found, sizeof found, "%.0f", cycles);
        snprintf(expected, sizeof expected, "at most %" PRIu32 " cycles%s", longest,
                 nodes == ASTRA_NODES_IDEAL
                     ? "; --compat 2 takes more"
                     : " on wires; acesim astra takes more with --endpoint ideal or --compat 2");
        return refuse_at(file, n->latency_at[d], found, expected);
    }
    return EXIT_OK;
}

static int check_dimensions(const char *file, const astra_network *n, astra_nodes nodes,
                            double clock_MHz) {
    const bool engines = nodes == ASTRA_NODES_ENGINES || nodes == ASTRA_NODES_IDEAL;
    const unsigned most = engines ? ACE_DIMENSIONS : ACE_CLUSTER_DIMENSIONS;
    char found[64], expected[200];
    int rc = EXIT_OK;

    if (n->dims > most) {
        snprintf(found, sizeof found, "%u dimensions", n->dims);
        snprintf(expected, sizeof expected,
                 "%u at most, which %s; acesim astra --compat 2 takes %d", most,
                 engines ? "engines have: the rung calibrated takes 6"
                         : "the rung calibrated takes",
                 ASTRA_DIMENSIONS);
        return refuse_at(file, n->members_at[most], found, expected);
    }
    for (unsigned d = 0; d < n->dims && rc == EXIT_OK; d++)
        rc = check_dimension(file, n, d, nodes, clock_MHz);
    return rc;
}

void astra_topology(const astra_network *n, char *to, size_t room) {
    size_t at = 0;

    for (unsigned d = 0; d < n->dims && at < room; d++)
        at += (size_t)snprintf(to + at, room - at, "%s%s(%u)", d ? "_" : "", blocks[n->wiring[d]],
                               n->members[d]);
}

int astra_setup_make(const char *file, const astra_network *n, const astra_system *s,
                     astra_nodes nodes, double clock_MHz, astra_arguments *w) {
    const double most = 2 * ACE_ROW_BYTES * clock_MHz / 1000; /* of an NPU's two ports */
    double cycles[ACE_CLUSTER_DIMENSIONS];
    char *to;
    size_t at;

    w->count = 0;
    if (check_dimensions(file, n, nodes, clock_MHz) != EXIT_OK) return EXIT_USAGE;
    snprintf(next_argument(w), ASTRA_ARGUMENT_BYTES, "collective");
    /* only the cluster is used; the collective does not matter */
    snprintf(next_argument(w), ASTRA_ARGUMENT_BYTES, "all-reduce");
    to = next_argument(w);
    at = (size_t)snprintf(to, ASTRA_ARGUMENT_BYTES, "--topology=");
    astra_topology(n, to + at, ASTRA_ARGUMENT_BYTES - at);
    for (unsigned d = 0; d < n->dims; d++) {
        cycles[d] = latency_cycles(n, d, clock_MHz);
        if (n->wiring[d] == WIRING_LINKS || astra_network_npu_GBps(n, d) <= most) continue;
        fprintf(stderr,
                "acesim: %s: found %.1f GB/s (of 10^9) of an NPU in dimension %u, expected %.0f at "
                "most: each of its two ports moves %d bytes a cycle; a faster --clock moves more\n",
                file, astra_network_npu_GBps(n, d), d, most, ACE_ROW_BYTES);
        return EXIT_USAGE;
    }
    make_list(w, "link-latency", "%.0f", cycles, n->dims);
    snprintf(next_argument(w), ASTRA_ARGUMENT_BYTES, "--link-efficiency=1");
    if (*n->links) snprintf(next_argument(w), ASTRA_ARGUMENT_BYTES, "--links=%s", n->links);
    snprintf(next_argument(w), ASTRA_ARGUMENT_BYTES, "--clock=%.9gMHz", clock_MHz);
    snprintf(next_argument(w), ASTRA_ARGUMENT_BYTES, "--order=%s",
             s->order == ACE_FIFO ? "fifo" : "lifo");
    make_algorithms(w, n, s);
    return EXIT_OK;
}

/* Rounds down to few digits. */
static double readable(double GBps) { return floor(GBps * 1e6 * (1 + 1e-12)) / 1e6; }

int astra_setup_links(const char *file, const astra_network *n, setup *o) {
    cluster *const c = &o->machine.cluster;
    const double most = 2 * ACE_ROW_BYTES * c->clock_MHz / 1000;

    for (unsigned d = 0; d < n->dims; d++) {
        double GBps = astra_network_npu_GBps(n, d);

        if (n->wiring[d] == WIRING_LINKS) {
            c->links_GBps = n->GBps[d];
            c->link_GBps[d] = n->GBps[d];
            const int rc = machine_links_GBps(&o->machine, &GBps);
            if (rc != EXIT_OK) return rc;
            if (GBps > most)
                fprintf(stderr,
                        "acesim: %s: an NPU has links of %.1f GB/s (of 10^9) in dimension %u, and "
                        "its two ports move %.0f; a faster --clock moves more\n",
                        n->links, GBps, d, most);
            GBps = fmin(GBps, most);
        }
        c->npu_GBps[d] = readable(GBps);
        c->link_GBps[d] = c->npu_GBps[d] / 2;
        o->source[SETUP_NPU_BANDWIDTH] = (setup_source){ .file = file, .line = 1, .column = 1 };
    }
    return setup_derive_rows(c, o->source);
}

void astra_setup_npu(const astra_system *s, npu *n) {
    if (!s->roofline) return;
    n->matrix_TFLOPS = n->vector_TFLOPS = s->peak_TFLOPS;
    n->memory_GBps = s->memory_GBps;
    n->vector_efficiency = n->memory_efficiency = 1;
    n->launch_us = 0;
}

/* ---- and back ---------------------------------------------------------------------------- */

/* Reads the d-th entry of the list, or its only one. Returns true if it is in-network. */
static bool read_algorithm(const char *list, unsigned d, char to[ASTRA_WORD]) {
    char all[256], *rest = NULL, *word;

    *to = '\0';
    snprintf(all, sizeof all, "%s", list);
    word = strtok_r(all, ",", &rest);
    for (char *next = word; next && d; d--)
        if ((next = strtok_r(NULL, ",", &rest)) != NULL) word = next;
    for (unsigned i = 0; word && i < ALGORITHMS; i++)
        if (!strcmp(word, algorithm_names[i][1])) snprintf(to, ASTRA_WORD, "%s", word);
    return word && !strcmp(word, in_network);
}

void astra_setup_read(const cluster *c, bool roofline, astra_network *n, astra_system *s) {
    bool any = false;

    *n = (astra_network){ .dims = c->sizes, .npus = 1 };
    *s = (astra_system){ .order = c->order == CLUSTER_FIFO ? ACE_FIFO : ACE_LIFO };
    snprintf(n->links, sizeof n->links, "%s", c->links);
    for (unsigned d = 0; d < c->sizes; d++) {
        n->wiring[d] = c->wiring[d];
        n->members[d] = c->ring[d];
        n->npus *= c->ring[d];
        n->GBps[d] = 1; /* all bytes of an NPU leave on one link */
        n->GBps[d] = cluster_npu_GBps(c, d) / astra_network_npu_GBps(n, d);
        n->latency_ns[d] = c->link_latency[d] * 1000 / c->clock_MHz;
        n->in_network[d] = read_algorithm(c->algorithms, d, s->algorithms[d]);
        any = any || n->in_network[d];
    }
    /* their lists have an entry for each dimension, and ignore the entry of a switch that
     * reduces */
    for (unsigned d = 0; any && d < c->sizes; d++)
        if (n->in_network[d]) snprintf(s->algorithms[d], ASTRA_WORD, "%s", algorithm_names[1][1]);
    s->roofline = roofline;
    s->peak_TFLOPS = c->npu.matrix_TFLOPS;
    s->memory_GBps = c->npu.memory_GBps;
}

static int open_in(atomic_file *f, const char *folder, const char *name, char path[PATH]) {
    if ((size_t)snprintf(path, PATH, "%s/%s", folder, name) < PATH)
        return atomic_file_open(f, path);
    fprintf(stderr, "acesim: %s: found a name of %d letters and more, expected a shorter one\n",
            folder, PATH);
    return EXIT_USAGE;
}

static void put_numbers(FILE *to, const char *name, const double *v, unsigned count,
                        const char *remark) {
    fprintf(to, "%s: [", name);
    for (unsigned i = 0; i < count; i++) fprintf(to, "%s%.15g", i ? ", " : "", v[i]);
    fprintf(to, "]%s\n", remark);
}

static void put_in_network(FILE *to, const astra_network *n) {
    bool any = false;

    for (unsigned d = 0; d < n->dims; d++) any = any || n->in_network[d];
    for (unsigned d = 0; any && d < n->dims; d++)
        fprintf(to, "%s%s%s", d ? ", " : "in-network: [",
                n->in_network[d] ? ASTRA_IN_NETWORK : "none", d + 1 < n->dims ? "" : "]\n");
}

static int write_network(const char *folder, const astra_network *n) {
    char path[PATH];
    double GiBps[ACE_CLUSTER_DIMENSIONS], members[ACE_CLUSTER_DIMENSIONS];
    atomic_file f;
    const int rc = open_in(&f, folder, "network.yml", path);

    if (rc != EXIT_OK) return rc;
    fprintf(f.to, "topology: [");
    for (unsigned d = 0; d < n->dims; d++) {
        fprintf(f.to, "%s%s", d ? ", " : "", blocks[n->wiring[d]]);
        GiBps[d] = n->GBps[d] / gib_in_GB;
        members[d] = n->members[d];
    }
    fprintf(f.to, "]\n");
    put_in_network(f.to, n);
    if (*n->links) fprintf(f.to, "links_file: '%s'\n", n->links);
    put_numbers(f.to, "npus_count", members, n->dims, "");
    put_numbers(f.to, "bandwidth", GiBps, n->dims, "  # of 2^30 bytes a second");
    put_numbers(f.to, "latency", n->latency_ns, n->dims, "  # ns");
    return atomic_file_close(&f);
}

static void add_lists(cJSON *to, const astra_network *n, const astra_system *s) {
    static const char *const reductions[] = { "all-reduce-implementation",
                                              "reduce-scatter-implementation",
                                              "all-gather-implementation" };
    cJSON *routed = cJSON_AddArrayToObject(to, "all-to-all-implementation");

    for (unsigned d = 0; d < n->dims; d++) /* packets are routed */
        cJSON_AddItemToArray(routed, cJSON_CreateString("direct"));
    for (unsigned i = 0; *s->algorithms[0] && i < sizeof reductions / sizeof *reductions; i++) {
        cJSON *list = cJSON_AddArrayToObject(to, reductions[i]);

        for (unsigned d = 0; d < n->dims; d++)
            for (unsigned k = 0; k < ALGORITHMS; k++)
                if (!strcmp(s->algorithms[d], algorithm_names[k][1]))
                    cJSON_AddItemToArray(list, cJSON_CreateString(algorithm_names[k][0]));
    }
}

static int write_system(const char *folder, const astra_network *n, const astra_system *s) {
    cJSON *system = cJSON_CreateObject();
    char path[PATH], *text;
    atomic_file f;
    int rc;

    cJSON_AddStringToObject(system, "scheduling-policy", s->order == ACE_FIFO ? "FIFO" : "LIFO");
    add_lists(system, n, s);
    if (s->roofline) {
        cJSON_AddNumberToObject(system, "roofline-enabled", 1);
        cJSON_AddNumberToObject(system, "local-mem-bw", s->memory_GBps);
        cJSON_AddNumberToObject(system, "peak-perf", s->peak_TFLOPS);
    }
    text = json_text(system, true);
    rc = text ? open_in(&f, folder, "system.json", path) : message_no_memory();
    if (rc == EXIT_OK) {
        fprintf(f.to, "%s\n", text);
        rc = atomic_file_close(&f);
    }
    cJSON_free(text);
    cJSON_Delete(system);
    return rc;
}

static int write_memory(const char *folder) {
    char path[PATH];
    atomic_file f;
    const int rc = open_in(&f, folder, "remote_memory.json", path);

    if (rc != EXIT_OK) return rc;
    astra_memory_write(f.to, &(astra_memory){ .type = ASTRA_MEMORY_NONE });
    fprintf(f.to, "\n");
    return atomic_file_close(&f);
}

int astra_setup_write(const char *folder, const astra_network *n, const astra_system *s) {
    int rc = atomic_file_folder(folder);

    if (rc == EXIT_OK) rc = write_network(folder, n);
    if (rc == EXIT_OK) rc = write_system(folder, n, s);
    return rc == EXIT_OK ? write_memory(folder) : rc;
}
