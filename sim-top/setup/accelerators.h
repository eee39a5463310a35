/* SPDX-License-Identifier: Apache-2.0 */
/*
 * accelerators.h -- several accelerators in one cluster, by node
 *
 *     if (accelerators_several(text)) rc = accelerators_read(&o, &a);
 *     a.of[a.node[i]].npu ...                 of node i
 *     accelerators_free(&a);
 *
 * The field `accelerator` has the text: one file, or FILE:0-31;FILE:rest, which names each node
 * once. The fields of a setup have the values of the first file. A collective joins nodes of
 * several accelerators, so it takes the worst constants.
 */
#ifndef ACCELERATORS_H
#define ACCELERATORS_H

#include <stdbool.h>
#include <stdint.h>

#include "accelerator_list.h"
#include "cluster.h"

#ifdef __cplusplus
extern "C" {
#endif

struct setup;

enum { ACCELERATORS_MOST = 8 };

typedef struct accelerator {
    char file[ACCELERATOR_FILE];
    npu npu;
} accelerator;

typedef struct accelerators {
    accelerator of[ACCELERATORS_MOST];
    unsigned count;
    uint8_t *node; /* of each node: which of them it has */
} accelerators;

/* Reads all files. The constants of collectives, the host's time, and the source of the numbers are
 * those of the worst file. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message: a wrong
 * list, more than 8 files, or a key of an NPU next to the list. Free in either case. */
int accelerators_read(struct setup *o, accelerators *to);
void accelerators_free(accelerators *a);

#ifdef __cplusplus
}
#endif

#endif
