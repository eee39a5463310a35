/* SPDX-License-Identifier: Apache-2.0 */
/* machine_links.c -- passes a machine's values as defaults to the reader of a link file */
#include "machine_links.h"

#include <math.h>

#include "exit_status.h"
#include "link_graph.h"

/* Returns the values of links for which the file gives none. */
static link_defaults defaults_of(const cluster *c, unsigned dimension) {
    return (link_defaults){ .GBps = c->links_GBps > 0            ? c->links_GBps
                                    : c->npu_GBps[dimension] > 0 ? c->npu_GBps[dimension]
                                                                 : c->link_GBps[dimension],
                            .efficiency = cluster_link_share(c, dimension),
                            .clock_MHz = c->clock_MHz,
                            .latency = c->link_latency[dimension],
                            .npus = c->ring[dimension] };
}

int machine_shortest_link(const cluster *c, uint32_t *cycles) {
    const int d = cluster_links_dimension(c);
    link_graph *g;

    *cycles = 0;
    if (d < 0 || !*c->links) return EXIT_OK;
    link_defaults of = defaults_of(c, (unsigned)d);
    of.links_alone = true;
    const int rc = link_graph_read(c->links, &of, &g);
    if (rc != EXIT_OK) return rc;
    *cycles = g->shortest;
    link_graph_destroy(g);
    return EXIT_OK;
}

int machine_links_read(const machine *m, link_graph **graph) {
    const cluster *const c = &m->cluster;
    const int d = cluster_links_dimension(c);

    if (d < 0) return EXIT_OK;
    link_defaults of = defaults_of(c, (unsigned)d);
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
    unsigned stride = 1, place[LINK_GRAPH_NPUS];
    bool moved = false;

    if (!g || g->ordered || d < 0) return false;
    for (int k = 0; k < d; k++) stride *= m->cluster.ring[k];
    for (unsigned i = 0; i < g->npus; i++) {
        place[g->order[i]] = i;
        moved = moved || g->order[i] != i;
    }
    for (unsigned n = 0; n < m->nodes; n++) {
        const unsigned at = n / stride % g->npus;

        npu_of[n] = n + place[at] * stride - at * stride;
    }
    return moved;
}
