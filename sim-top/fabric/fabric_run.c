/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_run.c -- the main loop: nodes, links and switches on one clock
 *
 * Time advances in windows no longer than the shortest link. A packet arrives after the window in
 * which it was sent, so each node runs alone, on any thread, in any order. Between windows the loop
 * skips time in which no node, wire or NPU has anything to do. The driver (fabric.h) acts for the
 * NPUs: it submits commands and takes completions. A node stops in each cycle in which its NPU
 * acts. A completion may lead the NPU to submit a command within the window. Then the node stops at
 * the earliest cycle in which that can happen.
 *
 * A representative is the one node that is simulated for a class of equal nodes (fold.h).
 *
 * The loop skips idle time, in which nothing happens. It leaves out the periods of a long
 * collective, which only repeat (cmodel/node/ace_recurrence.h).
 *
 * Each process simulates some of the representatives, in the same windows. After a window,
 * processes exchange what they have sent to each other's representatives (process_borders.c).
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ace_command.h"
#include "calibrated_node.h"
#include "checkpoint.h"
#include "crew.h"
#include "digest.h"
#include "exit_status.h"
#include "fabric.h"
#include "fabric_internal.h"
#include "message.h"
#include "processes.h"
#include "progress.h"
#include "stop_signal.h"
#include "values.h"

/* Calls a function of every observer that has it. */
#define NOTIFY_OBSERVERS(f, call, ...)                                       \
    do {                                                                     \
        for (unsigned o_ = 0; o_ < (f)->observers; o_++)                     \
            if ((f)->observer[o_].call)                                      \
                (f)->observer[o_].call((f)->observer[o_].self, __VA_ARGS__); \
    } while (0)

/* Counts a command for the report of a hang. submitted[0] counts messages: the report compares only
 * collectives, and the driver itself reports a node that waits for a message. */
static void count_submitted(representative *r, const ace_command *c) {
    unsigned dimension_mask = 0;

    for (unsigned i = 0; i < c->dim_count; i++) dimension_mask |= 1U << c->dims[i];
    r->submitted[c->kind == ACE_MESSAGES ? 0 : dimension_mask]++;
}

int fabric_submit(fabric *f, unsigned representative, const ace_command *c, uint64_t cycle) {
    struct representative *r = &f->representative[representative];
    uint64_t bytes[ACE_CLUSTER_DIMENSIONS];
    int rc;

    if (r->now < cycle) {
        ace_node_run(r->node, cycle);
        r->now = cycle;
    }
    rc = ace_node_submit(r->node, c, cycle);
    r->no_memory = r->no_memory || rc == ACE_ENOMEM;
    if (rc != ACE_OK) return rc;
    if (f->recurrence) ace_recurrence_submitted(f->recurrence, representative - f->first);
    NOTIFY_OBSERVERS(f, submitted, representative, cycle);
    ace_command_bytes(c, &r->cfg, bytes);
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) r->expected[d] += bytes[d];
    count_submitted(r, c);
    return ACE_OK;
}

static bool take_completions(fabric *f, unsigned i) {
    ace_completion c;
    ace_arrival a;
    bool any = false;

    while (ace_node_completion(f->representative[i].node, &c)) {
        f->driver->completed(f->driver->self, i, &c);
        NOTIFY_OBSERVERS(f, completed, i, c.cycle + 1);
        f->representative[i].events++;
        f->representative[i].completed++;
        any = true;
    }
    while (ace_node_arrival(f->representative[i].node, &a)) {
        if (f->driver->arrived) f->driver->arrived(f->driver->self, i, &a);
        f->representative[i].events++;
        any = true;
    }
    return any;
}

/* Returns up to which cycle the observers let a representative run from cycle t, at most `to`. */
static uint64_t observer_limit(const fabric *f, const representative *r, uint64_t t, uint64_t to) {
    const uint64_t e = fabric_earliest(r), next = e > t ? e : t;

    for (unsigned i = 0; i < f->observers; i++) {
        const fabric_observer *o = &f->observer[i];
        const uint64_t edge = o->horizon ? o->horizon(o->self, t, next) : to;
        if (edge < to) to = edge;
    }
    return to;
}

