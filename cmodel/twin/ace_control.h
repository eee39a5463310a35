/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_control.h -- control and status registers: software's side of the engine
 *
 * The C twin of rtl/ace_control.v: same pins, same cycle, same values.  docs/reference/registers.md
 * says what the registers mean, rtl/ace_control.v how commands, errors and stops are handled.
 *
 *     ace_control *c;
 *     if (ace_control_create(&parameters, 64, 8, true, &c) != ACE_OK) ...
 *     for (;;) {
 *         ace_control_eval(c, &out);     outputs of this cycle, from state only
 *         ace_control_tick(c, &in);      rising edge
 *     }
 *     ace_control_destroy(c);
 *
 * One control, one thread.
 */
#ifndef ACE_CONTROL_H
#define ACE_CONTROL_H

#include "ace_axil_slave.h"
#include "ace_control_registers.h"
#include "ace_doorbell_check.h"
#include "ace_trigger.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_AXIL_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)   \
    ACE_AXIL_SLAVE_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(irq)

#define ACE_CONTROL_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)      \
    ACE_AXIL_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)             \
    BIT(m_cmd_ready)                                                  \
    BIT(s_done_valid)                                                 \
    FIELD(uint16_t, s_done_tag, 16, s_done_valid)                     \
    BIT(s_core_idle)                                                  \
    BIT(s_moved)                                                      \
    BIT(s_memory_busy)                                                \
    BIT(s_mismatch)                                                   \
    WORD(uint8_t, s_link_failed, 8)                                   \
    WORD(uint16_t, s_link_state, 16)                                  \
    BIT(s_read_failed)                                                \
    FIELD(uint8_t, s_read_failed_resp, 2, s_read_failed)              \
    FIELD(uint64_t, s_read_failed_addr, 48, s_read_failed)            \
    BIT(s_write_failed)                                               \
    FIELD(uint8_t, s_write_failed_resp, 2, s_write_failed)            \
    FIELD(uint64_t, s_write_failed_addr, 48, s_write_failed)          \
    BIT(s_protocol_failed)                                            \
    FIELD(uint64_t, s_protocol_failed_addr, 48, s_protocol_failed)    \
    BIT(s_memory_lost)                                                \
    BIT(s_scratchpad_failed)                                          \
    FIELD(uint8_t, s_scratchpad_failed_bank, 2, s_scratchpad_failed)  \
    FIELD(uint16_t, s_scratchpad_failed_row, 12, s_scratchpad_failed) \
    WORD(uint32_t, s_count_corrected, 32)                             \
    WORD(uint32_t, s_count_failed, 32)                                \
    BIT(s_transfer_failed)                                            \
    FIELD(bool, s_transfer_failed_list, 1, s_transfer_failed)         \
    FIELD(uint64_t, s_transfer_failed_addr, 48, s_transfer_failed)    \
    WORD(uint32_t, s_count_refused, 32)                               \
    BIT(s_parity_failed)                                              \
    FIELD(uint16_t, s_parity_failed_at, 16, s_parity_failed)          \
    WORD(uint32_t, s_count_parity, 32)                                \
    BIT(s_read_error)                                                 \
    BIT(s_write_error)                                                \
    WORD(uint64_t, s_count, 48)                                       \
    ACE_FLAG_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)

