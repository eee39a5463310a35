/* SPDX-License-Identifier: Apache-2.0 */
/* bottleneck.c -- finds the unit in most use, or otherwise what chunks waited for */
#include "bottleneck.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "ace_composition.h"
#include "ace_plan.h"
#include "ace_wire_encode.h"
#include "baseline.h"
#include "exit_status.h"
#include "message.h"
#include "node_plan.h"
#include "schedule.h"
#include "values.h"

/* A unit in use for this share of the cycles sets the pace. In the remaining cycles the first chunk
 * has not reached the unit yet, or the last chunk has left it. */
static const double SATURATED = 0.7;
/* Links of a dimension this close to the most used one are named with it. */
static const double CLOSE = 0.95;
/* A link that waits for credits in this share of the cycles, and in half of the cycles in which it
 * sends nothing, would send more with larger input buffers. */
static const double WAITS = 0.1;
/* If latencies make up this share of the cycles, chunks mostly wait for them. */
static const double SLOW = 0.3;
/* With this share, chunks wait for latencies even if more of them could be in flight. */
static const double ALL = 0.5;
/* Slow nodes bound a run if the memory of the fastest nodes is in use for less than this fraction
 * of the slow nodes' use. */
static const double SLOW_MEMORY = 0.9;

/* ---- use of the units ----------------------------------------------------------------- */

static void most(double *to, double v) {
    if (v > *to) *to = v;
}

static double share(const cJSON *group, const char *unit, int class_, double cycles) {
    double count[CLASSES];

    return saved_unit(group, unit, count) ? count[class_] / cycles : 0;
}

/* Returns the share of the busier of the two links of a dimension. */
static double link_share(const cJSON *group, unsigned d, int class_, double cycles) {
    static const char *const units[] = { "link.x+", "link.x-", "link.y+", "link.y-",
                                         "link.z+", "link.z-", "link.w+", "link.w-" };
    double v = share(group, units[2 * d], class_, cycles);

    most(&v, share(group, units[2 * d + 1], class_, cycles));
    return v;
}

/* Dimensions that share an interface use it together, so each gets the sum of their use. A link
 * counts the cycle in which a row ends as a whole cycle, although another link may use the rest.
 * The sum may therefore be slightly above all cycles, and is limited to 1. */
static void share_use(const cluster *c, double link[ACE_DIMENSIONS]) {
    double sum[ACE_DIMENSIONS] = { 0 };

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) sum[cluster_interface(c, d)] += link[d];
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) link[d] = fmin(sum[cluster_interface(c, d)], 1);
}

/* Adds the use of a group of nodes. The memory of these nodes moves `rate` rows a cycle. */
static void group_use(const saved_run *r, const cluster *c, const cJSON *g, double rate,
                      bottleneck *b) {
    static const struct {
        unsigned use;
        const char *unit;
    } units[] = { { USE_ALU, "reduce" },  { USE_SEND, "send.plus" }, { USE_SEND, "send.minus" },
                  { USE_STORE, "store" }, { USE_SMS, "sm" },         { USE_ROUTER, "router" } };
    double link[ACE_DIMENSIONS];

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) link[d] = link_share(g, d, CLASS_BUSY, r->cycles);
    share_use(c, link);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        most(&b->use[USE_LINK + d], link[d]);
        most(&b->credits[d], link_share(g, d, CLASS_BLOCKED, r->cycles));
    }
    most(&b->use[USE_READ], share(g, "memory.read", CLASS_BUSY, r->cycles) / rate);
    most(&b->use[USE_WRITE], share(g, "memory.write", CLASS_BUSY, r->cycles) / rate);
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++)
        most(&b->use[units[i].use], share(g, units[i].unit, CLASS_BUSY, r->cycles));
}

/* Returns the share of the cycles in which the memory of a group of nodes is in use. */
static double memory_use(const saved_run *r, const cJSON *g, double rate) {
    return fmax(share(g, "memory.read", CLASS_BUSY, r->cycles),
                share(g, "memory.write", CLASS_BUSY, r->cycles)) /
           rate;
}

