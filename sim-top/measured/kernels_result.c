/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_result.c -- errors of the model of an NPU on timed kernels, by set, by SMs and by work */
#include "kernels_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "exit_status.h"
#include "figures.h"
#include "gemm_table.h"
#include "measured_errors.h"
#include "message.h"
#include "statistics.h"

/* ---- products ------------------------------------------------------------------------------ */

enum { AS_GIVEN, FITTED, TABLE, WAYS };
static const char *const way_names[WAYS] = { "as_given", "fitted", "table" };

static void add_errors(cJSON *to, const char *name, const statistics *s) {
    cJSON *o = cJSON_AddObjectToObject(to, name);

    cJSON_AddNumberToObject(o, "mean", s->mean);
    cJSON_AddNumberToObject(o, "median", s->median);
    cJSON_AddNumberToObject(o, "worst", s->worst);
}

static bool seen_before(const kernels *k, unsigned i) {
    for (unsigned j = 0; j < i; j++)
        if (!strcmp(k->at[j].set, k->at[i].set)) return true;
    return false;
}

static cJSON *product_rows(const kernels *k, const npu way[WAYS]) {
    cJSON *list = cJSON_CreateArray();

    for (unsigned i = 0; i < k->count; i++) {
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "set", k->at[i].set);
        cJSON_AddNumberToObject(o, "m", k->at[i].o.m);
        cJSON_AddNumberToObject(o, "n", k->at[i].o.n);
        cJSON_AddNumberToObject(o, "k", (double)k->at[i].o.flops / 2 / k->at[i].o.m / k->at[i].o.n);
        cJSON_AddNumberToObject(o, "measured_us", k->at[i].us);
        for (unsigned w = 0; w < WAYS; w++)
            cJSON_AddNumberToObject(o, way_names[w], kernel_us(&way[w], &k->at[i]));
        cJSON_AddItemToArray(list, o);
    }
    return list;
}

int kernels_products_add(cJSON *root, const kernels *k, const char *file, const npu *n, bool list) {
    double *const error = malloc((size_t)k->count * sizeof *error);
    cJSON *const sets = cJSON_AddArrayToObject(root, "products");
    npu way[WAYS] = { *n, *n, *n };
    char found[DATA_PATH];

    if (!error) return message_no_memory();
    kernels_fit(k, &way[FITTED]);
    int rc = data_path_find(file, found) ? gemm_table_of(found, &way[TABLE].products) : EXIT_USAGE;
    for (unsigned i = 0; rc == EXIT_OK && i < k->count; i++) {
        statistics s = { 0 };

        if (seen_before(k, i)) continue;
        cJSON *const o = cJSON_CreateObject();
        cJSON_AddItemToArray(sets, o);
        cJSON_AddStringToObject(o, "set", k->at[i].set);
        for (unsigned w = 0; w < WAYS; w++) {
            unsigned rows = 0;

            for (unsigned j = i; j < k->count; j++)
                if (!strcmp(k->at[j].set, k->at[i].set))
                    error[rows++] = fabs(kernel_us(&way[w], &k->at[j]) / k->at[j].us - 1);
            statistics_errors(error, rows, &s);
            add_errors(o, way_names[w], &s);
        }
        cJSON_AddNumberToObject(o, "rows", s.rows);
    }
    free(error);
    cJSON *const c = cJSON_AddObjectToObject(root, "fitted");
    cJSON_AddNumberToObject(c, "gemm_efficiency", way[FITTED].gemm_efficiency);
    cJSON_AddNumberToObject(c, "memory_efficiency", way[FITTED].memory_efficiency);
    cJSON_AddNumberToObject(c, "launch_us", way[FITTED].launch_us);
    if (list) cJSON_AddItemToObject(root, "product_rows", product_rows(k, way));
    return rc;
}

static void print_products(const cJSON *root) {
    const cJSON *const c = cJSON_GetObjectItem(root, "fitted"), *o;

    printf("\nproducts alone: |predicted / measured - 1|\n\n%-10s %5s  %-25s %-25s %-26s\n"
           "%-10s %5s  %-25s %-25s %-26s\n",
           "", "", "as given", "three constants fitted", "table of the grid", "set", "rows",
           "mean, median, worst", "mean, median, worst", "mean, median, worst");
    cJSON_ArrayForEach(o, cJSON_GetObjectItem(root, "products")) {
        printf("%-10s %5.0f  ", json_string(o, "set"), measured_get(o, "rows"));
        for (unsigned w = 0; w < WAYS; w++) {
            const cJSON *const e = cJSON_GetObjectItem(o, way_names[w]);

            printf("%6.2f, %5.2f, %6.2f %%%3s", 100 * measured_get(e, "mean"),
                   100 * measured_get(e, "median"), 100 * measured_get(e, "worst"), "");
        }
        putchar('\n');
    }
    printf("\nfitted on the grid: gemm_efficiency %.3f, memory_efficiency %.3f, launch %.2f us\n",
           measured_get(c, "gemm_efficiency"), measured_get(c, "memory_efficiency"),
           measured_get(c, "launch_us"));
}

/* ---- next to communication ----------------------------------------------------------------- */

