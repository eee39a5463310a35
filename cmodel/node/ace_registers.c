/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_registers.c -- the registers of the agreement, dispatcher, scheduler and switch
 *
 * Each function walks a unit's registers in the RTL's names and works out their values from the
 * twin's state. Where the RTL keeps an intermediate value, such as a product of a division, the
 * value is computed again here. A register without meaning in the present state is listed as such,
 * not with a value. The FSMs, memory, exchange and links have files of their own.
 */
#include "ace_registers.h"

#include <string.h>

#include "ace_register_view.h"

static const ace_cycle_core *core_of(const ace_core *core) { return (const ace_cycle_core *)core; }

/* The ALUs' second operand, in the first of the cycles in which it waits for the other. */
static bool has_arrived(const ace_cycle_core *n) {
    const ace_pipe_stage *s =
        &n->datapath.switch_.reduce[ace_switch_stage(&n->datapath.switch_, 2)];
    return s->valid && !s->copy;
}

/* The checks of rows in use.  Rows that the twin does not have are loaded as zeros, whose code is
 * 0; no failed check waits to be reported. */
static void see_checks(const view *v) {
    for (unsigned use = 0; use < ACE_ROW_LISTED; use++) {
        char unit[32] = "u_memory_port.u_check";
        if (use < ACE_ROW_ROUTED_PLUS)
            snprintf(unit, sizeof unit, "u_datapath.g_use[%u].u_check", use);
        else if (use < ACE_ROW_WRITTEN)
            snprintf(unit, sizeof unit, "u_nic.g_pipe[%u].u_check", use - ACE_ROW_ROUTED_PLUS);
        const view check = { v->see, v->self, unit };
        see_may_differ(&check, "g_code.looked_q", 0, 0);
        see_may_differ(&check, "g_code.wrong_q", 0, 0);
    }
}

/* The codes of rows in the stages before the ALUs, and parallel to the ALUs. */
static void row_pipes(const view *outer, const ace_cycle_core *n) {
    static const char *const codes[] = { "code_2_q", "code_3_q", "waiting_code_q" };
    const view datapath = { outer->see, outer->self, "u_datapath" };
    const view nic = { outer->see, outer->self, "u_nic" };
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++)
        see_may_differ(&datapath, codes[i], 0, 0);
    see_may_differ(&datapath, "copied_q", 0, 0);
    const bool arrived = n->datapath.scratchpad.banks.rows && has_arrived(n);
    see_if(&nic, "arrived_code_q", arrived ? n->datapath.arrived_code : 0, arrived);
    see_may_differ(&nic, "storing_code_q", 0, 0);
}

/* The registers of ace_phases itself: grants that leave, partitions, parity. */
static void phases(const view *v, const ace_cycle_core *n) {
    /* the frames that ports and grants give in this cycle; with retry on, the guards send frames
     * of their own instead */
    const ace_tx_step *t = &n->nic.links.sender.step[n->nic.links.sender.at];
    uint64_t grants = t->grant_valid, grant = 0; /* peer, mark, context */
    if (n->cfg.retry) {
        grants = 0;
        for (unsigned l = 0; l < ACE_LINKS; l++)
            grants |= (n->nic.links.given[l].head >> ACE_FRAME_GRANT & 1) << l;
        if (grants) grant = n->nic.links.given[__builtin_ctzll(grants)].head >> 24;
    } else if (grants) {
        const unsigned l = (unsigned)__builtin_ctzll(grants);
        grant = (uint64_t)t->grant_peer[l] << 16 | (uint64_t)t->grant[l].mark << 8 |
                t->grant[l].context;
    }
    see(v, "grant_valid_q", grants);
    see_if(v, "grant_context_q", grant & 0xff, grants != 0);
    see_if(v, "grant_mark_q", grant >> 8 & 0xff, grants != 0);
    see_if(v, "grant_peer_q", grant >> 16, grants != 0);
    fields ends = { .bits = 0 };
    uint32_t end = 0;
    for (unsigned i = 0; i <= n->front.scheduler.phases; i++) {
        end += n->cfg.partition_rows[i];
        append(&ends, 12, end - 1u,
               n->front.scheduler.dispatched != 0); /* some cycles after a reset */
    }
    see_fields(v, "ends_q", 0, &ends);
    see(v, "alone_q", n->phases.alone);
    see(v, "wrongs_q", n->phases.wrongs);
    see(v, "parity_failed_q", n->out.parity_failed);
    see_if(v, "parity_failed_at_q", n->out.parity_failed_at, n->out.parity_failed);
    see(v, "count_parity_q", n->out.count_parity);
}

