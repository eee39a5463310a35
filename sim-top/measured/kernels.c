/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels.c -- reads tables of timed kernels, and fits three constants of an NPU to them
 *
 * Only rows of the set "grid" are fitted. kernel_beside_slower() predicts the slowdown by a
 * roofline on what communication leaves.
 */
#include "kernels.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_file.h"
#include "exit_status.h"
#include "message.h"
#include "simplex.h"
#include "yaml_file.h"

static const char microseconds[] = "microseconds";
enum { ELEMENT = 2 }; /* bytes of bf16 and fp16 */

static bool take_word(const csv_field *f, char *to, size_t room) {
    return *f->text && snprintf(to, room, "%s", f->text) < (int)room;
}

static int no_rows(const csv_file *c) {
    yaml_error(c->file, c->line, 1, "no rows", "a head and at least one");
    return EXIT_USAGE;
}

/* ---- products ------------------------------------------------------------------------------ */

enum { P_M, P_N, P_K, P_US, P_TYPE, P_SET, P_COLUMNS };
static const csv_column product_columns[] = { { "m", true },     { "n", true },
                                              { "k", true },     { "time_us", true },
                                              { "type", false }, { "set", false },
                                              { NULL, false } };

static int read_product(const csv_file *c, const csv_field at[P_COLUMNS], kernel *to) {
    double m = 0, n = 0, k = 0;
    int rc = csv_number(c, &at[P_US], microseconds, 1e-3, 1e12, &to->us);

    if (rc == EXIT_OK) rc = csv_number(c, &at[P_M], "rows", 1, 1 << 24, &m);
    if (rc == EXIT_OK) rc = csv_number(c, &at[P_N], "columns", 1, 1 << 24, &n);
    if (rc == EXIT_OK) rc = csv_number(c, &at[P_K], "a depth", 1, 1 << 24, &k);
    if (rc == EXIT_OK && at[P_TYPE].column && strcmp(at[P_TYPE].text, "bf16") != 0 &&
        strcmp(at[P_TYPE].text, "fp16") != 0)
        rc = csv_refuse(c, &at[P_TYPE], "a type", "bf16 or fp16");
    strcpy(to->set, "grid");
    if (rc == EXIT_OK && at[P_SET].column && !take_word(&at[P_SET], to->set, sizeof to->set))
        rc = csv_refuse(c, &at[P_SET], "a set", "grid, or the name of a check, to 15 characters");
    to->o = (operation){ .what = "gemm",
                         .class_ = OPERATION_GEMM,
                         .flops = (uint64_t)(2 * m * n * k),
                         .read_bytes = (uint64_t)(ELEMENT * (m * k + k * n)),
                         .written_bytes = (uint64_t)(ELEMENT * m * n),
                         .launches = 1,
                         .products = 1,
                         .m = m,
                         .n = n,
                         .left_bytes = ELEMENT * m * k,
                         .right_bytes = ELEMENT * k * n };
    return rc;
}

int kernels_read(const char *file, kernels *to) {
    csv_field at[P_COLUMNS];
    csv_file c;
    bool row = true;
    int rc = csv_open(file, product_columns, &c);

    *to = (kernels){ 0 };
    if (rc == EXIT_OK && !(to->at = calloc(CSV_LINES, sizeof *to->at))) rc = message_no_memory();
    while (rc == EXIT_OK && row) {
        rc = csv_next(&c, at, &row);
        if (rc == EXIT_OK && row) rc = read_product(&c, at, &to->at[to->count++]);
    }
    if (rc == EXIT_OK && !to->count) rc = no_rows(&c);
    csv_close(&c);
    return rc;
}

void kernels_free(kernels *k) {
    free(k->at);
    *k = (kernels){ 0 };
}

double kernel_us(const npu *n, const kernel *k) { return npu_time(n, 1, &k->o, npu_whole(n)); }

/* ---- constants ----------------------------------------------------------------------------- */

typedef struct fit {
    const kernels *k;
    npu *n;
} fit;

static void set_constants(npu *n, const double c[3]) {
    n->gemm_efficiency = c[0];
    n->memory_efficiency = c[1];
    n->launch_us = c[2];
}

static double error_of(void *self, const double c[]) {
    const fit *const f = self;
    double sum = 0;
    unsigned rows = 0;

    set_constants(f->n, c);
    for (unsigned i = 0; i < f->k->count; i++) {
        if (strcmp(f->k->at[i].set, "grid") != 0) continue;
        sum += fabs(kernel_us(f->n, &f->k->at[i]) / f->k->at[i].us - 1);
        rows++;
    }
    return rows ? sum / rows : 0;
}

