/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric.c -- a torus of nodes on one clock
 *
 * Time goes in windows no longer than the shortest link: what a node sends in a
 * window arrives after it, so its nodes run alone, on any thread, in any order.
 * Between windows the time in which no node, wire or NPU has anything to do is
 * skipped.  An NPU acts in exact cycles: its node is stopped there, and where a
 * completion could make it submit within the window, the node goes cycle by cycle.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ace_rtl_node.h"
#include "acesim.h"

enum { STUCK_CYCLES = 10000000 };

typedef struct member {
    ace_node *node;
    ace_memory *memory;
    ace_config cfg;
    ace_wire *in[ACE_LINKS], *out[ACE_LINKS];
    uint64_t expected[ACE_DIMENSIONS];
    uint64_t now;      /* the node has run to here */
    uint64_t wake;     /* the NPU acts then */
    uint64_t reaction; /* see driver.act */
    uint64_t events;   /* completions and acts, for the watchdog */
} member;

struct fabric {
    unsigned nodes, threads;
    member *member;
    uint32_t window; /* longest allowed */
    bool payload;
    /* the window under way */
    const driver *driver;
    uint64_t now, until;
    atomic_uint next_node;
    bool stop;
    pthread_barrier_t start, end;
};

/* ---- building ------------------------------------------------------------------ */

typedef enum rung { RUNG_CYCLE, RUNG_RTL } rung;

/* "cycle", "rtl:0,5;cycle:rest" -> a rung for each node. */
static bool parse_rungs(const char *s, unsigned nodes, uint8_t *rungs) {
    bool *given = calloc(nodes, sizeof *given);
    bool ok = given != NULL;

    while (ok) {
        const size_t n = strcspn(s, ":;");
        uint8_t r;

        if (n == 5 && !strncmp(s, "cycle", n))
            r = RUNG_CYCLE;
        else if (n == 3 && !strncmp(s, "rtl", n))
            r = RUNG_RTL;
        else {
            ok = false;
            break;
        }
        s += n;
        if (*s != ':' || !strncmp(s, ":rest", 5)) {
            if (*s == ':') s += 5;
            for (unsigned i = 0; i < nodes; i++) {
                if (!given[i]) rungs[i] = r;
                given[i] = true;
            }
        } else {
            do {
                char *e;
                const unsigned long i = strtoul(s + 1, &e, 10);
                if (e == s + 1 || s[1] < '0' || s[1] > '9' || i >= nodes || given[i]) {
                    ok = false;
                    break;
                }
                given[i] = true;
                rungs[i] = r;
                s = e;
            } while (*s == ',');
        }
        if (!ok || !*s) break;
        ok = *s++ == ';';
    }
    for (unsigned i = 0; ok && i < nodes; i++) ok = given[i];
    free(given);
    return ok;
}

static unsigned neighbour(const member *m, unsigned i, unsigned d) {
    unsigned stride = 1;

    for (unsigned e = 0; e < d; e++) stride *= m->cfg.ring[e];
    return m->cfg.rank[d] + 1U < m->cfg.ring[d] ? i + stride : i - m->cfg.rank[d] * stride;
}

static bool make_wires(fabric *f, const cluster *c) {
    for (unsigned i = 0; i < f->nodes; i++) {
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            member *a = &f->member[i], *b = &f->member[neighbour(a, i, d)];

            if (c->ring[d] == 1) continue;
            /* 2d goes up, and arrives at the neighbour's port that faces down. */
            a->out[2 * d] = b->in[2 * d + 1] =
                ace_wire_create(c->link_latency[d], f->window + 1, f->payload);
            b->out[2 * d + 1] = a->in[2 * d] =
                ace_wire_create(c->link_latency[d], f->window + 1, f->payload);
            if (!a->out[2 * d] || !b->out[2 * d + 1]) return false;
        }
    }
    return true;
}

static int make_node(const options *o, member *m, unsigned i, uint8_t r) {
    const cluster *c = &o->cluster;
    ace_node_setup setup = { .parameters = c->parameters, .config = m->cfg, .memory = m->memory };
    const bool wave = o->wave_file && o->wave_node == i;

    if (c->endpoint == ENDPOINT_IDEAL) return ideal_node_create(&m->cfg, c->link_latency, &m->node);
    memcpy(setup.in, m->in, sizeof setup.in);
    memcpy(setup.out, m->out, sizeof setup.out);
    if (r == RUNG_CYCLE) return ace_cycle_node_create(&setup, &m->node);
    return ace_rtl_node_create(&setup, wave ? o->wave_file : NULL, o->wave_from, o->wave_to,
                               &m->node);
}

