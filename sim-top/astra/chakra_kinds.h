/* SPDX-License-Identifier: Apache-2.0 */
/* chakra_kinds.h -- finds which reductions and gathers the traces of a run have */
#ifndef CHAKRA_KINDS_H
#define CHAKRA_KINDS_H

#include "chakra_graph.h"

/* Returns the kinds as bits, in the order of the lists in a system file (astra_system_choose). A
 * trace that cannot be read adds none; the later check of the traces reports it. The setup must
 * only name the traces. */
unsigned chakra_kinds(const chakra_setup *s, unsigned npus);

#endif