/* A command as the agreement's queue has it. */
static fields queued_command(const ace_agreed *c, unsigned dimensions, bool valid) {
    fields f = { .bits = 0 };
    append(&f, 16, c->tag, valid);
    append(&f, 41, c->bytes, valid);
    append(&f, 48, c->destination, valid);
    append(&f, 48, c->source, valid);
    for (unsigned d = 0; d < dimensions; d++) append(&f, 2, c->dims[d], valid && d < c->dim_count);
    append(&f, 3, c->dim_count, valid);
    append(&f, 32, c->scale, valid);
    append(&f, 3, c->op, valid);
    append(&f, 3, c->type, valid);
    append(&f, 2, c->kind, valid);
    return f;
}

static void agreement(const view *v, const ace_cycle_core *n) {
    const ace_agreement *a = &n->front.agreement;
    const uint32_t held = a->tail - a->head, wrap = 2 * a->commands;
    /* the first is read as it is agreed on, or in the cycle after the one before it has gone */
    fields first = queued_command(&a->queue[a->head % a->commands], a->dimensions,
                                  ace_agreement_m_cmd_valid(a));
    fields here = { .bits = 0 }, ahead = here, here_least = here, ahead_least = here;
    see(v, "head_q", a->head % wrap);
    see(v, "tail_q", a->tail % wrap);
    see(v, "fresh_q", held - a->agreed);
    see(v, "agreed_q", a->agreed);
    see(v, "popped_q", a->popped);
    see(v, "ready_q", a->ready);
    see(v, "left_q", a->left);
    see_if(v, "value_q", a->value, a->left || a->ready);
    see(v, "sent_q", a->sent);
    see(v, "open_q", a->open);
    see_if(v, "chunks_q", a->chunks, a->open);
    for (unsigned d = 0; d < a->dimensions; d++) {
        append(&here, 7, a->here[d].count, true);
        append(&here_least, 8, a->here[d].least, true);
        append(&ahead, 7, a->ahead[d].count, true);
        append(&ahead_least, 8, a->ahead[d].least, true);
    }
    see_fields(v, "here_q", 0, &here);
    see_fields(v, "here_least_q", 0, &here_least);
    see_fields(v, "ahead_q", 0, &ahead);
    see_fields(v, "ahead_least_q", 0, &ahead_least);
    see_fields(v, "first", 0, &first);
    for (unsigned i = 0; i < a->commands; i++) {
        const fields f =
            queued_command(&a->queue[i], a->dimensions, (i - a->head) % a->commands < held);
        see_fields(v, "u_queue.memory", i, &f);
    }
}

/* A command as the dispatcher's table has it. */
static void see_command(const view *v, unsigned at, const ace_waiting *w, unsigned dimensions,
                        bool valid) {
    fields f = { .bits = 0 };
    append(&f, 8, w->mark, valid);
    append(&f, 16, w->tag, valid);
    append(&f, 33, w->rows, valid);
    append(&f, 48, w->limit, valid);
    append(&f, 48, w->destination, valid);
    append(&f, 48, w->source, valid);
    append(&f, 2 * dimensions, packed_bytes(w->dims, ACE_DIMENSIONS, 2), valid);
    append(&f, 3, w->count, valid);
    append(&f, 32, (uint32_t)w->scale, valid);
    append(&f, 3, w->op, valid);
    append(&f, 3, w->type, valid);
    append(&f, 2, w->kind, valid);
    append(&f, 5, w->scale >> 32, valid);
    see_fields(v, "table_q", at, &f);
}

