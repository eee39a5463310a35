/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_routes.c -- routes between all pairs, and a short ring through all NPUs
 *
 * Routes come from Dijkstra's algorithm. The time counts first, then the squared load of the links,
 * so equal routes spread the traffic. Several passes remove each route and choose again. The ring
 * of up to 16 NPUs is exact (dynamic programming over sets). A larger ring comes from local search
 * with random kicks, whose generator has a fixed seed.
 */
#include <stdlib.h>
#include <string.h>

#include "ace_types.h"
#include "link_graph.h"

enum {
    PASSES = 8,      /* over all pairs */
    EXACT_NPUS = 16, /* most NPUs for which the ring is exact */
    KICKS = 2000,    /* random changes from which the search for a larger ring restarts */
    STRETCH = 3      /* most NPUs that the search moves together */
};

/* The quality of a path: when a row arrives, in cycles Q16.8, and the sum of the squared loads
 * of its links. With squares, one link with a large load counts more than two links with half
 * the load. */
typedef struct path {
    uint64_t time, load;
} path;

static bool better(path a, path b) { return a.time != b.time ? a.time < b.time : a.load < b.load; }

/* Finds the best paths from a node to all others (Dijkstra). last[] is the last link on the path to
 * each. load: for each link, the cycles of a row of every pair whose route crosses it. */
static void find_paths(const link_graph *g, unsigned from, const uint64_t *load, path *best,
                       uint16_t *last) {
    bool done[LINK_GRAPH_NODES] = { false };

    for (unsigned i = 0; i < g->nodes; i++) best[i] = (path){ UINT64_MAX, UINT64_MAX };
    best[from] = (path){ 0, 0 };
    for (;;) {
        unsigned at = g->nodes;

        for (unsigned i = 0; i < g->nodes; i++)
            if (!done[i] && best[i].time != UINT64_MAX &&
                (at == g->nodes || better(best[i], best[at])))
                at = i;
        if (at == g->nodes) return;
        done[at] = true;
        for (unsigned k = 0; k < g->links; k++) {
            const graph_link *const l = &g->link[k];
            const path w = { best[at].time + (uint64_t)l->latency * ACE_COST_ONE + l->cost,
                             best[at].load + load[k] * load[k] };

            if (l->from != at || done[l->to] || !better(w, best[l->to])) continue;
            best[l->to] = w;
            last[l->to] = (uint16_t)k;
        }
    }
}

static void take_route(const link_graph *g, unsigned from, unsigned to, const uint16_t *last,
                       link_route *r) {
    *r = (link_route){ 0 };
    for (unsigned at = to; at != from; at = g->link[last[at]].from) r->hops++;
    for (unsigned at = to, i = r->hops; at != from; at = g->link[last[at]].from) {
        r->link[--i] = last[at];
        r->latency += g->link[last[at]].latency;
    }
}

static void add_load(const link_graph *g, const link_route *r, bool more, uint64_t *load) {
    for (unsigned h = 0; h < r->hops; h++) {
        const uint64_t cycles = g->link[r->link[h]].cost / ACE_COST_ONE;

        load[r->link[h]] += more ? cycles : -cycles;
    }
}

bool link_graph_route(link_graph *g) {
    uint64_t load[LINK_GRAPH_LINKS] = { 0 };
    path best[LINK_GRAPH_NODES];
    uint16_t last[LINK_GRAPH_NODES];

    memset(g->route, 0, sizeof g->route);
    for (unsigned i = 0; i < PASSES * g->npus * (g->npus - 1); i++) {
        const unsigned from = i % g->npus, distance = i / g->npus % (g->npus - 1) + 1;
        const unsigned to = (from + distance) % g->npus;
        link_route *const r = &g->route[from][to];

        add_load(g, r, false, load);
        find_paths(g, g->order[from], load, best, last);
        if (best[g->order[to]].time == UINT64_MAX) return false;
        take_route(g, g->order[from], g->order[to], last, r);
        add_load(g, r, true, load);
    }
    g->detours = 0;
    for (unsigned i = 0; i < g->npus; i++) g->detours += g->route[i][(i + 1) % g->npus].hops > 1;
    return true;
}

/* The least time of a path from NPU 0 through all NPUs of a set, indexed by the set and the path's
 * last NPU. */
typedef uint64_t ring_times[EXACT_NPUS];

/* Cycles from each NPU to each other, indexed by their nodes. */
typedef uint64_t distances[LINK_GRAPH_NPUS][LINK_GRAPH_NPUS];

/* Follows the best times back from the full set, which gives the order of the NPUs. */
static void trace_back(const ring_times *best, distances apart, unsigned n, uint8_t *order) {
    unsigned set = (1U << n) - 1, after = 0;

    for (unsigned i = n - 1; i > 0; i--) {
        unsigned pick = n;

        for (unsigned k = 1; k < n; k++)
            if (set >> k & 1 && best[set][k] != UINT64_MAX &&
                (pick == n ||
                 best[set][k] + apart[k][after] < best[set][pick] + apart[pick][after]))
                pick = k;
        order[i] = (uint8_t)pick;
        set &= ~(1U << pick);
        after = pick;
    }
    order[0] = 0;
}

