/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_integer_lane.h -- what can be made of an element of any type by integer arithmetic
 *
 * The C twin of rtl/ace_integer_lane.v; see there for the ports.
 *
 *     ace_integer_lane lane = { .w = 32 };
 *     for (;;) {
 *         ... lane.m_result ...                  output of this cycle
 *         ace_integer_lane_tick(&lane, &in);     rising edge
 *     }
 *
 * Rules that hold for every call
 *   Ownership   The lane is the caller's; `in` is not kept.
 *   Threads     One lane, one thread.  Distinct lanes share no state.
 *   Errors      None: every bit pattern is an operand.  w is 2..32.
 */
#ifndef ACE_INTEGER_LANE_H
#define ACE_INTEGER_LANE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_LANE_PASS, ACE_LANE_ADD, ACE_LANE_LESSER, ACE_LANE_GREATER }; /* s_op */

/* Input ports, named as in the RTL. */
typedef struct ace_integer_lane_in {
    bool s_en, s_integer;
    uint8_t s_op;
    uint32_t s_top, s_nan; /* the largest magnitude that is no NaN, and the canonical one */
    uint32_t s_a, s_b;     /* w bits */
} ace_integer_lane_in;

typedef struct ace_integer_lane {
    unsigned w;        /* the parameter W */
    uint32_t m_result; /* the register: unknown in the RTL before the first result */
} ace_integer_lane;

/* Rising clock edge. */
void ace_integer_lane_tick(ace_integer_lane *l, const ace_integer_lane_in *in);

#ifdef __cplusplus
}
#endif
#endif