int fabric_create(const options *o, const ace_config *cfg, fabric **to) {
    const cluster *c = &o->cluster;
    const unsigned nodes = cluster_nodes(c);
    uint8_t *rungs = calloc(nodes, 1);
    fabric *f = calloc(1, sizeof *f);
    int rc = EXIT_USAGE;

    if (!f || !rungs) goto nomem;
    f->member = calloc(nodes, sizeof *f->member);
    if (!f->member) goto nomem;
    f->nodes = nodes;
    f->payload = o->payload;
    if (c->endpoint == ENDPOINT_IDEAL && (o->payload || strcmp(c->rungs, "cycle"))) {
        fprintf(stderr, "acesim: the ideal endpoint carries no payload and has one rung, "
                        "expected it without --payload and --rung\n");
        goto failed;
    }
    if (!parse_rungs(c->rungs, nodes, rungs)) {
        fprintf(stderr,
                "acesim: found rung '%s', expected cycle, rtl, or a list such as "
                "rtl:0,5;cycle:rest that names each of nodes 0 to %u once\n",
                c->rungs, nodes - 1);
        goto failed;
    }
    if (o->wave_file && (o->wave_node >= nodes || rungs[o->wave_node] != RUNG_RTL)) {
        fprintf(stderr, "acesim: found --wave-node %u, expected a node on the rtl rung\n",
                o->wave_node);
        goto failed;
    }
    f->window = UINT32_MAX;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (c->ring[d] > 1 && c->link_latency[d] < f->window) f->window = c->link_latency[d];
    if (f->window > 100000) f->window = 100000;
    f->threads = o->threads < nodes ? o->threads : nodes;
    for (unsigned i = 0; i < nodes; i++) {
        member *m = &f->member[i];
        unsigned rest = i;

        m->cfg = *cfg;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            m->cfg.rank[d] = (uint8_t)(rest % cfg->ring[d]);
            rest /= cfg->ring[d];
        }
        if (f->payload && !(m->memory = ace_memory_create())) goto nomem;
    }
    if (c->endpoint != ENDPOINT_IDEAL && !make_wires(f, c)) goto nomem;
    for (unsigned i = 0; i < nodes; i++) {
        const int e = make_node(o, &f->member[i], i, rungs[i]);
        if (e == ACE_OK) continue;
        fprintf(stderr, "acesim: node %u cannot be built: %s\n", i, ace_strerror(e));
        goto failed;
    }
    free(rungs);
    *to = f;
    return EXIT_OK;
nomem:
    fprintf(stderr, "acesim: out of memory\n");
    rc = EXIT_CHECK;
failed:
    free(rungs);
    fabric_destroy(f);
    return rc;
}

void fabric_destroy(fabric *f) {
    if (!f) return;
    for (unsigned i = 0; f->member && i < f->nodes; i++) ace_node_destroy(f->member[i].node);
    for (unsigned i = 0; f->member && i < f->nodes; i++) {
        for (unsigned l = 0; l < ACE_LINKS; l++) ace_wire_destroy(f->member[i].out[l]);
        ace_memory_destroy(f->member[i].memory);
    }
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
        f->member[i].events++;
        any = true;
    }
    return any;
}

/* One node through the window [now, until). */
static void run_member(fabric *f, unsigned i) {
    member *m = &f->member[i];
    uint64_t t = f->now;

    if (m->wake >= f->until && earliest(m) >= f->until) return; /* it sleeps through */
    for (;;) {
        uint64_t to = f->until;

        while (m->wake <= t) { /* acts until it wants to wait */
            m->events++;
            m->wake = f->driver->act(f->driver->self, i, t, &m->reaction);
        }
        if (t >= f->until) break;
        if (m->wake < to) to = m->wake;
        if (m->reaction < to - t) {
            const uint64_t e = earliest(m);
            if (e < to) to = (e > t ? e : t) + 1;
        }
        ace_node_run(m->node, to);
        m->now = t = to;
        if (take_completions(f, i)) m->wake = t < m->wake ? t : m->wake;
        if (t >= f->until) break; /* the next window begins with the act */
    }
}

