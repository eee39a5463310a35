/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_random.h -- splitmix64: the same numbers on every machine
 *
 *     uint64_t state = seed;
 *     ace_random_next(&state);           a sequence
 *     ace_random_mix(seed + cycle);      a number that depends only on the argument
 */
#ifndef ACE_RANDOM_H
#define ACE_RANDOM_H

#include <stdint.h>

/* From one state to the next: 2^64 by the golden ratio, odd. */
#define ACE_RANDOM_STEP UINT64_C(0x9E3779B97F4A7C15)

/* A bijection in which each bit of the result depends on all of x. */
static inline uint64_t ace_random_mix(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static inline uint64_t ace_random_next(uint64_t *state) {
    return ace_random_mix(*state += ACE_RANDOM_STEP);
}

#endif