/* The chunk that is offered, and the command it is cut from. */
static void dispatcher_offers(const view *v, const ace_dispatcher *d, const ace_config *cfg) {
    const bool offers = ace_dispatcher_chunk_valid(d);
    const ace_waiting *w = &d->waiting[d->at];
    const ace_chunk *c = &d->chunk;
    see_if(v, "at_q", d->at, offers);
    see_if(v, "at_class_q", d->class_at, offers);
    see_if(v, "rows_cut_q", d->rows_cut, offers);
    see_if(v, "kind_q", w->kind, offers);
    see_if(v, "type_q", w->type, offers);
    see_if(v, "op_q", w->op, offers);
    see_if(v, "scale_q", w->scale, offers);
    see_if(v, "count_q", w->count, offers);
    see_if(v, "dims_q", packed_bytes(w->dims, ACE_DIMENSIONS, 2), offers);
    see_if(v, "source_q", w->source, offers);
    see_if(v, "dest_q", w->destination, offers);
    see_if(v, "limit_q", w->limit, offers);
    see_if(v, "rows_q", w->rows, offers);
    see_if(v, "tag_q", w->tag, offers);
    see_if(v, "mark_q", w->mark, offers);
    see_if(v, "kinds_q", packed_bytes(c->kinds, ACE_PHASES, 2), offers);
    see_if(v, "chunk_dims_q", packed_bytes(c->dims, ACE_PHASES, 2), offers);
    see_if(v, "chunk_shards_q", packed(c->shards, ACE_PHASES, 11), offers);
    see_if(v, "valids_q", packed(c->valids, ACE_PHASES, 11), offers);
    see_if(v, "load_address_q", c->load_address, offers);
    see_if(v, "load_rows_q", c->load_rows, offers);
    see_if(v, "store_address_q", c->store_address, offers);
    see_if(v, "store_rows_q", c->store_rows, offers);
    see_if(v, "chunk_limit_q", c->limit, offers);
    see_if(v, "load_burst_q", c->load_burst, offers);
    see_if(v, "store_burst_q", c->store_burst, offers);
    see_if(v, "last_q", c->last, offers);
    uint32_t shard = 0, first = 0;
    fields shards = { .bits = 0 };
    for (unsigned i = 0; i < d->dimensions; i++) { /* as each division leaves it */
        const uint32_t block_rows = i == 0                      ? d->rows_cut
                                    : w->kind == ACE_ALL_REDUCE ? first
                                                                : shard;
        const uint32_t ring = cfg->ring[w->dims[i]];
        shard = i < w->count ? (block_rows + ring - 1) / ring : 0;
        if (i == 0) first = shard;
        append(&shards, 11, shard, offers);
    }
    see_fields(v, "shards_q", 0, &shards);
}

static void dispatcher(const view *v, const ace_cycle_core *n) {
    static const uint8_t state[] = { [ACE_DISPATCH_EMIT] = 5, [ACE_DISPATCH_WAIT] = 6 };
    const ace_dispatcher *d = &n->front.dispatcher;
    const bool plans = d->state == ACE_DISPATCH_PLAN;
    see(v, "head_q", d->head[0] % (2 * d->commands[0]));
    see(v, "tail_q", d->tail[0] % (2 * d->commands[0]));
    see(v, "head_1_q", d->head[1] % (2 * d->commands[1]));
    see(v, "tail_1_q", d->tail[1] % (2 * d->commands[1]));
    see(v, "left_0_q", d->left[0]);
    see(v, "left_1_q", d->left[1]);
    see_if(v, "enter_class_q", d->class_enter, d->entering);
    see(v, "next_mark_q", d->next_mark);
    see(v, "entering_q", d->entering != 0);
    see_if(v, "state_q", state[d->state], !plans);
    see_if(v, "plan_q", 0, !plans);
    dispatcher_offers(v, d, &n->cfg);
    for (unsigned c = 0; c < ACE_COMMAND_CLASSES; c++) {
        const bool enters = d->entering && d->class_enter == c; /* it is written when scaled */
        for (unsigned i = 0; i < d->commands[c]; i++) {
            const unsigned at = ace_dispatcher_index(d, c, i),
                           position = (i - d->head[c]) % d->commands[c];
            see_command(v, at, &d->waiting[at], d->dimensions,
                        position < ace_dispatcher_held(d, c) - enters);
        }
    }
}

