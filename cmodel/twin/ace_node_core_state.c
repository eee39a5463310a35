/* SPDX-License-Identifier: Apache-2.0 */
/* ace_node_core_state.c -- a node looked at between two cycles: its counters, for a person, to a checkpoint */
#include <string.h>

#include "ace_node_core.h"

void ace_cycle_core_counts(const ace_core *core, ace_counts c) {
    const ace_cycle_core *n = (const ace_cycle_core *)core;
    memset(c, 0, sizeof(ace_counts)); /* of links that are not there */
    for (unsigned l = 0; l < n->links_count; l++) ace_link_port_classes(n->links.plain, l, c[l]);
    const ace_switch *s = &n->switch_;
    const ace_cycle_classes *k[] = { &n->memory->read,    &n->memory->write,  &n->tx_dma->classes,
                                     &n->rx_dma->classes, &s->count_reduce,   &s->count_store,
                                     &s->count_send[0],   &s->count_send[1],  &n->exchange->read,
                                     &n->exchange->write, &n->router->classes };
    enum { EXCHANGE = 8 }; /* from here on, cycles of rest are not counted yet */
    for (unsigned i = 0; i < ACE_UNITS - ACE_LINKS; i++) {
        ace_cycle_classes now = *k[i];
        now.idle += i >= EXCHANGE ? n->resting : 0;
        ace_cycle_classes_lanes(&now, c[ACE_LINKS + i]);
    }
}

void ace_cycle_core_dump(const ace_core *core, FILE *to) {
    const ace_cycle_core *n = (const ace_cycle_core *)core;
    const ace_scheduler *s = &n->scheduler;
    fprintf(to, "  dispatcher: %u collectives waiting\n", n->dispatcher.tail - n->dispatcher.head);
    for (unsigned i = 0; i <= s->store; i++) {
        char stage[16];
        snprintf(stage, sizeof stage, i == s->store ? "store" : i ? "phase %u" : "load", i - 1);
        fprintf(to, "  %-8s chunks %u..%u inside, %u waiting before it\n", stage, s->finished[i],
                s->admitted[i], (i ? s->finished[i - 1] : s->dispatched) - s->admitted[i]);
    }
    for (unsigned f = 0; f < n->p.fsms; f++)
        for (unsigned i = 0; i < n->p.contexts; i++) {
            const ace_fsm_context *c = &n->fsm[f].context[i];
            if (c->valid)
                fprintf(to, "  fsm %u.%u sends on %c%c: sent %u, received %u, written %u rows%s\n",
                        f, i, ACE_DIMENSION_LETTERS[c->link / 2], "+-"[c->link % 2], c -> sent,
                        c -> received, c -> written,
                        c -> clear || !c -> send.live ? "" : "; waits for its peer's grant");
        }
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (n->links.plain->out_count[l] || n->links.plain->in_count[l])
            fprintf(to, "  link %u: %u packets to send, %u credits, %u received\n", l,
                    n->links.plain->out_count[l], n->links.plain->credits[l],
                    n->links.plain->in_count[l]);
    for (unsigned l = 0; l < n->links_count; l++)
        if (n->cfg.retry && n->links.guard[l]->next != n->links.guard[l]->base)
            fprintf(to, "  link %u: %u frames not acknowledged, %u tries%s\n", l,
                    ace_link_guard_used(n->links.guard[l]), n->links.guard[l]->tries,
                    n->links.guard[l]->failed ? ", failed" : "");
    if (!n->exchanging) return;
    const ace_exchange *x = n->exchange;
    if (x->state == ACE_EXCHANGE_RUN && x->list)
        fprintf(to,
                "  exchange: a list, %llu rows of it to read, %u sends under way, key %u next, %u "
                "reads and %u writes outstanding\n",
                (unsigned long long)x->walk->fetch_left,
                (unsigned)__builtin_popcountll(x->walk->valid), ace_list_walk_receive_key(x->walk),
                x->reads, x->writes);
    else if (x->state == ACE_EXCHANGE_RUN)
        fprintf(to,
                "  exchange: row %llu of %llu, %llu of %llu rows arrived, %u reads and %u writes "
                "outstanding\n",
                (unsigned long long)x->row, (unsigned long long)x->block,
                (unsigned long long)x->arrived[x->odd[x->mask] << x->dimensions | x->mask],
                (unsigned long long)x->total, x->reads, x->writes);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (n->links.routed->out_count[l] || n->links.routed->in_count[l])
            fprintf(to, "  link %u: %u routed packets to send, %u credits, %u received\n", l,
                    n->links.routed->out_count[l], n->links.routed->credits[l],
                    n->links.routed->in_count[l]);
}

/* A pointer to a row of the scratchpad, or to the row of zeros, as a number. */
static void row_state(ace_cycle_core *n, const uint32_t **row, ace_state *s) {
    ace_row *const rows = n->scratchpad.banks.rows;
    uint64_t at = !*row ? 0
                  : *row == ace_node_zero_row
                      ? 1
                      : 2 + (uint64_t)(*row - (const uint32_t *)rows) / ACE_ROW_WORDS;
    ACE_STATE(s, at);
    *row = at == 0 ? NULL : at == 1 ? ace_node_zero_row : rows[at - 2];
}

/* Parameters, configuration and what follows from them are the creator's. */
void ace_cycle_core_state(ace_core *core, ace_state *s) {
    ace_cycle_core *n = (ace_cycle_core *)core;
    ace_dispatcher_state(&n->dispatcher, s);
    ace_scheduler_state(&n->scheduler, s);
    for (unsigned f = 0; f < n->p.fsms; f++) ace_fsm_state(&n->fsm[f], s);
    ace_switch_state(&n->switch_, s);
    ace_scratchpad_state(&n->scratchpad, s);
    ace_link_state(&n->links, s);
    ace_tx_dma_state(n->tx_dma, s);
    ace_rx_dma_state(n->rx_dma, s);
    ace_memory_interface_state(n->memory, s);
    ACE_STATE(s, *n->arbiter);
    ace_exchange_state(n->exchange, s);
    ACE_STATE(s, *n->router);
    ACE_STATE(s, n->exchanging);
    ACE_STATE(s, n->resting);

    for (unsigned i = 0; i < ACE_READ_CYCLES; i++) {
        for (unsigned pipe = 0; pipe < 2; pipe++) {
            ACE_STATE_BUT(s, n->outgoing[i][pipe], &n->outgoing[i][pipe].row);
            row_state(n, &n->outgoing[i][pipe].row, s);
        }
        row_state(n, &n->unloaded[i], s);
    }
    ACE_STATE(s, n->oldest);
    ACE_STATE(s, n->reduce_row);
    ACE_STATE(s, n->store_row);

    ACE_STATE(s, n->asked);
    ACE_STATE(s, n->ready);
    ACE_STATE(s, n->served);
    ACE_STATE(s, n->mixed);
    ACE_STATE(s, n->copies);
    ACE_STATE(s, n->granting);
    ACE_STATE(s, n->fetching);
    ACE_STATE(s, n->working);
    ACE_STATE(s, n->turning);
    ACE_STATE(s, n->program);
    ACE_STATE(s, n->wake);
    const uint32_t **const tx = n->out.tx_data;
    ACE_STATE_BUT(s, n->out, &tx[0], &tx[1], &tx[2], &tx[3], &tx[4], &tx[5], &tx[6], &tx[7],
                  &n->out.w_data);
    ace_link_point(&n->links, &n->out);
    ace_node_show_memory(n);
}
