/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failure_report.c -- the result of a run with a dead link or node, as a table or as JSON; see
 * failure_report.h
 *
 * The useful share of time is given for three rates of failures. Its closed form is that of
 * failure_goodput().
 */
#include "failure_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "exit_status.h"
#include "failure_run.h"
#include "figures.h"
#include "message.h"
#include "processes.h"
#include "report.h"
#include "result_print.h"
#include "values.h"

static const double rates[] = { 1, 1000, 1e6 }; /* failures an hour */

/* Returns failures per cycle. */
static double per_cycle(double per_hour, double clock_MHz) { return per_hour / 3600e6 / clock_MHz; }

static void add_question(cJSON *root, const setup *s) {
    const machine *const m = &s->machine;
    const report about = { .setup = s, .kind = kind_names[m->kind] };
    char text[TOPOLOGY_TEXT];

    result_add_command(root, s->arguments, s->argument_count);
    snprintf(text, sizeof text, "%016" PRIx64, report_digest(&about));
    cJSON_AddStringToObject(root, "config_digest", text);
    snprintf(text, sizeof text, "%" PRIu64, m->seed);
    cJSON_AddStringToObject(root, "seed", text);
    cJSON_AddStringToObject(root, "kind", kind_names[m->kind]);
    print_topology(&m->cluster, text);
    cJSON_AddStringToObject(root, "topology", text);
    cJSON_AddNumberToObject(root, "nodes", m->nodes);
    (void)json_count(root, "size_bytes", m->size);
    cJSON_AddStringToObject(root, "type", type_names[m->type]);
    cJSON_AddStringToObject(root, "op", op_names[m->op]);
    cJSON_AddStringToObject(root, "endpoint", endpoint_name(m->cluster.endpoint));
    cJSON_AddStringToObject(root, "rung", rung_names[RUNG_CYCLE]);
    cJSON_AddStringToObject(root, "control", "registers");
}

static void add_failure(cJSON *root, const dead_part *d, const failure_result *r) {
    cJSON *const o = cJSON_AddObjectToObject(root, "failure");
    char part[40];

    if (d->whole_node)
        snprintf(part, sizeof part, "node %u", d->node);
    else
        snprintf(part, sizeof part, "link %u.%u", d->node, d->link);
    cJSON_AddStringToObject(o, "of", part);
    (void)json_count(o, "at_cycle", d->cycle);
    (void)json_count(o, "silence_cycles", UINT64_C(64) * r->silence);
    (void)json_count(o, "first_reported_cycles", r->first_reported);
    (void)json_count(o, "last_reported_cycles", r->last_reported);
    (void)json_count(o, "ended_cycles", r->ended);
    (void)json_count(o, "again_cycles", r->again);
    (void)json_count(o, "rerun_cycles", r->rerun);
    (void)json_count(o, "without_cycles", r->without);
    cJSON_AddNumberToObject(o, "members_complete", r->completed);
    cJSON_AddNumberToObject(o, "members_left", r->left);
    cJSON_AddNumberToObject(o, "members_wrong", r->wrong);
}

static cJSON *make(const setup *s, const failure_result *r) {
    const double clock = s->machine.cluster.clock_MHz;
    cJSON *const root = result_begin();

    if (!root) return NULL;
    add_question(root, s);
    cJSON_AddNumberToObject(root, "clock_MHz", clock);
    (void)json_count(root, "cycles", r->total);
    cJSON_AddNumberToObject(root, "time_us", (double)r->total / clock);
    add_failure(root, &s->machine.faults.dead, r);
    cJSON *const list = cJSON_AddArrayToObject(root, "goodput");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        cJSON *const o = cJSON_CreateObject();

        cJSON_AddNumberToObject(o, "failures_per_hour", rates[i]);
        cJSON_AddNumberToObject(o, "share", failure_goodput(r, per_cycle(rates[i], clock)));
        cJSON_AddItemToArray(list, o);
    }
    cJSON_AddStringToObject(root, "check", r->wrong ? "failed" : "passed");
    return root;
}

/* ---- for people ------------------------------------------------------------------------------ */

typedef struct shown {
    const setup *setup;
    const failure_result *result;
} shown;

static void line(const shown *s, const char *name, uint64_t cycles, const char *text) {
    const double us = (double)cycles / s->setup->machine.cluster.clock_MHz;
    char count[FIGURE], time[FIGURE];

    printf("%-11s%s cycles (%s)%s\n", name, figure_unsigned(cycles, count),
           figure_time(us, figure_time_unit(us), time), text);
}

static void print_table(const cJSON *root, const void *self) {
    const shown *const s = self;
    const failure_result *const r = s->result;
    const dead_part *const d = &s->setup->machine.faults.dead;
    const double clock = s->setup->machine.cluster.clock_MHz;
    char text[120], size[FIGURE], without[FIGURE];

    printf("all-reduce of %s on %s, fp32, sum; ",
           figure_bytes((double)s->setup->machine.size, size),
           cJSON_GetObjectItem(root, "topology")->valuestring);
    printf("%s fails in cycle %" PRIu64 "\n\n",
           cJSON_GetObjectItem(cJSON_GetObjectItem(root, "failure"), "of")->valuestring, d->cycle);
    line(s, "reported", r->first_reported, " after the failure, the first member");
    line(s, "", r->last_reported, ", the last member");
    line(s, "ended", r->ended, "");
    snprintf(text, sizeof text, ", %u members", r->left);
    line(s, "restarted", r->again, text);
    line(s, "rerun", r->rerun, " from then on");
    snprintf(text, sizeof text, ", %.2f times the %s cycles without the failure",
             (double)r->total / (double)r->without, figure_unsigned(r->without, without));
    line(s, "total", r->total, text);
    if (r->wrong)
        printf("%-11sFAILED: sums of %u members are wrong\n", "check", r->wrong);
    else
        printf("%-11spassed: the sums of all members are right\n", "check");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        printf("%-11s%.3g of the time at %s failure%s an hour\n", i ? "" : "lost",
               1 - failure_goodput(r, per_cycle(rates[i], clock)), figure_count(rates[i], size),
               rates[i] > 1 ? "s" : "");
}

int failure_report(const setup *s) {
    failure_result r;
    cJSON *root;
    int rc;

    if (processes_count() > 1) {
        fprintf(stderr, "acesim: found --faults dead over %u ranks, expected one\n",
                processes_count());
        return EXIT_USAGE;
    }
    rc = failure_run(&s->machine, &r);
    if (rc != EXIT_OK) return rc;
    root = make(s, &r);
    if (!root) return message_no_memory();
    rc = result_print(root, s->output.format,
                      &(result_form){ .table = print_table, .self = &(shown){ s, &r } });
    return rc == EXIT_OK && r.wrong ? EXIT_CHECK : rc;
}
