/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_agreement.c -- the twin of rtl/ace_agreement.v: a minimum over all members
 *
 * A round goes along one dimension after another. Each node sends the least number of new commands
 * that it has received so far, once for each other member of the ring. The least value of all is
 * the number of commands that every node now has. Numbers of the next round wait in `ahead` until
 * the current round has passed their dimension. A tick first moves the round, then queues a
 * command, then opens or closes the gate for chunks, and last pops the head.
 */
#include "ace_agreement.h"

#include <stdlib.h>

static const ace_tally none = { 0, ACE_ROUND_MOST };

int ace_agreement_create(const ace_config *cfg, unsigned dimensions, unsigned commands,
                         ace_agreement *a) {
    *a = (ace_agreement){ .cfg = cfg, .dimensions = dimensions, .commands = commands };
    a->queue = calloc(commands, sizeof *a->queue);
    return a->queue ? ACE_OK : ACE_ENOMEM;
}

void ace_agreement_destroy(ace_agreement *a) { free(a->queue); }

void ace_agreement_reset(ace_agreement *a) {
    a->over = 0;
    for (unsigned d = 0; d < a->dimensions; d++)
        if (a->cfg->ring[d] > 1) a->over = (uint8_t)(a->over | (a->cfg->agreed & 1u << d));
    a->head = a->tail = a->agreed = 0;
    a->popped = a->open = a->ready = false;
    a->chunks = a->left = a->value = a->sent = 0;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) a->here[d] = a->ahead[d] = none;
}

/* Numbers that go along the dimension: one for each other member. */
static uint8_t others(const ace_agreement *a, unsigned d) { return (uint8_t)(a->cfg->ring[d] - 1); }

static void check(const ace_agreement *a, ace_state *s) {
    const uint32_t held = a->tail - a->head;
    ACE_STATE_BOOLS(s, "ace_agreement.open", &a->popped, &a->open, &a->ready);
    ace_state_must(s, held <= a->commands && a->agreed <= held, "ace_agreement.agreed");
    ace_state_must(s, a->chunks <= ACE_ROUND_CHUNKS && (!a->open || a->chunks),
                   "ace_agreement.chunks");
    ace_state_must(s, !(a->left & ~a->over) && !(a->left && a->ready), "ace_agreement.left");
    ace_state_must(s, !(a->left || a->ready) || a->value <= held - a->agreed,
                   "ace_agreement.value");
    if (a->left && ace_state_loaded(s))
        ace_state_must(s, a->sent <= others(a, (unsigned)__builtin_ctz(a->left)),
                       "ace_agreement.sent");
    for (unsigned d = 0; ace_state_loaded(s) && d < a->dimensions; d++)
        ace_state_must(s,
                       a->here[d].count <= others(a, d) && a->ahead[d].count <= others(a, d) &&
                           (!a->ahead[d].count || a->here[d].count == others(a, d)),
                       "ace_agreement.here");
    for (uint32_t i = a->head; ace_state_loaded(s) && i != a->tail; i++) {
        const ace_agreed *c = &a->queue[i % a->commands];
        ace_state_must(s,
                       c->kind <= ACE_ALL_GATHER && c->type < ACE_TYPES && c->op < ACE_OPS &&
                           c->dim_count <= a->dimensions && c->bytes,
                       "ace_agreement.queue");
        for (unsigned k = 0; ace_state_loaded(s) && k < c->dim_count; k++)
            ace_state_must(s, c->dims[k] < a->dimensions, "ace_agreement.dims");
    }
}

void ace_agreement_state(ace_agreement *a, ace_state *s) {
    const unsigned dimensions = a->dimensions, commands = a->commands;
    const uint8_t over = a->over;
    ACE_STATE_BUT(s, *a, &a->cfg, &a->queue);
    ace_state_must(s, a->dimensions == dimensions && a->commands == commands && a->over == over,
                   "ace_agreement.commands");
    if (s->failed) return;
    ace_state_bytes(s, a->queue, a->commands * sizeof *a->queue);
    if (ace_state_loaded(s)) check(a, s);
}

ace_command ace_agreement_m_cmd(const ace_agreement *a) {
    const ace_agreed *c = &a->queue[a->head % a->commands];
    ace_command to = { .kind = (ace_kind)c->kind,
                       .type = (ace_type)c->type,
                       .op = (ace_op)c->op,
                       .scale = c->scale,
                       .dim_count = c->dim_count,
                       .source = c->source,
                       .destination = c->destination,
                       .bytes = c->bytes,
                       .tag = c->tag };
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) to.dims[i] = c->dims[i];
    return to;
}

