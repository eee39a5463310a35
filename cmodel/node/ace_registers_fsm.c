/* SPDX-License-Identifier: Apache-2.0 */
/* ace_registers_fsm.c -- the registers of the FSMs, their contexts and the programs' memories
 *
 * The twin keeps the instruction of a piece and counts rows from the piece's beginning; the RTL
 * counts the rows that are left.  A thread advances in the twin a cycle before the RTL's. */
#include "ace_register_view.h"

/* A piece in the form that the RTL computes. */
typedef struct piece {
    unsigned rows, source, target, valids;
    unsigned how; /* {end, free, hold, keep, needs, from target, reduce, into} */
    int bias;
} piece;

enum { FREE = 6, HOLD = 5, KEEP = 4, NEEDS = 3, FROM_TARGET = 2, INTO = 0 }; /* bits of `how` */

static unsigned how_of(const ace_thread *t) {
    const unsigned wait = ACE_PROGRAM_GET(t->word, WAIT), grant = ACE_PROGRAM_GET(t->word, GRANT);
    const bool target = ACE_PROGRAM_GET(t->word, TARGET);
    const bool needs = grant == ACE_GRANT_EACH || (grant == ACE_GRANT_FIRST && t->first);
    const bool into = target || (ACE_PROGRAM_GET(t->word, LAST) && t->last);
    return (unsigned)t->end << 7 | (unsigned)(wait == ACE_WAIT_NO) << FREE |
           (unsigned)(wait != ACE_WAIT_ROWS) << HOLD |
           (unsigned)(wait == ACE_WAIT_BEGIN && !t->first) << KEEP | (unsigned)needs << NEEDS |
           (unsigned)target << FROM_TARGET | (unsigned)ACE_PROGRAM_GET(t->word, REDUCE) << 1 |
           (unsigned)into << INTO;
}

/* Rows that are no padding, from `offset` on. */
static unsigned valids_from(const ace_fsm_context *c, unsigned offset) {
    return c->valids > offset ? c->valids - offset : 0u;
}

/* Do sums of a piece to receive go to the front of the target? */
static bool is_front(const ace_fsm_context *c, unsigned how) {
    return (how >> INTO & 1) && c->kind == ACE_PHASE_REDUCE_SCATTER;
}

static piece segment_of(const ace_fsm *f, const ace_fsm_context *c, const ace_thread *t,
                        bool receives) {
    const unsigned offset = t->shard * (unsigned)c->shard & 0xfff, how = how_of(t);
    const unsigned rows = t->shards * (unsigned)c->shard & 0xfff;
    const unsigned to = receives && is_front(c, how) ? 0 : offset;
    return (piece){ .rows = rows,
                    .source = ace_fsm_context_row(c->source, offset, f->source_part),
                    .target = ace_fsm_context_row(c->target, to, f->target_part),
                    .valids = valids_from(c, offset),
                    .how = how,
                    .bias = how >> HOLD & 1 ? 1 : ACE_PROGRAM_SIGNED(t->word, BIAS) * (int)rows };
}

/* Is a word for context `at` in one of the stages that `stages` has a bit for? */
static bool is_in_stages(const ace_fsm *f, unsigned stages, unsigned at, ace_fetch what) {
    for (unsigned set = f->working & stages; set; set &= set - 1) {
        const unsigned job = f->jobs[__builtin_ctz(set)];
        if (job >> 2 == at && (job & 3) == what) return true;
    }
    return false;
}

/* {the loop begins, k, index in the program} of the next piece. */
static uint64_t thread_of(const ace_fsm_thread *t) {
    const ace_thread *b = &t->behind;
    const unsigned loop = ACE_PROGRAM_GET(b->word, LOOP);
    const unsigned k = loop == ACE_LOOP_UP      ? b->k + 1u
                       : loop == ACE_LOOP_HALVE ? b->k / 2u
                                                : b->k * 2u;
    if (t->begins) return 0x8000u | b->pc;
    if (b->last) return 0x8000u | (b->pc + 1u) % ACE_PROGRAM_WORDS;
    return (k & 0xff) << 7 | b->pc;
}

static bool exchanges(const ace_fsm *f, const ace_fsm_context *c, const ace_thread *t) {
    return ace_fsm_context_exchanges(t->word, ace_fsm_is_ring(f, c));
}
static bool goes_down(const ace_fsm *f, const ace_fsm_context *c, const ace_thread *t) {
    return ace_fsm_context_goes_down(c, t, ace_fsm_is_ring(f, c));
}

