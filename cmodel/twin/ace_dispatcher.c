/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_dispatcher.c -- the twin of rtl/ace_dispatcher.v: commands become planned chunks
 *
 * The RTL divides by ring sizes step by step. The twin computes a plan at once in plan() and
 * counts the cycles that the divisions take. A tick first counts down a command that enters and
 * takes a new one. Then the state machine moves: choose a command, plan a chunk, emit the chunk,
 * and take its rows off the command.
 */
#include "ace_dispatcher.h"

#include <stdlib.h>

#include "ace_flit.h"
#include "ace_scale.h"

enum {
    MARK_STEP = 53, /* between the first marks of two commands in a row, see the RTL */
    DIVISION_CYCLES = 14,
    READ_CYCLES = 1,
    LAST_PLAN_CYCLES = 6, /* after the last division; 1 if there was no division */
    LIMIT_CYCLES = 1,
    MOST_CYCLES = READ_CYCLES + DIVISION_CYCLES * ACE_DIMENSIONS + LAST_PLAN_CYCLES + LIMIT_CYCLES
};

int ace_dispatcher_create(const ace_config *cfg, unsigned dimensions, unsigned commands,
                          ace_dispatcher *d) {
    const unsigned others = commands > 16 ? commands / 8 : 2;
    *d = (ace_dispatcher){ .cfg = cfg, .dimensions = dimensions, .commands = { commands, others } };
    d->waiting = calloc(commands + others, sizeof *d->waiting);
    return d->waiting ? ACE_OK : ACE_ENOMEM;
}

void ace_dispatcher_destroy(ace_dispatcher *d) { free(d->waiting); }

void ace_dispatcher_reset(ace_dispatcher *d) {
    for (unsigned c = 0; c < ACE_COMMAND_CLASSES; c++) d->head[c] = d->tail[c] = d->left[c] = 0;
    d->next_mark = 0;
    d->state = ACE_DISPATCH_IDLE;
    d->entering = 0;
}

static void check_waiting(const ace_dispatcher *d, const ace_waiting *w, ace_state *s) {
    ace_state_must(s,
                   w->kind <= ACE_ALL_GATHER && w->type < ACE_TYPES && w->op < ACE_OPS &&
                       w->count <= d->dimensions && w->rows,
                   "ace_dispatcher.waiting");
    for (unsigned i = 0; ace_state_loaded(s) && i < w->count; i++)
        ace_state_must(s, w->dims[i] < d->dimensions, "ace_dispatcher.dims");
}

static void check_chunk(const ace_dispatcher *d, const ace_chunk *c, ace_state *s) {
    ACE_STATE_BOOLS(s, "ace_dispatcher.last", &c->last);
    ace_state_must(s,
                   c->type < ACE_TYPES && c->op < ACE_OPS && c->load_burst <= 4 &&
                       c->store_burst <= 4 && c->load_rows >= 1 && c->load_rows <= 1024 &&
                       c->store_rows >= 1 && c->store_rows <= 1024,
                   "ace_dispatcher.chunk");
    for (unsigned p = 0; p <= d->dimensions; p++)
        ace_state_must(s, c->kinds[p] <= ACE_PHASE_ALL_GATHER && c->dims[p] < d->dimensions,
                       "ace_dispatcher.kinds");
}

/* Returns the cycles in which the member count of a new command is computed, after the cycle in
 * which it was taken. */
static uint32_t enter_cycles(const ace_dispatcher *d) { return 2 * d->dimensions + 2; }

/* Returns the index of a class's next command: with FIFO the oldest, with LIFO the newest. */
static uint32_t next_of(const ace_dispatcher *d, unsigned class_) {
    return ace_dispatcher_index(d, class_,
                                d->cfg->order == ACE_FIFO ? d->head[class_] : d->tail[class_] - 1);
}

