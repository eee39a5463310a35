/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_command.c -- bytes of a command on each link, whatever the command is made of
 *
 * A composition is a list of transfers and perhaps a ring collective. Their bytes are worked out
 * separately and added. Half of a ring's bytes go in each direction.
 */
#include "ace_command.h"

#include <string.h>

#include "ace_composition.h"
#include "ace_plan.h"

void ace_command_link_bytes(const ace_command *c, const ace_config *cfg,
                            uint64_t link[ACE_CLUSTER_LINKS]) {
    uint64_t rings[ACE_CLUSTER_DIMENSIONS]; /* half of them in each direction */
    ace_command ring;

    memset(link, 0, ACE_CLUSTER_LINKS * sizeof *link);
    ace_composition_list_bytes(c, cfg, link); /* engines have lists */
    if (!ace_composition_ring(c, cfg, &ring)) return;
    ace_plan_bytes(&ring, cfg, rings);
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++)
        link[l] += l & 1 ? rings[l / 2] / 2 : rings[l / 2] - rings[l / 2] / 2;
}

void ace_command_hub_bytes(const ace_command *c, const ace_config *cfg,
                           uint64_t link[ACE_CLUSTER_LINKS]) {
    memset(link, 0, ACE_CLUSTER_LINKS * sizeof *link);
    ace_composition_hub_bytes(c, cfg, link);
}

void ace_command_bytes(const ace_command *c, const ace_config *cfg,
                       uint64_t bytes[ACE_CLUSTER_DIMENSIONS]) {
    uint64_t link[ACE_CLUSTER_LINKS];

    if (!ace_composed(c)) {
        ace_plan_bytes(c, cfg, bytes);
        return;
    }
    ace_command_link_bytes(c, cfg, link);
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) bytes[d] = link[2 * d] + link[2 * d + 1];
}
