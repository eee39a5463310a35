/* SPDX-License-Identifier: Apache-2.0 */
/*
 * report.c -- writes results: a table, JSON and CSV, on stdout and in files
 *
 * The JSON object is made first, and the other forms are made from it. Nothing in it depends on
 * wall time, threads or the machine.
 */
#include "report.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "algorithms.h"
#include "answer.h"
#include "atomic_file.h"
#include "build_info.h"
#include "calibrated_error.h"
#include "digest.h"
#include "exit_status.h"
#include "fabric.h"
#include "figures.h"
#include "link_graph.h"
#include "names.h"
#include "pin_recording.h"
#include "processes.h"
#include "report_page.h"
#include "result_print.h"
#include "result_read.h"
#include "training.h"
#include "values.h"

/* Returns the digest of the setup's fields, the algorithms (which may be files), and the
 * workload. */
uint64_t report_digest(const report *r) {
    uint64_t hash = setup_digest(r->setup);

    hash = fnv1a(hash, acesim_version, strlen(acesim_version) + 1);
    hash = fnv1a(hash, &r->setup->machine.kind, sizeof r->setup->machine.kind);
    hash = fnv1a(hash, r->kind, strlen(r->kind) + 1);
    hash = fnv1a(hash, r->setup->machine.config.algorithm,
                 cluster_dimensions(&r->setup->machine.cluster));
    hash = fnv1a(hash, r->setup->machine.config.program, sizeof r->setup->machine.config.program);
    return fnv1a(hash, &r->digest_of, sizeof r->digest_of);
}

static cJSON *number(cJSON *to, const char *name, uint64_t v) { return json_count(to, name, v); }

/* Adds a number rounded to nine digits, so that every machine prints the same. */
static cJSON *real(cJSON *to, const char *name, double v) {
    char text[40];

    snprintf(text, sizeof text, "%.9g", v);
    return cJSON_AddNumberToObject(to, name, strtod(text, NULL));
}

/* ---- engine statistics ----------------------------------------------------------- */

typedef struct total {
    char name[56];
    uint64_t value;
} total;

static bool ends_with(const char *s, const char *end) {
    const size_t a = strlen(s), b = strlen(end);

    return a >= b && !strcmp(s + a - b, end);
}

/* likely: the index of the name if all nodes have the same counters. */
static void add(total *t, size_t likely, const char *name, uint64_t value) {
    size_t k = strcmp(t[likely].name, name) ? 0 : likely;

    while (k < STATISTICS && *t[k].name && strcmp(t[k].name, name)) k++;
    if (k == STATISTICS) return;
    snprintf(t[k].name, sizeof t[k].name, "%s", name);
    t[k].value += value;
}

/* Sums each counter over the nodes of this process, in the order of the first node. Nodes have run
 * to the end of the last window and were idle after the end, so these cycles are subtracted. */
static void totals_here(const report *r, total *t) {
    const uint64_t beyond = fabric_now(r->f) - r->cycles;

    for (unsigned i = 0; i < fabric_representatives(r->f); i++) {
        const unsigned weight = fabric_weight(r->f, i);
        ace_statistic s[STATISTICS];
        size_t count;

        if (!fabric_is_local(r->f, i)) continue;
        count = ace_node_statistics(fabric_node(r->f, i), s, STATISTICS);
        for (size_t j = 0; j < count && j < STATISTICS; j++)
            add(t, j, s[j].name,
                (s[j].value - (ends_with(s[j].name, ".idle") ? beyond : 0)) * weight);
    }
}

/* Returns the sums over all nodes in process 0: STATISTICS entries, the last one without a name.
 * Returns NULL if there is no memory. */
static total *totals(const report *r) {
    const unsigned processes = processes_rank() ? 0 : processes_count();
    total *here = calloc(STATISTICS, sizeof *here);
    total *all = calloc((size_t)processes * STATISTICS + 1, sizeof *all);
    total *sum = calloc(STATISTICS + 1, sizeof *sum);

    if (processes_agree(here && all && sum ? EXIT_OK : EXIT_CHECK) == EXIT_OK) {
        totals_here(r, here);
        processes_gather(here, all, STATISTICS * sizeof *here);
        for (size_t i = 0; i < (size_t)processes * STATISTICS; i++)
            if (*all[i].name) add(sum, i % STATISTICS, all[i].name, all[i].value);
    } else {
        free(sum);
        sum = NULL;
    }
    free(here);
    free(all);
    return sum;
}