static double memory_waits(const saved_run *r, const cJSON *g) {
    return fmax(share(g, "memory.read", CLASS_BLOCKED, r->cycles),
                share(g, "memory.write", CLASS_BLOCKED, r->cycles));
}

/* Compares a group of nodes with the slowest and the fastest groups so far. */
static void compare_speeds(const saved_run *r, const cJSON *g, double speed, double rate,
                           slow_nodes *s) {
    const double use = memory_use(r, g, rate), waits = memory_waits(r, g);
    const size_t length = strlen(s->nodes);

    if (speed > s->fastest) s->fast_use = s->fast_waits = 0;
    if (speed >= s->fastest) {
        s->fastest = speed;
        most(&s->fast_use, use);
        most(&s->fast_waits, waits);
    }
    if (length && speed > s->speed) return;
    if (length && !(speed < s->speed)) {
        snprintf(s->nodes + length, sizeof s->nodes - length, ",%.40s", saved_text(g, "nodes"));
    } else {
        s->speed = speed;
        s->use = s->waits = 0;
        snprintf(s->nodes, sizeof s->nodes, "%.40s", saved_text(g, "nodes"));
    }
    most(&s->use, use);
    most(&s->waits, waits);
}

/* Adds the bytes that each node of a group sends on both links of dimension d to the sums of its
 * switch. A switch has the index of its first node. */
static void add_to_switches(const saved_run *r, unsigned d, const cJSON *g, double (*sent)[2]) {
    const cJSON *bytes = saved_item(g, "link_bytes");
    const cJSON *up = cJSON_GetArrayItem(bytes, 2 * (int)d),
                *down = cJSON_GetArrayItem(bytes, 2 * (int)d + 1);
    const char *list = saved_text(g, "nodes");
    unsigned stride = 1;

    for (unsigned e = 0; e < d; e++) stride *= r->ring[e];
    while (up && down && *list) {
        char *end;
        const unsigned long first = strtoul(list, &end, 10);
        const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;

        for (unsigned long i = first; i <= last && i < r->nodes; i++) {
            double *to = sent[i - i / stride % r->ring[d] * stride];

            to[0] += up->valuedouble;
            to[1] += down->valuedouble;
        }
        if (*end != ',') break;
        list = end + 1;
    }
}

/* Computes the use of switches that have a bandwidth of their own, from the bytes that pass them.
 * An engine's links up and down have half of the bandwidth each; software shares it. Returns
 * EXIT_OK, or EXIT_CHECK after a message. */
static int find_switch_use(const saved_run *r, const machine *m, bottleneck *b) {
    const cluster *c = &m->cluster;
    const double pass = cluster_pass_cycles(c) / ACE_ROW_BYTES / r->cycles;
    const bool software = endpoint_is_baseline(c->endpoint);
    const cJSON *g;

    for (unsigned d = 0; pass > 0 && d < ACE_DIMENSIONS; d++) {
        double(*sent)[2];

        if (c->wiring[d] != WIRING_SWITCH || c->ring[d] == 1) continue;
        if (!(sent = calloc(r->nodes, sizeof *sent))) return message_no_memory();
        cJSON_ArrayForEach(g, saved_item(r->root, "node_groups")) add_to_switches(r, d, g, sent);
        for (unsigned i = 0; i < r->nodes; i++)
            most(&b->use[USE_SWITCH],
                 pass * (software ? sent[i][0] + sent[i][1] : 2 * fmax(sent[i][0], sent[i][1])));
        free(sent);
    }
    return EXIT_OK;
}

