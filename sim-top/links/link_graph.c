/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_graph.c -- reads a file of links, key by key, and checks the topology that they form
 *
 * Each key is stored with its line and column, so that a later check can point at the key. After
 * all keys are read, links get their defaults and costs, and every node must be reachable.
 * link_routes.c computes ring and routes.
 */
#include "link_graph.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_types.h"
#include "data_path.h"
#include "exit_status.h"
#include "input_file.h"
#include "message.h"
#include "values.h"
#include "yaml_file.h"

#define LINK_ACCEPTED      "a link such as 0-3"
#define BANDWIDTH_ACCEPTED "a bandwidth such as 25 GB/s, of 256 bytes in 1 to 65535 cycles"
#define NPUS_ACCEPTED      "2 to 64"
#define LATENCY_ACCEPTED   "cycles, 2 to 1000000"
#define SWITCHES_ACCEPTED  "0 to 48"
#define LINKS_ACCEPTED     "at most 512 links"
#define ORDER_ACCEPTED     "each NPU's node once, the first is NPU 0 of the run"

enum {
    LEAST_LATENCY = 2,
    MOST_LATENCY = 1000000,
    SWITCHES = LINK_GRAPH_NODES - LINK_GRAPH_NPUS, /* at most, in a file */
    FILE_LINKS = LINK_GRAPH_LINKS / 2              /* at most; a link of the file leads both ways */
};
/* The texts above have these numbers. */
_Static_assert(LINK_GRAPH_NPUS == 64 && LEAST_LATENCY == 2 && MOST_LATENCY == 1000000 &&
                   SWITCHES == 48 && FILE_LINKS == 512,
               "see the texts");

/* A position in the file. */
typedef struct position {
    size_t line, column;
} position;

typedef struct parser {
    const char *file;
    link_graph *g;
    const link_defaults *d;
    unsigned npus, switches, ordered;
    double GBps;      /* default of the file for links */
    uint32_t latency; /* default of the file for links */
    position npus_at, first_link_at, order_at;
    position link_at[LINK_GRAPH_LINKS];   /* position of each link */
    position bandwidth[LINK_GRAPH_LINKS]; /* position of each link's bandwidth */
} parser;

static bool fail(const parser *r, position at, const char *found, const char *expected) {
    yaml_error(r->file, at.line, at.column, found, expected);
    return false;
}

/* ---- the keys --------------------------------------------------------------------------- */

static bool take_name(void *to, const char *s) {
    const size_t n = strlen(s);

    if (!n || n >= sizeof((link_graph *)to)->name) return false;
    memcpy(((link_graph *)to)->name, s, n + 1);
    return true;
}

/* Takes the number of NPUs as an item, not by .parse: an item has a position for later messages.
 * Its index is above 0 if the file has a list. */
static bool take_npus(void *self, const yaml_item *item) {
    parser *const r = self;
    char found[160];
    uint64_t v;

    r->npus_at = (position){ item->line, item->column };
    snprintf(found, sizeof found, "'%.80s'", item->value);
    if (item->index || !parse_unsigned(item->value, 2, LINK_GRAPH_NPUS, &v))
        return fail(r, r->npus_at, found, NPUS_ACCEPTED);
    r->npus = (unsigned)v;
    return true;
}

static bool take_switches(void *to, const char *s) {
    uint64_t v;

    if (!parse_unsigned(s, 0, SWITCHES, &v)) return false;
    *(unsigned *)to = (unsigned)v;
    return true;
}

static bool take_bandwidth(void *to, const char *s) { return parse_bandwidth(s, to); }

static bool take_latency(void *to, const char *s) {
    uint64_t v;

    if (!parse_unsigned(s, LEAST_LATENCY, MOST_LATENCY, &v)) return false;
    *(uint32_t *)to = (uint32_t)v;
    return true;
}

/* Parses a pair such as "0-3". */
static bool parse_pair(const char *s, unsigned *a, unsigned *b) {
    char one[16];
    const char *const dash = strchr(s, '-');
    uint64_t v, w;

    if (!dash || (size_t)(dash - s) >= sizeof one) return false;
    memcpy(one, s, (size_t)(dash - s));
    one[dash - s] = '\0';
    if (!parse_unsigned(one, 0, LINK_GRAPH_NODES - 1, &v) ||
        !parse_unsigned(dash + 1, 0, LINK_GRAPH_NODES - 1, &w))
        return false;
    *a = (unsigned)v;
    *b = (unsigned)w;
    return true;
}