static void run_members(fabric *f) {
    for (;;) {
        const unsigned i = atomic_fetch_add(&f->next_node, 1);
        if (i >= f->nodes) return;
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

static void dump_stuck(fabric *f, const char *why) {
    unsigned shown = 0;

    fprintf(stderr, "acesim: hang at cycle %llu: %s\n", (unsigned long long)f->now, why);
    for (unsigned i = 0; i < f->nodes; i++) {
        if (f->driver->finished(f->driver->self, i)) continue;
        if (shown++ == 8) {
            fprintf(stderr, "(more nodes wait)\n");
            break;
        }
        fprintf(stderr, "-- node %u (%s) waits\n", i, ace_node_rung(f->member[i].node));
        ace_node_dump(f->member[i].node, stderr);
    }
}

/* What has happened so far; it stands still in a hang. */
static uint64_t events(const fabric *f) {
    uint64_t n = 0;

    for (unsigned i = 0; i < f->nodes; i++) {
        n += f->member[i].events;
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (f->member[i].out[l]) n += ace_wire_packets(f->member[i].out[l]);
    }
    return n;
}

typedef struct meter {
    bool tty;
    int shown;
    unsigned tick;
} meter;

static void show_progress(const fabric *f, meter *m) {
    int percent;

    if (m->tick++ % 256) return;
    percent = (int)(f->driver->progress(f->driver->self) * 100);
    if (percent > 100) percent = 100;
    if (m->tty ? percent == m->shown : percent / 10 == m->shown / 10) return;
    m->shown = percent;
    if (m->tty)
        fprintf(stderr, "\r%3d %%  cycle %llu ", percent, (unsigned long long)f->now);
    else
        fprintf(stderr, "%d %%  cycle %llu\n", percent / 10 * 10, (unsigned long long)f->now);
}

static int loop(fabric *f) {
    meter m = { .tty = isatty(STDERR_FILENO) == 1 };
    uint64_t seen = 0, seen_at = 0;
    int rc = EXIT_OK;

    for (;;) {
        uint64_t next = UINT64_MAX, n;
        bool finished = true;

        for (unsigned i = 0; i < f->nodes; i++) {
            const member *a = &f->member[i];
            const uint64_t e = earliest(a);
            const int err = ace_node_error(a->node);

            if (err != ACE_OK) {
                fprintf(stderr, "acesim: node %u (%s), cycle %llu: %s\n", i, ace_node_rung(a->node),
                        (unsigned long long)f->now, ace_strerror(err));
                ace_node_dump(a->node, stderr);
                rc = EXIT_CHECK;
            }
            if (a->wake < next) next = a->wake;
            if (e < next) next = e;
            finished = finished && f->driver->finished(f->driver->self, i);
        }
        if (finished || rc != EXIT_OK) break;
        if (next == UINT64_MAX) {
            dump_stuck(f, "every node is at rest with collectives outstanding");
            rc = EXIT_CHECK;
            break;
        }
        n = events(f);
        if (n != seen) {
            seen = n;
            seen_at = f->now;
        } else if (f->now - seen_at > STUCK_CYCLES && next <= f->now) {
            dump_stuck(f, "no packet and no completion for 10 million cycles");
            rc = EXIT_CHECK;
            break;
        }
        f->until = (next > f->now ? next : f->now) + f->window;
        atomic_store(&f->next_node, 0);
        if (f->threads > 1) {
            pthread_barrier_wait(&f->start);
            run_members(f);
            pthread_barrier_wait(&f->end);
        } else {
            run_members(f);
        }
        f->now = f->until;
        show_progress(f, &m);
    }
    if (m.tty) fprintf(stderr, "\r%40s\r", "");
    return rc;
}

int fabric_run(fabric *f, const driver *d) {
    pthread_t thread[256];
    unsigned started = 0;
    int rc;

    f->driver = d;
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
    rc = loop(f);
    if (f->threads > 1) {
        f->stop = true;
        pthread_barrier_wait(&f->start);
        for (unsigned i = 0; i < started; i++) pthread_join(thread[i], NULL);
        pthread_barrier_destroy(&f->start);
        pthread_barrier_destroy(&f->end);
        f->stop = false;
    }
    return rc;
}

/* ---- asking ---------------------------------------------------------------------- */

unsigned fabric_nodes(const fabric *f) { return f->nodes; }
ace_node *fabric_node(fabric *f, unsigned node) { return f->member[node].node; }
ace_memory *fabric_memory(fabric *f, unsigned node) { return f->member[node].memory; }

uint64_t fabric_sent(const fabric *f, unsigned node, unsigned d) {
    const member *m = &f->member[node];
    uint64_t packets = 0;

    if (m->cfg.ring[d] > 1 && !m->out[2 * d]) return m->expected[d]; /* ideal */
    for (unsigned l = 2 * d; l <= 2 * d + 1; l++)
        if (m->out[l]) packets += ace_wire_packets(m->out[l]);
    return packets * ACE_ROW_BYTES;
}

uint64_t fabric_expected(const fabric *f, unsigned node, unsigned d) {
    return f->member[node].expected[d];
}

int fabric_check_bytes(const fabric *f) {
    for (unsigned i = 0; i < f->nodes; i++) {
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            const uint64_t sent = fabric_sent(f, i, d), expected = fabric_expected(f, i, d);
            if (sent == expected) continue;
            fprintf(stderr,
                    "acesim: node %u sent %llu bytes on dimension %c, the closed form is %llu\n", i,
                    (unsigned long long)sent, 'x' + (int)d, (unsigned long long)expected);
            return EXIT_CHECK;
        }
    }
    return EXIT_OK;
}