/* Counts the packets and steps of a node, for the watchdog. */
static void count_activity(representative *r) {
    r->activity_count = ace_node_moved(r->node);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (r->out[l]) r->activity_count += ace_wire_packets(r->out[l]);
}

static void through_window(fabric *f, unsigned i, uint64_t from, uint64_t until) {
    representative *r = &f->representative[i];
    uint64_t t = r->now > from ? r->now : from;

    if (f->observers && r->now < t) {
        ace_node_run(r->node, t);
        r->now = t;
        NOTIFY_OBSERVERS(f, awake, i, t);
    }
    for (;;) {
        uint64_t to = until;

        while (r->wake <= t) { /* the NPU acts until its next act is later */
            r->events++;
            r->wake = f->driver->act(f->driver->self, i, t, &r->reaction);
        }
        if (t >= until) break;
        if (r->wake < to) to = r->wake;
        if (r->reaction < to - t) { /* nothing completes before fabric_earliest() */
            const uint64_t e = fabric_earliest(r), soonest = (e > t ? e : t) + 1;
            if (e < to && r->reaction < to - soonest) to = soonest + r->reaction;
        }
        if (f->observers) to = observer_limit(f, r, t, to);
        NOTIFY_OBSERVERS(f, before_run, i, to);
        /* A recurrence runs its first node. If no other node is simulated, it may run past the
         * window, but not past the NPU's next act. */
        if (f->recurrence && i == 0)
            to = ace_recurrence_run(f->recurrence, to, r->wake);
        else
            ace_node_run(r->node, to);
        r->now = t = to;
        NOTIFY_OBSERVERS(f, after_run, i, t);
        if (take_completions(f, i)) r->wake = t < r->wake ? t : r->wake;
        if (t >= until) break; /* the NPU acts at `until`, at the start of the next window */
    }
}

/* Runs one node through the window [now, until), unless it sleeps that long. */
static void run_representative(void *self, unsigned i) {
    fabric *const f = self;

    if (f->representative[i].next >= f->until) return;
    through_window(f, i, f->now, f->until);
    count_activity(&f->representative[i]);
}

/* Runs a group of group_size representatives in short windows, of at most group_window cycles.
 * What its nodes send each other arrives at the end of a short window, what they send to others at
 * the end of the whole window. So the state of a node is brought into the cache once for several
 * windows. */
static void run_group(void *self, unsigned group) {
    fabric *const f = self;
    const unsigned first = group * f->group_size;
    representative *r = &f->representative[first];
    uint64_t from = f->now, next[ACE_CLUSTER_MEMBERS], soonest = UINT64_MAX;
    unsigned prefetched = 0; /* how many of the next group have been prefetched into the cache */

    for (unsigned i = 0; i < f->group_size; i++) {
        next[i] = r[i].next;
        if (next[i] < soonest) soonest = next[i];
    }
    while (soonest < f->until && r->barrier_error == ACE_OK) {
        const uint64_t most = (soonest > from ? soonest : from) + f->group_window;
        const uint64_t to = most < f->until ? most : f->until;
        bool delivered = false;

        for (unsigned i = 0; i < f->group_size; i++) {
            if (next[i] >= to) continue;
            if (prefetched < f->group_size)
                barrier_fetch(f->barrier, first + f->group_size + prefetched++);
            through_window(f, first + i, from, to);
        }
        for (unsigned i = 0; i < f->group_size && r->barrier_error == ACE_OK; i++)
            if (next[i] < to)
                r->barrier_error = barrier_pass(f->barrier, first + i, 1, to, &delivered);
        soonest = UINT64_MAX;
        for (unsigned i = 0; i < f->group_size; i++) {
            if (delivered || next[i] < to) {
                const uint64_t e = fabric_earliest(&r[i]);

                next[i] = r[i].wake < e ? r[i].wake : e;
            }
            if (next[i] < soonest) soonest = next[i];
        }
        from = to;
    }
    while (prefetched < f->group_size)
        barrier_fetch(f->barrier, first + f->group_size + prefetched++);
    for (unsigned i = 0; i < f->group_size; i++) {
        count_activity(&r[i]);
        r[i].next = f->now; /* read_states() must read its state */
    }
}

