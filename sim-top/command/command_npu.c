/* SPDX-License-Identifier: Apache-2.0 */
/* command_npu.c -- acesim npu: compares kernels timed on an accelerator with its model */
#include <stdio.h>
#include <stdlib.h>

#include "cluster_file.h"
#include "command_plan.h"
#include "data_path.h"
#include "exit_status.h"
#include "figures.h"
#include "kernels_result.h"
#include "message.h"
#include "option_table.h"
#include "result_print.h"
#include "setup.h"
#include "values.h"

typedef struct question {
    const char *accelerator, *products, *beside;
    bool list;
    format format;
    option_line line;
    setup fields;
    kernels alone;
    kernels_beside with;
} question;

static void print_table(const cJSON *root, const void *self) {
    const question *const q = self;
    const npu *const n = &q->fields.machine.cluster.npu;

    printf("%s: %.0f TFLOPS, %.0f GB/s, %u SMs\n", q->accelerator, n->matrix_TFLOPS, n->memory_GBps,
           n->sms);
    kernels_print(root);
}

static int answer(question *q) {
    char found[DATA_PATH];
    cJSON *root;
    int rc = EXIT_OK;

    setup_initial(&q->fields);
    rc = accelerator_read(q->accelerator, &q->fields);
    if (rc == EXIT_OK && q->products)
        rc = data_path_find(q->products, found) ? kernels_read(found, &q->alone) : EXIT_USAGE;
    if (rc == EXIT_OK && q->beside)
        rc = data_path_find(q->beside, found)
                 ? kernels_beside_read(found, q->fields.machine.cluster.npu.sms, &q->with)
                 : EXIT_USAGE;
    if (rc != EXIT_OK) return rc;
    root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "accelerator", q->accelerator);
    if (q->products)
        rc = kernels_products_add(root, &q->alone, q->products, &q->fields.machine.cluster.npu,
                                  q->list);
    if (q->beside) kernels_beside_add(root, &q->with, &q->fields.machine.cluster.npu, q->list);
    if (rc == EXIT_OK)
        return result_print(root, q->format,
                            &(result_form){ .table = print_table,
                                            .self = q,
                                            .rows = q->products ? "product_rows" : "beside_rows",
                                            .line = &q->line });
    cJSON_Delete(root);
    return rc;
}

/* ---- arguments ----------------------------------------------------------------------------- */

static const option_row rows[] = {
    { "products", "FILE", OPTION_TEXT, offsetof(question, products),
      .text = "CSV: m, n, k, time_us, set" },
    { "beside", "FILE", OPTION_TEXT, offsetof(question, beside),
      .text = "CSV: kernels alone and with communication, by SMs" },
    { "rows", NULL, OPTION_FLAG, offsetof(question, list),
      .text = "also print a line for each row" },
    OPTION_FORMAT(question, format),
};
static const option_table options = {
    .command = "fit npu",
    .about =
        "usage: acesim fit npu ACCELERATOR.yaml [--products FILE] [--beside FILE] [OPTIONS]\n\n"
        "Compares the model of an NPU with kernels that were timed on one. Products alone are\n"
        "predicted in three ways: by the accelerator file as it stands, with its efficiencies\n"
        "and kernel start fitted on the rows of the grid, and with the grid as npu.gemm_table.\n"
        "For kernels that run during communication, the slowdown is measured, and predicted\n"
        "from the SMs and bandwidth that communication leaves. scripts/measure-gpu.py makes\n"
        "both files.\n\n",
    .tail =
        "\nexample: acesim fit npu accelerators/h100-80.yaml --products measured/h100/gemm.csv \\\n"
        "    --beside measured/h100/contention.csv\n",
    .least = 1,
    .most = 1,
    .expected = "an accelerator's, and --products or --beside",
    .group = { OPTION_GROUP(rows) },
};

int command_npu(int argc, char **argv) {
    question *const q = calloc(1, sizeof *q);
    char **file;
    int rc;

    if (!q) return message_no_memory();
    file = option_table_read(&options, argc, argv, q, &rc);
    if (file && !q->products && !q->beside) {
        fprintf(stderr,
                "acesim fit npu: found no --products and no --beside, expected one of them\n");
        rc = EXIT_USAGE;
    } else if (file) {
        q->accelerator = *file;
        q->line = (option_line){ &options, argc, argv };
        q->list = q->list || q->format == FORMAT_CSV; /* CSV has a line for each row */
        rc = answer(q);
    }
    kernels_free(&q->alone);
    kernels_beside_free(&q->with);
    free(q);
    return rc;
}
