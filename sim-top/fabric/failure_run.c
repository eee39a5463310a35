/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failure_run.c -- engines, their software, and the cycle loop of a run with a failure; see
 * failure_run.h
 *
 * Sums are of small whole numbers. They are exact in any order, so one sum serves rings and lines.
 */
#include "failure_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_engine.h"
#include "ace_host.h"
#include "ace_memory.h"
#include "ace_plan.h"
#include "ace_random.h"
#include "engine_thread.h"
#include "exit_status.h"
#include "fold.h"
#include "message.h"

enum {
    INTERVAL = 64,       /* cycles of silence */
    IN_NODES = 12,       /* cycles of a frame in both nodes */
    POLL = 16,           /* cycles between two reads of the links' state */
    POLLS = 10000,       /* of ace_host_end() */
    PATIENCE = 10000000, /* cycles without a step of any member's software */
    GATE_UP = 1,         /* all links are up */
    GATE_ENDED = 2,      /* all commands have ended */
    NUMBERS = 1000       /* values are whole numbers from -NUMBERS / 2 on */
};

struct run;

typedef struct member {
    struct run *run;
    unsigned node;
    ace_engine *engine;
    ace_node *core; /* owns the engine */
    ace_memory *memory;
    ace_wire *out[ACE_LINKS];
    ace_host host;
    engine_thread software;
    ace_config config; /* of the next start */
    bool dead, left;   /* left: takes part in the second collective */
    bool complete;     /* the first collective is */
    bool goes_on;      /* its software runs at the end of the cycle */
    uint64_t reported, ended, again, done;
    ace_host_error error;
    int err; /* of the driver */
} member;

typedef struct run {
    const machine *m;
    const dead_part *dead; /* NULL: nothing dies */
    unsigned nodes;
    member *member;
    ace_command command; /* the next one to submit */
    uint64_t now, zero;  /* zero: cycle 0 of the collective */
    uint64_t step;       /* the last cycle in which software did something */
    float *sum;
    uint64_t words;
    unsigned wrong;
} run;

/* ---- software of a member ------------------------------------------------------------------- */

static bool failed(member *p, int err) {
    p->err = err;
    return err != ACE_OK;
}

/* Starts the engine and waits until its links are up. */
static bool start(member *p) {
    uint32_t status = 0;
    ace_link_life life[ACE_LINKS];
    bool up = false;

    if (failed(p, ace_host_start(&p->host, &p->config, 0))) return false;
    while (!ACE_MAP_GET(status, STATUS_RUNNING))
        if (failed(p, p->host.bus.read32(p->host.bus.self, ACE_MAP_STATUS, &status))) return false;
    while (!up) {
        if (!engine_thread_pause(&p->software, POLL)) return false;
        if (failed(p, ace_host_links(&p->host, life))) return false;
        up = true;
        for (unsigned l = 0; l < ACE_LINKS; l++)
            if (p->config.epoch_links >> l & 1 && life[l] != ACE_LINK_UP) up = false;
    }
    return true;
}

/* Waits for the completion of the second collective, or of the first if nothing dies. */
static void finish(member *p) {
    ace_host_completion c;

    if (failed(p, ace_host_wait(&p->host, 1, &c))) {
        (void)ace_host_error_read(&p->host, &p->error);
        return;
    }
    if (c.code != ACE_CODE_NONE) p->err = ACE_EFAILED;
    p->done = p->run->now;
}

/* Waits for the failure, and ends the command. */
static bool end(member *p) {
    ace_host_completion c, to[ACE_HOST_OUTSTANDING];
    unsigned count = 0;
    int err;

    while ((err = ace_host_wait(&p->host, 1, &c)) == ACE_OK) p->complete = c.code == ACE_CODE_NONE;
    p->reported = p->run->now;
    if (failed(p, err == ACE_EFAILED ? ACE_OK : err)) return false;
    if (failed(p, ace_host_end(&p->host, POLLS, &p->error, to, &count))) return false;
    for (unsigned i = 0; i < count; i++) p->complete = to[i].code == ACE_CODE_NONE;
    p->ended = p->run->now;
    return true;
}