/* Counts the events of this process's nodes and hubs so far. The count does not grow in a hang. */
static uint64_t events(const fabric *f) {
    uint64_t n = 0;

    for (unsigned i = f->first; i < f->end; i++)
        n += f->representative[i].events + f->representative[i].activity_count;
    for (unsigned i = 0; i < f->hubs; i++) n += hub_packets(f->hub[i]);
    return n;
}

/* Progress is shown once in so many windows: rarely enough to cost little, often enough to look
 * smooth. */
enum { SHORT_WINDOW = 1000 /* cycles */, SHORT_WINDOWS_SHOWN = 256, LONG_WINDOWS_SHOWN = 8 };

static void show_progress(const fabric *f, meter *m) {
    if (!(m->tty || m->log) || processes_rank())
        return; /* the driver has only this process's representatives */
    if (m->tick++ % (f->window < SHORT_WINDOW ? SHORT_WINDOWS_SHOWN : LONG_WINDOWS_SHOWN)) return;
    progress_show(m, f->driver->progress(f->driver->self), f->now);
}

/* The values that all processes exchange between two windows. */
typedef struct window_status {
    uint64_t next;                /* nothing happens before this cycle; UINT64_MAX: all are idle */
    uint64_t last_progress_cycle; /* the last window edge that followed new events */
    uint64_t due; /* all nodes are compared in this cycle; UINT64_MAX: not planned */
    bool finished, failed;
    int stop; /* the signal that ends the run, or 0 */
} window_status;

/* Returns whether the node failed, after a message if so. */
static bool failed(const fabric *f, const representative *r) {
    const int err = r->no_memory ? ACE_ENOMEM : ace_node_error(r->node);

    if (err == ACE_OK) return false;
    fprintf(stderr, "acesim: node %u (%s), cycle %llu: %s\n", r->first_node, ace_node_rung(r->node),
            (unsigned long long)f->now, ace_strerror(err));
    ace_node_dump(r->node, stderr);
    return true;
}

/* Returns the state of the representatives of this process, and sets the cycle in which each one
 * acts next. One that slept through the window and received nothing keeps that cycle. Prints a
 * message for each that failed. */
static window_status read_states(fabric *f) {
    window_status p = {
        .next = UINT64_MAX, .due = UINT64_MAX, .finished = true, .stop = stop_signal()
    };

    if (f->recurrence) p.due = ace_recurrence_due(f->recurrence);
    for (unsigned i = f->first; i < f->end; i++) {
        representative *r = &f->representative[i];

        if (r->next < f->until || r->has_inputs || f->delivered) {
            const uint64_t e = fabric_earliest(r);

            r->next = r->wake < e ? r->wake : e;
            if (failed(f, r)) p.failed = true;
        }
        if (r->next < p.next) p.next = r->next;
        p.finished = p.finished && f->driver->finished(f->driver->self, i);
    }
    for (unsigned i = 0; i < f->hubs; i++) {
        const uint64_t e = hub_next(f->hub[i]);

        p.failed = p.failed || hub_error(f->hub[i]) != ACE_OK;
        if (e < p.next) p.next = e;
    }
    return p;
}

/* Combines the statuses of all processes in one reduction, which takes maxima. A minimum is the
 * complement of the maximum of the complements. */
static window_status reduce_status(const window_status *p) {
    uint64_t v[] = { ~p->next,     ~p->due,   p->last_progress_cycle,
                     !p->finished, p->failed, (uint64_t)p->stop };

    processes_maximum(v, sizeof v / sizeof *v);
    return (window_status){ .next = ~v[0],
                            .due = ~v[1],
                            .last_progress_cycle = v[2],
                            .finished = !v[3],
                            .failed = v[4] != 0,
                            .stop = (int)v[5] };
}

