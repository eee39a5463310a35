/* SPDX-License-Identifier: Apache-2.0 */
/* run_cost.c -- measures what a command cost, for the waiting user; never part of a result */
#include "run_cost.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#include "exit_status.h"

double run_cost_start(void) {
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void run_cost_print(double start, int status) {
    struct rusage used;

    if (status == EXIT_USAGE) return;
    getrusage(RUSAGE_SELF, &used);
    fprintf(stderr, "wall time %.3f s, %.1f MiB\n", run_cost_start() - start,
            (double)used.ru_maxrss / 1024);
}

void run_cost_left(char *to, size_t room, double seconds) {
    const unsigned long long left = (unsigned long long)(seconds + 0.5);

    if (left >= 3600)
        snprintf(to, room, ", %llu h %02llu min left", left / 3600, left / 60 % 60);
    else if (left >= 60)
        snprintf(to, room, ", %llu min %02llu s left", left / 60, left % 60);
    else
        snprintf(to, room, ", %llu s left", left);
}
