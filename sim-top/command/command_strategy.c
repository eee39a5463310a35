/* SPDX-License-Identifier: Apache-2.0 */
/* command_strategy.c -- acesim strategy: the node of each rank, and the bytes that it sends to
 * others */
#include <inttypes.h>
#include <stdio.h>

#include "cluster.h"
#include "command_plan.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "option_table.h"
#include "placement.h"
#include "result_print.h"
#include "strategy_arguments.h"
#include "strategy_traffic.h"
#include "values.h"

typedef struct question {
    strategy_arguments arguments;
    training_model m;
    strategy s;
    bool ranks;
    placement p;
    const char *topology, *placement;
    uint64_t stage;
} question;

/* ---- the object ---------------------------------------------------------------------------- */

static void add_messages(cJSON *root, const question *q) {
    cJSON *list = cJSON_AddArrayToObject(root, "messages");
    traffic_message at[TRAFFIC_MESSAGES];
    const unsigned n = strategy_messages(&q->m, &q->s, q->stage, at);

    for (unsigned i = 0; i < n; i++) {
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "what", at[i].what);
        cJSON_AddStringToObject(o, "when", at[i].when);
        cJSON_AddStringToObject(o, "kind", traffic_names[at[i].kind]);
        cJSON_AddStringToObject(o, "formula", at[i].formula);
        cJSON_AddNumberToObject(o, "bytes", at[i].bytes);
        cJSON_AddNumberToObject(o, "group", at[i].group);
        cJSON_AddNumberToObject(o, "count", at[i].count);
        cJSON_AddNumberToObject(o, "sent_bytes", traffic_sent(&at[i]));
        cJSON_AddItemToArray(list, o);
    }
}

/* Writes what an axis takes of each dimension, such as "x, y 2 of 8". */
static void axis_text(const question *q, axis a, char *to, size_t room) {
    const placement_axis *at = &q->p.axis[a];
    size_t n = (size_t)snprintf(to, room, "%s", at->legs ? "" : "-");

    for (unsigned i = 0; i < at->legs && n < room; i++) {
        const placement_leg *l = &at->leg[i];

        n += (size_t)snprintf(to + n, room - n, "%s%c", i ? ", " : "",
                              ACE_DIMENSION_LETTERS[l->dimension]);
        if (l->extent != q->p.ring[l->dimension] && n < room)
            n +=
                (size_t)snprintf(to + n, room - n, " %u of %u", l->extent, q->p.ring[l->dimension]);
        if (l->stride > 1 && n < room)
            n += (size_t)snprintf(to + n, room - n, " each %u", l->stride);
    }
}

static void add_axes(cJSON *root, const question *q) {
    cJSON *list = cJSON_AddArrayToObject(root, "placement");

    for (axis a = 0; a < AXES; a++) {
        cJSON *o = cJSON_CreateObject(), *group = cJSON_CreateArray();
        uint64_t index[AXES] = { 0 };
        char text[128];

        axis_text(q, a, text, sizeof text);
        cJSON_AddStringToObject(o, "parallelism", axis_names[a]);
        cJSON_AddNumberToObject(o, "degree", (double)q->s.degree[a]);
        cJSON_AddStringToObject(o, "dimensions", text);
        cJSON_AddBoolToObject(o, "whole_dimensions", q->p.axis[a].whole);
        for (; index[a] < q->s.degree[a]; index[a]++)
            cJSON_AddItemToArray(group, cJSON_CreateNumber((double)placement_node(&q->p, index)));
        cJSON_AddItemToObject(o, "group_of_rank_0", group);
        cJSON_AddItemToArray(list, o);
    }
}

static void add_ranks(cJSON *root, const question *q) {
    cJSON *list = cJSON_AddArrayToObject(root, "rank_list");

    for (uint64_t r = 0; r < strategy_ranks(&q->s); r++) {
        cJSON *o = cJSON_CreateObject();
        uint64_t index[AXES], node;

        placement_indices(&q->p, r, index);
        node = placement_node(&q->p, index);
        cJSON_AddNumberToObject(o, "rank", (double)r);
        cJSON_AddNumberToObject(o, "node", (double)node);
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
            const char name[] = { ACE_DIMENSION_LETTERS[d], '\0' };

            cJSON_AddNumberToObject(o, name, (double)(node % q->p.ring[d]));
            node /= q->p.ring[d];
        }
        for (axis a = 0; a < AXES; a++) cJSON_AddNumberToObject(o, axis_names[a], (double)index[a]);
        cJSON_AddItemToArray(list, o);
    }
}

