/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_registers.h"

#include <string.h>

#include "ace_register_view.h"
#include "ace_row_sum.h"

static const ace_cycle_core *core_of(const ace_core *core) { return (const ace_cycle_core *)core; }

/* The head is a register of its own; what is behind it is a ring. */
static void row_fifo(const view *outer, const char *unit, const ace_row_fifo *f) {
    const view v = { outer->see, outer->self, unit };
    const unsigned behind = f->depth - 1, back = f->count > 1 ? f->count - 1 : 0;
    see(&v, "count_q", f->count);
    see_placed(&v, "rd_q", 0, 0);
    see_placed(&v, "wr_q", 0, back % behind);
    for (unsigned i = 0; i < f->depth; i++) {
        const unsigned at = (f->head + i) & f->mask;
        const uint64_t side = (uint64_t)f->last[at] << 16 | f->bytes[at];
        if (i == 0)
            see_if(&v, "head_side_q", side, f->count != 0);
        else
            see_ring(&v, "back_side_q", "rd_q", i - 1, side, i < f->count);
    }
}

static void node(const view *v, const ace_cycle_core *n) {
    /* what is given in this cycle, which is on its way to the pins; with retry on the guards send what
     * they have to in its place */
    const ace_tx_step *t = &n->links.sender.step[n->links.sender.at];
    uint64_t grants = t->grant_valid, grant = 0; /* peer, mark, context */
    if (n->cfg.retry) {
        grants = 0;
        for (unsigned l = 0; l < ACE_LINKS; l++)
            grants |= (n->links.given[l].head >> ACE_FRAME_GRANT & 1) << l;
        if (grants) grant = n->links.given[__builtin_ctzll(grants)].head >> 24;
    } else if (grants) {
        const unsigned l = (unsigned)__builtin_ctzll(grants);
        grant = (uint64_t)t->grant_peer[l] << 16 | (uint64_t)t->grant[l].mark << 8 |
                t->grant[l].context;
    }
    see(v, "grant_valid_q", grants);
    see_if(v, "grant_context_q", grant & 0xff, grants != 0);
    see_if(v, "grant_mark_q", grant >> 8 & 0xff, grants != 0);
    see_if(v, "grant_peer_q", grant >> 16, grants != 0);
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
    append(&f, 37, w->scale, valid);
    append(&f, 3, w->op, valid);
    append(&f, 3, w->type, valid);
    append(&f, 2, w->kind, valid);
    see_fields(v, "table_q", at, &f);
}

/* What is offered, and the command it is cut from. */
static void dispatcher_offers(const view *v, const ace_dispatcher *d, const ace_config *cfg) {
    const bool offers = d->state == ACE_DISPATCH_EMIT;
    const ace_waiting *w = &d->waiting[d->at % d->commands];
    const ace_chunk *c = &d->chunk;
    see_if(v, "at_q", d->at, offers);
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
        const uint32_t whole = i == 0 ? d->rows_cut : w->kind == ACE_ALL_REDUCE ? first : shard;
        const uint32_t ring = cfg->ring[w->dims[i]];
        shard = i < w->count ? (whole + ring - 1) / ring : 0;
        if (i == 0) first = shard;
        append(&shards, 11, shard, offers);
    }
    see_fields(v, "shards_q", 0, &shards);
}

static void dispatcher(const view *v, const ace_cycle_core *n) {
    enum { RTL_EMIT = 6 };
    const ace_dispatcher *d = &n->dispatcher;
    const bool scales = d->state == ACE_DISPATCH_SCALE, computes = ace_dispatcher_computes(d);
    const uint32_t held = d->tail - d->head;
    see(v, "head_q", d->head % (2 * d->commands));
    see(v, "tail_q", d->tail % (2 * d->commands));
    see(v, "next_mark_q", d->next_mark);
    see_if(v, "state_q", d->state == ACE_DISPATCH_EMIT ? RTL_EMIT : 0, !computes);
    see_if(v, "plan_q", 0, !computes);
    dispatcher_offers(v, d, &n->cfg);
    for (unsigned i = 0; i < d->commands; i++) {
        const unsigned place = (i - d->head) % d->commands; /* the newest is written when scaled */
        see_command(v, i, &d->waiting[i], d->dimensions, place < held - scales);
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

/* A partition: what each chunk needs there and where it lies, and what is read of that. */
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
        bool placed = flies && (int32_t)(s->admitted[g] - number) > 0;
        /* an admission has moved the pointer on and not yet the block */
        if (acts && !s->finish && s->stage == g && s->at == i) placed = false;
        see_entry(&v, "needs_q", i, s->flight[i].needs[g], flies);
        see_entry(&v, "rows_q", i, s->flight[i].rows[g], placed);
        if (i == s->at) read = placed && acts;
    }
    see_if(&v, "row_q", s->flight[s->at].rows[g], read);
    see_if(&v, "need_q", s->look.need[g], s->look.may >> g & 1 || acts);
    see_if(&v, "sum_q", s->look.sum[g], s->look.asks >> g & 1);
}

