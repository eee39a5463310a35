/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_sender.c -- the twin of rtl/ace_link_sender.v: a ring of steps
 *
 * A frame is split into one bit a link for each flag and one entry a link for each field. The ring
 * of steps rotates, so no step is copied at an edge. The CRC is computed on request only: a
 * lockstep run compares it with the RTL's.
 */
#include "ace_link_sender.h"

void ace_link_sender_reset(ace_link_sender *s) {
    memset(s->step, 0, sizeof s->step);
    s->at = 0;
}

/* Sets fields without a valid bit to 0.  Their values depend on the sender, and states with the
 * same meaning must have the same bytes. */
static void clean(ace_tx_step *s) {
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (!(s->frame >> l & 1)) s->number[l] = s->ack[l] = 0;
        if (!(s->valid >> l & 1)) {
            s->tx[l].context = s->tx[l].mark = 0;
            s->route[l] = s->row[l] = 0;
        }
        if (!(s->grant_valid >> l & 1))
            s->grant[l].context = s->grant[l].mark = s->grant_peer[l] = 0;
    }
}

void ace_link_sender_state(ace_link_sender *k, ace_state *s) {
    for (unsigned i = 0; i < ACE_LINK_TX_SLOTS; i++) clean(&k->step[i]);
    ACE_STATE(s, k->step);
    ACE_STATE(s, k->at);
    ace_state_must(s, k->at < ACE_LINK_TX_SLOTS, "ace_link_sender.at");
}

static void normal_step(ace_tx_step *to, const ace_tx_step *from, bool numbers) {
    memcpy(to, from, sizeof *to);
    clean(to);
    memset(to->row, 0, sizeof to->row);
    to->kept = 0;
    if (numbers) return;
    memset(to->number, 0, sizeof to->number);
    memset(to->ack, 0, sizeof to->ack);
}

void ace_link_sender_normal(ace_link_sender *s, bool numbers) {
    ace_tx_step to[ACE_LINK_TX_SLOTS];
    memset(to, 0, sizeof to);
    for (unsigned i = 0; i < ACE_LINK_TX_STEPS; i++)
        normal_step(&to[ACE_LINK_TX_STEPS - 1 - i], ace_link_sender_step(s, i), numbers);
    memcpy(s->step, to, sizeof to);
    s->at = ACE_LINK_TX_STEPS - 1;
}

void ace_link_sender_s_frame(ace_link_sender *s, unsigned l, const ace_frame *f) {
    const unsigned bit = 1u << l;
    ace_tx_step *const o = ace_link_sender_step(s, 0);
    const uint64_t h = f->valid ? f->head : 0;
    uint8_t *const sets[] = { &o->valid,  &o->reduce,        &o->credit, &o->grant_valid,
                              &o->routed, &o->routed_credit, NULL,       &o->resend };
    for (unsigned i = 0; i < 8; i++)
        if (sets[i]) *sets[i] = (uint8_t)((*sets[i] & ~bit) | (h >> i & 1) << l);
    o->frame = (uint8_t)((o->frame & ~bit) | (unsigned)f->valid << l);
    o->tx[l].context = (uint8_t)(h >> 8);
    o->tx[l].mark = (uint8_t)(h >> 16);
    o->grant[l].context = (uint8_t)(h >> 24);
    o->grant[l].mark = (uint8_t)(h >> 32);
    o->grant_peer[l] = (uint8_t)(h >> 40);
    o->route[l] = f->route;
    o->number[l] = f->number;
    o->ack[l] = f->ack;
}

/* A bit of each set, in the order of a frame's head. */
static uint64_t bits_of(const uint8_t sets[8], unsigned l) {
    uint64_t bits = 0;
    for (unsigned i = 0; i < 8; i++)
        if (i != ACE_FRAME_NONE) bits |= (uint64_t)(sets[i] >> l & 1) << i;
    return bits;
}

ace_frame ace_link_sender_given(const ace_tx_step *s, unsigned l) {
    const uint64_t set = bits_of(&s->valid, l) & ~(UINT64_C(1) << ACE_FRAME_RESEND);
    const uint64_t bytes = s->tx[l].context | (uint64_t)s->tx[l].mark << 8 |
                           (uint64_t)s->grant[l].context << 16 | (uint64_t)s->grant[l].mark << 24 |
                           (uint64_t)s->grant_peer[l] << 32;
    return (ace_frame){ .head = ace_frame_clean(set | bytes << 8),
                        .route = set & 1 ? s->route[l] : 0 };
}

uint32_t ace_link_sender_tx_crc(const ace_pins_out *out, unsigned l) {
    const uint64_t set = bits_of(&out->tx_valid, l);
    const uint64_t bytes = out->tx[l].context | (uint64_t)out->tx[l].mark << 8 |
                           (uint64_t)out->tx_grant[l].context << 16 |
                           (uint64_t)out->tx_grant[l].mark << 24 |
                           (uint64_t)out->tx_grant_peer[l] << 32;
    const ace_frame f = { .head = ace_frame_clean(set | bytes << 8),
                          .route = set & 1 ? out->tx_route[l] : 0,
                          .number = out->tx_number[l],
                          .ack = out->tx_ack[l],
                          .row = set & 1 ? out->tx_data[l] : NULL };
    return ace_frame_crc(&f);
}