/* A chunk as the scheduler's table has it. */
static void see_chunk(const view *v, const char *name, unsigned at, const ace_chunk *c,
                      unsigned phases, bool valid) {
    fields f = { .bits = 0 };
    for (unsigned p = 0; p < phases; p++) append(&f, 11, c->valids[p], valid);
    for (unsigned p = 0; p < phases; p++) append(&f, 11, c->shards[p], valid);
    for (unsigned p = 0; p < phases; p++) append(&f, 2, c->dims[p], valid);
    for (unsigned p = 0; p < phases; p++) append(&f, 2, c->kinds[p], valid);
    append(&f, 8, c->mark, valid);
    append(&f, 37, c->scale, valid);
    append(&f, 3, c->op, valid);
    append(&f, 3, c->type, valid);
    append(&f, 3, c->load_burst, valid);
    append(&f, 3, c->store_burst, valid);
    append(&f, 11, c->load_rows, valid);
    append(&f, 48, c->load_address, valid);
    append(&f, 11, c->store_rows, valid);
    append(&f, 48, c->store_address, valid);
    append(&f, 48, c->limit, valid);
    append(&f, 1, c->last, valid);
    append(&f, 16, c->tag, valid);
    see_fields(v, name, at, &f);
}

/* The chunk that enters: its rings are chosen, multiplied, added. */
static void scheduler_enters(const view *v, const ace_scheduler *s) {
    const ace_chunk *c = &s->flight[s->dispatched % ACE_CHUNKS].chunk;
    const bool enters = s->enter != 0;
    fields shards = { .bits = 0 }, rings = shards, low = shards, high = shards, block = shards;
    for (unsigned p = 0; p < s->phases; p++) {
        const unsigned ring = s->cfg->ring[c->dims[p]], shard = c->shards[p];
        append(&shards, 11, shard, enters);
        append(&rings, 8, ring, s->enter > 1);
        append(&low, 12, shard * (ring & 15), s->enter > 2);
        append(&high, 8, shard * (ring >> 4), s->enter > 2);
        append(&block, 12, shard * ring, s->enter > 3);
    }
    see(v, "enter_q", s->enter);
    see_if(v, "enter_kinds_q", packed_bytes(c->kinds, ACE_PHASES, 2), enters);
    see_if(v, "enter_dims_q", packed_bytes(c->dims, ACE_PHASES, 2), enters);
    see_fields(v, "enter_shards_q", 0, &shards);
    see_if(v, "enter_rows_q", c->load_rows, enters);
    see_fields(v, "enter_ring_q", 0, &rings);
    see_fields(v, "enter_low_q", 0, &low);
    see_fields(v, "enter_high_q", 0, &high);
    see_fields(v, "enter_block_q", 0, &block);
}

/* The decision under way, and what it has read of its chunk. */
static void scheduler_decides(const view *v, const ace_scheduler *s) {
    const ace_flight *f = &s->flight[s->at];
    const bool decides = s->step != ACE_SCHEDULER_PICK, acts = s->step == ACE_SCHEDULER_ACT;
    const bool shows = s->step == ACE_SCHEDULER_SHOW, store = s->stage == s->store;
    const unsigned part = store ? s->phases : s->stage; /* and the one that is come to, or left */
    const unsigned room = s->finish ? s->stage - 1u : s->stage;
    const unsigned bank = s->at % ACE_BANKS,
                   end = s->base[part] + s->cfg->partition_rows[part] - 1u;
    const bool reserves = acts && room < s->store;
    see(v, "step_q", s->step);
    see_if(v, "stage_q", s->stage, decides);
    see_if(v, "at_q", s->at, decides);
    see_if(v, "finish_q", s->finish, decides);
    see_chunk(v, "read_q", 0, &f->chunk, s->phases, acts);
    see_if(v, "chunk_first_q", f->first, acts);
    see_if(v, "chunk_base_q", s->base[part], acts);
    see_if(v, "chunk_end_q", end & 0xfff, acts);
    see_if(v, "chunk_part_q", s->cfg->partition_rows[part], acts || shows);
    see_if(v, "chunk_next_q", reserves ? s->next[room][bank] : 0u, reserves);
    see_if(v, "chunk_used_q", reserves ? s->used[room][bank] : 0u, reserves);
    const bool sums = shows && !s->finish && !store;
    see_if(v, "chunk_sum_q", sums ? (uint64_t)s->next[room][bank] + f->needs[room] : 0u, sums);
}

