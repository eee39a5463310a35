/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_make.c -- makes a fabric from the options: representatives, wires, hubs and nodes
 *
 * Nodes that behave alike (fold.c) share one representative. It is wired to the representatives of
 * its neighbours.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_host_core.h"
#include "ace_memory.h"
#include "ace_program.h"
#include "ace_rtl_engine.h"
#include "ace_rtl_node.h"
#include "ace_wave_file.h"
#include "algorithms.h"
#include "baseline.h"
#include "calibrated_node.h"
#include "calibrated_rung.h"
#include "exit_status.h"
#include "fabric.h"
#include "fabric_internal.h"
#include "fold.h"
#include "ideal.h"
#include "message.h"
#include "processes.h"

enum {
    PATIENCE = 10000000,     /* cycles; far longer than any wait for memory or a link's retries */
    LONGEST_WINDOW = 10000,  /* cycles between two checks of the watchdog and the progress */
    REPRESENTATIVES = 16384, /* the most nodes simulated in one run, some 0.2 MiB each */
    CALIBRATED = 131072,     /* the same on the rung calibrated, some 40 KiB each */
    COMPARED = 512           /* the most nodes whose states are compared, some 0.2 MiB each */
};

/* Either all nodes are on the rung calibrated, or none is. */
static unsigned most_simulated(const machine *m) {
    return m->calibration ? CALIBRATED : REPRESENTATIVES;
}

/* Nodes of the rung calibrated that send no messages depend on others only through their
 * barriers. */
static fold_by folds_by(const fabric *f, const machine *m) {
    return m->calibration && !f->messages ? FOLD_RINGS : FOLD_PORTS;
}

static bool is_hub(const cluster *c, unsigned d) {
    return c->wiring[d] != WIRING_RING && c->ring[d] > 1;
}

const char *fabric_no_folding_reason(ace_kind kind) {
    switch (kind) {
    case ACE_BROADCAST:
    case ACE_REDUCE:
    case ACE_GATHER:
    case ACE_SCATTER: return "a root has work of its own, and each node its own way to it";
    case ACE_SEND: return "two nodes have work, and each node its own place beside them";
    case ACE_ALL_TO_ALL_V: return "counts differ from node to node";
    default: return NULL;
    }
}

/* Sets *differ: do nodes on the dimension differ by their rank, because programs name members, or a
 * file lists links? Endpoints in software name only their ring neighbours. Returns false when there
 * is no memory. */
static bool ranks_differ(const cluster *c, const ace_config *cfg, unsigned d, bool *differ) {
    bool relative = true;

    *differ = is_hub(c, d) && (c->wiring[d] == WIRING_LINKS ||
                               /* such a switch serves its ports round-robin, from a first one */
                               (c->wiring[d] == WIRING_SWITCH && c->switch_GBps > 0));
    if (*differ || c->ring[d] == 1 || endpoint_is_baseline(c->endpoint)) return true;
    if (ace_program_is_relative(cfg, d, &relative) != ACE_OK) return false;
    *differ = !relative;
    return true;
}

/* Decides which nodes are simulated: sets class_of[], *classes and the text f->folding. Returns
 * false when there is no memory. */
static bool divide(fabric *f, const machine *m, const execution *e, const fabric_work *work,
                   uint32_t *class_of, unsigned *classes) {
    const node_plan *p = &m->plan;
    const uint16_t *ring = m->cluster.ring;
    const char *why = m->payload      ? "payload differs from node to node"
                      : e->unfolded   ? "as asked for"
                      : m->fault_list ? "faults differ from node to node"
                      : m->cluster.parameters.sub_banks > 1
                          ? "which rows meet in a sub-bank differs from node to node"
                      : work->no_folding_reason ? work->no_folding_reason
                                                : fabric_no_folding_reason(m->kind);
    uint16_t period[ACE_CLUSTER_DIMENSIONS];

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        bool differ;

        if (!ranks_differ(&m->cluster, &m->config, d, &differ)) return false;
        period[d] = differ ? ring[d] : work->period[d] ? work->period[d] : 1;
    }
    for (unsigned i = 0; i < p->nodes; i++) memcpy(&class_of[i], &p->speed[i], sizeof *class_of);
    if (!why && !fold_torus(ring, period, folds_by(f, m), most_simulated(m), class_of, classes))
        return false;
    if (!why && p->nodes > 1 && *classes == p->nodes) why = "no two nodes are in the same position";
    f->folded = !why && p->nodes > 1;
    if (f->folded) {
        snprintf(f->folding, sizeof f->folding, "%u class%s of nodes that behave alike", *classes,
                 *classes == 1 ? "" : "es");
    } else {
        for (unsigned i = 0; i < p->nodes; i++) class_of[i] = i;
        *classes = p->nodes;
        snprintf(f->folding, sizeof f->folding, "none: %s", why ? why : "one node");
    }
    return true;
}

