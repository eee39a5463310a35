/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric.c -- a torus of nodes on one clock
 *
 * Time goes in windows no longer than the shortest link: what a node sends in a
 * window arrives after it, so its nodes run alone, on any thread, in any order.
 * Between windows the time in which no node, wire or NPU has anything to do is
 * skipped.  An NPU acts in exact cycles: its node is stopped there, and where a
 * completion could make it submit within the window, the node goes no further than it
 * could act.
 *
 * Nodes that behave alike (fold.c) are one member, wired to the members its neighbours are.
 *
 * Where one member stands for all, the periods of a long collective may be left out
 * (cmodel/ace_recurrence.h).
 *
 * Each process simulates some of the members, in the same windows.  What was sent in a
 * window to members of other processes goes there after it (borders.c).
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ace_host_core.h"
#include "ace_recurrence.h"
#include "ace_rtl_engine.h"
#include "ace_rtl_node.h"
#include "acesim.h"
#include "baseline.h"
#include "borders.h"
#include "checkpoint.h"
#include "faults.h"
#include "hub.h"
#include "processes.h"
#include "recording.h"
#include "samples.h"
#include "timeline.h"

enum {
    STUCK_CYCLES = 10000000,
    LONGEST_WINDOW = 10000, /* cycles between two looks at the watchdog and the progress */
    MEMBERS = 16384         /* nodes simulated at once, some 0.2 MiB each */
};

typedef struct member {
    unsigned place, weight; /* the first node it stands for, and how many */
    float speed;
    uint8_t rung;
    bool known;
    bool here;              /* this process simulates it: what follows is made */
    unsigned to[ACE_LINKS]; /* the member at the other end */
    ace_node *node;
    ace_memory *memory;
    ace_config cfg;
    ace_wire *in[ACE_LINKS], *out[ACE_LINKS];
    link_disturber *disturber; /* one a link, or NULL */
    uint64_t expected[ACE_DIMENSIONS];
    uint64_t now;      /* the node has run to here */
    uint64_t wake;     /* the NPU acts then */
    uint64_t reaction; /* see driver.act */
    uint64_t events;   /* completions and acts, for the watchdog */
} member;

struct fabric {
    unsigned members, threads;
    unsigned first, past; /* [first, past) are this process's */
    member *member;
    unsigned *member_of; /* of each node */
    samples *samples;    /* or NULL */
    timeline *timeline;  /* or NULL */
    borders *borders;
    hub **hub; /* of dimensions that are no rings: those that this process runs */
    unsigned hubs;
    faults faults;
    unsigned classes; /* of nodes that behave alike */
    unsigned wave;    /* member whose waveform is written */
    unsigned record;  /* member whose pins are written */
    recorder *recorder;
    uint32_t window; /* longest allowed */
    bool payload, folded;
    char folding[128], skipping[128];
    ace_recurrence *recurrence; /* of the only member; NULL: step by step */
    const options *o;
    /* the window under way */
    const driver *driver;
    uint64_t now, until;
    uint64_t seen, moved; /* for the watchdog: events, and the window edge they were new at */
    uint64_t save;        /* a checkpoint is due */
    atomic_uint next_member;
    bool stop;
    pthread_barrier_t start, end;
};

static bool has_timeline(const options *o) { return o->timeline || o->output; }

/* ---- building ------------------------------------------------------------------ */

typedef enum rung { RUNG_CYCLE, RUNG_RTL, RUNG_IDEAL, RUNG_BASELINE } rung;

enum { NO_RUNG = 255 };

/* What the cluster says of each node. */
typedef struct places {
    unsigned nodes;
    uint8_t *rung;
    float *speed;
} places;

static const char *const rung_names[] = { "cycle", "rtl", "ideal", "baseline" };

static bool set_rung(void *self, unsigned node, const char *word, size_t length) {
    uint8_t *rung = &((places *)self)->rung[node];

    for (*rung = RUNG_CYCLE; *rung <= RUNG_RTL; ++*rung)
        if (length == strlen(rung_names[*rung]) && !strncmp(word, rung_names[*rung], length))
            return true;
    return false;
}

static bool set_speed(void *self, unsigned node, const char *word, size_t length) {
    char *end;
    const double v = strtod(word, &end);

    if (end != word + length || !(v > 0 && v <= 1)) return false;
    ((places *)self)->speed[node] = (float)v;
    return true;
}

static bool is_hub(const cluster *c, unsigned d) {
    return c->wiring[d] != WIRING_RING && c->ring[d] > 1;
}

static bool has_hubs(const cluster *c) {
    bool any = false;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) any = any || is_hub(c, d);
    return any;
}

/* The name of a parameter set that the rtl rung is built with, by number, NULL past the last. */
static const char *rtl_set(const options *o, unsigned set, const ace_parameters **p) {
    const char *name;
    unsigned completions;

    for (unsigned i = 0; (*p = ace_rtl_parameters(i, &name)); i++) {
        const ace_parameters *engine;
        bool both = !o->registers;
        for (unsigned k = 0; !both && (engine = ace_rtl_engine_parameters(k, &completions)); k++)
            both = engine == *p;
        if (both && set-- == 0) return name;
    }
    return NULL;
}

static bool is_rtl_built(const options *o) {
    const ace_parameters *built;
    const char *name;

    for (unsigned i = 0; rtl_set(o, i, &built); i++)
        if (!memcmp(built, &o->cluster.parameters, sizeof *built)) return true;
    fprintf(stderr,
            "acesim: found --rung '%s' with hardware parameters that no RTL%s is built "
            "with, expected those of",
            o->cluster.rungs, o->registers ? " with registers" : "");
    for (unsigned i = 0; (name = rtl_set(o, i, &built)); i++)
        fprintf(stderr, "%s %s", i ? "," : "", name);
    fprintf(stderr, " (cmake/node_sets/; default: without any given), or rung cycle\n");
    return false;
}

