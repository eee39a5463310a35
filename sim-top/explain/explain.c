/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.c -- reads a result, and makes the run that gave it again as it was configured
 *
 * The verdict on a run comes from its result. Then the verdict is tested: the command that the
 * result names runs again with one option changed, on the C twins.
 */
#include "explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "explain_inside.h"
#include "figures.h"
#include "input_file.h"
#include "machine_config.h"
#include "message.h"
#include "refusal.h"
#include "report.h"
#include "result_parts.h"
#include "values.h"
#include "workload_read.h"

static uint64_t digest_now(const explain *e) {
    const report r = { .setup = &e->o,
                       .kind = e->run.training ? e->w.name : kind_names[e->o.machine.kind],
                       .digest_of = e->run.training ? workload_digest(&e->w) : 0 };

    return report_digest(&r);
}

/* Returns true for an argument that stands for standard input, alone or behind an option. A second
 * run cannot read this input again. */
static bool names_standard_input(const char *word) {
    const char *value = strncmp(word, "--", 2) ? word : strchr(word, '=');

    return value && input_is_standard(value + (*value == '='));
}

/* Turns the command in the result into options and configuration. Refuses if the digest differs,
 * because the cluster, the workload or the program has changed since the run. */
static int reconstruct(explain *e) {
    const cJSON *arguments = saved_item(e->run.root, "command"), *v;
    char *argv[EXPLAIN_ARGUMENTS], now[24];
    refusal why = { .form = REFUSAL_NONE };
    int rc;

    cJSON_ArrayForEach(v, arguments) {
        if (!cJSON_IsString(v) || e->count + 8 >= EXPLAIN_ARGUMENTS) break;
        e->arguments[e->count++] = v->valuestring;
        if (!names_standard_input(v->valuestring)) continue;
        fprintf(
            stderr,
            "acesim: %s: found a run that read standard input (-), expected one of files: explain "
            "runs its command again\n",
            e->request->file);
        return EXIT_USAGE;
    }
    if (!e->count || strcmp(e->arguments[0], e->run.training ? "run" : "collective")) {
        fprintf(stderr, "acesim: %s: found no command of a run, expected one\n", e->request->file);
        return EXIT_USAGE;
    }
    memcpy(argv, e->arguments, sizeof argv); /* getopt reorders them */
    argv[e->count] = NULL;
    e->command = explain_command_of(e->request->commands, e->arguments[0]);
    rc = e->command->fields(e->count, argv, &e->o);
    if (rc == EXIT_OK)
        rc = setup_refuse(&e->o, machine_config(&e->o.machine, &e->o.machine.config, NULL, &why),
                          &why);
    if (rc == EXIT_OK && e->run.training)
        rc = workload_read(e->o.machine.workload, &e->o.machine.cluster.npu,
                           e->o.machine.cluster.clock_MHz, &e->w);
    if (rc == EXIT_OK && e->run.training)
        rc = workload_set_loop(&e->w, e->o.machine.workload, e->o.machine.dlrm_loop);
    if (rc != EXIT_OK) return rc;
    snprintf(now, sizeof now, "%016llx", (unsigned long long)digest_now(e));
    if (!strcmp(now, saved_text(e->run.root, "config_digest"))) return EXIT_OK;
    fprintf(stderr,
            "acesim: %s: found configuration %s, expected %s as its command gives it today: the "
            "cluster, the workload or the program was another\n",
            e->request->file, saved_text(e->run.root, "config_digest"), now);
    return EXIT_USAGE;
}

static int refuse_other(const explain *e) {
    fprintf(stderr,
            "acesim: %s: found a result of acesim %s, expected one of a run: of collective, run, "
            "train, search, astra or msccl\n",
            e->request->file, *e->run.command ? e->run.command : "without a command");
    return EXIT_USAGE;
}

static int answer(explain *e) {
    int rc = saved_result_read(e->request->file, &e->run);

    if (rc != EXIT_OK) return rc;
    if (result_parts(&e->run) && e->run.cycles > 0) return explain_parts(e);
    if (!saved_run_is_run(&e->run)) return refuse_other(e);
    rc = saved_run_check(&e->run);
    if (rc == EXIT_OK) rc = reconstruct(e);
    if (rc != EXIT_OK) return rc;
    return e->run.training ? explain_training(e) : explain_collective(e);
}

int explain_result(const explain_request *q) {
    explain *e = calloc(1, sizeof *e);
    int rc;

    if (!e) return message_no_memory();
    e->request = q;
    snprintf(e->threads, sizeof e->threads, "--threads=%u", q->threads);
    rc = answer(e);
    saved_run_free(&e->run);
    workload_free(&e->w);
    npu_schedule_free(&e->schedule);
    free(e->counts);
    free(e);
    return rc;
}
