/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchange_counts.c -- reads or generates how many bytes each member sends to each in an
 * all-to-all-v
 *
 * A file is read as a text with a position, which messages name.  A file of bytes has a line for
 * each sender.  A file of experts has a head line and a line for each expert; its tokens become
 * bytes once each expert has its member (expert_placement.h).
 */
#include "exchange_counts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ace_random.h"
#include "data_path.h"
#include "exit_status.h"
#include "expert_placement.h"
#include "input_file.h"
#include "message.h"

/* ---- a text and the position in it --------------------------------------------------- */

typedef struct text {
    const char *name, *at;
    uint64_t line, column;
} text;

static bool wrong(const text *t, const char *expected) {
    const size_t n = strcspn(t->at, ",\n");

    fprintf(stderr, "%s:%" PRIu64 ":%" PRIu64 ": found '%.*s', expected %s\n", t->name, t->line,
            t->column, n < 40 ? (int)n : 40, n ? t->at : "", expected);
    return false;
}

static void step(text *t, size_t n) {
    t->at += n;
    t->column += n;
}

static void blanks(text *t) { step(t, strspn(t->at, " \t\r")); }

static void next_line(text *t) {
    if (!*t->at) return;
    t->at++;
    t->line++;
    t->column = 1;
}

/* Reads a whole number up to `most`, and the blanks around it. */
static bool read_number(text *t, uint64_t most, const char *expected, uint64_t *number) {
    char *end;

    blanks(t);
    errno = 0;
    *number = strtoull(t->at, &end, 10);
    if (!isdigit((unsigned char)*t->at) || errno || *number > most) return wrong(t, expected);
    step(t, (size_t)(end - t->at));
    blanks(t);
    return true;
}

/* Passes the comma after column `at` of a line, or the end of the line after the last column. */
static bool read_end(text *t, uint64_t at, uint64_t columns, const char *expected) {
    const bool last = at + 1 == columns;

    if (last ? *t->at && *t->at != '\n' : *t->at != ',') return wrong(t, expected);
    if (last)
        next_line(t);
    else
        step(t, 1);
    return true;
}

/* ---- a file of bytes: a line for each sender, a number for each receiver ----------------- */

static bool read_matrix(text *t, uint64_t *counts, uint64_t members) {
    char expected[96];

    for (uint64_t i = 0; i < members; i++) {
        if (!*t->at) {
            snprintf(expected, sizeof expected, "%" PRIu64 " lines, one a member", members);
            return wrong(t, expected);
        }
        snprintf(expected, sizeof expected, "%" PRIu64 " counts in a line, one a member", members);
        for (uint64_t j = 0; j < members; j++)
            if (!read_number(t, UINT64_C(1) << 40, "a number of bytes, 0 to 1099511627776",
                             &counts[i * members + j]) ||
                !read_end(t, j, members, expected))
                return false;
    }
    blanks(t);
    if (!*t->at) return true;
    snprintf(expected, sizeof expected, "the end after %" PRIu64 " lines", members);
    return wrong(t, expected);
}

/* ---- a file of experts --------------------------------------------------------------------- */

/* Tokens of each expert, from all members alike or from each. */
typedef struct routing {
    uint64_t *tokens; /* experts x columns */
    uint64_t *load;   /* of each expert, all members together */
    unsigned *home;   /* the member of each expert */
    uint64_t columns; /* 1, or the members */
    uint64_t sum;     /* of all tokens */
    unsigned experts;
} routing;

enum { EXPERTS_MOST = 4096 };
static const uint64_t tokens_most = UINT32_MAX; /* of a file: shares of them fit into 64 bits */

static void comments(text *t) {
    while (*t->at == '#') {
        step(t, strcspn(t->at, "\n"));
        next_line(t);
    }
}

/* Reads a name of the head line. */
static bool read_name(text *t, const char *name, const char *expected) {
    const size_t n = strlen(name);

    if (strncmp(t->at, name, n) != 0 || isalnum((unsigned char)t->at[n])) return wrong(t, expected);
    step(t, n);
    blanks(t);
    return true;
}

/* Reads "expert,tokens", or "expert,0,1,..." with each member. */
static bool read_head(text *t, uint64_t members, routing *r) {
    char expected[96];

    snprintf(expected, sizeof expected, "'tokens', or the members 0 to %" PRIu64, members - 1);
    r->columns = 1;
    if (!read_name(t, "expert", "'expert'") || !read_end(t, 0, 2, "',' and the columns of tokens"))
        return false;
    blanks(t);
    if (*t->at == 't')
        return read_name(t, "tokens", expected) && read_end(t, 0, 1, "the end of the line");
    r->columns = members;
    for (uint64_t i = 0; i < members; i++) {
        const text before = *t;
        uint64_t number;

        if (!read_number(t, members - 1, expected, &number)) return false;
        if (number != i) return wrong(&before, expected);
        if (!read_end(t, i, members, expected)) return false;
    }
    return true;
}

/* Reads the line of the next expert. */
static bool read_expert(text *t, routing *r) {
    const text before = *t;
    const unsigned e = r->experts++;
    char expected[96];
    uint64_t number;

    r->load[e] = 0;
    snprintf(expected, sizeof expected, "expert %u", e);
    if (e == EXPERTS_MOST) return wrong(t, "at most 4096 experts");
    if (!read_number(t, EXPERTS_MOST, expected, &number)) return false;
    if (number != e) return wrong(&before, expected);
    if (!read_end(t, 0, r->columns + 1, "',' and the tokens of the expert")) return false;
    snprintf(expected, sizeof expected, "%" PRIu64 " counts after the expert", r->columns);
    for (uint64_t i = 0; i < r->columns; i++) {
        const text at = *t;

        if (!read_number(t, tokens_most, "a number of tokens, 0 to 4294967295", &number))
            return false;
        r->tokens[e * r->columns + i] = number;
        r->load[e] += number;
        r->sum += number;
        if (r->sum > tokens_most) return wrong(&at, "at most 4294967295 tokens together");
        if (!read_end(t, i, r->columns, expected)) return false;
    }
    return true;
}