/* ---- a context ---- */

static void threads(const view *v, const ace_fsm *f, unsigned i) {
    const ace_fsm_context *c = &f->context[i];
    const bool entered = c->valid && !(f->wants[ACE_FETCH_ENTRY] >> i & 1) &&
                         !is_in_stages(f, 3, i, ACE_FETCH_ENTRY);
    see(v, "entry_wants_q", f->wants[ACE_FETCH_ENTRY] >> i & 1);
    see(v, "send_wants_q", f->wants[ACE_FETCH_SEND] >> i & 1);
    see(v, "receive_wants_q", f->wants[ACE_FETCH_RECEIVE] >> i & 1);
    see_if(v, "up_q", c->up, entered);
    see_if(v, "send_thread_q", thread_of(&c->send),
           entered && !is_in_stages(f, 2, i, ACE_FETCH_SEND));
    see_if(v, "receive_thread_q", thread_of(&c->receive),
           entered && !is_in_stages(f, 2, i, ACE_FETCH_RECEIVE));
    see_if(v, "send_over_q", c->send.over, c->valid);
    see_if(v, "receive_over_q", c->receive.over, c->valid);
}

static void sending(const view *v, const ace_fsm *f, const ace_fsm_context *c) {
    const ace_thread *t = &c->send.now;
    const bool lives = c->valid && c->send.live, next = c->valid && c->send.next;
    const bool held = c->valid && t->word != 0; /* by a piece, also when it is through */
    const unsigned wait = ACE_PROGRAM_GET(t->word, WAIT), how = how_of(t);
    const int level = c->written - c->sent;
    const piece p = segment_of(f, c, &c->send.behind, false);
    see(v, "send_live_q", c->send.live);
    see_if(v, "send_rows_q", (uint64_t)(c->send_rows - c->send_row), lives);
    see_if(v, "send_row_q", ace_fsm_context_m_send_row(c, f->source_part, f->target_part), lives);
    see_if(v, "send_valids_q", valids_from(c, c->send_offset), lives);
    see_if(v, "free_q", wait == ACE_WAIT_NO, held);
    see_if(v, "hold_q", c->hold, held);
    see_if(v, "budget_q", (uint64_t)(c->hold ? c->written - c->base + 1 : level + c->bias) & 0xffff,
           held && wait != ACE_WAIT_NO);
    see_if(v, "send_how_q",
           (c->link & 1u) << 11 | (uint64_t)c->needs << 10 | (how >> 1 & 3) << 8 | t->peer, lives);
    see(v, "send_next_q", c->send.next);
    see_if(v, "next_free_q", p.how >> FREE & 1, next);
    see_if(v, "next_hold_q", p.how >> HOLD & 1, next);
    see_if(v, "next_keep_q", p.how >> KEEP & 1, next);
    see_if(v, "next_rows_q", p.rows, next);
    see_if(v, "next_row_q", p.how >> FROM_TARGET & 1 ? p.target : p.source, next);
    see_if(v, "next_valids_q", p.valids, next);
    see_if(v, "next_budget_q", (uint64_t)(level + p.bias) & 0xffff, next);
    see_if(v, "next_how_q",
           (unsigned)goes_down(f, c, &c->send.behind) << 11 | (p.how >> 1 & 7) << 8 |
               c->send.behind.peer,
           next);
}

static void receiving(const view *v, const ace_fsm *f, const ace_fsm_context *c) {
    const bool lives = c->valid && c->receive.live, next = c->valid && c->receive.next;
    const piece p = segment_of(f, c, &c->receive.behind, true);
    see(v, "receive_live_q", c->receive.live);
    see_if(v, "receive_rows_q", (uint64_t)(c->receive_rows - c->receive_row), lives);
    see_if(v, "receive_source_q", ace_fsm_context_m_receive_source(c, f->source_part), lives);
    see_if(v, "receive_target_q", ace_fsm_context_m_receive_target(c, f->target_part), lives);
    see_if(v, "receive_valids_q", valids_from(c, c->receive_offset), lives);
    see_if(v, "receive_how_q",
           (uint64_t)c->exchange << 11 | (uint64_t)c->down << 10 | (uint64_t)c->grant << 9 |
               (uint64_t)c->into << 8 | c->receive.now.peer,
           lives);
    see(v, "fresh_q", lives && c->exchange && c->fresh);
    see(v, "behind_q", c->receive.next);
    see_if(v, "behind_rows_q", p.rows, next);
    see_if(v, "behind_source_q", p.source, next);
    see_if(v, "behind_target_q", p.target, next);
    see_if(v, "behind_valids_q", p.valids, next);
    see_if(v, "behind_how_q",
           (unsigned)exchanges(f, c, &c->receive.behind) << 11 |
               (unsigned)goes_down(f, c, &c->receive.behind) << 10 | (p.how >> NEEDS & 1) << 9 |
               (p.how >> INTO & 1) << 8 | c->receive.behind.peer,
           next);
}

