/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_control_registers.h -- the registers that software writes: configuration and next command
 *
 * The C twin of rtl/ace_control_registers.v.  The registers and their access come from the list of
 * which docs/reference/registers.md is made.  They are not a copy of the RTL.
 */
#ifndef ACE_CONTROL_REGISTERS_H
#define ACE_CONTROL_REGISTERS_H

#include "ace_axil_slave.h"
#include "ace_doorbell_check.h"
#include "ace_register_map.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The access to a register: read only, read and write, write while nothing runs, clear by ones, set
 * by ones, write only. ACE_ACCESS_NONE: no such register. */
typedef enum ace_access {
    ACE_ACCESS_ro,
    ACE_ACCESS_rw,
    ACE_ACCESS_cfg,
    ACE_ACCESS_w1c,
    ACE_ACCESS_w1s,
    ACE_ACCESS_wo,
    ACE_ACCESS_NONE
} ace_access;

typedef struct ace_control_registers {
    bool fifo;
    bool lock; /* the windows stay as they are */
    uint16_t enable;
    uint8_t index, hub, agreed, epoch_links, silence, share, wire;
    uint32_t window_first[ACE_WINDOWS], window_last[ACE_WINDOWS];
    uint32_t program[128];
    uint16_t chunk_rows, memory_latency, retry, epoch, partition_rows[ACE_PARTITIONS];
    uint32_t patience, ring, rank, link_cost[ACE_DIMENSIONS], read_cost, write_cost;
    ace_control_command staged; /* what the next doorbell hands over; its tag is unused */
    uint32_t classes;           /* CONFIG_CLASSES */
    uint32_t fault_place;       /* FAULT_PLACE */
    uint32_t trigger, flag_first, flag_last; /* CONFIG_TRIGGER, CONFIG_FLAG_WINDOW_* */
    uint64_t flag;                           /* TRIGGER_FLAG_* */
    uint32_t value, rule;                    /* TRIGGER_VALUE, TRIGGER_RULE */
} ace_control_registers;

void ace_control_registers_reset(ace_control_registers *r);
/* Returns the access to any register of the engine; m_write_config is ACE_ACCESS_cfg. */
ace_access ace_control_registers_access(unsigned address);
/* m_write_locked */
bool ace_control_registers_locked(const ace_control_registers *r, unsigned address);
/* s_write; nothing where no register holds what is written. */
void ace_control_registers_write(ace_control_registers *r, unsigned address, ace_axil_bits w);
/* m_read_word; 0 where none is held. */
uint32_t ace_control_registers_read(const ace_control_registers *r, unsigned address);
/* m_sane: an engine with these parameters can run with the configuration as it is. */
bool ace_control_registers_m_sane(const ace_control_registers *r, const ace_parameters *p);
/* m_cfg_*, as a node is configured. */
void ace_control_registers_m_cfg(const ace_control_registers *r, ace_config *to);

#ifdef __cplusplus
}
#endif
#endif
