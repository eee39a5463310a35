/* SPDX-License-Identifier: Apache-2.0 */
/* ace_program_run.c -- the programs of all members against each other, without a clock */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_flit.h"
#include "ace_program.h"

typedef struct member {
    const uint32_t *program;
    ace_thread send, receive;
    unsigned sent, received; /* shards */
    unsigned began;          /* shards sent before this loop */
    int passed;              /* shards written, by the waits of the pieces that were sent */
} member;

static int wrong(char *why, size_t capacity, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(why, capacity, format, list);
    va_end(list);
    return ACE_EINVAL;
}

static bool may_send(const member *m) {
    ace_instruction i;
    ace_instruction_decode(m->send.word, &i);
    switch ((ace_wait)i.wait) {
    case ACE_WAIT_ROWS:
        return (int)(m->sent + m->send.shards) <= (int)m->received + i.bias * m->send.shards;
    case ACE_WAIT_STEP: return m->received >= m->sent;
    case ACE_WAIT_BEGIN: return m->received >= m->began;
    case ACE_WAIT_NO: break;
    }
    return true;
}

static int written_by_then(const member *m, const ace_instruction *i) {
    return i->wait == ACE_WAIT_ROWS    ? (int)m->sent - i->bias * m->send.shards
           : i->wait == ACE_WAIT_STEP  ? (int)m->sent
           : i->wait == ACE_WAIT_BEGIN ? (int)m->began
                                       : 0;
}

/* Checks the present instructions of both threads of a member: ACE_OK, or ACE_EINVAL and `why`. */
static int look(const member *m, unsigned rank, unsigned n, char *why, size_t capacity) {
    const ace_thread *const threads[] = { &m->send, &m->receive };
    for (unsigned i = 0; i < 2; i++) {
        const ace_thread *t = threads[i];
        if (t->end) continue;
        if (ACE_PROGRAM_GET(t->word, OP) != (i ? ACE_OP_RECEIVE : ACE_OP_SEND))
            return wrong(why, capacity, "member %u: word %u is no instruction of its thread", rank,
                         t->pc);
        if (t->peer >= n)
            return wrong(why, capacity, "member %u, word %u: peer %u of %u members", rank, t->pc,
                         t->peer, n);
        if (t->shards < 1 || t->shard + t->shards > n)
            return wrong(why, capacity, "member %u, word %u: shards %u to %u of %u", rank, t->pc,
                         t->shard, t->shard + t->shards - 1u, n);
    }
    if (m->sent > ACE_PROGRAM_SHARDS_MAX) return wrong(why, capacity, "member %u: no end", rank);
    return ACE_OK;
}

static void forward(member *m, ace_thread *t, unsigned n, unsigned rank, bool up) {
    ace_thread_next(t, m->program, n, rank, up);
    if (t == &m->send && t->first) m->began = m->sent;
}

/* ---- the switch as a peer: it acts once all members have come to it --------------------- */

static bool comes_to_switch(const member *m, unsigned rank) {
    return !m->send.end && m->send.peer == rank && !m->receive.end && m->receive.peer == rank &&
           may_send(m);
}

/* Whether what a member gives the switch, and takes from it, is what member 0 does. */
static int check_switch(const member *m, unsigned rank, const member *first, char *why,
                        size_t capacity) {
    const ace_thread *out = &m->send, *in = &m->receive;
    ace_instruction s, r;
    ace_instruction_decode(out->word, &s);
    ace_instruction_decode(in->word, &r);
    if (!s.reduce || s.target || r.reduce || s.grant != ACE_GRANT_NONE || r.grant != ACE_GRANT_NONE)
        return wrong(why, capacity,
                     "member %u, word %u: the switch takes rows from the source to reduce, its "
                     "results are stored, and neither is granted",
                     rank, s.reduce && !s.target && s.grant == ACE_GRANT_NONE ? in->pc : out->pc);
    if (out->shard != first->send.shard || out->shards != first->send.shards ||
        in->shard != out->shard || in->shards != out->shards)
        return wrong(why, capacity,
                     "member %u sends the switch shards %u+%u and stores them at %u+%u, where "
                     "member 0 sends %u+%u",
                     rank, out->shard, out->shards, in->shard, in->shards, first->send.shard,
                     first->send.shards);
    return ACE_OK;
}

