/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults_link.c -- faults of links: their text, and which bit of a frame they flip
 *
 * A random draw depends only on the seed, the node, the link and the cycle. So threads, processes
 * and folding do not change it. The timeout of the links' retry follows from the longest latency.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_random.h"
#include "exit_status.h"
#include "faults.h"
#include "refusal.h"

enum { SLACK = 64 }; /* cycles of an acknowledgement in the nodes, with a margin */

static bool read_number(const char **at, char end, uint64_t high, uint64_t *v) {
    char *past;

    if (**at < '0' || **at > '9') return false;
    *v = strtoull(*at, &past, 0);
    if (*past != end || *v > high) return false;
    *at = past + (end != '\0');
    return true;
}

static bool read_rate(const char *item, link_faults *to) {
    char *past;
    const double rate = strtod(item, &past);
    const char *seed = past + 1;

    if (past == item || !(rate >= 0 && rate <= 1) || to->chance) return false;
    to->chance = rate < 1 ? (uint64_t)ldexp(rate, 64) : UINT64_MAX;
    to->seed = 1;
    return !*past || (*past == ':' && read_number(&seed, '\0', UINT64_MAX, &to->seed));
}

bool link_faults_read(const char *item, link_faults *to) {
    uint64_t node, link, cycle, bit;
    link_fault *listed;
    const char *at = item;

    to->any = true;
    if (!strchr(item, '@')) return read_rate(item, to);
    if (!read_number(&at, '.', UINT32_MAX, &node) ||
        !read_number(&at, '@', LINK_FAULT_PLACES - 1, &link) ||
        !read_number(&at, '=', UINT64_MAX, &cycle) || !read_number(&at, '\0', ACE_BITS - 1, &bit))
        return false;
    listed = realloc(to->listed, (to->count + 1) * sizeof *listed);
    if (!listed) return false;
    to->listed = listed;
    listed[to->count++] = (link_fault){
        .node = (unsigned)node, .link = (unsigned)link, .cycle = cycle, .bit = (uint16_t)bit
    };
    return true;
}

static uint32_t longest(const cluster *c) {
    uint32_t latency = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (c->ring[d] > 1 && c->link_latency[d] > latency) latency = c->link_latency[d];
    return latency;
}

uint16_t link_faults_retry(const cluster *c) { return (uint16_t)(2 * longest(c) + SLACK); }

int link_faults_check(const link_faults *f, const cluster *c, unsigned nodes, refusal *why) {
    if (longest(c) > (UINT16_MAX - SLACK) / 2)
        return refuse(why, "--faults: found link faults with a link latency above 32735 cycles, "
                           "expected a shorter one");
    for (size_t i = 0; i < f->count; i++) {
        const link_fault *l = &f->listed[i];

        if (l->node >= nodes) {
            return refuse(why, "--faults: found node %u, expected one of 0 to %u", l->node,
                          nodes - 1);
        }
        const unsigned d = l->link % LINK_FROM_HUB / 2;
        if (c->ring[d] == 1 || (l->link >= LINK_FROM_HUB && c->wiring[d] == WIRING_RING)) {
            return refuse(why,
                          "--faults: found link %u, expected one of a dimension of more than one "
                          "node, or from %u on one from a hub",
                          l->link, (unsigned)LINK_FROM_HUB);
        }
    }
    return EXIT_OK;
}

uint16_t link_disturb(void *self, const ace_flit *f) {
    link_disturber *w = self;
    link_faults *all = w->faults;
    const uint64_t position =
        all->seed * ACE_RANDOM_STEP + w->node * (uint64_t)LINK_FAULT_PLACES + w->link;
    uint64_t draw = ace_random_mix(ace_random_mix(position) + f->cycle);
    int bit = -1;

    for (size_t i = 0; i < all->count; i++) {
        link_fault *l = &all->listed[i];

        if (l->node != w->node || l->link != w->link || l->done || bit >= 0 ||
            f->cycle < l->cycle + w->latency || !ace_flit_has(f, l->bit))
            continue;
        l->done = true;
        bit = l->bit;
    }
    if (bit < 0 && draw < all->chance) do {
            draw = ace_random_mix(draw + ACE_RANDOM_STEP);
            bit = (int)(draw % (f->data ? (unsigned)ACE_BITS : (unsigned)ACE_BIT_ROUTE));
        } while (!ace_flit_has(f, (unsigned)bit));
    w->changed += bit >= 0;
    return (uint16_t)(bit + 1);
}
