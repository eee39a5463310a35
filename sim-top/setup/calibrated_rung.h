/* SPDX-License-Identifier: Apache-2.0 */
/* calibrated_rung.h -- a run on the rung calibrated: its file, and what of the run it does not
 * cover */
#ifndef CALIBRATED_RUNG_H
#define CALIBRATED_RUNG_H

#include "calibration_file.h"
#include "chunk_flow.h"
#include "run_setup.h"

/* Reads the calibration where nodes stand on that rung, into s->calibration, and looks whether it
 * is of this program and this cluster, and covers the run.  EXIT_OK, or EXIT_USAGE or EXIT_CHECK
 * after a message; calibrated_rung_free() in either case. */
int calibrated_rung_make(run_setup *s);
/* Is a collective of so many bytes, 0 for none, in the range that was measured?  `what` it is, for the
 * message.  Without a calibration all are.  EXIT_OK or EXIT_USAGE. */
int calibrated_rung_covers(const run_setup *s, const char *what, uint64_t bytes);
void calibrated_rung_free(run_setup *s);
/* The form of a node of the cluster, with its configuration and such parameters. */
chunk_flow_setup calibrated_rung_form(const run_setup *s, const ace_config *cfg,
                                      const flow_parameters *flow);

#endif