/* The dimension that the round under way goes along. */
static unsigned along(const ace_agreement *a) { return (unsigned)__builtin_ctz(a->left); }

static uint8_t least(uint8_t a, uint8_t b) { return a < b ? a : b; }

/* A node sends its next number when it has received as many as it has sent. The number then covers
 * one more member. */
bool ace_agreement_m_number(const ace_agreement *a, ace_number *n) {
    if (!a->left) return false;
    const unsigned d = along(a);
    const ace_tally *here = &a->here[d];
    n->link = (uint8_t)(2 * d);
    n->peer = a->cfg->hub[d] ? (uint8_t)((a->cfg->rank[d] + 1u) % a->cfg->ring[d]) : 0;
    n->value = least(a->value, here->least);
    return a->sent != others(a, d) && here->count >= a->sent;
}

/* All have gone and come along the dimension. */
static bool passes(const ace_agreement *a) {
    if (!a->left) return false;
    const unsigned d = along(a);
    return a->sent == others(a, d) && a->here[d].count == others(a, d);
}

static uint32_t fresh(const ace_agreement *a) { return a->tail - a->head - a->agreed; }

/* A round begins as soon as the one before was used, and where that has left nothing, with a
 * command. */
static bool begins(const ace_agreement *a) {
    return !a->left && !a->ready && (a->open || fresh(a));
}

bool ace_agreement_idle(const ace_agreement *a) {
    ace_number n;
    return !a->agreed && !a->open && !a->ready && !a->popped && !begins(a) && !passes(a) &&
           !ace_agreement_m_number(a, &n);
}

static void take(ace_agreement *a, const ace_command *c) {
    ace_agreed *to = &a->queue[a->tail++ % a->commands];
    *to = (ace_agreed){ .kind = (uint8_t)c->kind,
                        .type = (uint8_t)c->type,
                        .op = (uint8_t)c->op,
                        .scale = c->scale,
                        .dim_count = c->dim_count,
                        .source = c->source,
                        .destination = c->destination,
                        .bytes = c->bytes,
                        .tag = c->tag };
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) to->dims[i] = c->dims[i];
}

static void receive(ace_tally *t, uint8_t number) {
    t->count++;
    t->least = least(t->least, number);
}

/* Counts the numbers that arrive.  A number of the next round is kept in `ahead` until this round
 * is over. */
static void come(ace_agreement *a, const ace_agreement_in *in, bool pass) {
    const unsigned passed = pass ? along(a) : ACE_DIMENSIONS;
    for (unsigned d = 0; d < a->dimensions; d++) {
        const unsigned up = 2 * d, both = a->over >> d & 1 ? in->number_valid >> up & 3 : 0;
        if (both)
            receive(a->here[d].count == others(a, d) ? &a->ahead[d] : &a->here[d],
                    in->number[up + !(both & 1)]);
        if (d != passed) continue;
        a->here[d] = a->ahead[d];
        a->ahead[d] = none;
    }
}

/* One cycle of the current round: it may begin, send a number, or finish a dimension. */
static void step(ace_agreement *a, const ace_agreement_in *in) {
    const bool begin = begins(a), pass = passes(a);
    const uint32_t waits = fresh(a);
    const uint8_t received = pass ? a->here[along(a)].least : ACE_ROUND_MOST;
    come(a, in, pass);
    if (in->number_taken) a->sent++;
    if (pass) {
        a->value = least(a->value, received);
        a->sent = 0;
        a->left = (uint8_t)(a->left & (a->left - 1));
        a->ready = !a->left;
    }
    if (!begin) return;
    a->left = a->over;
    a->value = waits < ACE_ROUND_MOST ? (uint8_t)waits : ACE_ROUND_MOST;
}

void ace_agreement_tick(ace_agreement *a, const ace_agreement_in *in) {
    const bool uses = !a->open && a->ready, something = !in->rests || a->agreed;
    const bool room = ace_agreement_cmd_ready(a);
    step(a, in);
    if (in->cmd && room) take(a, in->cmd);
    if (uses) {
        a->open = something || a->value;
        a->chunks = ACE_ROUND_CHUNKS;
        a->agreed += a->value;
        a->ready = false;
    } else if (a->open) {
        if (in->chunk) a->chunks--;
        a->open = a->chunks && something;
    }
    a->popped = in->cmd_taken;
    if (!a->popped) return;
    a->head++;
    a->agreed--;
}