static void context(const view *outer, const ace_fsm *f, unsigned i, unsigned dimensions) {
    char unit[80];
    snprintf(unit, sizeof unit, "%s.g_context[%u].u_context", outer->unit, i);
    const view in = { outer->see, outer->self, unit }, *const v = &in;
    const ace_fsm_context *c = &f->context[i];
    const bool copies = f->copies >> i & 1, bound = c->copied != c->shard;
    fields granted = { .bits = 0 };
    for (unsigned d = 0; d < dimensions; d++) append(&granted, f->peers.apart, c->granted[d], true);
    see(v, "valid_q", c->valid);
    see_fields(v, "granted_q", 0, &granted);
    see_if(v, "dim_q", c->dim, c->valid);
    see_if(v, "shard_q", c->shard, c->valid);
    threads(v, f, i);
    sending(v, f, c);
    receiving(v, f, c);
    see_if(v, "level_q", (uint64_t)(c->written - c->sent) & 0x1fff, c->valid);
    see_if(v, "open_q", (uint64_t)(c->received - c->written), c->valid);
    see_if(v, "copy_left_q", copies ? (uint64_t)(c->shard - c->copy) : 0u, c->valid);
    see_if(v, "copied_left_q", (uint64_t)(c->shard - c->copied), c->valid);
    see_if(v, "copy_source_q", ace_fsm_context_m_copy_source(c, f->source_part), copies);
    see_if(v, "copy_target_q", ace_fsm_context_m_copy_target(c, f->target_part), copies);
    see_if(v, "ahead_q", (uint64_t)(c->copied - c->sent) & 0xfff, c->valid && bound);
    see(v, "ready_q", f->ready >> ace_fsm_bit(f, i) & 1);
    see(v, "begun_q", f->begun >> ace_fsm_bit(f, i) & 1);
    see(v, "copying_q", copies);
    see(v, "granting_q", f->granting >> i & 1);
    see(v, "turning_q",
        (f->turning >> i & 1u) * 3u | (unsigned)ace_fsm_context_m_stalls(c, 1) << 1 |
            (unsigned)ace_fsm_context_m_stalls(c, 0));
    see(v, "closing_q", ace_fsm_closing(f, i << f->shift));
    see(v, "done_q", ace_fsm_context_m_done(c));
}

/* The FSM's registers for the chunk of context i. */
static void chunk(const view *v, const ace_fsm_context *c, unsigned i) {
    see_entry(v, "kind_q", i, c->kind, c->valid);
    see_entry(v, "ring_q", i, c->ring, c->valid);
    see_entry(v, "rank_q", i, c->rank, c->valid);
    see_entry(v, "shard_q", i, c->shard, c->valid);
    see_entry(v, "valids_q", i, c->valids, c->valid);
    see_entry(v, "source_q", i, c->source, c->valid);
    see_entry(v, "target_q", i, c->target, c->valid);
    see_entry(v, "type_q", i, c->type, c->valid);
    see_entry(v, "op_q", i, c->op, c->valid);
    see_entry(v, "scale_q", i, c->scale, c->valid);
    see_entry(v, "mark_q", i, c->mark, c->valid);
}

/* ---- the stages ---- */

/* The word that a stage's job is about. */
static unsigned index_of(const ace_fsm *f, unsigned job) {
    const unsigned at = job >> 2;
    const ace_fsm_context *c = &f->context[at];
    if ((job & 3) == ACE_FETCH_ENTRY)
        return ace_program_entry(c->kind, c->dim, (at << f->shift | f->index) & 1);
    return thread_of((job & 3) == ACE_FETCH_RECEIVE ? &c->receive : &c->send) % ACE_PROGRAM_WORDS;
}

/* The content of a stage: the piece's context, and the results of earlier stages. */
typedef struct stage {
    const ace_fsm_context *context;
    ace_fetch what;
    ace_thread thread; /* the piece's thread; for an entry, the own shard's */
    bool there, said;  /* the stage is occupied; an instruction defines the piece */
} stage;

