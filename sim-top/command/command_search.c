/* SPDX-License-Identifier: Apache-2.0 */
/* command_search.c -- acesim search: which strategy divides a model best over a cluster */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "command_plan.h"
#include "exit_status.h"
#include "message.h"
#include "option_table.h"
#include "run_cost.h"
#include "search.h"
#include "setup_rows.h"
#include "strategy_arguments.h"

typedef struct search_question {
    strategy_arguments arguments;
    setup_rows given;
    search s;
} search_question;

static bool take_varied(void *question, unsigned row, const char *text) {
    search *const s = &((search_question *)question)->s;
    char choice[32];

    (void)row;
    s->space.varied = 0;
    if (!strcmp(text, "none")) return true;
    for (const char *p = text;; p++) {
        const size_t n = strcspn(p, ",");
        int v;

        snprintf(choice, sizeof choice, "%.*s", (int)(n < 30 ? n : 30), p);
        if (!parse_name(choice, search_choice_names, &v)) return false;
        s->space.varied |= 1U << v;
        p += n;
        if (!*p) return true;
    }
}

static const option_row rows[] = {
    OPTION_TEXT_ROW(search_question, s.cluster, "cluster", "FILE",
                    "file with the NPUs and the fabric between them"),
    OPTION_COUNT_ROW(search_question, arguments.batch, "batch", "sequences of an iteration"),
    { "capacity", "SIZE", OPTION_SIZE, offsetof(search_question, s.capacity),
      .text = "memory of an NPU [the cluster file's, or 80GB]", .accepted = "a size such as 80GB" },
    OPTION_TEXT_ROW(search_question, s.space.fixed, "fixed", "PARTS",
                    "parts that all strategies have; tp8 fixes that degree [sp.fused.zero1]"),
    { "vary", "LIST", OPTION_OWN, 0,
      .text = "what varies: b, recompute, schedule, zero, sp, cp, or none [b,recompute,schedule]",
      .accepted = "some of b, recompute, schedule, zero, sp, cp, or none", .take = take_varied },
    { "objective", "NAME", OPTION_WORD, offsetof(search_question, s.objective),
      .text = "time, cost (NPU hours for a thousand million tokens), memory, or front: strategies "
              "that no other beats in both time and memory [time]",
      .accepted = "time, cost, memory or front", .names = search_objectives },
    OPTION_FLAG_ROW(search_question, s.all, "all", "also run the strategies that cannot be best"),
    OPTION_FLAG_ROW(
        search_question, s.composed, "composed",
        "compose iterations as acesim train --composed does, then run the best five [where "
        "running all would take minutes]"),
    OPTION_FLAG_ROW(search_question, s.exact, "exact", "run all, however long that takes"),
    { "top", "N", OPTION_COUNT, offsetof(search_question, s.top), .text = "rows of the table [all]",
      .accepted = "1 to 1000000", .low = 1, .high = 1000000 },
    OPTION_COUNT_ROW(search_question, arguments.sequence, "sequence",
                     "tokens of a sequence, in place of the model's"),
    OPTION_COUNT_ROW(search_question, arguments.layers, "layers",
                     "layers, in place of the model's"),
    OPTION_TEXT_ROW(search_question, s.database, "database", "FILE",
                    "results, SQLite [search.sqlite]"),
    OPTION_JOBS_OR_NONE(search_question, s.share.jobs),
    { "point-limit", "SECONDS", OPTION_COUNT, offsetof(search_question, s.limit_s),
      .text = "stop an iteration that takes longer, and count it as failed",
      .accepted = "1 to 31536000", .low = 1, .high = SWEEP_LIMIT_S },
    OPTION_FLAG_ROW(search_question, s.retry, "retry", "run failed strategies again"),
    OPTION_FLAG_ROW(search_question, s.list, "list",
                    "print the strategies with their bounds and memory; run none"),
    OPTION_TEXT_ROW(search_question, s.svg, "svg", "FILE",
                    "write a plot of time against memory, with the front"),
    OPTION_FORMAT(search_question, arguments.format),
    OPTION_QUIET(search_question, s.quiet),
};
static const option_table options = {
    .command = "search",
    .about =
        "usage: acesim search MODEL --cluster FILE --batch N [OPTIONS]\n\n"
        "Runs an iteration of every strategy that divides a model over a cluster and fits in\n"
        "memory, and ranks them. A strategy is skipped if its lower bound\n"
        "shows that it cannot beat one that was run.\n"
        "Results are kept in a database: a stopped search continues, and several searches share\n"
        "the work.\n\n",
    .tail = "\nexample: acesim search models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml "
            "--batch "
            "16 \\\n    --layers 4 --sequence 256 --endpoint ideal --jobs 2\n",
    .least = 1,
    .most = 1,
    .expected = "one MODEL, --cluster and --batch",
    .group = { OPTION_GROUP(rows) },
};

/* Returns false if --help was given and printed, or if *rc is not EXIT_OK. */
static bool take_arguments(int argc, char **argv, search_question *q, int *rc) {
    search *const s = &q->s;
    option_table all = options;
    char **model;

    all.group[1] = setup_rows_group(&q->given, strategy_takes, offsetof(search_question, given));
    model = option_table_read(&all, argc, argv, q, rc);
    if (!model) return false;
    *rc = EXIT_USAGE;
    if (!s->cluster || !q->arguments.batch) {
        fprintf(stderr, "acesim search: found no --%s, expected %s\n",
                s->cluster ? "batch" : "cluster", options.expected);
        return false;
    }
    if (s->composed && s->exact) {
        fprintf(stderr, "acesim search: found --composed and --exact, expected one of them\n");
        return false;
    }
    *rc = EXIT_OK;
    q->arguments.model = s->model = *model;
    s->batch = q->arguments.batch;
    s->sequence = q->arguments.sequence;
    s->layers = q->arguments.layers;
    s->format = q->arguments.format;
    s->given = q->given.at;
    s->share.limit_s = (double)s->limit_s;
    s->share.quiet = s->quiet;
    return true;
}

static int run_and_print(search *s) {
    const double start = run_cost_start();
    int rc = search_run(s);

    if (rc != EXIT_OK) return rc;
    rc = search_print(s);
    if (!s->quiet)
        fprintf(stderr, "%u iterations run here; wall time %.3f s\n", s->ran,
                run_cost_start() - start);
    return rc;
}

static int run(search_question *q) {
    search *const s = &q->s;
    int rc = strategy_fields(&q->arguments, &q->given, s->cluster, &s->o);

    if (rc == EXIT_OK) rc = strategy_from_arguments(&q->arguments, &s->m, NULL);
    if (rc == EXIT_OK) rc = search_prepare(s);
    if (rc == EXIT_OK && s->list) search_print_space(s);
    if (rc == EXIT_OK && !s->list) rc = run_and_print(s);
    return rc;
}

int command_search(int argc, char **argv) {
    search_question *q = calloc(1, sizeof *q);
    int rc;

    if (!q) return message_no_memory();
    q->arguments.command = "search";
    q->s.database = "search.sqlite";
    q->s.space.fixed = "sp.fused.zero1";
    q->s.space.varied =
        1U << CHOICE_MICRO_BATCH | 1U << CHOICE_RECOMPUTATION | 1U << CHOICE_SCHEDULE;
    q->s.share = (sweep_share){ .jobs = 1, .shards = 1, .ranks = 1, .run = command_point };
    sweep_share_find(&q->s.share);
    if (take_arguments(argc, argv, q, &rc)) rc = run(q);
    search_free(&q->s);
    free(q);
    return rc;
}