static void script(void *self) {
    member *const p = self;
    const ace_host_bus bus = engine_thread_bus(&p->software);

    if (failed(p, ace_host_probe(&p->host, &bus)) || !start(p)) return;
    if (!engine_thread_gate(&p->software, GATE_UP)) return;
    if (failed(p, ace_host_submit(&p->host, &p->run->command))) return;
    if (!p->run->dead) {
        finish(p);
        return;
    }
    if (!end(p) || !engine_thread_gate(&p->software, GATE_ENDED)) return;
    if (!p->left || !start(p)) return;
    if (failed(p, ace_host_submit(&p->host, &p->run->command))) return;
    if (!engine_thread_drain(&p->software)) return;
    p->again = p->run->now;
    finish(p);
}

/* ---- values --------------------------------------------------------------------------------- */

static bool takes_part(const member *p) { return !p->dead && (!p->run->dead || p->left); }

/* Writes the vectors of all nodes. Returns false without memory. */
static bool fill(run *r) {
    float *const own = malloc(r->words * sizeof *own);
    bool ok = own != NULL;

    for (unsigned i = 0; ok && i < r->nodes; i++) {
        uint64_t x = r->m->seed * UINT64_C(0x2545F4914F6CDD1D) + i;

        for (uint64_t w = 0; w < r->words; w++)
            own[w] = (float)(ace_random_next(&x) % NUMBERS) - (float)(NUMBERS / 2);
        ok = ace_memory_write(r->member[i].memory, r->command.source, own, 4 * r->words) == ACE_OK;
    }
    free(own);
    return ok;
}

/* Adds up the vectors of all nodes, or of those that are left. Returns false when there is no
 * memory. */
static bool add_up(run *r, bool all) {
    float *const own = malloc(r->words * sizeof *own);

    if (!own) return false;
    memset(r->sum, 0, r->words * sizeof *r->sum);
    for (unsigned i = 0; i < r->nodes; i++) {
        if (!all && !r->member[i].left) continue;
        ace_memory_read(r->member[i].memory, r->command.source, own, 4 * r->words);
        for (uint64_t w = 0; w < r->words; w++) r->sum[w] += own[w];
    }
    free(own);
    return true;
}

static bool right(const run *r, const member *p) {
    char *const got = malloc(r->command.bytes);
    bool same = false;

    if (!got) return false;
    ace_memory_read(p->memory, r->command.destination, got, r->command.bytes);
    same = !memcmp(got, r->sum, r->command.bytes);
    free(got);
    return same;
}

/* ---- the failure ---------------------------------------------------------------------------- */

/* Each frame has an acknowledgement, so every frame gets a wrong bit. */
static uint16_t spoil(void *self, const ace_flit *f) {
    (void)self;
    (void)f;
    return 1 + ACE_BIT_ACK;
}

/* The engine of a dead node runs on, but nothing that it sends is good. */
static void kill_part(run *r) {
    const dead_part *const d = r->dead;
    member *const p = &r->member[d->node];

    p->dead = d->whole_node;
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (!p->out[l] || !(d->whole_node || l == d->link)) continue;
        const unsigned other = torus_neighbour(r->m->cluster.ring, d->node, l);
        ace_wire_set_disturb(p->out[l], spoil, NULL);
        ace_wire_set_disturb(r->member[other].out[l ^ 1], spoil, NULL);
    }
}

/* Returns whether a link that an engine names belongs to the dead part. */
static bool is_dead(const run *r, unsigned node, unsigned link) {
    const dead_part *const d = r->dead;
    const unsigned other = torus_neighbour(r->m->cluster.ring, node, link);

    return (node == d->node && (d->whole_node || link == d->link)) ||
           (other == d->node && (d->whole_node || (link ^ 1) == d->link));
}