/* ---- checkpoints: between two windows --------------------------------------------- */

/* Plans the next checkpoint: the first window edge after a multiple of the interval, wherever the
 * run began. */
static void plan_checkpoint(fabric *f) {
    const uint64_t every = f->files.every, previous_multiple = f->now / every * every;

    f->save = f->files.checkpoint && previous_multiple <= UINT64_MAX - every
                  ? previous_multiple + every
                  : UINT64_MAX;
}

/* Calls each observer's attach() until one fails. */
static int attach(fabric *f) {
    int rc = EXIT_OK;

    for (unsigned i = 0; i < f->observers && rc == EXIT_OK; i++)
        if (f->observer[i].attach) rc = f->observer[i].attach(f->observer[i].self, f, f->driver);
    return rc;
}

/* Loads the checkpoint to resume from, and checks that checkpoints can be written. */
static int begin(fabric *f, checkpoint *c) {
    const fabric_files *file = &f->files;
    int rc = attach(f);

    if (rc != EXIT_OK) return rc;
    if ((file->checkpoint || file->resume) && processes_count() > 1) {
        fprintf(stderr,
                "acesim: found --checkpoint or --resume over %u ranks, expected one: "
                "checkpoints of several are not modelled yet\n",
                processes_count());
        return EXIT_USAGE;
    }
    if (file->resume) {
        c->file = file->resume;
        rc = checkpoint_load(c);
    }
    if (rc == EXIT_OK && file->resume && file->wave_from < f->now) {
        fprintf(stderr,
                "acesim: --wave-from: found %llu, expected %llu or later: the checkpoint was made "
                "in that cycle\n",
                (unsigned long long)file->wave_from, (unsigned long long)f->now);
        rc = EXIT_USAGE;
    }
    c->file = file->checkpoint;
    if (rc == EXIT_OK && file->checkpoint) rc = checkpoint_try(c);
    plan_checkpoint(f);
    return rc;
}

static int begin_observers(fabric *f) {
    int rc = EXIT_OK;

    for (unsigned i = 0; i < f->observers && rc == EXIT_OK; i++)
        if (f->observer[i].begin) rc = f->observer[i].begin(f->observer[i].self);
    return rc;
}

/* Ends the observers. Returns rc, or the first error of an observer if rc is EXIT_OK. */
static int end_observers(fabric *f, int rc) {
    for (unsigned i = 0; i < f->observers; i++) {
        const fabric_observer *o = &f->observer[i];
        const int e = o->end ? o->end(o->self, f->now, rc != EXIT_OK) : EXIT_OK;
        if (rc == EXIT_OK) rc = e;
    }
    return rc;
}

/* Runs idle nodes that slept to the present cycle, so that their cycle counters are complete. */
static void catch_up(fabric *f) {
    for (unsigned i = f->first; i < f->end; i++) {
        if (f->representative[i].now >= f->now) continue;
        ace_node_run(f->representative[i].node, f->now);
        f->representative[i].now = f->now;
    }
}

/* Ends a run on a signal, between two windows. Saves a checkpoint if the options request one, and
 * prints how to resume. Returns the exit status of a program that the signal ends. */
static int stop_here(const fabric *f, const checkpoint *c, int signal) {
    const unsigned long long now = (unsigned long long)f->now;

    if (c->file) {
        const int rc = checkpoint_save(c);
        if (rc != EXIT_OK) return rc;
        fprintf(stderr,
                "acesim: stopped by %s in cycle %llu; it continues with the same command and "
                "--resume %s\n",
                stop_signal_name(signal), now, c->file);
    } else {
        fprintf(stderr,
                "acesim: stopped by %s in cycle %llu; no checkpoint was written: --checkpoint FILE "
                "saves the state, and --resume FILE continues from there\n",
                stop_signal_name(signal), now);
    }
    return EXIT_SIGNAL + signal;
}

/* Resolves the barriers on which ring members wait for each other. All processes must call it. If
 * members arrive with different chunks, every process detects that here. A process without memory
 * reports it in its next read_states(). */