/* A step of all n members with the switch, if they have come to it; then sets *moved. */
static int switch_step(member *m, unsigned n, bool up,
                       void (*carry)(void *self, const ace_transfer *t), void *self, bool *moved,
                       char *why, size_t capacity) {
    for (unsigned i = 0; i < n; i++)
        if (!comes_to_switch(&m[i], i)) return ACE_OK;
    for (unsigned i = 0; i < n; i++) {
        const int err = check_switch(&m[i], i, &m[0], why, capacity);
        if (err) return err;
    }
    const ace_transfer t = { .everyone = true,
                             .shard = m[0].send.shard,
                             .shards = m[0].send.shards,
                             .reduce = true,
                             .to_target = true,
                             .received = m[0].received };
    carry(self, &t);
    for (unsigned i = 0; i < n; i++) {
        m[i].sent += t.shards;
        m[i].received += t.shards;
        forward(&m[i], &m[i].send, n, i, up);
        forward(&m[i], &m[i].receive, n, i, up);
    }
    *moved = true;
    return ACE_OK;
}

/* Returns ACE_OK if what member `from` sends is what its peer expects. */
static int match(const ace_thread *out, const ace_thread *in, const ace_instruction *s,
                 const ace_instruction *r, unsigned from, char *why, size_t capacity) {
    const bool granted = s->grant == ACE_GRANT_EACH || (s->grant == ACE_GRANT_FIRST && out->first);
    const bool grants = r->grant == ACE_GRANT_EACH || (r->grant == ACE_GRANT_FIRST && in->first);

    if (out->shard == in->shard && out->shards == in->shards && s->reduce == r->reduce &&
        granted == grants)
        return ACE_OK;
    return wrong(why, capacity,
                 "member %u sends shards %u+%u to %s%s to member %u, which expects %u+%u to %s%s",
                 from, out->shard, out->shards, s->reduce ? "reduce" : "store",
                 granted ? ", granted" : "", out->peer, in->shard, in->shards,
                 r->reduce ? "reduce" : "store", grants ? ", granted" : "");
}

/* Sets *t to what member a, `from`, sends member b now.  ACE_OK, or ACE_EINVAL and `why`. */
static int transfer(const member *a, const member *b, unsigned from, ace_transfer *t, char *why,
                    size_t capacity) {
    ace_instruction s, r;
    ace_instruction_decode(a->send.word, &s);
    ace_instruction_decode(b->receive.word, &r);
    const ace_thread *out = &a->send, *in = &b->receive;
    *t = (ace_transfer){ .from = (uint8_t)from,
                         .to = out->peer,
                         .exchange = s.peer == ACE_XOR || r.peer == ACE_XOR,
                         .granted = s.grant != ACE_GRANT_NONE,
                         .shard = out->shard,
                         .shards = out->shards,
                         .from_target = s.target,
                         .reduce = s.reduce,
                         .to_target = !s.reduce || r.target || (r.last && in->last),
                         .written = written_by_then(a, &s),
                         .passed = a->passed,
                         .rows = s.wait == ACE_WAIT_ROWS,
                         .received = b->received };
    return match(out, in, &s, &r, from, why, capacity);
}

/* Counts the shards of a transfer from a to b. */
static void sent(member *a, member *b, const ace_transfer *t) {
    const int written = t->written + (t->rows ? (int)t->shards : 0);
    if (written > a->passed) a->passed = written;
    a->sent += t->shards;
    b->received += t->shards;
}

int ace_program_run(const uint32_t *(*program)(void *self, unsigned member),
                    void (*carry)(void *self, const ace_transfer *t), void *self, unsigned kind,
                    unsigned dim, unsigned n, bool odd, char *why, size_t capacity) {
    member m[ACE_MEMBERS];
    if (n < 2 || n > ACE_MEMBERS) return wrong(why, capacity, "%u members, expected 2 to 128", n);
    bool up = !odd;
    for (unsigned i = 0; i < n; i++) {
        m[i] = (member){ .program = program(self, i) };
        const uint32_t entry = m[i].program[ace_program_entry(kind, dim, odd)];
        if (!ACE_PROGRAM_GET(entry, ENTRY_THERE))
            return wrong(why, capacity, "member %u has no program", i);
        up = !odd || ACE_PROGRAM_GET(entry, ENTRY_ONE_WAY);
        ace_thread_begin(&m[i].send, m[i].program, ACE_PROGRAM_GET(entry, ENTRY_SEND), n, i, up);
        ace_thread_begin(&m[i].receive, m[i].program, ACE_PROGRAM_GET(entry, ENTRY_RECEIVE), n, i,
                         up);
    }
    for (bool moved = true; moved;) {
        moved = false;
        int err = switch_step(m, n, up, carry, self, &moved, why, capacity);
        if (err) return err;
        for (unsigned i = 0; i < n; i++) {
            member *a = &m[i];
            if ((err = look(a, i, n, why, capacity))) return err;
            if (a->send.end || a->send.peer == i || !may_send(a)) continue;
            member *b = &m[a->send.peer];
            if ((err = look(b, a->send.peer, n, why, capacity))) return err;
            if (b->receive.end || b->receive.peer != i) continue;
            ace_transfer t, back;
            if ((err = transfer(a, b, i, &t, why, capacity))) return err;
            const bool both = t.exchange && b->send.peer == i && a->receive.peer == t.to &&
                              !b->send.end && !a->receive.end && may_send(b);
            if (both) {
                if ((err = transfer(b, a, t.to, &back, why, capacity))) return err;
                t.back = &back;
            }
            const unsigned to = t.to;
            carry(self, &t);
            sent(a, b, &t);
            if (both) sent(b, a, &back);
            forward(a, &a->send, n, i, up);
            forward(b, &b->receive, n, to, up);
            if (both) {
                forward(b, &b->send, n, to, up);
                forward(a, &a->receive, n, i, up);
            }
            moved = true;
        }
    }
    for (unsigned i = 0; i < n; i++)
        if (!m[i].send.end || !m[i].receive.end)
            return wrong(why, capacity, "member %u waits for ever to %s member %u, at word %u", i,
                         m[i].send.end ? "receive from" : "send to",
                         m[i].send.end ? m[i].receive.peer : m[i].send.peer,
                         m[i].send.end ? m[i].receive.pc : m[i].send.pc);
    return ACE_OK;
}