static void scheduler_bus(const view *v, const ace_scheduler *s) {
    const bool load = s->bus == ACE_ACT_LOAD, store = s->bus == ACE_ACT_STORE, job = load || store;
    const bool admits = s->bus == ACE_ACT_ADMIT;
    const ace_job *j = &s->job;
    const ace_admission *a = &s->admission;
    see(v, "load_q", load);
    see(v, "store_q", store);
    see(v, "admit_q", admits);
    see(v, "release_q", s->bus == ACE_ACT_RELEASE);
    see(v, "done_q", s->done_valid);
    see_if(v, "tag_q", s->done_tag, s->done_valid);
    see_if(v, "job_address_q", j->address, job);
    see_if(v, "job_rows_q", j->rows, job);
    see_if(v, "job_limit_q", j->limit, job);
    see_if(v, "job_burst_q", j->burst, job);
    see_if(v, "job_base_q", j->base, job);
    see_if(v, "job_end_q", j->end, job);
    see_if(v, "source_row_q", store ? j->row : a->source_row, store || admits);
    see_if(v, "target_row_q", load ? j->row : a->target_row, load || admits);
    see_if(v, "kind_q", a->kind, admits);
    see_if(v, "dim_q", a->dim, admits);
    see_if(v, "ring_q", a->ring, admits);
    see_if(v, "rank_q", a->rank, admits);
    see_if(v, "shard_q", a->shard, admits);
    see_if(v, "valids_q", a->valids, admits);
    see_if(v, "type_q", a->type, admits);
    see_if(v, "op_q", a->op, admits);
    see_if(v, "scale_q", a->scale, admits);
    see_if(v, "mark_q", a->mark, admits);
    see(v, "oldest_q", packed_bytes(s->oldest, s->phases, 5));
}

/* A partition: the rows that each chunk needs there, their position, and the entries being read. */
static void scheduler_partition(const view *outer, const ace_scheduler *s, unsigned g) {
    char unit[64];
    snprintf(unit, sizeof unit, "%s.g_stage[%u].g_partition", outer->unit, g);
    const view v = { outer->see, outer->self, unit };
    const uint32_t oldest = s->finished[s->store], inside = s->dispatched - oldest;
    const bool acts = s->step == ACE_SCHEDULER_ACT;
    bool read = false;
    for (unsigned i = 0; i < ACE_CHUNKS; i++) {
        const uint32_t number = oldest + (i - oldest) % ACE_CHUNKS;
        const bool flies = (i - oldest) % ACE_CHUNKS < inside;
        bool computed = flies && (int32_t)(s->admitted[g] - number) > 0;
        /* an admission has moved the pointer on and not yet the block */
        if (acts && !s->finish && s->stage == g && s->at == i) computed = false;
        see_entry(&v, "needs_q", i, s->flight[i].needs[g], flies);
        see_entry(&v, "rows_q", i, s->flight[i].rows[g], computed);
        if (i == s->at) read = computed && acts;
    }
    see_if(&v, "row_q", s->flight[s->at].rows[g], read);
    see_if(&v, "need_q", s->look.need[g], s->look.may >> g & 1 || acts);
    see_if(&v, "sum_q", s->look.sum[g], s->look.asks >> g & 1);
}

