/* SPDX-License-Identifier: Apache-2.0 */
/* answer.c -- prints the answer of a run, with a function for each group of lines */
#include "answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bottleneck.h"
#include "calibrated_error.h"
#include "exit_status.h"
#include "fabric.h"
#include "faults.h"
#include "figures.h"
#include "message.h"
#include "result_read.h"
#include "training.h"
#include "what_if.h"
#include "workload.h"

/* If less than this share of an iteration waits for communication or is slowed down by it, the
 * answer does not mention communication. */
static const double WORTH = 0.01;
/* a unit this close to the one that bounded the run is named */
static const double CLOSE_BEHIND = 0.9;
enum { ITERATIONS_SHOWN = 6, WIDTH = 80 };

static double in_us(const report *r, double cycles) {
    return cycles / r->setup->machine.cluster.clock_MHz;
}

/* Prints the name of a line; the text follows in the next column. */
static void begin(const char *name) { printf("%-11s", name); }

/* Prints an option that can be copied, followed by its meaning in brackets. If both together are
 * too long, the meaning gets its own line. */
static void print_tried(const char *option, const char *means) {
    begin("to try");
    printf("%s", option);
    if (strlen(option) + strlen(means) + 4 <= WIDTH)
        printf("  (%s)\n", means);
    else
        printf("\n%-11s(%s)\n", "", means);
}

/* Prints advice that is not an option of the program. */
static void print_advice(const char *advice) {
    begin("to try");
    printf("%s\n", advice);
}

/* ---- what was run ------------------------------------------------------------------------- */

static void print_title(const report *r, const cJSON *root) {
    const unsigned nodes = cluster_nodes(&r->setup->machine.cluster);
    char text[FIGURE], count[FIGURE];

    printf("%s", r->kind);
    if (!r->training && r->command->bytes)
        printf(" of %s", figure_bytes(saved_number(root, "size_bytes"), text));
    printf(" on %s%s%s, %s NPU%s; endpoint %s", r->training ? r->setup->machine.cluster.name : "",
           r->training ? ", " : "", saved_text(root, "topology"), figure_count(nodes, count),
           nodes == 1 ? "" : "s", saved_text(root, "endpoint"));
    if (r->setup->machine.cluster.endpoint == ENDPOINT_ACE)
        printf(", rung %s", saved_text(root, "rung"));
    if (r->training && r->setup->machine.cluster.reserved) printf(", shares reserved");
    printf("\n\n");
}

/* ---- time and bandwidth --------------------------------------------------------------------- */

static void print_time(const report *r) {
    const double us = in_us(r, (double)r->cycles);
    const bool prepared = r->setup->machine.control == CONTROL_TRIGGER;
    char time[FIGURE], cycles[FIGURE], path[FIGURE];

    begin("time");
    printf("%s%s (%s cycles at %g MHz", figure_time(us, figure_time_unit(us), time),
           prepared ? " from store to load" : "", figure_unsigned(r->cycles, cycles),
           r->setup->machine.cluster.clock_MHz);
    if (r->by_pins)
        printf(", %s of them in %s", figure_unsigned(r->cycles - r->by_pins, path),
               prepared ? "the store, the flag and the load" : "registers and interrupts");
    printf(")\n");
}

/* Prints the algorithms that were chosen by the size of the collective. */
static void print_algorithms(const cJSON *root) {
    const cJSON *v, *const by_size = saved_item(root, "algorithms_by_size");

    if (!by_size) return;
    begin("algorithm");
    cJSON_ArrayForEach(v, by_size)
        printf("%s on %s%s", v->valuestring, v->string, v->next ? ", " : "");
    printf(": the fastest of this size (--algorithm names others)\n");
}

static void print_bandwidth(const report *r, const cJSON *root) {
    const cJSON *busiest = saved_item(root, "busiest_node");
    const double got = saved_number(root, "network_bandwidth_GBps");
    const double ideal = saved_number(root, "ideal_network_bandwidth_GBps");
    char text[FIGURE];

    begin("bandwidth");
    if (!(ideal > 0) || !r->command->bytes) {
        printf("no data is sent\n");
        return;
    }
    printf("%s GB/s sent by ", figure_real(got, 1, text));
    if (busiest)
        printf("the NPU that sends most, node %.0f\n", busiest->valuedouble);
    else
        printf("each NPU\n");
    begin("of links");
    printf("%.1f %% of %s GB/s, the rate at which the busiest link is always in use\n",
           100 * saved_number(root, "fraction_of_ideal"), figure_real(ideal, 1, text));
}