static uint64_t sibling(const total *t, size_t n, const char *busy, size_t stem,
                        const char *class_) {
    for (size_t i = 0; i < n; i++)
        if (!strncmp(t[i].name, busy, stem) && !strcmp(t[i].name + stem, class_)) return t[i].value;
    return 0;
}

static void add_statistics(cJSON *root, const total *t) {
    size_t n = 0;
    cJSON *utilisation = cJSON_AddObjectToObject(root, "utilisation");
    cJSON *statistics;

    while (*t[n].name) n++;
    for (size_t i = 0; i < n; i++) { /* X.busy divided by all classes of X */
        const size_t length = strlen(t[i].name);
        char stem[64];
        uint64_t all;

        if (length > 60 || !ends_with(t[i].name, ".busy")) continue;
        all = t[i].value + sibling(t, n, t[i].name, length - 4, "starved") +
              sibling(t, n, t[i].name, length - 4, "blocked") +
              sibling(t, n, t[i].name, length - 4, "idle");
        snprintf(stem, sizeof stem, "%.*s", (int)(length - 5), t[i].name);
        real(utilisation, stem, all ? (double)t[i].value / (double)all : 0);
    }
    statistics = cJSON_AddObjectToObject(root, "statistics");
    for (size_t i = 0; i < n; i++) number(statistics, t[i].name, t[i].value);
}

/* Returns a counter of node 0, or 0 if its endpoint has no counter of this name. */
static uint64_t statistic(const report *r, const char *name) {
    ace_statistic s[STATISTICS];
    const size_t count = ace_node_statistics(fabric_node(r->f, 0), s, STATISTICS);

    for (size_t i = 0; i < count && i < STATISTICS; i++)
        if (!strcmp(s[i].name, name)) return s[i].value;
    return 0;
}

/* ---- links that a file lists ----------------------------------------------------- */

/* Returns the time in ns that the busiest link needs for the bytes that it has carried. */
static double busiest_graph_link(const report *r) {
    const link_graph *const g = fabric_link_graph(r->f);
    double most = 0;

    for (unsigned i = 0; g && i < g->links; i++)
        most = fmax(most, (double)fabric_link_graph_bytes(r->f, i) / g->link[i].GBps);
    return most;
}

static void add_graph(cJSON *root, const report *r) {
    const link_graph *const g = fabric_link_graph(r->f);
    cJSON *to, *list;

    if (!g) return;
    to = cJSON_AddObjectToObject(root, "links");
    cJSON_AddStringToObject(to, "name", g->name);
    list = cJSON_AddArrayToObject(to, "npus");
    for (unsigned i = 0; i < g->npus; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(g->order[i]));
    number(to, "detours_on_ring", g->detours);
    list = cJSON_AddArrayToObject(to, "carried");
    for (unsigned i = 0; i < g->links; i++) {
        cJSON *const one = cJSON_CreateObject();

        number(one, "from", g->link[i].from);
        number(one, "to", g->link[i].to);
        number(one, "bytes", fabric_link_graph_bytes(r->f, i));
        number(one, "busy_cycles", fabric_link_graph_busy(r->f, i));
        cJSON_AddItemToArray(list, one);
    }
}

/* ---- collectives in which nodes send unequally much -------------------------------- */

typedef struct busiest {
    double us; /* in which the bytes cross the link at its full bandwidth */
    unsigned node;
    char link[40];
} busiest;

/* Compares the links of a node with the busiest one so far. Dimensions of one interface share its
 * bandwidth. */
static void compare_links(const cluster *c, const uint64_t link[ACE_CLUSTER_LINKS], unsigned node,
                          bool from_switch, busiest *b) {
    double taken[ACE_CLUSTER_LINKS] = { 0 };

    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) {
        double *const t = &taken[2 * cluster_interface(c, l / 2) + l % 2];

        *t += (double)link[l] / (c->link_GBps[l / 2] * 1e3);
        if (!(*t > b->us)) continue;
        b->us = *t;
        b->node = node;
        snprintf(b->link, sizeof b->link, "%c%c%s", ACE_DIMENSION_LETTERS[l / 2], l % 2 ? '-' : '+',
                 from_switch ? ", into the node" : "");
    }
}

/* Adds the values of the node that sends most. The bound is the busiest link of all nodes at its
 * full bandwidth: out of a node, or out of a hub into a node. */