/* Adds a link in both directions. It must be new. */
static bool add_link(parser *r, const char *pair, position at) {
    link_graph *const g = r->g;
    char found[160];
    unsigned a, b;

    if (!parse_pair(pair, &a, &b)) {
        snprintf(found, sizeof found, "'%.80s'", pair);
        return fail(r, at, found, LINK_ACCEPTED);
    }
    if (a == b) {
        snprintf(found, sizeof found, "'%s', a link of node %u to itself", pair, a);
        return fail(r, at, found, "a link between two nodes");
    }
    for (unsigned i = 0; i < g->links; i++) {
        if (g->link[i].from != a || g->link[i].to != b) continue;
        snprintf(found, sizeof found, "'%s' again, after line %zu", pair, r->link_at[i].line);
        return fail(r, at, found, "each link once: two together have twice the bandwidth");
    }
    if (g->links == LINK_GRAPH_LINKS) return fail(r, at, "more than 512 links", LINKS_ACCEPTED);
    if (!g->links) r->first_link_at = at;
    for (unsigned direction = 0; direction < 2; direction++) {
        r->link_at[g->links] = r->bandwidth[g->links] = at;
        g->link[g->links++] = (graph_link){ .from = (uint8_t)(direction ? b : a),
                                            .to = (uint8_t)(direction ? a : b) };
    }
    return true;
}

/* Takes "links: [0-1, 1-2]" or "links: {0-1: 25 GB/s, 1-2: [50 GB/s, 90]}". */
static bool take_link(void *self, const yaml_item *item) {
    parser *const r = self;
    const position at = { item->line, item->column };
    graph_link *l;
    char found[160];

    if (!strcmp(item->key, "links")) return add_link(r, item->value, at);
    if (!item->index && !add_link(r, item->key, (position){ item->key_line, item->key_column }))
        return false;
    l = &r->g->link[r->g->links - 2]; /* the pair of directions that was added last */
    snprintf(found, sizeof found, "'%.80s'", item->value);
    if (item->index > 1) return fail(r, at, found, "a bandwidth and a latency, no more");
    if (item->index && !take_latency(&l->latency, item->value))
        return fail(r, at, found, LATENCY_ACCEPTED);
    if (!item->index && !take_bandwidth(&l->GBps, item->value))
        return fail(r, at, found, BANDWIDTH_ACCEPTED);
    if (!item->index) r->bandwidth[r->g->links - 2] = at;
    l[1].GBps = l->GBps;
    l[1].latency = l->latency;
    return true;
}

static bool take_order(void *self, const yaml_item *item) {
    parser *const r = self;
    const position at = { item->line, item->column };
    char found[160];
    uint64_t v;

    if (!item->index) r->order_at = at;
    snprintf(found, sizeof found, "'%.80s'", item->value);
    if (!parse_unsigned(item->value, 0, LINK_GRAPH_NPUS - 1, &v) || r->ordered == LINK_GRAPH_NPUS ||
        memchr(r->g->order, (int)v, r->ordered))
        return fail(r, at, found, ORDER_ACCEPTED);
    r->g->order[r->ordered++] = (uint8_t)v;
    return true;
}

/* ---- checks of the topology -------------------------------------------------------------- */

/* Fills in the defaults of links, and computes the cost of a row on each. */
static bool resolve_links(parser *r) {
    link_graph *const g = r->g;
    char found[160], expected[64];

    g->shortest = UINT32_MAX;
    for (unsigned i = 0; i < g->links; i++) {
        graph_link *const l = &g->link[i];
        double cost;

        if (l->from >= g->nodes || l->to >= g->nodes) {
            snprintf(found, sizeof found, "'%u-%u'", l->from, l->to);
            snprintf(found + strlen(found), sizeof found - strlen(found),
                     " with %u NPUs and %u switches", r->npus, r->switches);
            snprintf(expected, sizeof expected, "a node number from 0 to %u", g->nodes - 1);
            return fail(r, r->link_at[i], found, expected);
        }
        if (!(l->GBps > 0)) l->GBps = r->GBps;
        if (!l->latency) l->latency = r->latency;
        if (l->latency < LEAST_LATENCY)
            return fail(r, r->link_at[i], "latency 1, the topology's default for this dimension",
                        LATENCY_ACCEPTED);
        if (l->latency < g->shortest) g->shortest = l->latency;
        cost = round(ACE_ROW_BYTES * r->d->clock_MHz / (l->GBps * r->d->efficiency * 1e3) *
                     ACE_COST_ONE);
        if (!(cost >= ACE_COST_ONE && cost <= ACE_COST_MAX)) {
            snprintf(found, sizeof found, "%g GB/s", l->GBps);
            return fail(r, r->bandwidth[i], found, BANDWIDTH_ACCEPTED);
        }
        l->cost = (uint32_t)cost;
    }
    return true;
}