/* ---- for people and programs --------------------------------------------------------------- */

static void print_group(const cJSON *o) {
    const cJSON *list = cJSON_GetObjectItem(o, "group_of_rank_0"), *v;
    int n = 0;

    cJSON_ArrayForEach(v, list) if (n++ < 8) printf(" %.0f", v->valuedouble);
    printf("%s\n", n > 8 ? " ..." : "");
}

static void print_table(const cJSON *root, const void *self) {
    const question *const q = self;
    char bytes[FIGURE], sent[FIGURE];
    const cJSON *v;

    printf("%s: %.0f ranks, %.0f sequences an iteration\n", json_string(root, "strategy"),
           json_number(root, "ranks"), json_number(root, "batch"));
    if (cJSON_GetObjectItem(root, "placement"))
        printf("\n%-13s %7s  %-25s %-9s%s\n", "parallelism", "degree", "dimensions", "whole",
               "nodes of rank 0's group");
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "placement")) {
        printf("%-13s %7.0f  %-25s %-9s", json_string(v, "parallelism"), json_number(v, "degree"),
               json_string(v, "dimensions"),
               cJSON_IsTrue(cJSON_GetObjectItem(v, "whole_dimensions")) ? "yes" : "no");
        print_group(v);
    }
    if (q->ranks)
        printf("\n%8s %7s %5s %3s %3s %3s %3s %3s %7s %5s %5s %5s\n", "rank", "node", "x", "y", "z",
               "w", "u", "v", "tp", "cp", "dp", "pp");
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "rank_list")) printf(
        "%8.0f %7.0f %5.0f %3.0f %3.0f %3.0f %3.0f %3.0f %7.0f %5.0f %5.0f %5.0f\n",
        json_number(v, "rank"), json_number(v, "node"), json_number(v, "x"), json_number(v, "y"),
        json_number(v, "z"), json_number(v, "w"), json_number(v, "u"), json_number(v, "v"),
        json_number(v, "tp"), json_number(v, "cp"), json_number(v, "dp"), json_number(v, "pp"));
    if (q->arguments.model)
        printf("\nmessages of %s, an iteration of a rank of stage %" PRIu64
               "\n%-30s %-29s %-14s %-21s %15s %6s %8s %15s\n",
               q->m.name, q->stage, "what", "when", "kind", "formula", "bytes", "group", "count",
               "sent a message");
    cJSON_ArrayForEach(v, cJSON_GetObjectItem(root, "messages"))
        printf("%-30s %-29s %-14s %-21s %15s %6.0f %8.0f %15s\n", json_string(v, "what"),
               json_string(v, "when"), json_string(v, "kind"), json_string(v, "formula"),
               figure_count(json_number(v, "bytes"), bytes), json_number(v, "group"),
               json_number(v, "count"), figure_count(json_number(v, "sent_bytes"), sent));
}

/* ---- arguments ----------------------------------------------------------------------------- */

static int make_placement(question *q) {
    uint16_t ring[ACE_CLUSTER_DIMENSIONS] = { 0 };
    uint8_t wiring[ACE_CLUSTER_DIMENSIONS];
    strategy_fault why = { 0 };
    char what[160];

    if (!parse_topology(q->topology, ring, wiring)) {
        fprintf(stderr,
                "acesim plan strategy: --topology: found '%s', expected sizes such as 8x4x4\n",
                q->topology);
        return EXIT_USAGE;
    }
    snprintf(what, sizeof what, q->placement ? "--placement '%.100s'" : "--topology '%.100s'",
             q->placement ? q->placement : q->topology);
    return placement_make(&q->s, ring, q->placement, &q->p, &why)
               ? EXIT_OK
               : strategy_refuse("plan strategy", what, &why);
}

