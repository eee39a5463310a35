/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message_list.c -- rows that a command's messages put on each link, and their cycles
 *
 * The sends under way are served round-robin, a row each. A round costs what the busiest link
 * carries in it, until the shortest send ends and the next one takes its slot.
 */
#include "message_list.h"

#include <math.h>
#include <stdlib.h>

#include "ace_composition.h"
#include "ace_list_walk.h"

static void cross(void *self, uint32_t node, unsigned link, uint64_t rows) {
    (void)node; /* the corresponding node's message there crosses this node */
    ((message_list *)self)->link[link] += rows;
}

int message_list_make(const ace_command *c, const ace_config *cfg, message_list *m) {
    *m = (message_list){ 0 };
    if (ace_composition_check(c, cfg) != ACE_OK) return ACE_EINVAL;
    m->mail = calloc(2 * (size_t)c->messages, sizeof *m->mail);
    if (!m->mail) return ACE_ENOMEM;
    for (uint32_t i = 0; i < c->messages; i++) {
        const ace_message *one = &c->message[i];

        ace_message_links(cfg, one, cross, m);
    }
    for (uint32_t k = 0; k < 2 * c->messages; k++) { /* in the order of the list */
        uint32_t i;
        unsigned route;
        const ace_message_route w = ace_message_at(cfg, c, k, &i, &route);

        if (!w.rows) continue;
        m->rows += w.rows;
        m->mail[m->mails++] =
            (flow_mail){ .rows = w.rows, .label = c->message[i].label | route, .hops = w.hops };
    }
    return ACE_OK;
}

void message_list_free(message_list *m) {
    free(m->mail);
    *m = (message_list){ 0 };
}

unsigned message_steps(const flow_mail *m, const ace_config *cfg, unsigned dimension) {
    const unsigned left = m->hops >> 8 * dimension & 0x7f;

    return cfg->hub[dimension] ? left > 0 : left;
}

/* Returns the cycles of the busiest link in a round, in which each send under way sends a row. */
static double busiest(const message_list *m, const ace_config *cfg, const unsigned in_flight[],
                      unsigned count, const double cost[ACE_LINKS]) {
    double load[ACE_LINKS] = { 0 }, most = 0;

    for (unsigned i = 0; i < count; i++) {
        const flow_mail *mail = &m->mail[in_flight[i]];

        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            const unsigned l = 2 * d + (mail->hops >> (8 * d + 7) & 1);

            load[l] += message_steps(mail, cfg, d) * cost[l];
            most = fmax(most, load[l]);
        }
    }
    return most;
}

double message_list_cycles(const message_list *m, const ace_config *cfg,
                           const double cost[ACE_LINKS]) {
    unsigned in_flight[ACE_LIST_SENDS], count = 0, next = 0;
    uint64_t left[ACE_LIST_SENDS];
    double cycles = 0;

    for (;;) {
        uint64_t rounds = UINT64_MAX;

        for (; count < ACE_LIST_SENDS && next < m->mails; count++, next++) {
            in_flight[count] = next;
            left[count] = m->mail[next].rows;
        }
        if (!count) return cycles;
        for (unsigned i = 0; i < count; i++) rounds = left[i] < rounds ? left[i] : rounds;
        cycles += (double)rounds * busiest(m, cfg, in_flight, count, cost);
        unsigned keep = 0;
        for (unsigned i = 0; i < count; i++)
            if (left[i] > rounds) {
                in_flight[keep] = in_flight[i];
                left[keep++] = left[i] - rounds;
            }
        count = keep;
    }
}

static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }

message_ring message_list_ring(const message_list *m, const ace_config *cfg, unsigned d) {
    message_ring r = { .groups = cfg->ring[d] };

    if (cfg->hub[d]) return (message_ring){ .groups = 1 };
    for (unsigned i = 0; i < m->mails; i++) {
        const flow_mail *mail = &m->mail[i];
        const unsigned steps = message_steps(mail, cfg, d);
        const bool on = d + 1 < ACE_DIMENSIONS && mail->hops >> 8 * (d + 1) & 0x7f7f7f7f;

        r.groups = gcd(r.groups, steps);
        r.entering += steps && !(mail->hops >> (8 * d + 7) & 1) ? mail->rows : 0;
        r.turns_corner = r.turns_corner || (steps && on);
    }
    return r;
}
