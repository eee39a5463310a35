/* SPDX-License-Identifier: Apache-2.0 */
/* ideal.h -- the ideal endpoint, which is limited only by links */
#ifndef IDEAL_H
#define IDEAL_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"
#include "ideal_starts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The cluster around an ideal endpoint. */
typedef struct ideal_setup {
    const ace_config *cfg;
    const ideal_steps *steps;      /* must outlive the node */
    uint64_t step[ACE_DIMENSIONS]; /* ideal_step() of each dimension */
    unsigned shared; /* the dimensions whose links are one interface of the node, one bit each */
    unsigned direct; /* the dimensions whose members have a link to each other member, too */
    ideal_starts *starts;    /* NULL: the node stands for all nodes; must outlive the node */
    unsigned representative; /* the index of the node in `starts` */
    uint64_t queued;         /* rows of an all-to-all that the queues of a link hold */
    ace_wire *const *in, *const *out; /* ACE_LINKS wires each for messages; NULL: takes none */
} ideal_setup;

/* Returns the cycles of a step from member to member along a dimension, and one cycle at the
 * endpoint. latency: of a link of a ring, of a direct link, or of each wire to and from a switch.
 * direct: as above. */
uint64_t ideal_step(const ace_config *cfg, unsigned direct, unsigned dim, uint64_t latency);
/* Makes an ideal endpoint (ideal.c), which joins the starts. Returns ACE_OK or ACE_ENOMEM. */
int ideal_node_create(const ideal_setup *setup, ace_node **node);

#ifdef __cplusplus
}
#endif

#endif