/* Checks that engines name the dead part alone. Returns false after a message. */
static bool named(const run *r) {
    unsigned found = 0;

    for (unsigned i = 0; i < r->nodes; i++) {
        const ace_host_error *const e = &r->member[i].error;

        for (unsigned l = 0; l < ACE_LINKS; l++) {
            if (r->member[i].dead || e->code != ACE_CODE_LINK_FAILED || !(e->address >> l & 1))
                continue;
            if (is_dead(r, i, l)) {
                found++;
                continue;
            }
            fprintf(stderr, "acesim: node %u reports that link %u has failed, which is alive\n", i,
                    l);
            return false;
        }
    }
    if (!found) fprintf(stderr, "acesim: no engine names the link that is dead\n");
    return found > 0;
}

/* Returns the dimension whose rings become lines: that of the link. A dead node leaves the largest
 * one, in which the fewest nodes have its coordinate. */
static unsigned cut_dimension(const run *r) {
    const uint16_t *const ring = r->m->cluster.ring;
    unsigned largest = 0;

    for (unsigned d = 1; d < ACE_DIMENSIONS; d++)
        if (ring[d] > ring[largest]) largest = d;
    return r->dead->whole_node ? largest : r->dead->link / 2;
}

/* Plans the second start and the second collective. Returns an ace_err. */
static int plan_rest(run *r) {
    const dead_part *const d = r->dead;
    const unsigned dim = cut_dimension(r), ring = r->m->cluster.ring[dim];
    const unsigned at = r->member[d->node].config.rank[dim];
    const unsigned below = d->whole_node || !(d->link & 1) ? at : (at + ring - 1) % ring;
    unsigned dims = 0;
    int err = ACE_OK;

    for (unsigned i = 0; i < r->nodes && err == ACE_OK; i++) {
        ace_config *const c = &r->member[i].config;

        c->epoch++;
        r->member[i].left = !d->whole_node || c->rank[dim] != at;
        if (!r->member[i].left) continue;
        err = d->whole_node ? ace_plan_without_node(c, dim, at)
                            : ace_plan_without_link(c, dim, below);
        if (err == ACE_OK) err = ace_plan_partitions(&r->m->cluster.parameters, c);
    }
    for (unsigned i = 0; i < r->command.dim_count; i++) /* the line comes last */
        if (r->command.dims[i] != dim) r->command.dims[dims++] = r->command.dims[i];
    r->command.dims[dims] = (uint8_t)dim;
    r->command.tag++;
    return err;
}

/* All members have ended: checks their state after the first collective, and plans the second. */
static int between(run *r) {
    int err;

    if (!named(r)) return EXIT_CHECK;
    for (unsigned i = 0; i < r->nodes; i++)
        if (!r->member[i].dead && r->member[i].complete && !right(r, &r->member[i])) r->wrong++;
    err = plan_rest(r);
    if (err == ACE_OK && !add_up(r, false)) err = ACE_ENOMEM;
    if (err == ACE_OK) return EXIT_OK;
    fprintf(stderr, "acesim: the rest has no plan: %s\n", ace_strerror(err));
    return EXIT_CHECK;
}

/* ---- the cycle loop ------------------------------------------------------------------------- */

/* A cycle of one engine. Returns whether its software goes on after it. */
static bool cycle(run *r, member *p) {
    engine_thread *const t = &p->software;
    bool goes_on = false;

    (void)p->engine->core.class_->out(&p->engine->core);
    p->engine->in = (ace_axil_in){ 0 };
    if (!p->dead && t->waits == ENGINE_ACCESS) {
        ace_axil_drive(&t->bus, &p->engine->in);
        goes_on = engine_thread_step(t, &p->engine->out);
    } else if (!p->dead && t->waits == ENGINE_INTERRUPT) {
        goes_on = p->engine->out.irq;
    } else if (!p->dead && t->waits == ENGINE_PAUSE) {
        goes_on = !--t->pause;
    }
    ace_node_run(p->core, r->now + 1);
    return goes_on;
}

