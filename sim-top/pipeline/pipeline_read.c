/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline_read.c -- reads a schedule from a file with a line for each stage */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "input_file.h"
#include "message.h"
#include "pipeline.h"
#include "values.h"
#include "yaml_file.h"

enum { ROOM_FIRST = 64, STAGES_READ_MOST = 1024, INDEX_MOST = 65535 };
#define ENTRY "an entry such as F0, B0 or W0, or F0.1 of chunk 1"

/* The lists while they are being read. */
typedef struct lists {
    pipeline *p;
    size_t entries, room;
    bool failed;
} lists;

static void refuse(lists *l, uint32_t line, size_t column, const char *found,
                   const char *expected) {
    if (!l->failed) yaml_error(l->p->file, line, column, found, expected);
    l->failed = true;
}

static bool grow(lists *l) {
    const size_t room = l->room ? 2 * l->room : ROOM_FIRST;
    pipeline_entry *more;

    if (l->entries < l->room) return true;
    more = l->entries < PIPELINE_MOST ? realloc(l->p->entry, room * sizeof *more) : NULL;
    if (!more) {
        (void)message_no_memory();
        l->failed = true;
        return false;
    }
    l->p->entry = more;
    l->room = room;
    return true;
}

/* Parses an entry such as "B12" or "B12.1". */
static bool parse_entry(const char *word, pipeline_entry *e) {
    const char *letter = strchr(pipeline_letters, *word), *dot = strchr(word, '.');
    char number[16];
    uint64_t v;
    const size_t digits = strcspn(word + 1, ".");

    if (!letter || digits >= sizeof number) return false;
    memcpy(number, word + 1, digits);
    number[digits] = 0;
    if (!parse_unsigned(number, 0, INDEX_MOST, &v)) return false;
    e->pass = (pipeline_pass)(letter - pipeline_letters);
    e->micro_batch = (uint32_t)v;
    if (!dot) return true;
    if (!parse_unsigned(dot + 1, 0, INDEX_MOST, &v)) return false;
    e->chunk = (uint32_t)v;
    return true;
}

static void take(lists *l, const char *at, size_t n, uint32_t line, size_t column) {
    pipeline *p = l->p;
    pipeline_entry e = { .line = line, .column = (uint32_t)column };
    char word[32], found[64];

    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), at);
    if (n >= sizeof word || !parse_entry(word, &e)) {
        snprintf(found, sizeof found, "'%s'", word);
        refuse(l, line, column, found, ENTRY);
        return;
    }
    if (!grow(l)) return;
    if (e.micro_batch >= p->micro_batches) p->micro_batches = e.micro_batch + 1;
    if (e.chunk >= p->chunks) p->chunks = e.chunk + 1;
    p->split = p->split || e.pass == PIPELINE_W;
    p->entry[l->entries++] = e;
}

static const char *read_line(lists *l, const char *s, uint32_t line) {
    const char *const bol = s, *const eol = s + strcspn(s, "\n"),
                      *const end = s + strcspn(s, "#\n");
    const size_t before = l->entries;
    pipeline *p = l->p;

    while (s < end && !l->failed) {
        const size_t blanks = strspn(s, " \t\r,");
        size_t n;

        s += blanks;
        n = strcspn(s, " \t\r,\n#");
        if (s >= end || !n) break;
        take(l, s, n, line, (size_t)(s - bol) + 1);
        s += n;
    }
    if (l->entries > before && p->stages == STAGES_READ_MOST)
        refuse(l, line, 1, "more than 1024 lines", "a line a stage");
    else if (l->entries > before)
        p->first[++p->stages] = l->entries;
    return *eol ? eol + 1 : eol;
}

/* Checks that each micro-batch and chunk appears once in each pass. seen: scratch with a byte for
 * each possible entry. */
static void check_stage(lists *l, uint32_t r, uint8_t *seen) {
    const pipeline *p = l->p;
    const size_t each = (size_t)p->micro_batches * p->chunks;
    const uint32_t line = p->entry[p->first[r]].line;
    char found[96];

    memset(seen, 0, each * PIPELINE_PASSES);
    for (size_t n = p->first[r]; n < p->first[r + 1] && !l->failed; n++) {
        const pipeline_entry *e = &p->entry[n];
        uint8_t *at = &seen[e->pass * each + (size_t)e->chunk * p->micro_batches + e->micro_batch];

        snprintf(found, sizeof found, "a second %c%u.%u", pipeline_letters[e->pass], e->micro_batch,
                 e->chunk);
        if (*at) refuse(l, e->line, e->column, found, "each entry of a stage once");
        *at = 1;
    }
    for (size_t i = 0; i < each * (p->split ? 3 : 2) && !l->failed; i++) {
        if (seen[i]) continue;
        snprintf(found, sizeof found, "stage %u without %c%zu.%zu", r, pipeline_letters[i / each],
                 i % each % p->micro_batches, i % each / p->micro_batches);
        refuse(l, line, 1, found, "each micro-batch and chunk in all passes that the file has");
    }
}

static int check(lists *l) {
    const pipeline *p = l->p;
    /* A high number in one entry would request much memory, so the count of entries is checked
     * first. */
    const uint64_t each = (uint64_t)p->micro_batches * p->chunks;
    uint8_t *seen = NULL;

    if (!l->entries) refuse(l, 1, 1, "no lists", "a line a stage of entries such as F0 B0");
    if (l->failed) return EXIT_USAGE;
    if (each * 2 * p->stages > l->entries) {
        char found[96];

        snprintf(found, sizeof found, "%zu entries for %u stages, %u micro-batches, %u chunks",
                 l->entries, p->stages, p->micro_batches, p->chunks);
        refuse(l, 1, 1, found, "F and B of each of them, and W of all or none");
        return EXIT_USAGE;
    }
    seen = malloc(each * PIPELINE_PASSES);
    if (!seen) return message_no_memory();
    for (uint32_t r = 0; r < p->stages; r++) check_stage(l, r, seen);
    free(seen);
    return l->failed ? EXIT_USAGE : EXIT_OK;
}

int pipeline_read(const char *file, pipeline *p) {
    lists l = { .p = p };
    char *const text = input_text(file, NULL);
    uint32_t line = 1;
    int rc;

    *p = (pipeline){ .file = input_name(file) };
    if (!text) {
        yaml_error(file, 1, 1, strerror(errno), "a readable file of lists");
        return EXIT_USAGE;
    }
    p->first = calloc((size_t)STAGES_READ_MOST + 1, sizeof *p->first);
    if (!p->first) {
        free(text);
        return message_no_memory();
    }
    for (const char *s = text; *s && !l.failed; line++) s = read_line(&l, s, line);
    rc = check(&l);
    free(text);
    if (rc != EXIT_OK) pipeline_free(p);
    return rc;
}
