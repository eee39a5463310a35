/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_bound.c -- checks that no NPU sent more than its links can carry: see astra_bound.h
 *
 * Bytes and cycles are whole numbers. They are compared as long doubles with the product of
 * bandwidth and time. A long double has 64 bits, so the comparison is exact to one byte for any
 * run.
 */
#include "astra_bound.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "ace_types.h"
#include "exit_status.h"

unsigned astra_network_links(const astra_network *n, unsigned dimension) {
    const unsigned members = n->members[dimension];

    switch (n->wiring[dimension]) {
    case WIRING_RING: return members > 2 ? 2 : 1;
    case WIRING_DIRECT: return members - 1;
    default: return 1;
    }
}

double astra_network_npu_GBps(const astra_network *n, unsigned dimension) {
    return n->GBps[dimension] * astra_network_links(n, dimension);
}

int astra_bound_check(const char *file, const astra_sent *sent) {
    const long double bytes_a_cycle = (long double)sent->GBps * 1000 / (long double)sent->clock_MHz;
    const long double most = bytes_a_cycle * (long double)sent->cycles;

    /* the rounding error of a bandwidth, in bit 53, is less than a byte in any run */
    if ((long double)sent->bytes <= most + 0.5L) return EXIT_OK;
    fprintf(stderr,
            "acesim: %s: NPU %u sent %" PRIu64 " bytes into dimension %c in %.0f ns, and its links "
            "carry %.9g GB/s (of 10^9), which takes %.0Lf ns: the result beats the links\n",
            file, sent->npu, sent->bytes, ACE_DIMENSION_LETTERS[sent->dimension],
            (double)sent->cycles * 1000 / sent->clock_MHz, sent->GBps,
            ceill((long double)sent->bytes / (long double)sent->GBps));
    return EXIT_CHECK;
}