static int end_barrier(fabric *f) {
    unsigned messages;
    const barrier_message *message = barrier_messages(f->barrier, &messages);
    bool no_memory = !message;

    if (processes_count() > 1) {
        messages =
            (unsigned)(processes_share(message, messages * sizeof *message, &f->all_messages) /
                       sizeof *message);
        message = f->all_messages;
    }
    f->delivered = messages > 0;
    int e = barrier_receive(f->barrier, message, messages, f->until);

    for (unsigned i = f->first; f->group_size > 1 && i < f->end; i += f->group_size)
        if (f->representative[i].barrier_error != ACE_OK) e = f->representative[i].barrier_error;
    no_memory = no_memory || e == ACE_ENOMEM;
    if (no_memory && f->first < f->end) f->representative[f->first].no_memory = f->delivered = true;
    if (e == ACE_OK || no_memory) return EXIT_OK;
    fprintf(stderr,
            "acesim: cycle %llu: members of a ring reached a barrier with different chunks: %s\n",
            (unsigned long long)f->until, ace_strerror(e));
    return EXIT_CHECK;
}

/* Notifies ideal endpoints of collectives that began in the window. All processes must call it. */
static int end_starts(fabric *f) {
    unsigned reports;
    const ideal_report *report = ideal_starts_reports(f->starts, &reports);
    int e = report ? ACE_OK : ACE_ENOMEM;

    if (processes_count() > 1) {
        reports = (unsigned)(processes_share(report, reports * sizeof *report, &f->all_messages) /
                             sizeof *report);
        report = f->all_messages;
    }
    f->delivered = reports > 0;
    if (e == ACE_OK) e = ideal_starts_meet(f->starts, report, reports);
    return processes_agree(e == ACE_OK ? EXIT_OK : message_no_memory());
}

/* Compares all nodes with their earlier state, and leaves out time that would only repeat. */
static void leave_out_periods(fabric *f) {
    uint64_t acts = UINT64_MAX, cycles;

    catch_up(f);
    for (unsigned i = f->first; i < f->end; i++)
        if (f->representative[i].wake < acts) acts = f->representative[i].wake;
    cycles = ace_recurrence_compare(f->recurrence, f->now, acts);
    f->now += cycles;
    f->last_progress_cycle += cycles; /* time that is left out is not time without progress */
    for (unsigned i = f->first; i < f->end; i++) {
        f->representative[i].now += cycles;
        count_activity(&f->representative[i]);
    }
}

/* Skips the time before cycle `next`, in which nothing happens. Returns the cycle in which the next
 * window begins. The watchdog counts only simulated cycles, so skipped time is added to the last
 * progress. Such time is a
 * flight over a long link, a wait for a compute, or periods that a single node has left out. A hang
 * is still detected after the usual number of simulated windows. */
static uint64_t skip_idle_cycles(fabric *f, uint64_t next) {
    const uint64_t skipped = next > f->now ? next - f->now : 0;

    f->last_progress_cycle += skipped;
    return f->now + skipped;
}

