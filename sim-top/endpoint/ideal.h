/* SPDX-License-Identifier: Apache-2.0 */
/* ideal.h -- the ideal endpoint: the links alone */
#ifndef IDEAL_H
#define IDEAL_H

#include <stdint.h>

#include "ace_node.h"
#include "ideal_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The ideal endpoint (ideal.c).  shared: a bit for each dimension whose links are one interface of
 * the node.  direct: a bit for each dimension whose members have a link to each other member.
 * latency: of a link of a ring, of a direct link, or of each wire to a switch and from it, in
 * cycles.  steps: those of the phases, for the call.  in, out: wires for messages; NULL: there are
 * none, and none is taken.  ACE_OK or ACE_ENOMEM. */
int ideal_node_create(const ace_config *cfg, const ideal_steps *steps,
                      const uint32_t latency[ACE_DIMENSIONS], unsigned shared, unsigned direct,
                      ace_wire *const in[ACE_LINKS], ace_wire *const out[ACE_LINKS],
                      ace_node **node);

#ifdef __cplusplus
}
#endif

#endif