static void check(const ace_dispatcher *d, ace_state *s) {
    const bool plans = d->state != ACE_DISPATCH_IDLE;
    for (unsigned c = 0; c < ACE_COMMAND_CLASSES; c++) {
        ace_state_must(s, ace_dispatcher_held(d, c) <= d->commands[c], "ace_dispatcher.tail");
        ace_state_must(s, d->left[c] <= 15, "ace_dispatcher.left");
    }
    ace_state_must(s, d->class_at < ACE_COMMAND_CLASSES && d->class_enter < ACE_COMMAND_CLASSES,
                   "ace_dispatcher.class");
    ace_state_must(s, d->state <= ACE_DISPATCH_WAIT, "ace_dispatcher.state");
    if (!ace_state_loaded(s)) return;
    ace_state_must(s,
                   !plans ||
                       (ace_dispatcher_held(d, d->class_at) &&
                        d->at < ace_dispatcher_index(d, d->class_at, 0) + d->commands[d->class_at]),
                   "ace_dispatcher.at");
    ace_state_must(
        s,
        d->entering <= enter_cycles(d) &&
            (!d->entering || (ace_dispatcher_held(d, d->class_enter) &&
                              d->state != ACE_DISPATCH_PLAN && d->state != ACE_DISPATCH_EMIT)),
        "ace_dispatcher.entering");
    ace_state_must(s, d->state != ACE_DISPATCH_PLAN || (d->cycles >= 1 && d->cycles <= MOST_CYCLES),
                   "ace_dispatcher.cycles");
    for (unsigned c = 0; c < ACE_COMMAND_CLASSES; c++)
        for (uint32_t i = d->head[c]; ace_state_loaded(s) && i != d->tail[c]; i++)
            check_waiting(d, &d->waiting[ace_dispatcher_index(d, c, i)], s);
    if (!plans || !ace_state_loaded(s)) return;
    ace_state_must(s, d->rows_cut >= 1 && d->rows_cut <= d->waiting[d->at].rows,
                   "ace_dispatcher.rows_cut");
    check_chunk(d, &d->chunk, s);
}

void ace_dispatcher_state(ace_dispatcher *d, ace_state *s) {
    const unsigned dimensions = d->dimensions, commands[] = { d->commands[0], d->commands[1] };
    ACE_STATE_BUT(s, *d, &d->cfg, &d->waiting);
    ace_state_must(s,
                   d->dimensions == dimensions && d->commands[0] == commands[0] &&
                       d->commands[1] == commands[1],
                   "ace_dispatcher.commands");
    if (s->failed) return;
    ace_state_bytes(s, d->waiting, (commands[0] + commands[1]) * sizeof *d->waiting);
    if (ace_state_loaded(s)) check(d, s);
}

static void take(ace_dispatcher *d, const ace_command *c) {
    d->class_enter = d->cfg->class_tag && c->tag >= d->cfg->class_tag;
    ace_waiting *w =
        &d->waiting[ace_dispatcher_index(d, d->class_enter, d->tail[d->class_enter]++)];
    w->kind = (uint8_t)c->kind;
    w->type = (uint8_t)c->type;
    w->op = (uint8_t)c->op;
    w->count = 0;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) w->dims[i] = 0;
    uint64_t members = 1;
    for (unsigned i = 0; i < c->dim_count; i++)
        if (d->cfg->ring[c->dims[i]] > 1) { /* dimensions of one node are left out */
            w->dims[w->count++] = c->dims[i];
            members *= d->cfg->ring[c->dims[i]];
        }
    w->scale = (uint64_t)ace_scale_shift(members) << 32 | c->scale;
    w->source = c->source;
    w->destination = c->destination;
    w->limit = c->destination + c->bytes;
    w->rows = (c->bytes + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES;
    w->tag = c->tag;
    w->mark = d->next_mark;
    d->next_mark = (uint8_t)(d->next_mark + MARK_STEP);
}

/* Chooses the class of the next chunk.  Class 1 goes first while it has chunks left in the round.
 * When no class that waits has any left, a round begins with the weights of both classes. */
