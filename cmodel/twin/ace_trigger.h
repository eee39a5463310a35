/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_trigger.h -- prepared commands that stores start, and flags in memory that report their end
 *
 * The C twin of rtl/ace_trigger.v: same pins, same cycle, same values.  The RTL's head says when a
 * slot fires, when its flag is written and when it retires.
 *
 *     ace_trigger *t;
 *     if (ace_trigger_create(8, 65536, &t) != ACE_OK) ...
 *     for (;;) {
 *         ace_trigger_eval(t, &in, &out);  outputs of this cycle; a few depend on its inputs
 *         ace_trigger_tick(t, &in);        rising edge
 *     }
 *     ace_trigger_destroy(t);
 *
 * ace_control has one by value and initializes it with ace_trigger_init().  One trigger, one
 * thread.
 */
#ifndef ACE_TRIGGER_H
#define ACE_TRIGGER_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The AXI4 pins of flags. */
#define ACE_FLAG_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(m_flag_aw_ready)                                      \
    BIT(m_flag_w_ready)                                       \
    BIT(s_flag_b_valid)                                       \
    FIELD(uint8_t, s_flag_b_resp, 2, s_flag_b_valid)

#define ACE_FLAG_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(m_flag_aw_valid)                                       \
    FIELD(uint64_t, m_flag_aw_addr, 48, m_flag_aw_valid)       \
    WORD(uint8_t, m_flag_aw_len, 8)                            \
    WORD(uint8_t, m_flag_aw_size, 3)                           \
    WORD(uint8_t, m_flag_aw_burst, 2)                          \
    WORD(uint8_t, m_flag_aw_prot, 3)                           \
    BIT(m_flag_w_valid)                                        \
    FIELD(uint32_t, m_flag_w_data, 32, m_flag_w_valid)         \
    WORD(uint8_t, m_flag_w_strb, 4)                            \
    BIT(m_flag_w_last)                                         \
    BIT(s_flag_b_ready)

#define ACE_TRIGGER_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_run)                                                   \
    BIT(cfg_enable)                                              \
    WORD(uint16_t, cfg_tag, 16)                                  \
    WORD(uint32_t, cfg_flag_first, 32)                           \
    WORD(uint32_t, cfg_flag_last, 32)                            \
    BIT(s_write_prepare)                                         \
    BIT(s_write_arm)                                             \
    BIT(s_prepare)                                               \
    BIT(s_arm)                                                   \
    BIT(s_store)                                                 \
    WORD(uint8_t, s_slot, 8)                                     \
    BIT(s_armed)                                                 \
    WORD(uint16_t, s_stores, 16)                                 \
    WORD(uint8_t, s_kind, 3)                                     \
    WORD(uint8_t, s_type, 3)                                     \
    WORD(uint8_t, s_op, 3)                                       \
    WORD(uint32_t, s_scale, 32)                                  \
    WORD(uint8_t, s_dim_count, 3)                                \
    WORD(uint8_t, s_dims, 8)                                     \
    WORD(uint64_t, s_source, 48)                                 \
    WORD(uint64_t, s_destination, 48)                            \
    WORD(uint64_t, s_bytes, 41)                                  \
    WORD(uint64_t, s_flag, 48)                                   \
    WORD(uint32_t, s_value, 32)                                  \
    WORD(uint16_t, s_threshold, 16)                              \
    WORD(uint8_t, s_next, 8)                                     \
    BIT(s_chains)                                                \
    BIT(s_repeats)                                               \
    BIT(s_flags)                                                 \
    BIT(s_queues)                                                \
    BIT(s_room)                                                  \
    BIT(s_cmd_ready)                                             \
    BIT(s_done_valid)                                            \
    FIELD(uint16_t, s_done_tag, 16, s_done_valid)                \
    BIT(s_failed)                                                \
    BIT(s_retire_ready)                                          \
    ACE_FLAG_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)

