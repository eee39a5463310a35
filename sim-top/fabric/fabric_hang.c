/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_hang.c -- reports which node waits for which, when a run makes no progress
 *
 * A node waits for another for one of two reasons. First, the other was not given a collective that
 * this one was given. The members of a group get the same number of collectives over the group, so
 * the fabric finds the member that is behind. Second, all members were given their collectives, and
 * something between them was lost. Then the node's dump names the link, and the fabric names the
 * node at its other end.
 */
#include "cluster.h"
#include "exit_status.h"
#include "fabric.h"
#include "fabric_internal.h"
#include "values.h"

enum {
    NODES_SHOWN = 8,
    BEHIND_SHOWN = 4 /* for each node */
};

/* Writes the dimensions of the mask, as in "x, y". */
static const char *dimensions(unsigned mask, char to[3 * ACE_CLUSTER_DIMENSIONS]) {
    size_t at = 0;

    to[0] = '\0';
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (mask >> d & 1)
            at += (size_t)snprintf(to + at, 3 * ACE_CLUSTER_DIMENSIONS - at, "%s%c", at ? ", " : "",
                                   ACE_DIMENSION_LETTERS[d]);
    return to;
}

/* Returns whether two are members of one group over the dimensions of the mask: their ranks differ
 * only there. */
static bool together(const representative *a, const representative *b, unsigned mask) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (!(mask >> d & 1) && a->cfg.rank[d] != b->cfg.rank[d]) return false;
    return true;
}

/* Prints the members of a group to which fewer collectives were submitted than to `a`. */
static void print_behind(const fabric *f, const representative *a) {
    char text[3 * ACE_CLUSTER_DIMENSIONS];
    unsigned printed = 0;

    for (unsigned mask = 1; mask < 1U << ACE_CLUSTER_DIMENSIONS; mask++)
        for (unsigned i = f->first; i < f->end; i++) {
            const representative *b = &f->representative[i];

            if (b->submitted[mask] >= a->submitted[mask] || !together(a, b, mask)) continue;
            if (printed++ == BEHIND_SHOWN) {
                fprintf(stderr, "   (and for others)\n");
                return;
            }
            fprintf(stderr,
                    "   for node %u: %u collectives over %s were submitted to it, %u to node %u\n",
                    b->first_node, b->submitted[mask], dimensions(mask, text), a->submitted[mask],
                    a->first_node);
        }
}

/* Prints where the links lead that the node's dump names. */
static void print_links(const fabric *f, const representative *a) {
    const char *before = "   its links: ";

    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (!a->out[l]) continue;
        fprintf(stderr, "%s%c%c to ", before, ACE_DIMENSION_LETTERS[l / 2], "+-"[l % 2]);
        if (a->from_hub[l / 2])
            fprintf(stderr, "a hub");
        else
            fprintf(stderr, "node %u", f->representative[a->to[l]].first_node);
        before = ", ";
    }
    if (*before == ',') fputc('\n', stderr);
}

static void print_waiting(const fabric *f, const representative *a) {
    unsigned submitted = 0;

    for (unsigned mask = 0; mask < 1U << ACE_CLUSTER_DIMENSIONS; mask++)
        submitted += a->submitted[mask];
    fprintf(stderr, "-- node %u (%s) waits: %u of its %u submitted commands have completed\n",
            a->first_node, ace_node_rung(a->node), a->completed, submitted);
    print_behind(f, a);
    print_links(f, a);
    ace_node_dump(a->node, stderr);
}

int fabric_hang(const fabric *f, const char *why) {
    unsigned shown = 0;

    for (unsigned i = f->first; i < f->end; i++) {
        if (f->driver->finished(f->driver->self, i)) continue;
        if (!shown)
            fprintf(stderr, "acesim: hang at cycle %llu: %s\n", (unsigned long long)f->now, why);
        if (shown++ == NODES_SHOWN) {
            fprintf(stderr, "(more nodes wait)\n");
            break;
        }
        if (f->driver->waits && f->driver->waits(f->driver->self, i, stderr)) continue;
        print_waiting(f, &f->representative[i]);
    }
    for (unsigned i = 0; shown && i < f->hubs; i++) hub_print(f->hub[i]);
    return shown ? EXIT_CHECK : EXIT_OK;
}
