/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_registers.h -- the state of the C twin under the names of the RTL's registers
 *
 *     ace_cycle_core_registers(core, see, self);     calls see() for each, in a fixed order
 *
 * With these names the two twins can be compared register by register, and the RTL can be
 * put into the state of the C twin (bridge/ace_rtl_registers.h).  Rows are listed separately,
 * because their values do not affect timing.  The pipeline registers for rows in the switch and
 * the ALUs exist only in the RTL, since the twin writes a row when it is taken.
 */
#ifndef ACE_REGISTERS_H
#define ACE_REGISTERS_H

#include "ace_core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_register {
    /* "u_memory_port.u_tx_dma.u_jobs", "u_nic.g_link[0].u_link.u_plain", "u_phases" */
    const char *unit;
    const char *name; /* "jobs_q" */
    unsigned at;      /* entry of an array, else 0 */
    const char *ring; /* the unit's register with the index of entry 0, or NULL */
    unsigned low;     /* 0, or a multiple of 64: the rest of a register with more bits */
    uint64_t value;   /* of a row's sideband: code << 32 | last beat << 16 | bytes */
    uint64_t mask;    /* bits that mean something in this cycle */
    bool may_differ;  /* RTL and twin may differ: where a ring begins, skipped cycles */
} ace_register;

typedef void ace_register_see(void *self, const ace_register *r);

/* All registers of a core of ace_cycle_core_create; the strings last for the call. */
void ace_cycle_core_registers(const ace_core *core, ace_register_see *see, void *self);

/* A register that holds a row. */
typedef struct ace_row_register {
    const char *unit, *name;
    const char *ring; /* as above */
    unsigned at;
    const uint32_t *row; /* NULL: no row in this cycle */
    bool may_differ; /* RTL and twin may differ, and `row` is loaded: its frame will be dropped */
} ace_row_register;
typedef void ace_row_register_see(void *self, const ace_row_register *r);
void ace_cycle_core_rows(const ace_core *core, ace_row_register_see *see, void *self);
/* A row of the scratchpad, NULL in a timing-only run. */
const uint32_t *ace_cycle_core_scratchpad(const ace_core *core, unsigned bank, unsigned row);

/* Chunks since reset, in the order of dispatch: how many entered, how many left. */
void ace_cycle_core_chunks(const ace_core *core, uint32_t *entered, uint32_t *left);
/* The tag of the collective of chunk number `chunk`, which must be inside the node. */
uint16_t ace_cycle_core_chunk_tag(const ace_core *core, uint32_t chunk);
/* The chunk a context works on: false when it is free. */
bool ace_cycle_core_context_chunk(const ace_core *core, unsigned phase, unsigned index,
                                  uint32_t *chunk);
/* The chunk with entry `at` in the scheduler's table `name`.  False: the entry is free, or `name`
 * is no table of chunks. */
bool ace_cycle_core_chunk_of_slot(const ace_core *core, const char *name, unsigned at,
                                  uint32_t *chunk);
unsigned ace_cycle_core_phase_fsms(const ace_core *core); /* FSMs of each phase */
/* The tag of the all-to-all in progress; false: there is none. */
bool ace_cycle_core_exchange_tag(const ace_core *core, uint16_t *tag);
/* Is a command or a packet of an all-to-all inside the node? */
bool ace_cycle_core_exchanges(const ace_core *core);
/* Is a division in progress, for a chunk or an all-to-all?  The RTL cannot resume a division, so
 * it is loaded only while there is none. */
bool ace_cycle_core_divides(const ace_core *core);
/* The number of the next frame to arrive on each link, while retry is off and every frame follows
 * the one before. */
void ace_cycle_core_due(const ace_core *core, uint16_t numbers[ACE_LINKS]);

#ifdef __cplusplus
}
#endif
#endif
