/* SPDX-License-Identifier: Apache-2.0 */
/* node_plan.h -- the rung and the speed of each node, as the cluster gives them */
#ifndef NODE_PLAN_H
#define NODE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"
#include "cluster.h"

struct machine;
struct output;
struct refusal;

typedef enum rung { RUNG_CYCLE, RUNG_RTL, RUNG_CALIBRATED, RUNG_IDEAL, RUNG_BASELINE } rung;
enum { NO_RUNG = 255 };

extern const char *const rung_names[];

typedef struct node_plan {
    unsigned nodes;
    uint8_t *rung;       /* RUNG_CYCLE, RUNG_RTL or RUNG_CALIBRATED */
    float *speed;        /* above 0, at most 1 */
    uint8_t switch_rung; /* rung that the list gives for switches that reduce; NO_RUNG: none */
    uint8_t in_network;  /* dimensions whose switches reduce, one bit each */
    uint8_t switch_rtl;  /* dimensions with RTL switches, one bit each */
} node_plan;

/* Gives the speed of each node. Returns false if the cluster's text is not such a list. */
bool node_plan_speeds(const cluster *c, unsigned nodes, float *speed);
/* Plans each node, and the switches of the dimensions in_network, one bit each. Checks that nodes
 * exist for the outputs about single nodes. machine_free() frees the arrays, which have m->nodes
 * elements. Returns EXIT_OK, EXIT_USAGE with a refusal, or EXIT_CHECK after a message. */
int node_plan_make(const struct machine *m, const struct output *o, unsigned in_network,
                   node_plan *p, struct refusal *why);
/* Returns whether RTL with the cluster's hardware parameters is in the program or has been
 * built. */
bool node_plan_has_rtl(const struct machine *m);

#endif
