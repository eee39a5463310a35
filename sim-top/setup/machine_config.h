/* SPDX-License-Identifier: Apache-2.0 */
/* machine_config.h -- the configuration that all nodes of a machine share */
#ifndef MACHINE_CONFIG_H
#define MACHINE_CONFIG_H

#include "machine.h"

struct refusal;

/* Of rank 0.  EXIT_OK, or EXIT_USAGE with a refusal: the machine cannot be built. */
int machine_config(const machine *m, ace_config *cfg, struct refusal *why);
/* Are there ALUs for a collective of that type, with the operation of the machine?  EXIT_OK, or
 * EXIT_USAGE with a refusal; software takes all. */
int machine_reduces(const machine *m, ace_kind kind, ace_type type, struct refusal *why);

#endif