/* Returns the cost of a row at a fraction of the speed, at most what the register holds. */
static uint32_t slowed(uint32_t cost, float speed) {
    const double c = round((double)cost / (double)speed);

    return c < ACE_COST_MAX ? (uint32_t)c : ACE_COST_MAX;
}

/* Returns the class at the other end of a node's link. For nodes that only meet, it is the next
 * class on the ring, in any order. */
static uint32_t neighbour(const fabric *f, const machine *m, const uint32_t *class_of,
                          unsigned node, unsigned link) {
    const uint16_t *ring = m->cluster.ring;

    return folds_by(f, m) == FOLD_RINGS ? fold_neighbour(ring, class_of, node, link)
                                        : class_of[torus_neighbour(ring, node, link)];
}

/*
 * Makes the representatives of a cluster. With folding, each rung in use gets a copy of all
 * classes, in the order of the rungs' first nodes. So the packets that reach a rung come from the
 * same rung. A class without a node on a rung is simulated in that copy, too, but represents no
 * node there.
 */
static bool make_representatives(fabric *f, const machine *of, const wave_request *wave,
                                 const uint32_t *class_of, unsigned classes) {
    const ace_config *cfg = &of->config;
    const node_plan *p = &of->plan;
    const cluster *c = &of->cluster;
    int copy[3] = { -1, -1, -1 };
    unsigned copies = 0;

    for (unsigned i = 0; i < p->nodes; i++)
        if (copy[f->folded ? p->rung[i] : 0] < 0) copy[f->folded ? p->rung[i] : 0] = (int)copies++;
    f->classes = classes;
    f->representatives = copies * classes;
    f->first = slab_first(f->representatives, processes_rank());
    f->end = slab_first(f->representatives, processes_rank() + 1);
    f->representative = calloc(f->representatives, sizeof *f->representative);
    f->representative_of = calloc(p->nodes, sizeof *f->representative_of);
    if (!f->representative || !f->representative_of) return false;
    for (unsigned i = 0; i < p->nodes; i++) { /* the first node of each class, in every copy */
        const unsigned own = (unsigned)copy[f->folded ? p->rung[i] : 0];

        for (unsigned k = 0; k < copies; k++) {
            representative *m = &f->representative[k * classes + class_of[i]];
            const bool first = k == own && !m->weight;

            if (k == own) {
                m->weight++;
                f->representative_of[i] = k * classes + class_of[i];
            }
            if (m->known && !first) continue;
            m->known = true;
            m->first_node = i;
            m->rung = c->endpoint == ENDPOINT_IDEAL       ? RUNG_IDEAL
                      : endpoint_is_baseline(c->endpoint) ? RUNG_BASELINE
                                                          : p->rung[i];
            m->speed = p->speed[i];
        }
    }
    if (wave) f->wave = (unsigned)copy[f->folded ? RUNG_RTL : 0] * classes + class_of[wave->node];
    for (unsigned k = 0; k < f->representatives; k++) {
        representative *m = &f->representative[k];
        unsigned rest = m->first_node;

        m->cfg = *cfg;
        if (m->rung == RUNG_BASELINE) { /* endpoints in software use rings on any wiring */
            memset(m->cfg.program, 0, sizeof m->cfg.program);
            memset(m->cfg.algorithm, 1, sizeof m->cfg.algorithm);
        }
        m->cfg.read_cost = slowed(cfg->read_cost, m->speed);
        m->cfg.write_cost = slowed(cfg->write_cost, m->speed);
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
            m->cfg.rank[d] = (uint16_t)(rest % cfg->ring[d]);
            rest /= cfg->ring[d];
            if (c->ring[d] == 1) continue;
            for (unsigned l = 2 * d; l <= 2 * d + 1; l++)
                m->to[l] = k / classes * classes + neighbour(f, of, class_of, m->first_node, l);
        }
        m->is_local = k >= f->first && k < f->end;
        if (f->payload && m->is_local && !(m->memory = ace_memory_create())) return false;
    }
    return true;
}

/* Returns the latency in cycles from a node to the next, or from the hub to a node. With direct
 * links the hub is part of the sender, one cycle away, and the wire has the rest of the latency.
 * With links of a file it is the same. */
static uint32_t latency_of(const machine *m, unsigned d) {
    const cluster *c = &m->cluster;
    const uint32_t all = c->link_latency[d];

    if (c->wiring[d] == WIRING_LINKS) return m->graph->shortest - 1;
    return c->wiring[d] == WIRING_DIRECT && all > 1 ? all - 1 : all;
}