/* ---- pins ---------------------------------------------------------------- */

int ace_agreement_pins_create(unsigned dimensions, unsigned commands, ace_agreement_pins **pins) {
    if (dimensions < 3 || dimensions > ACE_DIMENSIONS) return ACE_EINVAL;
    if (commands < 2 || commands & (commands - 1)) return ACE_EINVAL;
    ace_agreement_pins *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    if (ace_agreement_create(&p->cfg, dimensions, commands, &p->unit) != ACE_OK) {
        free(p);
        return ACE_ENOMEM;
    }
    ace_agreement_reset(&p->unit);
    *pins = p;
    return ACE_OK;
}

void ace_agreement_pins_destroy(ace_agreement_pins *p) {
    if (!p) return;
    ace_agreement_destroy(&p->unit);
    free(p);
}

void ace_agreement_pins_reset(ace_agreement_pins *p) { ace_agreement_reset(&p->unit); }

void ace_agreement_pins_eval(const ace_agreement_pins *p, ace_agreement_pins_out *o) {
    const ace_agreement *a = &p->unit;
    const ace_command c = ace_agreement_m_cmd(a);
    ace_number n = { 0 };
    const bool says = ace_agreement_m_number(a, &n);
    *o = (ace_agreement_pins_out){ .s_cmd_ready = ace_agreement_cmd_ready(a),
                                   .m_cmd_valid = ace_agreement_m_cmd_valid(a),
                                   .m_cmd_kind = (uint8_t)c.kind,
                                   .m_cmd_type = (uint8_t)c.type,
                                   .m_cmd_op = (uint8_t)c.op,
                                   .m_cmd_scale = c.scale,
                                   .m_cmd_dim_count = c.dim_count,
                                   .m_cmd_source = c.source,
                                   .m_cmd_destination = c.destination,
                                   .m_cmd_bytes = c.bytes,
                                   .m_cmd_tag = c.tag,
                                   .m_hold = ace_agreement_m_hold(a),
                                   .m_number_valid = says,
                                   .m_number_link = n.link,
                                   .m_number_peer = n.peer,
                                   .m_number = n.value,
                                   .idle = ace_agreement_idle(a) };
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++)
        o->m_cmd_dims = (uint8_t)(o->m_cmd_dims | c.dims[i] << 2 * i);
}

void ace_agreement_pins_tick(ace_agreement_pins *p, const ace_agreement_pins_in *in) {
    ace_command c = { .kind = (ace_kind)in->s_cmd_kind,
                      .type = (ace_type)in->s_cmd_type,
                      .op = (ace_op)in->s_cmd_op,
                      .scale = in->s_cmd_scale,
                      .dim_count = in->s_cmd_dim_count,
                      .source = in->s_cmd_source,
                      .destination = in->s_cmd_destination,
                      .bytes = in->s_cmd_bytes,
                      .tag = in->s_cmd_tag };
    ace_number n;
    for (unsigned i = 0; i < ACE_DIMENSIONS; i++) {
        c.dims[i] = in->s_cmd_dims >> 2 * i & 3;
        p->cfg.ring[i] = (uint8_t)(in->cfg_ring >> 8 * i);
        p->cfg.rank[i] = (uint8_t)(in->cfg_rank >> 8 * i);
        p->cfg.hub[i] = in->cfg_hub >> i & 1;
    }
    p->unit.over = in->cfg_agreed;
    ace_agreement_in to = { .cmd = in->s_cmd_valid ? &c : NULL,
                            .cmd_taken = ace_agreement_m_cmd_valid(&p->unit) && in->m_cmd_ready,
                            .chunk = in->s_chunk,
                            .rests = in->s_rests,
                            .number_taken =
                                in->s_number_take && ace_agreement_m_number(&p->unit, &n),
                            .number_valid = in->s_number_valid };
    memcpy(to.number, in->s_number, sizeof to.number);
    ace_agreement_tick(&p->unit, &to);
}

bool ace_agreement_pins_idle(const ace_agreement_pins *p) { return ace_agreement_idle(&p->unit); }

void ace_agreement_pins_skip(ace_agreement_pins *p, uint64_t cycles) {
    (void)p; /* it counts no cycles */
    (void)cycles;
}