/* Summarizes the rows from `first` on that have the same work or the same SMs. */
static cJSON *beside_line(const kernels_beside *k, const npu *n, unsigned first, bool by_work) {
    const kernel_beside *const a = k->at, *const like = &a[first];
    double measured = 0, predicted = 0, error = 0, worst = 0, slowest = 0, kept = 0;
    unsigned rows = 0;

    for (unsigned i = first; i < k->count; i++) {
        if (by_work ? strcmp(a[i].work, like->work) != 0 : a[i].sms != like->sms) continue;
        const double is = a[i].beside_us / a[i].alone_us;
        const double said = kernel_beside_slower(n, &a[i]);

        measured += is;
        predicted += said;
        error += said / is - 1;
        if (fabs(said / is - 1) > fabs(worst)) worst = said / is - 1;
        slowest = fmax(slowest, is);
        kept += a[i].traffic_alone_GBps > 0 ? a[i].traffic_GBps / a[i].traffic_alone_GBps : 1;
        rows++;
    }
    cJSON *const o = cJSON_CreateObject();
    if (by_work)
        cJSON_AddStringToObject(o, "work", like->work);
    else
        cJSON_AddNumberToObject(o, "sms", like->sms);
    cJSON_AddNumberToObject(o, "rows", rows);
    cJSON_AddNumberToObject(o, "measured", measured / rows);
    cJSON_AddNumberToObject(o, "slowest", slowest);
    cJSON_AddNumberToObject(o, "predicted", predicted / rows);
    cJSON_AddNumberToObject(o, "error", error / rows);
    cJSON_AddNumberToObject(o, "worst_error", worst);
    cJSON_AddNumberToObject(o, "communication_kept", kept / rows);
    return o;
}

static bool beside_seen_before(const kernels_beside *k, unsigned i, bool by_work) {
    for (unsigned j = 0; j < i; j++)
        if (by_work ? !strcmp(k->at[j].work, k->at[i].work) : k->at[j].sms == k->at[i].sms)
            return true;
    return false;
}

static void add_beside_rows(cJSON *root, const kernels_beside *k, const npu *n) {
    cJSON *const list = cJSON_AddArrayToObject(root, "beside_rows");

    for (unsigned i = 0; i < k->count; i++) {
        const kernel_beside *const b = &k->at[i];
        cJSON *const o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "work", b->work);
        cJSON_AddBoolToObject(o, "exclusive", b->exclusive);
        cJSON_AddNumberToObject(o, "sms", b->sms);
        cJSON_AddNumberToObject(o, "traffic_GBps", b->traffic_GBps);
        cJSON_AddNumberToObject(o, "measured", b->beside_us / b->alone_us);
        cJSON_AddNumberToObject(o, "predicted", kernel_beside_slower(n, b));
        cJSON_AddItemToArray(list, o);
    }
}

void kernels_beside_add(cJSON *root, const kernels_beside *k, const npu *n, bool rows) {
    for (unsigned by_work = 0; by_work < 2; by_work++) {
        cJSON *const list =
            cJSON_AddArrayToObject(root, by_work ? "beside_by_work" : "beside_by_sms");

        for (unsigned i = 0; i < k->count; i++)
            if (!beside_seen_before(k, i, by_work))
                cJSON_AddItemToArray(list, beside_line(k, n, i, by_work));
    }
    if (rows) add_beside_rows(root, k, n);
}

static void print_beside(const cJSON *root, const char *name, const char *title) {
    const cJSON *o;

    printf("\n%-24s %5s %11s %9s %11s %9s %9s %9s\n", title, "rows", "measured", "slowest",
           "predicted", "error", "worst", "kept");
    cJSON_ArrayForEach(o, cJSON_GetObjectItem(root, name)) {
        char sms[24];

        snprintf(sms, sizeof sms, "%.0f", measured_get(o, "sms"));
        printf("%-24s %5.0f %9.3f x%8.3f x%10.3f x%8.1f %%%8.1f %%%8.1f %%\n",
               cJSON_GetObjectItem(o, "work") ? json_string(o, "work") : sms,
               measured_get(o, "rows"), measured_get(o, "measured"), measured_get(o, "slowest"),
               measured_get(o, "predicted"), 100 * measured_get(o, "error"),
               100 * measured_get(o, "worst_error"), 100 * measured_get(o, "communication_kept"));
    }
}

static void print_rows(const cJSON *root) {
    const cJSON *o;

    if (cJSON_GetObjectItem(root, "product_rows"))
        printf("\n%-10s %7s %7s %7s %13s %13s %13s %13s\n", "set", "m", "n", "k", "measured us",
               "as given", "fitted", "table");
    cJSON_ArrayForEach(o, cJSON_GetObjectItem(root, "product_rows"))
        printf("%-10s %7.0f %7.0f %7.0f %13.3f %13.3f %13.3f %13.3f\n", json_string(o, "set"),
               measured_get(o, "m"), measured_get(o, "n"), measured_get(o, "k"),
               measured_get(o, "measured_us"), measured_get(o, "as_given"),
               measured_get(o, "fitted"), measured_get(o, "table"));
    if (cJSON_GetObjectItem(root, "beside_rows"))
        printf("\n%-24s %9s %5s %13s %11s %11s\n", "work", "exclusive", "SMs", "traffic GB/s",
               "measured", "predicted");
    cJSON_ArrayForEach(o, cJSON_GetObjectItem(root, "beside_rows")) printf(
        "%-24s %9s %5.0f %13.1f %9.3f x%10.3f x\n", json_string(o, "work"),
        cJSON_IsTrue(cJSON_GetObjectItem(o, "exclusive")) ? "yes" : "no", measured_get(o, "sms"),
        measured_get(o, "traffic_GBps"), measured_get(o, "measured"), measured_get(o, "predicted"));
}

void kernels_print(const cJSON *root) {
    if (cJSON_GetObjectItem(root, "products")) print_products(root);
    if (cJSON_GetObjectItem(root, "beside_by_sms")) {
        print_beside(root, "beside_by_sms", "SMs of communication");
        print_beside(root, "beside_by_work", "work, any SMs");
    }
    print_rows(root);
}
