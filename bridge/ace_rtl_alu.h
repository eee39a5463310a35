/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_alu.h -- rtl/ace_alu.v, verilated, behind the ports of its twin
 *
 *     ace_rtl_alu *alu = ace_rtl_alu_create(seed);
 *     ace_rtl_alu_tick(alu, &in);                    rising edge
 *     ... ace_rtl_alu_data(alu) ...                  m_data after it
 *     ace_rtl_alu_destroy(alu);
 *
 * Each ALU has its own simulation context: distinct ALUs share no state.
 */
#ifndef ACE_RTL_ALU_H
#define ACE_RTL_ALU_H

#include "ace_alu.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_rtl_alu ace_rtl_alu;

/* Creates an ALU whose registers hold random values from the seed (31 bits).  The first tick must
 * have rst set.  NULL: out of memory. */
ace_rtl_alu *ace_rtl_alu_create(int seed);
void ace_rtl_alu_destroy(ace_rtl_alu *alu); /* NULL is allowed */
/* One clock: in, rising edge. */
void ace_rtl_alu_tick(ace_rtl_alu *alu, const ace_alu_in *in);
/* m_data: ACE_ALU_WORDS words, until the next call. */
const uint32_t *ace_rtl_alu_data(const ace_rtl_alu *alu);

#ifdef __cplusplus
}
#endif
#endif
