/* SPDX-License-Identifier: Apache-2.0 */
/* command_pipeline.c -- acesim pipeline: the lists of a schedule, how long they take, and their
 * picture */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "command_plan.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "option_table.h"
#include "pipeline.h"
#include "result_print.h"
#include "strategy.h"
#include "values.h"

enum { TIMES_MOST = 4096 };

typedef struct question {
    const char *schedule, *svg, *unit;
    uint64_t stages, micro_batches, chunks;   /* 0: not given */
    double time[PIPELINE_PASSES][TIMES_MOST]; /* of each pass and virtual stage */
    uint32_t given[PIPELINE_PASSES]; /* number of given times; 1: the time of all virtual stages */
    double hop;
    format format;
    option_line line;
} question;

/* ---- arguments ----------------------------------------------------------------------------- */

static bool parse_times(const char *s, double *to, uint32_t most, uint32_t *count) {
    *count = 0;
    for (;;) {
        char *end;
        const double v = strtod(s, &end);

        if (end == s || !(v >= 0 && v <= 1e12) || *count == most) return false;
        to[(*count)++] = v;
        if (!*end) return true;
        if (*end != ',') return false;
        s = end + 1;
    }
}

/* Rows of the option table whose values are lists of times. */
enum { ROW_FORWARD, ROW_BACKWARD, ROW_WEIGHT };
static bool take_times(void *question_, unsigned row, const char *value) {
    static const pipeline_pass pass[] = {
        [ROW_FORWARD] = PIPELINE_F, [ROW_BACKWARD] = PIPELINE_B, [ROW_WEIGHT] = PIPELINE_W
    };
    question *const q = question_;

    return parse_times(value, q->time[pass[row]], TIMES_MOST, &q->given[pass[row]]);
}
static bool take_hop(void *question_, unsigned row, const char *value) {
    uint32_t one;

    (void)row;
    return parse_times(value, &((question *)question_)->hop, 1, &one);
}

#define TIMES_ROW(name, help)                                                                  \
    {                                                                                          \
        name, "LIST", OPTION_OWN, 0, .text = help,                                             \
                                     .accepted = "times, 0 to 1e12, with commas between them", \
                                     .take = take_times                                        \
    }
static const option_row counts[] = {
    { "stages", "N", OPTION_COUNT, offsetof(question, stages), .text = "stages of the pipeline [4]",
      .accepted = "a number, 1 to 1024", .low = 1, .high = STAGES_MOST },
    { "micro-batches", "N", OPTION_COUNT, offsetof(question, micro_batches),
      .text = "micro-batches of an iteration [8]", .accepted = "a number, 1 to 65536", .low = 1,
      .high = STRATEGY_MOST },
    { "chunks", "N", OPTION_COUNT, offsetof(question, chunks),
      .text = "model chunks of a stage, for interleaved only [2]",
      .accepted = "a number, 1 to 1024", .low = 1, .high = STAGES_MOST },
};
static const option_row lists[] = {
    [ROW_FORWARD] = TIMES_ROW("forward", "time of a forward pass [1]"),
    [ROW_BACKWARD] = TIMES_ROW(
        "backward", "time of a backward pass; where it is split, of the input's gradient [2]"),
    [ROW_WEIGHT] =
        TIMES_ROW("weight", "time of the weights' gradient, where the backward pass is split [1]"),
};
static const option_row others[] = {
    { "hop", "TIME", OPTION_OWN, 0, .text = "time of a message from one stage to another [0]",
      .accepted = "a time, 0 to 1e12", .take = take_hop },
    { "unit", "NAME", OPTION_TEXT, offsetof(question, unit),
      .text = "unit of the times, for the picture [one unit a forward]" },
    { "svg", "FILE", OPTION_TEXT, offsetof(question, svg), .text = "writes a picture" },
    OPTION_FORMAT_ROW(question, format, "table, json or csv; csv has a line for each entry"),
};
static const option_table options = {
    .command = "plan pipeline",
    .about =
        "usage: acesim plan pipeline SCHEDULE|FILE [OPTIONS]\n\n"
        "Prints what the stages of a pipeline do, in which order, and how long that takes. An\n"
        "entry starts when its stage is free and its input has arrived. SCHEDULE is gpipe,\n"
        "1f1b, dapple, interleaved or zb-h1. FILE has one line for each stage, with entries\n"
        "such as F0 B0. W0 is a weights' gradient computed separately, and F0.1 a pass of chunk\n"
        "1. A LIST has one time, or one for each virtual stage: first those of chunk 0 by\n"
        "stage, then of the next chunk.\n\n",
    .tail = "\nexample: acesim plan pipeline 1f1b --stages 4 --micro-batches 8 --svg 1f1b.svg\n",
    .least = 1,
    .most = 1,
    .expected = "one SCHEDULE or FILE",
    .group = { OPTION_GROUP(counts), OPTION_GROUP(lists), OPTION_GROUP(others) },
};