static void choose(ace_dispatcher *d) {
    const uint8_t *const weight = d->cfg->class_weight;
    const unsigned c =
        ace_dispatcher_held(d, 1) && (d->left[1] || !d->left[0] || !ace_dispatcher_held(d, 0));
    if (!d->left[c]) {
        d->left[0] = weight[0];
        d->left[1] = weight[1] ? weight[1] : 1;
    }
    if (d->left[c]) d->left[c]--;
    d->class_at = (uint8_t)c;
    d->at = next_of(d, c);
}

/* The command dimension and the kind of each phase of a list, first to last. */
static unsigned list_phases(const ace_waiting *w, uint8_t slot[ACE_PHASES],
                            uint8_t kind[ACE_PHASES]) {
    unsigned n = 0;
    if (w->kind == ACE_ALL_REDUCE && w->count > 1) {
        slot[n] = 0, kind[n++] = ACE_PHASE_REDUCE_SCATTER;
        for (uint8_t i = 1; i < w->count; i++) slot[n] = i, kind[n++] = ACE_PHASE_ALL_REDUCE;
        slot[n] = 0, kind[n++] = ACE_PHASE_ALL_GATHER;
    } else
        for (uint8_t i = 0; i < w->count; i++) {
            slot[n] = w->kind == ACE_ALL_GATHER ? (uint8_t)(w->count - 1 - i) : i;
            kind[n++] = w->kind == ACE_ALL_REDUCE       ? ACE_PHASE_ALL_REDUCE
                        : w->kind == ACE_REDUCE_SCATTER ? ACE_PHASE_REDUCE_SCATTER
                                                        : ACE_PHASE_ALL_GATHER;
        }
    return n;
}

static void plan(ace_dispatcher *d) {
    const ace_waiting *w = &d->waiting[d->at];
    const ace_config *cfg = d->cfg;
    const bool all_reduce = w->kind == ACE_ALL_REDUCE;
    uint16_t shard[ACE_DIMENSIONS] = { 0 };
    /* A shard ends no later than the shards it was cut from.  The smallest shard is stored whole,
     * so its own end is not a limit. */
    uint32_t own = 0, end = d->rows_cut;
    for (unsigned i = 0; i < w->count; i++) {
        const uint16_t block_rows = i == 0 ? d->rows_cut : all_reduce ? shard[0] : shard[i - 1];
        const uint8_t n = (uint8_t)cfg->ring[w->dims[i]];
        shard[i] = (uint16_t)((block_rows + n - 1) / n);
        own += (uint32_t)cfg->rank[w->dims[i]] * shard[i];
        if (i + 1 < d->dimensions && own + shard[i] < end) end = own + shard[i];
    }
    const uint64_t own_bytes = (uint64_t)own * ACE_ROW_BYTES;
    const uint16_t own_rows = w->count ? shard[w->count - 1] : d->rows_cut;

    ace_chunk *c = &d->chunk;
    uint8_t slot[ACE_PHASES], kind[ACE_PHASES];
    const unsigned n = list_phases(w, slot, kind), phases = d->dimensions + 1;
    for (unsigned p = 0; p < phases; p++) {
        const bool used = p + n >= phases;
        const unsigned s = used ? slot[p + n - phases] : 0;
        c->kinds[p] = used ? kind[p + n - phases] : ACE_PHASE_NONE;
        c->dims[p] = used ? w->dims[s] : 0;
        c->shards[p] = used ? shard[s] : 0;
        c->valids[p] = !used                                 ? 0
                       : c->kinds[p] == ACE_PHASE_ALL_GATHER ? shard[s]
                       : s == 0                              ? d->rows_cut
                       : all_reduce                          ? shard[0]
                                                             : shard[s - 1];
    }
    c->type = w->type;
    c->op = w->op;
    c->scale = w->scale;
    c->mark = w->mark;
    c->load_address = w->source + (w->kind == ACE_ALL_GATHER ? own_bytes : 0);
    c->load_rows = w->kind == ACE_ALL_GATHER ? own_rows : d->rows_cut;
    c->store_address = w->destination + (w->kind == ACE_REDUCE_SCATTER ? own_bytes : 0);
    c->store_rows = w->kind == ACE_REDUCE_SCATTER ? own_rows : d->rows_cut;
    c->limit = w->limit;
    const uint64_t shard_limit = w->destination + (uint64_t)end * ACE_ROW_BYTES;
    if (w->kind == ACE_REDUCE_SCATTER && w->count && shard_limit < c->limit) c->limit = shard_limit;
    /* Every address is a multiple of its burst, so none crosses 4 KiB.  Complete chunks
     * begin at a chunk.  The shard that an all-gather loads or a reduce-scatter stores begins at a
     * shard. */
    const unsigned shard_bits = (unsigned)shard[0] | shard[1] | shard[2] | shard[3];
    const unsigned chunk_bits = cfg->chunk_rows | 16u;
    c->load_burst =
        (uint8_t)__builtin_ctz(chunk_bits | (w->kind == ACE_ALL_GATHER ? shard_bits : 0));
    c->store_burst =
        (uint8_t)__builtin_ctz(chunk_bits | (w->kind == ACE_REDUCE_SCATTER ? shard_bits : 0));
    c->last = d->rows_cut == w->rows;
    c->tag = w->tag;
}

