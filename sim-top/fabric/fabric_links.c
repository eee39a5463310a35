/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_links.c -- collects the counters of all nodes' links over processes and folding
 *
 * Each process fills in its own representatives and leaves 0 elsewhere. So a maximum over the
 * processes completes the table. Each node then gets a copy of its representative's counters.
 */
#include "fabric_links.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "fabric_internal.h"
#include "message.h"
#include "processes.h"

static uint64_t statistic(const ace_statistic *s, size_t n, unsigned link, const char *what) {
    char name[40];

    snprintf(name, sizeof name, "link.%c%c.%s", ACE_DIMENSION_LETTERS[link / 2], "+-"[link % 2],
             what);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(s[i].name, name)) return s[i].value;
    return 0;
}

static void count(fabric *f, unsigned representative, unsigned links, fabric_link_count *to) {
    ace_statistic s[STATISTICS];
    size_t n = ace_node_statistics(fabric_node(f, representative), s, STATISTICS);

    if (n > STATISTICS) n = STATISTICS;
    for (unsigned l = 0; l < links; l++)
        to[l] = (fabric_link_count){ .bytes = fabric_link_bytes(f, representative, l),
                                     .busy = statistic(s, n, l, "busy"),
                                     .starved = statistic(s, n, l, "starved"),
                                     .blocked = statistic(s, n, l, "blocked") };
}

fabric_link_count *fabric_links(fabric *f, unsigned nodes, unsigned dimensions) {
    const unsigned representatives = fabric_representatives(f), links = 2 * dimensions;
    enum { VALUES = sizeof(fabric_link_count) / sizeof(uint64_t) };
    fabric_link_count *of = calloc((size_t)representatives * links, sizeof *of);
    fabric_link_count *to = calloc((size_t)nodes * links, sizeof *to);

    if (processes_agree(of && to ? EXIT_OK : message_no_memory()) != EXIT_OK) {
        free(of);
        free(to);
        return NULL;
    }
    for (unsigned i = 0; i < representatives; i++)
        if (fabric_is_local(f, i)) count(f, i, links, &of[i * links]);
    processes_maximum((uint64_t *)of, representatives * links * VALUES);
    for (unsigned i = 0; i < nodes; i++)
        memcpy(&to[i * links], &of[fabric_representative_of(f, i) * links], links * sizeof *to);
    free(of);
    return to;
}

uint64_t fabric_most(fabric *f, const char *counter) {
    enum { COUNTERS = 256 };
    uint64_t most = 0;

    for (unsigned i = 0; i < fabric_representatives(f); i++) {
        ace_statistic s[COUNTERS];
        const size_t count =
            fabric_is_local(f, i) ? ace_node_statistics(fabric_node(f, i), s, COUNTERS) : 0;

        for (size_t k = 0; k < count && k < COUNTERS; k++)
            if (!strcmp(s[k].name, counter) && s[k].value > most) most = s[k].value;
    }
    processes_maximum(&most, 1);
    return most;
}