/* EXIT_OK, or EXIT_USAGE after a message. */
static int read_places(const options *o, places *p) {
    const cluster *c = &o->cluster;

    memset(p->rung, NO_RUNG, p->nodes);
    for (unsigned i = 0; i < p->nodes; i++) p->speed[i] = 1;
    if (!parse_node_list(c->rungs, p->nodes, set_rung, p) || memchr(p->rung, NO_RUNG, p->nodes)) {
        fprintf(stderr,
                "acesim: found rung '%s', expected cycle, rtl, or a list such as "
                "rtl:0,5;cycle:rest that names each of nodes 0 to %u once\n",
                c->rungs, p->nodes - 1);
        return EXIT_USAGE;
    }
    if (*c->speeds && !parse_node_list(c->speeds, p->nodes, set_speed, p)) {
        fprintf(stderr,
                "acesim: found speed '%s', expected a list such as 0.5:3,7 of fractions above 0, "
                "at most 1, that names any of nodes 0 to %u once\n",
                c->speeds, p->nodes - 1);
        return EXIT_USAGE;
    }
    if (o->wave_file && (o->wave_node >= p->nodes || p->rung[o->wave_node] != RUNG_RTL)) {
        fprintf(stderr, "acesim: found --wave-node %u, expected a node on the rtl rung\n",
                o->wave_node);
        return EXIT_USAGE;
    }
    if (o->record && (o->record_node >= p->nodes || c->endpoint != ENDPOINT_ACE)) {
        fprintf(stderr,
                "acesim: found --record-node %u of endpoint %s, expected a node from 0 to %u of "
                "endpoint ace\n",
                o->record_node, endpoint_name(c->endpoint), p->nodes - 1);
        return EXIT_USAGE;
    }
    if (c->endpoint == ENDPOINT_IDEAL && o->samples) {
        fprintf(stderr, "acesim: the ideal endpoint puts nothing on links or memory, expected it "
                        "without --samples\n");
        return EXIT_USAGE;
    }
    if (c->endpoint != ENDPOINT_ACE && (o->payload || strcmp(c->rungs, "cycle"))) {
        fprintf(stderr,
                "acesim: endpoint '%s' carries no payload and has one rung, expected it without "
                "--payload and --rung\n",
                endpoint_name(c->endpoint));
        return EXIT_USAGE;
    }
    return memchr(p->rung, RUNG_RTL, p->nodes) && !is_rtl_built(o) ? EXIT_USAGE : EXIT_OK;
}

/* Why nodes do not have the same work in a collective; NULL: they do. */
static const char *unlike(ace_kind kind) {
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

/* Decides who is simulated: class_of[] and the number of classes; f->folding says why.
 * False: no memory. */
static bool divide(fabric *f, const options *o, const places *p, uint32_t *class_of,
                   unsigned *classes) {
    const uint8_t *ring = o->cluster.ring;
    const char *why = o->payload    ? "payload differs from node to node"
                      : o->unfolded ? "as asked for"
                      : o->faults   ? "faults differ from node to node"
                                    : unlike(o->kind);
    bool hub[ACE_DIMENSIONS];

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) hub[d] = is_hub(&o->cluster, d);
    for (unsigned i = 0; i < p->nodes; i++) memcpy(&class_of[i], &p->speed[i], sizeof *class_of);
    if (!why && !fold_torus(ring, hub, MEMBERS, class_of, classes)) return false;
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

/* What a row costs at a fraction of the speed: no more than a register holds. */
static uint32_t slowed(uint32_t cost, float speed) {
    const double c = round((double)cost / (double)speed);

    return c < ACE_COST_MAX ? (uint32_t)c : ACE_COST_MAX;
}

/*
 * Members of a folded cluster: for each rung in use, in the order of its first node, a copy
 * of all classes, so that each rung's own outputs come back to it.  A class without a node
 * on that rung takes part in the copy on its own rung, and stands for none.
 */
static bool make_members(fabric *f, const options *o, const ace_config *cfg, const places *p,
                         const uint32_t *class_of, unsigned classes) {
    const cluster *c = &o->cluster;
    int copy[2] = { -1, -1 };
    unsigned copies = 0;

    for (unsigned i = 0; i < p->nodes; i++)
        if (copy[f->folded ? p->rung[i] : 0] < 0) copy[f->folded ? p->rung[i] : 0] = (int)copies++;
    f->classes = classes;
    f->members = copies * classes;
    f->first = slab_first(f->members, processes_rank());
    f->past = slab_first(f->members, processes_rank() + 1);
    f->member = calloc(f->members, sizeof *f->member);
    f->member_of = calloc(p->nodes, sizeof *f->member_of);
    if (!f->member || !f->member_of) return false;
    if (o->samples && !(f->samples = samples_create(o->samples, f->members))) return false;
    for (unsigned i = 0; i < p->nodes; i++) { /* the first of each class, in every copy */
        const unsigned own = (unsigned)copy[f->folded ? p->rung[i] : 0];

        for (unsigned k = 0; k < copies; k++) {
            member *m = &f->member[k * classes + class_of[i]];
            const bool first = k == own && !m->weight;

            if (k == own) {
                m->weight++;
                f->member_of[i] = k * classes + class_of[i];
            }
            if (m->known && !first) continue;
            m->known = true;
            m->place = i;
            m->rung = c->endpoint == ENDPOINT_IDEAL       ? RUNG_IDEAL
                      : endpoint_is_baseline(c->endpoint) ? RUNG_BASELINE
                                                          : p->rung[i];
            m->speed = p->speed[i];
        }
    }
    if (o->wave_file)
        f->wave = (unsigned)copy[f->folded ? RUNG_RTL : 0] * classes + class_of[o->wave_node];
    if (o->record)
        f->record = (unsigned)copy[f->folded ? p->rung[o->record_node] : 0] * classes +
                    class_of[o->record_node];
    for (unsigned k = 0; k < f->members; k++) {
        member *m = &f->member[k];
        unsigned rest = m->place;

        m->cfg = *cfg;
        if (m->rung == RUNG_BASELINE) { /* software goes round rings, on any wiring */
            memset(m->cfg.program, 0, sizeof m->cfg.program);
            memset(m->cfg.algorithm, 1, sizeof m->cfg.algorithm);
        }
        m->cfg.read_cost = slowed(cfg->read_cost, m->speed);
        m->cfg.write_cost = slowed(cfg->write_cost, m->speed);
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            m->cfg.rank[d] = (uint8_t)(rest % cfg->ring[d]);
            rest /= cfg->ring[d];
            if (c->ring[d] == 1) continue;
            for (unsigned l = 2 * d; l <= 2 * d + 1; l++)
                m->to[l] = k / classes * classes + class_of[torus_neighbour(c->ring, m->place, l)];
        }
        m->here = k >= f->first && k < f->past;
        if (f->payload && m->here && !(m->memory = ace_memory_create())) return false;
    }
    return true;
}

