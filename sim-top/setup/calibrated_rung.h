/* SPDX-License-Identifier: Apache-2.0 */
/* calibrated_rung.h -- a run on the rung calibrated: its file, and what of the run it does not
 * cover */
#ifndef CALIBRATED_RUNG_H
#define CALIBRATED_RUNG_H

#include "calibration_file.h"
#include "chunk_flow.h"
#include "setup.h"

struct refusal;

/* Reads the calibration where nodes stand on that rung, into s->machine.calibration, and checks
 * that it is of this program and this cluster, and covers the run.  EXIT_OK, EXIT_USAGE with a
 * refusal, or another status after a message; calibrated_rung_free() in any case. */
int calibrated_rung_make(setup *s, struct refusal *why);
/* Is a collective of so many bytes, 0 for none, in the range that was measured?  `what` it is, for
 * the message.  Without a calibration all are.  EXIT_OK, or EXIT_USAGE with a refusal. */
int calibrated_rung_covers(const machine *m, const char *what, uint64_t bytes, struct refusal *why);
void calibrated_rung_free(machine *m);
/* The form of a node of the cluster, with its configuration and such parameters. */
chunk_flow_setup calibrated_rung_form(const machine *m, const ace_config *cfg,
                                      const flow_parameters *flow);

#endif
