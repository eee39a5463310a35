/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collectives.h -- random collectives and configurations, all of them legal
 */
#ifndef ACE_COLLECTIVES_H
#define ACE_COLLECTIVES_H

#include <algorithm>
#include <utility>

#include "lockstep.h"

enum { ORDER_LIFO = ACE_LIFO, ORDER_FIFO = ACE_FIFO, ORDER_ANY };

/* The ranges from which traffic is drawn. */
struct Collectives {
    unsigned rings[ACE_DIMENSIONS]; /* the largest of each, 0: no such dimension; a ring may also
                                       be smaller */
    unsigned chunk_rows;            /* of the largest chunk */
    uint64_t bytes;                 /* of the largest collective, 2^40 at most */
    unsigned dims;                  /* most dimensions of one */
    unsigned kinds;                 /* a bit an ace_kind */
    int order;
    bool exact; /* every size divides: rings 1, 2, 4, chunks and collectives of 64 rows */
};

/* How many dimensions the hardware has. */
inline unsigned dimensions_of(const Collectives &of) { return of.rings[3] ? 4 : 3; }

/* The same on hardware with a fourth dimension. */
inline Collectives with_fourth(Collectives of) {
    of.rings[3] = of.exact ? 1 : std::min(of.rings[2], 9u);
    of.dims = of.dims == 3 ? 4 : of.dims;
    of.chunk_rows = std::min(of.chunk_rows, of.dims ? 500u : 1024u);
    return of;
}

inline void draw_config(const Collectives &of, ace_config &c, Random &random) {
    c.order = of.order == ORDER_ANY ? static_cast<ace_order>(random.below(2))
                                    : static_cast<ace_order>(of.order);
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) {
        c.ring[i] = 1;
        c.rank[i] = 0;
        if (!of.rings[i]) continue;
        const bool largest = random.below(3) == 0;
        c.ring[i] = static_cast<uint16_t>(largest    ? of.rings[i]
                                          : of.exact ? std::min(1u << random.below(3), of.rings[i])
                                                     : 1 + random.below(of.rings[i]));
        c.rank[i] = static_cast<uint16_t>(random.below(c.ring[i]));
    }
    unsigned rows = 1 + random.below(of.chunk_rows);
    if (random.below(4) == 0) rows = of.chunk_rows;
    if (of.exact) rows = 64 + rows / 64 * 64;
    const unsigned grain = 1u << random.below(6); /* bursts of each length */
    c.chunk_rows = static_cast<uint16_t>(rows < grain ? rows : rows / grain * grain);
}

inline void draw_command(const Collectives &of, ace_command &c, Random &random) {
    do c.kind = static_cast<ace_kind>(random.below(3));
    while (!(of.kinds >> c.kind & 1));
    c.type = static_cast<ace_type>(random.below(ACE_TYPES));
    c.op = static_cast<ace_op>(random.below(ACE_OPS));
    c.scale = random.bits<uint32_t>(32);
    c.dim_count = static_cast<uint8_t>(random.below(of.dims + 1));
    for (uint8_t i = 0; i < ACE_DIMENSIONS; i++) c.dims[i] = i;
    for (unsigned i = dimensions_of(of); i-- > 1;)
        std::swap(c.dims[i], c.dims[random.below(i + 1)]);
    c.source = random.bits<uint64_t>(34) << 12; /* leaves room for 2^40 bytes below 2^48 */
    c.destination = random.below(4) ? random.bits<uint64_t>(34) << 12 : c.source;
    c.bytes = 1 + random.next() % of.bytes;
    const uint64_t row = of.exact ? 64 * ACE_ROW_BYTES : ACE_ROW_BYTES;
    if (of.exact || random.below(3) == 0) c.bytes = (c.bytes + row - 1) / row * row;
    c.tag = random.bits<uint16_t>(16);
}

inline uint32_t bytes_of(const uint16_t v[ACE_CLUSTER_DIMENSIONS]) {
    return v[0] | static_cast<uint32_t>(v[1]) << 8 | static_cast<uint32_t>(v[2]) << 16 |
           static_cast<uint32_t>(v[3]) << 24;
}

/* How many chunk phases are in use. */
inline unsigned phases_of(unsigned kinds) {
    unsigned n = 0;
    for (unsigned i = 0; i < ACE_PHASES; i++) n += (kinds >> 2 * i & 3) != ACE_PHASE_NONE;
    return n;
}

#endif