/* Cycles from a node to the next, or from the hub to a node.  Between nodes that are directly
 * connected the hub is in the sender, a cycle away. */
static uint32_t latency_of(const cluster *c, unsigned d) {
    const uint32_t all = c->link_latency[d];

    return c->wiring[d] == WIRING_DIRECT && all > 1 ? all - 1 : all;
}

/* The shortest latency between two nodes. */
static uint32_t shortest_link(const cluster *c) {
    uint32_t shortest = LONGEST_WINDOW;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (c->ring[d] > 1 && latency_of(c, d) < shortest) shortest = latency_of(c, d);
    return shortest;
}

/* A node's wires to a hub, and from it.  Where the two are at different processes both have
 * them. */
static bool join_hub(fabric *f, unsigned k, unsigned l, unsigned port, hub *h, unsigned owner,
                     const uint32_t latency[2], uint32_t slack) {
    member *m = &f->member[k];
    const unsigned here = processes_rank(), there = slab_process(f->members, k);

    if (!m->here && owner != here) return true;
    m->out[l] = ace_wire_create(latency[0], slack, f->payload);
    m->in[l] = ace_wire_create(latency[1], slack, f->payload);
    if (!m->out[l] || !m->in[l]) return false;
    if (h) hub_connect(h, port, m->out[l], m->in[l]);
    if (m->here && owner == here) return true;
    return borders_add(f->borders, m->here ? owner : there, m->out[l], m->here) &&
           borders_add(f->borders, m->here ? owner : there, m->in[l], !m->here);
}

/* The hubs of a dimension: for each group of nodes along it two, one for each link, or with
 * rings one.  The process that has the first of the group runs them. */
static bool make_hubs(fabric *f, const cluster *c, unsigned d) {
    const bool rings = endpoint_is_baseline(c->endpoint);
    hub_setup setup = { .members = c->ring[d],
                        .rings = rings,
                        .direct = c->wiring[d] == WIRING_DIRECT,
                        .payload = f->payload,
                        .cost = f->member[0].cfg.link_cost[d],
                        .input_rows = c->parameters.link_input_rows,
                        .router_rows = c->parameters.router_input_rows };
    const uint32_t slack = shortest_link(c) + 1;
    const uint32_t latency[2] = { setup.direct ? 1 : c->link_latency[d], latency_of(c, d) };

    for (unsigned k = 0; k < f->members; k++) {
        if (f->member[k].cfg.rank[d]) continue;
        hub *h = NULL;
        for (unsigned l = 2 * d; l <= 2 * d + 1; l++) {
            const unsigned owner = slab_process(f->members, k);
            unsigned at = k;

            setup.link = l;
            if (f->member[k].here && !(rings && h) && !(h = f->hub[f->hubs++] = hub_create(&setup)))
                return false;
            for (unsigned i = 0; i < c->ring[d]; i++) {
                const unsigned port = rings ? 2 * i + (l & 1) : i;
                if (!join_hub(f, at, l, port, h, owner, latency, slack)) return false;
                at = f->member[at].to[2 * d];
            }
        }
    }
    return true;
}

/* Link 2d goes up and arrives at the neighbour's port that faces down, 2d + 1. */
static bool make_wires(fabric *f, const cluster *c) {
    const uint32_t slack = shortest_link(c) + 1;

    f->borders = borders_create(f->window, f->payload);
    f->hub = calloc((size_t)f->members * ACE_LINKS, sizeof *f->hub);
    if (!f->borders || !f->hub) return false;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (is_hub(c, d) && !make_hubs(f, c, d)) return false;
    for (unsigned k = 0; k < f->members; k++) {
        member *a = &f->member[k];

        for (unsigned l = 0; l < ACE_LINKS; l++) {
            member *b = &f->member[a->to[l]];

            if (c->ring[l / 2] == 1 || is_hub(c, l / 2) || !(a->here || b->here)) continue;
            a->out[l] = b->in[l ^ 1] = ace_wire_create(c->link_latency[l / 2], slack, f->payload);
            if (!a->out[l]) return false;
            if (a->here && b->here) continue;
            if (!borders_add(f->borders, slab_process(f->members, a->here ? a->to[l] : k),
                             a->out[l], a->here))
                return false;
        }
    }
    return true;
}

/* Puts faults on the wires that leave the nodes; the nodes send again what is lost. */
static bool disturb_links(fabric *f, const cluster *c) {
    for (unsigned k = f->first; k < f->past; k++) {
        member *m = &f->member[k];

        m->cfg.retry = link_faults_retry(c);
        m->disturber = calloc(ACE_LINKS, sizeof *m->disturber);
        if (!m->disturber) return false;
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            if (!m->out[l]) continue;
            m->disturber[l] = (link_disturber){ .faults = &f->faults.link,
                                                .node = m->place,
                                                .link = l,
                                                .latency = ace_wire_latency(m->out[l]) };
            ace_wire_set_disturb(m->out[l], link_disturb, &m->disturber[l]);
        }
    }
    return true;
}

/* An engine, with software that writes its registers. */
static int make_engine(const options *o, member *m, const ace_node_setup *setup, bool wave) {
    const bool payload = setup->memory != NULL;
    ace_engine *engine;
    ace_core *core;
    int e =
        m->rung == RUNG_CYCLE
            ? ace_cycle_engine_create(&setup->parameters, ACE_CONTROL_COMPLETIONS, payload, &engine)
            : ace_rtl_engine_create(&setup->parameters, payload, 1, wave ? o->wave_file : NULL,
                                    o->wave_from, o->wave_to, &engine);

    if (e == ACE_OK) e = ace_host_core_create(engine, setup, &core);
    return e == ACE_OK ? ace_driver_create(core, setup, &m->node) : e;
}

