/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scheduler.c -- the twin of rtl/ace_scheduler.v: chunks go from stage to stage
 *
 * A stage is the load, a phase or the store. Chunks pass stages in order, so counters of admitted
 * and finished chunks say where each chunk is. look() refreshes three registers in a row: what
 * waits, what room it needs, what can be admitted. A decision takes the steps pick, move, act,
 * show and wait, one a cycle. A tick moves the step, looks, acts, takes a new chunk, and last
 * notes loads and stores that ended.
 */
#include "ace_scheduler.h"

#include <stdlib.h>
#include <string.h>

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

/* ---- checks of a state from a checkpoint ---------------------------------------------- */

/* Chunks go from stage to stage in order, and there are no more chunks than rows of the table. */
static void check_order(const ace_scheduler *s, ace_state *state) {
    uint32_t before = s->dispatched;
    for (unsigned g = 0; g <= s->store; g++) {
        ace_state_must(state, before - s->admitted[g] <= ACE_CHUNKS, "ace_scheduler.admitted");
        ace_state_must(state, s->admitted[g] - s->finished[g] <= ACE_CHUNKS,
                       "ace_scheduler.finished");
        before = s->finished[g];
    }
    ace_state_must(state, s->dispatched - before <= ACE_CHUNKS, "ace_scheduler.dispatched");
}

/* Rows of partitions: of all chunks in it, and where the next block begins. */
static void check_partitions(const ace_scheduler *s, ace_state *state) {
    for (unsigned p = 0; p < s->store; p++)
        for (unsigned b = 0; b < ACE_BANKS; b++) {
            const uint16_t rows = s->cfg->partition_rows[p];
            ace_state_must(state, s->used[p][b] <= rows, "ace_scheduler.used");
            ace_state_must(state, rows ? s->next[p][b] < rows : !s->next[p][b],
                           "ace_scheduler.next");
        }
}

static void check_flight(const ace_scheduler *s, const ace_flight *f, ace_state *state) {
    ACE_STATE_BOOLS(state, "ace_scheduler.last", &f->chunk.last);
    ace_state_must(state, f->first <= s->phases, "ace_scheduler.first");
    ace_state_must(state,
                   f->chunk.type < ACE_TYPES && f->chunk.op < ACE_OPS && f->chunk.load_burst <= 4 &&
                       f->chunk.store_burst <= 4 && f->chunk.load_rows <= 1024 &&
                       f->chunk.store_rows <= 1024,
                   "ace_scheduler.chunk");
    for (unsigned p = 0; p < s->phases; p++)
        ace_state_must(
            state, f->chunk.kinds[p] <= ACE_PHASE_ALL_GATHER && f->chunk.dims[p] < s->phases - 1,
            "ace_scheduler.kinds");
    for (unsigned p = 0; p < s->store; p++)
        ace_state_must(state, f->needs[p] <= s->cfg->partition_rows[p], "ace_scheduler.needs");
}

/* Checks the positions of the blocks of all chunks in a stage.  The newest chunk has no block until
 * its admission is carried out. */
static void check_rows(const ace_scheduler *s, unsigned stage, ace_state *state) {
    const unsigned base = s->base[stage], end = base + s->cfg->partition_rows[stage];
    const bool moved = s->step == ACE_SCHEDULER_ACT && s->stage == stage && !s->finish;
    const uint32_t first = s->finished[stage + 1], count = s->admitted[stage] - moved - first;
    ace_state_must(state, count <= ACE_CHUNKS, "ace_scheduler.step");
    for (uint32_t i = 0; ace_state_loaded(state) && i < count; i++) {
        const unsigned row = s->flight[(first + i) % ACE_CHUNKS].rows[stage];
        ace_state_must(state, row >= base && row <= end, "ace_scheduler.rows");
    }
}

