/* SPDX-License-Identifier: Apache-2.0 */
/* command_model.c -- acesim model: parameters, products and FLOPs of a model */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "command_plan.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "model_work.h"
#include "option_table.h"
#include "result_print.h"
#include "strategy_arguments.h"
#include "values.h"

typedef struct question {
    strategy_arguments arguments;
    training_model m;
    strategy s;
    double seconds, peak;
} question;

/* ---- the object ---------------------------------------------------------------------------- */

static void add_parameters(cJSON *root, const training_model *m) {
    cJSON *parts = cJSON_AddArrayToObject(root, "parts");
    model_part part[MODEL_PARTS];
    const unsigned n = model_parts(m, part);

    cJSON_AddNumberToObject(root, "parameters", model_parameters(m));
    cJSON_AddNumberToObject(root, "active_parameters", model_active_parameters(m));
    for (unsigned i = 0; i < n; i++) {
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "part", part[i].name);
        cJSON_AddStringToObject(o, "formula", part[i].formula);
        cJSON_AddNumberToObject(o, "each", part[i].each);
        cJSON_AddNumberToObject(o, "count", part[i].count);
        cJSON_AddNumberToObject(o, "parameters", part[i].each * part[i].count);
        cJSON_AddItemToArray(parts, o);
    }
}

static void add_product(cJSON *to, const char *layer, const model_gemm *g) {
    cJSON *o = cJSON_CreateObject();

    cJSON_AddStringToObject(o, "layer", layer);
    cJSON_AddStringToObject(o, "product", g->what);
    cJSON_AddNumberToObject(o, "count", g->count);
    cJSON_AddNumberToObject(o, "m", g->m);
    cJSON_AddNumberToObject(o, "n", g->n);
    cJSON_AddNumberToObject(o, "k", g->k);
    cJSON_AddNumberToObject(o, "flops", model_gemm_flops(g));
    cJSON_AddItemToArray(to, o);
}

static const char *layer_name(model_layer l) {
    static const char *const names[2][2] = { { "layer", "layer of experts" },
                                             { "decoder layer", "decoder layer of experts" } };
    static const char *const hybrids[] = { "layer of attention", "layer of MLP",
                                           "layer of Mamba-2" };

    if (l.only) return hybrids[l.only - 1];
    return names[l.cross][l.moe];
}

/* Adds the products of the first layer of each kind that the model has. */
static void add_products(cJSON *root, const training_model *m, const strategy *s) {
    cJSON *products = cJSON_AddArrayToObject(root, "products");
    bool seen[4][2][2] = { { { false } } };
    model_gemm logits;

    if (m->kind == MODEL_DLRM) return;
    for (uint64_t i = 0; i < model_layers(m); i++) {
        const model_layer l = model_layer_at(m, i);
        model_gemm g[LAYER_GEMMS];
        const unsigned n = seen[l.only][l.cross][l.moe] ? 0 : model_layer_gemms(m, l, s, g);

        for (unsigned k = 0; k < n; k++) add_product(products, layer_name(l), &g[k]);
        seen[l.only][l.cross][l.moe] = true;
    }
    logits = model_logits_gemm(m, s);
    add_product(products, "last stage", &logits);
}

static cJSON *make(const question *q) {
    cJSON *root = strategy_object(&q->m, &q->s);
    const double model = model_flops(&q->m, &q->s), executed = model_executed_flops(&q->m, &q->s);
    const double used = q->seconds * (double)strategy_ranks(&q->s) * q->peak * 1e12;

    cJSON_AddStringToObject(root, "architecture", model_kind_names[q->m.kind]);
    add_parameters(root, &q->m);
    add_products(root, &q->m, &q->s);
    cJSON_AddNumberToObject(root, "model_flops", model);
    cJSON_AddNumberToObject(root, "executed_flops", executed);
    if (used > 0) {
        cJSON_AddNumberToObject(root, "model_flops_utilization", model / used);
        cJSON_AddNumberToObject(root, "hardware_flops_utilization", executed / used);
    }
    return root;
}

/* ---- for people ---------------------------------------------------------------------------- */

static void print_count(const char *name, double v) {
    char text[FIGURE];

    printf("%-92s %19s\n", name, figure_count(v, text));
}