static bool read_routing(text *t, uint64_t members, routing *r) {
    const uint64_t columns = members; /* at most */

    r->tokens = calloc((EXPERTS_MOST + 1) * columns, sizeof *r->tokens);
    r->load = calloc(EXPERTS_MOST + 1, sizeof *r->load);
    r->home = calloc(EXPERTS_MOST + 1, sizeof *r->home);
    if (!r->tokens || !r->load || !r->home) return !message_no_memory();
    comments(t);
    if (!read_head(t, members, r)) return false;
    while (*t->at)
        if (!read_expert(t, r)) return false;
    return r->sum || wrong(t, "experts with tokens");
}

/* Returns the share of `bytes` that `part` of `whole` has, rounded down. part is at most whole,
 * which is below 2^32. */
static uint64_t share_of(uint64_t bytes, uint64_t part, uint64_t whole) {
    return bytes / whole * part + bytes % whole * part / whole;
}

/* An average member sends --size. A member sends an expert's tokens to the expert's member. */
static void route(const machine *m, const routing *r, uint64_t *counts, uint64_t members) {
    for (uint64_t i = 0; i < members; i++)
        for (unsigned e = 0; e < r->experts; e++)
            counts[i * members + r->home[e]] +=
                r->columns == 1 ? r->tokens[e] : r->tokens[e * members + i];
    for (uint64_t i = 0; i < members * members; i++)
        counts[i] = share_of(r->columns == 1 ? m->size : m->size * members, counts[i], r->sum);
}

static bool make_routing(text *t, const machine *m, uint64_t *counts, uint64_t members) {
    routing r = { 0 };
    bool ok = read_routing(t, members, &r);

    if (ok && m->experts == EXPERTS_BALANCED)
        ok = expert_placement_balanced(r.load, r.experts, (unsigned)members, r.home) ||
             !message_no_memory();
    else if (ok)
        expert_placement_in_order(r.experts, (unsigned)members, r.home);
    if (ok) route(m, &r, counts, members);
    free(r.tokens);
    free(r.load);
    free(r.home);
    return ok;
}

/* ---- any file ------------------------------------------------------------------------------ */

static char *read_text(const char *name) {
    char file[DATA_PATH];
    char *const all = input_text(data_path_look(name, file) ? file : name, NULL);

    if (!all)
        fprintf(stderr, "acesim: --counts: %s: %s, expected a file of counts\n", input_name(name),
                strerror(errno));
    return all;
}

/* A file of experts begins with comments and letters, and one of bytes with a digit. */
static bool has_experts(const char *all) {
    text t = { NULL, all, 1, 1 };

    comments(&t);
    return isalpha((unsigned char)*t.at);
}

bool exchange_counts_experts(const char *name) {
    char file[DATA_PATH];
    char *const all = input_text(data_path_look(name, file) ? file : name, NULL);
    const bool yes = all && has_experts(all);

    free(all);
    return yes;
}

static bool read_file(const machine *m, uint64_t *counts, uint64_t members) {
    char *const all = read_text(m->counts_file);
    text t = { input_name(m->counts_file), all, 1, 1 };
    const bool ok = all && (has_experts(all) ? make_routing(&t, m, counts, members)
                                             : read_matrix(&t, counts, members));

    free(all);
    return ok;
}

/* ---- a rule ------------------------------------------------------------------------- */

static void draw(const machine *m, uint64_t *counts, uint64_t members) {
    const uint64_t skew = (uint64_t)(m->skew * 65536);
    uint64_t x = m->seed, sum = 0;

    /* the first pass computes the sum, the second the shares */
    for (unsigned pass = 0; pass < 2; pass++) {
        x = m->seed;
        for (uint64_t i = 0; i < members; i++) {
            const uint64_t u = ace_random_next(&x) >> 50, part = u * u;
            if (pass == 0) {
                sum += part;
                continue;
            }
            /* 65536 is the whole vector of an average member. */
            const uint64_t share = 65536 - skew + (sum ? skew * (members * part) / sum : skew);
            for (uint64_t j = 0; j < members; j++)
                counts[i * members + j] = (uint64_t)((long double)m->size / (long double)members *
                                                     (long double)share / 65536);
        }
    }
}

static void transpose(uint64_t *counts, uint64_t members) {
    for (uint64_t i = 0; i < members; i++)
        for (uint64_t j = 0; j < i; j++) {
            const uint64_t count = counts[i * members + j];

            counts[i * members + j] = counts[j * members + i];
            counts[j * members + i] = count;
        }
}

int exchange_counts_make(const machine *m, uint64_t members, uint64_t **counts) {
    bool ok = true;

    *counts = calloc(members * members, sizeof **counts);
    if (!*counts) {
        return message_no_memory();
    }
    if (m->counts_file)
        ok = read_file(m, *counts, members);
    else
        draw(m, *counts, members);
    if (ok && m->transpose) transpose(*counts, members);
    if (ok) return EXIT_OK;
    free(*counts);
    *counts = NULL;
    return EXIT_USAGE;
}
