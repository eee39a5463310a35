/* SPDX-License-Identifier: Apache-2.0 */
/* ace_node_core_state.c -- a node read between two cycles: its counters, for a person, to a
 * checkpoint */
#include <string.h>

#include "ace_node_core.h"

void ace_cycle_core_counts(const ace_core *core, ace_counts c) {
    const ace_cycle_core *n = (const ace_cycle_core *)core;
    memset(c, 0, sizeof(ace_counts)); /* of links that are not there */
    for (unsigned l = 0; l < n->nic.links.lanes; l++)
        ace_link_port_classes(n->nic.links.plain, l, c[l]);
    const ace_switch *s = &n->datapath.switch_;
    const ace_cycle_classes *k[] = { &n->memory_port.memory->read,
                                     &n->memory_port.memory->write,
                                     &n->memory_port.tx_dma->classes,
                                     &n->memory_port.rx_dma->classes,
                                     &s->count_reduce,
                                     &s->count_store,
                                     &s->count_send[0],
                                     &s->count_send[1],
                                     &n->nic.exchange->read,
                                     &n->nic.exchange->write,
                                     &n->nic.router->classes };
    enum { EXCHANGE = 8 }; /* from here on, cycles of rest are not counted yet */
    for (unsigned i = 0; i < ACE_UNITS - ACE_LINKS; i++) {
        ace_cycle_classes now = *k[i];
        now.idle += i >= EXCHANGE ? n->nic.idle_cycles_uncounted : 0;
        ace_cycle_classes_lanes(&now, c[ACE_LINKS + i]);
    }
}

/* Prints the chunks inside a stage, first to admitted - 1, and how many wait for it: admitted to
 * end - 1. */
static void dump_stage(const char *stage, uint32_t first, uint32_t admitted, uint32_t end,
                       FILE *to) {
    const uint32_t inside = admitted - first, wait = end - admitted;
    fprintf(to, "  %-8s ", stage);
    if (inside > 1)
        fprintf(to, "%u chunks inside (%u to %u)", inside, first, admitted - 1);
    else if (inside)
        fprintf(to, "1 chunk inside (%u)", first);
    else
        fprintf(to, "no chunk inside");
    fprintf(to, ", %u wait%s\n", wait, wait == 1 ? "s" : "");
}

void ace_cycle_core_dump(const ace_core *core, FILE *to) {
    const ace_cycle_core *n = (const ace_cycle_core *)core;
    const ace_scheduler *s = &n->front.scheduler;
    const ace_agreement *a = &n->front.agreement;
    if (a->tail != a->head)
        fprintf(to, "  agreement: %u collectives waiting, %u of them agreed on%s%c\n",
                a->tail - a->head, a->agreed, a->left ? "; receives from others along " : "",
                a->left ? ACE_DIMENSION_LETTERS[__builtin_ctz(a->left)] : ' ');
    fprintf(to, "  dispatcher: %u collectives waiting\n",
            ace_dispatcher_held(&n->front.dispatcher, 0) +
                ace_dispatcher_held(&n->front.dispatcher, 1));
    for (unsigned i = 0; i <= s->store; i++) {
        char stage[16];
        snprintf(stage, sizeof stage, i == s->store ? "store" : i ? "phase %u" : "load", i - 1);
        dump_stage(stage, s->finished[i], s->admitted[i], i ? s->finished[i - 1] : s->dispatched,
                   to);
    }
    for (unsigned f = 0; f < n->p.fsms; f++)
        for (unsigned i = 0; i < n->p.contexts; i++) {
            const ace_fsm_context *c = &n->phases.fsm[f].context[i];
            if (c->valid)
                fprintf(to, "  fsm %u.%u sends on %c%c: sent %u, received %u, written %u rows%s\n",
                        f, i, ACE_DIMENSION_LETTERS[c->link / 2], "+-"[c->link % 2], c -> sent,
                        c -> received, c -> written,
                        c -> clear || !c -> send.live ? "" : "; waits for its peer's grant");
        }
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (n->nic.links.plain->out_count[l] || n->nic.links.plain->in_count[l])
            fprintf(to, "  link %u: %u packets to send, %u credits, %u received\n", l,
                    n->nic.links.plain->out_count[l], n->nic.links.plain->credits[l],
                    n->nic.links.plain->in_count[l]);
    for (unsigned l = 0; l < n->nic.links.lanes; l++)
        if (n->cfg.retry && n->nic.links.guard[l]->next != n->nic.links.guard[l]->base)
            fprintf(to, "  link %u: %u frames not acknowledged, %u tries%s\n", l,
                    ace_link_guard_used(n->nic.links.guard[l]), n->nic.links.guard[l]->tries,
                    n->nic.links.guard[l]->failed ? ", failed" : "");
    if (!n->nic.exchange_active) return;
    const ace_exchange *x = n->nic.exchange;
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
                (unsigned long long)x->arrived[ace_exchange_key(x)], (unsigned long long)x->total,
                x->reads, x->writes);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (n->nic.links.routed->out_count[l] || n->nic.links.routed->in_count[l])
            fprintf(to, "  link %u: %u routed packets to send, %u credits, %u received\n", l,
                    n->nic.links.routed->out_count[l], n->nic.links.routed->credits[l],
                    n->nic.links.routed->in_count[l]);
}