static void scheduler(const view *v, const ace_cycle_core *n) {
    const ace_scheduler *s = &n->scheduler;
    const ace_look *k = &s->look;
    const uint32_t oldest = s->finished[s->store], inside = s->dispatched - oldest;
    const bool settled = s->dispatched != 0; /* some cycles after a reset */
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
        append(&base, 12, s->base[i], settled);
        append(&end, 12, s->base[i] + s->cfg->partition_rows[i] - 1u, settled);
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

static void switch_(const view *v, const ace_cycle_core *n) {
    const ace_switch *s = &n->switch_;
    uint64_t reduces = 0, copies = 0, stores = 0;
    fields reduced = { .bits = 0 }, stored = { .bits = 0 };
    for (unsigned i = 0; i < ACE_PIPE_STAGES; i++) {
        const ace_pipe_stage *r = &s->reduce[(s->at + i) % ACE_PIPE_SLOTS];
        const ace_pipe_stage *w = &s->store[(s->at + i) % ACE_PIPE_SLOTS];
        reduces |= (uint64_t)r->valid << i;
        copies |= (uint64_t)r->copy << i;
        stores |= (uint64_t)w->valid << i;
        append(&reduced, 8, r->context, r->valid);
        append(&stored, 8, w->context, w->valid);
    }
    see(v, "reduce_valid_q", reduces);
    see_masked(v, "reduce_copy_q", 0, copies, reduces);
    see_fields(v, "reduce_context_q", 0, &reduced);
    see(v, "store_valid_q", stores);
    see_fields(v, "store_context_q", 0, &stored);
    see(v, "reduce_turn_q", s->reduce_turn % n->links_count);
    see(v, "store_turn_q", s->store_turn % n->links_count);
    see(v, "plus_turn_q", s->plus_turn % s->fsms);
    see(v, "minus_turn_q", s->minus_turn % s->fsms);
    uint64_t valid = 0, reduce = 0, zero = 0;
    fields link = { .bits = 0 }, context_ = link, mark = link, peer = link;
    for (unsigned i = 0; i < 2 * ACE_READ_CYCLES; i++) { /* the last cycle's are the lowest */
        const unsigned age = 1 + i / 2;
        const ace_outgoing *o =
            &n->outgoing[(n->oldest + ACE_READ_CYCLES - age) % ACE_READ_CYCLES][i % 2];
        valid |= (uint64_t)o->valid << i;
        reduce |= (uint64_t)o->send.reduce << i;
        zero |= (uint64_t)o->send.zero << i;
        append(&link, 3, o->send.link, o->valid);
        append(&context_, 8, o->context, o->valid);
        append(&mark, 8, o->send.mark, o->valid);
        append(&peer, 8, o->send.peer, o->valid);
    }
    see(v, "send_valid_q", valid);
    see_masked(v, "send_reduce_q", 0, reduce, valid);
    see_masked(v, "send_zero_q", 0, zero, valid);
    see_fields(v, "send_link_q", 0, &link);
    see_fields(v, "send_context_q", 0, &context_);
    see_fields(v, "send_mark_q", 0, &mark);
    see_fields(v, "send_peer_q", 0, &peer);
    see_classes(v, "u_switch.u_reduce", &s->count_reduce);
    see_classes(v, "u_switch.u_store", &s->count_store);
    see_classes(v, "u_switch.u_plus", &s->count_send[0]);
    see_classes(v, "u_switch.u_minus", &s->count_send[1]);
}

static void dma_jobs(const view *outer, const char *unit, const ace_dma_jobs *d) {
    const view v = { outer->see, outer->self, unit };
    see(&v, "jobs_q", d->jobs);
    see(&v, "request_jobs_q", d->request_jobs);
    see(&v, "wr_q", d->tail);
    see(&v, "request_at_q", d->request_at);
    see(&v, "row_at_q", d->row_at);
    for (unsigned i = 0; i < ACE_DMA_JOBS; i++) {
        const ace_dma_job *j = &d->job[i];
        const bool held = (d->tail - 1 - i) % ACE_DMA_JOBS < d->jobs;
        see_entry(&v, "job_address_q", i, j->address, held);
        see_entry(&v, "job_rows_q", i, j->rows, held);
        see_entry(&v, "job_burst_q", i, j->burst, held);
        see_entry(&v, "job_bank_q", i, j->bank, held);
        see_entry(&v, "job_row_q", i, j->row, held);
        see_entry(&v, "job_base_q", i, j->base, held);
        see_entry(&v, "job_end_q", i, j->end, held);
        see_entry(&v, "job_side_q", i, j->side, held);
    }
    see(&v, "request_active_q", d->request_active);
    see_if(&v, "request_addr_q", d->request_addr, d->request_active);
    see_if(&v, "request_left_q", d->request_left, d->request_active);
    see_if(&v, "request_burst_q", d->request_burst, d->request_active);
    see(&v, "row_active_q", d->row_active);
    see_if(&v, "row_bank_q", d->row_bank, d->row_active);
    see_if(&v, "row_q", d->row, d->row_active);
    see_if(&v, "row_base_q", d->row_base, d->row_active);
    see_if(&v, "row_end_q", d->row_end, d->row_active);
    see_if(&v, "row_left_q", d->row_left, d->row_active);
}

static void tx_dma(const view *v, const ace_tx_dma *d) {
    dma_jobs(v, "u_tx_dma.u_jobs", &d->jobs);
    see_if(v, "row_id_q", d->row_id, d->jobs.row_active);
    see(v, "done_q", d->done_valid);
    see_if(v, "done_id_q", d->done_id, d->done_valid);
    row_fifo(v, "u_tx_dma.u_r", &d->r);
    see_classes(v, "u_tx_dma.u_count", &d->classes);
}

static void rx_dma(const view *v, const ace_rx_dma *d) {
    dma_jobs(v, "u_rx_dma.u_jobs", &d->jobs);
    see(v, "b_jobs_q", d->b_jobs);
    see(v, "b_wr_q", d->b_tail);
    see(v, "b_rd_q", d->b_head);
    see(v, "b_seen_q", d->b_seen);
    for (unsigned i = 0; i < ACE_RX_DMA_DONE_JOBS; i++) {
        const bool awaited = (i - d->b_head) % ACE_RX_DMA_DONE_JOBS < d->b_jobs;
        see_entry(v, "b_bursts_q", i, d->b_bursts[i], awaited);
        see_entry(v, "b_id_q", i, d->b_id[i], awaited);
    }
    see(v, "done_q", d->done_valid);
    see_if(v, "done_id_q", d->done_id, d->done_valid);
    see_if(v, "row_bytes_q", d->row_bytes, d->jobs.row_active);
    see_if(v, "row_beat_q", d->row_beat, d->jobs.row_active);
    see_if(v, "row_mask_q", d->row_burst_mask, d->jobs.row_active);
    see(v, "places_q", d->places);
    see(v, "fly_q", d->fly_valid);
    see_masked(v, "fly_last_q", 0, d->fly_last, d->fly_valid);
    fields bytes = { .bits = 0 };
    for (unsigned i = 0; i < 3; i++)
        append(&bytes, 9, d->fly_bytes >> 16 * i & 0xffff, d->fly_valid >> i & 1);
    see_fields(v, "fly_bytes_q", 0, &bytes);
    row_fifo(v, "u_rx_dma.u_w", &d->w);
    see_classes(v, "u_rx_dma.u_count", &d->classes);
}

static void memory_interface(const view *v, const ace_memory_interface *m) {
    see(v, "drain_q", m->draining);
    see_placed(v, "now_q", 0, m->now % 65536);
    see(v, "ar_wr_q", m->ar_tail);
    see(v, "ar_due_q", m->ar_next);
    see(v, "ar_rd_q", m->ar_head);
    see(v, "ar_held_q", m->ar_waiting);
    see(v, "ar_ripe_q", m->ar_ripe);
    see(v, "reads_q", m->reads);
    see(v, "read_tokens_q", m->read_tokens);
    see(v, "aw_wr_q", m->aw_tail);
    see(v, "aw_rd_q", m->aw_head);
    see(v, "aw_count_q", m->aw_count);
    see(v, "writes_q", m->writes);
    see(v, "aw_new_q", m->aw_new);
    see(v, "w_open_q", m->w_open);
    see(v, "w_beat_q", m->w_beat);
    see(v, "write_tokens_q", m->write_tokens);
    see(v, "b_wr_q", m->b_tail);
    see(v, "b_due_q", m->b_next);
    see(v, "b_held_q", m->b_waiting);
    see(v, "b_ripe_q", m->b_ripe);
    see(v, "b_got_q", m->b_got);
    see_if(v, "r_at_q", ace_memory_interface_r_at(m), !m->read_failed);
    see(v, "b_at_q", ace_memory_interface_b_at(m));
    see(v, "read_failed_q", m->read_failed);
    see_if(v, "read_failed_resp_q", m->read_failed_resp, m->read_failed);
    see_if(v, "read_failed_addr_q", m->read_failed_addr, m->read_failed);
    see(v, "write_failed_q", m->write_failed);
    see_if(v, "write_failed_resp_q", m->write_failed_resp, m->write_failed);
    see_if(v, "write_failed_addr_q", m->write_failed_addr, m->write_failed);
    for (unsigned i = 0; i < m->bursts; i++) {
        const bool reads = (i + m->bursts - m->ar_head) % m->bursts < m->ar_ripe + m->ar_waiting;
        const bool writes = (i + m->bursts - m->aw_head) % m->bursts < m->aw_count;
        /* an address is kept until its burst has been answered */
        const bool read_open = (m->ar_tail + m->bursts - 1 - i) % m->bursts < m->reads;
        const bool write_open = (m->aw_tail + m->bursts - 1 - i) % m->bursts < m->writes;
        see_entry(v, "ar_addr_q", i, m->ar[i].addr, read_open);
        see_entry(v, "ar_len_q", i, m->ar[i].len, reads);
        see_placed(v, "ar_release_q", i, m->ar[i].release % 65536);
        see_entry(v, "aw_addr_q", i, m->aw[i].addr, write_open);
        see_entry(v, "aw_len_q", i, m->aw[i].len, writes);
        see_placed(v, "b_release_q", i, m->b_release[i] % 65536);
    }
    row_fifo(v, "u_memory_interface.u_r", &m->r);
    row_fifo(v, "u_memory_interface.u_w", &m->w);
    see_classes(v, "u_memory_interface.u_read", &m->read);
    see_classes(v, "u_memory_interface.u_write", &m->write);
}

/* ---- links: {route, context, reduce, tag}, a route only of what is routed ---- */

static uint64_t header(const ace_link_header *h) {
    return (uint64_t)h->context << 9 | (uint64_t)h->reduce << 8 | h->mark;
}

static void see_header(const view *v, const char *name, const char *ring, unsigned at,
                       const ace_link_header *h, const uint64_t *route, bool valid) {
    if (route)
        see_wide(v, name, ring, at, *route << 17 | header(h), *route >> 47, valid);
    else
        see_ring(v, name, ring, at, (uint64_t)h->peer << 17 | header(h), valid);
}

/* What the ports and guards gave a cycle ago. */
static const ace_tx_step *step_before(const ace_link *k) {
    return &k->sender.step[(k->sender.at + ACE_LINK_TX_STEPS - 1) % ACE_LINK_TX_STEPS];
}

/* The row that a port has on tx_data, a cycle behind its header, is of this step, unless it is one of
 * the guard's. */
static bool on_tx_data(const ace_link_port *p, const ace_tx_step *step, unsigned lane) {
    const bool routed = step->routed >> lane & 1;
    return (step->valid & ~step->kept) >> lane & 1 && routed == (p->out_routes != NULL);
}

/* Sums of rows.  A sum is there three cycles after its row is written, and of the port's rows at most one
 * is written in a cycle, so all but the last three have theirs.  Where the RTL is loaded all have, and
 * none is on its way. */
static void link_port_sums(const view *v, const ace_link_port *p, unsigned lane,
                           const ace_tx_step *step) {
    enum { SUMMING = 3 };
    const unsigned out = p->out_count[lane], rows = p->output_rows, sends = p->tx_valid >> lane & 1;
    const unsigned sent = rows - 1, summed = (sent + rows - sends) % rows;
    const bool shows = on_tx_data(p, step, lane);
    see_placed(v, "sum_comes_q", 0, 0);
    see_placed(v, "sum_at_q", 0, out % rows);
    see_placed(v, "sent_q", 0, sent);
    see_placed(v, "summed_q", 0, summed);
    for (unsigned i = 0; i < rows; i++) {
        const uint32_t *row = NULL;
        uint32_t slot = p->out_head[lane] + i;
        const bool last = i == summed && shows;
        if (last)
            slot = step->row[lane];
        else if (i == sent && sends)
            slot = p->out_head[lane] - 1;
        if (p->out_rows) row = p->out_rows[ace_link_slot(lane, slot & p->out_mask)];
        see_ring(v, "out_sum_q", "out_rd_q", i,
                 last || i < out || (i == sent && sends) ? ace_row_sum(row) : 0,
                 p->out_rows && (last || i + SUMMING < out));
    }
}

static void link_port(const view *v, const ace_link_port *p, unsigned lane,
                      const ace_tx_step *step) {
    const bool sends = p->tx_valid >> lane & 1;
    const unsigned in = p->in_count[lane], out = p->out_count[lane], head = in != 0;
    const unsigned held = ace_link_port_held(p, lane);
    const size_t sent = ace_link_slot(lane, (p->out_head[lane] - 1) & p->out_mask);
    see_placed(v, "in_rd_q", 0, 0);
    see_placed(v, "in_peek_q", 0, head % p->input_rows);
    see_placed(v, "in_end_q", 0, in % p->input_rows);
    see_placed(v, "in_wr_q", 0, held % p->input_rows);
    see(v, "in_count_q", in);
    see(v, "in_held_q", held);
    see(v, "in_wait_q", in - head);
    see(v, "head_valid_q", head);
    see_header(v, "head_q", NULL, 0, ace_link_port_head(p, lane),
               p->in_routes ? &p->in_routes[ace_link_slot(lane, p->in_head[lane])] : NULL, head);
    for (unsigned i = 0; i < p->input_rows; i++) {
        const size_t at = ace_link_slot(lane, (p->in_head[lane] + i) & p->in_mask);
        see_header(v, "in_header_q", "in_rd_q", i, &p->in_headers[at],
                   p->in_routes ? &p->in_routes[at] : NULL, i < held);
    }
    see(v, "tx_credit_q", p->tx_credit >> lane & 1);
    see_placed(v, "out_rd_q", 0, 0);
    see_placed(v, "out_wr_q", 0, out % p->output_rows);
    see(v, "out_count_q", out);
    see(v, "out_taken_q", out + p->reserved[lane] + sends);
    see(v, "room_q", p->s_room >> lane & 1);
    see(v, "room_two_q", ace_link_port_room_two(p) >> lane & 1);
    for (unsigned i = 0; i < p->output_rows; i++) {
        const size_t at = ace_link_slot(lane, (p->out_head[lane] + i) & p->out_mask);
        see_header(v, "out_header_q", "out_rd_q", i, &p->out_headers[at],
                   p->out_routes ? &p->out_routes[at] : NULL, i < out);
    }
    link_port_sums(v, p, lane, step);
    see(v, "credits_q", p->credits[lane]);
    see(v, "acc_q", p->acc[lane]);
    see(v, "tx_valid_q", sends);
    see_header(v, "tx_header_q", NULL, 0, ace_link_port_tx(p, lane),
               p->out_routes ? &p->out_routes[sent] : NULL, sends);
    if (p->out_routes) return; /* the plain ports count the link's cycles */
    char unit[64];
    uint64_t cycles[ACE_COUNT_LANES];
    snprintf(unit, sizeof unit, "%s.g_count.u_count", v->unit);
    ace_link_port_classes(p, lane, cycles);
    see_cycles(v, unit, cycles);
}

/* ---- steps on the way to the pins of a link, and from them ---- */

static uint64_t head_of(const uint8_t sets[8], const uint8_t bytes[5], unsigned l) {
    uint64_t head = 0;
    for (unsigned i = 0; i < 8; i++)
        if (i != ACE_FRAME_NONE) head |= (uint64_t)(sets[i] >> l & 1) << i;
    for (unsigned i = 0; i < 5; i++) head |= (uint64_t)bytes[i] << (8 * i + 8);
    return ace_frame_clean(head);
}

static ace_frame tx_frame(const ace_tx_step *s, unsigned l) {
    const uint8_t bytes[] = { s->tx[l].context, s->tx[l].mark, s->grant[l].context,
                              s->grant[l].mark, s->grant_peer[l] };
    return (ace_frame){ .valid = s->frame >> l & 1,
                        .head = head_of(&s->valid, bytes, l),
                        .route = s->valid >> l & 1 ? s->route[l] : 0,
                        .number = s->number[l],
                        .ack = s->ack[l] };
}

static ace_frame rx_frame(const ace_rx_step *s, unsigned l) {
    const ace_rx_pins *p = &s->pins;
    const uint8_t bytes[] = { p->link[l].context, p->link[l].mark, p->link[l].grant_context,
                              p->link[l].grant_mark, p->grant_peer[l] };
    return (ace_frame){ .valid = p->frame >> l & 1,
                        .head = head_of(&p->valid, bytes, l),
                        .number = p->number[l],
                        .ack = p->ack[l] };
}

static void link_sender(const view *v, const ace_cycle_core *n, unsigned l) {
    const ace_link *k = &n->links;
    const ace_frame crc = tx_frame(step_before(k), l);
    ace_frame pins = tx_frame(&k->sender.step[(k->sender.at + 1u) % ACE_LINK_TX_STEPS], l);
    const bool packet = pins.valid && (pins.head & 1);
    fields f = { 0 }, g = { 0 };
    if (packet) pins.row = n->out.tx_data[l];
    append(&f, ACE_FRAME_HEAD_BITS, crc.head, crc.valid);
    append(&f, 64, crc.route, crc.valid);
    append(&f, 16, crc.number, crc.valid);
    append(&f, 16, crc.ack, crc.valid);
    append(&g, ACE_FRAME_HEAD_BITS - 8, pins.head >> 8, pins.valid);
    append(&g, 64, pins.route, pins.valid);
    append(&g, 16, pins.number, pins.valid);
    append(&g, 16, pins.ack, pins.valid);
    see(v, "frame_q", crc.valid);
    see_fields(v, "head_q", 0, &f);
    see(v, "tx_frame_q", pins.valid);
    see(v, "tx_set_q", pins.valid ? pins.head & 0xff : 0);
    see_fields(v, "tx_head_q", 0, &g);
    see_if(v, "tx_crc_q", ace_frame_crc(&pins), pins.valid && (!packet || pins.row));
}

/* Is the row of the frame that has just come in the place of its port's buffer behind all others?  It is
 * not where a bit of the frame has changed, or where there was no place. */
static bool row_has_come(const ace_link *k, unsigned l) {
    const ace_rx_pins *rx = &k->receiver.step[k->receiver.at].pins;
    const unsigned packet = rx->frame & ~(unsigned)rx->flipped & rx->valid;
    return packet >> l & 1 && ace_link_has_place(k, rx->routed >> l & 1 ? k->routed : k->plain, l);
}

/* Where the RTL is loaded the row of a frame that is not known is zeros; what says that a frame is right or
 * wrong is then the CRC beside it. */
static void link_receiver(const view *v, const ace_cycle_core *n, unsigned l) {
    ace_link known = n->links;
    const ace_link *const k = &known;
    ace_link_know(&known, false);
    const ace_link_receiver *const r = &known.receiver;
    const ace_rx_step *const step[] = { &r->step[r->at % ACE_LINK_RX_STEPS],
                                        &r->step[(r->at + 3u) % ACE_LINK_RX_STEPS],
                                        &r->step[(r->at + 2u) % ACE_LINK_RX_STEPS] };
    ace_frame row = rx_frame(step[0], l);
    const ace_frame sum = rx_frame(step[1], l), end = rx_frame(step[2], l);
    const bool wrong[] = { step[0]->pins.flipped >> l & 1, step[1]->pins.flipped >> l & 1,
                           step[2]->pins.flipped >> l & 1 };
    const bool routed = row.head >> ACE_FRAME_ROUTED & 1, come = row_has_come(k, l);
    const ace_link_port *p = routed ? k->routed : k->plain;
    const size_t at = ace_link_slot(l, p->in_end[l]);
    if (come && routed) row.route = p->in_routes[at];
    row.row = come && p->in_rows ? p->in_rows[at] : NULL;
    see(v, "row_frame_q", row.valid);
    see_if(v, "row_head_q", row.head, row.valid && !wrong[0]);
    see_if(v, "row_route_q", row.route, come && routed);
    see_if(v, "row_number_q", row.number, row.valid);
    see_if(v, "row_ack_q", row.ack, row.valid && !wrong[0]);
    see_placed(v, "row_crc_q", 0, row.valid ? ace_frame_crc(&row) ^ wrong[0] : 0);
    see(v, "next_q", r->next[l]);
    see(v, "sum_frame_q", sum.valid);
    see(v, "sum_took_q", step[1]->took >> l & 1);
    see_if(v, "sum_head_q", sum.head, sum.valid && !wrong[1]);
    see_if(v, "sum_number_q", sum.number, sum.valid);
    see_if(v, "sum_ack_q", sum.ack, sum.valid && !wrong[1]);
    see_placed(v, "sum_crc_q", 0, wrong[1]);
    see(v, "frame_q", end.valid);
    see(v, "took_q", step[2]->took >> l & 1);
    see_if(v, "good_q", !wrong[2], end.valid);
    see_if(v, "head_q", end.head, end.valid && !wrong[2]);
    see_if(v, "number_q", end.number, end.valid);
    see_if(v, "ack_q", end.ack, end.valid && !wrong[2]);
}

/* No row on its way to the verdict: its frame's CRC is loaded without it. */
static void link_row_sum(const view *v) {
    for (unsigned low = 0; low < 256; low += 64)
        v->see(v->self, &(ace_register){ v->unit, "groups_q", 0, NULL, low, 0, 0, true });
}

/* Places for rows with frames that may be sent again. */
static unsigned rows_kept(const ace_link_guard *g) { return g->frames ? g->rows : 0; }

/* The row in such a place; NULL where there is none, or none yet: it comes a cycle behind its head. */
static const uint32_t *kept_row(const ace_link_guard *g, unsigned at) {
    const bool any = ace_link_guard_used(g) != 0;
    const uint32_t first = any ? g->kept[g->base & (g->frames - 1)].rows : g->row;
    const uint32_t since = (g->row - 1 - at) & (g->rows - 1); /* rows given behind it */
    if (since >= g->row - first || (!since && g->put)) return NULL;
    return ace_link_guard_row(g, g->row - 1 - since);
}

static void link_guard(const view *v, const ace_cycle_core *n, unsigned l) {
    const ace_link_guard *g = n->links.guard[l];
    const ace_tx_step *before = step_before(&n->links);
    see(v, "next_q", n->links.next[l]);
    see(v, "expect_q", n->links.expect[l]);
    see(v, "send_q", g->send);
    see(v, "base_q", g->base);
    see(v, "fresh_q", g->fresh);
    see(v, "row_q", g->row);
    see(v, "acc_q", g->acc);
    see(v, "timer_q", g->timer);
    see(v, "tries_q", g->tries);
    see(v, "failed_q", g->failed);
    see(v, "owe_q", g->owe);
    see_if(v, "wait_q", g->wait, g->owe);
    see(v, "resend_q", g->resend);
    see(v, "told_q", g->told);
    see(v, "hold_q", g->hold);
    see(v, "tight_q", g->tight);
    see_if(v, "from_q", g->from, n->cfg.retry); /* else of frames that are not kept */
    see(v, "put_q", g->put);
    see_if(v, "put_at_q", g->put_at, g->put);
    see(v, "new_q", (before->valid & ~before->kept) >> l & 1);
    see(v, "old_q", g->kept_row);
    see_if(v, "get_at_q", g->get_at, g->kept_row);
    see(v, "resent_q", g->resent);
    see(v, "bad_q", g->bad);
    see(v, "dropped_q", g->dropped);
    for (unsigned i = 0; i < g->frames; i++) {
        const ace_kept_frame *k = &g->kept[i];
        const bool kept = ((i - g->base) & (g->frames - 1)) < ace_link_guard_used(g);
        see_wide(v, "kept_q", NULL, i, k->route << 48 | k->head, k->route >> 16, kept);
        see_entry(v, "kept_at_q", i, k->rows, kept);
    }
    for (unsigned i = 0; i < rows_kept(g); i++) {
        const uint32_t *row = kept_row(g, i);
        see_entry(v, "kept_sum_q", i, ace_row_sum(row), row != NULL);
    }
}

/* Of the DMAs and the exchange. */
static void memory_arbiter(const view *v, const ace_cycle_core *n) {
    const ace_memory_arbiter *a = n->arbiter;
    const uint32_t reads = n->memory->reads, writes = n->memory->writes; /* of both */
    see_placed(v, "r_rd_q", 0, 0);
    see_placed(v, "r_wr_q", 0, reads % a->bursts);
    see(v, "reads_q", a->reads);
    see_placed(v, "b_rd_q", 0, 0);
    see_placed(v, "w_rd_q", 0, (writes - a->open) % a->bursts);
    see_placed(v, "w_wr_q", 0, writes % a->bursts);
    see(v, "open_q", a->open);
    see(v, "dma_open_q", a->dma_open);
    see(v, "writes_q", a->writes);
    for (unsigned i = 0; i < a->bursts; i++) {
        see_ring(v, "r_first_q", "r_rd_q", i, a->r_first[(a->r_rd + i) % ACE_ARBITER_SLOTS],
                 i < reads);
        see_ring(v, "w_first_q", "b_rd_q", i, a->w_first[(a->b_rd + i) % ACE_ARBITER_SLOTS],
                 i < writes);
    }
}
/* Who decides comes before who follows, so that of registers that differ in one cycle the
 * first is the likelier cause. */
void ace_cycle_core_registers(const ace_core *core, ace_register_see *see_, void *self) {
    const ace_cycle_core *const n = core_of(core);
    char unit[64];
    view v = { see_, self, "u_dispatcher" };
    dispatcher(&v, n);
    v.unit = "u_scheduler";
    scheduler(&v, n);
    v.unit = "u_switch";
    switch_(&v, n);
    ace_registers_fsms(&v, n);
    v.unit = "u_memory_interface";
    memory_interface(&v, n->memory);
    v.unit = "u_memory_arbiter";
    memory_arbiter(&v, n);
    v.unit = "u_tx_dma";
    tx_dma(&v, n->tx_dma);
    v.unit = "u_rx_dma";
    rx_dma(&v, n->rx_dma);
    v.unit = "u_exchange";
    ace_registers_exchange(&v, n);
    v.unit = "u_router";
    ace_registers_router(&v, n);
    v.unit = unit;
    const ace_tx_step *before = step_before(&n->links);
    for (unsigned l = 0; l < n->links_count; l++) {
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_plain", l);
        link_port(&v, n->links.plain, l, before);
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_routed", l);
        link_port(&v, n->links.routed, l, before);
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_guard", l);
        link_guard(&v, n, l);
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_receiver", l);
        link_receiver(&v, n, l);
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_receiver.u_sum", l);
        link_row_sum(&v);
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_sender", l);
        link_sender(&v, n, l);
    }
    v.unit = "";
    node(&v, n);
}

static void rows_of_fifo(ace_row_register_see *see_row, void *self, const char *unit,
                         const ace_row_fifo *f) {
    for (unsigned i = 0; i < f->depth; i++) {
        const uint32_t *row = f->rows && i < f->count ? f->rows[(f->head + i) & f->mask] : NULL;
        see_row(self, &(ace_row_register){ .unit = unit,
                                           .name = i ? "back_q" : "head_q",
                                           .ring = i ? "rd_q" : NULL,
                                           .at = i ? i - 1 : 0,
                                           .row = row });
    }
}

static void rows_of_link(ace_row_register_see *see_row, void *self, const char *unit,
                         const ace_link_port *p, unsigned l, const ace_tx_step *before) {
    const unsigned held = ace_link_port_held(p, l), out = p->out_count[l];
    const bool sends = p->tx_valid >> l & 1;
    for (unsigned i = 0; i < p->input_rows; i++) {
        const size_t at = ace_link_slot(l, (p->in_head[l] + i) & p->in_mask);
        see_row(self, &(ace_row_register){ .unit = unit,
                                           .name = "in_data_q",
                                           .ring = "in_rd_q",
                                           .at = i,
                                           .row = p->in_rows && i < held ? p->in_rows[at] : NULL });
    }
    for (unsigned i = 0; i < p->output_rows; i++) {
        const bool sent = i == p->output_rows - 1 && sends;
        const uint32_t slot = sent ? p->out_head[l] - 1 : p->out_head[l] + i;
        const uint32_t *row = NULL;
        if (p->out_rows && (sent || i < out))
            row = p->out_rows[ace_link_slot(l, slot & p->out_mask)];
        see_row(self,
                &(ace_row_register){
                    .unit = unit, .name = "out_data_q", .ring = "out_rd_q", .at = i, .row = row });
    }
    const uint32_t *shown = NULL;
    if (p->out_rows && on_tx_data(p, before, l))
        shown = p->out_rows[ace_link_slot(l, before->row[l])];
    see_row(self, &(ace_row_register){ .unit = unit, .name = "tx_data_q", .row = shown });
}

static void rows_of_guard(ace_row_register_see *see_row, void *self, const char *unit,
                          const ace_link_guard *g) {
    for (unsigned i = 0; i < rows_kept(g); i++)
        see_row(self, &(ace_row_register){
                          .unit = unit, .name = "kept_row_q", .at = i, .row = kept_row(g, i) });
}

static void row_of_receiver(ace_row_register_see *see_row, void *self, const char *unit,
                            const ace_link *k, unsigned l) {
    const ace_rx_pins *s = &k->receiver.step[k->receiver.at].pins;
    const ace_link_port *p = s->routed >> l & 1 ? k->routed : k->plain;
    const bool come = row_has_come(k, l), packet = s->valid >> l & 1;
    const uint32_t *row = ace_node_zero_row;
    if (come && p->in_rows) row = p->in_rows[ace_link_slot(l, p->in_end[l])];
    see_row(self, &(ace_row_register){ .unit = unit,
                                       .name = "row_data_q",
                                       .row = s->frame >> l & 1 ? row : NULL,
                                       .placed = (s->flipped >> l & 1) || (packet && !come) });
}

static void row_of_sender(ace_row_register_see *see_row, void *self, const char *unit,
                          const ace_cycle_core *n, unsigned l) {
    see_row(self,
            &(ace_row_register){ .unit = unit,
                                 .name = "tx_data_q",
                                 .row = n->out.tx_valid >> l & 1 ? n->out.tx_data[l] : NULL });
}

void ace_cycle_core_rows(const ace_core *core, ace_row_register_see *see_row, void *self) {
    const ace_cycle_core *const n = core_of(core);
    const ace_exchange *x = n->exchange;
    char unit[64];
    rows_of_fifo(see_row, self, "u_memory_interface.u_r", &n->memory->r);
    rows_of_fifo(see_row, self, "u_tx_dma.u_r", &n->tx_dma->r);
    rows_of_fifo(see_row, self, "u_rx_dma.u_w", &n->rx_dma->w);
    rows_of_fifo(see_row, self, "u_memory_interface.u_w", &n->memory->w);
    for (unsigned i = 0; i < ACE_EXCHANGE_PLACES; i++)
        see_row(self,
                &(ace_row_register){ .unit = "u_exchange",
                                     .name = "data_q",
                                     .ring = "w_q",
                                     .at = i,
                                     .row = x->arrival && i < x->aw_waits + x->w_waits
                                                ? x->arrival[(x->w_at + i) % ACE_EXCHANGE_SLOTS]
                                                : NULL });
    const ace_tx_step *before = step_before(&n->links);
    for (unsigned l = 0; l < n->links_count; l++) {
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_plain", l);
        rows_of_link(see_row, self, unit, n->links.plain, l, before);
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_routed", l);
        rows_of_link(see_row, self, unit, n->links.routed, l, before);
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_guard", l);
        rows_of_guard(see_row, self, unit, n->links.guard[l]);
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_receiver", l);
        row_of_receiver(see_row, self, unit, &n->links, l);
        snprintf(unit, sizeof unit, "g_link[%u].u_link.u_sender", l);
        row_of_sender(see_row, self, unit, n, l);
    }
}

const uint32_t *ace_cycle_core_scratchpad(const ace_core *core, unsigned bank, unsigned row) {
    return ace_scratchpad_row(&core_of(core)->scratchpad, bank, row);
}

void ace_cycle_core_chunks(const ace_core *core, uint32_t *entered, uint32_t *left) {
    const ace_cycle_core *const n = core_of(core);
    *entered = n->scheduler.dispatched;
    *left = n->scheduler.finished[n->scheduler.store];
}

uint16_t ace_cycle_core_chunk_tag(const ace_core *core, uint32_t chunk) {
    return core_of(core)->scheduler.flight[chunk % ACE_CHUNKS].chunk.tag;
}

bool ace_cycle_core_context_chunk(const ace_core *core, unsigned phase, unsigned index,
                                  uint32_t *chunk) {
    const ace_scheduler *s = &core_of(core)->scheduler;
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
    const ace_scheduler *s = &core_of(core)->scheduler;
    const uint32_t oldest = s->finished[s->store];
    const char *dot = strrchr(name, '.'); /* behind the partition */
    bool one = false;
    if (dot) name = dot + 1;
    for (unsigned i = 0; i < sizeof slots / sizeof *slots; i++) one |= !strcmp(name, slots[i]);
    if (!one) return false;
    *chunk = oldest + (at - oldest) % ACE_CHUNKS;
    return *chunk - oldest < s->dispatched - oldest;
}

unsigned ace_cycle_core_phase_fsms(const ace_core *core) { return core_of(core)->per_phase; }

bool ace_cycle_core_exchange_tag(const ace_core *core, uint16_t *tag) {
    const ace_exchange *x = core_of(core)->exchange;
    *tag = x->tag;
    return x->state != ACE_EXCHANGE_IDLE;
}

bool ace_cycle_core_exchanges(const ace_core *core) { return core_of(core)->exchanging; }

bool ace_cycle_core_divides(const ace_core *core) {
    const ace_cycle_core *const n = core_of(core);
    return ace_dispatcher_computes(&n->dispatcher) || n->exchange->state == ACE_EXCHANGE_SETUP;
}

void ace_cycle_core_due(const ace_core *core, uint16_t numbers[ACE_LINKS]) {
    for (unsigned l = 0; l < ACE_LINKS; l++) numbers[l] = ace_link_due(&core_of(core)->links, l);
}
