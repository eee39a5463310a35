/* SPDX-License-Identifier: Apache-2.0 */
/*
 * what_if.h -- proposes changes of one option that may help against what bounded a run
 *
 * The answer of a run names the first change, and acesim explain runs all changes.
 */
#ifndef WHAT_IF_H
#define WHAT_IF_H

#include "ace_node.h"
#include "bottleneck.h"

enum { WHAT_IFS = 12 };

typedef struct what_if {
    bottleneck_kind kind; /* the bound against which it should help most */
    unsigned also;        /* other bounds against which it may help, one bit each */
    char word[96];        /* "--contexts=4" */
    const char *means;    /* its meaning, such as "more contexts in each FSM" */
} what_if;

/* Lists changes of one option each, within the limits of the hardware. Returns their number. */
unsigned what_if_propose(const cluster *c, const ace_config *cfg, const bottleneck *b,
                         what_if list[WHAT_IFS]);

bool what_if_against(const what_if *w, bottleneck_kind kind);

#endif