/* ---- the pipeline -------------------------------------------------------------------------- */

static int make(const question *q, pipeline *p) {
    const uint64_t stages = q->stages ? q->stages : 4;
    const uint64_t micro_batches = q->micro_batches ? q->micro_batches : 8;
    int kind;

    if (!parse_name(q->schedule, pipeline_names, &kind)) {
        if (!q->stages && !q->micro_batches && !q->chunks) return pipeline_read(q->schedule, p);
        fprintf(
            stderr,
            "acesim plan pipeline: found stages, micro-batches or chunks of '%s', expected them of "
            "gpipe, 1f1b, dapple, interleaved or zb-h1\n",
            q->schedule);
        return EXIT_USAGE;
    }
    if (q->chunks && kind != PIPELINE_INTERLEAVED) {
        fprintf(stderr, "acesim plan pipeline: found --chunks of %s, expected interleaved\n",
                q->schedule);
        return EXIT_USAGE;
    }
    if (kind == PIPELINE_INTERLEAVED && micro_batches % stages) {
        fprintf(stderr,
                "acesim plan pipeline: found %" PRIu64
                " micro-batches, expected a multiple of %" PRIu64 " stages\n",
                micro_batches, stages);
        return EXIT_USAGE;
    }
    return pipeline_make((pipeline_kind)kind, (uint32_t)stages,
                         kind != PIPELINE_INTERLEAVED ? 1
                         : q->chunks                  ? (uint32_t)q->chunks
                                                      : 2,
                         (uint32_t)micro_batches, p);
}

static int make_times(const question *q, const pipeline *p, pipeline_times **times) {
    const uint32_t count = p->stages * p->chunks;
    pipeline_times *t = calloc(count, sizeof *t);

    if (!t) return message_no_memory();
    for (pipeline_pass pass = 0; pass < PIPELINE_PASSES; pass++) {
        if (q->given[pass] == 1 || q->given[pass] == count) continue;
        fprintf(
            stderr,
            "acesim plan pipeline: found %u times of %c, expected one, or %u of all virtual stages\n",
            q->given[pass], pipeline_letters[pass], count);
        free(t);
        return EXIT_USAGE;
    }
    for (uint32_t x = 0; x < count; x++)
        t[x] = (pipeline_times){ q->time[PIPELINE_F][q->given[PIPELINE_F] > 1 ? x : 0],
                                 q->time[PIPELINE_B][q->given[PIPELINE_B] > 1 ? x : 0],
                                 q->time[PIPELINE_W][q->given[PIPELINE_W] > 1 ? x : 0] };
    *times = t;
    return EXIT_OK;
}

/* ---- what is printed ----------------------------------------------------------------------- */

static cJSON *entries_of(const pipeline *p, const pipeline_result *r) {
    cJSON *list = cJSON_CreateArray();

    for (uint32_t s = 0; s < p->stages; s++) {
        for (size_t n = p->first[s]; n < p->first[s + 1]; n++) {
            const char pass[2] = { pipeline_letters[p->entry[n].pass], 0 };
            cJSON *o = cJSON_CreateObject();

            cJSON_AddNumberToObject(o, "stage", s);
            cJSON_AddStringToObject(o, "pass", pass);
            cJSON_AddNumberToObject(o, "micro_batch", p->entry[n].micro_batch);
            cJSON_AddNumberToObject(o, "chunk", p->entry[n].chunk);
            cJSON_AddNumberToObject(o, "start", r->span[n].start);
            cJSON_AddNumberToObject(o, "end", r->span[n].end);
            cJSON_AddItemToArray(list, o);
        }
    }
    return list;
}