static void add_composed(cJSON *root, const report *r) {
    const cluster *c = &r->setup->machine.cluster;
    const bool alike = r->command->kind == ACE_BARRIER;
    const unsigned nodes = alike ? 1 : cluster_nodes(c);
    const double us = (double)r->communication / c->clock_MHz;
    busiest bound = { .us = busiest_graph_link(r) / 1e3 };
    uint64_t most = 0;
    unsigned sender = 0;

    for (unsigned i = 0; i < nodes; i++) {
        ace_config cfg = *&r->setup->machine.config;
        uint64_t link[ACE_CLUSTER_LINKS], sum = 0;
        unsigned rest = i;

        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
            cfg.rank[d] = (uint16_t)(rest % cfg.ring[d]);
            rest /= cfg.ring[d];
        }
        ace_command_link_bytes(r->command, &cfg, link);
        compare_links(c, link, i, false, &bound);
        for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) sum += link[l];
        if (sum > most) sender = i;
        if (sum > most) most = sum;
        ace_command_hub_bytes(r->command, &cfg, link);
        compare_links(c, link, i, true, &bound);
    }
    number(root, "busiest_node", sender);
    number(root, "bytes_sent_by_busiest_node", most);
    if (*bound.link && !alike) {
        number(root, "busiest_link_node", bound.node);
        cJSON_AddStringToObject(root, "busiest_link", bound.link);
    }
    real(root, "network_bandwidth_GBps", us > 0 ? (double)most / (us * 1e3) : 0);
    real(root, "ideal_network_bandwidth_GBps", bound.us > 0 ? (double)most / (bound.us * 1e3) : 0);
    real(root, "fraction_of_ideal", us > 0 ? bound.us / us : 0);
}

/* ---- the object ------------------------------------------------------------------ */

/* Adds the algorithms that were chosen by the size of the collective. */
static void add_small_algorithms(cJSON *root, const machine *m) {
    cJSON *chosen = NULL;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const char *const name = machine_small_algorithm(m, d);
        const char letter[] = { ACE_DIMENSION_LETTERS[d], '\0' };

        if (!name) continue;
        if (!chosen) chosen = cJSON_AddObjectToObject(root, "algorithms_by_size");
        cJSON_AddStringToObject(chosen, letter, name);
    }
}

/* Adds what was run. */
static void add_question(cJSON *root, const report *r) {
    const machine *o = &r->setup->machine;
    const cluster *c = &o->cluster;
    char text[TOPOLOGY_TEXT];

    snprintf(text, sizeof text, "%016" PRIx64, report_digest(r));
    cJSON_AddStringToObject(root, "config_digest", text);
    snprintf(text, sizeof text, "%" PRIu64, o->seed);
    cJSON_AddStringToObject(root, "seed", text);
    cJSON_AddStringToObject(root, r->training ? "workload" : "kind", r->kind);
    if (r->training) cJSON_AddStringToObject(root, "cluster", c->name);
    print_topology(c, text);
    cJSON_AddStringToObject(root, "topology", text);
    if (*c->algorithms) cJSON_AddStringToObject(root, "algorithms", c->algorithms);
    add_small_algorithms(root, o);
    number(root, "nodes", cluster_nodes(c));
    if (!r->training) number(root, "size_bytes", o->size);
    for (unsigned d = 0; d < o->dim_count; d++) {
        text[2 * d] = ACE_DIMENSION_LETTERS[o->dims[d]];
        text[2 * d + 1] = d + 1U < o->dim_count ? ',' : '\0';
    }
    cJSON_AddStringToObject(root, "dims", text);
    if (!r->training || o->type_given) cJSON_AddStringToObject(root, "type", type_names[o->type]);
    cJSON_AddStringToObject(root, "op", op_names[o->op]);
    cJSON_AddStringToObject(root, "endpoint", endpoint_name(c->endpoint));
}

