/* SPDX-License-Identifier: Apache-2.0 */
/* workload_read.h -- reads a workload from a file: YAML, or a layer table of ASTRA-sim 1.0 */
#ifndef WORKLOAD_READ_H
#define WORKLOAD_READ_H

#include "layer_table.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a workload. Times of a table become cycles of clock_MHz. If the file has shapes, each time
 * is divided among the operations of its layer as on an idle NPU. Returns EXIT_OK, or EXIT_USAGE
 * after a message. */
int workload_read(const char *file, const npu *n, double clock_MHz, workload *w);
/* Makes a layer table from a workload with given layers. Returns EXIT_OK, or EXIT_USAGE after a
 * message about what a table cannot hold. */
int workload_read_given(const char *file, layer_table *t);
/* Sets the loop that --dlrm-loop requests, if given. Refuses workloads that have nothing to
 * optimize. */
int workload_set_loop(workload *w, const char *file, int loop);
/* Returns the JSON Schema of a workload in YAML. The caller deletes it. */
struct cJSON *workload_schema(void);

#ifdef __cplusplus
}
#endif

#endif