static int make_node(const options *o, member *m, bool wave) {
    const cluster *c = &o->cluster;
    ace_node_setup setup = { .parameters = c->parameters, .config = m->cfg, .memory = m->memory };

    if (m->rung == RUNG_IDEAL) return ideal_node_create(&m->cfg, c->link_latency, &m->node);
    memcpy(setup.in, m->in, sizeof setup.in);
    memcpy(setup.out, m->out, sizeof setup.out);
    if (m->rung == RUNG_BASELINE) {
        const double memory = cluster_memory_GBps(c) * 1e3 / c->clock_MHz;
        const baseline_share share = { .memory = memory * (double)m->speed,
                                       .sms = BASELINE_SM_BYTES * cluster_sms(c) * (double)m->speed,
                                       .lazy = c->lazy_last_reduction };
        return baseline_node_create(&setup, &share, &m->node);
    }
    if (o->registers) return make_engine(o, m, &setup, wave);
    if (m->rung == RUNG_CYCLE) return ace_cycle_node_create(&setup, &m->node);
    return ace_rtl_node_create(&setup, wave ? o->wave_file : NULL, o->wave_from, o->wave_to,
                               &m->node);
}

/* A node with a recorder around its core. */
static int make_recorded(fabric *f, const options *o, member *m, bool wave) {
    ace_node_setup setup = { .parameters = o->cluster.parameters,
                             .config = m->cfg,
                             .memory = m->memory };
    const recording_header about = { .node = o->record_node,
                                     .payload = f->payload,
                                     .parameters = setup.parameters,
                                     .config = m->cfg };
    ace_core *core;
    int e;

    memcpy(setup.in, m->in, sizeof setup.in);
    memcpy(setup.out, m->out, sizeof setup.out);
    e = m->rung == RUNG_CYCLE
            ? ace_cycle_core_create(&setup.parameters, &setup.config, f->payload, &core)
            : ace_rtl_core_create(&setup.parameters, &setup.config, f->payload, 1,
                                  wave ? o->wave_file : NULL, o->wave_from, o->wave_to, &core);
    if (e == ACE_OK) {
        const int rc = recorder_create(o->record, &about, core, &f->recorder, &core);
        if (rc != EXIT_OK) return rc;
        e = ace_driver_create(core, &setup, &m->node);
    }
    if (e == ACE_OK) return EXIT_OK;
    fprintf(stderr, "acesim: node %u cannot be built: %s\n", m->place, ace_strerror(e));
    return EXIT_USAGE;
}

/* Decides whether periods may be left out; f->skipping says why not.  False: no memory. */
static bool watch_periods(fabric *f, const options *o) {
    const char *why = o->step_by_step  ? "as asked for"
                      : f->members > 1 ? "more than one node is simulated"
                      : f->payload     ? "every bit of the payload is moved"
                      : f->samples || has_timeline(o) || o->record ? "what goes on is recorded"
                      : f->member[0].rung != RUNG_CYCLE ? "the node is not on the cycle rung"
                      : o->faults                       ? "faults come at any time"
                      : o->registers                    ? "commands come by registers"
                                                        : "";

    if (*why) snprintf(f->skipping, sizeof f->skipping, "none: %s", why);
    if (*why || !f->member[0].here) return true;
    f->recurrence = ace_recurrence_create(f->member[0].node);
    return f->recurrence != NULL;
}

int fabric_create(const options *o, const ace_config *cfg, fabric **to) {
    const cluster *c = &o->cluster;
    const unsigned nodes = cluster_nodes(c);
    places p = { nodes, malloc(nodes), malloc(nodes * sizeof *p.speed) };
    uint32_t *class_of = malloc(nodes * sizeof *class_of);
    fabric *f = calloc(1, sizeof *f);
    unsigned classes = 0;
    int rc;

    if (!f || !p.rung || !p.speed || !class_of) goto nomem;
    f->o = o;
    f->payload = o->payload;
    rc = read_places(o, &p);
    if (rc != EXIT_OK) goto done;
    if (o->faults && !faults_read(o->faults, &f->faults)) goto nomem;
    if (o->faults) rc = faults_check(&f->faults, o);
    if (rc != EXIT_OK) goto done;
    if (!divide(f, o, &p, class_of, &classes)) goto nomem;
    if (classes > MEMBERS) {
        fprintf(stderr, "acesim: found %u nodes to simulate (folding: %s), expected at most %u\n",
                classes, f->folding, (unsigned)MEMBERS);
        rc = EXIT_USAGE;
        goto done;
    }
    if (!make_members(f, o, cfg, &p, class_of, classes)) goto nomem;
    /* Members that only hear themselves need not wait for others, unless one watches (watch.h). */
    f->window = classes > 1 || (has_timeline(o) && c->endpoint == ENDPOINT_ACE) ? shortest_link(c)
                                                                                : LONGEST_WINDOW;
    f->threads = o->threads < f->past - f->first ? o->threads : f->past - f->first;
    if (c->endpoint != ENDPOINT_IDEAL && !make_wires(f, c)) goto nomem;
    if (f->faults.link.any && !disturb_links(f, c)) goto nomem;
    for (unsigned k = f->first; k < f->past; k++) {
        const bool wave = o->wave_file && k == f->wave;
        int e = ACE_OK;
        if (o->record && k == f->record) {
            rc = make_recorded(f, o, &f->member[k], wave);
            if (rc != EXIT_OK) goto done;
        } else {
            e = make_node(o, &f->member[k], wave);
        }
        if (e == ACE_OK && o->faults) {
            const ace_upsets u = scratchpad_faults_of(&f->faults.scratchpad, f->member[k].place);
            ace_driver_upset(f->member[k].node, &u);
        }
        if (e == ACE_OK) continue;
        fprintf(stderr, "acesim: node %u cannot be built: %s\n", f->member[k].place,
                ace_strerror(e));
        rc = EXIT_USAGE;
        goto done;
    }
    if (has_timeline(o)) rc = timeline_create(o, f, &f->timeline);
    if (rc != EXIT_OK || watch_periods(f, o)) goto done;
nomem:
    fprintf(stderr, "acesim: out of memory\n");
    rc = EXIT_CHECK;
done:
    free(p.rung);
    free(p.speed);
    free(class_of);
    rc = processes_agree(rc);
    if (rc == EXIT_OK)
        *to = f;
    else
        fabric_destroy(f);
    return rc;
}