static stage stage_of(const view *v, const ace_fsm *f, unsigned number) {
    static const char *const valid_names[] = { "valid1_q", "valid2_q", "valid3_q",
                                               "valid4_q", "valid5_q", "valid6_q" };
    static const char *const what_names[] = { "what1_q", "what2_q", "what3_q",
                                              "what4_q", "what5_q", "what6_q" };
    static const char *const at_names[] = { "at1_q", "at2_q", "at3_q", "at4_q", "at5_q", "at6_q" };
    const unsigned job = f->working >> (number - 1) & 1 ? f->jobs[number - 1] : 0;
    const ace_fsm_context *c = &f->context[job >> 2];
    stage s = { .context = c, .what = (ace_fetch)(job & 3) };
    s.there = f->working >> (number - 1) & 1;
    if (number > 2 && s.what == ACE_FETCH_ENTRY) s.there &= c->copies; /* else it needs no piece */
    s.said = s.there && s.what != ACE_FETCH_ENTRY;
    if (s.what == ACE_FETCH_ENTRY)
        s.thread = (ace_thread){ .shard = c->rank, .shards = 1 };
    else
        s.thread = s.what == ACE_FETCH_RECEIVE ? c->receive.behind : c->send.behind;
    see(v, valid_names[number - 1], s.there);
    see_if(v, what_names[number - 1], s.what, s.there);
    see_if(v, at_names[number - 1], job >> 2, s.there);
    return s;
}

/* The word has arrived; the next stages compute members and shards from it. */
static void first_stages(const view *v, const ace_fsm *f) {
    stage_of(v, f, 1);
    const stage two = stage_of(v, f, 2), three = stage_of(v, f, 3);
    const ace_thread *t = &two.thread;
    const unsigned entry = two.there && !two.said ? index_of(f, f->jobs[1]) : 0;
    see_if(v, "word2_q", two.said ? t->word : f->program[entry], two.there);
    see_if(v, "thread2_q", t->first ? 0x8000u | t->pc : (unsigned)t->k << 7 | t->pc, two.said);
    see_if(v, "ring2_q", two.context->ring, two.there);
    const ace_fsm_context *c = three.context;
    t = &three.thread;
    const unsigned x =
        (ACE_PROGRAM_GET(t->word, FROM_K) ? t->k : 0u) + (unsigned)ACE_PROGRAM_SIGNED(t->word, ADD);
    see_if(v, "how3_q", how_of(t), three.said);
    see_if(v, "bias3_q", ACE_PROGRAM_GET(t->word, BIAS), three.said);
    see_if(v, "from3_q", three.said ? ACE_PROGRAM_GET(t->word, FROM) : (unsigned)ACE_MEMBER,
           three.there);
    see_if(v, "peer_mode3_q", ACE_PROGRAM_GET(t->word, PEER), three.said);
    see_if(v, "piece3_q", three.said ? ACE_PROGRAM_GET(t->word, PIECE) : (unsigned)ACE_SHARD,
           three.there);
    see_if(v, "k3_q", t->k, three.said);
    see_if(v, "x3_q", three.said ? x & 0xff : c->rank, three.there);
    see_if(v, "away3_q",
           ACE_PROGRAM_GET(t->word, PEER_K) ? t->k : (unsigned)ACE_PROGRAM_GET(t->word, NUMBER),
           three.said);
    see_if(v, "ring3_q", c->ring, three.there);
    see_if(v, "rank3_q", c->rank, three.there);
    see_if(v, "up3_q", c->up, three.said);
    see_if(v, "turns3_q", exchanges(f, c, t), three.said);
}

