/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_arguments.c -- options that several commands on strategies take, and their results
 *
 * The option parser reads the table of rows. The list of fields names the options of a run that
 * these commands pass on. A fault in a strategy is reported with its column.
 */
#include "strategy_arguments.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cluster_file.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "setup_fields.h"

const option_row strategy_rows[STRATEGY_ROWS] = {
    OPTION_COUNT_ROW(strategy_arguments, batch, "batch",
                     "sequences in an iteration, in place of mN"),
    OPTION_COUNT_ROW(strategy_arguments, sequence, "sequence",
                     "tokens of a sequence, in place of the model's"),
    OPTION_COUNT_ROW(strategy_arguments, layers, "layers", "layers, in place of the model's"),
    { "layers-per-stage", "LIST", OPTION_TEXT, offsetof(strategy_arguments, layers_of_stages),
      .text = "layers of each virtual stage, such as 7,9,9,9 [even]" },
    { "fractional", NULL, OPTION_FLAG, offsetof(strategy_arguments, fractional),
      .text = "accept heads and widths that do not divide evenly" },
    OPTION_FORMAT(strategy_arguments, format),
};

/* The last ones apply only to a run. */
static const setup_id taken[] = {
    SETUP_ACCELERATOR,
    SETUP_TOPOLOGY,
    SETUP_TYPE,
    SETUP_ENDPOINT,
    SETUP_RUNG,
    SETUP_CALIBRATION,
    SETUP_RTL,
    SETUP_SPEED,
    SETUP_FOLD,
    SETUP_FAST_FORWARD,
    SETUP_SMS,
    SETUP_SHARES,
    SETUP_MEMORY_BANDWIDTH,
    SETUP_CHUNK,
    SETUP_MEMORY_LATENCY,
    SETUP_CLOCK,
    SETUP_COMPUTE_SCALE,
    SETUP_LINK_BANDWIDTH,
    SETUP_LINK_LATENCY,
    SETUP_SHARED_LINKS,
    SETUP_NPU_MATRIX,
    SETUP_EXPANDED_MEMORY,
    SETUP_EXPANDED_BANDWIDTH,
    SETUP_EXPANSION,
    SETUP_FSMS,
    SETUP_CONTEXTS,
    SETUP_LINK_INPUT_ROWS,
    SETUP_ROUTER_INPUT_ROWS,
    SETUP_INTERVAL,
    SETUP_THREADS,
    SETUP_TIMELINE,
    SETUP_TIMELINE_LIMIT,
    SETUP_QUIET,
};
enum { TAKEN_TO_RUN = sizeof taken / sizeof *taken, TAKEN = 28 };

static bool is_taken(const setup_field *f, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        if (f == &setup_fields[taken[i]]) return true;
    return false;
}
bool strategy_takes(const setup_field *f) { return is_taken(f, TAKEN); }
bool strategy_takes_to_run(const setup_field *f) { return is_taken(f, TAKEN_TO_RUN); }

int strategy_fields(const strategy_arguments *w, const setup_rows *given, const char *cluster,
                    setup *o) {
    int rc;

    setup_initial(o);
    rc = cluster_read(cluster, o);
    if (rc != EXIT_OK) return rc;
    o->machine.workload = w->model;
    o->machine.kind = ACE_ALL_REDUCE;
    return setup_rows_take(given, (const char *[]){ "run", cluster, w->model }, 3, o);
}

/* Sets the number of micro-batches, which follows from the batch. */
static int set_batch(const strategy_arguments *w, strategy *s) {
    const uint64_t each = s->degree[AXIS_DP] * s->micro_batch;

    if (!w->batch) return EXIT_OK;
    if (s->micro_batches > 1) {
        fprintf(stderr,
                "acesim %s: --batch: found %" PRIu64 " beside m%" PRIu64 ", expected one of them\n",
                w->command, w->batch, s->micro_batches);
        return EXIT_USAGE;
    }
    if (w->batch % each) {
        fprintf(stderr,
                "acesim %s: --batch: found %" PRIu64 ", expected a multiple of dp times b, %" PRIu64
                "\n",
                w->command, w->batch, each);
        return EXIT_USAGE;
    }
    s->micro_batches = w->batch / each;
    return EXIT_OK;
}

/* Returns the column, from 1, of the part that `found` begins with. Returns 0 if the strategy does
 * not contain it, because it is a default. */
static size_t column_of(const char *text, const char *found) {
    const size_t n = strcspn(found, " ");

    for (const char *p = text; *p; p += strcspn(p, "."), p += *p == '.')
        if (strcspn(p, ".") == n && !strncmp(p, found, n)) return (size_t)(p - text) + 1;
    return 0;
}

int strategy_from_arguments(const strategy_arguments *w, training_model *m, strategy *s) {
    strategy_fault why = { 0 };
    char what[256];
    int rc = m ? model_read(w->model, m) : EXIT_OK;

    if (rc != EXIT_OK) return rc;
    if (m && w->sequence) m->sequence = w->sequence;
    if (m && w->layers) m->layers = w->layers;
    if (!s) return EXIT_OK;
    snprintf(what, sizeof what, "strategy '%.200s'", w->strategy);
    if (!strategy_parse(w->strategy, s, &why)) return strategy_refuse(w->command, what, &why);
    s->fractional = w->fractional;
    if (w->layers_of_stages && !strategy_parse_layers(w->layers_of_stages, s)) {
        fprintf(stderr,
                "acesim %s: --layers-per-stage: found '%s', expected numbers such as 7,9,9,9\n",
                w->command, w->layers_of_stages);
        return EXIT_USAGE;
    }
    rc = set_batch(w, s);
    if (rc != EXIT_OK || !m) return rc;
    if (strategy_fits(s, m, &why)) return EXIT_OK;
    why.column = column_of(w->strategy, why.found);
    return strategy_refuse(w->command, what, &why);
}

void strategy_add(cJSON *root, const training_model *m, const strategy *s) {
    char text[STRATEGY_TEXT];

    if (m) cJSON_AddStringToObject(root, "model", m->name);
    if (m && m->kind != MODEL_DLRM) {
        cJSON_AddNumberToObject(root, "layers", (double)model_layers(m));
        cJSON_AddNumberToObject(root, "sequence", (double)m->sequence);
    }
    if (!s) return;
    cJSON_AddStringToObject(root, "strategy", strategy_print(s, text));
    cJSON_AddNumberToObject(root, "ranks", (double)strategy_ranks(s));
    cJSON_AddNumberToObject(root, "batch", strategy_sequences(s));
    if (s->fractional) cJSON_AddTrueToObject(root, "fractional");
}

cJSON *strategy_object(const training_model *m, const strategy *s) {
    cJSON *root = cJSON_CreateObject();

    strategy_add(root, m, s);
    return root;
}
