/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_memory_arbiter.c -- the twin of rtl/ace_memory_arbiter.v: two requesters, one interface
 *
 * The exchange goes first, and the DMAs may have a limited number of bursts open. Two rings
 * store the requester of each burst, so each answer goes to its requester. In each
 * direction a tick ends bursts before it begins new ones.
 */
#include "ace_memory_arbiter.h"

#include <stdlib.h>

int ace_memory_arbiter_create(unsigned dma_bursts, unsigned bursts, ace_memory_arbiter **arbiter) {
    if (bursts < 1 || bursts > ACE_ARBITER_SLOTS || dma_bursts < 1 || dma_bursts > bursts)
        return ACE_EINVAL;
    ace_memory_arbiter *a = calloc(1, sizeof *a);
    if (!a) return ACE_ENOMEM;
    a->dma_bursts = dma_bursts;
    a->bursts = bursts;
    *arbiter = a;
    return ACE_OK;
}

void ace_memory_arbiter_destroy(ace_memory_arbiter *a) { free(a); }

void ace_memory_arbiter_reset(ace_memory_arbiter *a) {
    *a = (ace_memory_arbiter){ .dma_bursts = a->dma_bursts, .bursts = a->bursts };
}

/* Returns how many of the bursts from `from` to `to` belong to the DMAs. */
static uint32_t of_dmas(const bool first[], uint8_t from, uint8_t to) {
    uint32_t count = 0;
    for (uint8_t at = from; at != to; at++) count += !first[at];
    return count;
}

/* With as many bursts as slots, an empty and a full ring have equal indices. Then the sums are not
 * checked. */
static void check(const ace_memory_arbiter *a, ace_state *s) {
    const uint8_t r_held = (uint8_t)(a->r_wr - a->r_rd), w_held = (uint8_t)(a->w_wr - a->b_rd),
                  w_open = (uint8_t)(a->w_wr - a->w_rd);
    const bool known = a->bursts < ACE_ARBITER_SLOTS;
    for (unsigned i = 0; i < ACE_ARBITER_SLOTS; i++)
        ACE_STATE_BOOLS(s, "ace_memory_arbiter.first", &a->r_first[i], &a->w_first[i]);
    ace_state_must(s, r_held <= a->bursts, "ace_memory_arbiter.r_rd");
    ace_state_must(s, w_held <= a->bursts, "ace_memory_arbiter.b_rd");
    ace_state_must(s, w_open <= w_held && (!known || a->open == w_open), "ace_memory_arbiter.open");
    ace_state_must(s, a->reads <= a->dma_bursts, "ace_memory_arbiter.reads");
    ace_state_must(s, a->writes <= a->dma_bursts, "ace_memory_arbiter.writes");
    ace_state_must(s, a->dma_open <= a->writes && a->dma_open <= a->open,
                   "ace_memory_arbiter.dma_open");
    if (!known || !ace_state_loaded(s)) return;
    ace_state_must(s, a->reads == of_dmas(a->r_first, a->r_rd, a->r_wr),
                   "ace_memory_arbiter.reads");
    ace_state_must(s, a->writes == of_dmas(a->w_first, a->b_rd, a->w_wr),
                   "ace_memory_arbiter.writes");
    ace_state_must(s, a->dma_open == of_dmas(a->w_first, a->w_rd, a->w_wr),
                   "ace_memory_arbiter.dma_open");
}

void ace_memory_arbiter_state(ace_memory_arbiter *a, ace_state *s) {
    const uint32_t dma_bursts = a->dma_bursts, bursts = a->bursts;
    ACE_STATE(s, *a);
    ace_state_must(s, a->dma_bursts == dma_bursts && a->bursts == bursts,
                   "ace_memory_arbiter.bursts");
    if (ace_state_loaded(s)) check(a, s);
}

void ace_memory_arbiter_eval(const ace_memory_arbiter *a, const ace_memory_arbiter_in *in,
                             ace_memory_arbiter_out *out) {
    const bool ar_share = ace_memory_arbiter_ar_share(a);
    const bool aw_share = ace_memory_arbiter_aw_share(a, in->s0_busy);
    const bool r_first = ace_memory_arbiter_r_first(a), b_first = ace_memory_arbiter_b_first(a);
    const bool w_first = ace_memory_arbiter_w_first(a), w_second = ace_memory_arbiter_w_second(a);

    *out = (ace_memory_arbiter_out){ .s0_ar_ready = in->m_ar_ready,
                                     .s1_ar_ready = in->m_ar_ready && !in->s0_ar_valid && ar_share,
                                     .m_ar_valid = in->s0_ar_valid || (in->s1_ar_valid && ar_share),
                                     .m_ar_addr = in->s0_ar_valid ? in->s0_ar_addr : in->s1_ar_addr,
                                     .m_ar_len = in->s0_ar_valid ? 0 : in->s1_ar_len,
                                     .s0_r_valid = in->m_r_valid && r_first,
                                     .s1_r_valid = in->m_r_valid && !r_first,
                                     .m_r_ready = r_first ? in->s0_r_ready : in->s1_r_ready,
                                     .s0_aw_ready = in->m_aw_ready,
                                     .s1_aw_ready = in->m_aw_ready && !in->s0_aw_valid && aw_share,
                                     .m_aw_valid = in->s0_aw_valid || (in->s1_aw_valid && aw_share),
                                     .m_aw_addr = in->s0_aw_valid ? in->s0_aw_addr : in->s1_aw_addr,
                                     .m_aw_len = in->s0_aw_valid ? 0 : in->s1_aw_len,
                                     .m_aw_pad = in->s0_aw_valid && in->s0_aw_pad,
                                     .m_w_valid = (w_first && in->s0_w_valid) ||
                                                  (w_second && in->s1_w_valid),
                                     .m_w_first = w_first,
                                     .m_w_last = w_first || in->s1_w_last,
                                     .s0_w_ready = w_first && in->m_w_ready,
                                     .s1_w_ready = w_second && in->m_w_ready,
                                     .s0_b_valid = in->m_b_valid && b_first,
                                     .s1_b_valid = in->m_b_valid && !b_first,
                                     .m_b_ready = true };
}

void ace_memory_arbiter_tick(ace_memory_arbiter *a, const ace_memory_arbiter_in *in) {
    ace_memory_arbiter_out o;

    ace_memory_arbiter_eval(a, in, &o);
    const bool ar = o.m_ar_valid && in->m_ar_ready, aw = o.m_aw_valid && in->m_aw_ready;
    if (in->m_r_valid && o.m_r_ready && in->m_r_last) ace_memory_arbiter_r_end(a);
    if (ar) ace_memory_arbiter_ar(a, in->s0_ar_valid);
    if (o.m_w_valid && in->m_w_ready && o.m_w_last) ace_memory_arbiter_w_end(a);
    if (in->m_b_valid) ace_memory_arbiter_b(a);
    if (aw) ace_memory_arbiter_aw(a, in->s0_aw_valid);
}