/* Returns whether all living members are at the gate, or have returned. */
static bool all_at(const run *r, unsigned gate) {
    bool any = false;

    for (unsigned i = 0; i < r->nodes; i++) {
        const engine_thread *const t = &r->member[i].software;

        if (r->member[i].dead || t->waits == ENGINE_RETURNED) continue;
        if (t->waits != ENGINE_GATE || t->gate != gate) return false;
        any = true;
    }
    return any;
}

static void open_gate(run *r) {
    for (unsigned i = 0; i < r->nodes; i++)
        if (!r->member[i].dead) engine_thread_resume(&r->member[i].software);
    r->step = r->now;
}

static bool all_returned(const run *r) {
    for (unsigned i = 0; i < r->nodes; i++)
        if (!r->member[i].dead && r->member[i].software.waits != ENGINE_RETURNED) return false;
    return true;
}

/* Returns EXIT_OK, or EXIT_CHECK after a message about a driver's error. */
static int check_members(const run *r) {
    char text[160] = "";

    for (unsigned i = 0; i < r->nodes; i++) {
        const member *const p = &r->member[i];

        if (p->dead || p->err == ACE_OK) continue;
        if (p->error.valid) (void)ace_host_error_text(&p->error, text, sizeof text);
        fprintf(stderr, "acesim: node %u, cycle %" PRIu64 ": the driver returns: %s%s%s\n", i,
                r->now - r->zero, ace_strerror(p->err), *text ? ": " : "", text);
        return EXIT_CHECK;
    }
    return EXIT_OK;
}

static int loop(run *r) {
    int rc = EXIT_OK;

    while (rc == EXIT_OK && !all_returned(r)) {
        if (r->dead && r->zero && r->now == r->zero + r->dead->cycle) kill_part(r);
        for (unsigned i = 0; i < r->nodes; i++) r->member[i].goes_on = cycle(r, &r->member[i]);
        r->now++;
        for (unsigned i = 0; i < r->nodes; i++) {
            if (!r->member[i].goes_on) continue;
            engine_thread_resume(&r->member[i].software);
            r->step = r->now;
        }
        if (all_at(r, GATE_UP)) {
            r->zero = r->now;
            open_gate(r);
        } else if (all_at(r, GATE_ENDED)) {
            rc = between(r);
            if (rc == EXIT_OK) open_gate(r);
        }
        if (r->now - r->step <= PATIENCE) continue;
        fprintf(stderr, "acesim: cycle %" PRIu64 ": no member goes on\n", r->now - r->zero);
        rc = EXIT_CHECK;
    }
    return rc == EXIT_OK ? check_members(r) : rc;
}

/* ---- making it ------------------------------------------------------------------------------ */

static uint32_t longest(const cluster *c) {
    uint32_t most = 1;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (c->ring[d] > 1 && c->link_latency[d] > most) most = c->link_latency[d];
    return most;
}

/* Returns the intervals: 3, and the round trip of a frame on the longest link, rounded up. */
static unsigned silence_of(const cluster *c) {
    return 3 + (2 * (longest(c) + IN_NODES) + INTERVAL - 1) / INTERVAL;
}

static int make_member(run *r, unsigned i) {
    const cluster *const c = &r->m->cluster;
    member *const p = &r->member[i];
    ace_node_setup setup = { .parameters = c->parameters, .memory = p->memory };
    unsigned rest = i;
    int err;

    p->config = r->m->config;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        p->config.rank[d] = (uint16_t)(rest % c->ring[d]);
        rest /= c->ring[d];
        if (c->ring[d] > 1) p->config.epoch_links |= (uint8_t)(3u << 2 * d);
    }
    p->config.epoch = 1;
    p->config.silence = (uint8_t)silence_of(c);
    p->config.retry = link_faults_retry(c);
    setup.config = p->config;
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (!p->out[l]) continue;
        setup.out[l] = p->out[l];
        setup.in[l] = r->member[torus_neighbour(c->ring, i, l)].out[l ^ 1];
    }
    err = ace_cycle_engine_create(&c->parameters, ACE_CONTROL_COMPLETIONS, true, &p->engine);
    if (err == ACE_OK) err = ace_driver_create(&p->engine->core, &setup, &p->core);
    if (err == ACE_OK) return engine_thread_create(&p->software, script, p);
    fprintf(stderr, "acesim: node %u cannot be built: %s\n", i, ace_strerror(err));
    return EXIT_CHECK;
}