static void print_table(const cJSON *root, const void *self) {
    const cJSON *v;
    char each[FIGURE], all[FIGURE];

    (void)self;
    printf("%s, %s\n\n%-25s %-46s %19s\n", json_string(root, "model"),
           json_string(root, "architecture"), "parameters of", "formula", "each");
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "parts"))
        printf("%-25s %-46s %19s x %-6.0f %13s\n", json_string(v, "part"),
               json_string(v, "formula"), figure_count(json_number(v, "each"), each),
               json_number(v, "count"), figure_count(json_number(v, "parameters"), all));
    print_count("all", json_number(root, "parameters"));
    if (json_number(root, "active_parameters") < json_number(root, "parameters"))
        print_count("of these used by a token", json_number(root, "active_parameters"));
    if (cJSON_GetArraySize(cJSON_GetObjectItem(root, "products")))
        printf(
            "\nforward products of a micro-batch on a rank of %s\n%-25s %-20s %9s %9s %9s %9s %13s\n",
            json_string(root, "strategy"), "layer", "product", "count", "M", "N", "K", "GFLOP");
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "products"))
        printf("%-25s %-20s %9g %9g %9g %9g %13.3f\n", json_string(v, "layer"),
               json_string(v, "product"), json_number(v, "count"), json_number(v, "m"),
               json_number(v, "n"), json_number(v, "k"), json_number(v, "flops") / 1e9);
    printf("\nan iteration of %.0f on %.0f ranks\n%-30s%.6e\n%-30s%.6e\n",
           json_number(root, "batch"), json_number(root, "ranks"), "model FLOPs",
           json_number(root, "model_flops"), "executed FLOPs", json_number(root, "executed_flops"));
    if (!cJSON_GetObjectItem(root, "model_flops_utilization")) return;
    printf("%-30s%.2f %%\n%-30s%.2f %%\n", "model FLOPs utilization",
           100 * json_number(root, "model_flops_utilization"), "hardware FLOPs utilization",
           100 * json_number(root, "hardware_flops_utilization"));
}

/* ---- arguments ----------------------------------------------------------------------------- */

static const option_row rows[] = {
    { "iteration", "SECONDS", OPTION_POSITIVE, offsetof(question, seconds),
      .text = "measured time of an iteration; prints how well the ranks were used",
      .accepted = "a number above 0" },
    { "peak", "TFLOPS", OPTION_POSITIVE, offsetof(question, peak),
      .text = "peak rate of a rank, for --iteration", .accepted = "a number above 0" },
};
static const option_table options = {
    .command = "plan model",
    .about =
        "usage: acesim plan model MODEL [STRATEGY] [OPTIONS]\n\n"
        "Prints the parameters of a model by part, and the matrix products of its layers on a\n"
        "rank of the strategy [tp1.pp1.dp1]. Prints the FLOPs of an iteration: those that the\n"
        "model requires, and those executed with recomputation. A multiplication and an\n"
        "addition count as two. Scores count the full square of a sequence.\n\n",
    .tail = "\nexample: acesim plan model models/gpt3-175b.yaml tp8.pp16.dp8.full --batch 1536\n",
    .least = 1,
    .most = 2,
    .expected = "MODEL and at most a STRATEGY",
    .group = { OPTION_GROUP(rows),
               { .row = strategy_rows,
                 .rows = STRATEGY_ROWS,
                 .at = offsetof(question, arguments) } },
};

int command_model(int argc, char **argv) {
    question q = { .arguments = { .command = "plan model", .strategy = "tp1.pp1.dp1" } };
    int rc;
    char **const given = option_table_read(&options, argc, argv, &q, &rc);

    if (!given) return rc;
    if ((q.seconds > 0) != (q.peak > 0)) {
        fprintf(stderr, "acesim plan model: found one of --iteration and --peak, expected both\n");
        return EXIT_USAGE;
    }
    q.arguments.line = (option_line){ &options, argc, argv };
    q.arguments.model = given[0];
    if (given[1]) q.arguments.strategy = given[1];
    rc = strategy_from_arguments(&q.arguments, &q.m, &q.s);
    return rc == EXIT_OK ? result_print(make(&q), q.arguments.format,
                                        &(result_form){ .table = print_table,
                                                        .rows = "parts",
                                                        .line = &q.arguments.line })
                         : rc;
}
