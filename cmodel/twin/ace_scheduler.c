/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_scheduler.h"

#include <stdlib.h>

void ace_scheduler_init(ace_scheduler *s, const ace_config *cfg, unsigned dimensions,
                        unsigned contexts) {
    *s = (ace_scheduler){
        .cfg = cfg, .contexts = contexts, .phases = dimensions + 1, .store = dimensions + 2
    };
    for (unsigned p = 1; p < ACE_PARTITIONS; p++)
        s->base[p] = (uint16_t)(s->base[p - 1] + cfg->partition_rows[p - 1]);
}

void ace_scheduler_reset(ace_scheduler *s) {
    ace_scheduler_init(s, s->cfg, s->phases - 1, s->contexts);
}

/* Which contexts are done: as the FSMs say, or the s_context_done pins. */
typedef struct done_source {
    bool from_pins;
    const ace_fsm *fsms; /* those of phase 0 first, `per_phase` each */
    unsigned per_phase;
    const uint32_t *pins;
} done_source;

ACE_INLINE bool is_done(const ace_scheduler *s, unsigned phase, unsigned index, done_source c) {
    const unsigned bit = phase * s->contexts + index;
    if (c.from_pins) return c.pins[bit / 32] >> bit % 32 & 1;
    return ace_fsm_done(&c.fsms[phase * c.per_phase + index % c.per_phase], index);
}

/* Has the oldest chunk of a stage finished its work there? */
ACE_INLINE bool is_over(const ace_scheduler *s, unsigned stage, done_source c) {
    const unsigned chunk = s->finished[stage] % ACE_CHUNKS;
    const unsigned first = s->flight[chunk].first;
    if (stage == s->store) return s->stored >> chunk & 1;
    if (first > stage) return true;
    if (first == stage) return s->loaded >> chunk & 1;
    return is_done(s, stage - 1, chunk % s->contexts, c);
}

/* Is there room for the newest chunk of a stage, and is its unit free? */
static bool fits(const ace_scheduler *s, unsigned stage, bool load_ready, bool store_ready) {
    if (stage == s->store) return store_ready;
    const unsigned chunk = s->admitted[stage] % ACE_CHUNKS;
    const ace_flight *f = &s->flight[chunk];
    if (s->used[stage][chunk % ACE_BANKS] + f->needs[stage] > s->cfg->partition_rows[stage])
        return false;
    if (f->first == stage && !load_ready) return false;
    return stage == 0 || s->admitted[stage] - s->finished[stage] < s->contexts;
}

ACE_INLINE ace_decision decide(const ace_scheduler *s, done_source c, bool load_ready,
                               bool store_ready) {
    ace_decision d = { .action = ACE_ACT_NONE };
    for (unsigned stage = s->store + 1; stage-- > 0;) {
        const uint32_t arrived = stage == 0 ? s->dispatched : s->finished[stage - 1];
        if (s->admitted[stage] != s->finished[stage] && is_over(s, stage, c))
            d.finish = true;
        else if (s->admitted[stage] == arrived || !fits(s, stage, load_ready, store_ready))
            continue;
        d.stage = (uint8_t)stage;
        d.chunk = (uint8_t)((d.finish ? s->finished[stage] : s->admitted[stage]) % ACE_CHUNKS);
        const unsigned first = s->flight[d.chunk].first;
        d.action = stage == s->store ? (d.finish ? ACE_ACT_OTHER : ACE_ACT_STORE)
                   : stage == first  ? (d.finish ? ACE_ACT_OTHER : ACE_ACT_LOAD)
                   : stage > first   ? (d.finish ? ACE_ACT_RELEASE : ACE_ACT_ADMIT)
                                     : ACE_ACT_OTHER;
        break;
    }
    return d;
}

ace_decision ace_scheduler_decide(const ace_scheduler *s, const ace_fsm *fsms, unsigned per_phase,
                                  bool load_ready, bool store_ready) {
    return decide(s, (done_source){ .fsms = fsms, .per_phase = per_phase }, load_ready,
                  store_ready);
}

void ace_scheduler_job(const ace_scheduler *s, const ace_decision *d, ace_job *job) {
    const ace_flight *f = &s->flight[d->chunk];
    const bool store = d->stage == s->store;
    const unsigned part = store ? s->phases : d->stage;
    job->address = store ? f->chunk.store_address : f->chunk.load_address;
    job->rows = store ? f->chunk.store_rows : f->chunk.load_rows;
    job->limit = f->chunk.limit;
    job->burst = store ? f->chunk.store_burst : f->chunk.load_burst;
    job->bank = d->chunk % ACE_BANKS;
    job->row = store ? f->rows[part] : (uint16_t)(s->base[part] + s->next[part][job->bank]);
    job->base = s->base[part];
    job->end = (uint16_t)(s->base[part] + s->cfg->partition_rows[part] - 1);
    job->id = d->chunk;
}

