/* SPDX-License-Identifier: Apache-2.0 */
/*
 * upset_hub.c -- wrong bits in a switch that reduces: what becomes of them
 *
 *     upset_hub COUNT SEED
 *
 * Four ports of cmodel/nic/ace_hub_reducer.c send the rows of four chunks at a time, of integers,
 * each with pauses of its own.  COUNT times, each from the same beginning, one bit changes in a
 * cycle drawn at random:
 *
 *   rows      a row that waits in a slot or before the table, or a sum on its way
 *   headers   what such a row says of itself: chunk, type and operation
 *   counters  of the table: names of contexts, who has rows, where they lie and how many they are
 *
 * A line for each: how many changes ended with all sums as without (right), with an error that
 * the switch reports (told), with other sums or more and no word (silent), not at all in four
 * times the cycles (hang), or with the end of the process (stop).  Nothing is expected of the
 * numbers: they say what the hardware leaves open.  A sum that is named wrongly is silent here; a
 * node that gets one may still tell.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ace_hub_reducer.h"
#include "ace_random.h"

enum { PORTS = 4, CONTEXTS = 4, ROWS = 8, CHUNKS = 12, CHUNK_ROWS = 24, ROW_BITS = 2048 };

typedef enum place { SLOT_ROWS, HEADERS, COUNTERS, PLACES } place;
static const char *const place_name[PLACES] = { "rows", "headers", "counters" };
typedef enum end { RIGHT, TOLD, SILENT, HANG, STOP, NOWHERE, ENDS } end;

typedef struct bench {
    ace_hub_reducer *r;
    uint64_t now, random;
    unsigned sent[PORTS]; /* rows, of all chunks in their order */
    unsigned sums;
    uint64_t digest; /* of all sums */
} bench;

static void fail(const char *what) {
    fprintf(stderr, "upset_hub: %s\n", what);
    exit(1);
}