/* ---- what has come together ------------------------------------------------------------ */

typedef struct checking {
    const uint32_t *(*program)(void *self, unsigned member);
    void *self;
    unsigned n;
    bool ring, up;                  /* ahead is up */
    unsigned far_from, far_to;      /* a transfer that goes further than the next member */
    bool far, everyone;             /* there is such a transfer */
    bool unpaired;                  /* an exchange that a ring does not carry */
    unsigned early_by, early_shard; /* a piece that may be sent before it is there */
    bool early, unfinished;         /* a sum in the target that is none of all members */
    int *last_writes; /* [member][source, target][shard]: shards received up to its last write */
    uint8_t *shares;  /* [member][source, target][shard][whose]: how often it is in there */
    uint8_t *leaving; /* [shard][whose]: of a piece that is being sent */
} checking;

static uint8_t *shares_of(const checking *c, unsigned member, unsigned target, unsigned shard) {
    return c->shares + (((size_t)member * 2 + target) * c->n + shard) * c->n;
}

static int *last_write_of(const checking *c, unsigned member, unsigned target, unsigned shard) {
    return &c->last_writes[((size_t)member * 2 + target) * c->n + shard];
}

static const uint32_t *program_of(void *self, unsigned member) {
    const checking *c = self;
    return c->program(c->self, member);
}

/* All members' sources, summed up, are each one's target. */
static void bring_everyone(checking *c, const ace_transfer *t) {
    c->everyone = true;
    for (unsigned s = t->shard; s < t->shard + (unsigned)t->shards; s++)
        for (unsigned to = 0; to < c->n; to++) {
            uint8_t *sum = shares_of(c, to, 1, s);
            *last_write_of(c, to, 1, s) = (int)(t->received + (s - t->shard)) + 1;
            memset(sum, 0, c->n);
            for (unsigned from = 0; from < c->n; from++)
                for (unsigned i = 0; i < c->n; i++)
                    sum[i] = (uint8_t)(sum[i] + shares_of(c, from, 0, s)[i]);
        }
}

/* The next member in the direction in which a ring carries a transfer. */
static unsigned next_of(const checking *c, const ace_transfer *t) {
    const bool down = ((unsigned)t->from ^ ((unsigned)t->from ^ t->to) >> 1) & 1;
    const bool up = t->exchange ? !down : c->up;
    return up ? (t->from + 1u) % c->n : (t->from + c->n - 1u) % c->n;
}

/* Checks that a transfer goes to the next member of a ring, and that its shards are there. */
static void check_transfer(checking *c, const ace_transfer *t) {
    if (c->ring && t->to != next_of(c, t)) {
        c->far = true;
        c->far_from = t->from;
        c->far_to = t->to;
    }
    c->unpaired |= c->ring && t->exchange &&
                   (t->granted || !ACE_PROGRAM_GET(c->program(c->self, t->from)[0], MODE_ALONE));
    for (unsigned s = t->shard; s < t->shard + (unsigned)t->shards; s++) {
        const int position = (int)(s - t->shard);
        const int last = *last_write_of(c, t->from, t->from_target, s);
        if (last > t->passed && last > t->written + (t->rows ? position + 1 : 0)) {
            c->early = true;
            c->early_by = t->from;
            c->early_shard = s;
        }
    }
}

/* The shards arrive, as they are in `leaving`. */
static void arrive(checking *c, const ace_transfer *t, const uint8_t *leaving) {
    for (unsigned s = t->shard; s < t->shard + (unsigned)t->shards; s++) {
        const uint8_t *from = leaving + (size_t)(s - t->shard) * c->n;
        const uint8_t *local = shares_of(c, t->to, 0, s);
        uint8_t *to = shares_of(c, t->to, t->to_target, s);
        *last_write_of(c, t->to, t->to_target, s) = (int)(t->received + (s - t->shard)) + 1;
        for (unsigned i = 0; i < c->n; i++) {
            to[i] = (uint8_t)(from[i] + (t->reduce ? local[i] : 0));
            if (t->reduce && t->to_target && to[i] != 1) c->unfinished = true;
        }
    }
}

