/* SPDX-License-Identifier: Apache-2.0 */
/* node_plan.h -- what the cluster says of each node: its rung and its speed */
#ifndef NODE_PLAN_H
#define NODE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"
#include "cluster.h"

struct machine;
struct refusal;

typedef enum rung { RUNG_CYCLE, RUNG_RTL, RUNG_CALIBRATED, RUNG_IDEAL, RUNG_BASELINE } rung;
enum { NO_RUNG = 255 };

extern const char *const rung_names[];

typedef struct node_plan {
    unsigned nodes;
    uint8_t *rung;       /* RUNG_CYCLE, RUNG_RTL or RUNG_CALIBRATED */
    float *speed;        /* above 0, at most 1 */
    uint8_t switch_rung; /* as the list says of switches that reduce; NO_RUNG: nothing */
    uint8_t switch_rtl;  /* of these, dimensions whose are RTL, a bit each */
} node_plan;

/* The speed of each node.  False: the cluster's words for them are no such list. */
bool node_plan_speeds(const cluster *c, unsigned nodes, float *speed);
/* Fills the arrays, of `nodes` each.  EXIT_OK, or EXIT_USAGE with a refusal. */
int node_plan_read(const struct machine *m, node_plan *p, struct refusal *why);
/* Is there RTL of the cluster's hardware parameters, in the program or beside it? */
bool node_plan_has_rtl(const struct machine *m);
/* After that: where switches that reduce stand.  That is on the rung rtl where the list names
 * `switch` there, and, where it names none, where all nodes do and there is RTL of such a switch.
 */
int node_plan_switches(const struct machine *m, const ace_config *cfg, node_plan *p,
                       struct refusal *why);

#endif