void ace_scheduler_admission(const ace_scheduler *s, const ace_decision *d, ace_admission *a) {
    const ace_flight *f = &s->flight[d->chunk];
    const unsigned p = d->stage - 1u;
    a->phase = (uint8_t)p;
    a->index = (uint8_t)(d->chunk % s->contexts);
    a->kind = f->chunk.kinds[p];
    a->dim = f->chunk.dims[p];
    a->ring = s->cfg->ring[a->dim];
    a->rank = s->cfg->rank[a->dim];
    a->shard = f->chunk.shards[p];
    a->valids = f->chunk.valids[p];
    a->source_row = f->rows[p];
    a->target_row = (uint16_t)(s->base[d->stage] + s->next[d->stage][d->chunk % ACE_BANKS]);
    a->type = f->chunk.type;
    /* an average is a sum until the last phase that reduces */
    const bool reduces_on = p + 1 < s->phases && f->chunk.kinds[p + 1] != ACE_PHASE_ALL_GATHER;
    a->op = f->chunk.op == ACE_AVERAGE && reduces_on ? ACE_SUM : f->chunk.op;
    a->scale = f->chunk.scale;
    a->mark = f->chunk.mark;
}

static void enter(ace_scheduler *s, const ace_chunk *c) {
    ace_flight *f = &s->flight[s->dispatched % ACE_CHUNKS];
    f->chunk = *c;
    f->first = 0;
    while (f->first < s->phases && c->kinds[f->first] == ACE_PHASE_NONE) f->first++;
    uint16_t out = 0; /* what the phase before wrote */
    for (unsigned p = 0; p <= s->phases; p++) {
        uint16_t in = 0, next = 0;
        if (p == s->phases) {
            in = f->first == s->phases ? c->load_rows : 0;
        } else if (c->kinds[p] != ACE_PHASE_NONE) {
            const uint16_t block = (uint16_t)(c->shards[p] * s->cfg->ring[c->dims[p]]);
            in = c->kinds[p] == ACE_PHASE_ALL_GATHER ? c->shards[p] : block;
            next = c->kinds[p] == ACE_PHASE_REDUCE_SCATTER ? c->shards[p] : block;
        }
        f->needs[p] = in > out ? in : out;
        out = next;
    }
    s->dispatched++;
}

void ace_scheduler_tick(ace_scheduler *s, const ace_decision *d, const ace_chunk *chunk, int loaded,
                        int stored) {
    s->done_valid = false;
    s->dirty = d->action != ACE_ACT_NONE || chunk || loaded >= 0 || stored >= 0;
    if (d->action != ACE_ACT_NONE) {
        ace_flight *f = &s->flight[d->chunk];
        const unsigned bank = d->chunk % ACE_BANKS, stage = d->stage;
        if (d->finish) {
            s->finished[stage]++;
            if (stage != 0)
                s->used[stage - 1][bank] =
                    (uint16_t)(s->used[stage - 1][bank] - f->needs[stage - 1]);
            if (stage == f->first) s->loaded &= ~(1ull << d->chunk);
            if (stage == s->store) {
                s->stored &= ~(1ull << d->chunk);
                s->done_valid = f->chunk.last;
                s->done_tag = f->chunk.tag;
            }
        } else {
            s->admitted[stage]++;
            if (stage != s->store) {
                uint16_t *next = &s->next[stage][bank];
                f->rows[stage] = (uint16_t)(s->base[stage] + *next);
                s->used[stage][bank] = (uint16_t)(s->used[stage][bank] + f->needs[stage]);
                *next = (uint16_t)(*next + f->needs[stage]);
                if (*next >= s->cfg->partition_rows[stage])
                    *next = (uint16_t)(*next - s->cfg->partition_rows[stage]);
            }
        }
    }
    if (chunk) enter(s, chunk);
    if (loaded >= 0) s->loaded |= 1ull << loaded;
    if (stored >= 0) s->stored |= 1ull << stored;
}

/* ---- pins ---------------------------------------------------------------- */

int ace_scheduler_pins_create(unsigned dimensions, unsigned contexts_of_phase,
                              ace_scheduler_pins **pins) {
    if (dimensions < 3 || dimensions > ACE_DIMENSIONS) return ACE_EINVAL;
    if (contexts_of_phase != 4 && contexts_of_phase != 8 && contexts_of_phase != 16 &&
        contexts_of_phase != 32)
        return ACE_EINVAL;
    ace_scheduler_pins *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    ace_scheduler_init(&p->unit, &p->cfg, dimensions, contexts_of_phase);
    *pins = p;
    return ACE_OK;
}

void ace_scheduler_pins_destroy(ace_scheduler_pins *p) { free(p); }

void ace_scheduler_pins_reset(ace_scheduler_pins *p) {
    ace_scheduler_reset(&p->unit);
    p->configured = false;
}

static ace_decision decide_by_pins(const ace_scheduler_pins *p, const ace_scheduler_pins_in *in) {
    if (!p->unit.dirty && !memcmp(in->s_context_done, p->context_done, sizeof p->context_done) &&
        in->m_load_ready == p->load_ready && in->m_store_ready == p->store_ready)
        return (ace_decision){ .action = ACE_ACT_NONE };
    return decide(&p->unit, (done_source){ .from_pins = true, .pins = in->s_context_done },
                  in->m_load_ready, in->m_store_ready);
}

