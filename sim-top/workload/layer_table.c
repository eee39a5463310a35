/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layer_table.c -- scans a layer table word by word, and writes one
 *
 * A scanner keeps the line and column of each word for messages. Checkpoints name layers by number
 * and are applied when all layers are read.
 */
#include "layer_table.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "input_file.h"
#include "values.h"
#include "yaml_file.h"

#define WORDS_OF_LAYERS "DATA, MODEL, HYBRID_DATA_MODEL or HYBRID_MODEL_DATA"
#define WORDS_OF_TABLES                                                              \
    "DATA, MICRO, MODEL, HYBRID_DATA_MODEL, HYBRID_MODEL_DATA, HYBRID_TRANSFORMER, " \
    "HYBRID_TRANSFORMER_FWD_IN_BCKWD, HYBRID_DLRM or HYBRID_CUSTOMIZED"

enum { LISTED = 1024 }; /* maximum layers that a list in the first line names */

typedef struct scanner {
    const char *file;
    char *text, *p;
    size_t line;
    const char *bol; /* beginning of the line */
    bool failed;
} scanner;

static void fail(scanner *s, const char *where, const char *found, const char *expected) {
    if (!s->failed) yaml_error(s->file, s->line, (size_t)(where - s->bol) + 1, found, expected);
    s->failed = true;
}

static void next_line(scanner *s) {
    while (*s->p && *s->p != '\n') s->p++;
    if (*s->p) s->p++;
    s->line++;
    s->bol = s->p;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Reads the next word of the line. Prints a message and returns "" if there is none. */
static const char *read_word(scanner *s, char to[128], const char *expected) {
    const char *start;
    size_t n;

    while (blank(*s->p)) s->p++;
    start = s->p;
    while (*s->p && *s->p != '\n' && !blank(*s->p)) s->p++;
    n = (size_t)(s->p - start);
    if (!n) fail(s, start, *s->p ? "the end of the line" : "the end of the file", expected);
    if (n > 127) n = 127;
    memcpy(to, start, n);
    to[n] = 0;
    return start;
}

static uint64_t read_unsigned(scanner *s, uint64_t high, const char *expected) {
    char w[128], found[160];
    const char *start = read_word(s, w, expected);
    uint64_t v = 0;

    if (!s->failed && !parse_unsigned(w, 0, high, &v)) {
        snprintf(found, sizeof found, "'%s'", w);
        fail(s, start, found, expected);
    }
    return v;
}

/* ---- a line ------------------------------------------------------------------------------ */

static bool transformer(const layer_table *t) {
    return t->word == TABLE_TRANSFORMER || t->word == TABLE_TRANSFORMER_AGAIN;
}

/* Parses "ALLTOALL", or for a transformer "ALLTOALL_EP". Returns false for an unknown name. */
static bool parse_collective(const char *w, bool shares, table_collective *c) {
    static const char *const kind_texts[] = { "ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL",
                                              NULL };
    static const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_ALL_GATHER, ACE_REDUCE_SCATTER,
                                      ACE_ALL_TO_ALL };
    static const char *const behind[] = {
        [SHARE_OF_PASS] = "", [SHARE_EXPERT] = "_EP", [SHARE_EXPERT_DATA] = "_DP_EP", NULL
    };
    const size_t length = strcspn(w, "_");
    char name[128];
    int kind, share;

    snprintf(name, sizeof name, "%.*s", (int)length, w);
    if (!parse_name(name, kind_texts, &kind) || !parse_name(w + length, behind, &share))
        return false;
    if (share && !shares) return false;
    c->kind = kinds[kind];
    c->share = (table_share)share;
    return true;
}

