/* SPDX-License-Identifier: Apache-2.0 */
/* command_collective.c -- acesim collective: every node runs one collective from cycle 0 */
#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "ace_composition.h"
#include "ace_core.h"
#include "ace_memory.h"
#include "ace_plan.h"
#include "ace_random.h"
#include "ace_reference.h"
#include "command.h"
#include "compare.h"
#include "exit_status.h"
#include "fabric.h"
#include "failure_report.h"
#include "message.h"
#include "observers.h"
#include "options.h"
#include "processes.h"
#include "report.h"
#include "run_cost.h"
#include "schedule.h"
#include "setup.h"
#include "spans.h"
#include "values.h"

typedef struct state {
    const machine *machine;
    fabric *f;
    ace_command command, part[SCHEDULE_PARTS];
    unsigned parts, representatives;
    uint8_t *over;     /* per representative: parts that are done */
    uint64_t *done;    /* per representative: cycle after the last completion, 0 while it runs */
    uint8_t *started;  /* per representative: 1 handed over, 2 refused */
    uint64_t expected; /* bytes of representative 0 */
} state;

static void completed(void *self, unsigned representative, const ace_completion *c) {
    state *s = self;

    if (++s->over[representative] < s->parts) return;
    s->done[representative] = c->cycle + 1;
    fabric_notify_work(s->f, representative,
                       &(driver_work){ .kind = WORK_COLLECTIVE, .to = s->done[representative] });
}

static uint64_t act(void *self, unsigned representative, uint64_t now, uint64_t *reaction) {
    state *s = self;

    *reaction = UINT64_MAX;
    if (!s->started[representative]) {
        s->started[representative] = 1;
        for (unsigned i = 0; i < s->parts && s->started[representative] == 1; i++) {
            if (fabric_submit(s->f, representative, &s->part[i], now) == ACE_OK) continue;
            s->done[representative] = 1;
            s->started[representative] = 2;
        }
    }
    return UINT64_MAX;
}

static bool finished(void *self, unsigned representative) {
    return ((state *)self)->done[representative] != 0;
}

static double progress(void *self) {
    const state *s = self;
    uint64_t sent = 0;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) sent += fabric_sent(s->f, 0, d);
    return s->expected ? (double)sent / (double)s->expected : 0;
}

static void label(void *self, uint32_t number, char *to, size_t room) {
    (void)number;
    snprintf(to, room, "%s", kind_names[((const state *)self)->machine->kind]);
}

static void save_or_load(void *self, ace_state *to) {
    state *s = self;

    ace_state_bytes(to, s->done, s->representatives * sizeof *s->done);
    ace_state_bytes(to, s->started, s->representatives * sizeof *s->started);
    ace_state_bytes(to, s->over, s->representatives * sizeof *s->over);
    for (unsigned i = 0; i < s->representatives && ace_state_loaded(to); i++) {
        ace_state_must(to, s->done[i] <= fabric_ran(s->f, i), "collective.done");
        ace_state_must(to, s->started[i] <= 2 && s->over[i] <= s->parts, "collective.over");
    }
}

/*
 * ---- payload: every node is represented by itself
 *
 * Each process computes all vectors and the whole reference. It compares the nodes that it
 * simulates.
 */

/* Returns mostly numbers of a few magnitudes, so that rounding matters, and sometimes arbitrary
 * bits. */
static uint32_t random_word(ace_type type, uint64_t *x) {
    const uint64_t r = ace_random_next(x);
    uint32_t w = (uint32_t)r;

    if (r >> 56 == 0) return w;
    switch (type) {
    case ACE_FP32: return (w & 0x807fffffU) | (120 + (uint32_t)(r >> 32 & 15)) << 23;
    case ACE_BF16:
        return (w & 0x807f807fU) | (120 + (uint32_t)(r >> 32 & 15)) << 23 |
               (120 + (uint32_t)(r >> 36 & 15)) << 7;
    case ACE_FP16:
        return (w & 0x83ff83ffU) | (8 + (uint32_t)(r >> 32 & 7)) << 26 |
               (8 + (uint32_t)(r >> 36 & 7)) << 10;
    case ACE_E4M3: /* exponents 4..7 of 15 */
    case ACE_E5M2: /* 8..15 of 31 */ return (w & 0x9f9f9f9fU) | 0x20202020U;
    default: return w;
    }
}

static uint8_t *random_vector(const machine *m, uint64_t bytes, unsigned node) {
    const size_t words = (size_t)(bytes + 3) / 4;
    uint32_t *v = malloc(words * 4 + 4);
    uint64_t x = m->seed * UINT64_C(0x2545F4914F6CDD1D) + node;

    for (size_t i = 0; v && i < words; i++) v[i] = random_word(m->type, &x);
    return (uint8_t *)v;
}