void fabric_destroy(fabric *f) {
    if (!f) return;
    ace_recurrence_destroy(f->recurrence);
    for (unsigned i = 0; f->member && i < f->members; i++) ace_node_destroy(f->member[i].node);
    for (unsigned i = 0; f->member && i < f->members; i++) {
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            ace_wire_destroy(f->member[i].out[l]);
            if (f->member[i].cfg.hub[l / 2]) ace_wire_destroy(f->member[i].in[l]);
        }
        ace_memory_destroy(f->member[i].memory);
    }
    for (unsigned i = 0; i < f->hubs; i++) hub_destroy(f->hub[i]);
    free(f->hub);
    borders_destroy(f->borders);
    for (unsigned i = 0; f->member && i < f->members; i++) free(f->member[i].disturber);
    faults_free(&f->faults);
    samples_destroy(f->samples);
    timeline_destroy(f->timeline);
    free(f->member_of);
    free(f->member);
    free(f);
}

/* ---- running ------------------------------------------------------------------- */

int fabric_submit(fabric *f, unsigned node, const ace_command *c, uint64_t cycle) {
    member *m = &f->member[node];
    uint64_t bytes[ACE_DIMENSIONS];
    int rc;

    if (m->now < cycle) {
        ace_node_run(m->node, cycle);
        m->now = cycle;
    }
    rc = ace_node_submit(m->node, c, cycle);
    if (rc != ACE_OK) return rc;
    if (f->recurrence) ace_recurrence_submitted(f->recurrence);
    if (f->timeline) timeline_outstanding(f->timeline, node, cycle, 1);
    ace_plan_bytes(c, &m->cfg, bytes);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) m->expected[d] += bytes[d];
    return ACE_OK;
}

static uint64_t earliest_arrival(const member *m) {
    uint64_t t = UINT64_MAX;

    for (unsigned l = 0; l < ACE_LINKS; l++) {
        const uint64_t a = m->in[l] ? ace_wire_next(m->in[l]) : UINT64_MAX;
        if (a < t) t = a;
    }
    return t;
}

static uint64_t earliest(const member *m) {
    const uint64_t quiet = ace_node_quiet_until(m->node), arrival = earliest_arrival(m);

    return quiet < arrival ? quiet : arrival;
}

static bool take_completions(fabric *f, unsigned i) {
    ace_completion c;
    bool any = false;

    while (ace_node_completion(f->member[i].node, &c)) {
        f->driver->completed(f->driver->self, i, &c);
        if (f->timeline) timeline_outstanding(f->timeline, i, c.cycle + 1, -1);
        f->member[i].events++;
        any = true;
    }
    return any;
}

/* The traffic since the last call is that of the sample up to cycle t. */
static void take_sample(fabric *f, unsigned i, uint64_t t) {
    const member *m = &f->member[i];
    uint64_t counter[SAMPLE_COUNTERS] = { 0 };
    ace_statistic s[STATISTICS];
    size_t n = ace_node_statistics(m->node, s, STATISTICS);

    for (unsigned l = 0; l < ACE_LINKS; l++)
        counter[SAMPLE_SENT + l / 2] += fabric_link_bytes(f, i, l);
    for (n = n < STATISTICS ? n : STATISTICS; n-- > 0;) {
        if (!strcmp(s[n].name, "memory.read.bytes"))
            counter[SAMPLE_READ] = s[n].value;
        else if (!strcmp(s[n].name, "memory.write.bytes"))
            counter[SAMPLE_WRITTEN] = s[n].value;
    }
    samples_add(f->samples, i, m->weight, t, counter);
}

/* One node through the window [now, until). */
static void run_member(fabric *f, unsigned i) {
    member *m = &f->member[i];
    uint64_t t = m->now > f->now ? m->now : f->now;

    if (m->wake >= f->until && earliest(m) >= f->until) return; /* it sleeps through */
    if (f->timeline && m->now < t) {
        ace_node_run(m->node, t);
        m->now = t;
        timeline_awake(f->timeline, i, t);
    }
    for (;;) {
        uint64_t to = f->until;

        while (m->wake <= t) { /* acts until it wants to wait */
            m->events++;
            m->wake = f->driver->act(f->driver->self, i, t, &m->reaction);
        }
        if (t >= f->until) break;
        if (m->wake < to) to = m->wake;
        if (m->reaction < to - t) { /* nothing completes before e */
            const uint64_t e = earliest(m), soonest = (e > t ? e : t) + 1;
            if (e < to && m->reaction < to - soonest) to = soonest + m->reaction;
        }
        if (f->samples && samples_edge(f->samples, t) < to) to = samples_edge(f->samples, t);
        if (f->timeline) {
            /* at rest there is nothing to see */
            const uint64_t e = earliest(m), stop = e > t ? e : timeline_edge(f->timeline, t);
            if (stop < to) to = stop;
            timeline_arrivals(f->timeline, i, m->in, to);
        }
        if (f->recurrence) /* maybe far beyond the window, but not beyond what the NPU does */
            to = ace_recurrence_run(f->recurrence, to, m->wake);
        else
            ace_node_run(m->node, to);
        m->now = t = to;
        if (f->timeline)
            timeline_departures(f->timeline, i, m->out, t, ace_node_quiet_until(m->node) > t);
        if (f->samples) take_sample(f, i, t);
        if (take_completions(f, i)) m->wake = t < m->wake ? t : m->wake;
        if (t >= f->until) break; /* the next window begins with the act */
    }
}

static void run_members(fabric *f) {
    for (;;) {
        const unsigned i = atomic_fetch_add(&f->next_member, 1);
        if (i >= f->past) return;
        run_member(f, i);
    }
}

