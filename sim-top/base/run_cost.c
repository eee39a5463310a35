/* SPDX-License-Identifier: Apache-2.0 */
/* run_cost.c -- what a command cost, for the person who waits; never part of a result */
#include "run_cost.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

double run_cost_start(void) {
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void run_cost_print(double start) {
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    fprintf(stderr, "wall time %.3f s, %.1f MiB\n", run_cost_start() - start,
            (double)used.ru_maxrss / 1024);
}
