/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.c -- prints the progress line, and estimates the time left from the share done
 *
 * The estimate assumes that the rest runs at the pace so far. It is left out until a second has
 * passed and one percent is done.
 */
#include "progress.h"

#include <stdio.h>

#include "figures.h"
#include "run_cost.h"

/* With less time or a smaller share than this, no time left is estimated. Seconds; share of 1. */
static const double SECONDS = 1, SHARE = 0.01, FIRST_OF_LOG = 10;

/* Writes "", or the time left at the pace so far. */
static void print_left(const meter *m, double share, double now, char *to, size_t room) {
    const double took = now - m->from, done = share - m->first;

    *to = '\0';
    if (took < SECONDS || done < SHARE) return;
    run_cost_left(to, room, took / done * (1 - share));
}

void progress_show(meter *m, double share, uint64_t cycle) {
    const double now = run_cost_start();
    char number[FIGURE], left[40], text[PROGRESS_WIDTH + 40];
    int percent;

    if (share > 1) share = 1;
    percent = (int)(share * 100);
    if (!m->begun) {
        m->begun = true;
        m->from = now;
        m->first = share;
        m->due = FIRST_OF_LOG;
        if (m->log) return;
    } else if (m->log) {
        if (now - m->from < m->due) return;
        m->due *= 2;
    } else if (percent == m->shown && now - m->last < SECONDS) {
        return;
    }
    m->shown = percent;
    m->last = now;
    print_left(m, share, now, left, sizeof left);
    snprintf(text, sizeof text, "%3d %% cycle %s%s", percent, figure_count((double)cycle, number),
             left);
    if (m->log)
        fprintf(stderr, "%s\n", text);
    else
        fprintf(stderr, "\r%-*s", PROGRESS_WIDTH, text);
    fflush(stderr);
}
