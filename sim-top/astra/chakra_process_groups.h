/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_process_groups.h -- reads the process groups that traces contain
 *
 * PyTorch writes a rank's process groups into its trace, and Chakra's converter keeps them. They
 * are in a METADATA node named "## process_group:init ##", whose inputs.values is the text of a
 * list:
 *
 *     ['[{"pg_name": "1", "ranks": [0, 1], ...}, {"pg_name": "2", "ranks": [], ...}]']
 *
 * As in ASTRA-sim 2.x, the text without its first and last two characters is JSON, and an empty
 * `ranks` means all ranks. The groups apply to that rank only, and take precedence over a group
 * file's groups of the same name. If several have one name in a trace, the last counts. A group
 * with an unknown rank is left out, and a collective that uses it is refused later.
 */
#ifndef CHAKRA_PROCESS_GROUPS_H
#define CHAKRA_PROCESS_GROUPS_H

#include "chakra_graph.h"

/* Appends to `g`, after the groups of files, the groups in the traces of all NPUs. Only the names
 * of traces are read from `s`. Ranks of a job are translated to its NPUs, and the group is named
 * `JOB/NAME`. Missing traces are skipped. Returns EXIT_OK; EXIT_USAGE after a message with the
 * trace and the node whose text is malformed; EXIT_CHECK when there is no memory. */
int chakra_process_groups(const chakra_setup *s, unsigned npus, astra_groups *g);

#endif
