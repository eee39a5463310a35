/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_receiver.c -- the twin of rtl/ace_link_receiver.v: a ring of steps
 *
 * The steps of a frame are entries of a ring buffer, so no step is copied at an edge. A frame
 * without errors is only counted. ace_link_receiver_resolve() works out afterwards which frames
 * were taken, before a caller reads them one by one. Fields without a valid bit are set to 0, so
 * that equal states have equal bytes.
 */
#include "ace_link_receiver.h"

void ace_link_receiver_reset(ace_link_receiver *r) {
    memset(r->step, 0, sizeof r->step);
    r->at = r->taken = 0;
    r->wrong = r->counted = false;
    memset(r->next, 0, sizeof r->next);
}

/* Sets fields without a valid bit to 0.  Their values depend on the sender, and states with the
 * same meaning must have the same bytes. */
static void clean(ace_rx_pins *rx) {
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (!(rx->frame >> l & 1)) rx->number[l] = rx->ack[l] = 0;
        if (!(rx->flipped >> l & 1)) rx->flip[l] = 0;
        if (!(rx->valid >> l & 1)) rx->link[l].context = rx->link[l].mark = 0;
        if (!(rx->grant_valid >> l & 1))
            rx->link[l].grant_context = rx->link[l].grant_mark = rx->grant_peer[l] = 0;
    }
}

/* Checks that arriving frames name possible contexts, and that a flipped bit is within a frame. */
static void check(const ace_rx_pins *rx, ace_state *s) {
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        ace_state_must(s,
                       (rx->routed | rx->flipped) >> l & 1 ||
                           ace_context_phase(rx->link[l].context) < ACE_PHASES,
                       "ace_link_receiver.context");
        ace_state_must(
            s, rx->flipped >> l & 1 || ace_grant_is(rx->link[l].grant_context, ACE_PHASES, 32),
            "ace_link_receiver.grant_context");
        ace_state_must(s, !(rx->flipped >> l & 1) || (rx->flip[l] && rx->flip[l] <= ACE_BITS),
                       "ace_link_receiver.flip");
    }
}

void ace_link_receiver_state(ace_link_receiver *r, ace_state *s) {
    for (unsigned i = 0; i < ACE_LINK_RX_STEPS; i++) clean(&r->step[i].pins);
    ACE_STATE(s, *r);
    ace_state_must(s, r->at < ACE_LINK_RX_STEPS, "ace_link_receiver.at");
    ACE_STATE_BOOLS(s, "ace_link_receiver.wrong", &r->wrong, &r->counted);
    for (unsigned i = 0; ace_state_loaded(s) && i < ACE_LINK_RX_STEPS; i++)
        check(&r->step[i].pins, s);
}

static void normal_step(ace_rx_step *to, const ace_rx_step *from, bool numbers) {
    memcpy(to, from, sizeof *to);
    clean(&to->pins);
    memset(to->pins.flip, 0, sizeof to->pins.flip); /* the bit has changed */
    if (numbers) return;
    memset(to->pins.number, 0, sizeof to->pins.number);
    memset(to->pins.ack, 0, sizeof to->pins.ack);
}

void ace_link_receiver_normal(ace_link_receiver *r, bool numbers) {
    ace_rx_step to[ACE_LINK_RX_STEPS];
    memset(to, 0, sizeof to);
    r->taken = 0;                                        /* of the cycle before */
    for (unsigned i = 0; i + 1 < ACE_LINK_RX_STEPS; i++) /* the oldest has gone on */
        normal_step(&to[ACE_LINK_RX_STEPS - 1 - i], ace_link_receiver_step(r, i), numbers);
    memcpy(r->step, to, sizeof to);
    r->at = ACE_LINK_RX_STEPS - 1;
    if (!numbers) memset(r->next, 0, sizeof r->next);
}

void ace_link_receiver_change(ace_rx_pins *rx) {
    uint8_t *const sets[] = { &rx->valid,  &rx->reduce,        &rx->credit, &rx->grant_valid,
                              &rx->routed, &rx->routed_credit, NULL,        &rx->resend };
    for (unsigned set = rx->flipped & rx->frame; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set), bit = rx->flip[l] - 1u;
        if (bit < 8) {
            if (sets[bit]) *sets[bit] ^= (uint8_t)(1u << l);
        } else if (bit >= ACE_BIT_NUMBER && bit < ACE_BIT_ACK) {
            rx->number[l] = (uint16_t)(rx->number[l] ^ 1u << (bit - ACE_BIT_NUMBER));
        }
    }
    rx->flipped &= rx->frame;
}

ace_frame ace_link_receiver_m_frame(const ace_rx_step *s, unsigned l) {
    const ace_rx_pins *rx = &s->pins;
    const uint64_t set = (rx->valid >> l & 1u) | (rx->credit >> l & 1u) << ACE_FRAME_CREDIT |
                         (rx->grant_valid >> l & 1u) << ACE_FRAME_GRANT |
                         (rx->routed >> l & 1u) << ACE_FRAME_ROUTED |
                         (rx->routed_credit >> l & 1u) << ACE_FRAME_ROUTED_CREDIT |
                         (rx->resend >> l & 1u) << ACE_FRAME_RESEND;
    return (ace_frame){ .valid = rx->frame >> l & 1,
                        .took = s->took >> l & 1,
                        .head = set,
                        .number = rx->number[l],
                        .ack = rx->ack[l] };
}

bool ace_link_receiver_takes(const ace_link_receiver *r, unsigned l, bool s_room) {
    const ace_rx_step *row = &r->step[(r->at - (unsigned)ACE_LINK_RX_ROW) % ACE_LINK_RX_STEPS];
    const ace_frame f = ace_link_receiver_m_frame(row, l);
    return f.valid && (f.head & ACE_FRAME_NUMBERED) && f.number == r->next[l] &&
           (!(f.head & 1) || s_room);
}

void ace_link_receiver_take(ace_link_receiver *r, unsigned l) {
    ace_rx_step *const row = ace_link_receiver_step(r, ACE_LINK_RX_ROW);
    row->took = (uint8_t)(row->took | 1u << l);
    r->next[l]++;
}

void ace_link_receiver_m_abort(ace_link_receiver *r, unsigned l, uint16_t s_expect) {
    ace_rx_step *const sum = ace_link_receiver_step(r, ACE_LINK_RX_SUM);
    sum->took = (uint8_t)(sum->took & ~(1u << l));
    r->next[l] = s_expect;
}

void ace_link_receiver_check(ace_link_receiver *r) {
    unsigned flipped = 0;
    for (unsigned age = ACE_LINK_RX_PINS; age < ACE_LINK_RX_VERDICT; age++)
        flipped |= ace_link_receiver_step(r, age)->pins.flipped;
    r->wrong = flipped != 0;
}

void ace_link_receiver_resolve(ace_link_receiver *r, const uint16_t expect[ACE_LINKS],
                               bool arrived) {
    const unsigned first = arrived; /* the age of the youngest that was only counted */
    if (!r->counted) return;
    r->counted = false;
    memcpy(r->next, expect, sizeof r->next);
    for (unsigned age = first + ACE_LINK_RX_STEPS - 1; --age > first;) {
        ace_rx_step *const s = ace_link_receiver_step(r, age);
        s->took = s->pins.frame;
        ace_link_count_frames(r->next, s->took);
    }
}