/* Checks that every node can be reached. An unreachable node is a mistake in the file. */
static bool all_reached(const parser *r) {
    const link_graph *const g = r->g;
    bool reached[LINK_GRAPH_NODES] = { true };
    char found[160];

    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < g->links; i++) {
            if (!reached[g->link[i].from] || reached[g->link[i].to]) continue;
            reached[g->link[i].to] = more = true;
        }
    }
    for (unsigned i = 0; i < g->nodes; i++) {
        if (reached[i]) continue;
        snprintf(found, sizeof found, "no path from node 0 to %s %u",
                 i < g->npus ? "NPU" : "switch", i);
        return fail(r, r->first_link_at, found, "links that connect all nodes");
    }
    return true;
}

/* Checks that the given order names each NPU once, and computes the routes. */
static bool resolve_order(const parser *r) {
    link_graph *const g = r->g;
    char found[160];

    for (unsigned i = 0; i < r->ordered; i++) {
        if (g->order[i] < g->npus) continue;
        snprintf(found, sizeof found, "node %u, which is no NPU", g->order[i]);
        return fail(r, r->order_at, found, ORDER_ACCEPTED);
    }
    if (r->ordered == g->npus) return link_graph_route(g); /* cannot fail: all nodes are reached */
    snprintf(found, sizeof found, "%u nodes of %u NPUs", r->ordered, g->npus);
    return fail(r, r->order_at, found, ORDER_ACCEPTED);
}

static int resolve(parser *r) {
    link_graph *const g = r->g;
    char found[160], expected[160];

    g->npus = r->npus;
    g->nodes = r->npus + r->switches;
    if (g->npus != r->d->npus) {
        snprintf(found, sizeof found, "%u NPUs", g->npus);
        snprintf(expected, sizeof expected, "%u, as Links(%u) of the topology says", r->d->npus,
                 r->d->npus);
        (void)fail(r, r->npus_at, found, expected);
        return EXIT_USAGE;
    }
    if (!resolve_links(r) || !all_reached(r)) return EXIT_USAGE;
    if (r->d->keep_numbers && !r->ordered)
        for (; r->ordered < g->npus; r->ordered++) g->order[r->ordered] = (uint8_t)r->ordered;
    g->ordered = r->ordered != 0;
    if (r->d->links_alone) return EXIT_OK;
    if (r->ordered) return resolve_order(r) ? EXIT_OK : EXIT_USAGE;
    if (!link_graph_ring(g)) return message_no_memory();
    return link_graph_route(g) ? EXIT_OK : EXIT_USAGE; /* cannot fail: all nodes are reached */
}

int link_graph_read(const char *file, const link_defaults *d, link_graph **to) {
    parser *r = calloc(1, sizeof *r);
    link_graph *g = calloc(1, sizeof *g);
    char found[DATA_PATH];
    int rc = EXIT_USAGE;

    if (!r || !g) {
        free(r);
        free(g);
        return message_no_memory();
    }
    *r = (parser){
        .g = g, .d = d, .GBps = d->GBps, .latency = d->latency, .first_link_at = { 1, 1 }
    };
    r->file = input_name(file);
    snprintf(g->name, sizeof g->name, "%s", "links");
    const yaml_items npus = { .take = take_npus, .self = r };
    const yaml_items links = { .take = take_link, .self = r };
    const yaml_items order = { .take = take_order, .self = r };
    const yaml_key keys[] = {
        { .name = "name", .parse = take_name, .to = g, .accepted = "a name of 1 to 63 characters" },
        { .name = "npus", .required = true, .to = (void *)&npus, .accepted = NPUS_ACCEPTED },
        { .name = "switches",
          .parse = take_switches,
          .to = &r->switches,
          .accepted = SWITCHES_ACCEPTED },
        { .name = "bandwidth",
          .parse = take_bandwidth,
          .to = &r->GBps,
          .accepted = BANDWIDTH_ACCEPTED },
        { .name = "latency",
          .parse = take_latency,
          .to = &r->latency,
          .accepted = LATENCY_ACCEPTED },
        { .name = "links", .required = true, .to = (void *)&links, .accepted = LINK_ACCEPTED },
        { .name = "order", .to = (void *)&order, .accepted = ORDER_ACCEPTED },
        { .name = NULL },
    };

    if (data_path_find(file, found) && !yaml_read(found, keys)) rc = resolve(r);
    free(r);
    if (rc == EXIT_OK)
        *to = g;
    else
        link_graph_destroy(g);
    return rc;
}

double link_graph_GBps(const link_graph *g, unsigned node) {
    double GBps = 0;

    for (unsigned l = 0; l < g->links; l++) GBps += g->link[l].from == node ? g->link[l].GBps : 0;
    return GBps;
}

void link_graph_destroy(link_graph *g) { free(g); }
