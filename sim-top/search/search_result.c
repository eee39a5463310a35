/* SPDX-License-Identifier: Apache-2.0 */
/* search_result.c -- a search as a table and a picture of the strategies that were run, the best
 * first, and as JSON of all that fit */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "atomic_file.h"
#include "exit_status.h"
#include "figures.h"
#include "machine_text.h"
#include "message.h"
#include "pareto.h"
#include "result_print.h"
#include "search.h"

const char *const search_objectives[] = { "time", "cost", "memory", "front", NULL };

/* Returns the search_outcome of a composed candidate's run, or NULL if it has none. */
static const search_outcome *search_run_of(const search *s, size_t i) {
    const search_outcome *const o = s->composed ? &s->of[s->space.count + i] : NULL;

    return o && o->done ? o : NULL;
}

/* Returns the NPU hours for 10^9 tokens. */
static double hours(const search *s, const search_outcome *o) {
    const double tokens = (double)s->batch * (double)s->m.sequence;

    return o->us * 1e-6 / 3600 * cJSON_GetObjectItem(o->result, "ranks")->valuedouble * 1e9 /
           tokens;
}

static double share_of(const search_outcome *o, const char *part) {
    return 100 * cJSON_GetObjectItem(o->result, part)->valuedouble / o->cycles;
}

static const char *state_of(const search_outcome *o) {
    return o->done ? "done" : o->message ? "failed" : o->settled ? "waiting" : "needless";
}

static cJSON *object_of(const search *s, size_t i) {
    static const char *const parts[] = { "compute_cycles", "exposed_communication_cycles",
                                         "bubble_cycles", "tokens_per_s",
                                         "model_flops_utilization" };
    const search_outcome *o = &s->of[i];
    cJSON *one = cJSON_CreateObject();

    cJSON_AddStringToObject(one, "strategy", s->space.at[i].text);
    cJSON_AddStringToObject(one, "placement", s->space.at[i].placement);
    cJSON_AddStringToObject(one, "state", state_of(o));
    cJSON_AddNumberToObject(one, "memory_peak_bytes", s->space.at[i].memory);
    json_count(one, "bound_cycles", s->space.at[i].bound);
    if (!o->done) return one;
    cJSON_AddNumberToObject(one, "cycles", o->cycles);
    cJSON_AddNumberToObject(one, "time_us", o->us);
    cJSON_AddNumberToObject(one, "npu_hours", hours(s, o));
    if (search_run_of(s, i)) cJSON_AddNumberToObject(one, "run_time_us", search_run_of(s, i)->us);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        cJSON_AddNumberToObject(one, parts[k],
                                cJSON_GetObjectItem(o->result, parts[k])->valuedouble);
    /* The whole result of acesim train, because explain, report and diff read it. */
    cJSON_AddItemToObject(one, "result", cJSON_Duplicate(o->result, true));
    return one;
}

static void print_row(const search *s, unsigned rank, size_t i, time_unit in) {
    const search_outcome *o = &s->of[i];
    const candidate *c = &s->space.at[i];
    char time[FIGURE], bound[FIGURE];
    const double us = (double)c->bound / s->o.machine.cluster.clock_MHz;

    printf("%4u  %12s %11s", rank, figure_time(o->us, in, time), figure_time(us, in, bound));
    if (s->again)
        printf(" %11s", search_run_of(s, i) ? figure_time(search_run_of(s, i)->us, in, time) : "-");
    printf(" %8.3f %7.2f %12s %8.2f %8.1f %8.1f %8.1f  %s %s\n", c->memory / 1024 / 1024 / 1024,
           100 * json_number(o->result, "model_flops_utilization"),
           figure_count(json_number(o->result, "tokens_per_s"), bound), hours(s, o),
           share_of(o, "compute_cycles"), share_of(o, "exposed_communication_cycles"),
           share_of(o, "bubble_cycles"), c->text, c->placement);
}

