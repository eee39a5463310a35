/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_cycle_classes.h"

uint64_t ace_cycle_classes_sum(const ace_cycle_classes *c) {
    return c->busy + c->starved + c->blocked + c->idle;
}