static int loop(fabric *f, const checkpoint *c) {
    const bool tty = isatty(STDERR_FILENO) == 1;
    meter m = { .tty = !f->quiet && tty, .log = !f->quiet && !tty };
    int rc = EXIT_OK;

    for (;;) {
        window_status own = read_states(f), all;
        const uint64_t n = events(f);

        if (n != f->counted_events) {
            f->counted_events = n;
            f->last_progress_cycle = f->now;
        }
        own.last_progress_cycle = f->last_progress_cycle;
        all = reduce_status(&own);
        if (all.failed || all.finished) {
            rc = own.failed ? EXIT_CHECK : EXIT_OK;
            catch_up(f);
            break;
        }
        if (all.next == UINT64_MAX) {
            rc = fabric_hang(f, "every node is idle with collectives outstanding");
            break;
        }
        if (f->now - all.last_progress_cycle > f->watchdog_cycles) {
            rc = fabric_hang(f, "no progress for as long as the watchdog waits");
            break;
        }
        f->until = skip_idle_cycles(f, all.next) + f->window;
        if (all.due < f->until) f->until = all.due;
        NOTIFY_OBSERVERS(f, before_window, f->until);
        crew_run(f->crew, f->first / f->group_size, f->end / f->group_size);
        if (f->any_hub) process_borders_exchange(f->borders); /* to the hubs */
        for (unsigned i = 0; i < f->hubs; i++) hub_run(f->hub[i], f->until);
        if (f->borders) process_borders_exchange(f->borders);
        if (f->barrier) {
            rc = end_barrier(f);
            if (rc != EXIT_OK) break;
        }
        if (f->starts) {
            rc = end_starts(f);
            if (rc != EXIT_OK) break;
        }
        f->now = f->until;
        if (f->driver->between) f->driver->between(f->driver->self);
        if (all.due == f->now) leave_out_periods(f);
        NOTIFY_OBSERVERS(f, after_window, f->now);
        show_progress(f, &m);
        if (all.stop) {
            if (m.tty) fprintf(stderr, "\n");
            rc = stop_here(f, c, all.stop);
            break;
        }
        if (f->now < f->save) continue;
        rc = checkpoint_save(c);
        if (rc != EXIT_OK) break;
        plan_checkpoint(f);
    }
    if (m.tty) fprintf(stderr, "\r%*s\r", PROGRESS_WIDTH, "");
    return rc;
}

/* Writes as text the cycles that were left out. All processes must call it. */
static void write_left_out(fabric *f) {
    uint64_t v[2] = { 0, 0 };

    if (*f->left_out) return;
    if (f->recurrence) ace_recurrence_skipped(f->recurrence, &v[0], &v[1]);
    processes_maximum(v, 2);
    snprintf(f->left_out, sizeof f->left_out,
             v[0] ? "%llu cycles, in periods of %llu" : "none: no period was found",
             (unsigned long long)v[0], (unsigned long long)v[1]);
}

/* Collects the bytes and busy cycles of the links of a link graph. All processes must call it. */
static void gather_carried(fabric *f) {
    const unsigned links = f->link_graph ? f->link_graph->links : 0;

    for (unsigned i = 0; i < f->hubs; i++) {
        const link_network *const n = hub_network(f->hub[i]);

        for (unsigned k = 0; n && k < links; k++) {
            const uint64_t bytes = link_network_bytes(n, k), busy = link_network_busy(n, k);

            if (bytes > f->carried[k]) f->carried[k] = bytes;
            if (busy > f->carried[links + k]) f->carried[links + k] = busy;
        }
    }
    if (links) processes_maximum(f->carried, 2 * links);
}

uint64_t fabric_configuration(const fabric *f) { return f->configuration; }

int fabric_run(fabric *f, const driver *d, uint64_t configuration) {
    /* A checkpoint of the same cluster, folded differently or simulated step by step, has another
     * state. */
    const char *steps = f->step_by_step ? f->left_out : "";
    const uint64_t folded = fnv1a(configuration, f->folding, strlen(f->folding));
    checkpoint c = { .configuration = fnv1a(folded, steps, strlen(steps)),
                     .state = fabric_state,
                     .self = f };
    int rc;

    for (unsigned i = 0; i < f->observers; i++)
        if (f->observer[i].digest)
            c.configuration = f->observer[i].digest(f->observer[i].self, f, c.configuration);
    f->driver = d;
    f->configuration = configuration;
    rc = processes_agree(begin(f, &c));
    if (rc == EXIT_OK) rc = begin_observers(f);
    if (rc != EXIT_OK) return rc;
    for (unsigned i = f->first; i < f->end; i++) {
        representative *r = &f->representative[i];

        for (unsigned l = 0; l < ACE_LINKS; l++) r->has_inputs = r->has_inputs || r->in[l];
        count_activity(r);
    }
    f->until = UINT64_MAX; /* read_states() must read the state of all */
    rc = processes_agree(
        crew_create(f->threads, f->group_size > 1 ? run_group : run_representative, f, &f->crew));
    stop_signal_catch();
    if (rc == EXIT_OK) rc = loop(f, &c);
    stop_signal_release();
    crew_destroy(f->crew);
    f->crew = NULL;
    write_left_out(f);
    gather_carried(f);
    return processes_agree(end_observers(f, rc));
}

