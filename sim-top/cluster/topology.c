/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.c -- reads and prints topologies such as 4x2x2 and Ring(4)_Switch(8)
 *
 * A topology of rings alone is printed in the short form with at least three numbers. Any other is
 * printed by name.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"
#include "values.h"

static const char *const wiring_names[] = { "Ring", "Switch", "FullyConnected", "Links", NULL };

/* Parses a number of members at s, 1 to 512, and sets *rest to the following text. Returns 0 if
 * there is none. */
static uint16_t members(const char *s, const char **rest) {
    char *e = NULL;
    const unsigned long v = isdigit((unsigned char)*s) ? strtoul(s, &e, 10) : 0;

    if (v < 1 || v > ACE_CLUSTER_MEMBERS) return 0;
    *rest = e;
    return (uint16_t)v;
}

unsigned parse_topology(const char *s, uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                        uint8_t wiring[ACE_CLUSTER_DIMENSIONS]) {
    const bool named = isalpha((unsigned char)*s);

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        ring[d] = 1;
        wiring[d] = WIRING_RING;
    }
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        if (named) {
            unsigned k = 0;

            while (wiring_names[k] && strncmp(s, wiring_names[k], strlen(wiring_names[k]))) k++;
            if (!wiring_names[k] || s[strlen(wiring_names[k])] != '(') return 0;
            wiring[d] = (uint8_t)k;
            s += strlen(wiring_names[k]) + 1;
        }
        if (!(ring[d] = members(s, &s))) return 0;
        if (named && *s++ != ')') return 0;
        if (!*s) return d + 1;
        if (*s++ != (named ? '_' : 'x')) return 0;
    }
    return 0;
}

void print_topology(const cluster *c, char to[TOPOLOGY_TEXT]) {
    size_t n = 0;
    unsigned written = 3; /* of rings, at least */
    bool rings = true;

    for (unsigned d = written; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (c->ring[d] > 1) written = d + 1;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        rings = rings && c->wiring[d] == WIRING_RING;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const char *const between = d == 0 ? "" : rings ? "x" : "_";

        if ((!rings && d > 0 && c->ring[d] == 1) || d >= written) continue;
        n += (size_t)(rings ? snprintf(to + n, TOPOLOGY_TEXT - n, "%s%u", between, c->ring[d])
                            : snprintf(to + n, TOPOLOGY_TEXT - n, "%s%s(%u)", between,
                                       wiring_names[c->wiring[d]], c->ring[d]));
    }
}

void print_wiring(const cluster *c, char *to, size_t room) {
    size_t n = 0;

    for (unsigned d = 0; d < cluster_dimensions(c) && n < room; d++)
        n += (size_t)snprintf(to + n, room - n, "%s%s(%u)", d ? "_" : "",
                              wiring_names[c->wiring[d]], c->ring[d]);
}