/* For links that a file lists, prints the node of each NPU and the ring. */
static void print_graph(const cJSON *root) {
    const cJSON *const links = saved_item(root, "links"), *v;
    const double detours = saved_number(links, "detours_on_ring");
    int npus = 0;

    if (!links) return;
    begin("links");
    printf("of %s; the ring of NPUs is its nodes", saved_text(links, "name"));
    cJSON_ArrayForEach(v, saved_item(links, "npus")) {
        printf(" %.0f", v->valuedouble);
        npus++;
    }
    if (detours > 0)
        printf(",\n%-11sof which %.0f of %d reach the next over others\n", "", detours, npus);
    else
        printf(",\n%-11seach joined to the next\n", "");
}

/* ---- iterations ----------------------------------------------------------------------------- */

static void print_iteration(const char *name, const double us[3], time_unit in) {
    printf("%-11s", name);
    for (unsigned i = 0; i < 3; i++) {
        char text[FIGURE];

        printf("%18s", figure_time(us[i], in, text));
    }
    printf("%11.2f %%\n", us[0] > 0 ? 100 * us[2] / us[0] : 0);
}

static void print_iterations(const report *r) {
    const unsigned n = r->setup->machine.iterations;
    double longest = 0, mean[3] = { 0 };
    time_unit in;

    for (unsigned i = 0; i < n; i++) {
        const double us = in_us(r, (double)training_iteration(r->training, i).cycles);

        if (us > longest) longest = us;
    }
    in = figure_time_unit(longest);
    printf("%-11s %17s %17s %17s %12s\n", "iteration", "time", "compute", "exposed", "share");
    for (unsigned i = 0; i < n; i++) {
        const iteration it = training_iteration(r->training, i);
        const double us[3] = { in_us(r, (double)it.cycles), in_us(r, (double)it.compute),
                               in_us(r, (double)(it.cycles - it.compute)) };
        char name[16];

        for (unsigned k = 0; k < 3; k++) mean[k] += us[k] / n;
        snprintf(name, sizeof name, "%u", i);
        if (n <= ITERATIONS_SHOWN || i < ITERATIONS_SHOWN / 2 || i + 1 == n)
            print_iteration(name, us, in);
        else if (i == ITERATIONS_SHOWN / 2)
            printf("...\n");
    }
    if (n > 1) print_iteration("mean", mean, in);
    printf("\nexposed: communication that compute does not hide\n");
}

/* ---- what bounded it --------------------------------------------------------------------------
 * */

/* Prints the option that helps most against the bound, or else another option that helps. */
static void print_remedy(const report *r, const bottleneck *b) {
    what_if list[WHAT_IFS];
    const unsigned n =
        what_if_propose(&r->setup->machine.cluster, &r->setup->machine.config, b, list);
    char advice[224];
    unsigned i = 0;

    if (b->kind == BOUND_STEPS) {
        print_advice("acesim explain, which tries every change: each step may have a bound of its "
                     "own");
        return;
    }
    while (i < n && list[i].kind != b->kind) i++;
    for (unsigned k = 0; i == n && k < n; k++)
        if (what_if_against(&list[k], b->kind)) i = k;
    if (i < n) {
        print_tried(list[i].word, list[i].means);
        return;
    }
    snprintf(advice, sizeof advice, "%s; no option does that", bottleneck_remedy(b));
    print_advice(advice);
}

/* Names units of another kind that had nearly as much work: with such a unit, improving only the
 * busiest one gains little. */
static void print_close(const bottleneck *b) {
    static const char *const names[USES] = { [USE_LINK] = "links of x",
                                             "links of y",
                                             "links of z",
                                             "links of w",
                                             "memory",
                                             "memory",
                                             "ALUs",
                                             "send pipes",
                                             "store pipe",
                                             [USE_SWITCH] = "switch bandwidth" };
    const char *before = " (close behind: ", *last = "";

    for (unsigned i = 0; i < USES && b->kind < BOUND_CREDITS; i++) {
        const bool link = i < ACE_DIMENSIONS, memory = i == USE_READ || i == USE_WRITE;
        const bool own = b->kind == BOUND_LINKS    ? link && b->dims[i]
                         : b->kind == BOUND_MEMORY ? memory
                                                   : b->use[i] >= b->share;

        if (own || !names[i] || !strcmp(names[i], last) || b->use[i] < CLOSE_BEHIND * b->share)
            continue;
        last = names[i];
        printf("%s%s, %.1f %%", before, names[i], 100 * b->use[i]);
        before = "; ";
    }
    if (*last) printf(")");
}

