/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machine_text.c -- the line that names the machine of a result, as JSON and as text
 *
 * The error comes from runs like the present one. If there are none, it is the error that the
 * machine's file gives.
 */
#include "machine_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data_path.h"
#include "evidence.h"
#include "exit_status.h"
#include "figures.h"

static const char *const part_names[MACHINE_PARTS] = { "peaks", "products", "memory",
                                                       "links", "network",  "starts" };

/* Adds the parts that were measured, such as "products, memory". Others are from data sheets. */
static void add_measured(cJSON *root, const machine_about *a) {
    char text[128] = "";

    for (machine_part p = 0; p < MACHINE_PARTS; p++) {
        const size_t n = strlen(text);

        if (strcmp(a->source[p], "data sheet") != 0)
            snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "", part_names[p]);
    }
    cJSON_AddStringToObject(root, "machine_measured", text);
}

static void add_share(cJSON *root, const char *name, double v) {
    if (isnan(v))
        cJSON_AddNullToObject(root, name);
    else
        cJSON_AddNumberToObject(root, name, v);
}

int machine_text_add(cJSON *root, const machine_about *a, const char *file, const training_model *m,
                     const strategy *s) {
    evidence e = { .mean = NAN, .worst = NAN };
    char found[DATA_PATH];

    if (*a->evidence) {
        const int rc =
            data_path_find(a->evidence, found) ? evidence_find(found, m, s, &e) : EXIT_USAGE;
        if (rc != EXIT_OK) return rc;
    }
    if (!e.near && a->unseen_error > 0) e.mean = a->unseen_error;
    cJSON_AddStringToObject(root, "machine_file", file);
    add_measured(root, a);
    cJSON_AddStringToObject(root, "machine_fitted_on", a->fitted_on);
    add_share(root, "machine_error", e.mean);
    add_share(root, "machine_error_worst", e.worst);
    cJSON_AddNumberToObject(root, "machine_error_runs", e.near);
    cJSON_AddNumberToObject(root, "machine_runs", e.known);
    return EXIT_OK;
}

void machine_text_print(const cJSON *root, int width) {
    const char *const measured = json_string(root, "machine_measured");
    const char *const fitted_on = json_string(root, "machine_fitted_on");
    const double runs = json_number(root, "machine_error_runs");
    const double known = json_number(root, "machine_runs");

    printf("%-*s %s, ", width, "machine", json_string(root, "machine_file"));
    if (*fitted_on)
        printf("fitted on %s", fitted_on);
    else
        printf("zero-shot");
    if (*measured)
        printf(", %s measured; ", measured);
    else
        printf(*fitted_on ? "; " : ": every constant from data sheets; ");
    if (runs > 0)
        printf("expect an error of %.1f %% (%.0f nearest of %.0f measured runs, at most %.1f %%)\n",
               100 * json_number(root, "machine_error"), runs, known,
               100 * json_number(root, "machine_error_worst"));
    else if (cJSON_IsNumber(cJSON_GetObjectItem(root, "machine_error")))
        printf("expect an error of %.1f %% (the mean of rows that were not fitted)\n",
               100 * json_number(root, "machine_error"));
    else if (known > 0)
        printf("its error is not known: none of %.0f measured runs is like this one\n", known);
    else
        printf("its error is not known: there are no measured runs of it\n");
}
