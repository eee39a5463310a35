/* SPDX-License-Identifier: Apache-2.0 */
/* message_list.c -- see message_list.h */
#include "message_list.h"

#include <stdlib.h>

#include "ace_composition.h"

static void cross(void *self, uint32_t node, unsigned link, uint64_t rows) {
    (void)node; /* its like there sends over this node */
    ((message_list *)self)->link[link] += rows;
}

int message_list_make(const ace_command *c, const ace_config *cfg, message_list *m) {
    *m = (message_list){ 0 };
    if (ace_composition_check(c, cfg) != ACE_OK) return ACE_EINVAL;
    m->mail = calloc(2 * (size_t)c->messages, sizeof *m->mail);
    if (!m->mail) return ACE_ENOMEM;
    for (uint32_t i = 0; i < c->messages; i++) {
        const ace_message *one = &c->message[i];
        const unsigned ways = ace_message_ways(cfg, one->peer, one->bytes);

        for (unsigned way = 0; way < ways; way++) {
            const ace_message_way w = ace_message_on(cfg, one, way);

            m->rows += w.rows;
            m->mail[m->mails++] =
                (flow_mail){ .rows = w.rows, .label = one->label | way, .hops = w.hops };
        }
        ace_message_links(cfg, one, cross, m);
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