static void *worker(void *p) {
    fabric *f = p;

    for (;;) {
        pthread_barrier_wait(&f->start);
        if (f->stop) return NULL;
        run_members(f);
        pthread_barrier_wait(&f->end);
    }
}

/* EXIT_CHECK where members of this process are among those that wait. */
static int dump_stuck(fabric *f, const char *why) {
    unsigned shown = 0;

    for (unsigned i = f->first; i < f->past; i++) {
        if (f->driver->finished(f->driver->self, i)) continue;
        if (!shown)
            fprintf(stderr, "acesim: hang at cycle %llu: %s\n", (unsigned long long)f->now, why);
        if (shown++ == 8) {
            fprintf(stderr, "(more nodes wait)\n");
            break;
        }
        fprintf(stderr, "-- node %u (%s) waits\n", f->member[i].place,
                ace_node_rung(f->member[i].node));
        ace_node_dump(f->member[i].node, stderr);
    }
    return shown ? EXIT_CHECK : EXIT_OK;
}

/* What has happened here so far; it stands still in a hang. */
static uint64_t events(const fabric *f) {
    uint64_t n = 0;

    for (unsigned i = f->first; i < f->past; i++) {
        n += f->member[i].events;
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (f->member[i].out[l]) n += ace_wire_packets(f->member[i].out[l]);
    }
    return n;
}

/* Progress on a terminal. */
typedef struct meter {
    bool tty;
    int shown;
    unsigned tick;
} meter;

static void show_progress(const fabric *f, meter *m) {
    int percent;

    if (!m->tty || processes_rank()) return; /* the driver knows only of the members here */
    if (m->tick++ % (f->window < 1000 ? 256 : 8)) return;
    percent = (int)(f->driver->progress(f->driver->self) * 100);
    if (percent > 100) percent = 100;
    if (percent == m->shown) return;
    m->shown = percent;
    fprintf(stderr, "\r%3d %%  cycle %llu ", percent, (unsigned long long)f->now);
}

/* What all processes must know between two windows. */
typedef struct pulse {
    uint64_t next;  /* nothing happens before this cycle; UINT64_MAX: at rest */
    uint64_t moved; /* the last window edge with anything new before it */
    bool finished, failed;
} pulse;

/* Of the members here.  A message for each that failed. */
static pulse look(const fabric *f) {
    pulse p = { .next = UINT64_MAX, .finished = true };

    for (unsigned i = f->first; i < f->past; i++) {
        const member *a = &f->member[i];
        const uint64_t e = earliest(a);
        const int err = ace_node_error(a->node);

        if (err != ACE_OK) {
            fprintf(stderr, "acesim: node %u (%s), cycle %llu: %s\n", a->place,
                    ace_node_rung(a->node), (unsigned long long)f->now, ace_strerror(err));
            ace_node_dump(a->node, stderr);
            p.failed = true;
        }
        if (a->wake < p.next) p.next = a->wake;
        if (e < p.next) p.next = e;
        p.finished = p.finished && f->driver->finished(f->driver->self, i);
    }
    for (unsigned i = 0; i < f->hubs; i++) {
        const uint64_t e = hub_next(f->hub[i]);

        if (e < p.next) p.next = e;
    }
    return p;
}

/* Of all members, in one reduction. */
static pulse of_all(const pulse *p) {
    uint64_t v[] = { ~p->next, p->moved, !p->finished, p->failed };

    processes_maximum(v, sizeof v / sizeof *v);
    return (pulse){ .next = ~v[0], .moved = v[1], .finished = !v[2], .failed = v[3] != 0 };
}

/* ---- checkpoints: between two windows --------------------------------------------- */

/* A member, and what it sends; what it hears is of those that send it, unless that is a hub. */
static void member_state(member *m, ace_state *s) {
    ace_node_state(m->node, s);
    if (m->memory) ace_memory_state(m->memory, s);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (m->out[l]) ace_wire_state(m->out[l], s);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (m->in[l] && m->cfg.hub[l / 2]) ace_wire_state(m->in[l], s);
    for (unsigned l = 0; m->disturber && l < ACE_LINKS; l++) ACE_STATE(s, m->disturber[l].changed);
    ACE_STATE(s, m->expected);
    ACE_STATE(s, m->now);
    ACE_STATE(s, m->wake);
    ACE_STATE(s, m->reaction);
    ACE_STATE(s, m->events);
}

/* Makes room for what a checkpoint recorded.  Recording cannot begin in the middle: what was
 * asked for by name must be there, and what --output alone would add is left out. */
static bool match_records(fabric *f, uint32_t points, uint64_t limit) {
    const options *o = f->o;

    if ((o->samples && points != o->samples) || (o->timeline && limit != o->timeline_limit)) {
        fprintf(stderr,
                "acesim: found a checkpoint of a run with other --samples or --timeline-limit "
                "or without --timeline, expected one that recorded the same\n");
        return false;
    }
    if (f->samples ? points != samples_points(f->samples) : points > 0) {
        samples_destroy(f->samples);
        f->samples = points ? samples_create(points, f->members) : NULL;
        if (points && !f->samples) return false;
    }
    return true;
}

/* limit: of the timeline that the state has, 0: it has none. */
static void timeline_records(fabric *f, ace_state *s, uint64_t limit) {
    timeline *t = f->timeline;

    if (s->failed) return;
    if (s->loading && limit != (t ? f->o->timeline_limit : 0)) {
        /* passed over, or begun too late */
        options as_saved = *f->o;

        as_saved.timeline_limit = limit;
        timeline_destroy(t);
        f->timeline = t = NULL;
        if (limit) s->failed = timeline_create(&as_saved, f, &t) != EXIT_OK;
        if (t && !s->failed) timeline_state(t, s);
        timeline_destroy(t);
    } else if (t) {
        timeline_state(t, s);
    }
}