static void print_table(const search *s, const size_t *order, unsigned done, unsigned failed) {
    const search_outcome *best = done ? &s->of[order[0]] : NULL;
    const size_t left_out = search_left_out(s), not_run = s->space.count - done - failed - left_out;
    double slowest = 0;
    char topology[TOPOLOGY_TEXT];

    print_topology(&s->o.machine.cluster, topology);
    printf("%s, a batch of %" PRIu64 " on %s; endpoint %s, by %s\n\n", s->m.name, s->batch,
           topology, endpoint_name(s->o.machine.cluster.endpoint), search_objectives[s->objective]);
    printf("strategies that divide  %8" PRIu64 "\n", s->space.divided);
    printf("that fit                %8zu   in %.4g GB of an NPU\n",
           s->space.count + s->space.long_ones, (double)s->capacity * 1e-9);
    if (s->space.long_ones) printf("too long for a plan     %8" PRIu64 "\n", s->space.long_ones);
    printf("with a result           %8u\n", done);
    if (failed) printf("failed                  %8u\n", failed);
    printf("skipped                 %8zu   their bound shows that they cannot be better\n",
           left_out);
    if (not_run) printf("not run                 %8zu\n", not_run);
    printf("\n");
    if (!best) return;
    printf("rank          time never below%s      GiB   MFU %%     tokens/s    hours  compute  "
           "exposed   bubble  strategy\n",
           s->again ? "         run" : "");
    for (unsigned i = 0; i < done; i++) {
        if (!s->top || i < s->top) print_row(s, i + 1, order[i], figure_time_unit(best->us));
        if (s->of[order[i]].us > slowest) slowest = s->of[order[i]].us;
    }
    if (s->top && s->top < done) printf("...\n");
    printf("\nthe slowest of these %u takes %.2f times as long as the first\n", done,
           slowest / best->us);
    if (s->composed) {
        printf("composed of events that were measured once each");
        if (s->slow)
            printf("; %zu of the best %zu ran, the others would take a minute or more each\n",
                   s->again, s->again + s->slow);
        else
            printf("; the best %zu ran, too\n", s->again);
    }
    machine_text_print(best->result, 7);
}

/* Draws time against memory for everything that was run. */
static int draw(const search *s, const size_t *order, unsigned done) {
    pareto_point *at = calloc(done + 1, sizeof *at);
    const double scale = 1.0 / 1024 / 1024 / 1024;
    char title[160];
    atomic_file f;
    int rc;

    if (!at) return message_no_memory();
    for (unsigned i = 0; i < done; i++)
        at[i] = (pareto_point){ .x = s->of[order[i]].us * 1e-3,
                                .y = s->space.at[order[i]].memory * scale,
                                .label = s->space.at[order[i]].text };
    pareto_mark(at, done);
    snprintf(title, sizeof title, "%.60s, a batch of %" PRIu64 ": %u strategies", s->m.name,
             s->batch, done);
    rc = atomic_file_open(&f, s->svg);
    if (rc == EXIT_OK) {
        pareto_svg(f.to, at, done, title, "milliseconds of an iteration", "GiB of a rank");
        rc = atomic_file_close(&f);
    }
    free(at);
    return rc;
}

int search_print(search *s) {
    const bool first = !s->share.rank;
    size_t *order = search_order(s);
    unsigned done = 0, failed = 0;
    cJSON *list;
    int rc = EXIT_OK;

    if (!order) return message_no_memory();
    for (size_t i = 0; i < s->space.count; i++) {
        done += s->of[i].done;
        failed += s->of[i].message && !s->of[i].done;
        if (first && s->of[i].message && !s->of[i].done && *s->of[i].message)
            fprintf(stderr, "acesim search: %s: %s\n", s->space.at[i].text, s->of[i].message);
    }
    if (first && s->svg) rc = draw(s, order, done);
    if (first && s->format == FORMAT_TABLE) {
        print_table(s, order, done, failed);
    } else if (first) {
        list = cJSON_CreateArray();
        for (size_t i = 0; i < s->space.count; i++)
            cJSON_AddItemToArray(list, object_of(s, order[i]));
        rc = result_print(list, s->format, &(result_form){ 0 });
    }
    free(order);
    return rc == EXIT_OK && failed ? EXIT_CHECK : rc;
}

void search_print_space(const search *s) {
    for (size_t i = 0; i < s->space.count; i++)
        printf("%14" PRIu64 "%10.3f GiB  %s %s\n", s->space.at[i].bound,
               s->space.at[i].memory / 1024 / 1024 / 1024, s->space.at[i].text,
               s->space.at[i].placement);
}
