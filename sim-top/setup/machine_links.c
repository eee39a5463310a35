/* SPDX-License-Identifier: Apache-2.0 */
/* machine_links.c -- passes a machine's values as defaults to the reader of a link file */
#include "machine_links.h"

#include <math.h>

#include "exit_status.h"
#include "link_graph.h"

int machine_shortest_link(const cluster *c, uint32_t *cycles) {
    link_defaults of;
    link_graph *g;

    *cycles = 0;
    if (!*c->links || !cluster_link_defaults(c, &of)) return EXIT_OK;
    of.links_alone = true;
    const int rc = link_graph_read(c->links, &of, &g);
    if (rc != EXIT_OK) return rc;
    *cycles = g->shortest;
    link_graph_destroy(g);
    return EXIT_OK;
}

int machine_links_read(const machine *m, link_graph **graph) {
    const cluster *const c = &m->cluster;
    link_defaults of;

    if (!cluster_link_defaults(c, &of)) return EXIT_OK;
    of.keep_numbers = m->keep_numbers;
    return link_graph_read(c->links, &of, graph);
}

int machine_links_GBps(const machine *m, double *GBps) {
    link_graph *g = NULL;
    const int rc = machine_links_read(m, &g);

    *GBps = 0;
    for (unsigned i = 0; rc == EXIT_OK && g && i < g->npus; i++)
        *GBps = fmax(*GBps, link_graph_GBps(g, i));
    link_graph_destroy(g);
    return rc;
}

double machine_member_GBps(const machine *m, unsigned rank) {
    return link_graph_GBps(m->graph, m->graph->order[rank]);
}

bool machine_moved(const machine *m, unsigned *npu_of) {
    const link_graph *const g = m->graph;
    const int d = cluster_links_dimension(&m->cluster);
    unsigned stride = 1, rank[LINK_GRAPH_NPUS];
    bool moved = false;

    if (!g || g->ordered || d < 0) return false;
    for (int k = 0; k < d; k++) stride *= m->cluster.ring[k];
    for (unsigned i = 0; i < g->npus; i++) {
        rank[g->order[i]] = i;
        moved = moved || g->order[i] != i;
    }
    for (unsigned n = 0; n < m->nodes; n++) {
        const unsigned at = n / stride % g->npus;

        npu_of[n] = n + rank[at] * stride - at * stride;
    }
    return moved;
}