/* Finds the shortest ring. Returns false when there is no memory. */
static bool exact_ring(distances apart, unsigned n, uint8_t *order) {
    const unsigned sets = 1U << n;
    ring_times *best = malloc(sets * sizeof *best);

    if (!best) return false;
    memset(best, 0xff, sets * sizeof *best);
    best[1][0] = 0;
    for (unsigned set = 1; set < sets; set += 2)
        for (unsigned end = 0; end < n; end++) {
            if (best[set][end] == UINT64_MAX) continue;
            for (unsigned k = 1; k < n; k++) {
                const uint64_t time = best[set][end] + apart[end][k];
                uint64_t *const to = &best[set | 1U << k][k];

                if (!(set >> k & 1) && time < *to) *to = time;
            }
        }
    trace_back((const ring_times *)best, apart, n, order);
    free(best);
    return true;
}

/* ---- the ring of many ------------------------------------------------------------------------ */

typedef struct search {
    distances apart;
    unsigned n;
    uint8_t ring[LINK_GRAPH_NPUS];
} search;

static uint64_t round_time(const search *s) {
    uint64_t all = 0;

    for (unsigned i = 0; i < s->n; i++) all += s->apart[s->ring[i]][s->ring[(i + 1) % s->n]];
    return all;
}

/* Reverses the order of the NPUs at indexes from..to of the ring. */
static void reverse(search *s, unsigned from, unsigned to) {
    for (; from < to; from++, to--) {
        const uint8_t one = s->ring[from];

        s->ring[from] = s->ring[to];
        s->ring[to] = one;
    }
}

/* Reverses the stretch from..to if that makes the ring shorter. Both directions of a link are
 * alike, so only the stretch's ends matter. */
static bool reverse_if_shorter(search *s, unsigned from, unsigned to) {
    const uint8_t before = s->ring[from - 1], after = s->ring[(to + 1) % s->n];
    const uint8_t first = s->ring[from], last = s->ring[to];

    if (s->apart[before][last] + s->apart[first][after] >=
        s->apart[before][first] + s->apart[last][after])
        return false;
    reverse(s, from, to);
    return true;
}

/* Moves the stretch from..to to a later position, after index `behind`. This equals reversing both
 * stretches together, and then each by itself. */
static void move(search *s, unsigned from, unsigned to, unsigned behind) {
    const unsigned length = to - from + 1;

    reverse(s, from, behind);
    reverse(s, from, behind - length);
    reverse(s, behind - length + 1, behind);
}

static bool move_if_shorter(search *s, unsigned from, unsigned to, unsigned behind) {
    const uint8_t before = s->ring[from - 1], first = s->ring[from], last = s->ring[to];
    const uint8_t after = s->ring[to + 1], left = s->ring[behind],
                  right = s->ring[(behind + 1) % s->n];
    const uint64_t was = s->apart[before][first] + s->apart[last][after] + s->apart[left][right];

    if (s->apart[before][after] + s->apart[left][first] + s->apart[last][right] >= was)
        return false;
    move(s, from, to, behind);
    return true;
}

/* Improves the ring until no such change makes it shorter. NPU 0 stays at index 0. */
static void improve(search *s) {
    for (bool better = true; better;) {
        better = false;
        for (unsigned from = 1; from < s->n; from++)
            for (unsigned to = from + 1; to < s->n; to++)
                better = reverse_if_shorter(s, from, to) || better;
        for (unsigned from = 1; from < s->n; from++)
            for (unsigned to = from; to < from + STRETCH && to + 1 < s->n; to++)
                for (unsigned behind = to + 1; behind < s->n; behind++)
                    better = move_if_shorter(s, from, to, behind) || better;
    }
}

/* Returns a pseudo-random number below `below` (Knuth's generator of MMIX). */
static unsigned draw(uint64_t *seed, unsigned below) {
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*seed >> 33) % below;
}

/* Exchanges two adjacent stretches. */
static void kick(search *s, uint64_t *seed) {
    const unsigned from = 1 + draw(seed, s->n - 2), to = from + draw(seed, s->n - 1 - from);

    move(s, from, to, to + 1 + draw(seed, s->n - 1 - to));
}

static void searched_ring(search *s, uint8_t *order) {
    uint64_t seed = 1, best;

    for (unsigned i = 0; i < s->n; i++) s->ring[i] = (uint8_t)i;
    improve(s);
    best = round_time(s);
    memcpy(order, s->ring, s->n);
    for (unsigned i = 0; i < KICKS; i++) {
        memcpy(s->ring, order, s->n);
        kick(s, &seed);
        improve(s);
        if (round_time(s) > best) continue; /* an equally good ring is another starting point */
        best = round_time(s);
        memcpy(order, s->ring, s->n);
    }
}

bool link_graph_ring(link_graph *g) {
    static const uint64_t nothing[LINK_GRAPH_LINKS];
    search *s = calloc(1, sizeof *s);
    path paths[LINK_GRAPH_NODES];
    uint16_t last[LINK_GRAPH_NODES];
    bool made = true;

    if (!s) return false;
    s->n = g->npus;
    for (unsigned i = 0; i < s->n; i++) {
        find_paths(g, i, nothing, paths, last);
        for (unsigned k = 0; k < s->n; k++) s->apart[i][k] = paths[k].time;
    }
    if (s->n <= EXACT_NPUS)
        made = exact_ring(s->apart, s->n, g->order);
    else
        searched_ring(s, g->order);
    free(s);
    return made;
}