static int find_use(const saved_run *r, const machine *m, const ace_config *cfg, bottleneck *b) {
    const cluster *c = &m->cluster;
    float *speed = malloc(r->nodes * sizeof *speed);
    double count[CLASSES];
    bool any = false;
    const cJSON *g;

    if (!speed) return message_no_memory();
    (void)node_plan_speeds(c, r->nodes, speed); /* cannot fail, because the run has used the list */
    cJSON_ArrayForEach(g, saved_item(r->root, "node_groups")) {
        const unsigned long node = strtoul(saved_text(g, "nodes"), NULL, 10);
        /* Rows a cycle that the memory moves. Endpoints in software count the time in which it is
         * in use. */
        double rate = c->endpoint == ENDPOINT_ACE ? (double)ACE_COST_ONE / cfg->read_cost : 1;

        if (node < r->nodes && c->endpoint == ENDPOINT_ACE) rate *= (double)speed[node];
        any = any || saved_unit(g, "memory.read", count);
        group_use(r, c, g, rate < 1 ? rate : 1, b);
        if (node < r->nodes)
            compare_speeds(r, g, (double)speed[node], rate < 1 ? rate : 1, &b->slow);
    }
    free(speed);
    if (cluster_links_dimension(c) >= 0)
        cJSON_ArrayForEach(g, saved_item(saved_item(r->root, "links"), "carried"))
            most(&b->use[USE_LINK + cluster_links_dimension(c)],
                 saved_number(g, "busy_cycles") / r->cycles);
    if (find_switch_use(r, m, b) != EXIT_OK) return EXIT_CHECK;
    return any ? EXIT_OK : EXIT_USAGE;
}

static ace_config config_of(const ace_config *cfg, unsigned node) {
    ace_config at = *cfg;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        at.rank[d] = (uint16_t)(node % at.ring[d]);
        node /= at.ring[d];
    }
    return at;
}

/* Adds the use of a node's links by these bytes. */
static void add_bytes(const saved_run *r, const machine *m, const ace_config *cfg,
                      const uint64_t link[ACE_CLUSTER_LINKS], bottleneck *b) {
    double use[2][ACE_DIMENSIONS];

    for (unsigned l = 0; l < ACE_LINKS; l++)
        use[l % 2][l / 2] = (double)link[l] / ACE_ROW_BYTES *
                            ace_wire_cost(cfg->wire_format, cfg->link_cost[l / 2]) / ACE_COST_ONE /
                            r->cycles;
    for (unsigned side = 0; side < 2; side++) {
        share_use(&m->cluster, use[side]);
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) most(&b->use[USE_LINK + d], use[side][d]);
    }
}

/* Computes the use of the links out of hubs into nodes from the closed form's bytes: no node
 * counts them. */
static void find_hub_use(const saved_run *r, const machine *m, const ace_config *cfg,
                         const ace_command *c, bottleneck *b) {
    for (unsigned i = 0; ace_composed(c) && i < r->nodes; i++) {
        const ace_config at = config_of(cfg, i);
        uint64_t link[ACE_CLUSTER_LINKS];

        ace_command_hub_bytes(c, &at, link);
        add_bytes(r, m, cfg, link, b);
    }
}

/* Computes the use of the ideal endpoint's links from the closed form's bytes. If nodes send
 * different amounts, the busiest node counts. */
static void find_ideal_use(const saved_run *r, const machine *m, const ace_config *cfg,
                           const ace_command *c, bottleneck *b) {
    const unsigned nodes = ace_composed(c) ? r->nodes : 1;

    for (unsigned i = 0; i < nodes; i++) {
        const ace_config at = config_of(cfg, i);
        uint64_t link[ACE_CLUSTER_LINKS] = { 0 }, bytes[ACE_CLUSTER_DIMENSIONS];

        if (ace_composed(c)) {
            ace_command_link_bytes(c, &at, link);
        } else {
            ace_command part[SCHEDULE_PARTS];
            const unsigned parts = schedule_parts((schedule)m->schedule, &m->cluster, cfg, c, part);

            for (unsigned k = 0; k < parts; k++) {
                ace_plan_bytes(&part[k], &at, bytes);
                for (unsigned l = 0; l < ACE_LINKS; l++) link[l] += bytes[l / 2] / 2;
            }
        }
        add_bytes(r, m, cfg, link, b);
    }
}

/* ---- latency ---------------------------------------------------------------------------- */

/* Returns the latencies that a chunk meets: a link in each step round a ring, and the memory before
 * and after. In software it meets the memory in each step. */