static void scheduler(const view *v, const ace_cycle_core *n) {
    const ace_scheduler *s = &n->front.scheduler;
    const ace_look *k = &s->look;
    const uint32_t oldest = s->finished[s->store], inside = s->dispatched - oldest;
    const bool known = s->dispatched != 0; /* some cycles after a reset */
    fields base = { .bits = 0 }, end = base;
    see(v, "dispatched_q", s->dispatched % (2 * ACE_CHUNKS));
    for (unsigned i = 0; i <= s->store; i++) {
        see_entry(v, "admitted_q", i, s->admitted[i] % (2 * ACE_CHUNKS), true);
        see_entry(v, "finished_q", i, s->finished[i] % (2 * ACE_CHUNKS), true);
    }
    see(v, "loaded_q", s->loaded);
    see(v, "stored_q", s->stored);
    for (unsigned i = 0; i < s->store; i++) {
        for (unsigned b = 0; b < ACE_BANKS; b++) {
            see_entry(v, "used_q", i * ACE_BANKS + b, s->used[i][b], true);
            see_entry(v, "next_q", i * ACE_BANKS + b, s->next[i][b], true);
        }
        append(&base, 12, s->base[i], known);
        append(&end, 12, s->base[i] + s->cfg->partition_rows[i] - 1u, known);
    }
    see_fields(v, "base_q", 0, &base);
    see_fields(v, "end_q", 0, &end);
    see(v, "over_q", k->over);
    see(v, "may_q", k->may);
    see(v, "asks_q", k->asks);
    see(v, "can_admit_q", k->can_admit);
    see_masked(v, "loads_q", 0, k->loads, k->may);
    see_masked(v, "starts_q", 0, k->starts, k->asks);
    scheduler_decides(v, s);
    scheduler_bus(v, s);
    scheduler_enters(v, s);
    for (unsigned i = 0; i < ACE_CHUNKS; i++) {
        const ace_flight *f = &s->flight[i];
        const bool flies = (i - oldest) % ACE_CHUNKS < inside;
        const bool enters = s->enter && i == s->dispatched % ACE_CHUNKS;
        see_chunk(v, "table_q", i, &f->chunk, s->phases, flies || enters);
        see_entry(v, "first_q", i, f->first, flies);
    }
    for (unsigned g = 0; g < s->store; g++) scheduler_partition(v, s, g);
}

static void switch_receives(const view *v, const ace_cycle_core *n) {
    const ace_switch *s = &n->datapath.switch_;
    uint64_t reduces = 0, copies = 0, stores = 0;
    fields reduced = { .bits = 0 }, stored = { .bits = 0 };
    for (unsigned stage = 1; stage <= ACE_DONE_STAGE; stage++) {
        const ace_pipe_stage *r = &s->reduce[ace_switch_stage(s, stage)];
        const ace_pipe_stage *w = &s->store[ace_switch_stage(s, stage)];
        reduces |= (uint64_t)r->valid << (stage - 1);
        copies |= (uint64_t)r->copy << (stage - 1);
        append(&reduced, 8, r->context, r->valid);
        if (stage > ACE_REPORT_STAGE) continue;
        stores |= (uint64_t)w->valid << (stage - 1);
        append(&stored, 8, w->context, w->valid);
    }
    see(v, "reduce_valid_q", reduces);
    see_masked(v, "reduce_copy_q", 0, copies, reduces);
    see_fields(v, "reduce_context_q", 0, &reduced);
    see(v, "store_valid_q", stores);
    see_fields(v, "store_context_q", 0, &stored);
    const ace_pipe_stage *first = &s->reduce[s->at];
    const bool arrived = first->valid && !first->copy, storing = s->store[s->at].valid;
    see_if(v, "reduce_link_q", n->datapath.receiving.reduce_link, arrived);
    see_if(v, "reduce_mark_q", n->datapath.receiving.reduce_mark, arrived);
    see_if(v, "copy_source_q", n->datapath.receiving.copy_source, first->valid && first->copy);
    see_if(v, "copy_target_q", n->datapath.receiving.copy_target, first->valid && first->copy);
    see_if(v, "store_link_q", n->datapath.receiving.store_link, storing);
    see_if(v, "store_mark_q", n->datapath.receiving.store_mark, storing);
    const bool stage_2 = s->reduce[ace_switch_stage(s, 2)].valid;
    see_if(v, "read_row_q", n->datapath.receiving.source, stage_2);
    see_if(v, "reduce_zero_q", n->datapath.receiving.zero, stage_2);
    see_if(v, "store_row_q", n->datapath.receiving.store_row,
           s->store[ace_switch_stage(s, 2)].valid);
    see(v, "reduce_turn_q", s->reduce_turn % n->nic.links.lanes);
    see(v, "store_turn_q", s->store_turn % n->nic.links.lanes);
    see(v, "load_waits_q", s->load_waits);
}

