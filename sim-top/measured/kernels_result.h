/* SPDX-License-Identifier: Apache-2.0 */
/* kernels_result.h -- timed kernels against the model of an NPU, as JSON and as tables */
#ifndef KERNELS_RESULT_H
#define KERNELS_RESULT_H

#include <cjson/cJSON.h>

#include "kernels.h"

/* Adds the errors of products alone: by the NPU as it is given, with three constants fitted, and
 * with the file of products as its table. list: also a line for each row. Returns EXIT_OK, or
 * another status after a message. */
int kernels_products_add(cJSON *root, const kernels *k, const char *file, const npu *n, bool list);
/* Adds how much slower kernels run during communication, as measured and as predicted, by SMs and
 * by work. rows: also a line for each row. */
void kernels_beside_add(cJSON *root, const kernels_beside *k, const npu *n, bool rows);
/* Prints both, as far as root has them. */
void kernels_print(const cJSON *root);

#endif
