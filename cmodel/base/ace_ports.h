/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_ports.h -- port lists: one list per module and direction
 *
 * The pin structs, the comparisons and the traces of a module are all generated from its lists.
 *
 * A module X declares its pins once:
 *
 *     #define ACE_X_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)   ...
 *     #define ACE_X_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)  ...
 *
 *     BIT(name)                      one wire, always meaningful
 *     WORD(type, name, bits)         a number, always meaningful
 *     FIELD(type, name, bits, valid) a number, meaningful while `valid` is 1
 *     ROW(name)                      2048 bits; in C a pointer to ACE_ROW_WORDS words
 *                                    (word 0 low), NULL while meaningless or timing-only
 *     STROBE(name, valid)            256 byte strobes, meaningful while `valid` is 1.  The set
 *                                    strobes are always a prefix of the row.  In C the member
 *                                    is therefore a count of set strobes, 0..256.
 *     LANES(type, name, bits, count, mask)  `count` numbers in one pin, lane 0 in the low
 *                                    bits.  Lane i is meaningful while bit i of `mask` is 1.
 *
 * `valid` and `mask` are expressions of the module's pins, inputs and outputs, in the same
 * cycle.  An RTL with fewer lanes, by parameter, has the low ones; the others are 0.
 *
 * For some twins a node calls more direct functions than the pins.  Such a twin has a second
 * interface with the pins, for tests: ace_X_pins, ace_X_pins_in, ace_X_pins_out,
 * ace_X_pins_create() and so on.
 *
 * clk and rst are not listed: a rising edge is ace_X_tick(), one with rst is ace_X_reset().
 * An output ROW points into the module and stays good through the ticks of its cycle, in
 * whatever order a parent ticks its modules.  An input ROW is copied by the tick.
 */
#ifndef ACE_PORTS_H
#define ACE_PORTS_H

#include <stddef.h>
#include <string.h>

#include "ace_state.h"
#include "ace_types.h"

#define ACE_PORT_BIT(name)                            bool name;
#define ACE_PORT_WORD(type, name, bits)               type name;
#define ACE_PORT_FIELD(type, name, bits, valid)       type name;
#define ACE_PORT_ROW(name)                            const uint32_t *name;
#define ACE_PORT_STROBE(name, valid)                  uint16_t name;
#define ACE_PORT_LANES(type, name, bits, count, mask) type name[count];
#define ACE_EVERY_LANE                                (~0u) /* a mask: always meaningful */

/* The members of a port struct, from a list. */
#define ACE_PORTS(LIST) \
    LIST(ACE_PORT_BIT, ACE_PORT_WORD, ACE_PORT_FIELD, ACE_PORT_ROW, ACE_PORT_STROBE, ACE_PORT_LANES)

/* A port struct that does not leave its caller costs only the members that are used, once
 * the function it passes through is part of the caller. */
#define ACE_INLINE static inline __attribute__((always_inline))

typedef uint32_t ace_row[ACE_ROW_WORDS];

/* to == NULL: timing-only, nothing is copied.  from == NULL: a caller without bits. */
static inline void ace_row_copy(uint32_t *to, const uint32_t *from) {
    if (to && from) memcpy(to, from, ACE_ROW_BYTES);
}

/* The least power of two above `entries`: the slots of a ring buffer with at least one spare. */
static inline uint32_t ace_ring_slots(uint32_t entries) {
    uint32_t slots = 1;
    while (slots <= entries) slots *= 2;
    return slots;
}

/* A cost as the hardware takes it: no row takes less than a cycle. */
static inline uint32_t ace_cost(uint32_t cfg_cost) {
    return cfg_cost > ACE_COST_ONE ? cfg_cost : ACE_COST_ONE;
}

/* First set bit at or after `from`, wrapping; -1 when there is none. */
static inline int ace_first(unsigned set, unsigned from) {
    const unsigned later = set >> from << from;
    return set ? __builtin_ctz(later ? later : set) : -1;
}

/* The next index of a ring of `slots`. */
static inline uint32_t ace_ring_next(uint32_t at, uint32_t slots) {
    return at + 1 == slots ? 0 : at + 1;
}

#endif