#define ACE_TRIGGER_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint8_t, m_code, 8)                                      \
    BIT(m_fires)                                                  \
    WORD(uint16_t, m_ready, 16)                                   \
    FIELD(uint8_t, m_fires_slot, 4, m_ready)                      \
    BIT(m_cmd_valid)                                              \
    FIELD(uint8_t, m_cmd_kind, 3, m_cmd_valid)                    \
    FIELD(uint8_t, m_cmd_type, 3, m_cmd_valid)                    \
    FIELD(uint8_t, m_cmd_op, 3, m_cmd_valid)                      \
    FIELD(uint32_t, m_cmd_scale, 32, m_cmd_valid)                 \
    FIELD(uint8_t, m_cmd_dim_count, 3, m_cmd_valid)               \
    FIELD(uint8_t, m_cmd_dims, 8, m_cmd_valid)                    \
    FIELD(uint64_t, m_cmd_source, 48, m_cmd_valid)                \
    FIELD(uint64_t, m_cmd_destination, 48, m_cmd_valid)           \
    FIELD(uint64_t, m_cmd_bytes, 41, m_cmd_valid)                 \
    FIELD(uint16_t, m_cmd_tag, 16, m_cmd_valid)                   \
    FIELD(bool, m_mine, 1, s_done_valid)                          \
    BIT(m_retire_valid)                                           \
    FIELD(uint16_t, m_retire_tag, 16, m_retire_valid)             \
    FIELD(bool, m_retire_queues, 1, m_retire_valid)               \
    FIELD(bool, m_retire_lost, 1, m_retire_valid)                 \
    ACE_FLAG_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)        \
    WORD(uint16_t, m_slots_armed, 16)                             \
    WORD(uint16_t, m_slots_busy, 16)                              \
    BIT(m_busy)                                                   \
    BIT(m_lost)                                                   \
    BIT(m_write_error)                                            \
    BIT(m_failed)                                                 \
    FIELD(uint8_t, m_failed_resp, 2, m_failed)                    \
    BIT(m_protocol)                                               \
    FIELD(uint64_t, m_failed_addr, 48, m_failed || m_protocol)    \
    BIT(idle)

typedef struct ace_flag_in {
    ACE_PORTS(ACE_FLAG_INPUTS)
} ace_flag_in;
typedef struct ace_flag_out {
    ACE_PORTS(ACE_FLAG_OUTPUTS)
} ace_flag_out;
typedef struct ace_trigger_in {
    ACE_PORTS(ACE_TRIGGER_INPUTS)
} ace_trigger_in;
typedef struct ace_trigger_out {
    ACE_PORTS(ACE_TRIGGER_OUTPUTS)
} ace_trigger_out;

/* The slots of an engine by default, the most there may be, and AxPROT of flags. */
enum { ACE_TRIGGER_SLOTS = 8, ACE_TRIGGER_SLOTS_MAX = 16, ACE_TRIGGER_PROT = 2 };
enum { ACE_TRIGGER_DRAIN_LIMIT = 65536 };

typedef struct ace_trigger_slot {
    uint64_t source, destination, bytes, flag;
    uint32_t scale, value;
    uint64_t since;            /* became ready as the since-th; 0: now, or is not ready */
    uint16_t threshold, count; /* stores */
    uint8_t kind, type, op, dim_count, dims, next;
    bool chains, repeats, flags, queues;
    bool known, armed;
    bool busy;    /* fired, and not retired */
    bool done;    /* of these: waits for its flag */
    bool retires; /* of these: waits to retire */
    bool lapsed;  /* of these: there is nothing to chain */
} ace_trigger_slot;

typedef struct ace_trigger {
    uint32_t slots, drain_limit, quiet; /* quiet: cycles of a stop since something moved */
    uint32_t prepared;                  /* slots that are known */
    ace_trigger_slot slot[ACE_TRIGGER_SLOTS_MAX];
    uint64_t became_ready;       /* slots, counted */
    uint32_t fired, at, retired; /* slots served last: command, flag, retire */
    bool cmd_valid, aw_valid, w_valid, waits, live, lost, failed, protocol;
    uint8_t failed_resp;
    uint64_t failed_addr;
} ace_trigger;

/* In its reset state.  slots: a power of two, 2..16; drain_limit: 0..2^24.  ACE_OK, ACE_EINVAL or
 * ACE_ENOMEM. */
int ace_trigger_create(unsigned slots, unsigned drain_limit, ace_trigger **trigger);
/* The same for a trigger of the caller's.  ACE_OK or ACE_EINVAL. */
int ace_trigger_init(ace_trigger *t, unsigned slots, unsigned drain_limit);
void ace_trigger_destroy(ace_trigger *t); /* NULL is allowed */
void ace_trigger_reset(ace_trigger *t);   /* a rising edge with rst high */
void ace_trigger_eval(const ace_trigger *t, const ace_trigger_in *in, ace_trigger_out *o);
void ace_trigger_tick(ace_trigger *t, const ace_trigger_in *in);
/* Returns whether all indices of a loaded state are in range. */
bool ace_trigger_is_sane(const ace_trigger *t);
/* Nothing changes without input. */
bool ace_trigger_idle(const ace_trigger *t);
static inline void ace_trigger_skip(ace_trigger *t, uint64_t cycles) {
    (void)t;
    (void)cycles;
}

#ifdef __cplusplus
}
#endif
#endif