/* Finds where the reference and a node's memory first differ. Returns false if they differ. */
static bool compare(const state *s, unsigned node, const uint8_t *want) {
    const uint64_t size = s->command.bytes;
    uint8_t got[4096];

    for (uint64_t at = 0; at < size; at += sizeof got) {
        const size_t n = (size_t)(size - at < sizeof got ? size - at : sizeof got);

        ace_memory_read(fabric_memory(s->f, node), s->command.destination + at, got, n);
        if (!memcmp(got, want + at, n)) continue;
        for (size_t i = 0; i < n; i++) {
            if (got[i] == want[at + i]) continue;
            fprintf(stderr,
                    "acesim: payload of node %u differs at byte %llu: %02x, the reference has %02x "
                    "(seed %llu)\n",
                    node, (unsigned long long)(at + i), got[i], want[at + i],
                    (unsigned long long)s->machine->seed);
            return false;
        }
    }
    return true;
}

typedef struct payload {
    uint8_t **in, **out;
} payload;

static bool payload_make(payload *p, const state *s) {
    p->in = calloc(s->representatives, sizeof *p->in);
    p->out = calloc(s->representatives, sizeof *p->out);
    if (!p->in || !p->out) return false;
    for (unsigned i = 0; i < s->representatives; i++) {
        p->in[i] = random_vector(s->machine, s->command.bytes, i);
        p->out[i] = s->machine->check ? calloc(1, (size_t)s->command.bytes + 1) : NULL;
        if (!p->in[i] || (s->machine->check && !p->out[i])) return false;
        if (!fabric_is_local(s->f, i)) continue;
        if (ace_memory_write(fabric_memory(s->f, i), s->command.source, p->in[i],
                             (size_t)s->command.bytes) != ACE_OK)
            return false;
    }
    return true;
}

static void payload_free(payload *p, unsigned representatives) {
    for (unsigned i = 0; p->in && i < representatives; i++) free(p->in[i]);
    for (unsigned i = 0; p->out && i < representatives; i++) free(p->out[i]);
    free(p->in);
    free(p->out);
}

static bool payload_check(const payload *p, const state *s, const ace_config *cfg) {
    const uint8_t **in = calloc(s->representatives, sizeof *in);
    uint8_t **out = calloc(s->representatives, sizeof *out);
    uint64_t before = 0;
    bool ok = in && out;

    for (unsigned k = 0; ok && k < s->parts; k++) {
        const uint64_t at = s->part[k].source - s->command.source;

        for (unsigned i = 0; i < s->representatives; i++) {
            in[i] = p->in[i] + at;
            out[i] = p->out[i] + at;
        }
        ok = ace_reference_after(&s->part[k], cfg, before, in, out) == ACE_OK;
        before += ace_plan_chunks(&s->part[k], cfg);
    }
    for (unsigned i = 0; ok && i < s->representatives; i++)
        ok = !fabric_is_local(s->f, i) || compare(s, i, p->out[i]);
    free(in);
    free(out);
    return ok;
}

/* ---- the command ---------------------------------------------------------------------- */

/* Makes the fabric and the state of its representatives. Returns EXIT_OK, or another status after a
 * message. */
static int begin(state *s, const execution *how, const fabric_watch *watch) {
    uint64_t bytes[ACE_CLUSTER_DIMENSIONS];
    const int rc = fabric_create(s->machine, how, &(fabric_work){ 0 }, watch, &s->f);

    if (rc != EXIT_OK) return rc;
    s->representatives = fabric_representatives(s->f);
    s->done = calloc(s->representatives, sizeof *s->done);
    s->started = calloc(s->representatives, sizeof *s->started);
    s->over = calloc(s->representatives, sizeof *s->over);
    s->parts = schedule_parts((schedule)s->machine->schedule, &s->machine->cluster,
                              &s->machine->config, &s->command, s->part);
    for (unsigned i = 0; i < s->parts; i++) {
        ace_command_bytes(&s->part[i], &s->machine->config, bytes);
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) s->expected += bytes[d];
    }
    return EXIT_OK;
}

/* Returns the cycles until the last representative was done. */
static uint64_t end(const state *s) {
    uint64_t cycles = 0;

    for (unsigned i = 0; i < s->representatives; i++)
        if (s->done[i] > cycles) cycles = s->done[i];
    processes_maximum(&cycles, 1);
    return cycles;
}

static driver drive(state *s) {
    return (driver){ .self = s,
                     .completed = completed,
                     .act = act,
                     .finished = finished,
                     .progress = progress,
                     .label = label,
                     .state = save_or_load };
}

