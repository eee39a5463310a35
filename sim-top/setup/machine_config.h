/* SPDX-License-Identifier: Apache-2.0 */
/* machine_config.h -- the configuration that all nodes of a machine share */
#ifndef MACHINE_CONFIG_H
#define MACHINE_CONFIG_H

#include "machine.h"

struct refusal;

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the configuration of rank 0. in_network becomes the dimensions whose switches reduce, one
 * bit each; NULL: not wanted. Returns EXIT_OK, or EXIT_USAGE with a refusal if the machine cannot
 * be built. */
int machine_config(const machine *m, ace_config *cfg, unsigned *in_network, struct refusal *why);
/* Checks that there are ALUs for a collective of this type with the machine's operation. Software
 * endpoints take all. Returns EXIT_OK, or EXIT_USAGE with a refusal. */
int machine_reduces(const machine *m, ace_kind kind, ace_type type, struct refusal *why);
/* Checks that this computer has the memory for the payload of a collective. Returns EXIT_OK, or
 * EXIT_USAGE with a refusal. */
int machine_payload(const machine *m, struct refusal *why);

#ifdef __cplusplus
}
#endif

#endif
