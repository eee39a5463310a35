/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_scheduler.h"

#include "ace_node.h"

void ace_scheduler_init(ace_scheduler *s, const ace_config *cfg, unsigned contexts) {
    *s = (ace_scheduler){ .cfg = cfg, .contexts = contexts };
    for (unsigned p = 1; p < ACE_PARTITIONS; p++)
        s->base[p] = (uint16_t)(s->base[p - 1] + cfg->partition_rows[p - 1]);
}

void ace_scheduler_reset(ace_scheduler *s) { ace_scheduler_init(s, s->cfg, s->contexts); }

/* Has the oldest chunk of a stage finished its work there? */
static bool is_over(const ace_scheduler *s, unsigned stage, const ace_fsm *fsms,
                    unsigned per_phase) {
    const unsigned chunk = s->finished[stage] % ACE_CHUNKS;
    const unsigned first = s->flight[chunk].first;
    if (stage == ACE_STAGE_STORE) return s->stored >> chunk & 1;
    if (first > stage) return true;
    if (first == stage) return s->loaded >> chunk & 1;
    const unsigned index = chunk % s->contexts;
    return ace_fsm_done(&fsms[(stage - 1) * per_phase + index % per_phase], index);
}

/* Is there room for the newest chunk of a stage, and is its unit free? */
static bool fits(const ace_scheduler *s, unsigned stage, bool load_ready, bool store_ready) {
    if (stage == ACE_STAGE_STORE) return store_ready;
    const unsigned chunk = s->admitted[stage] % ACE_CHUNKS;
    const ace_flight *f = &s->flight[chunk];
    if (s->used[stage][chunk % ACE_BANKS] + f->needs[stage] > s->cfg->partition_rows[stage])
        return false;
    if (f->first == stage && !load_ready) return false;
    return stage == 0 || s->admitted[stage] - s->finished[stage] < s->contexts;
}

ace_decision ace_scheduler_decide(const ace_scheduler *s, const ace_fsm *fsms, unsigned per_phase,
                                  bool load_ready, bool store_ready) {
    ace_decision d = { .action = ACE_ACT_NONE };
    for (unsigned stage = ACE_STAGES; stage-- > 0;) {
        const uint32_t arrived = stage == 0 ? s->dispatched : s->finished[stage - 1];
        if (s->admitted[stage] != s->finished[stage] && is_over(s, stage, fsms, per_phase))
            d.finish = true;
        else if (s->admitted[stage] == arrived || !fits(s, stage, load_ready, store_ready))
            continue;
        d.stage = (uint8_t)stage;
        d.chunk = (uint8_t)((d.finish ? s->finished[stage] : s->admitted[stage]) % ACE_CHUNKS);
        const unsigned first = s->flight[d.chunk].first;
        d.action = stage == ACE_STAGE_STORE ? (d.finish ? ACE_ACT_OTHER : ACE_ACT_STORE)
                   : stage == first         ? (d.finish ? ACE_ACT_OTHER : ACE_ACT_LOAD)
                   : stage > first          ? (d.finish ? ACE_ACT_RELEASE : ACE_ACT_ADMIT)
                                            : ACE_ACT_OTHER;
        break;
    }
    return d;
}

void ace_scheduler_job(const ace_scheduler *s, const ace_decision *d, ace_job *job) {
    const ace_flight *f = &s->flight[d->chunk];
    const bool store = d->stage == ACE_STAGE_STORE;
    const unsigned part = store ? ACE_PARTITIONS - 1 : d->stage;
    job->address = store ? f->chunk.store_address : f->chunk.load_address;
    job->rows = store ? f->chunk.store_rows : f->chunk.load_rows;
    job->limit = f->chunk.limit;
    job->burst = f->chunk.burst;
    job->bank = d->chunk % ACE_BANKS;
    job->row = store ? f->rows[part] : (uint16_t)(s->base[part] + s->next[part][job->bank]);
    job->base = s->base[part];
    job->end = (uint16_t)(s->base[part] + s->cfg->partition_rows[part] - 1);
    job->id = d->chunk;
}

void ace_scheduler_admission(const ace_scheduler *s, const ace_decision *d, ace_admission *a) {
    const ace_flight *f = &s->flight[d->chunk];
    const unsigned p = d->stage - 1u;
    const bool plus = !(d->chunk & 1); /* even chunks go round the ring upwards */
    a->phase = (uint8_t)p;
    a->index = (uint8_t)(d->chunk % s->contexts);
    a->kind = f->chunk.kinds[p];
    a->dim = f->chunk.dims[p];
    a->ring = s->cfg->ring[a->dim];
    a->shard = f->chunk.shards[p];
    a->valids = f->chunk.valids[p];
    a->half = (uint16_t)((a->ring - 1) * a->shard);
    const unsigned rank = s->cfg->rank[a->dim], ring = a->ring;
    const unsigned one = plus ? (rank + ring - 1) % ring : (rank + 1) % ring;
    const unsigned two = plus ? (one + ring - 1) % ring : (one + 1) % ring;
    const bool gather = a->kind == ACE_PHASE_ALL_GATHER;
    a->send_shard = (uint8_t)(gather ? rank : one);
    a->receive_shard = (uint8_t)(gather ? one : two);
    a->send_offset = (uint16_t)(a->send_shard * a->shard);
    a->receive_offset = (uint16_t)(a->receive_shard * a->shard);
    a->own_offset = (uint16_t)(rank * a->shard);
    a->source_row = f->rows[p];
    a->target_row = (uint16_t)(s->base[d->stage] + s->next[d->stage][d->chunk % ACE_BANKS]);
    a->type = f->chunk.type;
    a->mark = f->chunk.mark;
}

static void enter(ace_scheduler *s, const ace_chunk *c) {
    ace_flight *f = &s->flight[s->dispatched % ACE_CHUNKS];
    f->chunk = *c;
    f->first = 0;
    while (f->first < ACE_PHASES && c->kinds[f->first] == ACE_PHASE_NONE) f->first++;
    uint16_t out = 0; /* what the phase before wrote */
    for (unsigned p = 0; p < ACE_PARTITIONS; p++) {
        uint16_t in = 0, next = 0;
        if (p == ACE_PHASES) {
            in = f->first == ACE_PHASES ? c->load_rows : 0;
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
            if (stage == ACE_STAGE_STORE) {
                s->stored &= ~(1ull << d->chunk);
                s->done_valid = f->chunk.last;
                s->done_tag = f->chunk.tag;
            }
        } else {
            s->admitted[stage]++;
            if (stage != ACE_STAGE_STORE) {
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
