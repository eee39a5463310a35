/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_process_groups.h -- groups that traces bring along
 *
 * PyTorch writes the process groups of a rank into its trace, and Chakra's converter keeps them: a
 * METADATA node of the name "## process_group:init ##", whose inputs.values is the text of a list,
 *
 *     ['[{"pg_name": "1", "ranks": [0, 1], ...}, {"pg_name": "2", "ranks": [], ...}]']
 *
 * As ASTRA-sim 2.x reads them: without its first and last two letters the text is JSON, and an
 * empty `ranks` is all ranks.  They are the groups of that rank alone, and go before those of a
 * group file of the same name; of several of one name in a trace the last counts.  A group with a
 * rank that there is not is left out: who uses it is told then.
 */
#ifndef CHAKRA_PROCESS_GROUPS_H
#define CHAKRA_PROCESS_GROUPS_H

#include "chakra_graph.h"

/* Adds to `g`, behind the groups of files, those of the traces of all NPUs, of which only the
 * names are looked at in `s`.  Ranks of a job become its NPUs, and a name `JOB/NAME`.  Traces
 * that are not there are passed over.  EXIT_OK; EXIT_USAGE after a message with the trace and the
 * node: its text is no such list; EXIT_CHECK: no memory. */
int chakra_process_groups(const chakra_setup *s, unsigned npus, astra_groups *g);

#endif
