/* SPDX-License-Identifier: Apache-2.0 */
/*
 * upset_hub.c -- wrong bits in a switch that reduces: what becomes of them
 *
 *     upset_hub COUNT SEED [REGISTER]
 *
 * Four ports of cmodel/nic/ace_hub_reducer.c, and then of its RTL, send the rows of four chunks at
 * a time, of integers, each with pauses of its own.  COUNT times, each from the same beginning, one
 * bit changes in a cycle drawn at random:
 *
 *   rows      a row that waits in a slot or before the table, or its code
 *   headers   what such a row, or a sum on its way, says of itself: chunk, type and operation, and
 *             their code
 *   counters  all other registers: of the table, names of contexts, who has rows, where they lie
 *             and how many they are; what is picked, read and under way.  On RTL also those that
 *             look at codes, and none of those that count cycles
 *   sums      a sum on its way, which on RTL is in the pipes of the ALUs: on the twin alone
 *
 * Prints a line for each place with the number of changes by outcome. All sums are right (right);
 * the switch reports an error (told); sums are wrong or missing without a report (silent); there is
 * no end in four times the cycles (hang); or the process ends (stop). Sums have no code. In all
 * other places each change must end right or told; otherwise the exit status is 1. A sum with a
 * wrong name counts as silent here, although a node that gets it may report it. With REGISTER only
 * RTL registers of this name are changed, and of several bits of a table entry only those of
 * entries in use.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ace_hub_reducer.h"
#include "ace_random.h"
#include "ace_rtl_hub.h"

enum { PORTS = ACE_RTL_HUB_PORTS, CONTEXTS = 4, ROWS = 8, CHUNKS = 12, CHUNK_ROWS = 24 };
/* Where in a slot of the RTL what a row says of itself begins, and where its code, and where it
 * ends. */
enum { ROW_BITS = 2048, CODE_BITS = 32, HEADER_BITS = 26, SIDE_BITS = 18 };

typedef enum place { SLOT_ROWS, HEADERS, COUNTERS, SUMS, PLACES } place;
static const char *const place_name[PLACES] = { "rows", "headers", "counters", "sums" };
typedef enum end { RIGHT, TOLD, SILENT, HANG, STOP, NOWHERE, ENDS } end;

/* With RTL it is what is looked at, and the twin says where it has rows, up to the change. */
typedef struct bench {
    ace_hub_reducer *twin;
    ace_rtl_hub *rtl; /* or NULL */
    ace_hub_reducer_out pins;
    uint64_t now, random;
    unsigned sent[PORTS]; /* rows, of all chunks in their order */
    unsigned sums, of_mark[256];
    bool changed;
    uint64_t digest; /* of all sums */
} bench;

static void fail(const char *what) {
    fprintf(stderr, "upset_hub: %s\n", what);
    exit(1);
}

static void begin(bench *b, bool rtl, uint64_t seed) {
    *b = (bench){ .random = seed };
    if (ace_hub_reducer_create(PORTS, rtl ? ACE_HUB_CONTEXTS : CONTEXTS, rtl ? ACE_HUB_ROWS : ROWS,
                               true, &b->twin) ||
        (rtl && ace_rtl_hub_create((1u << PORTS) - 1, true, &b->rtl)))
        fail("no memory");
}

static void end_of(bench *b) {
    ace_hub_reducer_destroy(b->twin);
    ace_rtl_hub_destroy(b->rtl);
}

static unsigned chunk_of(unsigned row) { return row / CHUNK_ROWS; }

/* Four chunks at a time, of none more rows than a port has places for: what a member may send. */
static bool may_send(const bench *b, unsigned port) {
    const unsigned row = b->sent[port];

    if (row == CHUNKS * CHUNK_ROWS) return false;
    for (unsigned p = 0; p < PORTS; p++)
        if (row >= b->sent[p] + ROWS || chunk_of(row) >= chunk_of(b->sent[p]) + CONTEXTS)
            return false;
    return true;
}

static void look(bench *b) {
    const ace_hub_reducer_out *const o = &b->pins;

    if (b->rtl)
        ace_rtl_hub_eval(b->rtl, &b->pins);
    else
        ace_hub_reducer_eval(b->twin, &b->pins);
    if (!o->m_valid) return;
    /* Sums of several chunks may come in any order; the sums of one chunk come in its order. */
    uint64_t d = o->m_context | (uint64_t)o->m_mark << 8 | (uint64_t)b->of_mark[o->m_mark]++ << 16;
    for (unsigned w = 0; o->m_data && w < ACE_ROW_WORDS; w++) d = ace_random_mix(d ^ o->m_data[w]);
    b->digest += d;
    b->sums++;
}