static void check(const ace_scheduler *s, ace_state *state) {
    const ace_look *k = &s->look;
    const unsigned sets =
        (unsigned)k->over | k->may | k->asks | k->loads | k->starts | k->can_admit;
    ACE_STATE_BOOLS(state, "ace_scheduler.done_valid", &s->finish, &s->dirty, &s->done_valid,
                    &s->alone);
    ace_state_must(state, !(sets >> (s->store + 1)), "ace_scheduler.look");
    ace_state_must(state, s->step <= ACE_SCHEDULER_WAIT, "ace_scheduler.step");
    ace_state_must(state, s->stage <= s->store, "ace_scheduler.stage");
    ace_state_must(state, s->at < ACE_CHUNKS, "ace_scheduler.at");
    ace_state_must(state, s->enter <= ACE_SCHEDULER_ENTERS, "ace_scheduler.enter");
    ace_state_must(state, s->bus <= ACE_ACT_RELEASE, "ace_scheduler.bus");
    for (unsigned p = 0; p < s->phases; p++)
        ace_state_must(state, s->oldest[p] < s->contexts, "ace_scheduler.oldest");
    check_order(s, state);
    check_partitions(s, state);
    if (!ace_state_loaded(state)) return;
    for (uint32_t c = s->finished[s->store]; c != s->dispatched; c++)
        check_flight(s, &s->flight[c % ACE_CHUNKS], state);
    if (s->enter) check_flight(s, &s->flight[s->dispatched % ACE_CHUNKS], state);
    for (unsigned g = 0; g < s->store; g++) check_rows(s, g, state);
    /* The chunk of a decision is inside, except a chunk whose store is over. */
    const uint32_t here = s->dispatched - s->finished[s->store];
    if (s->step != ACE_SCHEDULER_PICK && !(s->finish && s->stage == s->store))
        ace_state_must(state, (s->at - s->finished[s->store]) % ACE_CHUNKS < here,
                       "ace_scheduler.at");
}

void ace_scheduler_state(ace_scheduler *s, ace_state *state) {
    uint16_t base[ACE_PARTITIONS];
    const unsigned contexts = s->contexts, phases = s->phases, store = s->store;
    memcpy(base, s->base, sizeof base);
    ACE_STATE_BUT(state, *s, &s->cfg);
    ace_state_must(state,
                   s->contexts == contexts && s->phases == phases && s->store == store &&
                       !memcmp(s->base, base, sizeof base),
                   "ace_scheduler.base");
    if (ace_state_loaded(state)) check(s, state);
}

/* The source for which contexts are done: the FSMs, or the s_context_done pins. */
typedef struct done_source {
    bool from_pins;
    const ace_fsm *fsms; /* `per_phase` for each phase, phase 0 first */
    unsigned per_phase;
    const uint32_t *held; /* of each phase: contexts with rows queued in the switch, a bit each */
    const uint32_t *pins;
} done_source;

ACE_INLINE bool is_done(const ace_scheduler *s, unsigned phase, unsigned index, done_source c) {
    const unsigned bit = phase * s->contexts + index;
    if (c.from_pins) return c.pins[bit / 32] >> bit % 32 & 1;
    return !(c.held[phase] >> index & 1) &&
           ace_fsm_done(&c.fsms[phase * c.per_phase + index % c.per_phase], index);
}

/* The stages whose oldest chunk's work is over, a bit each. */
ACE_INLINE unsigned over(const ace_scheduler *s, done_source c) {
    unsigned set = 0;
    for (unsigned stage = 0; stage <= s->store; stage++) {
        if (s->admitted[stage] == s->finished[stage]) continue;
        const unsigned chunk = s->finished[stage] % ACE_CHUNKS;
        const unsigned first = s->flight[chunk].first;
        const bool is = stage == s->store ? s->stored >> chunk & 1
                        : first > stage   ? true
                        : first == stage  ? s->loaded >> chunk & 1
                                          : is_done(s, stage - 1, chunk % s->contexts, c);
        set |= (unsigned)is << stage;
    }
    return set;
}

unsigned ace_scheduler_over(const ace_scheduler *s, const ace_fsm *fsms, unsigned per_phase,
                            const uint32_t held[]) {
    return over(s, (done_source){ .fsms = fsms, .per_phase = per_phase, .held = held });
}

static void make_job(const ace_scheduler *s, ace_job *job) {
    const ace_flight *f = &s->flight[s->at];
    const bool store = s->stage == s->store;
    const unsigned part = store ? s->phases : s->stage;
    job->address = store ? f->chunk.store_address : f->chunk.load_address;
    job->rows = store ? f->chunk.store_rows : f->chunk.load_rows;
    job->limit = f->chunk.limit;
    job->burst = store ? f->chunk.store_burst : f->chunk.load_burst;
    job->bank = s->at % ACE_BANKS;
    job->row = f->rows[part];
    job->base = s->base[part];
    job->end = (uint16_t)(s->base[part] + s->cfg->partition_rows[part] - 1);
    job->id = s->at;
}

static void make_admission(const ace_scheduler *s, ace_admission *a) {
    const ace_flight *f = &s->flight[s->at];
    const unsigned p = s->stage - 1u;
    a->phase = (uint8_t)p;
    a->index = (uint8_t)(s->at % s->contexts);
    a->kind = f->chunk.kinds[p];
    a->dim = f->chunk.dims[p];
    a->ring = (uint8_t)s->cfg->ring[a->dim];
    a->rank = (uint8_t)s->cfg->rank[a->dim];
    a->shard = f->chunk.shards[p];
    a->valids = f->chunk.valids[p];
    a->source_row = f->rows[p];
    a->target_row = f->rows[s->stage];
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
}

