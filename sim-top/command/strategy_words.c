/* SPDX-License-Identifier: Apache-2.0 */
/* strategy_words.c -- see strategy_words.h */
#include "strategy_words.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "names.h"
#include "run_fields.h"

int strategy_refuse(const char *command, const char *what, const strategy_fault *why) {
    if (why->column)
        fprintf(stderr, "acesim %s: %s, column %zu: found %s, expected %s\n", command, what,
                why->column, why->found, why->expected);
    else
        fprintf(stderr, "acesim %s: %s: found %s, expected %s\n", command, what, why->found,
                why->expected);
    return EXIT_USAGE;
}

static int count_of(const strategy_words *w, const char *option, const char *value, uint64_t *v) {
    if (parse_unsigned(value, 1, 1U << 30, v)) return EXIT_OK;
    fprintf(stderr, "acesim %s: --%s: found '%s', expected a number, 1 to 1073741824\n", w->command,
            option, value);
    return EXIT_USAGE;
}

int strategy_word(strategy_words *w, int c, const char *value) {
    switch (c) {
    case 'B': return count_of(w, "batch", value, &w->batch);
    case 'S': return count_of(w, "sequence", value, &w->sequence);
    case 'L': return count_of(w, "layers", value, &w->layers);
    case 'P': w->layers_of_stages = value; return EXIT_OK;
    case 'F': w->fractional = true; return EXIT_OK;
    case 'f':
        if (parse_name(value, format_names, &w->format)) return EXIT_OK;
        fprintf(stderr, "acesim %s: --format: found '%s', expected table, json or csv\n",
                w->command, value);
    }
    return EXIT_USAGE;
}

/* Micro-batches follow from the batch. */
static int set_batch(const strategy_words *w, strategy *s) {
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

/* Where the part that `found` begins with stands in a strategy, from 1; 0: nowhere, it is a part by default. */
static size_t column_of(const char *text, const char *found) {
    const size_t n = strcspn(found, " ");

    for (const char *p = text; *p; p += strcspn(p, "."), p += *p == '.')
        if (strcspn(p, ".") == n && !strncmp(p, found, n)) return (size_t)(p - text) + 1;
    return 0;
}

int strategy_from_words(const strategy_words *w, training_model *m, strategy *s) {
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

cJSON *strategy_object(const training_model *m, const strategy *s) {
    cJSON *root = cJSON_CreateObject();
    char text[STRATEGY_TEXT];

    if (m) cJSON_AddStringToObject(root, "model", m->name);
    if (m && m->kind != MODEL_DLRM) {
        cJSON_AddNumberToObject(root, "layers", (double)model_layers(m));
        cJSON_AddNumberToObject(root, "sequence", (double)m->sequence);
    }
    if (!s) return root;
    cJSON_AddStringToObject(root, "strategy", strategy_print(s, text));
    cJSON_AddNumberToObject(root, "ranks", (double)strategy_ranks(s));
    cJSON_AddNumberToObject(root, "batch", strategy_sequences(s));
    if (s->fractional) cJSON_AddTrueToObject(root, "fractional");
    return root;
}

int strategy_print_json(cJSON *root) {
    char *json = utf8_text(cJSON_Print(root));

    if (json) printf("%s\n", json);
    cJSON_free(json);
    cJSON_Delete(root);
    return json ? EXIT_OK : message_no_memory();
}

void strategy_print_csv(const cJSON *array) {
    const cJSON *row, *v;
    bool head = true;

    cJSON_ArrayForEach(row, array) {
        for (int names = head; names >= 0; names--) {
            const char *before = "";

            cJSON_ArrayForEach(v, row) {
                if (cJSON_IsArray(v) || cJSON_IsObject(v)) continue;
                fputs(before, stdout);
                if (names)
                    csv_cell(stdout, v->string);
                else if (cJSON_IsString(v))
                    csv_cell(stdout, v->valuestring);
                else if (cJSON_IsBool(v))
                    fputs(cJSON_IsTrue(v) ? "true" : "false", stdout);
                else
                    printf("%.17g", v->valuedouble);
                before = ",";
            }
            putchar('\n');
        }
        head = false;
    }
}