static void print_share(const bottleneck *b) {
    char name[96];

    bottleneck_name(b, name, sizeof name);
    if (b->kind < BOUND_CREDITS)
        printf("%s, in use %.1f %% of the time", name, 100 * b->share);
    else if (b->kind == BOUND_CREDITS)
        printf("%s, which wait %.1f %% of the time", name, 100 * b->share);
    else
        printf("%s; no unit is in use more than %.1f %% of the time", name, 100 * (1 - b->share));
}

/* If the memory of slow nodes is the bound, prints how slow they are and how long their rows
 * wait. */
static void print_slow(const bottleneck *b) {
    const slow_nodes *s = &b->slow;

    if (b->kind != BOUND_MEMORY || !*s->nodes) return;
    printf("%-11s(on the fastest nodes %.1f %%; speed here %.3g of full speed", "",
           100 * s->fast_use, s->speed);
    if (s->waits > s->fast_waits)
        printf(",\n%-11sand rows wait for memory %.1f %% of the time, on the fastest %.1f %%", "",
               100 * s->waits, 100 * s->fast_waits);
    printf(")\n");
}

/* The ideal endpoint has only links, so these bound it. */
static void print_unknown(const report *r) {
    if (r->setup->machine.cluster.endpoint == ENDPOINT_IDEAL) {
        printf("links: the ideal endpoint has nothing else\n");
        print_tried("--endpoint=ace", "what the engine reaches of this");
    } else {
        printf("unknown: the nodes count no cycles of their units here\n");
        if (cluster_of_engines(&r->setup->machine.cluster)) /* other endpoints run at exact rungs */
            print_tried("--compare=ace,ideal", "how far the endpoint is from others");
    }
}

static int print_bound(const report *r, const saved_run *run) {
    bottleneck b;
    int rc;

    begin("bound by");
    rc = bottleneck_find(run, &r->setup->machine, &r->setup->machine.config, r->command, &b);
    if (rc != EXIT_OK) {
        print_unknown(r);
        return rc == EXIT_USAGE ? EXIT_OK : rc;
    }
    print_share(&b);
    print_close(&b);
    printf("\n");
    print_slow(&b);
    print_remedy(r, &b);
    return EXIT_OK;
}

/* Returns the collective that moves most bytes, to be examined as if it ran alone. If no unit was
 * in use most of the time, the needs of its chunks decide the bound. */
static ace_command largest(const report *r) {
    const workload *w = r->workload;
    const layer *top = &w->layers[0];
    ace_command c = { .kind = ACE_ALL_REDUCE,
                      .type = r->setup->machine.type_given ? r->setup->machine.type : w->element,
                      .op = r->setup->machine.op,
                      .dim_count = r->setup->machine.dim_count };

    for (unsigned i = 1; i < w->count; i++)
        if (w->layers[i].bytes > top->bytes) top = &w->layers[i];
    memcpy(c.dims, r->setup->machine.dims, sizeof c.dims);
    c.bytes = top->bytes ? top->bytes : 1;
    if (w->table.count) { /* its collectives have more kinds, and may use some dimensions only */
        const ace_command most = training_largest(r->training);

        if (most.bytes) {
            c.kind = most.kind;
            c.bytes = most.bytes;
            c.dim_count = most.dim_count;
            memcpy(c.dims, most.dims, sizeof c.dims);
        }
    }
    return c;
}

/* What compute lost, as shares of the run's time: to collectives, and to the host's launches. */
typedef struct lost {
    double collectives, launches;
} lost;

static lost lost_of(const report *r) {
    const double cycles = (double)r->cycles;
    lost l = { 0 };

    for (unsigned i = 0; i < r->setup->machine.iterations; i++) {
        const iteration it = training_iteration(r->training, i);

        l.collectives += (double)iteration_contention(&it) / cycles;
        l.launches += (double)it.launching / cycles;
    }
    return l;
}

/* Proposes half of the collectives' memory bandwidth. */
static void print_less_memory(const cluster *c) {
    char option[64];

    snprintf(option, sizeof option, "--memory-bandwidth=%.9gGB/s", cluster_memory_GBps(c) / 2);
    print_tried(option, "less for collectives leaves more for compute");
}

/* If compute hides the network, a faster network does not help. Where nodes differ in speed, the
 * slowest ones compute longest. */