/* A pointer to a row of the scratchpad, or to the row of zeros, as a number. */
static void row_state(ace_cycle_core *n, const uint32_t **row, ace_state *s) {
    ace_row *const rows = n->datapath.scratchpad.banks.rows;
    uint64_t at = !*row ? 0
                  : *row == ace_datapath_zero_row
                      ? 1
                      : 2 + (uint64_t)(*row - (const uint32_t *)rows) / ACE_ROW_WORDS;
    ACE_STATE(s, at);
    const uint64_t there =
        rows ? ace_scratchpad_banks_extra(&n->datapath.scratchpad.banks, ACE_SCRATCHPAD_READS, 0)
             : 0;
    ace_state_must(s, at < 2 + there, "ace_node.outgoing");
    *row = s->failed || at == 0 ? NULL : at == 1 ? ace_datapath_zero_row : rows[at - 2];
}

/* Checks the node's derived sets of FSMs, which it updates when an FSM changes. */
static void check_fsms(const ace_cycle_core *n, ace_state *s) {
    const unsigned all = n->phases.ready | n->phases.mixed | n->phases.copies | n->phases.granting |
                         n->phases.fetching | n->phases.working | n->phases.turning |
                         n->phases.closing | n->phases.exchanging | n->datapath.requests.copy_valid;
    ace_state_must(s, !(all >> n->p.fsms), "ace_node.ready");
    for (unsigned f = 0; f < n->p.fsms; f++) {
        const ace_fsm *m = &n->phases.fsm[f];
        ace_state_must(s, (n->phases.copies >> f & 1) == (m->copies != 0), "ace_node.copies");
        ace_state_must(s, (n->phases.granting >> f & 1) == (m->granting != 0), "ace_node.granting");
        ace_state_must(s, (n->phases.fetching >> f & 1) == ace_fsm_fetches(m), "ace_node.fetching");
        ace_state_must(s, (n->phases.working >> f & 1) == (m->working != 0), "ace_node.working");
        ace_state_must(s, (n->phases.turning >> f & 1) == (m->turning != 0), "ace_node.turning");
        ace_state_must(s, (n->phases.closing >> f & 1) == (m->closing != 0), "ace_node.closing");
        ace_state_must(s, (n->phases.exchanging >> f & 1) == (m->exchanging != 0),
                       "ace_node.exchanging");
        ace_state_must(s, m->alone == n->phases.alone, "ace_node.alone");
    }
    for (unsigned i = 0; i < ROOMS; i++)
        ace_state_must(s, !((n->phases.served[0][i] | n->phases.served[1][i]) >> n->p.fsms),
                       "ace_node.served");
}

static void check_pins(const ace_pins_out *o, ace_state *s) {
    ACE_STATE_BOOLS(s, "ace_node.out", &o->cmd_ready, &o->done_valid, &o->has_crc, &o->ar_valid,
                    &o->r_ready, &o->aw_valid, &o->w_valid, &o->w_last, &o->b_ready,
                    &o->memory_busy, &o->idle, &o->mismatch, &o->read_failed, &o->write_failed,
                    &o->protocol_failed, &o->memory_lost, &o->scratchpad_failed,
                    &o->transfer_failed, &o->transfer_failed_list, &o->parity_failed);
}

static void check_receiving(const ace_receiving *r, unsigned rows, ace_state *s) {
    ACE_STATE_BOOLS(s, "ace_node.receiving", &r->zero);
    ace_state_must(s, r->reduce_link < ACE_LINKS && r->store_link < ACE_LINKS,
                   "ace_node.receiving");
    for (unsigned i = 0; i < ACE_PIPE_SLOTS; i++)
        ace_state_must(s, r->reduce_row[i] < rows, "ace_node.reduce_row");
    ace_state_must(s, r->store_row < rows, "ace_node.store_row");
    ace_state_must(s, r->source < rows && r->copy_source < rows && r->copy_target < rows,
                   "ace_node.receiving");
}

