/* SPDX-License-Identifier: Apache-2.0 */
/* ideal.h -- the ideal endpoint, which is limited only by links */
#ifndef IDEAL_H
#define IDEAL_H

#include <stdint.h>

#include "ace_node.h"
#include "ideal_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes an ideal endpoint (ideal.c). shared: the dimensions whose links are one interface of the
 * node, one bit each. direct: the dimensions whose members have a link to each other member, one
 * bit each. latency: cycles of a link of a ring, of a direct link, or of each wire to and from a
 * switch. steps: the steps of the phases, needed only during the call. in, out: wires for messages;
 * NULL: no messages are accepted. Returns ACE_OK or ACE_ENOMEM. */
int ideal_node_create(const ace_config *cfg, const ideal_steps *steps,
                      const uint32_t latency[ACE_DIMENSIONS], unsigned shared, unsigned direct,
                      ace_wire *const in[ACE_LINKS], ace_wire *const out[ACE_LINKS],
                      ace_node **node);

#ifdef __cplusplus
}
#endif

#endif
