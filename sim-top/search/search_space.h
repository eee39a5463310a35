/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search_space.h -- the strategies that divide a model over the nodes of a cluster, and fit
 *
 *     search_space x = { .model = &m, .machine = &machine, .fixed = "sp.fused.zero1", ... };
 *     rc = search_space_make(&x);      x.at[0 .. x.count), the lowest bound first
 *     search_space_free(&x);
 *
 * Degrees are all whose product is the number of nodes. Each set of degrees has every placement
 * that acesim train takes: whole dimensions in each order, and ranks in the order of the nodes. If
 * placements differ only by an exchange of alike dimensions, one is listed, unless the nodes have
 * several accelerators. A `fixed` part of the
 * strategy has one value. A varied part has all values.
 */
#ifndef SEARCH_SPACE_H
#define SEARCH_SPACE_H

#include "machine.h"
#include "placement.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parts of a strategy that can be varied, a bit each. */
typedef enum search_choice {
    CHOICE_MICRO_BATCH,
    CHOICE_RECOMPUTATION,
    CHOICE_SCHEDULE, /* all; interleaved with each number of chunks that divides the layers */
    CHOICE_ZERO,
    CHOICE_SEQUENCE,
    CHOICE_CONTEXT,
    CHOICES
} search_choice;
extern const char *const search_choice_names[CHOICES + 1];

typedef struct candidate {
    strategy s;
    char text[STRATEGY_TEXT], placement[64]; /* "": in the order of the nodes */
    double memory;                           /* bytes of the fullest rank */
    uint64_t bound;                          /* cycles, strategy_bound.h */
    double seconds;                          /* that a run takes, strategy_seconds.h */
} candidate;

typedef struct search_space {
    const training_model *model;
    const machine *machine;
    const struct accelerators *accelerators; /* of the nodes; NULL: all have the machine's NPU */
    const char *fixed;                       /* parts of a strategy */
    unsigned varied;                         /* a bit for each search_choice */
    uint64_t batch;                          /* sequences of an iteration */
    double capacity;                         /* bytes of a rank's memory */
    bool own_capacity; /* `capacity` is the largest; each accelerator's own limits its stages */
    candidate *at;
    size_t count, room;
    uint64_t divided;   /* that divide */
    uint64_t long_ones; /* that fit, but have more nodes than a plan */
} search_space;

/* EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int search_space_make(search_space *x);
void search_space_free(search_space *x);

#ifdef __cplusplus
}
#endif

#endif