static void cycle(bench *b) {
    ace_row row[PORTS];
    ace_hub_arrivals a = { 0 };

    look(b);
    for (unsigned p = 0; p < PORTS; p++) {
        const unsigned number = b->sent[p], chunk = chunk_of(number);
        const bool pause = ace_random_next(&b->random) >> 62 == 0;

        if (pause || !may_send(b, p) || !(b->pins.s_ready >> p & 1)) continue;
        for (unsigned w = 0; w < ACE_ROW_WORDS; w++)
            row[p][w] =
                (uint32_t)ace_random_mix(number * PORTS * ACE_ROW_WORDS + p * ACE_ROW_WORDS + w);
        a.valid |= 1u << p;
        a.header[p] = (ace_hub_header){ .context = (uint8_t)(chunk % CONTEXTS),
                                        .mark = (uint8_t)chunk,
                                        .how = ACE_INT32 };
        a.header[p].code = ace_hub_header_code(&a.header[p]);
        a.row[p] = row[p];
        a.code[p] = ace_row_code(row[p]);
        b->sent[p]++;
    }
    if (b->rtl) ace_rtl_hub_cycle(b->rtl, &a, false);
    if (!b->rtl || !b->changed) ace_hub_reducer_cycle(b->twin, &a, false);
    b->now++;
}

static bool over(const bench *b) { return b->sums >= CHUNKS * CHUNK_ROWS; }
static bool told(const bench *b) {
    return b->pins.m_wrong || b->pins.m_mismatch || b->pins.m_refused;
}

/* ---- one wrong bit -------------------------------------------------------------------------- */

static const char *only; /* NULL: any register */

typedef struct choice {
    const ace_hub_reducer *twin;
    place where;
    uint64_t number, bits; /* the bit that changes, of so many; counted first, then found */
} choice;

