/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_flag_memory.h -- the memory behind an engine's flag port
 *
 *     ace_flag_memory m = { .latency = 20 };
 *     for each cycle:
 *         ace_flag_drive(&m, &engine->flag_in);            its inputs of this cycle
 *         if (ace_flag_step(&m, &engine->flag_out)) ...    m.data is now at m.address
 *
 * It takes one write at a time, address and data as they come.  The write lands `latency` cycles
 * after both were taken, and its answer is on the pins in the next cycle.
 */
#ifndef ACE_FLAG_MEMORY_H
#define ACE_FLAG_MEMORY_H

#include "ace_trigger.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_flag_memory {
    uint32_t latency; /* cycles */
    uint8_t resp; /* of the next answers: ACE_OKAY, or an error, with which nothing is written */
    bool aw, w;   /* taken */
    bool answers;
    uint32_t waited, data;
    uint64_t address;
} ace_flag_memory;

static inline void ace_flag_drive(const ace_flag_memory *m, ace_flag_in *in) {
    in->m_flag_aw_ready = !m->aw;
    in->m_flag_w_ready = !m->w;
    in->s_flag_b_valid = m->answers;
    in->s_flag_b_resp = m->resp;
}

/* Returns whether a write lands in this cycle. */
static inline bool ace_flag_step(ace_flag_memory *m, const ace_flag_out *out) {
    if (m->answers) m->answers = m->aw = m->w = false; /* s_flag_b_ready is always 1 */
    const bool both = m->aw && m->w;
    if (out->m_flag_aw_valid && !m->aw) m->address = out->m_flag_aw_addr;
    if (out->m_flag_w_valid && !m->w) m->data = out->m_flag_w_data;
    m->aw |= out->m_flag_aw_valid;
    m->w |= out->m_flag_w_valid;
    m->waited = both ? m->waited + 1 : 0;
    m->answers = both && m->waited >= m->latency;
    return m->answers && m->resp == ACE_OKAY;
}

#ifdef __cplusplus
}
#endif
#endif
