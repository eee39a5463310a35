/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_registers.h -- the registers of the Verilated node by name, paired with its twin's
 *
 *     ace_registers *both;
 *     if (ace_registers_create(rtl, twin, &both) != ACE_OK) ...
 *     ace_registers_load(both);                 the RTL goes on where the twin is
 *     ace_registers_each(both, see, self);      values of both sides, in a fixed order
 *     ace_registers_destroy(both);
 *
 * The registers are members of the model, so nothing is made public for them and the model
 * runs as fast as without.  A register that Verilator has removed, because nothing reads it or
 * it never changes, is not compared.
 *
 * Exactness  After a load the RTL gives the twin's pins in every following cycle.  The exception
 *            is a run with payload, because the twin keeps the rows of the scratchpad and its
 *            pipes elsewhere.  Such a run is loaded while the node is idle and holds no rows.
 */
#ifndef ACE_RTL_REGISTERS_H
#define ACE_RTL_REGISTERS_H

#include "ace_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a register of the model lies: `depth` entries of `bytes`, `stride` bytes apart. */
typedef struct ace_rtl_register {
    const char *name; /* "u_memory_port.u_tx_dma.u_jobs.jobs_q" */
    unsigned bits;
    size_t depth, stride, bytes;
    void *at;
} ace_rtl_register;
typedef void ace_rtl_register_see(void *self, const ace_rtl_register *r);

/* Lists the registers of a core of ace_rtl_core_create(). */
void ace_rtl_core_registers(ace_core *core, ace_rtl_register_see *see, void *self);
/* Call it after registers were written: it evaluates the logic that depends on them. counts: the
 * cycle counters were written as well, including skipped cycles. */
void ace_rtl_core_settle(ace_core *core, bool counts);

typedef struct ace_registers ace_registers;

/* A value of each side; `mask`: bits that mean something in this cycle.  `number` counts in
 * the fixed order. */
typedef struct ace_register_pair {
    const char *name; /* "u_memory_port.u_tx_dma.u_jobs.job_rows_q" */
    bool array; /* then `at` is its entry, and `from_oldest` counts from the oldest in a ring */
    unsigned number, at, from_oldest, bits;
    uint64_t rtl, twin, mask;
    bool may_differ; /* see ace_register */
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
    const char *name; /* "u_nic.g_link[0].u_link.u_plain.tx_data_q",
                         "u_datapath.u_scratchpad.u_banks.g_bank[0].u_bank.g_whole.u_ram.memory" */
    bool array;
    unsigned at;
    uint8_t context; /* of a row in the scratchpad: the context that wrote it */
    const uint32_t *rtl, *twin;
} ace_row_pair;
typedef void ace_row_pair_see(void *self, const ace_row_pair *p);
void ace_registers_rows(ace_registers *both, ace_row_pair_see *see, void *self);
/* Names of the twin's that the model does not have, one a line; for tests. */
void ace_registers_missing(ace_registers *both, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