/* Reads a collective and its bytes. Without `any`, only `allowed` (or NONE) is accepted there. */
static table_collective collective(scanner *s, bool any, layer_table *t, const char *allowed,
                                   const char *where) {
    char w[128], found[200], expected[80];
    table_collective c = { 0 };
    bool known, none;
    const char *start;

    snprintf(expected, sizeof expected, "NONE%s%s", allowed ? " or " : "", allowed ? allowed : "");
    if (any)
        snprintf(expected, sizeof expected,
                 "NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER or ALLTOALL");
    start = read_word(s, w, expected);
    known = (any || (allowed && !strcmp(w, allowed))) && parse_collective(w, transformer(t), &c);
    none = !strcmp(w, "NONE") || (any && !strcmp(w, "BROADCAST"));
    t->broadcasts += any && !strcmp(w, "BROADCAST");
    c.column = (size_t)(start - s->bol) + 1;
    if (!s->failed && !none && !known) {
        snprintf(found, sizeof found, "'%s', which is not modelled in the %s", w, where);
        fail(s, start, found, expected);
    }
    c.bytes = read_unsigned(s, UINT64_C(1) << 40, "bytes, 0 to 2^40");
    if (!known) c.bytes = 0;
    return c;
}

/* Reads how a layer of HYBRID_CUSTOMIZED is divided. */
static table_word read_parallelism(scanner *s) {
    char w[128], found[160];
    const char *const start = read_word(s, w, WORDS_OF_LAYERS);
    int v = 0;

    if (s->failed ||
        (parse_name(w, table_names, &v) &&
         (v == TABLE_DATA || v == TABLE_MODEL || v == TABLE_DATA_MODEL || v == TABLE_MODEL_DATA)))
        return (table_word)v;
    snprintf(found, sizeof found, "'%s'", w);
    fail(s, start, found, WORDS_OF_LAYERS);
    return TABLE_DATA;
}

static void read_layer(scanner *s, bool any, layer_table *t, table_layer *l) {
    static const char *const where[PASSES] = { "forward pass", "input gradient",
                                               "weight gradient" };
    static const char *const cycles[PASSES] = { "cycles of the forward pass",
                                                "cycles of the input gradient",
                                                "cycles of the weight gradient" };
    static const pass order[PASSES] = { PASS_FORWARD, PASS_INPUT, PASS_WEIGHT };
    const uint64_t most = UINT64_C(1) << 40;
    char w[128], found[160];
    const char *start = read_word(s, w, "the name of a layer");

    snprintf(l->name, sizeof l->name, "%.63s", w);
    l->line = s->line;
    l->word = t->word;
    start = read_word(s, w, "-1");
    if (!s->failed && strcmp(w, "-1")) {
        snprintf(found, sizeof found, "'%s'", w);
        fail(s, start, found, "-1");
    }
    for (unsigned i = 0; i < PASSES; i++) {
        l->cycles[order[i]] = read_unsigned(s, most, cycles[i]);
        l->collective[order[i]] =
            collective(s, any, t, order[i] == PASS_WEIGHT ? "ALLREDUCE" : NULL, where[i]);
    }
    l->update = read_unsigned(s, most, "the update delay");
    if (t->word == TABLE_CUSTOMIZED) l->word = read_parallelism(s);
    while (blank(*s->p)) s->p++;
    if (*s->p && *s->p != '\n') fail(s, s->p, "more fields", "the end of the line");
}

/* ---- the first line ------------------------------------------------------------------------- */

/* Layers that a list names. They are applied when the number of layers is known. */
typedef struct listed {
    unsigned at[LISTED], count;
} listed;

static bool at_end(scanner *s) {
    while (blank(*s->p)) s->p++;
    return !*s->p || *s->p == '\n';
}

static void read_listed(scanner *s, listed *l) {
    const unsigned more = (unsigned)read_unsigned(s, LISTED - l->count, "how many layers follow");

    for (unsigned i = 0; i < more && !s->failed; i++)
        l->at[l->count++] = (unsigned)read_unsigned(s, 99999, "the number of a layer");
}