static void check(const ace_cycle_core *n, ace_state *s) {
    const unsigned rows = n->p.bank_rows;
    check_pins(&n->out, s);
    ACE_STATE_BOOLS(s, "ace_node.wake", &n->front.wake, &n->phases.looking, &n->phases.alone,
                    &n->nic.exchange_active, &n->datapath.requests.load_valid,
                    &n->datapath.requests.load_first, &n->datapath.requests.unload_first);
    ace_state_must(s, n->datapath.oldest < n->datapath.sending, "ace_node.oldest");
    for (unsigned i = 0; i < 2 * n->datapath.sending; i++) {
        const ace_outgoing *o = &n->datapath.outgoing[i / 2][i % 2];
        ACE_STATE_BOOLS(s, "ace_node.outgoing", &o->valid);
        ace_switch_check_request(&o->request, rows, s, "ace_node.outgoing");
    }
    for (unsigned i = 0; i < 2 * ACE_SWITCH_QUEUES; i++)
        ace_switch_check_request(&n->datapath.switch_.queue[i / 2][i % 2], rows, s,
                                 "ace_switch.queue");
    check_receiving(&n->datapath.receiving, rows, s);
    ace_state_must(s,
                   n->datapath.requests.load_bank < ACE_BANKS &&
                       n->datapath.requests.unload_bank[0] < ACE_BANKS &&
                       n->datapath.requests.unload_bank[1] < ACE_BANKS &&
                       n->datapath.requests.unload_valid < 4,
                   "ace_node.load_bank");
    for (unsigned p = 0; p < ACE_PHASES; p++)
        ace_state_must(
            s, n->phases.program[p].loading <= ACE_PROGRAM_WORDS && n->phases.program[p].turn <= 4,
            "ace_program_ram.loading");
    for (unsigned p = 0; p < ACE_PHASES; p++) {
        const ace_program_ram *const r = &n->phases.program[p];
        ACE_STATE_BOOLS(s, "ace_program_ram.read", &r->read, &r->wrong);
        ace_state_must(s, r->at < ACE_PROGRAM_WORDS && r->wrong_at < ACE_PROGRAM_WORDS,
                       "ace_program_ram.at");
        if (ace_state_loaded(s)) /* flags are flags */
            ace_state_must(s, n->phases.looking || !(r->read | r->wrong), "ace_node.looking");
    }
    if (ace_state_loaded(s)) check_fsms(n, s);
}

/* A context is named where something is there. */
static void named(const ace_cycle_core *n, bool there, uint8_t context, const char *field,
                  ace_state *s) {
    const unsigned phases = n->p.fsms / n->phases.per_phase,
                   contexts = n->phases.per_phase * n->p.contexts;
    ace_state_must(s, !there || ace_context_is(context, phases, contexts), field);
}

static void named_grant(const ace_cycle_core *n, bool there, uint8_t context, const char *field,
                        ace_state *s) {
    named(n, there && context != ACE_NUMBER_CONTEXT, context, field, s);
}

/* Checks that packets and grants in the links and pipes name contexts that this engine has. */
static void check_contexts(const ace_cycle_core *n, ace_state *s) {
    const unsigned phases = n->p.fsms / n->phases.per_phase,
                   contexts = n->phases.per_phase * n->p.contexts;
    unsigned wrong = 0; /* frames with a bit that changed are dropped, whatever they name */
    for (unsigned i = 0; i < ACE_LINK_RX_STEPS * ACE_LINKS; i++) {
        const ace_rx_pins *const rx = &n->nic.links.receiver.step[i / ACE_LINKS].pins;
        const unsigned l = i % ACE_LINKS, good = ~(unsigned)rx->flipped;
        wrong |= rx->flipped;
        named(n, (rx->valid & ~rx->routed & good) >> l & 1, rx->link[l].context,
              "ace_link_receiver.context", s);
        named_grant(n, (rx->grant_valid & good) >> l & 1, rx->link[l].grant_context,
                    "ace_link_receiver.grant_context", s);
    }
    ace_link_port_check_contexts(n->nic.links.plain, phases, contexts, wrong, s);
    for (unsigned i = 0; i < ACE_LINK_TX_SLOTS * ACE_LINKS; i++) {
        const ace_tx_step *const tx = &n->nic.links.sender.step[i / ACE_LINKS];
        const unsigned l = i % ACE_LINKS;
        named(n, (tx->valid & ~tx->routed) >> l & 1, tx->tx[l].context, "ace_link_sender.context",
              s);
        named_grant(n, tx->grant_valid >> l & 1, tx->grant[l].context,
                    "ace_link_sender.grant_context", s);
    }
    for (unsigned l = 0; l < n->nic.links.lanes; l++) {
        const ace_pins_out *const o = &n->out;
        ace_link_guard_check_contexts(n->nic.links.guard[l], &n->nic.links.given[l], phases,
                                      contexts, s);
        named(n, n->datapath.requests.head_valid >> l & 1, n->datapath.requests.head_context[l],
              "ace_node.head_context", s);
        named(n, (o->tx_valid & ~o->tx_routed) >> l & 1, o->tx[l].context, "ace_node.out", s);
        named_grant(n, o->tx_grant_valid >> l & 1, o->tx_grant[l].context, "ace_node.out", s);
    }
    for (unsigned i = 0; i < 2 * n->datapath.sending; i++) {
        const ace_outgoing *const o = &n->datapath.outgoing[i / 2][i % 2];
        named(n, o->valid, o->context, "ace_node.outgoing", s);
    }
    for (unsigned i = 0; i < 2 * ACE_PIPE_SLOTS; i++) {
        const ace_pipe_stage *const p =
            &(i % 2 ? n->datapath.switch_.store : n->datapath.switch_.reduce)[i / 2];
        named(n, p->valid, p->context, "ace_switch.context", s);
    }
}