/* Returns the shortest latency between two nodes, in cycles. */
static uint32_t shortest_link(const machine *m) {
    uint32_t shortest = LONGEST_WINDOW;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (m->cluster.ring[d] > 1 && latency_of(m, d) < shortest) shortest = latency_of(m, d);
    return shortest;
}

/* Returns whether some link of the dimension leads to another representative. */
static bool leads_elsewhere(const fabric *f, unsigned d) {
    for (unsigned k = 0; k < f->representatives; k++)
        if (f->representative[k].to[2 * d] != k) return true;
    return false;
}

/* Returns how many consecutive nodes run in shorter windows by themselves; 1: none do. It is the
 * ring along x if all nodes are simulated on the rung calibrated, and x has at most half the
 * latency of every other dimension. Such a ring runs by itself for a window of the other
 * dimensions. */
static unsigned together_of(const fabric *f, const machine *m) {
    const unsigned ring = m->cluster.ring[0];

    if (!m->calibration || f->folded || f->step_by_step || f->messages || f->observers ||
        ring == 1 || f->representatives == ring || f->first % ring || f->end % ring)
        return 1;
    for (unsigned d = 1; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (m->cluster.ring[d] > 1 && latency_of(m, d) < 2 * latency_of(m, 0)) return 1;
    return ring;
}

/* Returns the longest window in cycles: in this time nothing that one representative sends reaches
 * another. A node that is its own neighbour along a dimension need not wait for others there,
 * unless it is watched (chunk_stays.h). */
static uint32_t window_of(const fabric *f, const machine *m, bool watched) {
    const cluster *c = &m->cluster;
    uint32_t window = LONGEST_WINDOW;

    for (unsigned d = f->group_size > 1; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (c->ring[d] > 1 && (watched || is_hub(c, d) || leads_elsewhere(f, d)) &&
            latency_of(m, d) < window)
            window = latency_of(m, d);
    return window;
}

/* Returns how many cycles a wire's sender may be ahead of its receiver: a window, or for a node's
 * wire to itself (`own`) the longest step of a node. */
static uint32_t ahead(const fabric *f, const machine *m, bool own) {
    const uint32_t shortest = shortest_link(m);

    return (own || f->window < shortest ? shortest : f->window) + 1;
}

/* Returns how many flits can wait for a shared interface: the rows that ports have room for, as
 * many credits, and the grants, one for each context. */
static uint32_t room_to_wait(const cluster *c, unsigned d) {
    enum { GRANTS = 1024 };
    const ace_parameters *p = &c->parameters;
    const uint32_t rows = p->link_input_rows > c->switch_rows ? p->link_input_rows : c->switch_rows;

    return cluster_shared(c) >> d & 1 ? 2 * (rows + p->router_input_rows) + GRANTS : 0;
}

/* Dimensions that share an interface share wires: one wire of a node for all links up, and another
 * for all links down. */
static void share_interfaces(fabric *f, const cluster *c) {
    const unsigned shared =
        /* an ideal endpoint accounts for shared interfaces itself */
        c->endpoint == ENDPOINT_IDEAL ? 0 : cluster_shared(c);
    const unsigned first = shared ? (unsigned)__builtin_ctz(shared) : 0;

    for (unsigned k = f->first; k < f->end; k++) {
        representative *m = &f->representative[k];

        for (unsigned l = 2 * first + 2; l < ACE_LINKS; l++)
            if (shared >> l / 2 & 1 && m->out[l])
                ace_wire_share(m->out[l], m->out[2 * first + l % 2], m->cfg.link_cost[first]);
    }
}

/* Makes a node's wires to and from a hub. If the node and the hub are at different processes, both
 * have the wires. */
static bool join_hub(fabric *f, unsigned k, unsigned l, unsigned port, hub *h, unsigned owner,
                     const uint32_t latency[2], uint32_t slack) {
    representative *m = &f->representative[k];
    const unsigned here = processes_rank(), there = slab_process(f->representatives, k);

    if (!m->is_local && owner != here) return true;
    m->from_hub[l / 2] = true;
    m->out[l] = ace_wire_create(latency[0], slack, f->payload);
    m->in[l] = ace_wire_create(latency[1], slack, f->payload);
    if (!m->out[l] || !m->in[l]) return false;
    if (h) hub_connect(h, port, m->first_node, m->cfg.rank[l / 2], m->out[l], m->in[l]);
    if (m->is_local && owner == here) return true;
    return process_borders_add(f->borders, m->is_local ? owner : there, m->out[l], m->is_local) &&
           process_borders_add(f->borders, m->is_local ? owner : there, m->in[l], !m->is_local);
}

/* Returns how many representatives the group of k along a dimension has; 0 if k is not its
 * first. */
static unsigned group_of(const fabric *f, unsigned k, unsigned d) {
    unsigned count = 1;

    for (unsigned at = k; (at = f->representative[at].to[2 * d]) != k; count++)
        if (at < k) return 0;
    return count;
}

/* Returns the cost of a packet in one of `hubs` hubs that together are one switch. They divide the
 * bandwidth. */
static uint32_t pass_cost(const cluster *c, unsigned hubs) {
    return (uint32_t)ceil(cluster_pass_cycles(c) * hubs * HUB_COST_ONE);
}

/* Makes the hubs of a dimension. A switch has two for each group of nodes along the dimension, one
 * for each link. With rings, direct links or links of a file there is one. The process with the
 * first node of the group runs them. */
static bool make_hubs(fabric *f, const machine *m, unsigned d) {
    const cluster *c = &m->cluster;
    const bool rings = endpoint_is_baseline(c->endpoint);
    const bool graph = c->wiring[d] == WIRING_LINKS;
    const bool one = rings || graph || c->wiring[d] == WIRING_DIRECT;
    hub_setup setup = { .members = c->ring[d],
                        .rings = rings,
                        .direct = c->wiring[d] == WIRING_DIRECT,
                        .graph = graph ? m->graph : NULL,
                        .wire = latency_of(m, d),
                        .payload = f->payload,
                        .cost = f->representative[0].cfg.link_cost[d],
                        .input_rows = c->parameters.link_input_rows,
                        .router_rows = c->parameters.router_input_rows,
                        .buffer_rows = c->switch_rows,
                        .pass_cost = pass_cost(c, one ? 1 : 2),
                        .retry = f->faults.link.any ? link_faults_retry(c) : 0,
                        .reduces = !rings && cluster_in_network(&f->representative[0].cfg, d) != 0,
                        .rtl = m->plan.switch_rtl >> d & 1 };
    const uint32_t slack = ahead(f, m, false) + room_to_wait(c, d);
    const uint32_t latency[2] = { setup.direct || graph ? 1 : c->link_latency[d],
                                  latency_of(m, d) };

    for (unsigned k = 0; k < f->representatives; k++) {
        hub *h = NULL;

        setup.simulated = group_of(f, k, d);
        if (!setup.simulated) continue;
        for (unsigned l = 2 * d; l <= 2 * d + 1; l++) {
            const unsigned owner = slab_process(f->representatives, k);
            unsigned at = k;

            setup.node = f->representative[k].first_node;
            setup.link = l;
            if (f->representative[k].is_local && !(one && h) &&
                !(h = f->hub[f->hubs++] = hub_create(&setup)))
                return false;
            for (unsigned i = 0; i < setup.simulated; i++) {
                const unsigned port = one ? 2 * i + (l & 1) : i;
                if (!join_hub(f, at, l, port, h, owner, latency, slack)) return false;
                at = f->representative[at].to[2 * d];
            }
        }
    }
    return true;
}

/* Link 2d leads up and arrives at the neighbour's port 2d + 1, which faces down. */
static bool make_wires(fabric *f, const machine *m) {
    const cluster *c = &m->cluster;

    f->borders = process_borders_create(f->window, f->payload);
    f->hub = calloc((size_t)f->representatives * ACE_LINKS, sizeof *f->hub);
    if (!f->borders || !f->hub) return false;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        f->any_hub = f->any_hub || is_hub(c, d);
        if (is_hub(c, d) && !make_hubs(f, m, d)) return false;
    }
    for (unsigned k = 0; k < f->representatives; k++) {
        representative *a = &f->representative[k];

        for (unsigned l = 0; l < ACE_LINKS; l++) {
            representative *b = &f->representative[a->to[l]];

            if (c->ring[l / 2] == 1 || is_hub(c, l / 2) || !(a->is_local || b->is_local)) continue;
            a->out[l] = b->in[l ^ 1] = ace_wire_create(
                c->link_latency[l / 2], ahead(f, m, a == b) + room_to_wait(c, l / 2), f->payload);
            if (!a->out[l]) return false;
            if (a->is_local && b->is_local) continue;
            if (!process_borders_add(f->borders,
                                     slab_process(f->representatives, a->is_local ? a->to[l] : k),
                                     a->out[l], a->is_local))
                return false;
        }
    }
    share_interfaces(f, c);
    return true;
}

/* Attaches faults to a node's wires, outgoing ones and those from hubs. The process that has the
 * node changes the frames of both. The sender repeats lost frames. */
static bool disturb_links(fabric *f, const cluster *c) {
    for (unsigned k = f->first; k < f->end; k++) {
        representative *m = &f->representative[k];

        m->cfg.retry = link_faults_retry(c);
        m->disturber = calloc(LINK_FAULT_PLACES, sizeof *m->disturber);
        if (!m->disturber) return false;
        for (unsigned l = 0; l < LINK_FAULT_PLACES; l++) {
            const bool leaves = l < LINK_FROM_HUB;
            ace_wire *w = leaves ? m->out[l] : m->in[l - LINK_FROM_HUB];
            if (!w || !(leaves || m->from_hub[(l - LINK_FROM_HUB) / 2])) continue;
            m->disturber[l] = (link_disturber){ .faults = &f->faults.link,
                                                .node = m->first_node,
                                                .link = l,
                                                .latency = ace_wire_latency(w) };
            ace_wire_set_disturb(w, link_disturb, &m->disturber[l]);
        }
    }
    return true;
}

/* Returns the dimensions, as a bit mask, in which each pair of members has a link. */
static unsigned direct_of(const cluster *c) {
    unsigned dims = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        dims |= (unsigned)(is_hub(c, d) && c->wiring[d] == WIRING_DIRECT) << d;
    return dims;
}

/* Makes an engine, with the driver that writes its registers. wave: its waveform, or NULL. */
static int make_engine(const machine *of, representative *m, const ace_node_setup *setup,
                       const ace_rtl_wave *wave) {
    const ace_host_way way = of->control == CONTROL_TRIGGER ? ACE_HOST_TRIGGER : ACE_HOST_DOORBELL;
    const bool payload = setup->memory != NULL;
    ace_engine *engine;
    ace_core *core;
    int e =
        m->rung == RUNG_CYCLE
            ? ace_cycle_engine_create(&setup->parameters, ACE_CONTROL_COMPLETIONS, payload, &engine)
            : ace_rtl_engine_create(&setup->parameters, payload, 1, wave, &engine);

    if (e == ACE_OK) e = ace_host_core_create(engine, setup, way, &core);
    return e == ACE_OK ? ace_driver_create(core, setup, &m->node) : e;
}

/* A node has no member to meet along a dimension on which it is its own neighbour. */
static int make_calibrated(const fabric *f, const machine *of, representative *m) {
    chunk_flow_setup setup = calibrated_rung_form(of, &m->cfg, &of->calibration->flow);

    setup.plain = f->step_by_step;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (m->cfg.ring[d] == 1 || &f->representative[m->to[2 * d]] == m)
            setup.own |= (uint8_t)(1u << d);
    return calibrated_node_create(&setup, of->calibration->bytes, &m->node);
}

/* Makes the barrier of each ring's members. Returns false when there is no memory. */
static bool make_barrier(fabric *f) {
    unsigned(*up)[ACE_CLUSTER_DIMENSIONS];

    if (f->representatives == 1) return true;
    up = calloc(f->representatives, sizeof *up);
    for (unsigned k = 0; up && k < f->representatives; k++)
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
            up[k][d] = f->representative[k].cfg.ring[d] > 1 ? f->representative[k].to[2 * d] : k;
    f->barrier = up ? barrier_create(f->representatives, up, &f->representative[0].cfg) : NULL;
    for (unsigned k = f->first; f->barrier && k < f->end; k++)
        barrier_join(f->barrier, k, f->representative[k].node);
    return f->barrier != NULL;
}

/* Makes the state that ideal endpoints share. If one node represents all, all begin together. */
static int make_ideal_common(fabric *f, const machine *of) {
    const cluster *c = &of->cluster;
    const ace_config *cfg = &f->representative[0].cfg;
    ideal_layout layout = { .nodes = of->plan.nodes,
                            .representatives = f->representatives,
                            .representative_of = f->representative_of };

    f->steps = calloc(1, sizeof *f->steps);
    const int e = f->steps ? ideal_steps_count(cfg, f->steps) : ACE_ENOMEM;

    if (e != ACE_OK || f->representatives == 1) return e;
    layout.paths = (ideal_paths){ .cfg = cfg, .steps = f->steps };
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        layout.paths.step[d] = ideal_step(cfg, direct_of(c), d, c->link_latency[d]);
    f->starts = ideal_starts_create(&layout);
    return f->starts ? ACE_OK : ACE_ENOMEM;
}

static int make_ideal(const fabric *f, const cluster *c, representative *m) {
    ideal_setup setup = { .cfg = &m->cfg,
                          .steps = f->steps,
                          .shared = cluster_shared(c),
                          .direct = direct_of(c),
                          .starts = f->starts,
                          .representative = (unsigned)(m - f->representative),
                          .queued = c->parameters.exchange_rows + c->parameters.router_output_rows,
                          .in = m->in,
                          .out = m->out };

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        setup.step[d] = ideal_step(&m->cfg, setup.direct, d, c->link_latency[d]);
    return ideal_node_create(&setup, &m->node);
}

static int make_node(const fabric *f, const machine *of, representative *m,
                     const ace_rtl_wave *wave) {
    const cluster *c = &of->cluster;
    ace_node_setup setup = { .parameters = c->parameters, .config = m->cfg, .memory = m->memory };

    if (m->rung == RUNG_CALIBRATED) return make_calibrated(f, of, m);
    if (m->rung == RUNG_IDEAL) return make_ideal(f, c, m);
    memcpy(setup.in, m->in, sizeof setup.in);
    memcpy(setup.out, m->out, sizeof setup.out);
    if (m->rung == RUNG_BASELINE) {
        const double memory = cluster_memory_GBps(c) * 1e3 / c->clock_MHz;
        const baseline_share share = { .memory = memory * (double)m->speed,
                                       .sms = BASELINE_SM_BYTES * cluster_sms(c) * (double)m->speed,
                                       .lazy = c->lazy_last_reduction };
        return baseline_node_create(&setup, &share, &m->node);
    }
    if (of->control != CONTROL_PINS) return make_engine(of, m, &setup, wave);
    if (m->rung == RUNG_CYCLE) return ace_cycle_node_create(&setup, &m->node);
    return ace_rtl_node_create(&setup, wave, &m->node);
}

/* Makes a node whose core an observer wraps. */
static int make_wrapped(const ace_parameters *parameters, representative *m,
                        const fabric_observer *by, const ace_rtl_wave *wave) {
    ace_node_setup setup = { .parameters = *parameters, .config = m->cfg, .memory = m->memory };
    const bool payload = m->memory != NULL;
    ace_core *core;
    int e;

    memcpy(setup.in, m->in, sizeof setup.in);
    memcpy(setup.out, m->out, sizeof setup.out);
    e = m->rung == RUNG_CYCLE
            ? ace_cycle_core_create(&setup.parameters, &setup.config, payload, &core)
            : ace_rtl_core_create(&setup.parameters, &setup.config, payload, 1, wave, &core);
    if (e == ACE_OK) {
        const int rc = by->wrap(by->self, &setup.parameters, &setup.config, payload, core, &core);
        if (rc != EXIT_OK) return rc;
        e = ace_driver_create(core, &setup, &m->node);
    }
    if (e == ACE_OK) return EXIT_OK;
    fprintf(stderr, "acesim: node %u cannot be built: %s\n", m->first_node, ace_strerror(e));
    return e == ACE_ENOMEM ? EXIT_CHECK : EXIT_USAGE;
}

static bool put_hubs(void *self, ace_recurrence *to) {
    const fabric *f = self;

    for (unsigned i = 0; i < f->hubs; i++)
        if (!hub_put(f->hub[i], to)) return false;
    return true;
}

static void keep_counts(void *self) {
    const fabric *f = self;

    for (unsigned i = 0; i < f->hubs; i++) hub_keep(f->hub[i]);
}

/* If a wire has an end at another process, both processes shift their copies. */
static void shift_between(void *self, uint64_t cycles, uint64_t times) {
    const fabric *f = self;

    for (unsigned i = 0; i < f->hubs; i++) hub_shift(f->hub[i], cycles, times);
    process_borders_shift(f->borders, cycles);
}

static void maximum_of_all(void *self, uint64_t *v, unsigned values) {
    (void)self;
    processes_maximum(v, values);
}

ace_recurrence *fabric_recurrence(fabric *f) {
    const bool several = f->representatives > 1 || f->any_hub;
    const ace_between others = { .self = f,
                                 .put = put_hubs,
                                 .keep = keep_counts,
                                 .shift = shift_between,
                                 .maximum = maximum_of_all,
                                 .follows = f->first > 0 };
    const unsigned here = f->end - f->first;
    ace_node **node = malloc((here + 1) * sizeof *node);
    ace_recurrence *r = NULL;

    for (unsigned k = 0; node && k < here; k++) node[k] = f->representative[f->first + k].node;
    if (node) r = ace_recurrence_create(node, here, several ? &others : NULL, f->window);
    free(node);
    return r;
}

static bool all_on_cycle(const fabric *f) {
    for (unsigned k = 0; k < f->representatives; k++)
        if (f->representative[k].rung != RUNG_CYCLE) return false;
    return true;
}

/* Decides whether periods may be left out. If not, the text f->left_out gives the reason. Returns
 * false when there is no memory. */
static bool watch_periods(fabric *f, const machine *m) {
    const bool several = f->representatives > 1 || f->any_hub;
    const char *why = f->step_by_step    ? "as asked for"
                      : f->payload       ? "every bit of the payload is moved"
                      : f->messages      ? "nodes send one another messages"
                      : f->observers     ? "what goes on is recorded"
                      : !all_on_cycle(f) ? "not all nodes are on the cycle rung"
                      : m->fault_list    ? "faults come at any time"
                      : m->control       ? "commands come by registers"
                      : f->link_graph    ? "the links are those of a file"
                      : m->cluster.parameters.sub_banks > 1
                          ? "which rows meet in a sub-bank does not repeat"
                      : f->representatives > COMPARED ? "too many nodes to compare"
                                                      : "";

    if (*why) snprintf(f->left_out, sizeof f->left_out, "none: %s", why);
    /* a single node is compared at its own process, and the other processes have none */
    if (*why || !(several || f->representative[0].is_local)) return true;
    f->recurrence = fabric_recurrence(f);
    return f->recurrence != NULL;
}

/* Returns the observer that wraps the core of a representative, or NULL. */
static const fabric_observer *wrapper(const fabric *f, unsigned representative) {
    for (unsigned i = 0; i < f->observers; i++)
        if (f->observer[i].wrap &&
            f->representative_of[f->observer[i].wrapped_node] == representative)
            return &f->observer[i];
    return NULL;
}

static bool wires_watched(const fabric *f) {
    for (unsigned i = 0; i < f->observers; i++)
        if (f->observer[i].wires) return true;
    return false;
}

/* Copies the faults, because each fault of a link happens once and the fabric marks it in the
 * list. */
static bool take_faults(fabric *f, const faults *from) {
    const size_t bytes = from->link.count * sizeof *from->link.listed;

    f->faults = *from;
    if (!bytes) return true;
    f->faults.link.listed = malloc(bytes);
    if (f->faults.link.listed) memcpy(f->faults.link.listed, from->link.listed, bytes);
    return f->faults.link.listed != NULL;
}

/* Sets wave->file if this representative's waveform is requested, else NULL. */
static int begin_waveform(fabric *f, const wave_request *requested, unsigned representative,
                          ace_rtl_wave *wave) {
    int rc = EXIT_OK;

    if (!requested || representative != f->wave) return rc;
    f->wave_failures = ace_wave_failures();
    rc = atomic_file_reserve(&f->waveform, requested->file);
    if (rc == EXIT_OK) wave->file = f->waveform.part;
    return rc;
}

/* Copies the array of observers. Returns false when there is no memory. */
static bool take_observers(fabric *f, const fabric_observer *observer, unsigned observers) {
    f->observer = malloc((observers + 1) * sizeof *observer);
    if (!f->observer) return false;
    if (observers) memcpy(f->observer, observer, observers * sizeof *observer);
    f->observers = observers;
    return true;
}

/* Sets the faults that hit a node's scratchpad. */
static void upset(fabric *f, unsigned representative) {
    const ace_upsets u =
        scratchpad_faults_of(&f->faults.scratchpad, f->representative[representative].first_node);
    ace_driver_upset(f->representative[representative].node, &u);
}

static void take_execution(fabric *f, const execution *e, const wave_request *wave) {
    f->step_by_step = e->step_by_step;
    f->quiet = e->quiet;
    f->files = (fabric_files){ .checkpoint = e->checkpoint,
                               .every = e->checkpoint_every,
                               .resume = e->resume,
                               .wave_from = wave ? wave->from : UINT64_MAX };
    f->watchdog_cycles = PATIENCE;
}

/* Checks that messages can be routed, which takes an engine's routes. Returns false after a
 * message. */
static bool routes_reach(const cluster *c) {
    if (cluster_of_engines(c)) return true;
    fprintf(stderr, "acesim: found messages between nodes (sends, or groups that are no whole "
                    "dimensions), expected none beyond four dimensions, 128 members on a ring "
                    "and 64 on a hub: routes have no room for more\n");
    return false;
}

/* Makes the nodes of this process. Returns EXIT_OK, or another status after a message. */
static int make_nodes(fabric *f, const machine *m, const wave_request *wave) {
    for (unsigned k = f->first; k < f->end; k++) {
        ace_rtl_wave requested = { NULL, wave ? wave->from : 0, wave ? wave->to : 0,
                                   m->cluster.clock_MHz };
        representative *const r = &f->representative[k];
        const fabric_observer *by = wrapper(f, k);
        int error = ACE_OK, rc = begin_waveform(f, wave, k, &requested);

        if (rc != EXIT_OK) return rc;
        const ace_rtl_wave *writes = requested.file ? &requested : NULL;
        if (by)
            rc = make_wrapped(&m->cluster.parameters, r, by, writes);
        else
            error = make_node(f, m, r, writes);
        if (rc != EXIT_OK) return rc;
        if (error == ACE_OK && m->fault_list) upset(f, k);
        if (error == ACE_OK) continue;
        fprintf(stderr, "acesim: node %u cannot be built: %s\n", r->first_node,
                ace_strerror(error));
        return error == ACE_ENOMEM ? EXIT_CHECK : EXIT_USAGE;
    }
    return EXIT_OK;
}

int fabric_create(const machine *m, const execution *e, const fabric_work *work,
                  const fabric_watch *watch, fabric **to) {
    const wave_request *const wave = watch->wave && watch->wave->file ? watch->wave : NULL;
    const cluster *c = &m->cluster;
    const node_plan *p = &m->plan;
    uint32_t *class_of = malloc(p->nodes * sizeof *class_of);
    fabric *f = calloc(1, sizeof *f);
    const bool ideal = c->endpoint == ENDPOINT_IDEAL;
    unsigned classes = 0;
    int rc = EXIT_OK;

    if (!f || !class_of || !take_faults(f, &m->faults)) goto nomem;
    if (work->messages && !routes_reach(c)) {
        rc = EXIT_USAGE;
        goto done;
    }
    take_execution(f, e, wave);
    f->payload = m->payload;
    f->messages = work->messages;
    f->link_graph = m->graph;
    if (f->link_graph && !(f->carried = calloc(2 * f->link_graph->links, sizeof *f->carried)))
        goto nomem;
    if (!take_observers(f, watch->observer, watch->observers)) goto nomem;
    if (!divide(f, m, e, work, class_of, &classes)) goto nomem;
    if (classes > most_simulated(m)) {
        fprintf(stderr, "acesim: found %u nodes to simulate (folding: %s), expected at most %u\n",
                classes, f->folding, most_simulated(m));
        rc = EXIT_USAGE;
        goto done;
    }
    if (!make_representatives(f, m, wave, class_of, classes)) goto nomem;
    f->group_size = processes_count() > 1 ? 1 : together_of(f, m);
    f->group_window = latency_of(m, 0);
    f->window = window_of(f, m, wires_watched(f));
    f->threads = e->threads < f->end - f->first ? e->threads : f->end - f->first;
    if (!m->calibration && (!ideal || work->messages) && !make_wires(f, m)) goto nomem;
    if (f->faults.link.any && !disturb_links(f, c)) goto nomem;
    if (ideal && make_ideal_common(f, m) != ACE_OK) goto nomem;
    rc = make_nodes(f, m, wave);
    if (rc != EXIT_OK) goto done;
    if (m->calibration && !make_barrier(f)) goto nomem;
    if (f->group_size > 1 && barrier_inside(f->barrier, 1) != ACE_OK) goto nomem;
    if (watch_periods(f, m)) goto done;
nomem:
    rc = message_no_memory();
done:
    free(class_of);
    rc = processes_agree(rc);
    if (rc == EXIT_OK)
        *to = f;
    else
        (void)fabric_destroy(f);
    return rc;
}

/* Closes the waveform file. The node that wrote it must have been destroyed. */
static int end_waveform(fabric *f) {
    if (!f->waveform.part) return EXIT_OK;
    if (f->now <= f->files.wave_from) {
        atomic_file_drop(&f->waveform);
        if (!f->now) return EXIT_OK; /* the run never began, and that was reported */
        fprintf(stderr,
                "acesim: --wave-from: found %llu, expected a cycle before %llu, in which the "
                "simulation ended\n",
                (unsigned long long)f->files.wave_from, (unsigned long long)f->now);
        return EXIT_USAGE;
    }
    return ace_wave_failures() == f->wave_failures ? atomic_file_close(&f->waveform)
                                                   : atomic_file_fail(&f->waveform);
}

int fabric_destroy(fabric *f) {
    int rc;

    if (!f) return EXIT_OK;
    ace_recurrence_destroy(f->recurrence);
    for (unsigned i = 0; f->representative && i < f->representatives; i++)
        ace_node_destroy(f->representative[i].node);
    rc = end_waveform(f);
    for (unsigned i = 0; f->representative && i < f->representatives; i++) {
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            ace_wire_destroy(f->representative[i].out[l]);
            if (f->representative[i].from_hub[l / 2]) ace_wire_destroy(f->representative[i].in[l]);
        }
        ace_memory_destroy(f->representative[i].memory);
    }
    for (unsigned i = 0; i < f->hubs; i++) hub_destroy(f->hub[i]);
    free(f->hub);
    free(f->carried);
    barrier_destroy(f->barrier);
    ideal_starts_destroy(f->starts);
    free(f->steps);
    free(f->all_messages);
    process_borders_destroy(f->borders);
    for (unsigned i = 0; f->representative && i < f->representatives; i++)
        free(f->representative[i].disturber);
    free(f->faults.link.listed); /* the setup owns the rest */
    free(f->observer);
    free(f->representative_of);
    free(f->representative);
    free(f);
    return rc;
}