#define ACE_CONTROL_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)             \
    ACE_AXIL_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)                    \
    BIT(m_core_rst)                                                           \
    LANES(uint32_t, m_cfg_program, 32, 128, ACE_EVERY_LANE)                   \
    WORD(uint8_t, m_cfg_hub, 4)                                               \
    BIT(m_cfg_fifo)                                                           \
    WORD(uint16_t, m_cfg_class_tag, 16)                                       \
    WORD(uint8_t, m_cfg_class_weight, 8)                                      \
    WORD(uint8_t, m_cfg_window, 7)                                            \
    WORD(uint8_t, m_cfg_wire, 3)                                              \
    WORD(uint8_t, m_cfg_share, 8)                                             \
    WORD(uint8_t, m_cfg_agreed, 4)                                            \
    WORD(uint32_t, m_cfg_ring, 32)                                            \
    WORD(uint32_t, m_cfg_rank, 32)                                            \
    WORD(uint16_t, m_cfg_chunk_rows, 11)                                      \
    LANES(uint16_t, m_cfg_partition_rows, 12, ACE_PARTITIONS, ACE_EVERY_LANE) \
    LANES(uint32_t, m_cfg_link_cost, 24, ACE_DIMENSIONS, ACE_EVERY_LANE)      \
    WORD(uint32_t, m_cfg_read_cost, 24)                                       \
    WORD(uint32_t, m_cfg_write_cost, 24)                                      \
    WORD(uint16_t, m_cfg_memory_latency, 16)                                  \
    WORD(uint16_t, m_cfg_retry, 16)                                           \
    WORD(uint16_t, m_cfg_epoch, 16)                                           \
    WORD(uint8_t, m_cfg_epoch_links, 8)                                       \
    WORD(uint8_t, m_cfg_silence, 8)                                           \
    LANES(uint32_t, m_cfg_window_first, 32, ACE_WINDOWS, ACE_EVERY_LANE)      \
    LANES(uint32_t, m_cfg_window_last, 32, ACE_WINDOWS, ACE_EVERY_LANE)       \
    BIT(m_cmd_valid)                                                          \
    FIELD(uint8_t, m_cmd_kind, 3, m_cmd_valid)                                \
    FIELD(uint8_t, m_cmd_type, 3, m_cmd_valid)                                \
    FIELD(uint8_t, m_cmd_op, 3, m_cmd_valid)                                  \
    FIELD(uint32_t, m_cmd_scale, 32, m_cmd_valid)                             \
    FIELD(uint8_t, m_cmd_dim_count, 3, m_cmd_valid)                           \
    FIELD(uint8_t, m_cmd_dims, 8, m_cmd_valid)                                \
    FIELD(uint64_t, m_cmd_source, 48, m_cmd_valid)                            \
    FIELD(uint64_t, m_cmd_destination, 48, m_cmd_valid)                       \
    FIELD(uint64_t, m_cmd_bytes, 41, m_cmd_valid)                             \
    FIELD(uint16_t, m_cmd_tag, 16, m_cmd_valid)                               \
    BIT(m_fault_valid)                                                        \
    FIELD(uint8_t, m_fault_bank, 2, m_fault_valid)                            \
    FIELD(uint16_t, m_fault_row, 12, m_fault_valid)                           \
    FIELD(uint8_t, m_fault_word, 7, m_fault_valid)                            \
    FIELD(uint32_t, m_fault_mask, 32, m_fault_valid)                          \
    WORD(uint8_t, m_count_index, 7)                                           \
    ACE_FLAG_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)                    \
    BIT(idle)

typedef struct ace_axil_out {
    ACE_PORTS(ACE_AXIL_OUTPUTS)
} ace_axil_out;
typedef struct ace_control_in {
    ACE_PORTS(ACE_CONTROL_INPUTS)
} ace_control_in;
typedef struct ace_control_out {
    ACE_PORTS(ACE_CONTROL_OUTPUTS)
} ace_control_out;

enum { ACE_CONTROL_COMPLETIONS = 64 };
/* Counters behind m_count_index: four classes of each unit, then three of each link. */
static inline unsigned ace_control_counters(unsigned dimensions) {
    return (2 * dimensions + 11) * 4 + 2 * dimensions * 3;
}
enum { ACE_CONTROL_COMPLETIONS_MAX = 16384 };

typedef struct ace_control {
    ace_parameters parameters;
    uint32_t completions;
    bool fault_registers; /* FAULT_PLACE and FAULT_FLIP are there */
    ace_axil_slave axil;
    ace_control_registers registers;
    bool run;
    bool start; /* started, and waits for the memory */
    bool fault_valid;
    uint32_t fault_mask; /* what FAULT_FLIP was given */
    /* commands and completions */
    bool cmd_valid, refused; /* refused: waits for a slot of the completions */
    ace_control_command cmd;
    ace_trigger trigger;
    bool older;      /* the slot's command that is shown is older than the doorbell's */
    uint16_t before; /* slots that were ready when the doorbell's was taken, and have not fired */
    uint32_t owed, queued, queue_head;
    uint32_t refusal; /* code << 16 | tag */
    uint32_t *queue;  /* likewise */
    /* watchdog, events, errors, counters */
    uint32_t waited;
    bool expired, read_seen, write_seen, mismatch_seen, link_seen, lost_seen, transfer_seen,
        list_seen, parity_seen, protocol_seen, memory_seen;
    bool error_valid, fetch;
    uint16_t events;
    uint8_t error_code, error_resp;
    uint16_t error_tag;
    uint64_t error_address, count;
    uint32_t taken, completed, rejected, read_errors, write_errors, expiries;
} ace_control;

/* In its reset state.  ACE_OK, ACE_EINVAL (completions: 2^n, 2..16384; triggers: 2, 4, 8 or 16) or
 * ACE_ENOMEM. */
int ace_control_create(const ace_parameters *p, unsigned completions, unsigned triggers,
                       bool fault_registers, ace_control **control);
void ace_control_destroy(ace_control *c); /* NULL is allowed */
void ace_control_reset(ace_control *c);   /* a rising edge with rst high */
void ace_control_eval(const ace_control *c, ace_control_out *o);
void ace_control_tick(ace_control *c, const ace_control_in *in);
void ace_control_state(ace_control *c, ace_state *s);
/* The configuration that the registers hold. */
void ace_control_config(const ace_control *c, ace_config *cfg);
/* Without input, ticks change nothing. */
bool ace_control_idle(const ace_control *c);
/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_control_skip(ace_control *c, uint64_t cycles) {
    (void)c;
    (void)cycles;
}

#ifdef __cplusplus
}
#endif
#endif