/* What was recorded so far; a run that wants less of it than the one saved drops the rest. */
static void records_state(fabric *f, ace_state *s) {
    uint32_t points = f->samples ? samples_points(f->samples) : 0;
    uint64_t limit = f->timeline ? f->o->timeline_limit : 0;

    ACE_STATE(s, points);
    ACE_STATE(s, limit);
    if (s->loading && !s->failed) s->failed = !match_records(f, points, limit);
    if (f->samples) samples_state(f->samples, s);
    timeline_records(f, s, limit);
    if (s->loading && !f->o->samples) {
        samples_destroy(f->samples);
        f->samples = NULL;
    }
}

/* A run that records does without, and passes over what the one saved has compared. */
static void recurrence_state(fabric *f, ace_state *s) {
    ace_recurrence *r = f->recurrence;
    bool there = r != NULL;

    ACE_STATE(s, there);
    if (!there || s->failed) return;
    if (!r) r = ace_recurrence_create(f->member[0].node);
    if (r)
        ace_recurrence_state(r, s);
    else
        s->failed = true;
    if (r != f->recurrence) ace_recurrence_destroy(r);
}

static void fabric_state(void *self, ace_state *s) {
    fabric *f = self;

    ACE_STATE(s, f->now);
    ACE_STATE(s, f->seen);
    ACE_STATE(s, f->moved);
    for (unsigned i = f->first; i < f->past; i++) member_state(&f->member[i], s);
    for (unsigned i = 0; i < f->hubs; i++) hub_state(f->hub[i], s);
    for (size_t i = 0; i < f->faults.link.count; i++) ACE_STATE(s, f->faults.link.listed[i].done);
    records_state(f, s);
    f->driver->state(f->driver->self, s);
    recurrence_state(f, s);
}

/* When the first window edge after a multiple of the interval is reached, whoever began. */
static void plan_checkpoint(fabric *f) {
    const uint64_t every = f->o->checkpoint_every, past = f->now / every * every;

    f->save = f->o->checkpoint && past <= UINT64_MAX - every ? past + every : UINT64_MAX;
}

/* Loads what is to be resumed, and looks whether checkpoints can be written. */
static int begin(fabric *f, checkpoint *c) {
    const options *o = f->o;
    int rc = EXIT_OK;

    if ((o->checkpoint || o->resume) && processes_count() > 1) {
        fprintf(stderr,
                "acesim: found --checkpoint or --resume over %u ranks, expected one: "
                "checkpoints of several are not modelled yet\n",
                processes_count());
        return EXIT_USAGE;
    }
    if (o->resume) {
        c->file = o->resume;
        rc = checkpoint_load(c);
    }
    if (rc == EXIT_OK && o->resume && o->wave_file && o->wave_from < f->now) {
        fprintf(stderr,
                "acesim: --wave-from: found %llu, expected %llu or later: the checkpoint was made "
                "in that cycle\n",
                (unsigned long long)o->wave_from, (unsigned long long)f->now);
        rc = EXIT_USAGE;
    }
    c->file = o->checkpoint;
    if (rc == EXIT_OK && o->checkpoint) rc = checkpoint_try(c);
    plan_checkpoint(f);
    if (rc == EXIT_OK && has_timeline(o) && !f->timeline)
        fprintf(stderr,
                "acesim: the checkpoint has no such timeline: timeline.json is not written\n");
    return rc;
}

/* Nodes at rest that slept count their last cycles, too. */
static void catch_up(fabric *f) {
    for (unsigned i = f->first; i < f->past; i++) {
        if (f->member[i].now >= f->now) continue;
        ace_node_run(f->member[i].node, f->now);
        f->member[i].now = f->now;
    }
}

static int loop(fabric *f, const checkpoint *c) {
    meter m = { .tty = isatty(STDERR_FILENO) == 1 };
    int rc = EXIT_OK;

    for (;;) {
        pulse here = look(f), all;
        const uint64_t n = events(f);

        if (n != f->seen) {
            f->seen = n;
            f->moved = f->now;
        }
        here.moved = f->moved;
        all = of_all(&here);
        if (all.failed || all.finished) {
            rc = here.failed ? EXIT_CHECK : EXIT_OK;
            catch_up(f);
            break;
        }
        if (all.next == UINT64_MAX) {
            rc = dump_stuck(f, "every node is at rest with collectives outstanding");
            break;
        }
        if (f->now - all.moved > STUCK_CYCLES && all.next <= f->now) {
            rc = dump_stuck(f, "no packet and no completion for 10 million cycles");
            break;
        }
        f->until = (all.next > f->now ? all.next : f->now) + f->window;
        if (f->samples) samples_reach(f->samples, f->until);
        atomic_store(&f->next_member, f->first);
        if (f->threads > 1) {
            pthread_barrier_wait(&f->start);
            run_members(f);
            pthread_barrier_wait(&f->end);
        } else {
            run_members(f);
        }
        if (f->borders && has_hubs(&f->o->cluster)) borders_exchange(f->borders); /* to the hubs */
        for (unsigned i = 0; i < f->hubs; i++) hub_run(f->hub[i], f->until);
        if (f->borders) borders_exchange(f->borders);
        f->now = f->until;
        if (f->timeline) timeline_window(f->timeline, f->now);
        show_progress(f, &m);
        if (f->now < f->save) continue;
        rc = checkpoint_save(c);
        if (rc != EXIT_OK) break;
        plan_checkpoint(f);
    }
    if (m.tty) fprintf(stderr, "\r%40s\r", "");
    return rc;
}

/* What was left out, in words; all processes call. */
static void tell_skips(fabric *f) {
    uint64_t v[2] = { 0, 0 };

    if (*f->skipping) return;
    if (f->recurrence) ace_recurrence_skipped(f->recurrence, &v[0], &v[1]);
    processes_maximum(v, 2);
    snprintf(f->skipping, sizeof f->skipping,
             v[0] ? "%llu cycles, in periods of %llu" : "none: no period was found",
             (unsigned long long)v[0], (unsigned long long)v[1]);
}