static cJSON *object(const question *q, const pipeline *p, const pipeline_result *r) {
    cJSON *root = cJSON_CreateObject(), *stages;

    cJSON_AddStringToObject(root, "schedule", q->schedule);
    cJSON_AddNumberToObject(root, "stages", p->stages);
    cJSON_AddNumberToObject(root, "chunks", p->chunks);
    cJSON_AddNumberToObject(root, "micro_batches", p->micro_batches);
    cJSON_AddNumberToObject(root, "makespan", r->makespan);
    cJSON_AddNumberToObject(root, "bubble", pipeline_bubble(p, r));
    stages = cJSON_AddArrayToObject(root, "in_flight");
    for (uint32_t s = 0; s < p->stages; s++)
        cJSON_AddItemToArray(stages, cJSON_CreateNumber(r->in_flight[s]));
    stages = cJSON_AddArrayToObject(root, "busy");
    for (uint32_t s = 0; s < p->stages; s++)
        cJSON_AddItemToArray(stages, cJSON_CreateNumber(r->busy[s]));
    cJSON_AddItemToObject(root, "entries", entries_of(p, r));
    return root;
}

static void print_table(const cJSON *root, const void *self) {
    const cJSON *busy = cJSON_GetObjectItem(root, "busy")->child;
    const cJSON *flight = cJSON_GetObjectItem(root, "in_flight")->child;
    const double makespan = json_number(root, "makespan"), chunks = json_number(root, "chunks");

    (void)self;
    printf("%s: %.0f stages, %.0f micro-batches%s", json_string(root, "schedule"),
           json_number(root, "stages"), json_number(root, "micro_batches"), chunks > 1 ? "" : "\n");
    if (chunks > 1) printf(", %.0f chunks a stage\n", chunks);
    printf("\n%-14s%.10g\n%-14s%.2f %% of all stages' time\n\n%-8s %13s %9s %11s\n", "makespan",
           makespan, "bubble", 100 * json_number(root, "bubble"), "stage", "busy", "of it",
           "in flight");
    for (unsigned s = 0; busy && flight; s++, busy = busy->next, flight = flight->next)
        printf("%-8u %13.10g %7.2f %%%12.0f\n", s, busy->valuedouble,
               100 * busy->valuedouble / makespan, flight->valuedouble);
}

static int draw(const question *q, const pipeline *p, const pipeline_result *r) {
    char title[256];
    atomic_file f;
    int rc = atomic_file_open(&f, q->svg);

    if (rc != EXIT_OK) return rc;
    snprintf(title, sizeof title, "%.150s: %u stages, %u micro-batches, bubble %.1f %%",
             q->schedule, p->stages, p->micro_batches, 100 * pipeline_bubble(p, r));
    pipeline_svg(f.to, p, r, title, 1, q->unit);
    return atomic_file_close(&f);
}

static int print(const question *q, const pipeline *p, const pipeline_result *r) {
    const int rc = q->svg ? draw(q, p, r) : EXIT_OK;

    if (rc != EXIT_OK) return rc;
    return result_print(
        object(q, p, r), q->format,
        &(result_form){ .table = print_table, .rows = "entries", .line = &q->line });
}

static int answer(const question *q) {
    pipeline_times *times = NULL;
    pipeline_result r;
    pipeline p;
    int rc = make(q, &p);

    if (rc != EXIT_OK) return rc;
    rc = make_times(q, &p, &times);
    if (rc == EXIT_OK) rc = pipeline_run(&p, times, q->hop, &r);
    if (rc == EXIT_OK && !(r.makespan > 0)) {
        fprintf(stderr, "acesim plan pipeline: found no pass that takes time, expected one\n");
        pipeline_result_free(&r);
        rc = EXIT_USAGE;
    }
    if (rc == EXIT_OK) {
        rc = print(q, &p, &r);
        pipeline_result_free(&r);
    }
    free(times);
    pipeline_free(&p);
    return rc;
}

int command_pipeline(int argc, char **argv) {
    question *q = calloc(1, sizeof *q);
    char **schedule;
    int rc;

    if (!q) return message_no_memory();
    q->unit = "time";
    q->time[PIPELINE_F][0] = q->time[PIPELINE_W][0] = 1;
    q->time[PIPELINE_B][0] = 2;
    q->given[PIPELINE_F] = q->given[PIPELINE_B] = q->given[PIPELINE_W] = 1;
    schedule = option_table_read(&options, argc, argv, q, &rc);
    if (schedule) {
        q->schedule = *schedule;
        q->line = (option_line){ &options, argc, argv };
        rc = answer(q);
    }
    free(q);
    return rc;
}
