/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_collective.c -- what bounded one collective
 *
 * The verdict comes from the cycle classes of the result (bottleneck.h). It is printed with its
 * evidence: how long each unit of the node was in use. Then changes are tried against it.
 */
#include <inttypes.h>
#include <stdio.h>

#include "ace_plan.h"
#include "exchange_counts.h"
#include "exit_status.h"
#include "explain_inside.h"

/* A unit of another kind with this share of the largest use is printed, too. */
static const double CLOSE_BEHIND = 0.9;

static const char *const use_names[USES] = { "links of x", "links of y",  "links of z",
                                             "links of w", "memory read", "memory write",
                                             "ALUs",       "send pipes",  "store pipe",
                                             "SMs",        "router",      "switch bandwidth" };

/* True if the endpoint has the unit and the collective can use it. */
static bool has_use(const explain *e, const bottleneck *b, unsigned use) {
    const endpoint end = e->o.machine.cluster.endpoint;

    switch (use) {
    case USE_READ:
    case USE_WRITE: return end != ENDPOINT_IDEAL;
    case USE_ALU:
    case USE_SEND:
    case USE_STORE: return end == ENDPOINT_ACE && b->way != WAY_ROWS;
    case USE_SMS: return endpoint_is_baseline(end);
    case USE_ROUTER:
    case USE_SWITCH: return b->use[use] > 0;
    default: return e->run.ring[use] > 1;
    }
}

static void print_use(const explain *e, const bottleneck *b) {
    printf("\n%-16s %11s\n", "in use", "of cycles");
    for (unsigned i = 0; i < USES; i++) {
        if (!has_use(e, b, i)) continue;
        printf("%-16s %9.1f %%", use_names[i], 100 * b->use[i]);
        if (i < ACE_DIMENSIONS && b->credits[i] >= 0.001)
            printf("   waiting for credits %.1f %%", 100 * b->credits[i]);
        printf("\n");
    }
    if (!b->chunks) return;
    printf("%-16s %11llu", "chunks", (unsigned long long)b->chunks);
    if (b->fits != UINT32_MAX)
        printf("   at a time at most %u by FSM contexts, %u by partition %u of the scratchpad",
               b->contexts, b->fits, b->partition);
    else if (b->software)
        printf("   at a time at most %u", b->contexts);
    printf("\n");
}

/* Prints units of another kind that had nearly as much work. With such a unit, improving only the
 * busiest one gains little. */
static void print_close(const bottleneck *b) {
    for (unsigned i = 0; i < USES && b->kind < BOUND_CREDITS; i++) {
        const bool link = i < ACE_DIMENSIONS, memory = i == USE_READ || i == USE_WRITE;
        const bool own = b->kind == BOUND_LINKS    ? link && b->dims[i]
                         : b->kind == BOUND_MEMORY ? memory
                                                   : b->use[i] >= b->share;

        if (!own && b->use[i] >= CLOSE_BEHIND * b->share)
            printf("close behind: %s, %.1f %%\n", use_names[i], 100 * b->use[i]);
    }
}

/* Prints how long links wait for credits, and how many packets a round trip needs. */
static void print_credits(const bottleneck *b) {
    unsigned needed = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (b->dims[d] && b->needed[d] > needed) needed = b->needed[d];
    printf("links wait in %.1f %% of the cycles", 100 * b->share);
    if (b->rows < needed)
        printf("; an input buffer holds %u packets of %d bytes, a round trip %u", b->rows,
               ACE_ROW_BYTES, needed);
    printf("\n");
}

/* Prints how slow the nodes are whose memory bounds the run, and how long their rows wait. */
static void print_slow(const bottleneck *b) {
    const slow_nodes *s = &b->slow;

    if (b->kind != BOUND_MEMORY || !*s->nodes) return;
    printf(
        "the speed there is %.3g of full speed; on the fastest nodes memory is in use in %.1f %%\n",
        s->speed, 100 * s->fast_use);
    if (s->waits > s->fast_waits)
        printf(
            "rows there wait for memory in %.1f %% of the cycles, on the fastest nodes in %.1f %%\n",
            100 * s->waits, 100 * s->fast_waits);
}

/* Prints the verdict in a sentence, with its evidence. */
static void print_verdict(const bottleneck *b) {
    const double idle = 100 * (1 - b->share);
    char name[96];

    bottleneck_name(b, name, sizeof name);
    if (b->kind == BOUND_STEPS) {
        printf(
            "\ntwo steps, one after the other, and over both no unit in use in more than %.1f %% "
            "of the cycles: what bounds it is found by trying\n",
            idle);
        return;
    }
    printf("\nbound by %s: ", name);
    if (b->kind < BOUND_CREDITS)
        printf("in use in %.1f %% of the cycles\n", 100 * b->share);
    else if (b->kind == BOUND_CREDITS)
        print_credits(b);
    else if (b->chunks)
        printf(
            "%llu chunks, no unit in use in more than %.1f %% of the cycles; the latencies that a "
            "chunk meets are %.1f %%\n",
            (unsigned long long)b->chunks, idle, 100 * b->latency);
    else
        printf("no unit in use in more than %.1f %% of the cycles; the latencies that a row meets "
               "are %.1f %%\n",
               idle, 100 * b->latency);
    print_close(b);
    print_slow(b);
    printf("would help: %s\n", bottleneck_remedy(b));
}

int explain_collective(explain *e) {
    const double fraction = saved_number(e->run.root, "fraction_of_ideal");
    ace_command c = machine_collective(&e->o.machine);
    bottleneck b;
    int rc;

    if (c.kind == ACE_ALL_TO_ALL_V) {
        rc = exchange_counts_make(&e->o.machine, ace_plan_members(&c, &e->o.machine.config),
                                  &e->counts);

        if (rc != EXIT_OK) return rc;
        c.counts = e->counts;
    }
    rc = bottleneck_find(&e->run, &e->o.machine, &e->o.machine.config, &c, &b);
    if (rc == EXIT_USAGE)
        fprintf(stderr, "acesim: %s: found no cycles of its units, expected them in node_groups\n",
                e->request->file);
    if (rc != EXIT_OK) return rc;
    printf("%s ", e->run.what);
    if (c.bytes) printf("of %llu bytes ", (unsigned long long)c.bytes);
    printf("on %s: %" PRIu64 " cycles", saved_text(e->run.root, "topology"),
           explain_cycles(&e->run));
    if (fraction > 0) printf(", %.1f %% of the bandwidth of the links", 100 * fraction);
    printf("\n");
    print_use(e, &b);
    print_verdict(&b);
    explain_changes(e, &b, EXPLAIN_GAIN);
    return EXIT_OK;
}