/* The latest stage that can; release before admission. */
static void pick(ace_scheduler *s) {
    const unsigned can = s->look.over | s->look.can_admit;
    if (!can) return;
    s->step = ACE_SCHEDULER_MOVE;
    s->stage = (uint8_t)(31 - __builtin_clz(can));
    s->finish = s->look.over >> s->stage & 1;
    s->at = (uint8_t)((s->finish ? s->finished : s->admitted)[s->stage] % ACE_CHUNKS);
}

/* Updates what each stage can do: a pipeline of three registers. */
static void look(ace_scheduler *s, unsigned is_over, bool load_ready, bool store_ready, bool move) {
    ace_look *k = &s->look;
    unsigned can_admit = store_ready ? k->asks & 1u << s->store : 0;
    unsigned may = (unsigned)(s->admitted[s->store] != s->finished[s->store - 1]) << s->store;
    unsigned loads = 0;
    for (unsigned g = 0; g < s->store; g++) {
        const uint32_t newest = s->admitted[g];
        const bool room = k->sum[g] <= s->cfg->partition_rows[g];
        if (k->asks >> g & 1 && room && (load_ready || !(k->starts >> g & 1))) can_admit |= 1u << g;
        k->sum[g] = (uint16_t)(s->used[g][newest % ACE_BANKS] + k->need[g]);
        k->need[g] = s->flight[move ? s->at : newest % ACE_CHUNKS].needs[g];
        loads |= (unsigned)(s->flight[newest % ACE_CHUNKS].first == g) << g;
        const bool waits = newest != (g ? s->finished[g - 1] : s->dispatched);
        if (waits && (g == 0 || newest - s->finished[g] < s->contexts)) may |= 1u << g;
    }
    k->can_admit = (uint8_t)can_admit;
    k->asks = k->may;
    k->starts = k->loads;
    k->may = (uint8_t)may;
    k->loads = (uint8_t)loads;
    k->over = (uint8_t)is_over;
}

/* Room is reserved or given back, and what the bus shows in the next cycle is made. */
static void act(ace_scheduler *s) {
    ace_flight *f = &s->flight[s->at];
    const unsigned bank = s->at % ACE_BANKS, stage = s->stage;
    const bool store = stage == s->store;
    s->bus = stage > f->first && !store ? (s->finish ? ACE_ACT_RELEASE : ACE_ACT_ADMIT)
             : s->finish                ? ACE_ACT_NONE
             : store                    ? ACE_ACT_STORE
             : stage == f->first        ? ACE_ACT_LOAD
                                        : ACE_ACT_NONE;
    if (s->finish) {
        if (stage != 0)
            s->used[stage - 1][bank] = (uint16_t)(s->used[stage - 1][bank] - f->needs[stage - 1]);
        if (stage == f->first) s->loaded &= ~(1ull << s->at);
        if (store) {
            s->stored &= ~(1ull << s->at);
            s->done_valid = f->chunk.last;
            s->done_tag = f->chunk.tag;
        }
    } else if (!store) {
        f->rows[stage] = (uint16_t)(s->base[stage] + s->next[stage][bank]);
        s->used[stage][bank] = (uint16_t)(s->used[stage][bank] + f->needs[stage]);
    }
    if (s->bus == ACE_ACT_LOAD || s->bus == ACE_ACT_STORE)
        make_job(s, &s->job);
    else if (s->bus != ACE_ACT_NONE)
        make_admission(s, &s->admission);
}

/* The bus is taken; the next block of the partition begins behind this one. */
static void show(ace_scheduler *s) {
    const unsigned stage = s->stage;
    if (stage == s->store) return;
    if (s->finish) {
        if (stage) s->oldest[stage - 1] = (uint8_t)(s->finished[stage] & (s->contexts - 1));
        return;
    }
    uint16_t *next = &s->next[stage][s->at % ACE_BANKS];
    *next = (uint16_t)(*next + s->flight[s->at].needs[stage]);
    if (*next >= s->cfg->partition_rows[stage])
        *next = (uint16_t)(*next - s->cfg->partition_rows[stage]);
}