/* Adds the endpoint and the rates of the machine. */
static void add_machine(cJSON *root, const report *r) {
    const machine *o = &r->setup->machine;
    const cluster *c = &o->cluster;
    char rungs[64] = "";

    for (unsigned i = 0; i < fabric_representatives(r->f); i++) {
        const char *name = fabric_rung(r->f, i);
        if (!fabric_weight(r->f, i)) continue;
        if (!*rungs)
            snprintf(rungs, sizeof rungs, "%s", name);
        else if (strcmp(rungs, name))
            snprintf(rungs, sizeof rungs, "mixed");
    }
    cJSON_AddStringToObject(root, "rung", rungs);
    cJSON_AddStringToObject(root, "node_rungs", c->endpoint == ENDPOINT_ACE ? c->rungs : rungs);
    if (*c->speeds) cJSON_AddStringToObject(root, "node_speeds", c->speeds);
    if (o->control)
        cJSON_AddStringToObject(root, "control",
                                o->control == CONTROL_TRIGGER ? "trigger" : "registers");
    number(root, "nodes_simulated", fabric_representatives(r->f));
    cJSON_AddStringToObject(root, "folding", fabric_folding(r->f));
    cJSON_AddStringToObject(root, "fast_forward", fabric_left_out(r->f));
    number(root, "chunk_bytes", (uint64_t)r->setup->machine.config.chunk_rows * ACE_ROW_BYTES);
    real(root, "memory_bandwidth_GBps", cluster_memory_GBps(c));
    if (endpoint_is_baseline(c->endpoint)) number(root, "sms", cluster_sms(c));
    real(root, "clock_MHz", c->clock_MHz);
}

static void add_cycles(cJSON *root, const report *r) {
    const double us = 1 / r->setup->machine.cluster.clock_MHz;

    number(root, "cycles", r->cycles);
    real(root, "time_us", (double)r->cycles * us);
    if (r->by_pins) {
        number(root, "cycles_by_pins", r->by_pins);
        number(root, "register_path_cycles", r->cycles - r->by_pins);
    }
    if (r->setup->machine.control == CONTROL_TRIGGER)
        real(root, "store_to_load_us", (double)r->cycles * us);
}

/* Adds the memory if the cluster's file gives an NPU's memory. */
static void add_memory(cJSON *root, const report *r) {
    const npu *n = &r->setup->machine.cluster.npu;
    const double local = (double)n->memory_bytes;
    double cold, bytes;

    if (!n->memory_bytes) return;
    bytes = workload_memory(r->workload, cluster_nodes(&r->setup->machine.cluster), &cold);
    cJSON_AddNumberToObject(root, "memory_bytes_per_npu", bytes);
    cJSON_AddNumberToObject(root, "expanded_memory_bytes_per_npu",
                            bytes > local ? bytes - local : 0);
    cJSON_AddNumberToObject(root, "memory_bandwidth_of_both_GBps", n->hot * n->memory_GBps);
}

static void add_training(cJSON *root, const report *r) {
    const machine *o = &r->setup->machine;
    const double us = 1 / o->cluster.clock_MHz;
    uint64_t compute = 0, total_cycles = 0, slower = 0, launching = 0;
    cJSON *list;

    for (unsigned i = 0; i < o->iterations; i++) {
        const iteration it = training_iteration(r->training, i);
        compute += it.compute;
        total_cycles += it.cycles;
        slower += iteration_contention(&it);
        launching += it.launching;
    }
    cJSON_AddStringToObject(root, "contention", o->contention ? "on" : "off");
    add_memory(root, r);
    number(root, "compute_cycles", compute);
    number(root, "exposed_communication_cycles", total_cycles - compute);
    number(root, "contention_cycles", slower);
    number(root, "launching_cycles", launching);
    number(root, "communication_cycles", r->communication);
    list = cJSON_AddArrayToObject(root, "iterations");
    for (unsigned i = 0; i < o->iterations; i++) {
        const iteration it = training_iteration(r->training, i);
        cJSON *one = cJSON_CreateObject();
        number(one, "iteration", i);
        number(one, "cycles", it.cycles);
        real(one, "time_us", (double)it.cycles * us);
        number(one, "compute_cycles", it.compute);
        number(one, "exposed_communication_cycles", it.cycles - it.compute);
        number(one, "contention_cycles", iteration_contention(&it));
        number(one, "launching_cycles", it.launching);
        number(one, "forward_cycles", it.forward);
        cJSON_AddItemToArray(list, one);
    }
    cJSON_AddStringToObject(root, "not_modelled",
                            !r->workload->timed ? "optimizer"
                            : r->workload->shaped
                                ? "update delay after an all-reduce"
                                : "update delay after an all-reduce; contention: the "
                                  "workload gives times, not shapes");
}