int fabric_run(fabric *f, const driver *d, uint64_t configuration) {
    /* The same cluster, folded in another way or step by step, is another state. */
    const char *steps = f->o->step_by_step ? f->skipping : "";
    const uint64_t folded = fnv1a(configuration, f->folding, strlen(f->folding));
    checkpoint c = { .configuration = fnv1a(folded, steps, strlen(steps)),
                     .state = fabric_state,
                     .self = f };
    pthread_t thread[256];
    unsigned started = 0;
    int rc;

    /* So is one with the state of a twin that is recorded by beside the RTL. */
    if (f->recorder && f->member[f->record].rung == RUNG_RTL)
        c.configuration = fnv1a(c.configuration, &f->record, sizeof f->record);
    f->driver = d;
    rc = processes_agree(begin(f, &c));
    if (rc == EXIT_OK && f->timeline) rc = timeline_begin(f->timeline, d);
    if (rc != EXIT_OK) return rc;
    if (f->threads > 256) f->threads = 256;
    if (f->threads > 1) {
        pthread_barrier_init(&f->start, NULL, f->threads);
        pthread_barrier_init(&f->end, NULL, f->threads);
        for (; started + 1 < f->threads; started++) {
            if (!pthread_create(&thread[started], NULL, worker, f)) continue;
            fprintf(stderr, "acesim: cannot start %u threads\n", f->threads);
            exit(EXIT_CHECK);
        }
    }
    rc = loop(f, &c);
    if (f->threads > 1) {
        f->stop = true;
        pthread_barrier_wait(&f->start);
        for (unsigned i = 0; i < started; i++) pthread_join(thread[i], NULL);
        pthread_barrier_destroy(&f->start);
        pthread_barrier_destroy(&f->end);
        f->stop = false;
    }
    if (f->recorder && recorder_end(f->recorder) != EXIT_OK && rc == EXIT_OK) rc = EXIT_USAGE;
    tell_skips(f);
    if (f->timeline) {
        const int e = timeline_end(f->timeline, f->now, rc != EXIT_OK);
        if (rc == EXIT_OK) rc = e;
    }
    return processes_agree(rc);
}

/* ---- asking ---------------------------------------------------------------------- */

unsigned fabric_members(const fabric *f) { return f->members; }
bool fabric_here(const fabric *f, unsigned member) { return f->member[member].here; }
const char *fabric_rung(const fabric *f, unsigned member) {
    return rung_names[f->member[member].rung];
}
unsigned fabric_place(const fabric *f, unsigned member) { return f->member[member].place; }
unsigned fabric_weight(const fabric *f, unsigned member) { return f->member[member].weight; }
unsigned fabric_member_of(const fabric *f, unsigned node) { return f->member_of[node]; }
double fabric_speed(const fabric *f, unsigned member) { return (double)f->member[member].speed; }
uint64_t fabric_now(const fabric *f) { return f->now; }
const char *fabric_folding(const fabric *f) { return f->folding; }
const char *fabric_skipping(const fabric *f) { return f->skipping; }
ace_node *fabric_node(fabric *f, unsigned node) { return f->member[node].node; }
unsigned fabric_recorded(const fabric *f) { return f->record; }
ace_memory *fabric_memory(fabric *f, unsigned node) { return f->member[node].memory; }

/* What a node counts of its link's frames, 0 at endpoints without. */
static uint64_t link_count(const member *m, unsigned link, const char *counter) {
    ace_statistic s[STATISTICS];
    const size_t n = ace_node_statistics(m->node, s, STATISTICS);
    char name[32];

    snprintf(name, sizeof name, "link.%c%c.%s", ACE_DIMENSION_LETTERS[link / 2], "+-"[link % 2],
             counter);
    for (size_t i = 0; i < n && i < STATISTICS; i++)
        if (!strcmp(s[i].name, name)) return s[i].value;
    return 0;
}

uint64_t fabric_link_faults(const fabric *f, unsigned node, unsigned link) {
    const member *m = &f->member[node];

    return m->disturber && m->out[link]
               ? m->disturber[link].changed - ace_wire_disturbed(m->out[link], f->now)
               : 0;
}

/* Packets sent again count once. */
uint64_t fabric_sent(const fabric *f, unsigned node, unsigned d) {
    const member *m = &f->member[node];
    uint64_t packets = 0;

    if (m->cfg.ring[d] > 1 && !m->out[2 * d]) return m->expected[d]; /* ideal */
    for (unsigned l = 2 * d; l <= 2 * d + 1; l++)
        if (m->out[l])
            packets +=
                ace_wire_packets(m->out[l]) - (m->disturber ? link_count(m, l, "resent") : 0);
    return packets * ACE_ROW_BYTES;
}

uint64_t fabric_link_bytes(const fabric *f, unsigned member, unsigned link) {
    const ace_wire *w = f->member[member].out[link];

    return w ? ace_wire_packets(w) * ACE_ROW_BYTES : 0;
}

samples *fabric_samples(const fabric *f) { return f->samples; }
void fabric_computed(fabric *f, unsigned member, bool background, uint32_t label, uint64_t from,
                     uint64_t to) {
    if (f->timeline) timeline_compute(f->timeline, member, background, label, from, to);
}
void fabric_communicated(fabric *f, unsigned member, uint32_t label, uint64_t id, uint64_t from,
                         uint64_t to) {
    if (f->timeline) timeline_collective(f->timeline, member, label, id, from, to);
}
unsigned fabric_to(const fabric *f, unsigned member, unsigned link) {
    return f->member[member].to[link];
}

uint64_t fabric_expected(const fabric *f, unsigned node, unsigned d) {
    return f->member[node].expected[d];
}

/* At the first difference of the members here. */
static int check_bytes(const fabric *f) {
    for (unsigned i = f->first; i < f->past; i++) {
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            const uint64_t sent = fabric_sent(f, i, d), expected = fabric_expected(f, i, d);
            if (sent == expected) continue;
            fprintf(stderr,
                    "acesim: node %u sent %llu bytes on dimension %c, the closed form is %llu\n",
                    f->member[i].place, (unsigned long long)sent, ACE_DIMENSION_LETTERS[d],
                    (unsigned long long)expected);
            return EXIT_CHECK;
        }
    }
    return EXIT_OK;
}

int fabric_check_bytes(const fabric *f) { return processes_agree(check_bytes(f)); }
