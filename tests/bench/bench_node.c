/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench_node.c -- what a node costs: processor time per cycle and memory, of one rung
 *
 *     bench_node RUNG X Y Z BYTES [idle | folded]
 *
 * Builds a timing-only torus of X x Y x Z nodes of a rung (`cycle` or `rtl`), gives every
 * node one all-reduce of BYTES over its rings, and runs to the end in one thread.  Prints
 * one line: rung, node cycles, processor seconds, node cycles per second, bytes per node.
 * Cycles a driver skips because nothing can change are counted too, so BYTES is to be
 * large enough that all nodes have work for nearly all of the time.
 *
 * `idle` gives no work; BYTES is then the number of cycles.  `folded` makes one node, which
 * hears itself and so stands for all: 16 nodes that do the same one after the other flatter
 * the branch predictor.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "ace_node.h"
#include "ace_plan.h"
#include "ace_rtl_node.h"

enum { WINDOW = 90 };
static const double CLOCK_MHZ = 1245;

static double processor_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static long peak_kib(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Cycles a row takes, Q16.8. */
static uint32_t cost(double gigabytes_per_second) {
    return (uint32_t)(ACE_ROW_BYTES * CLOCK_MHZ / 1000. / gigabytes_per_second * ACE_COST_ONE);
}

static int fail(const char *what) {
    fprintf(stderr, "bench_node: %s\n", what);
    return 1;
}

/* Long: a measurement from top to bottom. */
int main(int argc, char **argv) {
    if (argc < 6) return fail("RUNG X Y Z BYTES [idle | folded]");
    const char *const mode = argc > 6 ? argv[6] : "";
    const bool rtl = !strcmp(argv[1], "rtl");
    const bool idle = !strcmp(mode, "idle"), folded = !strcmp(mode, "folded");
    if (*mode && !idle && !folded) return fail("idle or folded");
    unsigned ring[ACE_DIMENSIONS] = { 1, 1, 1, 1 }, nodes = 1;
    for (unsigned i = 0; i < 3; i++) {
        ring[i] = (unsigned)strtoul(argv[2 + i], NULL, 0);
        if (ring[i] < 1 || ring[i] > 16) return fail("a ring has 1 to 16 nodes");
        if (!folded) nodes *= ring[i];
    }
    const uint64_t amount = strtoull(argv[5], NULL, 0);
    ace_wire **wire = calloc(nodes * ACE_LINKS, sizeof *wire);
    ace_node **node = calloc(nodes, sizeof *node);
    if (!wire || !node) return fail("no memory");

    const long before = peak_kib();
    for (unsigned i = 0; i < nodes * ACE_LINKS; i++)
        if (ring[i % ACE_LINKS / 2] > 1 &&
            !(wire[i] = ace_wire_create(i % ACE_LINKS < 2 ? WINDOW : 500, WINDOW, false)))
            return fail("no memory");
    const ace_command command = { .kind = ACE_ALL_REDUCE,
                                  .type = ACE_FP32,
                                  .dim_count = 3,
                                  .dims = { 0, 1, 2 },
                                  .bytes = amount };
    for (unsigned i = 0; i < nodes; i++) {
        const unsigned place[] = { i % ring[0], i / ring[0] % ring[1], i / ring[0] / ring[1], 0 };
        ace_node_setup setup = { .parameters = ACE_PARAMETERS_DEFAULT };
        ace_config *c = &setup.config;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            c->ring[d] = (uint16_t)ring[d];
            c->rank[d] = (uint16_t)place[d];
            c->link_cost[d] = cost((d ? 25 : 200) * 0.94);
        }
        c->chunk_rows = 256;
        c->read_cost = c->write_cost = cost(128);
        c->memory_latency = 200;
        if (ace_plan_partitions(&setup.parameters, c)) return fail("no partitions");
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            const unsigned n = ring[l / 2];
            if (n < 2) continue;
            unsigned at[] = { place[0], place[1], place[2] };
            at[l / 2] = (at[l / 2] + (l & 1 ? n - 1 : 1)) % n;
            setup.out[l] = wire[i * ACE_LINKS + l];
            const unsigned from = folded ? 0 : at[0] + ring[0] * (at[1] + ring[1] * at[2]);
            setup.in[l] = wire[from * ACE_LINKS + (l ^ 1)];
        }
        if (rtl ? ace_rtl_node_create(&setup, NULL, &node[i])
                : ace_cycle_node_create(&setup, &node[i]))
            return fail("a node cannot be made");
        if (!idle && ace_node_submit(node[i], &command, 0)) return fail("command refused");
    }

    const double start = processor_seconds();
    uint64_t now = 0;
    for (unsigned done = 0; idle ? now < amount : done < nodes; now += WINDOW)
        for (unsigned i = 0; i < nodes; i++) {
            ace_completion completion;
            ace_node_run(node[i], now + WINDOW);
            while (ace_node_completion(node[i], &completion)) done++;
            if (ace_node_error(node[i])) return fail("a node reports an error");
        }
    const double seconds = processor_seconds() - start;
    const long memory = (peak_kib() - before) * 1024 / (long)nodes;
    const double cycles = (double)now * nodes;
    printf("%s %.0f %.3f %.0f %ld\n", argv[1], cycles, seconds, cycles / seconds, memory);

    for (unsigned i = 0; i < nodes; i++) ace_node_destroy(node[i]);
    for (unsigned i = 0; i < nodes * ACE_LINKS; i++) ace_wire_destroy(wire[i]);
    free(node);
    free(wire);
    return 0;
}
