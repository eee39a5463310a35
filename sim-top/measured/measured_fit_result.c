/* SPDX-License-Identifier: Apache-2.0 */
/* measured_fit_result.c -- a fit as JSON, as tables, and as the file of an accelerator */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "atomic_file.h"
#include "exit_status.h"
#include "gemm_table.h"
#include "measured_fit.h"

cJSON *measured_fit_rows(const measured_fit *t, int fit) {
    cJSON *list = cJSON_CreateArray();

    for (unsigned i = 0; i < t->rows.count; i++) {
        const measured_row *r = &t->rows.at[i];
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "file", t->file);
        measured_row_add(o, r, composed_strategy(t->composed[i]),
                         fit == FIT_NONE ? ""
                         : t->fitted[i]  ? "fitted"
                         : t->unseen[i]  ? "unseen"
                                         : "left out",
                         t->sheet[i], t->predicted[i]);
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

static int add_sections(cJSON *root, const char *name, const char *by_strategy,
                        const measured_fit *t, const double *predicted, const bool *take) {
    const int rc = measured_section(root, name, &t->rows, predicted, take, false);

    return rc == EXIT_OK ? measured_section(root, by_strategy, &t->rows, predicted, take, true)
                         : rc;
}

int measured_fit_result(const measured_fit *t, const measured_fit_how *q, cJSON *root) {
    cJSON *constants;
    int rc;

    cJSON_AddStringToObject(root, "rows_of", t->file);
    cJSON_AddNumberToObject(root, "rows", t->rows.count);
    if (q->machine) cJSON_AddStringToObject(root, "machine_file", q->machine_file);
    if (t->other) cJSON_AddStringToObject(root, "constants_of", t->other->file);
    constants = cJSON_AddObjectToObject(root, "constants");
    for (unsigned i = 0; (q->fit != FIT_NONE || q->machine) && i < COMPOSED_CONSTANTS; i++)
        cJSON_AddNumberToObject(constants, composed_names[i], t->value[i]);
    rc = add_sections(root, "zero_shot", "zero_shot_by_strategy", t, t->sheet, t->all);
    if (rc == EXIT_OK && q->fit != FIT_NONE && !t->other)
        rc = add_sections(root, "calibrated_fitted_rows", "calibrated_fitted_rows_by_strategy", t,
                          t->predicted, t->fitted);
    if (rc == EXIT_OK && (q->fit == FIT_HALF || t->other))
        rc = add_sections(root, "calibrated_unseen_rows", "calibrated_unseen_rows_by_strategy", t,
                          t->predicted, t->unseen);
    if (q->cross && !t->other)
        cJSON_AddNumberToObject(root, "cross_validated_error", t->of_crossed.mean);
    if (rc == EXIT_OK && q->list)
        cJSON_AddItemToObject(root, "row_list", measured_fit_rows(t, q->fit));
    return rc;
}

void measured_fit_print(const cJSON *root) {
    const char *const sections[][2] = {
        { "zero_shot", cJSON_GetObjectItem(root, "machine_file")
                           ? "constants of the accelerator's file: all rows"
                           : "zero-shot, constants of data sheets: all rows" },
        { "zero_shot_by_strategy", "the same by strategy" },
        { "calibrated_fitted_rows", "fitted constants: rows that were fitted" },
        { "calibrated_fitted_rows_by_strategy", "the same by strategy" },
        { "calibrated_unseen_rows", "fitted constants: rows that were not fitted" },
        { "calibrated_unseen_rows_by_strategy", "the same by strategy" },
    };
    const cJSON *constants = cJSON_GetObjectItem(root, "constants");

    printf("%s: %.0f measured iterations\n", cJSON_GetObjectItem(root, "rows_of")->valuestring,
           measured_get(root, "rows"));
    if (cJSON_GetArraySize(constants))
        printf("\n%-23s %-6s %13s %13s\n", "constant", "unit", "data sheet", "fitted");
    for (unsigned i = 0; cJSON_GetArraySize(constants) && i < COMPOSED_CONSTANTS; i++)
        printf("%-23s %-6s %13g %13.5g\n", composed_names[i], composed_units[i], composed_sheet[i],
               measured_get(constants, composed_names[i]));
    for (unsigned i = 0; i < sizeof sections / sizeof *sections; i++)
        measured_print_section(root, sections[i][0], sections[i][1]);
    if (cJSON_GetObjectItem(root, "cross_validated_error"))
        printf("\ncross-validated within the fitted rows: mean %.2f %%\n",
               100 * measured_get(root, "cross_validated_error"));
    if (cJSON_GetObjectItem(root, "row_list"))
        measured_rows_print(cJSON_GetObjectItem(root, "row_list"), 15, 39, 10);
    putchar('\n');
}

/* Writes a text in double quotes. */
static void put_quoted(FILE *to, const char *text) {
    putc('"', to);
    for (; *text; text++) fprintf(to, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    putc('"', to);
}

static double at_most_one(double share) { return share < 1 ? share : 1; }

int measured_fit_write(const measured_fit *t, const measured_fit_how *q, const char *file) {
    const measured_hardware *const on = &t->rows.at[0].on;
    const npu *const n = q->machine ? &q->machine->npu : NULL;
    const double *const v = t->value;
    char text[256];
    atomic_file f;
    const int rc = atomic_file_open(&f, file);

    if (rc != EXIT_OK) return rc;
    fprintf(f.to,
            "# An accelerator with fitted constants of composed iterations (acesim fit)\n"
            "# fitted_error: %.6f    mean, of the rows fitted\n",
            t->of_fitted.mean);
    if (!isnan(t->of_unseen.mean))
        fprintf(f.to, "# unseen_error: %.6f    mean, of the other rows\n", t->of_unseen.mean);
    for (unsigned k = 0; k < COMPOSED_CONSTANTS; k++)
        fprintf(f.to, "# %s: %.10g%s%s\n", composed_names[k], v[k],
                *composed_units[k] ? "    " : "", composed_units[k]);
    fprintf(f.to,
            "name: fitted\nnpu:\n  matrix: %.10g TFLOPS\n  memory_bandwidth: %.10g GB/s\n"
            "  memory_traffic: together\n  memory_efficiency: 1\n",
            on->peak_TFLOPS, on->memory_GBps);
    if (n) fprintf(f.to, "  sms: %u\n  vector: %.10g TFLOPS\n", n->sms, n->vector_TFLOPS);
    if (n && n->memory_bytes) fprintf(f.to, "  memory: %" PRIu64 " B\n", n->memory_bytes);
    if (on->attention > 0) fprintf(f.to, "  attention_efficiency: %.10g\n", on->attention);
    if (n && n->attention) {
        fprintf(f.to, "  attention_table: ");
        put_quoted(f.to, q->machine->attention_table);
        fprintf(f.to, "\n");
    }
    if (on->products) {
        fprintf(f.to, "  gemm_table: ");
        put_quoted(f.to, n && n->products == on->products ? q->machine->gemm_table
                                                          : gemm_table_file(on->products));
        fprintf(f.to, "\n  table_efficiency: %.10g\n", v[COMPOSED_EFFICIENCY]);
    }
    fprintf(f.to,
            "  gemm_efficiency: %.10g\n  convolution_efficiency: %.10g\n  host: %.10g us\n"
            "  vector_traffic: %.10g\n",
            v[COMPOSED_EFFICIENCY], v[COMPOSED_EFFICIENCY], v[COMPOSED_FLOOR],
            fmin(fmax(v[COMPOSED_VECTOR], 0.001), 1000));
    fprintf(f.to,
            "collectives:\n  node_share: %.10g\n  nodes_share: %.10g\n  replica_share: %.10g\n"
            "  stage_share: %.10g\n  start: %.10g us\n  hop: %.10g us\n"
            "  iteration: %.10g us\n",
            at_most_one(v[COMPOSED_NODE]), at_most_one(v[COMPOSED_NODES]),
            at_most_one(v[COMPOSED_REPLICAS]), at_most_one(v[COMPOSED_STAGES]), v[COMPOSED_LATENCY],
            v[COMPOSED_HOP], fmin(1e3 * v[COMPOSED_ITERATION], 1e6));
    snprintf(text, sizeof text, "%s of %.200s",
             q->fit == FIT_ALL ? "all rows" : "each second row, from the first on,", t->file);
    fprintf(f.to, "fitted_on: ");
    put_quoted(f.to, text);
    fprintf(f.to, "\n");
    if (t->of_unseen.mean <= 1) fprintf(f.to, "unseen_error: %.6g\n", t->of_unseen.mean);
    return atomic_file_close(&f);
}