static void switch_queues(const view *v, const ace_switch *s) {
    uint64_t valid = 0, zero = 0, reduce = 0;
    fields link = { .bits = 0 }, index = link, row = link, mark = link, peer = link;
    for (unsigned i = 0; i < 2 * s->queues; i++) { /* two slots each */
        const unsigned l = i / 2;
        const ace_request *r = &s->queue[l][i % 2];
        const bool there = (s->queue_any >> l & 1) &&
                           ((s->queue_two >> l & 1) || (s->queue_old >> l & 1) == i % 2);
        valid |= (uint64_t)there << i;
        zero |= (uint64_t)r->send.zero << i;
        reduce |= (uint64_t)r->send.reduce << i;
        append(&link, 3, r->send.link, there);
        append(&index, 5, r->send.index, there);
        append(&row, 12, r->row, there);
        append(&mark, 8, r->send.mark, there);
        append(&peer, 8, r->send.peer, there);
    }
    see(v, "queue_any_q", s->queue_any);
    see(v, "queue_two_q", s->queue_two);
    see(v, "queue_old_q", s->queue_old);
    see_masked(v, "queue_zero_q", 0, zero, valid);
    see_masked(v, "queue_reduce_q", 0, reduce, valid);
    see_fields(v, "queue_link_q", 0, &link);
    see_fields(v, "queue_index_q", 0, &index);
    see_fields(v, "queue_row_q", 0, &row);
    see_fields(v, "queue_mark_q", 0, &mark);
    see_fields(v, "queue_peer_q", 0, &peer);
    see(v, "plus_turn_q", s->plus_turn % s->dimensions);
    see(v, "minus_turn_q", s->minus_turn % s->dimensions);
}

static void switch_sends(const view *v, const ace_cycle_core *n) {
    uint64_t valid = 0, reduce = 0, zero = 0;
    fields link = { .bits = 0 }, context_ = link, mark = link, peer = link, bank = link, row = link;
    for (unsigned i = 0; i < 2 * ACE_SENT_CYCLES; i++) { /* the last cycle's are the lowest */
        const unsigned age = 1 + i / 2;
        const ace_outgoing *o =
            &n->datapath.outgoing[(n->datapath.oldest + n->datapath.sending - age) %
                                  n->datapath.sending][i % 2];
        const ace_send *send = &o->request.send;
        valid |= (uint64_t)o->valid << i;
        reduce |= (uint64_t)send->reduce << i;
        zero |= (uint64_t)send->zero << i;
        append(&link, 3, send->link, o->valid);
        append(&context_, 8, o->context, o->valid);
        append(&mark, 8, send->mark, o->valid);
        append(&peer, 8, send->peer, o->valid);
        if (age > 1) continue;
        append(&bank, 2, o->context % ACE_BANKS, o->valid);
        append(&row, 12, o->request.row, o->valid);
    }
    see(v, "send_valid_q", valid);
    see_masked(v, "send_reduce_q", 0, reduce, valid);
    see_masked(v, "send_zero_q", 0, zero, valid);
    see_fields(v, "send_link_q", 0, &link);
    see_fields(v, "send_context_q", 0, &context_);
    see_fields(v, "send_mark_q", 0, &mark);
    see_fields(v, "send_peer_q", 0, &peer);
    see_fields(v, "send_bank_q", 0, &bank);
    see_fields(v, "send_row_q", 0, &row);
}

static void switch_(const view *v, const ace_cycle_core *n) {
    const ace_switch *s = &n->datapath.switch_;
    switch_receives(v, n);
    switch_queues(v, s);
    switch_sends(v, n);
    see_classes(v, "u_datapath.u_switch.u_reduce", &s->count_reduce);
    see_classes(v, "u_datapath.u_switch.u_store", &s->count_store);
    see_classes(v, "u_datapath.u_switch.u_plus", &s->count_send[0]);
    see_classes(v, "u_datapath.u_switch.u_minus", &s->count_send[1]);
}

/* Units that decide are listed before units that follow.  If several registers differ in one cycle,
 * the first is then the likelier cause. */
void ace_cycle_core_registers(const ace_core *core, ace_register_see *see_, void *self) {
    const ace_cycle_core *const n = core_of(core);
    view v = { see_, self, "u_front.u_agreement" };
    agreement(&v, n);
    v.unit = "u_front.u_dispatcher";
    dispatcher(&v, n);
    v.unit = "u_front.u_scheduler";
    scheduler(&v, n);
    v.unit = "u_datapath.u_switch";
    switch_(&v, n);
    ace_registers_fsms(&v, n);
    ace_registers_memory(&v, n);
    v.unit = "u_nic.u_exchange";
    ace_registers_exchange(&v, n);
    v.unit = "u_nic.u_router";
    ace_registers_router(&v, n);
    ace_registers_links(&v, n);
    v.unit = "u_phases";
    phases(&v, n);
    row_pipes(&v, n);
    see_checks(&v);
}

