/* SPDX-License-Identifier: Apache-2.0 */
/* train_parts.h -- what an iteration of acesim train is divided into: members of its result */
#ifndef TRAIN_PARTS_H
#define TRAIN_PARTS_H

#include <stdbool.h>

#include "result_read.h"

typedef enum train_part_kind { PART_COMPUTE, PART_NETWORK, PART_BUBBLE } train_part_kind;

typedef struct train_part {
    const char *key;  /* cycles of the iteration, of the result and of each of its stages */
    const char *name; /* for people */
    const char *help; /* what makes it shorter */
    train_part_kind kind;
} train_part;

enum { TRAIN_PARTS = 7 };
extern const train_part train_parts[TRAIN_PARTS];

/* Is it a result of acesim train? */
bool saved_run_is_train(const saved_run *r);

#endif
