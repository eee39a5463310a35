/* SPDX-License-Identifier: Apache-2.0 */
/* chakra_kinds.h -- which reductions and gathers the traces of a run have */
#ifndef CHAKRA_KINDS_H
#define CHAKRA_KINDS_H

#include "chakra_graph.h"

/* A bit for each, as lists of a system's file stand for them (astra_system_choose).  Traces that
 * cannot be read have none: the check of the traces tells.  The setup needs no more than to name
 * the traces. */
unsigned chakra_kinds(const chakra_setup *s, unsigned npus);

#endif