/* The products, and rows of the partitions. */
static void last_stages(const view *v, const ace_fsm *f) {
    const stage four = stage_of(v, f, 4), five = stage_of(v, f, 5), six = stage_of(v, f, 6);
    see_if(v, "how4_q", how_of(&four.thread), four.said);
    see_if(v, "bias4_q", ACE_PROGRAM_GET(four.thread.word, BIAS), four.said);
    see_if(v, "rank4_q", four.context->rank, four.there);
    see_if(v, "turns4_q", exchanges(f, four.context, &four.thread), four.said);
    see_if(v, "down4_q", goes_down(f, four.context, &four.thread), four.said);
    /* that it is the switch is said a stage later */
    see_if(v, "peer4_q", four.thread.peer & ACE_TO_SWITCH ? four.context->rank : four.thread.peer,
           four.said);
    see_if(v, "index4_q", four.thread.shard, four.there);
    see_if(v, "shards4_q", four.thread.shards, four.there);
    see_if(v, "shard4_q", four.context->shard, four.there);
    const ace_fsm_context *c = five.context;
    const unsigned how = how_of(&five.thread);
    see_if(v, "how5_q", how, five.said);
    see_if(v, "turns5_q", exchanges(f, c, &five.thread), five.said);
    see_if(v, "down5_q", goes_down(f, c, &five.thread), five.said);
    see_if(v, "bias5_q", ACE_PROGRAM_GET(five.thread.word, BIAS), five.said);
    see_if(v, "peer5_q", five.thread.peer, five.said);
    see_if(v, "rows5_q", five.thread.shards * (unsigned)c->shard & 0xfff, five.there);
    see_if(v, "offset5_q", five.thread.shard * (unsigned)c->shard & 0xfff, five.there);
    see_if(v, "source5_q", c->source, five.there);
    see_if(v, "target5_q", c->target, five.there);
    see_if(v, "valids5_q", c->valids, five.there);
    see_if(v, "front5_q", five.what == ACE_FETCH_RECEIVE && is_front(c, how), five.there);
    const piece p = segment_of(f, six.context, &six.thread, six.what == ACE_FETCH_RECEIVE);
    see_if(v, "how6_q", p.how, six.said);
    see_if(v, "turns6_q", exchanges(f, six.context, &six.thread), six.said);
    see_if(v, "down6_q", goes_down(f, six.context, &six.thread), six.said);
    see_if(v, "peer6_q", six.thread.peer, six.said);
    see_if(v, "rows6_q", p.rows, six.there);
    see_if(v, "source6_q", six.said ? p.source : six.context->source, six.there);
    see_if(v, "target6_q", p.target, six.there);
    see_if(v, "valids6_q", p.valids, six.there);
    see_if(v, "bias6_q", (uint64_t)p.bias & 0x7fff, six.said);
}

static void fsm(const view *v, const ace_fsm *f, unsigned dimensions) {
    for (unsigned i = 0; i < f->contexts; i++) {
        context(v, f, i, dimensions);
        chunk(v, &f->context[i], i);
    }
    see(v, "oldest_q", f->oldest);
    first_stages(v, f);
    last_stages(v, f);
}

/* The program of a phase, and the word that was read last. */
static void program(const view *outer, const ace_cycle_core *n, unsigned phase) {
    char unit[32];
    view v = { outer->see, outer->self, unit };
    const ace_program_ram *p = &n->phases.program[phase];
    const ace_fsm *reader = NULL;
    for (unsigned f = phase * n->phases.per_phase; f < (phase + 1) * n->phases.per_phase; f++)
        if (n->phases.fsm[f].working & 1) reader = &n->phases.fsm[f];
    const uint32_t *program = n->phases.fsm[0].program;
    const unsigned loaded = ACE_PROGRAM_WORDS - p->loading;
    const unsigned at = reader ? index_of(reader, reader->jobs[0]) : 0;
    snprintf(unit, sizeof unit, "u_phases.g_phase[%u].u_program", phase);
    see(&v, "loaded_q", loaded);
    see_if(&v, "stored", (uint64_t)n->phases.codes[at] << 32 | program[at], reader != NULL);
    see(&v, "turn_q", p->turn & 3);
    see(&v, "read_q", p->read);
    see_if(&v, "at_q", p->at, p->read);
    see(&v, "wrong_q", p->wrong);
    see_if(&v, "wrong_at_q", p->wrong_at, p->wrong);
    for (unsigned i = 0; i < ACE_PROGRAM_WORDS; i++)
        see_entry(&v, "u_words.memory", i, (uint64_t)n->phases.codes[i] << 32 | program[i],
                  i < loaded);
}

void ace_registers_fsms(const view *outer, const ace_cycle_core *n) {
    char unit[64];
    const view v = { outer->see, outer->self, unit };
    for (unsigned f = 0; f < n->p.fsms; f++) {
        snprintf(unit, sizeof unit, "u_phases.g_phase[%u].g_fsm[%u].u_fsm", f / n->phases.per_phase,
                 f % n->phases.per_phase);
        fsm(&v, &n->phases.fsm[f], n->p.dimensions);
    }
    for (unsigned p = 0; p * n->phases.per_phase < n->p.fsms; p++) program(&v, n, p);
}