static void print_compute_bound(const report *r, double exposed, const slow_nodes *slow) {
    const lost l = lost_of(r);
    const endpoint on = r->setup->machine.cluster.endpoint;
    const bool reserved = r->setup->machine.cluster.reserved;
    const bool several = strpbrk(slow->nodes, ",") != NULL;

    begin("bound by");
    printf("compute%s%s; in %.2f %% of the time an NPU only waits for communication",
           *slow->nodes ? several ? " of nodes " : " of node " : "", slow->nodes, 100 * exposed);
    if (*slow->nodes)
        printf(";\n%-11snode%s %s %s %.3g of full speed, and the others wait", "",
               several ? "s" : "", slow->nodes, several ? "have" : "has", slow->speed);
    if (l.collectives >= WORTH)
        printf(";\n%-11s%.1f %% of the time is what compute loses to %s", "", 100 * l.collectives,
               reserved ? "what is reserved for collectives" : "collectives");
    if (l.launches >= WORTH)
        printf(";\n%-11s%.1f %% of the time is waiting for the launches of the host", "",
               100 * l.launches);
    printf("\n");
    if (*slow->nodes)
        print_tried("--speed=1", "all nodes at full speed");
    else if (l.launches >= WORTH && l.launches > l.collectives)
        print_advice("a host that launches faster, the key host of the accelerator");
    else if (l.collectives >= WORTH && endpoint_is_baseline(on))
        print_tried("--endpoint=ace", "collectives that take no SMs and less memory bandwidth");
    else if (l.collectives >= WORTH && on != ENDPOINT_IDEAL)
        print_less_memory(&r->setup->machine.cluster);
    else
        print_advice("a faster NPU, the key npu of the cluster: a faster network cannot help");
}

static int print_training_bound(const report *r, const saved_run *run) {
    const double exposed = saved_number(run->root, "exposed_communication_cycles");
    const cluster *const nodes = &r->setup->machine.cluster;
    const ace_command c = largest(r);
    saved_run during = *run; /* of the units, while a collective was running */
    slow_nodes slow;
    bottleneck b;
    int rc;

    if (!bottleneck_slowest(nodes, cluster_nodes(nodes), &slow)) return message_no_memory();
    if (exposed < WORTH * (double)r->cycles ||
        bottleneck_slow_compute(&slow, saved_number(run->root, "compute_cycles"), exposed)) {
        print_compute_bound(r, exposed / (double)r->cycles, &slow);
        return EXIT_OK;
    }
    during.cycles = (double)(r->communication ? r->communication : 1);
    begin("bound by");
    printf("communication: ");
    /* The ideal endpoint counts nothing, and the bound of its largest collective does not bound the
     * run. */
    rc = r->setup->machine.cluster.endpoint == ENDPOINT_IDEAL
             ? EXIT_USAGE
             : bottleneck_find(&during, &r->setup->machine, &r->setup->machine.config, &c, &b);
    if (rc != EXIT_OK) {
        print_unknown(r);
    } else if (b.kind <= BOUND_CREDITS) {
        print_share(&b);
        printf(" of collectives");
        print_close(&b);
        printf("\n");
        print_slow(&b);
        print_remedy(r, &b);
    } else {
        printf("its latency; no unit is in use more than %.1f %% of the time\n",
               100 * (1 - b.share));
        print_advice("acesim explain, which runs the longest collectives alone");
    }
    return rc == EXIT_USAGE ? EXIT_OK : rc;
}

/* ---- what was checked -------------------------------------------------------------------------
 * */

static void print_dimensions(const cluster *c) {
    const char *comma = "";

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        if (c->ring[d] == 1) continue;
        printf("%s%c", comma, ACE_DIMENSION_LETTERS[d]);
        comma = ", ";
    }
}

static void print_bytes_checked(const report *r, unsigned nodes) {
    const unsigned representatives = fabric_representatives(r->f);
    char of[FIGURE], at[FIGURE];

    printf("bytes sent on ");
    print_dimensions(&r->setup->machine.cluster);
    if (r->setup->machine.cluster.endpoint == ENDPOINT_IDEAL) {
        printf(" equal the algorithm's formula by construction");
        return;
    }
    printf(" %s the algorithm's formula at ", r->bytes_ok ? "equal" : "do NOT equal");
    if (representatives < nodes)
        printf("all %s NPUs\n%-11s(%s simulated, the others behave alike)", figure_count(nodes, of),
               "", figure_count(representatives, at));
    else
        printf("each of the %s NPUs", figure_count(nodes, of));
}