/* Measures the cycles of the same collective without writing any output. */
static int run_plainly(const machine *plain, const execution *how, uint64_t digest,
                       uint64_t *cycles) {
    state s = { .machine = plain, .command = plain->command };
    const driver d = drive(&s);
    int rc = begin(&s, how, &(fabric_watch){ 0 });

    if (rc != EXIT_OK) return rc;
    rc = processes_agree(s.done && s.started && s.over ? EXIT_OK : EXIT_CHECK);
    if (rc == EXIT_OK) rc = fabric_run(s.f, &d, digest);
    if (rc == EXIT_OK) *cycles = end(&s);
    (void)fabric_destroy(s.f); /* it writes no file */
    free(s.done);
    free(s.started);
    free(s.over);
    return rc;
}

/* Runs the collective again for comparison. With registers, the extra cycles are those above a run
 * that gets commands by pins. With faults, they are those above a run without faults; only the
 * table shows these. */
static int compare_plain(const machine *m, const execution *e, bool table, report *r) {
    const execution how = execution_plain(e);
    machine plain = machine_plain(m, false);

    /* faults would hit at other moments */
    if (m->control != CONTROL_PINS && !m->fault_list) {
        plain.control = CONTROL_PINS;
        return run_plainly(&plain, &how, report_digest(r), &r->by_pins);
    }
    return m->fault_list && table ? run_plainly(&plain, &how, report_digest(r), &r->without_faults)
                                  : EXIT_OK;
}

static int run(const setup *asked) {
    const machine *const m = &asked->machine;
    state s = { .machine = m, .command = m->command };
    const driver d = drive(&s);
    report r = {
        .setup = asked, .command = &s.command, .kind = kind_names[m->kind], .payload_ok = -1
    };
    payload p = { 0 };
    spans *tracks = NULL;
    const spans **track = NULL;
    observers watch;
    int closed, rc = processes_agree(observers_create(m, &asked->output, &watch));

    if (rc == EXIT_OK)
        rc = begin(&s, &asked->execution,
                   &(fabric_watch){ watch.list, watch.count, &asked->output.wave });
    if (rc != EXIT_OK) goto out;
    tracks = calloc(s.representatives, sizeof *tracks);
    track = calloc(s.representatives, sizeof *track);
    if (!s.done || !s.started || !s.over || !tracks || !track ||
        (m->payload && !payload_make(&p, &s))) {
        rc = message_no_memory();
    }
    rc = processes_agree(rc);
    if (rc != EXIT_OK) goto out;
    rc = fabric_run(s.f, &d, report_digest(&r));
    if (rc != EXIT_OK) goto out;
    if (memchr(s.started, 2, s.representatives)) {
        fprintf(stderr, "acesim: the endpoint refused the command, expected one it models\n");
        rc = EXIT_USAGE;
    }
    rc = processes_agree(rc);
    if (rc != EXIT_OK) goto out;
    r.cycles = end(&s);
    for (unsigned i = 0; i < s.representatives; i++) {
        (void)spans_add(&tracks[i],
                        (span){ .what = kind_names[m->kind], .name = "", .to = s.done[i] });
        track[i] = &tracks[i];
    }
    rc = compare_plain(m, &asked->execution, asked->output.format == FORMAT_TABLE, &r);
    if (rc != EXIT_OK) goto out;
    r.f = s.f;
    r.samples = watch.samples;
    r.communication = r.cycles;
    r.spans = track;
    r.bytes_ok = fabric_check_bytes(s.f) == EXIT_OK;
    if (m->check)
        r.payload_ok =
            processes_agree(payload_check(&p, &s, &m->config) ? EXIT_OK : EXIT_CHECK) == EXIT_OK;
    rc = report_write(&r);
    if (rc == EXIT_OK && !(r.bytes_ok && r.payload_ok)) rc = EXIT_CHECK;
out:
    payload_free(&p, s.representatives);
    closed = fabric_destroy(s.f);
    if (rc == EXIT_OK) rc = closed;
    observers_destroy(&watch);
    for (unsigned i = 0; tracks && i < s.representatives; i++) free(tracks[i].at);
    free(tracks);
    free(track);
    free(s.done);
    free(s.started);
    free(s.over);
    return rc;
}

int collective_run(setup *s) {
    int rc = processes_agree(setup_make(s));

    if (rc == EXIT_OK) rc = s->machine.faults.dead.any ? failure_report(s) : run(s);
    machine_free(&s->machine);
    return rc;
}

int command_collective(int argc, char **argv) {
    setup o;
    double start;
    int rc;

    if (!options_collective(argc, argv, &o, &rc)) return rc;
    if (o.output.compare) return compare_endpoints(&o, command_collective);
    start = run_cost_start();
    rc = collective_run(&o);
    if (!o.execution.quiet) run_cost_print(start, rc);
    return rc;
}