static int make(run *r) {
    const cluster *const c = &r->m->cluster;
    const uint32_t slack = longest(c) + 1;
    int rc = EXIT_OK;

    r->words = (r->command.bytes + 3) / 4;
    r->member = calloc(r->nodes, sizeof *r->member);
    r->sum = malloc(r->words * sizeof *r->sum);
    if (!r->member || !r->sum) return message_no_memory();
    for (unsigned i = 0; i < r->nodes; i++) {
        member *const p = &r->member[i];

        p->run = r;
        p->node = i;
        p->memory = ace_memory_create();
        if (!p->memory) return message_no_memory();
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            if (c->ring[l / 2] == 1) continue;
            p->out[l] = ace_wire_create(c->link_latency[l / 2], slack, true);
            if (!p->out[l]) return message_no_memory();
        }
    }
    if (!fill(r) || !add_up(r, true)) return message_no_memory();
    for (unsigned i = 0; i < r->nodes && rc == EXIT_OK; i++) rc = make_member(r, i);
    return rc;
}

static void destroy(run *r) {
    for (unsigned i = 0; r->member && i < r->nodes; i++) {
        member *const p = &r->member[i];

        engine_thread_end(&p->software);
        ace_node_destroy(p->core);
        ace_memory_destroy(p->memory);
        for (unsigned l = 0; l < ACE_LINKS; l++) ace_wire_destroy(p->out[l]);
    }
    free(r->member);
    free(r->sum);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void take_times(const run *r, failure_result *to) {
    const uint64_t dead = r->zero + r->dead->cycle;
    uint64_t first = UINT64_MAX, reported = 0, ended = 0, again = 0, done = 0;

    for (unsigned i = 0; i < r->nodes; i++) {
        const member *const p = &r->member[i];

        if (p->dead) continue;
        to->completed += p->complete;
        if (p->reported < first) first = p->reported;
        if (p->reported > reported) reported = p->reported;
        if (p->ended > ended) ended = p->ended;
        if (p->again > again) again = p->again;
        if (p->done > done) done = p->done;
        to->left += p->left;
    }
    to->first_reported = first - dead;
    to->last_reported = reported - dead;
    to->ended = ended - dead;
    to->again = again - dead;
    to->rerun = done - again;
    to->total = done - r->zero;
    to->wrong += r->wrong;
}

/* Runs the collective, with or without the failure. */
static int run_one(const machine *m, const dead_part *dead, failure_result *to) {
    run r = { .m = m, .dead = dead, .nodes = m->nodes, .command = m->command };
    int rc = make(&r);

    if (rc == EXIT_OK) rc = loop(&r);
    for (unsigned i = 0; rc == EXIT_OK && i < r.nodes; i++) {
        const member *const p = &r.member[i];

        if (takes_part(p) && !right(&r, p)) to->wrong++;
        if (!dead && p->done - r.zero > to->without) to->without = p->done - r.zero;
    }
    if (rc == EXIT_OK && dead) take_times(&r, to);
    destroy(&r);
    return rc;
}

int failure_run(const machine *m, failure_result *to) {
    const dead_part *const dead = &m->faults.dead;
    int rc;

    *to = (failure_result){ .silence = silence_of(&m->cluster) };
    rc = run_one(m, NULL, to);
    if (rc != EXIT_OK) return rc;
    if (dead->cycle < to->without) return run_one(m, dead, to);
    fprintf(stderr,
            "acesim: --faults dead: found cycle %" PRIu64 ", expected one before %" PRIu64
            ", in which the collective ends\n",
            dead->cycle, to->without);
    return EXIT_USAGE;
}

double failure_goodput(const failure_result *r, double rate) {
    const double hit = -expm1(-rate * (double)r->without);

    return (double)r->without / (hit * (1 / rate + (double)(r->again + r->rerun)));
}