static void add_bytes(cJSON *root, const report *r) {
    const cluster *c = &r->setup->machine.cluster;
    const double us = 1 / c->clock_MHz;
    uint64_t bytes[ACE_CLUSTER_DIMENSIONS], sent = 0, reads;
    double achieved, ideal;
    cJSON *sub;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        sent += bytes[d] = fabric_sent(r->f, 0, d);
    number(root, "bytes_sent_per_npu", sent);
    sub = cJSON_AddObjectToObject(root, "bytes_per_dimension");
    for (unsigned d = 0; d < c->parameters.dimensions; d++)
        number(sub, (const char[]){ ACE_DIMENSION_LETTERS[d], 0 }, bytes[d]);
    sub = cJSON_AddObjectToObject(root, "closed_form_bytes");
    for (unsigned d = 0; d < c->parameters.dimensions; d++)
        number(sub, (const char[]){ ACE_DIMENSION_LETTERS[d], 0 }, fabric_expected(r->f, 0, d));
    reads = statistic(r, "memory.read.bytes");
    number(root, "memory_read_bytes_per_npu", reads);
    number(root, "memory_write_bytes_per_npu", statistic(r, "memory.write.bytes"));
    real(root, "reads_per_byte_sent", sent ? (double)reads / (double)sent : 0);
    if (r->command && ace_composed(r->command)) {
        add_composed(root, r);
        return;
    }
    achieved = r->communication ? (double)sent / ((double)r->communication * us * 1e3) : 0;
    ideal = cluster_ideal_GBps(c, bytes);
    if (busiest_graph_link(r) > 0) ideal = fmin(ideal, (double)sent / busiest_graph_link(r));
    real(root, "network_bandwidth_GBps", achieved);
    real(root, "ideal_network_bandwidth_GBps", ideal);
    real(root, "fraction_of_ideal", ideal > 0 ? achieved / ideal : 0);
}

static void add_checks(cJSON *root, const report *r) {
    const cluster *c = &r->setup->machine.cluster;
    cJSON *sub;

    cJSON_AddStringToObject(root, "check", r->bytes_ok && r->payload_ok ? "passed" : "failed");
    sub = cJSON_AddObjectToObject(root, "checks");
    cJSON_AddStringToObject(sub, "bytes",
                            c->endpoint == ENDPOINT_IDEAL ? "by construction"
                            : r->bytes_ok                 ? "passed"
                                                          : "failed");
    cJSON_AddStringToObject(sub, "payload",
                            r->payload_ok < 0 ? "not run"
                            : r->payload_ok   ? "passed"
                                              : "failed");
}

static cJSON *make(const report *r, const total *t, uint64_t unsure) {
    cJSON *root = result_begin();

    add_question(root, r);
    add_machine(root, r);
    calibrated_error_add(root, &r->setup->machine, r->setup->output.interval,
                         r->training ? NULL : r->command, r->cycles, unsure);
    add_cycles(root, r);
    if (r->training) add_training(root, r);
    add_bytes(root, r);
    add_graph(root, r);
    add_checks(root, r);
    add_statistics(root, t);
    return root;
}

/* ---- for people and programs ------------------------------------------------------ */

static void print_value(const cJSON *v) {
    if (cJSON_IsString(v)) {
        csv_cell(stdout, v->valuestring);
    } else {
        char *s = json_text(v, false);
        printf("%s", s ? s : "?");
        cJSON_free(s);
    }
}

static void print_columns(const cJSON *row, const char *const *names) {
    char text[FIGURE];

    for (; *names; names++) {
        const double v = json_number(row, *names);
        uint64_t whole;

        printf("%18s", json_unsigned(cJSON_GetObjectItem(row, *names), &whole)
                           ? figure_unsigned(whole, text)
                           : figure_real(v, 3, text));
    }
    printf("\n");
}

/* Prints a count in a column, with all digits. */
static void print_count(const cJSON *v) {
    char text[FIGURE];
    uint64_t whole;

    printf("%20s", json_unsigned(v, &whole) ? figure_unsigned(whole, text)
                                            : figure_count(v->valuedouble, text));
}

static void print_table(const cJSON *root) {
    static const char *const columns[] = { "cycles", "compute_cycles",
                                           "exposed_communication_cycles", "time_us", NULL };
    const cJSON *v;

    result_print_members(cJSON_GetObjectItem(root, "iterations") ? "run" : "collective", root);
    printf("\n%-10s %19s %19s\n", "dimension", "bytes per NPU", "closed form");
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "bytes_per_dimension")) {
        printf("%-10s", v->string);
        print_count(v);
        print_count(cJSON_GetObjectItem(cJSON_GetObjectItem(root, "closed_form_bytes"), v->string));
        printf("\n");
    }
    if (cJSON_GetObjectItem(root, "iterations")) {
        printf("\n%-10s %17s %17s %17s %17s\n", "iteration", "cycles", "compute", "exposed",
               "time us");
        cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "iterations")) {
            printf("%-10.0f", json_number(v, "iteration"));
            print_columns(v, columns);
        }
    }
    if (cJSON_GetObjectItem(root, "utilisation")->child) printf("\n%-24s %11s\n", "unit", "busy");
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "utilisation"))
        printf("%-24s %9.2f %%\n", v->string, 100 * v->valuedouble);
}