static void bring(void *self, const ace_transfer *t) {
    checking *c = self;
    if (t->everyone) {
        bring_everyone(c, t);
        return;
    }
    check_transfer(c, t);
    memcpy(c->leaving, shares_of(c, t->from, t->from_target, t->shard), (size_t)t->shards * c->n);
    if (t->back) {
        check_transfer(c, t->back);
        arrive(c, t->back, shares_of(c, t->to, t->back->from_target, t->back->shard));
    }
    c->unpaired |= c->ring && t->exchange && !t->back;
    arrive(c, t, c->leaving);
}

int ace_program_check(const uint32_t *(*program)(void *self, unsigned member), void *self,
                      unsigned kind, unsigned dim, unsigned n, bool ring, bool odd, char *why,
                      size_t capacity) {
    if (n < 2 || n > ACE_MEMBERS) return wrong(why, capacity, "%u members, expected 2 to 128", n);
    checking c = { .program = program, .self = self, .n = n, .ring = ring };
    c.shares = calloc((size_t)n * 2 * n, n);
    c.last_writes = calloc((size_t)n * 2 * n, sizeof *c.last_writes);
    c.leaving = calloc(n, n);
    if (!c.shares || !c.last_writes || !c.leaving) {
        free(c.shares);
        free(c.last_writes);
        free(c.leaving);
        (void)wrong(why, capacity, "no memory");
        return ACE_ENOMEM;
    }
    const bool gather = kind == ACE_PHASE_ALL_GATHER;
    c.up =
        !odd || ACE_PROGRAM_GET(program(self, 0)[ace_program_entry(kind, dim, odd)], ENTRY_ONE_WAY);
    for (unsigned i = 0; i < n; i++) {
        if (gather &&
            ACE_PROGRAM_GET(program(self, i)[ace_program_entry(kind, dim, odd)], ENTRY_COPY))
            shares_of(&c, i, 1, i)[i] = 1;
        for (unsigned s = 0; !gather && s < n; s++) shares_of(&c, i, 0, s)[i] = 1;
    }
    int err = ace_program_run(program_of, bring, &c, kind, dim, n, odd, why, capacity);
    if (!err && c.far)
        err = wrong(
            why, capacity,
            "member %u sends to member %u, but on a ring these chunks go only to the next member",
            c.far_from, c.far_to);
    if (!err && c.unpaired)
        err =
            wrong(why, capacity,
                  "on a ring, xor is only for exchanges without grants, in a program with `alone`");
    if (!err && !ring && ACE_PROGRAM_GET(program(self, 0)[0], MODE_ALONE))
        err = wrong(why, capacity, "the program has `alone`, which needs rings in all dimensions");
    if (!err && ring && c.everyone)
        err = wrong(why, capacity, "members send to a switch that reduces, and a ring has none");
    if (!err && c.unfinished)
        err = wrong(why, capacity, "a reduction into the target does not sum up all members");
    if (!err && c.early)
        err = wrong(why, capacity, "member %u may send shard %u before it is there", c.early_by,
                    c.early_shard);
    for (unsigned i = 0; !err && i < n; i++)
        for (unsigned s = 0; !err && s < n; s++)
            for (unsigned k = 0; !err && k < n; k++) {
                const unsigned got = shares_of(&c, i, 1, s)[k], want = !gather || k == s;
                if (kind == ACE_PHASE_REDUCE_SCATTER && s != i) continue;
                if (got != want)
                    err = wrong(why, capacity,
                                "shard %u ends at member %u with the share of member %u %u times, "
                                "expected %u",
                                s, i, k, got, want);
            }
    free(c.shares);
    free(c.last_writes);
    free(c.leaving);
    return err;
}

unsigned ace_program_shards(const uint32_t program[ACE_PROGRAM_WORDS], unsigned kind, unsigned dim,
                            unsigned n, unsigned rank, bool odd) {
    const uint32_t entry = program[ace_program_entry(kind, dim, odd)];
    const bool up = !odd || ACE_PROGRAM_GET(entry, ENTRY_ONE_WAY);
    unsigned shards = 0;
    ace_thread t;
    if (!ACE_PROGRAM_GET(entry, ENTRY_THERE)) return 0;
    for (ace_thread_begin(&t, program, ACE_PROGRAM_GET(entry, ENTRY_SEND), n, rank, up);
         !t.end && shards <= ACE_PROGRAM_SHARDS_MAX; ace_thread_next(&t, program, n, rank, up))
        shards += t.shards;
    return shards;
}