static void begin(bench *b, uint64_t seed) {
    *b = (bench){ .random = seed };
    if (ace_hub_reducer_create(PORTS, CONTEXTS, ROWS, true, &b->r)) fail("no memory");
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

static void cycle(bench *b) {
    ace_row row[PORTS];
    ace_hub_arrivals a = { 0 };

    if (ace_hub_reducer_m_valid(b->r)) {
        const uint32_t *const sum = ace_hub_reducer_m_data(b->r);
        const ace_hub_header *const h = ace_hub_reducer_m_header(b->r);
        /* Sums of several chunks may come in any order, those of one in theirs. */
        uint64_t d = h->context | (uint64_t)h->mark << 8;
        for (unsigned w = 0; w < ACE_ROW_WORDS; w++) d = ace_random_mix(d ^ sum[w]);
        b->digest += d;
        b->sums++;
    }
    for (unsigned p = 0; p < PORTS; p++) {
        const unsigned number = b->sent[p], chunk = chunk_of(number);
        const bool pause = ace_random_next(&b->random) >> 62 == 0;

        if (pause || !may_send(b, p) || !ace_hub_reducer_s_ready(b->r, p)) continue;
        for (unsigned w = 0; w < ACE_ROW_WORDS; w++)
            row[p][w] =
                (uint32_t)ace_random_mix(number * PORTS * ACE_ROW_WORDS + p * ACE_ROW_WORDS + w);
        a.valid |= 1u << p;
        a.header[p] = (ace_hub_header){ .context = (uint8_t)(chunk % CONTEXTS),
                                        .mark = (uint8_t)chunk,
                                        .how = ACE_INT32 };
        a.row[p] = row[p];
        b->sent[p]++;
    }
    ace_hub_reducer_cycle(b->r, &a, false);
    b->now++;
}

static bool over(const bench *b) { return b->sums >= CHUNKS * CHUNK_ROWS; }
static bool told(const bench *b) {
    return ace_hub_reducer_m_mismatch(b->r) || ace_hub_reducer_m_refused(b->r);
}

/* ---- one wrong bit -------------------------------------------------------------------------- */

typedef struct choice {
    uint64_t number, bits; /* the bit that changes, of so many; counted first, then found */
} choice;

static void offer(choice *c, void *at, uint64_t bits) {
    if (c->number >= c->bits && c->number - c->bits < bits) {
        const uint64_t bit = c->number - c->bits;
        ((uint8_t *)at)[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    c->bits += bits;
}

/* A row, or what it says of itself: context, mark and {operation, type}, of which six bits are
 * there. */
static void offer_row(choice *c, place where, ace_hub_header *h, uint32_t *row, bool names) {
    if (where == SLOT_ROWS) {
        offer(c, row, ROW_BITS);
        return;
    }
    if (names) offer(c, &h->context, 8); /* in a slot its entry says it */
    offer(c, &h->mark, 8);
    offer(c, &h->how, 6);
}

static void offer_rows(choice *c, place where, const ace_hub_reducer *r) {
    ace_hub_reducer *const of = (ace_hub_reducer *)(uintptr_t)r;

    for (unsigned p = 0; p < PORTS; p++) {
        if (r->in_valid >> p & 1) offer_row(c, where, &of->in[p], r->in_rows[p], true);
        for (unsigned e = 0; e < CONTEXTS; e++)
            for (unsigned i = 0; i < r->count[p][e]; i++) {
                const size_t at = ((size_t)p * CONTEXTS + e) * ROWS + (r->head[e] + i) % ROWS;
                offer_row(c, where, &r->headers[at], r->slots[at], false);
            }
    }
    for (uint32_t i = r->oldest; i != r->next; i = (i + 1) % ACE_HUB_SUMS)
        offer_row(c, where, &of->sum[i], r->sums[i], true);
}

/* Bits of a place, of which one changes unless number is past them. */
static uint64_t change(ace_hub_reducer *r, place where, uint64_t number) {
    choice c = { .number = number };

    if (where != COUNTERS) {
        offer_rows(&c, where, r);
        return c.bits;
    }
    offer(&c, &r->open, CONTEXTS);
    offer(&c, r->name, 8 * CONTEXTS);
    for (unsigned e = 0; e < CONTEXTS; e++) offer(&c, &r->head[e], 3); /* of eight places */
    for (unsigned p = 0; p < PORTS; p++) {
        offer(&c, &r->has[p], CONTEXTS);
        for (unsigned e = 0; e < CONTEXTS; e++) {
            offer(&c, &r->count[p][e], 4);
            offer(&c, &r->tail[p][e], 3);
        }
    }
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
        const uint64_t bits = change(b->r, where, UINT64_MAX);
        if (!bits) _exit(NOWHERE);
        change(b->r, where, draw % bits);
        _exit((int)rest_of(b, until, expected));
    }
    if (waitpid(child, &status, 0) != child) fail("a process was lost");
    return WIFEXITED(status) && WEXITSTATUS(status) < ENDS ? (end)WEXITSTATUS(status) : STOP;
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void measure(place where, unsigned count, uint64_t seed) {
    bench b;
    unsigned ends[ENDS] = { 0 };
    uint64_t *at = calloc(count, sizeof *at);

    if (!at) fail("no memory");
    begin(&b, seed);
    while (!over(&b) && b.now < 1 << 20) cycle(&b);
    if (!over(&b) || told(&b)) fail("it fails without a fault");
    const uint64_t cycles = b.now, expected = b.digest;
    ace_hub_reducer_destroy(b.r);
    for (unsigned i = 0; i < count; i++) at[i] = ace_random_mix(seed + 2 * i) % cycles;
    qsort(at, count, sizeof *at, by_value);
    begin(&b, seed);
    for (unsigned i = 0; i < count; i++) {
        while (b.now < at[i]) cycle(&b);
        ends[upset(&b, where, ace_random_mix(seed + 2 * i + 1), 4 * cycles, expected)]++;
    }
    printf("%-6s %-10s %7u %7u %7u %7u %7u %7u %7u\n", "switch", place_name[where],
           count - ends[NOWHERE], ends[RIGHT], ends[TOLD], ends[SILENT], ends[HANG], ends[STOP],
           ends[NOWHERE]);
    fflush(stdout);
    ace_hub_reducer_destroy(b.r);
    free(at);
}

int main(int argc, char **argv) {
    if (argc != 3) fail("expected COUNT SEED");
    printf("%-6s %-10s %7s %7s %7s %7s %7s %7s %7s\n", "unit", "place", "changed", "right", "told",
           "silent", "hang", "stop", "nowhere");
    for (place p = 0; p < PLACES; p++)
        measure(p, (unsigned)strtoul(argv[1], NULL, 0), strtoull(argv[2], NULL, 0));
    return 0;
}