static int answer(question *q) {
    const bool sized = q->arguments.model != NULL;
    cJSON *root;
    int rc = strategy_from_arguments(&q->arguments, sized ? &q->m : NULL, &q->s);

    if (rc == EXIT_OK && q->stage >= q->s.degree[AXIS_PP]) {
        fprintf(stderr,
                "acesim plan strategy: --stage: found %" PRIu64 ", expected one of %" PRIu64
                " stages\n",
                q->stage, q->s.degree[AXIS_PP]);
        return EXIT_USAGE;
    }
    if (rc == EXIT_OK && q->topology) rc = make_placement(q);
    if (rc != EXIT_OK) return rc;
    root = strategy_object(sized ? &q->m : NULL, &q->s);
    if (q->topology) add_axes(root, q);
    if (q->ranks) add_ranks(root, q);
    if (sized) add_messages(root, q);
    return result_print(root, q->arguments.format,
                        &(result_form){ .table = print_table,
                                        .self = q,
                                        .rows = q->ranks ? "rank_list"
                                                : sized  ? "messages"
                                                         : "placement",
                                        .line = &q->arguments.line });
}

/* ---- the command --------------------------------------------------------------------------- */

static const option_row rows[] = {
    { "model", "MODEL", OPTION_TEXT, offsetof(question, arguments.model),
      .text = "model whose message sizes are shown" },
    { "stage", "N", OPTION_COUNT, offsetof(question, stage),
      .text = "the stage whose messages are shown [0]", .accepted = "0 to 1023",
      .high = STAGES_MOST - 1 },
    { "topology", "T", OPTION_TEXT, offsetof(question, topology),
      .text = "topology of the fabric, such as 8x4x4" },
    { "placement", "LIST", OPTION_TEXT, offsetof(question, placement),
      .text = "dimensions of each degree: tp:x,dp:yz [ranks are nodes]" },
    { "ranks", NULL, OPTION_FLAG, offsetof(question, ranks), .text = "print a line for each rank" },
};
static const option_table options = {
    .command = "plan strategy",
    .about =
        "usage: acesim plan strategy STRATEGY [OPTIONS]\n\n"
        "How a strategy divides a model over ranks, which node of a fabric each rank is, and what a\n"
        "rank sends to others in an iteration.\n\n"
        "STRATEGY is parts with dots between them, each but degrees optional:\n"
        "  tpN ppN dpN cpN epN         degrees: tensor, pipeline, data, context, experts [1]\n"
        "  etpN                        each expert is divided over N ranks of tp [1]\n"
        "  sp                          sequence parallelism beside tensor parallelism\n"
        "  zeroN                       replicas divide: 1 the optimizer, 2 gradients too, 3 all [0]\n"
        "  full selective              what the backward pass computes again [nothing]\n"
        "  shard                       checkpoints of full are divided over tensor parallelism\n"
        "  fused                       attention keeps no scores\n"
        "  fused-loss                  the loss keeps no logits in FP32\n"
        "  bN mN                       sequences of a micro-batch, micro-batches of an iteration [1]\n"
        "  vN                          chunks of the model a pipeline stage has [1]\n"
        "  gpipe 1f1b dapple interleaved zb-h1   the schedule [1f1b, with chunks interleaved]\n"
        "  gradN                       bytes of a gradient, 2 or 4 [2; in 32 bits 4]\n"
        "  fp32 tf32                   elements of 32 bits; products on vector units, or on matrix\n"
        "                              units in TF32 [16 bits]\n"
        "  loraN                       the model is frozen; adapters of rank N are trained beside the\n"
        "                              products of attention [the model is trained]\n"
        "  splitN                      a part's collective of tensor parallelism runs beside the product\n"
        "                              of the next part, N of them [1]\n"
        "  all-to-all                  context parallelism exchanges heads [a ring of keys, values]\n"
        "  ends                        embedding and output layer count as a layer each, and layers are\n"
        "                              dealt as evenly as they go [layers divide]\n\n",
    .tail =
        "\nexample: acesim plan strategy tp8.pp4.dp4.m16 --model models/gpt3-175b.yaml --topology 8x4x4\n",
    .least = 1,
    .most = 1,
    .expected = "one STRATEGY",
    .group = { OPTION_GROUP(rows),
               { .row = strategy_rows,
                 .rows = STRATEGY_ROWS,
                 .at = offsetof(question, arguments) } },
};

int command_strategy(int argc, char **argv) {
    question q = { .arguments = { .command = "plan strategy" } };
    int rc;
    char **const given = option_table_read(&options, argc, argv, &q, &rc);

    if (!given) return rc;
    if ((q.ranks || q.placement) && !q.topology) {
        fprintf(stderr,
                "acesim plan strategy: found --ranks or --placement without --topology, expected "
                "the fabric they are of\n");
        return EXIT_USAGE;
    }
    q.arguments.line = (option_line){ &options, argc, argv };
    q.arguments.strategy = *given;
    return answer(&q);
}
