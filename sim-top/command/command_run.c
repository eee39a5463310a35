/* SPDX-License-Identifier: Apache-2.0 */
/* command_run.c -- acesim run: training iterations of a workload on a cluster */
#include <stdlib.h>

#include "cluster.h"
#include "command.h"
#include "compare.h"
#include "exit_status.h"
#include "fabric.h"
#include "observers.h"
#include "options.h"
#include "processes.h"
#include "report.h"
#include "run_cost.h"
#include "spans.h"
#include "training.h"
#include "workload.h"
#include "workload_read.h"

/* The training, from the first cycle to the last, watched or not (NULL); r's fabric and *t are the
 * caller's, also after a message.  EXIT_OK, or another status after that. */
static int train(report *r, const observers *watch, training **t) {
    driver d;
    int rc =
        fabric_create(r->o, r->cfg, watch ? watch->list : NULL, watch ? watch->count : 0, &r->f);

    if (rc != EXIT_OK) return rc;
    rc = processes_agree(training_create(r->workload, r->o, r->f, t));
    if (rc != EXIT_OK) return rc;
    d = training_driver(*t);
    rc = fabric_run(r->f, &d, report_digest(r));
    if (rc != EXIT_OK || training_end(*t)) return rc;
    fprintf(stderr, "acesim: an endpoint refused a command or completed one that was not issued\n");
    return EXIT_CHECK;
}

/* What faults cost is what is above the cycles without: people are told, who alone wait for it. */
static int train_without_faults(report *r) {
    options plain = *r->o;
    report again = *r;
    training *t = NULL;
    int rc;

    plain.faults = NULL;
    plain.wave_file = plain.checkpoint = plain.resume = NULL;
    again.o = &plain;
    again.f = NULL;
    rc = train(&again, NULL, &t);
    if (rc == EXIT_OK) r->without_faults = training_cycles(t);
    training_destroy(t);
    fabric_destroy(again.f);
    return rc;
}

static int run(const options *o, const ace_config *cfg, const workload *w) {
    report r = { .o = o,
                 .cfg = cfg,
                 .kind = w->name,
                 .digest_of = workload_digest(w),
                 .payload_ok = -1,
                 .workload = w };
    const spans **track = NULL;
    training *t = NULL;
    observers watch;
    int rc = processes_agree(observers_create(o, &watch));

    if (rc == EXIT_OK) rc = train(&r, &watch, &t);
    if (rc != EXIT_OK) goto out;
    r.samples = watch.samples;
    track = calloc(fabric_members(r.f), sizeof *track);
    if (!track) fprintf(stderr, "acesim: out of memory\n");
    rc = processes_agree(track ? EXIT_OK : EXIT_CHECK);
    if (rc == EXIT_OK && o->faults && o->format == FORMAT_TABLE) rc = train_without_faults(&r);
    if (rc != EXIT_OK) goto out;
    for (unsigned i = 0; i < fabric_members(r.f); i++) track[i] = training_spans(t, i);
    r.training = t;
    r.spans = track;
    r.cycles = training_cycles(t);
    r.communication = training_communication(t);
    r.bytes_ok = fabric_check_bytes(r.f) == EXIT_OK;
    rc = report_write(&r);
    if (rc == EXIT_OK && !r.bytes_ok) rc = EXIT_CHECK;
out:
    training_destroy(t);
    fabric_destroy(r.f);
    observers_destroy(&watch);
    free(track);
    return rc;
}

int command_run(int argc, char **argv) {
    ace_config cfg;
    workload w;
    options o;
    double start;
    int rc = options_run(argc, argv, &o);

    if (rc != EXIT_OK || o.help) return rc;
    if (o.compare) return compare_endpoints(&o, command_run);
    rc = cluster_config(&o, &cfg);
    if (rc != EXIT_OK) return rc;
    rc = workload_read(o.workload, o.cluster.clock_MHz, &w);
    if (rc != EXIT_OK) return rc;
    start = run_cost_start();
    rc = workload_set_loop(&w, o.workload, o.dlrm_loop);
    if (rc == EXIT_OK) rc = run(&o, &cfg, &w);
    run_cost_print(start);
    workload_free(&w);
    return rc;
}