/* Parameters, configuration and what follows from them are the creator's. */
void ace_cycle_core_state(ace_core *core, ace_state *s) {
    ace_cycle_core *n = (ace_cycle_core *)core;
    ace_agreement_state(&n->front.agreement, s);
    ace_dispatcher_state(&n->front.dispatcher, s);
    ace_scheduler_state(&n->front.scheduler, s);
    for (unsigned f = 0; f < n->p.fsms; f++) ace_fsm_state(&n->phases.fsm[f], s);
    ace_switch_state(&n->datapath.switch_, s);
    ace_scratchpad_state(&n->datapath.scratchpad, s);
    ace_link_state(&n->nic.links, s);
    ace_tx_dma_state(n->memory_port.tx_dma, n->p.bank_rows, s);
    ace_rx_dma_state(n->memory_port.rx_dma, n->p.bank_rows, s);
    ace_memory_interface_state(n->memory_port.memory, s);
    ace_memory_arbiter_state(n->memory_port.arbiter, s);
    ace_exchange_state(n->nic.exchange, s);
    ace_router_state(n->nic.router, s);
    ACE_STATE(s, n->nic.exchange_active);
    ACE_STATE(s, n->nic.idle_cycles_uncounted);

    for (unsigned i = 0; i < n->datapath.sending; i++)
        for (unsigned pipe = 0; pipe < 2; pipe++) {
            ACE_STATE_BUT(s, n->datapath.outgoing[i][pipe], &n->datapath.outgoing[i][pipe].row);
            row_state(n, &n->datapath.outgoing[i][pipe].row, s);
        }
    for (unsigned i = 0; i < ACE_READ_CYCLES; i++) row_state(n, &n->datapath.unloaded[i], s);
    ACE_STATE(s, n->datapath.oldest);
    ACE_STATE(s, n->datapath.receiving);
    ACE_STATE(s, n->datapath.arrived);
    ACE_STATE(s, n->datapath.arrived_code);

    ACE_STATE(s, n->datapath.requests);
    ACE_STATE(s, n->phases.ready);
    ACE_STATE(s, n->phases.served);
    ACE_STATE(s, n->phases.mixed);
    ACE_STATE(s, n->phases.copies);
    ACE_STATE(s, n->phases.granting);
    ACE_STATE(s, n->phases.fetching);
    ACE_STATE(s, n->phases.working);
    ACE_STATE(s, n->phases.turning);
    ACE_STATE(s, n->phases.closing);
    ACE_STATE(s, n->phases.exchanging);
    ACE_STATE(s, n->phases.alone);
    ACE_STATE(s, n->phases.program);
    ACE_STATE(s, n->phases.looking);
    ACE_STATE(s, n->phases.wrongs);
    ACE_STATE(s, n->phases.unfit);
    ACE_STATE(s, n->front.wake);
    if (!s->loading) ace_link_point(&n->nic.links, &n->out); /* as its steps were moved */
    const uint32_t **const tx = n->out.tx_data;
    ACE_STATE_BUT(s, n->out, &tx[0], &tx[1], &tx[2], &tx[3], &tx[4], &tx[5], &tx[6], &tx[7],
                  &n->out.w_data);
    if (ace_state_loaded(s)) check(n, s);
    if (ace_state_loaded(s)) check_contexts(n, s);
    if (s->failed) return;
    ace_link_point(&n->nic.links, &n->out);
    ace_node_show_memory(n);
}
