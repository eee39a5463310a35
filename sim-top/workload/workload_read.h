/* SPDX-License-Identifier: Apache-2.0 */
/* workload_read.h -- a workload from a file: YAML, or a layer table of ASTRA-sim 1.0 */
#ifndef WORKLOAD_READ_H
#define WORKLOAD_READ_H

#include "layer_table.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Times of a table come out in cycles of clock_MHz; where it has shapes beside it, each is divided
 * among the operations of its layer as an idle NPU would divide it.  EXIT_OK, or EXIT_USAGE after a
 * message. */
int workload_read(const char *file, const npu *n, double clock_MHz, workload *w);
/* The layer table that a workload of given layers is.  EXIT_OK, or EXIT_USAGE after a message with
 * what has no place in a table. */
int workload_read_given(const char *file, layer_table *t);
/* The loop --dlrm-loop asks for, where it does.  Refused where there is nothing to optimise. */
int workload_set_loop(workload *w, const char *file, int loop);
/* The JSON Schema of a workload in YAML; the caller deletes it. */
struct cJSON *workload_schema(void);

#ifdef __cplusplus
}
#endif

#endif