static double chunk_latency(const machine *m, const ace_config *cfg, const ace_command *c) {
    const bool software = endpoint_is_baseline(m->cluster.endpoint);
    double cycles =
        software || m->cluster.endpoint == ENDPOINT_IDEAL ? 0 : 2. * cfg->memory_latency;
    ace_chunk_plan plan;

    ace_plan_chunk(c, cfg, 0, &plan);
    for (unsigned p = 0; p < ACE_CLUSTER_PHASES; p++) {
        const ace_phase *phase = &plan.phase[p];
        const double steps = (phase->ring - 1.) * (phase->kind == ACE_PHASE_ALL_REDUCE ? 2 : 1);

        if (phase->kind == ACE_PHASE_NONE) continue;
        cycles += steps * m->cluster.link_latency[phase->dim];
        if (software) cycles += steps * cfg->memory_latency;
    }
    return cycles;
}

/* Returns the latencies that a row meets: the memories that it comes from and goes to, and each
 * link up to the farthest receiver. The row of a send crosses one route only. */
static double row_latency(const machine *m, const ace_config *cfg, const ace_command *c) {
    double cycles = m->cluster.endpoint == ENDPOINT_IDEAL ? 0 : 2. * cfg->memory_latency;
    unsigned from = c->root, to = c->peer;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned ring = cfg->ring[d], up = (to % ring + ring - from % ring) % ring;
        unsigned hops = c->kind != ACE_SEND ? ring / 2 : 2 * up > ring ? ring - up : up;

        if (!memchr(c->dims, (int)d, c->dim_count)) continue;
        if (cfg->hub[d] && hops) hops = 1;
        cycles += (double)hops * m->cluster.link_latency[d];
        from /= ring;
        to /= ring;
    }
    return cycles;
}

/* ---- chunks in flight ------------------------------------------------------------------- */

/* Computes how many chunks fit, in the way in which the scheduler reserves rows. A chunk's block in
 * each partition holds what the previous phase writes and what the next phase reads. */
static void find_flight(const machine *m, const ace_config *cfg, const ace_command *c,
                        bottleneck *b) {
    ace_chunk_plan plan;
    unsigned out = 0;

    b->chunks = ace_plan_chunks(c, cfg);
    b->contexts = b->fits = UINT32_MAX;
    b->software = endpoint_is_baseline(m->cluster.endpoint);
    if (b->software) b->contexts = BASELINE_CHUNKS;
    if (m->cluster.endpoint != ENDPOINT_ACE) return;
    const ace_parameters *hardware = &m->cluster.parameters;
    const unsigned phases = hardware->dimensions + 1;
    /* the phases that the hardware has */
    const ace_phase *phase = plan.phase + (ACE_CLUSTER_PHASES - phases);

    b->contexts = hardware->fsms / phases * hardware->contexts;
    ace_plan_chunk(c, cfg, 0, &plan);
    for (unsigned p = 0; p <= phases; p++) {
        unsigned in = 0, next = 0, needs, fits;

        if (p < phases && phase[p].kind != ACE_PHASE_NONE) {
            const unsigned shard = phase[p].shard_rows, block = shard * phase[p].ring;

            in = phase[p].kind == ACE_PHASE_ALL_GATHER ? shard : block;
            next = phase[p].kind == ACE_PHASE_REDUCE_SCATTER ? shard : block;
        }
        needs = in > out ? in : out;
        out = next;
        if (!needs) continue;
        fits = ACE_BANKS * (cfg->partition_rows[p] / needs);
        if (fits >= b->fits) continue;
        b->fits = fits;
        b->partition = p;
    }
}

/* Credits count slots of a receiver's input buffer. The ideal endpoint has none. */
static void find_rows(const machine *m, bottleneck *b) {
    const ace_parameters *p = &m->cluster.parameters;

    if (b->way == WAY_IDEAL) return;
    b->rows = b->way == WAY_ROWS ? p->router_input_rows : p->link_input_rows;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) b->needed[d] = cluster_round_trip(&m->cluster, d);
}

/* ---- the verdict --------------------------------------------------------------------------- */

