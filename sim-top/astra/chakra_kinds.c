/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_kinds.c -- scans traces until all reductions and gathers have been seen
 *
 * A file that cannot be read is skipped here: the check of the traces reports it.
 */
#include "chakra_kinds.h"

#include <string.h>
#include <unistd.h>

#include "chakra_file.h"
#include "exit_status.h"

/* Chakra's numbers of the kinds, in the order of the system file's lists. */
static const uint64_t types[ASTRA_REDUCTIONS] = { 0, 7, 2 };

static unsigned kind_of(const Chakra__Node *n) {
    unsigned kinds = 0;

    for (size_t i = 0; n->type == CHAKRA__NODE_TYPE__COMM_COLL_NODE && i < n->n_attr; i++) {
        uint64_t type;

        if (strcmp(n->attr[i]->name, "comm_type") != 0 || !chakra_unsigned(n->attr[i], &type))
            continue;
        for (unsigned k = 0; k < ASTRA_REDUCTIONS; k++)
            if (types[k] == type) kinds |= 1U << k;
    }
    return kinds;
}

unsigned chakra_kinds(const chakra_setup *s, unsigned npus) {
    unsigned kinds = 0;

    for (unsigned i = 0; i < npus && kinds != ASTRA_ALL_REDUCTIONS; i++) {
        char name[CHAKRA_TRACE_NAME];
        const Chakra__Node *n;
        chakra_file *f;

        chakra_trace_name(s, i, name, sizeof name);
        if (!*name || access(name, R_OK) || chakra_file_open(name, &f) != EXIT_OK) continue;
        while (kinds != ASTRA_ALL_REDUCTIONS && chakra_file_next(f, &n) > 0) kinds |= kind_of(n);
        chakra_file_close(f);
    }
    return kinds;
}