void ace_dispatcher_tick(ace_dispatcher *d, const ace_command *cmd, bool hold, bool chunk_ready) {
    const bool takes = cmd && ace_dispatcher_cmd_ready(d);
    const bool emits = ace_dispatcher_chunk_valid(d) && chunk_ready;
    const bool empty = ace_dispatcher_idle(d), entered = !d->entering;
    /* The rest of the current command is written to the table before a new command enters. */
    if (d->entering > 1 || (d->entering && !emits)) d->entering--;
    if (takes) {
        take(d, cmd);
        d->entering = enter_cycles(d);
    }
    switch (d->state) {
    case ACE_DISPATCH_IDLE:
        if (!takes && entered && !empty && !hold) {
            choose(d);
            const ace_waiting *w = &d->waiting[d->at];
            d->rows_cut = w->rows > d->cfg->chunk_rows ? d->cfg->chunk_rows : (uint16_t)w->rows;
            d->cycles = READ_CYCLES + DIVISION_CYCLES * w->count +
                        (w->count ? LAST_PLAN_CYCLES : 1) + LIMIT_CYCLES;
            d->state = ACE_DISPATCH_PLAN;
            plan(d);
        }
        break;
    case ACE_DISPATCH_PLAN:
        if (--d->cycles == 0) d->state = ACE_DISPATCH_EMIT;
        break;
    default:
        d->state = ACE_DISPATCH_WAIT;
        if (emits) {
            ace_waiting *w = &d->waiting[d->at];
            if (d->chunk.last) {
                if (d->cfg->order == ACE_FIFO)
                    d->head[d->class_at]++;
                else
                    d->tail[d->class_at]--;
            }
            w->rows -= d->rows_cut;
            w->source += (uint64_t)d->rows_cut * ACE_ROW_BYTES;
            w->destination += (uint64_t)d->rows_cut * ACE_ROW_BYTES;
            w->mark++;
            d->state = ACE_DISPATCH_IDLE;
        }
    }
}

/* ---- pins ---------------------------------------------------------------- */

int ace_dispatcher_pins_create(unsigned dimensions, unsigned commands, ace_dispatcher_pins **pins) {
    if (dimensions < 3 || dimensions > ACE_DIMENSIONS) return ACE_EINVAL;
    if (commands < 2 || commands & (commands - 1)) return ACE_EINVAL;
    ace_dispatcher_pins *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    if (ace_dispatcher_create(&p->cfg, dimensions, commands, &p->unit) != ACE_OK) {
        free(p);
        return ACE_ENOMEM;
    }
    *pins = p;
    return ACE_OK;
}