static int print_people(const report *r, cJSON *root) {
    const int rc = answer_print(r, root);

    if (r->setup->output.all) print_table(root);
    return rc;
}

/* Prints a header and a line, or a line for each iteration. */
static void print_csv(const cJSON *root) {
    const cJSON *its = cJSON_GetObjectItem(root, "iterations"), *v, *it = its ? its->child : NULL;
    const char *comma = "";

    cJSON_ArrayForEach(v, root) {
        if (cJSON_IsObject(v) || cJSON_IsArray(v)) continue;
        printf("%s%s", comma, v->string);
        comma = ",";
    }
    for (v = it ? it->child : NULL; v; v = v->next) printf(",iteration.%s", v->string);
    printf("\n");
    do {
        comma = "";
        cJSON_ArrayForEach(v, root) {
            if (cJSON_IsObject(v) || cJSON_IsArray(v)) continue;
            printf("%s", comma);
            comma = ",";
            if (cJSON_IsString(v))
                printf("\"%s\"", v->valuestring);
            else
                print_value(v);
        }
        for (v = it ? it->child : NULL; v; v = v->next) {
            printf(",");
            print_value(v);
        }
        printf("\n");
        if (it) it = it->next;
    } while (it);
}

/* ---- files -------------------------------------------------------------------------- */

static int write_json(const char *name, const char *json) {
    atomic_file f;
    const int rc = atomic_file_open(&f, name);

    if (rc != EXIT_OK) return rc;
    fprintf(f.to, "%s\n", json);
    return atomic_file_close(&f);
}

/* json: NULL in all processes but process 0. */
static int write_output(const report *r, const char *json) {
    char name[1100];
    int rc = EXIT_OK;

    if (json) rc = atomic_file_folder_take(r->setup->output.folder);
    snprintf(name, sizeof name, "%.1000s/result.json", r->setup->output.folder);
    if (json && rc == EXIT_OK) rc = write_json(name, json);
    return processes_agree(rc);
}

static int write_page(const report *r, cJSON *root) {
    saved_run run;

    if (!root) return EXIT_OK;
    return saved_run_of(r->kind, root, &run) == EXIT_OK
               ? report_page_write(r->setup->output.report, &run, 1)
               : EXIT_CHECK;
}

/* Writes the collectives of the recorded node, in the process that simulates it. */
static int write_slices(const report *r) {
    const unsigned representative = fabric_representative_of(r->f, r->setup->output.record_node);

    return fabric_is_local(r->f, representative)
               ? pin_recording_slices(r->setup->output.record, r->spans[representative])
               : EXIT_OK;
}

int report_write(const report *r) {
    const uint64_t unsure =
        r->setup->machine.calibration ? fabric_most(r->f, "calibrated.unsure") : 0;
    total *t = totals(r);
    cJSON *root = t && !processes_rank() ? make(r, t, unsure) : NULL;
    int rc = processes_agree(t && (root || processes_rank()) ? EXIT_OK : EXIT_CHECK);
    char *json;

    if (rc == EXIT_OK) rc = result_add(r, root);
    json = rc == EXIT_OK && root ? json_text(root, true) : NULL;
    rc = processes_agree(rc != EXIT_OK ? rc : json || processes_rank() ? EXIT_OK : EXIT_CHECK);

    free(t);
    if (json && r->setup->output.format == FORMAT_JSON)
        printf("%s\n", json);
    else if (json && r->setup->output.format == FORMAT_CSV)
        print_csv(root);
    else if (json)
        rc = print_people(r, root);
    if (rc == EXIT_OK && r->setup->output.folder) rc = write_output(r, json);
    if (rc == EXIT_OK && r->setup->output.report) rc = processes_agree(write_page(r, root));
    if (rc == EXIT_OK && r->setup->output.record) rc = write_slices(r);
    cJSON_free(json);
    cJSON_Delete(root);
    return rc;
}
