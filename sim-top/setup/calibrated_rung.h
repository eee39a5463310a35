/* SPDX-License-Identifier: Apache-2.0 */
/* calibrated_rung.h -- the calibration of a run at the rung calibrated, and what it does not
 * cover */
#ifndef CALIBRATED_RUNG_H
#define CALIBRATED_RUNG_H

#include "calibration_file.h"
#include "chunk_flow.h"
#include "execution.h"
#include "machine.h"
#include "output.h"

struct refusal;

/* Reads the calibration into m->calibration if nodes are at this rung. Checks that it belongs to
 * this program and this cluster, and that it covers the run. cluster: its digest from
 * setup_cluster_digest(), if there is a file. Returns EXIT_OK, EXIT_USAGE with a refusal, or
 * another status after a message. The caller calls calibrated_rung_free() in any case. */
int calibrated_rung_make(machine *m, const execution *e, const output *o, uint64_t cluster,
                         struct refusal *why);
/* Checks that a collective of so many bytes is in the measured range; 0: none. `what` names it
 * in the message. Without a calibration everything is. Returns EXIT_OK, or EXIT_USAGE with a
 * refusal. */
int calibrated_rung_covers(const machine *m, const char *what, uint64_t bytes, struct refusal *why);
void calibrated_rung_free(machine *m);
/* Returns the setup of a calibrated node of the cluster with its configuration and these
 * parameters. */
chunk_flow_setup calibrated_rung_form(const machine *m, const ace_config *cfg,
                                      const flow_parameters *flow);

#endif