/* ---- settings and counters ------------------------------------------------------- */

void fabric_set_watchdog_cycles(fabric *f, uint64_t cycles) { f->watchdog_cycles = cycles; }
void fabric_limit_window(fabric *f, uint64_t cycles) {
    if (f->group_size > 1 && f->group_window < f->window) f->window = f->group_window;
    f->group_size = 1;
    if (cycles < f->window) f->window = cycles ? (uint32_t)cycles : 1;
    if (!f->recurrence) return;
    /* A call between windows may wake a node at any window edge, so no period may be left out. */
    ace_recurrence_destroy(f->recurrence);
    f->recurrence = NULL;
    snprintf(f->left_out, sizeof f->left_out, "none: nodes wait for one another's memory");
}
void fabric_wake(fabric *f, unsigned representative, uint64_t cycle) {
    struct representative *r = &f->representative[representative];

    if (cycle < r->wake) r->wake = cycle;
    if (cycle < r->next) r->next = cycle;
}
unsigned fabric_representatives(const fabric *f) { return f->representatives; }
bool fabric_is_local(const fabric *f, unsigned representative) {
    return f->representative[representative].is_local;
}
const char *fabric_rung(const fabric *f, unsigned representative) {
    return rung_names[f->representative[representative].rung];
}
unsigned fabric_first_node(const fabric *f, unsigned representative) {
    return f->representative[representative].first_node;
}
unsigned fabric_weight(const fabric *f, unsigned representative) {
    return f->representative[representative].weight;
}
unsigned fabric_representative_of(const fabric *f, unsigned node) {
    return f->representative_of[node];
}
double fabric_speed(const fabric *f, unsigned representative) {
    return (double)f->representative[representative].speed;
}
uint64_t fabric_now(const fabric *f) { return f->now; }
uint64_t fabric_ran(const fabric *f, unsigned representative) {
    const uint64_t ran = f->representative[representative].now;
    return ran > f->now ? ran : f->now;
}
const char *fabric_folding(const fabric *f) { return f->folding; }
const char *fabric_left_out(const fabric *f) { return f->left_out; }
ace_node *fabric_node(fabric *f, unsigned representative) {
    return f->representative[representative].node;
}
ace_memory *fabric_memory(fabric *f, unsigned representative) {
    return f->representative[representative].memory;
}

/* Returns a counter of a node's link; 0 at endpoints that do not have it. */
static uint64_t link_count(const representative *r, unsigned link, const char *counter) {
    ace_statistic s[STATISTICS];
    const size_t n = ace_node_statistics(r->node, s, STATISTICS);
    char name[32];

    snprintf(name, sizeof name, "link.%c%c.%s", ACE_DIMENSION_LETTERS[link / 2], "+-"[link % 2],
             counter);
    for (size_t i = 0; i < n && i < STATISTICS; i++)
        if (!strcmp(s[i].name, name)) return s[i].value;
    return 0;
}

/* Returns the frames that were changed on a wire and have arrived. The wire may be NULL. */
static uint64_t changed_on(const fabric *f, const link_disturber *by, const ace_wire *w) {
    return w ? by->changed - ace_wire_disturbed(w, f->now) : 0;
}

uint64_t fabric_link_faults(const fabric *f, unsigned representative, unsigned link) {
    const struct representative *r = &f->representative[representative];

    return r->disturber ? changed_on(f, &r->disturber[link], r->out[link]) : 0;
}

const struct link_graph *fabric_link_graph(const fabric *f) { return f->link_graph; }
uint64_t fabric_link_graph_bytes(const fabric *f, unsigned link) { return f->carried[link]; }
uint64_t fabric_link_graph_busy(const fabric *f, unsigned link) {
    return f->carried[f->link_graph->links + link];
}