/* Reads a number of bytes, which SimAI may write as 12582912.0. */
static double number(scanner *s) {
    char w[128], found[160];
    const char *const start = read_word(s, w, "bytes");
    double v = 0;

    if (s->failed || parse_not_negative(w, &v)) return v;
    snprintf(found, sizeof found, "'%s'", w);
    fail(s, start, found, "bytes");
    return 0;
}

/* Reads a key of a transformer's first line, with its value. Returns false for an unknown key. */
static bool read_key(scanner *s, layer_table *t, const char *key, listed *checkpoints,
                     listed *again) {
    const struct {
        const char *key;
        unsigned *to;
    } counts[] = { { "model_parallel_NPU_group:", &t->model_npus },
                   { "ep:", &t->expert_npus },
                   { "pp:", &t->stages },
                   { "vpp:", &t->virtual_stages },
                   { "ga:", &t->micro_batches },
                   { "all_gpus:", &t->all_npus } };

    for (unsigned i = 0; i < sizeof counts / sizeof *counts; i++) {
        if (strcmp(key, counts[i].key) != 0) continue;
        *counts[i].to = (unsigned)read_unsigned(s, 1 << 20, "a number");
        if (!s->failed && !*counts[i].to) fail(s, s->p, "0", "1 or more");
        t->total |= i > 0;
        return true;
    }
    if (!strcmp(key, "pp_comm:") || !strcmp(key, "pp_comm")) {
        t->stage_bytes = number(s);
        return t->total = true;
    }
    if (t->word != TABLE_TRANSFORMER_AGAIN) return false;
    if (!strcmp(key, "checkpoints:")) return read_listed(s, checkpoints), true;
    if (!strcmp(key, "checkpoint_initiates:")) return read_listed(s, again), true;
    return false;
}

static void read_rest(scanner *s, layer_table *t, listed *checkpoints, listed *again) {
    if (t->word == TABLE_DLRM)
        t->last_bottom = (unsigned)read_unsigned(s, 99999, "the last layer of the bottom");
    t->expert_npus = t->stages = t->virtual_stages = t->micro_batches = 1;
    while (transformer(t) && !s->failed && !at_end(s)) {
        char key[128], found[160];
        const char *const start = read_word(s, key, "a key");

        if (read_key(s, t, key, checkpoints, again)) continue;
        snprintf(found, sizeof found, "'%s'", key);
        fail(s, start, found,
             "model_parallel_NPU_group: ep: pp: vpp: ga: all_gpus: pp_comm, or with FWD_IN_BCKWD "
             "checkpoints: or checkpoint_initiates:");
    }
    if (transformer(t) && !s->failed && !t->model_npus)
        fail(s, s->p, "no model_parallel_NPU_group:", "the NPUs of a group, 1 or more");
    if (!s->failed && !at_end(s)) fail(s, s->p, "more words", "the end of the line");
}

static void read_first(scanner *s, bool any, layer_table *t, listed *checkpoints, listed *again) {
    const char *const accepted = any ? WORDS_OF_TABLES : "DATA or MICRO";
    char kind[128], found[160];
    const char *const start = read_word(s, kind, accepted);
    int v = 0;

    if (s->failed) return;
    if (!parse_name(kind, table_names, &v) || (!any && v != TABLE_DATA && v != TABLE_MICRO)) {
        snprintf(found, sizeof found, "parallelism '%s', which is not modelled", kind);
        fail(s, start, found, accepted);
        return;
    }
    t->word = (table_word)v;
    if (any) read_rest(s, t, checkpoints, again);
}

/* Applies a list of the first line to the layers that it names. */
static void apply_listed(scanner *s, const layer_table *t, const listed *l, bool again) {
    for (unsigned i = 0; i < l->count && !s->failed; i++) {
        if (l->at[i] >= t->count) {
            yaml_error(s->file, 1, 1, "a checkpoint of a layer that there is not",
                       "numbers of layers, from 0");
            s->failed = true;
        } else if (again) {
            t->layer[l->at[i]].again = true;
        } else {
            t->layer[l->at[i]].checkpoint = true;
        }
    }
}

