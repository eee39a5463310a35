/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_registers.h -- the registers of the Verilated node by name, paired with its twin's
 *
 *     ace_registers *both;
 *     if (ace_registers_create(rtl, twin, &both) != ACE_OK) ...
 *     ace_registers_load(both);                 puts the RTL into the twin's state
 *     ace_registers_each(both, see, self);      values of both sides, in a fixed order
 *     ace_registers_destroy(both);
 *
 * The registers are members of the model, so nothing is made public for them and the model
 * runs as fast as without.  A register that Verilator has removed, because nothing reads it or
 * it never changes, is not compared.
 *
 * Exactness  After a load the RTL has the same pins as the twin in every later cycle.  Rows of a
 *            run with payload are an exception: in the scratchpad and its pipes the twin stores
 *            them elsewhere.  Such a run is therefore loaded only while the node is idle and
 *            holds no rows.
 */
#ifndef ACE_RTL_REGISTERS_H
#define ACE_RTL_REGISTERS_H

#include "ace_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a register of the model lies: `depth` entries of `bytes`, `stride` bytes apart. */
typedef struct ace_rtl_register {
    const char *name; /* "u_tx_dma.u_jobs.jobs_q" */
    unsigned bits;
    size_t depth, stride, bytes;
    void *at;
} ace_rtl_register;
typedef void ace_rtl_register_see(void *self, const ace_rtl_register *r);

/* Lists the registers of a core that ace_rtl_core_create() made. */
void ace_rtl_core_registers(ace_core *core, ace_rtl_register_see *see, void *self);
/* Evaluates the model again after its registers were written.  counts: the cycle counters were
 * written too, and include the cycles in which the node slept. */
void ace_rtl_core_settle(ace_core *core, bool counts);

typedef struct ace_registers ace_registers;

/* A value of each side; `mask`: bits that mean something in this cycle.  `number` counts in
 * the fixed order. */
typedef struct ace_register_pair {
    const char *name; /* "u_tx_dma.u_jobs.job_rows_q" */
    bool array;       /* then `at` is its entry, and `place` counts from the oldest in a ring */
    unsigned number, at, place, bits;
    uint64_t rtl, twin, mask;
    bool placed; /* see ace_register */
} ace_register_pair;
typedef void ace_register_pair_see(void *self, const ace_register_pair *p);

/* Cores of one parameter set, rtl of ace_rtl_core_create, twin of ace_cycle_core_create; both
 * outlive it.  ACE_OK or ACE_ENOMEM. */
int ace_registers_create(ace_core *rtl, const ace_core *twin, ace_registers **both);
void ace_registers_destroy(ace_registers *both);
void ace_registers_load(ace_registers *both);
void ace_registers_each(ace_registers *both, ace_register_pair_see *see, void *self);
/* Rows that differ, of those that mean something; in the scratchpad, of those that have just
 * been written: called in each cycle. */
typedef struct ace_row_pair {
    const char *name; /* "g_link[0].u_link.u_plain.tx_data_q",
                         "u_scratchpad.u_banks.g_bank[0].u_bank.g_whole.u_ram.memory" */
    bool array;
    unsigned at;
    uint8_t context; /* for a row in the scratchpad: the context that wrote it */
    const uint32_t *rtl, *twin;
} ace_row_pair;
typedef void ace_row_pair_see(void *self, const ace_row_pair *p);
void ace_registers_rows(ace_registers *both, ace_row_pair_see *see, void *self);
/* Prints the names of the twin's registers that the model does not have, one a line; for tests. */
void ace_registers_missing(ace_registers *both, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
