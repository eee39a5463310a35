/* SPDX-License-Identifier: Apache-2.0 */
/* cost.c -- what a command cost, for the person who waits; never part of a result */
#include <sys/resource.h>
#include <time.h>

#include "acesim.h"

double cost_start(void) {
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void cost_print(double start) {
    struct rusage used;

    getrusage(RUSAGE_SELF, &used);
    fprintf(stderr, "wall time %.3f s, %.1f MiB\n", cost_start() - start,
            (double)used.ru_maxrss / 1024);
}