void ace_cycle_core_rows(const ace_core *core, ace_row_register_see *see_row, void *self) {
    const ace_cycle_core *const n = core_of(core);
    ace_registers_memory_rows(see_row, self, n);
    ace_registers_exchange_rows(see_row, self, n);
    ace_registers_link_rows(see_row, self, n);
    static const char *const waits[] = { "row_2_q", "row_3_q", "waiting_row_q" };
    const bool arrived = n->datapath.scratchpad.banks.rows && has_arrived(n);
    see_row(self, &(ace_row_register){ .unit = "u_nic",
                                       .name = "arrived_row_q",
                                       .row = arrived ? n->datapath.arrived : NULL });
    see_row(self, &(ace_row_register){ .unit = "u_nic", .name = "storing_row_q" });
    for (unsigned i = 0; i < sizeof waits / sizeof *waits; i++)
        see_row(self, &(ace_row_register){ .unit = "u_datapath", .name = waits[i] });
}

const uint32_t *ace_cycle_core_scratchpad(const ace_core *core, unsigned bank, unsigned row) {
    return ace_scratchpad_row(&core_of(core)->datapath.scratchpad, bank, row);
}

void ace_cycle_core_chunks(const ace_core *core, uint32_t *entered, uint32_t *left) {
    const ace_cycle_core *const n = core_of(core);
    *entered = n->front.scheduler.dispatched;
    *left = n->front.scheduler.finished[n->front.scheduler.store];
}

uint16_t ace_cycle_core_chunk_tag(const ace_core *core, uint32_t chunk) {
    return core_of(core)->front.scheduler.flight[chunk % ACE_CHUNKS].chunk.tag;
}

bool ace_cycle_core_context_chunk(const ace_core *core, unsigned phase, unsigned index,
                                  uint32_t *chunk) {
    const ace_scheduler *s = &core_of(core)->front.scheduler;
    const unsigned stage = phase + 1;
    for (uint32_t c = s->finished[stage]; c != s->admitted[stage]; c++)
        if (c % s->contexts == index) {
            *chunk = c;
            return true;
        }
    return false;
}

bool ace_cycle_core_chunk_of_slot(const ace_core *core, const char *name, unsigned at,
                                  uint32_t *chunk) {
    static const char *const slots[] = { "table_q", "first_q", "needs_q", "rows_q" };
    const ace_scheduler *s = &core_of(core)->front.scheduler;
    const uint32_t oldest = s->finished[s->store];
    const char *dot = strrchr(name, '.'); /* behind the partition */
    bool one = false;
    if (dot) name = dot + 1;
    for (unsigned i = 0; i < sizeof slots / sizeof *slots; i++) one |= !strcmp(name, slots[i]);
    if (!one) return false;
    *chunk = oldest + (at - oldest) % ACE_CHUNKS;
    return *chunk - oldest < s->dispatched - oldest;
}

unsigned ace_cycle_core_phase_fsms(const ace_core *core) { return core_of(core)->phases.per_phase; }

bool ace_cycle_core_exchange_tag(const ace_core *core, uint16_t *tag) {
    const ace_exchange *x = core_of(core)->nic.exchange;
    *tag = x->tag;
    return x->state != ACE_EXCHANGE_IDLE;
}

bool ace_cycle_core_exchanges(const ace_core *core) { return core_of(core)->nic.exchange_active; }

bool ace_cycle_core_divides(const ace_core *core) {
    const ace_cycle_core *const n = core_of(core);
    return ace_dispatcher_computes(&n->front.dispatcher) ||
           n->nic.exchange->state == ACE_EXCHANGE_SETUP;
}

void ace_cycle_core_due(const ace_core *core, uint16_t numbers[ACE_LINKS]) {
    for (unsigned l = 0; l < ACE_LINKS; l++)
        numbers[l] = ace_link_due(&core_of(core)->nic.links, l);
}
