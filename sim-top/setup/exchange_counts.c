/* SPDX-License-Identifier: Apache-2.0 */
/* exchange_counts.c -- reads or generates how many bytes each member sends to each in an
 * all-to-all-v */
#include "exchange_counts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ace_random.h"
#include "exit_status.h"
#include "input_file.h"
#include "message.h"

/* ---- a file: a line for each sender, a number for each receiver, with commas between --- */

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

static bool read_count(text *t, uint64_t *count) {
    char *end;

    blanks(t);
    errno = 0;
    *count = strtoull(t->at, &end, 10);
    if (!isdigit((unsigned char)*t->at) || errno || *count > UINT64_C(1) << 40)
        return wrong(t, "a number of bytes, 0 to 1099511627776");
    step(t, (size_t)(end - t->at));
    blanks(t);
    return true;
}

static bool read_matrix(text *t, uint64_t *counts, uint64_t members) {
    char expected[96];

    for (uint64_t i = 0; i < members; i++) {
        if (!*t->at) {
            snprintf(expected, sizeof expected, "%" PRIu64 " lines, one a member", members);
            return wrong(t, expected);
        }
        for (uint64_t j = 0; j < members; j++) {
            if (!read_count(t, &counts[i * members + j])) return false;
            if (j + 1 == members ? *t->at == '\n' || !*t->at : *t->at == ',') {
                if (j + 1 < members) step(t, 1);
                continue;
            }
            snprintf(expected, sizeof expected, "%" PRIu64 " counts in a line, one a member",
                     members);
            return wrong(t, expected);
        }
        if (!*t->at) continue;
        t->at++;
        t->line++;
        t->column = 1;
    }
    blanks(t);
    if (!*t->at) return true;
    snprintf(expected, sizeof expected, "the end after %" PRIu64 " lines", members);
    return wrong(t, expected);
}

static char *read_text(const char *name) {
    char *const text = input_text(name, NULL);

    if (!text)
        fprintf(stderr, "acesim: --counts: %s: %s, expected a file of counts\n", input_name(name),
                strerror(errno));
    return text;
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
            /* 65536 stands for the whole vector of an average member. */
            const uint64_t share = 65536 - skew + (sum ? skew * (members * part) / sum : skew);
            for (uint64_t j = 0; j < members; j++)
                counts[i * members + j] = (uint64_t)((long double)m->size / (long double)members *
                                                     (long double)share / 65536);
        }
    }
}

int exchange_counts_make(const machine *m, uint64_t members, uint64_t **counts) {
    bool ok = true;

    *counts = calloc(members * members, sizeof **counts);
    if (!*counts) {
        return message_no_memory();
    }
    if (m->counts_file) {
        char *all = read_text(m->counts_file);
        text t = { input_name(m->counts_file), all, 1, 1 };
        ok = all && read_matrix(&t, *counts, members);
        free(all);
    } else {
        draw(m, *counts, members);
    }
    if (ok) return EXIT_OK;
    free(*counts);
    *counts = NULL;
    return EXIT_USAGE;
}
