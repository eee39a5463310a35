/* SPDX-License-Identifier: Apache-2.0 */
/* command_run.c -- acesim run: training iterations of a workload on a cluster */
#include <stdlib.h>
#include <string.h>

#include "accelerators.h"
#include "calibrated_rung.h"
#include "command.h"
#include "compare.h"
#include "exit_status.h"
#include "fabric.h"
#include "machine_config.h"
#include "message.h"
#include "npu_memory.h"
#include "npu_schedule.h"
#include "observers.h"
#include "options.h"
#include "processes.h"
#include "refusal.h"
#include "report.h"
#include "run_cost.h"
#include "spans.h"
#include "training.h"
#include "values.h"
#include "workload.h"
#include "workload_read.h"

/* Runs the training from the first cycle to the last, watched unless watch is NULL. r's fabric and
 * *t belong to the caller, also after a message. Returns EXIT_OK, or another status after a
 * message. */
static int train(const machine *m, const execution *how, const fabric_watch *watch, report *r,
                 training **t) {
    driver d;
    int rc = fabric_create(m, how, &(fabric_work){ 0 }, watch, &r->f);

    if (rc != EXIT_OK) return rc;
    rc = processes_agree(training_create(r->workload, m, r->f, t));
    if (rc != EXIT_OK) return rc;
    d = training_driver(*t);
    rc = fabric_run(r->f, &d, report_digest(r));
    return rc == EXIT_OK ? training_end(*t) : rc;
}

/* Runs the training without faults, because the cost of faults is the difference in cycles. Only
 * the table shows this cost. */
static int train_without_faults(const machine *m, const execution *e, report *r) {
    const machine plain = machine_plain(m, false);
    const execution how = execution_plain(e);
    report again = *r;
    training *t = NULL;
    int rc;

    again.f = NULL;
    rc = train(&plain, &how, &(fabric_watch){ 0 }, &again, &t);
    if (rc == EXIT_OK) r->without_faults = training_cycles(t);
    training_destroy(t);
    (void)fabric_destroy(again.f); /* it writes no file */
    return rc;
}

static int run(const setup *s, const workload *w) {
    report r = { .setup = s,
                 .kind = w->name,
                 .digest_of = workload_digest(w),
                 .payload_ok = -1,
                 .workload = w };
    const spans **track = NULL;
    training *t = NULL;
    observers watch;
    int closed, rc = processes_agree(observers_create(&s->machine, &s->output, &watch));

    if (rc == EXIT_OK)
        rc = train(&s->machine, &s->execution,
                   &(fabric_watch){ watch.list, watch.count, &s->output.wave }, &r, &t);
    if (rc != EXIT_OK) goto out;
    r.samples = watch.samples;
    track = calloc(fabric_representatives(r.f), sizeof *track);
    if (!track) (void)message_no_memory();
    rc = processes_agree(track ? EXIT_OK : EXIT_CHECK);
    if (rc == EXIT_OK && s->machine.fault_list && s->output.format == FORMAT_TABLE)
        rc = train_without_faults(&s->machine, &s->execution, &r);
    if (rc != EXIT_OK) goto out;
    for (unsigned i = 0; i < fabric_representatives(r.f); i++) track[i] = training_spans(t, i);
    r.training = t;
    r.spans = track;
    r.cycles = training_cycles(t);
    r.communication = training_communication(t);
    r.bytes_ok = fabric_check_bytes(r.f) == EXIT_OK;
    rc = report_write(&r);
    if (rc == EXIT_OK && !r.bytes_ok) rc = EXIT_CHECK;
out:
    training_destroy(t);
    closed = fabric_destroy(r.f);
    if (rc == EXIT_OK) rc = closed;
    observers_destroy(&watch);
    free(track);
    return rc;
}

/* Computes what an NPU stores and the memory bandwidth that remains, if its file gives the size of
 * its memory. */
static int fill_memory(npu *n, unsigned nodes, const workload *w) {
    npu_memory memory;
    double cold, bytes = workload_memory(w, nodes, &cold);

    if (!n->memory_bytes) return EXIT_OK;
    npu_memory_fill(n, bytes, cold, &memory);
    if (memory.fits) return EXIT_OK;
    fprintf(
        stderr,
        "acesim run: found %.4g GB of %s an NPU, expected at most the %.4g GB of npu.memory and "
        "--expanded-memory\n",
        bytes * 1e-9, w->name, (double)(n->memory_bytes + n->expanded_bytes) * 1e-9);
    return EXIT_USAGE;
}