void ace_scheduler_pins_eval(const ace_scheduler_pins *p, const ace_scheduler_pins_in *in,
                             ace_scheduler_pins_out *o) {
    const ace_decision d = decide_by_pins(p, in);
    *o = (ace_scheduler_pins_out){ .s_chunk_ready = ace_scheduler_chunk_ready(&p->unit),
                                   .m_load_valid = d.action == ACE_ACT_LOAD,
                                   .m_store_valid = d.action == ACE_ACT_STORE,
                                   .m_admit_valid = d.action == ACE_ACT_ADMIT,
                                   .m_release_valid = d.action == ACE_ACT_RELEASE,
                                   .m_done_valid = p->unit.done_valid,
                                   .m_done_tag = p->unit.done_tag,
                                   .busy = ace_scheduler_busy(&p->unit) };
    for (unsigned i = 0; i < p->unit.phases; i++)
        o->m_oldest[i] = ace_scheduler_oldest(&p->unit, i);
    if (o->m_load_valid || o->m_store_valid) {
        ace_job j;
        ace_scheduler_job(&p->unit, &d, &j);
        o->m_job_address = j.address;
        o->m_job_rows = j.rows;
        o->m_job_limit = j.limit;
        o->m_job_burst = j.burst;
        o->m_job_bank = j.bank;
        o->m_job_row = j.row;
        o->m_job_base = j.base;
        o->m_job_end = j.end;
        o->m_job_id = j.id;
    }
    if (o->m_admit_valid || o->m_release_valid) {
        ace_admission a;
        ace_scheduler_admission(&p->unit, &d, &a);
        o->m_context_phase = a.phase;
        o->m_context_index = a.index;
        o->m_admit_kind = a.kind;
        o->m_admit_dim = a.dim;
        o->m_admit_ring = a.ring;
        o->m_admit_rank = a.rank;
        o->m_admit_shard = a.shard;
        o->m_admit_valids = a.valids;
        o->m_admit_source_row = a.source_row;
        o->m_admit_target_row = a.target_row;
        o->m_admit_type = a.type;
        o->m_admit_op = a.op;
        o->m_admit_scale = a.scale;
        o->m_admit_mark = a.mark;
    }
}

/* The configuration, before anything is in flight. */
static void configure(ace_scheduler_pins *p, const ace_scheduler_pins_in *in) {
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) {
        p->cfg.ring[i] = (uint8_t)(in->cfg_ring >> 8 * i);
        p->cfg.rank[i] = (uint8_t)(in->cfg_rank >> 8 * i);
    }
    for (unsigned i = 0; i < ACE_PARTITIONS; i++)
        p->cfg.partition_rows[i] = in->cfg_partition_rows[i];
    ace_scheduler_init(&p->unit, &p->cfg, p->unit.phases - 1, p->unit.contexts);
    p->configured = true;
}

void ace_scheduler_pins_tick(ace_scheduler_pins *p, const ace_scheduler_pins_in *in) {
    if (!p->configured) configure(p, in);
    const ace_decision d = decide_by_pins(p, in);
    ace_chunk c = { .type = in->s_chunk_type,
                    .op = in->s_chunk_op,
                    .scale = in->s_chunk_scale,
                    .mark = in->s_chunk_mark,
                    .load_burst = in->s_chunk_load_burst,
                    .store_burst = in->s_chunk_store_burst,
                    .last = in->s_chunk_last,
                    .load_rows = in->s_chunk_load_rows,
                    .store_rows = in->s_chunk_store_rows,
                    .tag = in->s_chunk_tag,
                    .load_address = in->s_chunk_load_address,
                    .store_address = in->s_chunk_store_address,
                    .limit = in->s_chunk_limit };
    for (unsigned i = 0; i < ACE_PHASES; i++) {
        c.kinds[i] = in->s_chunk_kinds >> 2 * i & 3;
        c.dims[i] = in->s_chunk_dims >> 2 * i & 3;
        c.shards[i] = in->s_chunk_shards >> 11 * i & 0x7ff;
        c.valids[i] = in->s_chunk_valids >> 11 * i & 0x7ff;
    }
    memcpy(p->context_done, in->s_context_done, sizeof p->context_done);
    p->load_ready = in->m_load_ready;
    p->store_ready = in->m_store_ready;
    ace_scheduler_tick(
        &p->unit, &d, in->s_chunk_valid && ace_scheduler_chunk_ready(&p->unit) ? &c : NULL,
        in->s_loaded_valid ? in->s_loaded_id : -1, in->s_stored_valid ? in->s_stored_id : -1);
}

bool ace_scheduler_pins_idle(const ace_scheduler_pins *p) {
    return !ace_scheduler_busy(&p->unit) && !p->unit.done_valid;
}

void ace_scheduler_pins_skip(ace_scheduler_pins *p, uint64_t cycles) {
    (void)p; /* the scheduler counts no cycles */
    (void)cycles;
}