bool fabric_has_hubs(const fabric *f) { return f->any_hub; }

void fabric_hub_faults(const fabric *f, uint64_t *changed, uint64_t counts[ACE_LINK_COUNTS]) {
    *changed = 0;
    memset(counts, 0, ACE_LINK_COUNTS * sizeof *counts);
    for (unsigned i = f->first; i < f->end; i++)
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            const representative *r = &f->representative[i];

            if (r->disturber && r->from_hub[l / 2])
                *changed += changed_on(f, &r->disturber[LINK_FROM_HUB + l], r->in[l]);
        }
    for (unsigned i = 0; i < f->hubs; i++) hub_count(f->hub[i], counts);
}

hub_reduction_counts fabric_reduced(const fabric *f, unsigned link) {
    hub_reduction_counts most = { 0 };

    for (unsigned i = 0; i < f->hubs; i++) {
        const hub_reduction_counts c = hub_reduced(f->hub[i], link);
        if (c.there && (!most.there || c.rows > most.rows)) most = c;
    }
    return most;
}

/* A packet that a link sends again counts once. */
uint64_t fabric_sent(const fabric *f, unsigned representative, unsigned d) {
    const struct representative *r = &f->representative[representative];
    uint64_t packets = 0;

    if (r->rung == RUNG_IDEAL) return r->expected[d];
    if (r->rung == RUNG_CALIBRATED)
        return fabric_link_bytes(f, representative, 2 * d) +
               fabric_link_bytes(f, representative, 2 * d + 1);
    /* a simulated engine has at most ACE_LINKS links; other models may have more */
    for (unsigned l = 2 * d; l <= 2 * d + 1 && l < ACE_LINKS; l++)
        if (r->out[l])
            packets +=
                ace_wire_packets(r->out[l]) - (r->disturber ? link_count(r, l, "resent") : 0);
    return packets * ACE_ROW_BYTES;
}

uint64_t fabric_link_bytes(const fabric *f, unsigned representative, unsigned link) {
    const struct representative *r = &f->representative[representative];
    const ace_wire *w = r->rung == RUNG_IDEAL || link >= ACE_LINKS ? NULL : r->out[link];

    if (r->rung == RUNG_CALIBRATED)
        return r->is_local ? chunk_flow_sent(calibrated_node_flow(r->node), link) * ACE_ROW_BYTES
                           : 0;
    return w ? ace_wire_packets(w) * ACE_ROW_BYTES : 0;
}

void fabric_notify_work(fabric *f, unsigned representative, const driver_work *w) {
    NOTIFY_OBSERVERS(f, worked, representative, w);
}
ace_wire *const *fabric_in(const fabric *f, unsigned representative) {
    return f->representative[representative].in;
}
ace_wire *const *fabric_out(const fabric *f, unsigned representative) {
    return f->representative[representative].out;
}
unsigned fabric_to(const fabric *f, unsigned representative, unsigned link) {
    return f->representative[representative].to[link];
}

void fabric_expect(fabric *f, unsigned representative, unsigned d, uint64_t bytes) {
    f->representative[representative].expected[d] += bytes;
}

uint64_t fabric_expected(const fabric *f, unsigned representative, unsigned d) {
    return f->representative[representative].expected[d];
}

/* Compares the representatives here, up to the first difference. */
static int check_bytes(const fabric *f) {
    for (unsigned i = f->first; i < f->end; i++) {
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
            const uint64_t sent = fabric_sent(f, i, d), expected = fabric_expected(f, i, d);
            if (sent == expected) continue;
            fprintf(stderr,
                    "acesim: node %u sent %llu bytes on dimension %c, the closed form is %llu\n",
                    f->representative[i].first_node, (unsigned long long)sent,
                    ACE_DIMENSION_LETTERS[d], (unsigned long long)expected);
            return EXIT_CHECK;
        }
    }
    return EXIT_OK;
}

int fabric_check_bytes(const fabric *f) { return processes_agree(check_bytes(f)); }