static double cycles_of(const workload *w, const npu *n, double clock_MHz) {
    double sum = 0;

    for (unsigned i = 0; i < w->operation_count; i++)
        sum += (double)npu_cycles(n, clock_MHz, &w->operations[i], npu_whole(n));
    return sum;
}

/* Makes the slowest accelerator the NPU of all nodes, because each iteration's collectives wait for
 * its nodes. The workload must fit in each accelerator. */
static int take_slowest(setup *s, const workload *w) {
    machine *const m = &s->machine;
    accelerators list = { 0 };
    const accelerator *slowest = NULL;
    int rc = accelerators_read(s, &list);

    for (unsigned i = 0; rc == EXIT_OK && i < list.count; i++) {
        accelerator *const a = &list.of[i];

        rc = fill_memory(&a->npu, m->nodes, w);
        if (!slowest || cycles_of(w, &a->npu, m->cluster.clock_MHz) >
                            cycles_of(w, &slowest->npu, m->cluster.clock_MHz))
            slowest = a;
    }
    if (rc == EXIT_OK && slowest) {
        m->cluster.npu = slowest->npu;
        if (!s->execution.quiet)
            fprintf(stderr, "acesim run: all nodes wait for those with %s, the slowest\n",
                    slowest->file);
    }
    accelerators_free(&list);
    return rc;
}

/* Does the same for a layer table, whose collectives run in groups of NPUs. */
static int look_at_table(const machine *m, const workload *w, refusal *why) {
    npu_schedule p;
    int rc = npu_schedule_create(w, m, &p);

    for (unsigned i = 0; rc == EXIT_OK && i < p.slots; i++) {
        char what[120];

        snprintf(what, sizeof what, "an %s of layer %.63s", kind_names[p.slot[i].kind],
                 p.slot[i].name);
        rc = calibrated_rung_covers(m, what, p.slot[i].bytes, why);
    }
    npu_schedule_free(&p);
    return rc;
}

/* Checks that the rung calibrated was measured for all sizes that the layers send. Returns EXIT_OK,
 * or another status with a refusal or after a message. */
static int look_at_range(const machine *m, const workload *w, refusal *why) {
    int rc = EXIT_OK;

    if (w->table.count) return look_at_table(m, w, why);
    for (unsigned i = 0; i < w->count && rc == EXIT_OK; i++) {
        const layer *l = &w->layers[i];
        char what[120];

        snprintf(what, sizeof what, "an all-reduce of layer %.63s", l->name);
        rc = calibrated_rung_covers(m, what, l->bytes, why);
        snprintf(what, sizeof what, "an all-to-all of layer %.63s", l->name);
        if (rc == EXIT_OK) rc = calibrated_rung_covers(m, what, l->exchanged, why);
    }
    return rc;
}

int command_run(int argc, char **argv) {
    refusal why = { .form = REFUSAL_NONE };
    workload w;
    setup s;
    double start;
    int rc;

    if (!options_run(argc, argv, &s, &rc)) return rc;
    if (s.output.compare) return compare_endpoints(&s, command_run);
    machine *const m = &s.machine;
    rc = processes_agree(setup_make(&s));
    if (rc == EXIT_OK) rc = workload_read(m->workload, &m->cluster.npu, m->cluster.clock_MHz, &w);
    if (rc == EXIT_OK) {
        start = run_cost_start();
        rc = accelerators_several(m->cluster.accelerator)
                 ? take_slowest(&s, &w)
                 : fill_memory(&m->cluster.npu, m->nodes, &w);
        if (rc == EXIT_OK)
            rc = machine_reduces(m, ACE_ALL_REDUCE, m->type_given ? m->type : w.element, &why);
        if (rc == EXIT_OK) rc = look_at_range(m, &w, &why);
        rc = setup_refuse(&s, rc, &why);
        if (rc == EXIT_OK) rc = workload_set_loop(&w, m->workload, m->dlrm_loop);
        if (rc == EXIT_OK) rc = run(&s, &w);
        if (!s.execution.quiet) run_cost_print(start, rc);
        workload_free(&w);
    }
    machine_free(m);
    return rc;
}

int command_point(int argc, char **argv) {
    return (!strcmp(argv[0], "run")     ? command_run
            : !strcmp(argv[0], "train") ? command_train
                                        : command_collective)(argc, argv);
}