int layer_table_read(const char *file, bool any, layer_table *t) {
    static listed checkpoints, again;
    scanner s = { .file = input_name(file), .line = 1 };
    uint64_t count;

    *t = (layer_table){ 0 };
    checkpoints.count = again.count = 0;
    s.text = s.p = input_text(file, NULL);
    if (!s.text) {
        yaml_error(file, 1, 1, strerror(errno), "a readable layer table");
        return EXIT_USAGE;
    }
    s.bol = s.p;
    read_first(&s, any, t, &checkpoints, &again);
    if (!s.failed) next_line(&s);
    count = s.failed ? 0 : read_unsigned(&s, 100000, "the number of layers, 1 to 100000");
    if (!s.failed && !count) fail(&s, s.bol, "'0'", "the number of layers, 1 to 100000");
    t->layer = s.failed ? NULL : calloc(count, sizeof *t->layer);
    for (; !s.failed && t->layer && t->count < count; t->count++) {
        next_line(&s);
        if (!s.p[strspn(s.p, " \t\r\n")]) {
            char found[80], expected[80];

            snprintf(found, sizeof found, "the end of the file behind %u layers", t->count);
            snprintf(expected, sizeof expected, "%" PRIu64 ", which line 2 says", count);
            fail(&s, s.p, found, expected);
            break;
        }
        read_layer(&s, any, t, &t->layer[t->count]);
    }
    if (!s.failed) {
        next_line(&s);
        while (isspace((unsigned char)*s.p)) s.p++;
        if (*s.p) fail(&s, s.bol, "more lines than layers", "the end of the file");
    }
    apply_listed(&s, t, &checkpoints, false);
    apply_listed(&s, t, &again, true);
    free(s.text);
    if (s.failed || !t->layer) return EXIT_USAGE;
    return any ? layer_table_check(s.file, t) : EXIT_OK;
}

/* ---- writing ------------------------------------------------------------------------------ */

void layer_table_write(FILE *to, const layer_table *t) {
    fprintf(to, "%s\n%u\n", table_names[TABLE_DATA], t->count);
    for (unsigned i = 0; i < t->count; i++) {
        const table_layer *l = &t->layer[i];
        const uint64_t bytes = l->collective[PASS_WEIGHT].bytes;

        fprintf(to,
                "%s\t-1\t%" PRIu64 "\tNONE\t0\t%" PRIu64 "\tNONE\t0\t%" PRIu64 "\t%s\t%" PRIu64
                "\t%" PRIu64 "\n",
                l->name, l->cycles[PASS_FORWARD], l->cycles[PASS_INPUT], l->cycles[PASS_WEIGHT],
                bytes ? "ALLREDUCE" : "NONE", bytes, l->update);
    }
}

void layer_table_write_yaml(FILE *to, const layer_table *t) {
    fprintf(to, "compute_clock: 1 GHz\nlayers:\n");
    for (unsigned i = 0; i < t->count; i++) {
        const table_layer *l = &t->layer[i];

        fprintf(to, "  - {kind: given, name: '");
        for (const char *c = l->name; *c; c++) fprintf(to, *c == '\'' ? "''" : "%c", *c);
        fprintf(to,
                "', forward: %" PRIu64 ", input: %" PRIu64 ", weight: %" PRIu64
                ", all_reduce: %" PRIu64 ", update: %" PRIu64 "}\n",
                l->cycles[PASS_FORWARD], l->cycles[PASS_INPUT], l->cycles[PASS_WEIGHT],
                l->collective[PASS_WEIGHT].bytes, l->update);
    }
}

void layer_table_free(layer_table *t) {
    free(t->layer);
    *t = (layer_table){ 0 };
}