static void print_check(const report *r) {
    const unsigned nodes = cluster_nodes(&r->setup->machine.cluster);

    begin("check");
    printf("%s: ", r->bytes_ok && r->payload_ok ? "passed" : "FAILED");
    if (nodes == 1)
        printf("one NPU has nothing to send");
    else
        print_bytes_checked(r, nodes);
    printf(";\n%-11s", "");
    if (r->payload_ok > 0)
        printf("every result compared with the reference, bit for bit\n");
    else if (!r->payload_ok)
        printf("results are NOT those of the reference, bit for bit\n");
    else if (r->setup->machine.payload)
        printf("payload carried and not compared, which --check does\n");
    else if (r->training || endpoint_is_baseline(r->setup->machine.cluster.endpoint) ||
             r->setup->machine.cluster.endpoint == ENDPOINT_IDEAL)
        printf("no payload is carried, so no values are compared\n");
    else
        printf("values are not carried; --payload random --check carries and compares them\n");
}

/* ---- faults -------------------------------------------------------------------------------------
 * */

/* Returns the sum of the counters whose names end with this text, over all links or units. */
static double statistics_sum(const cJSON *root, const char *end) {
    const cJSON *v;
    double sum = 0;

    cJSON_ArrayForEach(v, saved_item(root, "statistics")) {
        const size_t n = strlen(v->string), m = strlen(end);

        if (n >= m && !strcmp(v->string + n - m, end)) sum += v->valuedouble;
    }
    return sum;
}

static double frames_changed(const cJSON *root) {
    double sum = saved_number(root, "hub_faults.changed");
    const cJSON *g, *v;

    cJSON_ArrayForEach(g, saved_item(root, "node_groups")) {
        cJSON_ArrayForEach(v, saved_item(g, "link_faults.changed")) sum +=
            v->valuedouble * saved_number(g, "count");
    }
    return sum;
}

static void print_link_faults(const cJSON *root, size_t listed) {
    const double changed = frames_changed(root);
    const double resent = statistics_sum(root, ".resent") + saved_number(root, "hub_faults.resent");
    char a[FIGURE], b[FIGURE];

    if (changed > 0)
        printf("%s frame%s changed on links, %s packet%s sent again", figure_count(changed, a),
               changed == 1 ? "" : "s", figure_count(resent, b), resent == 1 ? "" : "s");
    else
        printf("hit nothing on links: no frame was changed");
    if (listed) printf(" (--faults names %zu bit%s)", listed, listed == 1 ? "" : "s");
}

static void print_scratchpad_faults(const cJSON *root) {
    const double corrected = statistics_sum(root, "scratchpad.corrected");
    char text[FIGURE];

    if (corrected > 0)
        printf("%s row%s corrected in scratchpads", figure_count(corrected, text),
               corrected == 1 ? "" : "s");
    else
        printf("hit nothing in scratchpads: no row with a wrong bit was read");
}

static void print_fault_cost(const report *r) {
    const double more = (double)r->cycles - (double)r->without_faults;
    char text[FIGURE];

    printf(";\n%-11s", "");
    if (!(more > 0 || more < 0))
        printf("not a cycle more than without them");
    else
        printf("%s cycles %s than without them (%.2f %%)", figure_count(fabs(more), text),
               more < 0 ? "fewer" : "more", 100 * fabs(more) / (double)r->without_faults);
}

static void print_faults(const report *r, const cJSON *root) {
    const faults *f = &r->setup->machine.faults;
    const bool link = f->link.chance || f->link.count;
    const bool scratchpad = f->scratchpad.chance || f->scratchpad.count;

    begin("faults");
    if (link) print_link_faults(root, f->link.count);
    if (link && scratchpad) printf(";\n%-11s", "");
    if (scratchpad) print_scratchpad_faults(root);
    if (!link && !scratchpad) printf("none, but links keep what they sent until it has arrived");
    if (r->without_faults) print_fault_cost(r);
    printf("\n");
}

/* ---- all of it ------------------------------------------------------------------------------- */

int answer_print(const report *r, cJSON *root) {
    saved_run run;
    int rc = EXIT_OK;

    print_title(r, root);
    if (r->training) {
        print_iterations(r);
    } else {
        print_time(r);
        print_algorithms(root);
        print_bandwidth(r, root);
    }
    print_graph(root);
    calibrated_error_print(root, 11);
    if (saved_run_of("the result", root, &run) == EXIT_OK) {
        rc = r->training ? print_training_bound(r, &run) : print_bound(r, &run);
    }
    print_check(r);
    if (r->setup->machine.fault_list) print_faults(r, root);
    if (r->setup->output.all)
        printf("\n");
    else
        printf("\nEvery number: --all. To test what may help: --format json > run.json, and then "
               "\"acesim\nexplain run.json\"; \"acesim report run.json\" draws it.\n");
    return rc;
}