static void name_dims(bottleneck *b, const double of[ACE_DIMENSIONS]) {
    double top = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) most(&top, of[d]);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) b->dims[d] = of[d] > 0 && of[d] >= CLOSE * top;
    b->share = top;
}

/* Returns whether a link waits for credits because input buffers are smaller than a round trip. */
static bool short_of_credits(const bottleneck *b, unsigned d) {
    return b->rows < b->needed[d] && b->credits[d] >= WAITS &&
           b->credits[d] >= (1 - b->use[USE_LINK + d]) / 2;
}

static void decide(bottleneck *b) {
    static const bottleneck_kind kinds[USES] = { BOUND_LINKS, BOUND_LINKS,  BOUND_LINKS,
                                                 BOUND_LINKS, BOUND_MEMORY, BOUND_MEMORY,
                                                 BOUND_ALU,   BOUND_PORTS,  BOUND_PORTS,
                                                 BOUND_SMS,   BOUND_ROUTER, BOUND_SWITCH };
    const bool chunks = b->way == WAY_CHUNKS, steps = b->way == WAY_STEPS;
    unsigned top = 0;
    double waited = 0, in_use;
    bool short_ = false;

    for (unsigned i = 1; i < USES; i++)
        if (b->use[i] > b->use[top]) top = i;
    in_use = b->use[top];
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        most(&waited, b->credits[d]);
        short_ = short_ || short_of_credits(b, d);
    }
    if (short_ && (in_use < SATURATED || kinds[top] == BOUND_LINKS)) {
        b->kind = BOUND_CREDITS;
        name_dims(b, b->credits);
    } else if (in_use >= SATURATED || (!chunks && !steps && in_use >= b->latency && in_use > 0)) {
        b->kind = kinds[top];
        b->share = in_use;
        if (b->kind == BOUND_LINKS) name_dims(b, b->use + USE_LINK);
    } else if (waited > in_use && waited >= 0.3) {
        b->kind = BOUND_CREDITS;
        name_dims(b, b->credits);
    } else {
        const unsigned slots = b->contexts < b->fits ? b->contexts : b->fits;

        b->kind = steps                ? BOUND_STEPS
                  : !chunks            ? BOUND_LATENCY
                  : b->latency >= ALL  ? BOUND_LATENCY
                  : b->chunks > slots  ? b->contexts <= b->fits ? BOUND_CONTEXTS : BOUND_SCRATCHPAD
                  : b->latency >= SLOW ? BOUND_LATENCY
                                       : BOUND_CHUNKS;
        b->share = 1 - in_use;
    }
}

/* Finds which units the collective uses. Returns false if there is no memory. */
static bool find_path(const machine *m, const ace_config *cfg, const ace_command *c,
                      bottleneck_way *way) {
    ace_composition made;

    *way = c->kind == ACE_ALL_TO_ALL || ace_composed(c) ? WAY_ROWS : WAY_CHUNKS;
    if (m->cluster.endpoint == ENDPOINT_IDEAL) *way = WAY_IDEAL;
    if (*way != WAY_ROWS || !ace_composed(c)) return true;
    if (ace_compose(c, cfg, &made) != ACE_OK) return false;
    if (made.steps > 1) *way = WAY_STEPS;
    ace_composition_free(&made);
    return true;
}

int bottleneck_find(const saved_run *r, const machine *m, const ace_config *cfg,
                    const ace_command *c, bottleneck *b) {
    int rc = EXIT_OK;

    *b = (bottleneck){ 0 };
    if (!find_path(m, cfg, c, &b->way)) return message_no_memory();
    if (b->way == WAY_IDEAL)
        find_ideal_use(r, m, cfg, c, b);
    else
        rc = find_use(r, m, cfg, b);
    if (rc != EXIT_OK) return rc;
    find_hub_use(r, m, cfg, c, b);
    find_rows(m, b);
    if (b->way == WAY_CHUNKS || b->way == WAY_STEPS) find_flight(m, cfg, c, b);
    b->latency = (c->kind == ACE_ALL_TO_ALL || ace_composed(c) ? row_latency(m, cfg, c)
                                                               : chunk_latency(m, cfg, c)) /
                 r->cycles;
    decide(b);
    if (b->kind != BOUND_MEMORY || !(b->slow.speed < b->slow.fastest) ||
        b->slow.fast_use >= SLOW_MEMORY * b->slow.use || b->slow.use < CLOSE * b->share)
        *b->slow.nodes = '\0';
    return EXIT_OK;
}