void ace_dispatcher_pins_destroy(ace_dispatcher_pins *p) {
    if (!p) return;
    ace_dispatcher_destroy(&p->unit);
    free(p);
}

void ace_dispatcher_pins_reset(ace_dispatcher_pins *p) { ace_dispatcher_reset(&p->unit); }

void ace_dispatcher_pins_eval(const ace_dispatcher_pins *p, ace_dispatcher_pins_out *o) {
    const ace_chunk *c = &p->unit.chunk;
    *o = (ace_dispatcher_pins_out){ .s_cmd_ready = ace_dispatcher_cmd_ready(&p->unit),
                                    .m_chunk_valid = ace_dispatcher_chunk_valid(&p->unit),
                                    .m_chunk_type = c->type,
                                    .m_chunk_op = c->op,
                                    .m_chunk_scale = c->scale,
                                    .m_chunk_mark = c->mark,
                                    .m_chunk_load_address = c->load_address,
                                    .m_chunk_load_rows = c->load_rows,
                                    .m_chunk_store_address = c->store_address,
                                    .m_chunk_store_rows = c->store_rows,
                                    .m_chunk_limit = c->limit,
                                    .m_chunk_load_burst = c->load_burst,
                                    .m_chunk_store_burst = c->store_burst,
                                    .m_chunk_last = c->last,
                                    .m_chunk_tag = c->tag,
                                    .idle = ace_dispatcher_idle(&p->unit) };
    for (unsigned i = 0; i < ACE_PHASES; i++) {
        o->m_chunk_kinds = (uint16_t)(o->m_chunk_kinds | c->kinds[i] << 2 * i);
        o->m_chunk_dims = (uint16_t)(o->m_chunk_dims | c->dims[i] << 2 * i);
        o->m_chunk_shards |= (uint64_t)c->shards[i] << 11 * i;
        o->m_chunk_valids |= (uint64_t)c->valids[i] << 11 * i;
    }
}

void ace_dispatcher_pins_tick(ace_dispatcher_pins *p, const ace_dispatcher_pins_in *in) {
    ace_command c = { .kind = (ace_kind)in->s_cmd_kind,
                      .type = (ace_type)in->s_cmd_type,
                      .op = (ace_op)in->s_cmd_op,
                      .scale = in->s_cmd_scale,
                      .dim_count = in->s_cmd_dim_count,
                      .source = in->s_cmd_source,
                      .destination = in->s_cmd_destination,
                      .bytes = in->s_cmd_bytes,
                      .tag = in->s_cmd_tag };
    p->cfg.order = in->cfg_fifo ? ACE_FIFO : ACE_LIFO;
    p->cfg.chunk_rows = in->cfg_chunk_rows;
    p->cfg.class_tag = in->cfg_class_tag;
    for (unsigned i = 0; i < ACE_COMMAND_CLASSES; i++)
        p->cfg.class_weight[i] = in->cfg_class_weight >> 4 * i & 15;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) {
        c.dims[i] = in->s_cmd_dims >> 2 * i & 3;
        p->cfg.ring[i] = (uint8_t)(in->cfg_ring >> 8 * i);
        p->cfg.rank[i] = (uint8_t)(in->cfg_rank >> 8 * i);
    }
    ace_dispatcher_tick(&p->unit, in->s_cmd_valid ? &c : NULL, in->s_hold, in->m_chunk_ready);
}

bool ace_dispatcher_pins_idle(const ace_dispatcher_pins *p) {
    return ace_dispatcher_idle(&p->unit);
}

void ace_dispatcher_pins_skip(ace_dispatcher_pins *p, uint64_t cycles) {
    (void)p; /* the dispatcher counts no cycles */
    (void)cycles;
}