void kernels_fit(const kernels *k, npu *n) {
    fit f = { k, n };
    double c[3] = { 0.8, 0.8, 3 };
    const simplex_problem p = {
        .constants = 3, .rounds = 4, .steps = 200, .self = &f, .error = error_of
    };

    n->products = NULL;
    simplex_minimise(&p, c);
    set_constants(n, c);
}

/* ---- in parallel to communication
 * ------------------------------------------------------------------ */

enum {
    B_WORK,
    B_FLOPS,
    B_READ,
    B_WRITTEN,
    B_EXCLUSIVE,
    B_SMS,
    B_ALONE,
    B_BESIDE,
    B_TRAFFIC_ALONE,
    B_TRAFFIC,
    B_COLUMNS
};
static const csv_column beside_columns[] = { { "work", true },
                                             { "flops", true },
                                             { "read_bytes", true },
                                             { "written_bytes", true },
                                             { "exclusive", true },
                                             { "sms", true },
                                             { "alone_us", true },
                                             { "beside_us", true },
                                             { "traffic_alone_GBps", true },
                                             { "traffic_beside_GBps", true },
                                             { NULL, false } };

static int read_beside(const csv_file *c, const csv_field at[B_COLUMNS], unsigned most_sms,
                       kernel_beside *to) {
    double flops = 0, read = 0, written = 0, exclusive = 0;
    const struct {
        int column;
        const char *what;
        double low, high, *to;
    } numbers[] = { { B_FLOPS, "FLOPs", 0, 1e18, &flops },
                    { B_READ, "bytes", 0, 1e15, &read },
                    { B_WRITTEN, "bytes", 0, 1e15, &written },
                    { B_EXCLUSIVE, "exclusive", 0, 1, &exclusive },
                    { B_SMS, "SMs", 1, most_sms - 1.0, &to->sms },
                    { B_ALONE, microseconds, 1e-3, 1e12, &to->alone_us },
                    { B_BESIDE, microseconds, 1e-3, 1e12, &to->beside_us },
                    { B_TRAFFIC_ALONE, "GB/s", 0, 1e6, &to->traffic_alone_GBps },
                    { B_TRAFFIC, "GB/s", 0, 1e6, &to->traffic_GBps } };
    int rc = EXIT_OK;

    if (!take_word(&at[B_WORK], to->work, sizeof to->work))
        rc = csv_refuse(c, &at[B_WORK], "a work", "a name, to 47 characters");
    for (unsigned i = 0; rc == EXIT_OK && i < sizeof numbers / sizeof *numbers; i++)
        rc = csv_number(c, &at[numbers[i].column], numbers[i].what, numbers[i].low, numbers[i].high,
                        numbers[i].to);
    to->exclusive = exclusive > 0;
    to->o =
        (operation){ .what = "kernel",
                     .class_ = !strncmp(to->work, "gemm ", 5) ? OPERATION_GEMM : OPERATION_VECTOR,
                     .flops = (uint64_t)flops,
                     .read_bytes = (uint64_t)read,
                     .written_bytes = (uint64_t)written,
                     .launches = 1 };
    return rc;
}

int kernels_beside_read(const char *file, unsigned most_sms, kernels_beside *to) {
    csv_field at[B_COLUMNS];
    csv_file c;
    bool row = true;
    int rc = csv_open(file, beside_columns, &c);

    *to = (kernels_beside){ 0 };
    if (rc == EXIT_OK && !(to->at = calloc(CSV_LINES, sizeof *to->at))) rc = message_no_memory();
    while (rc == EXIT_OK && row) {
        rc = csv_next(&c, at, &row);
        if (rc == EXIT_OK && row) rc = read_beside(&c, at, most_sms, &to->at[to->count++]);
    }
    if (rc == EXIT_OK && !to->count) rc = no_rows(&c);
    csv_close(&c);
    return rc;
}

void kernels_beside_free(kernels_beside *k) {
    free(k->at);
    *k = (kernels_beside){ 0 };
}

double kernel_beside_slower(const npu *n, const kernel_beside *b) {
    const npu_share whole = npu_whole(n);
    /* Traffic in one direction is half of the traffic in both. */
    const double GBps = n->memory_together ? b->traffic_GBps : b->traffic_GBps / 2;
    const npu_share left = npu_less(whole, (npu_share){ b->sms, GBps });

    return npu_time(n, 1, &b->o, left) / npu_time(n, 1, &b->o, whole);
}
