/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nccl_json.h -- the JSON files of nccl-tests (-J) and rccl-tests (-x with -Z json)
 *
 *   nccl-tests, since 2.17    {"args": ["./all_reduce_perf", ...],
 *                              "config": {"nthreads": 1, "ngpus": 1, "devices": [{"rank": 0,
 *                                         "group": 0, "hostname": "node-a", ...}, ...], ...},
 *                              "results": [{"size": 4096, "out_of_place": {"time": 20.03,
 *                                           "bus_bw": 0.36, "nwrong": 0}, ...}, ...],
 *                              "out_of_bounds": {"okay": "true", ...}, ...}
 *   rccl-tests                [{"name": "AllReduce", "nodes": 1, "ranks": 8, "size": 4096,
 *                               "inPlace": 0, "time": 20.03, "busBw": 0.36, "wrong": "0", ...},
 *                              ...]
 *
 * A process has nthreads times ngpus devices.  In the versions up to 2.19.6 `devices` has only the
 * first device of each process.  Other keys are ignored.
 */
#ifndef NCCL_JSON_H
#define NCCL_JSON_H

#include "collective_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the text begins as one of both does. */
bool nccl_json_is(const char *text);
/* Reads r->at.text.  EXIT_OK, or EXIT_USAGE after a message, or EXIT_CHECK: no memory. */
int nccl_json_read(collective_reader *r);

#ifdef __cplusplus
}
#endif

#endif