/* Bits of what lies at a place, from one on. */
static void offer_from(choice *c, void *at, uint64_t first, uint64_t bits) {
    if (c->number >= c->bits && c->number - c->bits < bits) {
        const uint64_t bit = first + c->number - c->bits;
        ((uint8_t *)at)[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    c->bits += bits;
}
static void offer(choice *c, void *at, uint64_t bits) { offer_from(c, at, 0, bits); }

/* Changes the header of a row: context, slot, tag and {operation, type}, of which six bits are
 * used, and their code. */
static void offer_header(choice *c, ace_hub_header *h, bool names) {
    if (names) offer(c, &h->context, 8); /* in a slot its entry says it */
    offer(c, &h->mark, 8);
    offer(c, &h->how, 6);
    offer(c, &h->code, 4);
}

static void offer_row(choice *c, ace_hub_header *h, uint32_t *row, uint32_t *code, bool names) {
    if (c->where == HEADERS) {
        offer_header(c, h, names);
    } else {
        offer(c, row, ROW_BITS);
        offer(c, code, CODE_BITS);
    }
}

static void offer_rows(choice *c, ace_hub_reducer *r) {
    for (unsigned p = 0; p < PORTS; p++) {
        if (r->in_valid >> p & 1) offer_row(c, &r->in[p], r->in_rows[p], &r->in_code[p], true);
        for (unsigned e = 0; e < CONTEXTS; e++)
            for (unsigned i = 0; i < r->count[p][e]; i++) {
                const size_t at = ((size_t)p * CONTEXTS + e) * ROWS + (r->head[e] + i) % ROWS;
                offer_row(c, &r->headers[at], r->slots[at], &r->codes[at], false);
            }
    }
}

static void offer_sums(choice *c, ace_hub_reducer *r) {
    for (uint32_t i = r->oldest; i != r->next; i = (i + 1) % ACE_HUB_SUMS)
        if (c->where == HEADERS)
            offer_header(c, &r->sum[i], true);
        else
            offer(c, r->sums[i], ROW_BITS);
}

static void offer_counters(choice *c, ace_hub_reducer *r) {
    const unsigned stages = ace_hub_reducer_stages(r);

    offer(c, &r->open, CONTEXTS);
    offer(c, r->name, 8 * CONTEXTS);
    offer(c, &r->name_parity, CONTEXTS);
    for (unsigned e = 0; e < CONTEXTS; e++) offer(c, &r->head[e], 3); /* of eight places */
    for (unsigned p = 0; p < PORTS; p++) {
        offer(c, &r->has[p], CONTEXTS);
        for (unsigned e = 0; e < CONTEXTS; e++) {
            offer(c, &r->count[p][e], 4);
            offer(c, &r->tail[p][e], 3);
        }
    }
    offer(c, &r->in_valid, PORTS);
    offer(c, &r->opening, 1);
    offer(c, &r->opening_name, 8);
    offer(c, &r->opening_parity, 1);
    offer(c, &r->picked, 1);
    offer(c, &r->pick, 2);
    offer(c, &r->pick_bit, CONTEXTS);
    offer(c, &r->fetched, 1);
    offer(c, &r->reads, 1);
    offer(c, &r->under_way, stages);
    offer(c, &r->not_.open, CONTEXTS);
    offer(c, &r->not_.in_valid, PORTS);
    offer(c, &r->not_.steps, 4);
    offer(c, &r->not_.under_way, stages);
}

/* Slots of the RTL that hold a row: the twin's. */
static void offer_slots(choice *c, const ace_rtl_register *memory, unsigned p) {
    const ace_hub_reducer *const t = c->twin;

    for (unsigned e = 0; e < t->contexts; e++)
        for (unsigned i = 0; i < t->count[p][e]; i++) {
            const size_t at = (size_t)e * t->rows + ((t->head[e] + i) & (t->rows - 1));
            uint8_t *const slot = (uint8_t *)memory->at + at * memory->stride;
            if (c->where == HEADERS) {
                offer_from(c, slot, ROW_BITS, SIDE_BITS);
            } else {
                offer(c, slot, ROW_BITS);
                offer_from(c, slot, ROW_BITS + SIDE_BITS, CODE_BITS);
            }
        }
}

static bool ends_with(const char *name, const char *end) {
    const size_t n = strlen(name), m = strlen(end);
    return n >= m && !strcmp(name + n - m, end);
}

static bool is_named(const char *name, const char *end) {
    const size_t n = strlen(name), m = strlen(end);
    return ends_with(name, end) && (n == m || name[n - m - 1] == '.');
}

static void offer_used(choice *c, const ace_rtl_register *r) {
    const unsigned each = r->bits / c->twin->contexts;

    if (each < 2 || r->bits % c->twin->contexts) {
        offer(c, r->at, r->bits);
        return;
    }
    for (uint32_t open = c->twin->open; open; open &= open - 1)
        offer_from(c, r->at, each * (unsigned)__builtin_ctz(open), each);
}

/* Where a register of the RTL belongs; PLACES: nowhere. */
static place place_of(const char *name) {
    static const char *const headers[] = { "in_context_q", "in_mark_q", "in_how_q",
                                           "in_header_code_q", "read_side_q" };

    for (unsigned i = 0; i < sizeof headers / sizeof *headers; i++)
        if (ends_with(name, headers[i])) return HEADERS;
    if (ends_with(name, "_row_q") || ends_with(name, "_code_q")) return SLOT_ROWS;
    return strstr(name, "u_classes") ? PLACES : COUNTERS;
}

/* Is there a row in it, before the table or between slots and tree? */
static bool holds_row(const ace_hub_reducer *t, const char *name, unsigned port) {
    return strstr(name, "read_") ? t->reads : t->in_valid >> port & 1;
}

static void at_register(void *self, const ace_rtl_register *r) {
    choice *const c = self;
    const ace_hub_reducer *const t = c->twin;
    unsigned p = 0;
    const bool of_port = sscanf(r->name, "g_port[%u]", &p) == 1;

    if (only) {
        if (is_named(r->name, only)) offer_used(c, r);
    } else if (of_port && ends_with(r->name, "u_slots.memory")) {
        if (c->where != COUNTERS) offer_slots(c, r, p);
    } else if (!strcmp(r->name, "header_q")) {
        for (unsigned i = 0; c->where == HEADERS && i < ace_hub_reducer_stages(t); i++)
            if (t->under_way >> i & 1) offer_from(c, r->at, HEADER_BITS * i, HEADER_BITS);
    } else if (place_of(r->name) == c->where &&
               (c->where == COUNTERS || holds_row(t, r->name, p))) {
        offer(c, r->at, r->bits);
    }
}

/* Bits of a place, of which one changes unless number is past them. */
static uint64_t change(bench *b, place where, uint64_t number) {
    choice c = { .twin = b->twin, .where = where, .number = number };

    if (b->rtl) {
        ace_rtl_hub_registers(b->rtl, at_register, &c);
        if (number < c.bits) ace_rtl_hub_settle(b->rtl);
    } else if (where == COUNTERS) {
        offer_counters(&c, b->twin);
    } else {
        if (where != SUMS) offer_rows(&c, b->twin);
        if (where != SLOT_ROWS) offer_sums(&c, b->twin);
    }
    b->changed = number < c.bits;
    return c.bits;
}

static end rest_of(bench *b, uint64_t until, uint64_t expected) {
    while (!over(b) && !told(b) && b->now < until) cycle(b);
    for (unsigned i = 0; i < 4 * ROWS && !told(b); i++) cycle(b); /* a sum too many */
    if (told(b)) return TOLD;
    if (!over(b)) return HANG;
    return b->sums == CHUNKS * CHUNK_ROWS && b->digest == expected ? RIGHT : SILENT;
}

/* In a process of its own: a model may not survive it. */
static end upset(bench *b, place where, uint64_t draw, uint64_t until, uint64_t expected) {
    int status;
    const pid_t child = fork();

    if (child < 0) fail("no process");
    if (!child) {
        const uint64_t bits = change(b, where, UINT64_MAX);
        if (!bits) _exit(NOWHERE);
        change(b, where, draw % bits);
        _exit((int)rest_of(b, until, expected));
    }
    if (waitpid(child, &status, 0) != child) fail("a process was lost");
    return WIFEXITED(status) && WEXITSTATUS(status) < ENDS ? (end)WEXITSTATUS(status) : STOP;
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* True: nothing was silent, and all came to an end. */
static bool measure(bool rtl, place where, unsigned count, uint64_t seed) {
    bench b;
    unsigned ends[ENDS] = { 0 };
    uint64_t *at = calloc(count, sizeof *at);

    if (!at) fail("no memory");
    begin(&b, rtl, seed);
    while (!over(&b) && !told(&b) && b.now < 1 << 20) cycle(&b);
    if (!over(&b) || told(&b)) fail("it fails without a fault");
    const uint64_t cycles = b.now, expected = b.digest;
    end_of(&b);
    for (unsigned i = 0; i < count; i++) at[i] = ace_random_mix(seed + 2 * i) % cycles;
    qsort(at, count, sizeof *at, by_value);
    begin(&b, rtl, seed);
    for (unsigned i = 0; i < count; i++) {
        while (b.now < at[i]) cycle(&b);
        ends[upset(&b, where, ace_random_mix(seed + 2 * i + 1), 4 * cycles, expected)]++;
    }
    printf("%-10s %-10s %7u %7u %7u %7u %7u %7u %7u\n", rtl ? "switch-rtl" : "switch",
           place_name[where], count - ends[NOWHERE], ends[RIGHT], ends[TOLD], ends[SILENT],
           ends[HANG], ends[STOP], ends[NOWHERE]);
    fflush(stdout);
    end_of(&b);
    free(at);
    return !ends[SILENT] && !ends[HANG] && !ends[STOP];
}

int main(int argc, char **argv) {
    bool guarded = true;

    if (argc < 3 || argc > 4) fail("expected COUNT SEED [REGISTER]");
    only = argv[3];
    const unsigned count = (unsigned)strtoul(argv[1], NULL, 0);
    const uint64_t seed = strtoull(argv[2], NULL, 0);
    printf("%-10s %-10s %7s %7s %7s %7s %7s %7s %7s\n", "unit", "place", "changed", "right", "told",
           "silent", "hang", "stop", "nowhere");
    if (only) return !measure(true, COUNTERS, count, seed);
    for (place p = 0; p < SUMS; p++) guarded &= measure(false, p, count, seed);
    for (place p = 0; p < SUMS && ace_rtl_hub_is_there(); p++)
        guarded &= measure(true, p, count, seed);
    measure(false, SUMS, count, seed);
    return !guarded;
}