void ace_scheduler_tick(ace_scheduler *s, unsigned is_over, bool load_ready, bool store_ready,
                        const ace_chunk *chunk, int loaded, int stored) {
    const ace_look was = s->look;
    const unsigned step = s->step, entering = s->enter;
    if (step == ACE_SCHEDULER_PICK)
        pick(s);
    else
        s->step = step == ACE_SCHEDULER_WAIT ? ACE_SCHEDULER_PICK : (uint8_t)(step + 1);
    look(s, is_over, load_ready, store_ready, step == ACE_SCHEDULER_MOVE);
    s->bus = ACE_ACT_NONE;
    s->done_valid = false;
    if (step == ACE_SCHEDULER_MOVE) (s->finish ? s->finished : s->admitted)[s->stage]++;
    if (step == ACE_SCHEDULER_ACT) act(s);
    if (step == ACE_SCHEDULER_SHOW) show(s);
    if (entering == ACE_SCHEDULER_ENTERS) s->dispatched++;
    s->enter = chunk || entering % ACE_SCHEDULER_ENTERS ? (uint8_t)(entering + 1) : 0;
    if (chunk) enter(s, chunk);
    if (loaded >= 0) s->loaded |= 1ull << loaded;
    if (stored >= 0) s->stored |= 1ull << stored;
    s->dirty = step | s->step | entering | s->enter || loaded >= 0 || stored >= 0 ||
               memcmp(&was, &s->look, sizeof was) != 0;
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

void ace_scheduler_pins_eval(const ace_scheduler_pins *p, ace_scheduler_pins_out *o) {
    const ace_scheduler *s = &p->unit;
    *o = (ace_scheduler_pins_out){ .s_chunk_ready = ace_scheduler_chunk_ready(s),
                                   .m_hold = ace_scheduler_m_hold(s),
                                   .m_load_valid = s->bus == ACE_ACT_LOAD,
                                   .m_store_valid = s->bus == ACE_ACT_STORE,
                                   .m_admit_valid = s->bus == ACE_ACT_ADMIT,
                                   .m_release_valid = s->bus == ACE_ACT_RELEASE,
                                   .m_done_valid = s->done_valid,
                                   .m_done_tag = s->done_tag,
                                   .m_load_first = ace_scheduler_load_first(s),
                                   .busy = ace_scheduler_busy(s) };
    for (unsigned i = 0; i < s->phases; i++) o->m_oldest[i] = ace_scheduler_oldest(s, i);
    const ace_job *j = &s->job;
    o->m_job_address = j->address;
    o->m_job_rows = j->rows;
    o->m_job_limit = j->limit;
    o->m_job_burst = j->burst;
    o->m_job_bank = j->bank;
    o->m_job_row = j->row;
    o->m_job_base = j->base;
    o->m_job_end = j->end;
    o->m_job_id = j->id;
    const ace_admission *a = &s->admission;
    o->m_context_phase = a->phase;
    o->m_context_index = a->index;
    o->m_admit_kind = a->kind;
    o->m_admit_dim = a->dim;
    o->m_admit_ring = a->ring;
    o->m_admit_rank = a->rank;
    o->m_admit_shard = a->shard;
    o->m_admit_valids = a->valids;
    o->m_admit_source_row = a->source_row;
    o->m_admit_target_row = a->target_row;
    o->m_admit_type = a->type;
    o->m_admit_op = a->op;
    o->m_admit_scale = a->scale;
    o->m_admit_mark = a->mark;
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
    p->unit.alone = in->cfg_alone;
    p->cfg.chunk_window = in->cfg_window;
    p->configured = true;
}

void ace_scheduler_pins_tick(ace_scheduler_pins *p, const ace_scheduler_pins_in *in) {
    if (!p->configured) configure(p, in);
    if (!p->unit.dirty && !memcmp(in->s_context_done, p->context_done, sizeof p->context_done) &&
        in->m_load_ready == p->load_ready && in->m_store_ready == p->store_ready &&
        !in->s_chunk_valid && !in->s_loaded_valid && !in->s_stored_valid)
        return;
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
        &p->unit, over(&p->unit, (done_source){ .from_pins = true, .pins = in->s_context_done }),
        in->m_load_ready, in->m_store_ready,
        in->s_chunk_valid && ace_scheduler_chunk_ready(&p->unit) ? &c : NULL,
        in->s_loaded_valid ? in->s_loaded_id : -1, in->s_stored_valid ? in->s_stored_id : -1);
}

bool ace_scheduler_pins_idle(const ace_scheduler_pins *p) {
    return !ace_scheduler_busy(&p->unit) && !p->unit.done_valid;
}

void ace_scheduler_pins_skip(ace_scheduler_pins *p, uint64_t cycles) {
    (void)p; /* the scheduler counts no cycles */
    (void)cycles;
}