bool bottleneck_slowest(const cluster *c, unsigned nodes, slow_nodes *slow) {
    float *speed = malloc(nodes * sizeof *speed), least = 1, highest = 0;
    size_t n = 0;

    *slow = (slow_nodes){ .speed = 1, .fastest = 1 };
    if (!speed) return false;
    (void)node_plan_speeds(c, nodes, speed);
    for (unsigned i = 0; i < nodes; i++) {
        least = fminf(least, speed[i]);
        highest = fmaxf(highest, speed[i]);
    }
    for (unsigned i = 0; i < nodes && least < highest; i++) {
        if (speed[i] > least) continue;
        n += (size_t)snprintf(slow->nodes + n, sizeof slow->nodes - n, "%s%u", n ? "," : "", i);
        if (n + 16 < sizeof slow->nodes) continue;
        snprintf(slow->nodes + n, sizeof slow->nodes - n, ",...");
        break;
    }
    slow->speed = (double)least;
    slow->fastest = (double)highest;
    free(speed);
    return true;
}

bool bottleneck_slow_compute(const slow_nodes *slow, double compute, double exposed) {
    return *slow->nodes && compute * (1 - slow->speed / slow->fastest) > exposed;
}

void bottleneck_name(const bottleneck *b, char *to, size_t room) {
    static const char *const names[] = {
        "links of",
        "memory bandwidth",
        "ALUs",
        "scratchpad ports",
        "SMs",
        "the router",
        "switch bandwidth",
        "credits on the links of",
        "FSM contexts",
        "scratchpad room",
        "latency",
        "too few chunks",
        "its two steps",
        "the endpoint",
    };
    const bool some = b->dims[0] || b->dims[1] || b->dims[2] || b->dims[3];
    int n = snprintf(to, room, "%s",
                     b->kind == BOUND_LINKS && !some            ? "links"
                     : b->kind == BOUND_CONTEXTS && b->software ? "chunks in flight"
                                                                : names[b->kind]);
    const char *comma = " ";

    if (b->kind == BOUND_MEMORY && *b->slow.nodes && n > 0 && (size_t)n < room)
        n += snprintf(to + n, room - (size_t)n, " of node%s %s",
                      strpbrk(b->slow.nodes, ",-") ? "s" : "", b->slow.nodes);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        if (!b->dims[d] || n < 0 || (size_t)n >= room) continue;
        n += snprintf(to + n, room - (size_t)n, "%s%c", comma, ACE_DIMENSION_LETTERS[d]);
        comma = ", ";
    }
}

const char *bottleneck_remedy(const bottleneck *b) {
    static const char *const remedies[] = {
        "more bandwidth on these links, or a collective that sends less on them",
        "more memory bandwidth",
        "more ALUs, or wider ones",
        "more banks, or wider ones",
        "more SMs for communication",
        "a router that passes more rows a cycle",
        "more bandwidth through the switch",
        "input buffers that cover the links' round trip, or shorter links",
        "more FSMs or contexts, so that more chunks are under way",
        "a larger scratchpad or smaller chunks, so that more chunks are under way",
        "shorter links, or smaller chunks, so that phases overlap sooner",
        "smaller chunks, so that phases overlap, or faster links for each",
        "what helps either step",
        "another endpoint",
    };

    if (b->kind == BOUND_MEMORY && *b->slow.nodes)
        return "full speed of the slow nodes, for which the others wait";
    if (b->kind == BOUND_LATENCY && !b->chunks)
        return "shorter links, or a memory that answers sooner";
    if (b->kind == BOUND_CONTEXTS && b->software)
        return "larger chunks: no more of them can be under way";
    return remedies[b->kind];
}
