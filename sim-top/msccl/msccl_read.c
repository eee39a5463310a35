/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_read.c -- reads MSCCL's XML with expat, and checks each element as it comes
 *
 * The level of nesting decides which element may follow. Attributes are checked by helpers that
 * report the line, the column and what is accepted. Dependencies are resolved at the end, when all
 * thread blocks are known. A file that begins with a brace goes to mscclpp_read().
 */
#include <errno.h>
#include <expat.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "digest.h"
#include "exit_status.h"
#include "input_file.h"
#include "message.h"
#include "msccl_algorithm.h"
#include "mscclpp_read.h"
#include "values.h"

const char *const msccl_collective_names[MSCCL_COLLECTIVES + 1] = {
    "allreduce", "allgather", "reduce_scatter", "alltoall", "broadcast", "reduce", "custom", NULL
};
const char *const msccl_type_names[MSCCL_TYPES + 1] = { "s",   "r",   "cpy",  "re",  "rcs",
                                                        "rrc", "rrs", "rrcs", "nop", NULL };
static const char *const buffer_names[] = { "i", "o", "s", NULL };
static const char *const protocol_names[] = { "Simple", "LL", "LL128", NULL };

msccl_action msccl_action_of(msccl_type t) {
    static const msccl_action actions[MSCCL_TYPES] = {
        [MSCCL_S] = { .sends = true, .reads = true },
        [MSCCL_R] = { .receives = true, .writes = true },
        [MSCCL_CPY] = { .reads = true, .writes = true },
        [MSCCL_RE] = { .reads = true, .writes = true, .sums = true },
        [MSCCL_RCS] = { .receives = true, .sends = true, .writes = true },
        [MSCCL_RRC] = { .receives = true, .reads = true, .writes = true, .sums = true },
        [MSCCL_RRS] = { .receives = true, .sends = true, .reads = true, .sums = true },
        [MSCCL_RRCS] = { true, true, true, true, true },
    };
    return actions[t];
}

/* Prints the position of a step. line: of the step; 0: it is not printed. */
static void print_position(const msccl_algorithm *a, uint32_t step, uint32_t line) {
    const msccl_block *b = msccl_block_of(a, step);
    char at[32] = "";

    if (a->operation) {
        const msccl_operation *o = &a->operation[a->step[step].operation];

        if (line) snprintf(at, sizeof at, ", line %" PRIu32, line);
        fprintf(stderr, "gpu %" PRIu32 ", block %" PRIu32 ", operation %" PRIu32 " (%s%s)", o->gpu,
                o->block, o->number, o->name, at);
        return;
    }
    if (line) snprintf(at, sizeof at, " (line %" PRIu32 ")", line);
    fprintf(stderr, "gpu %" PRIu32 ", tb %" PRIu32 ", step %" PRIu32 "%s", b->gpu, b->id,
            step - b->first, at);
}

void msccl_print_step(const msccl_algorithm *a, uint32_t step) { print_position(a, step, 0); }

void msccl_print_step_line(const msccl_algorithm *a, uint32_t step) {
    print_position(a, step, a->step[step].line);
}

void msccl_print_location(const msccl_algorithm *a, uint32_t step) {
    const msccl_step *s = &a->step[step];

    fprintf(stderr, "acesim: %s:%" PRIu32 ":%" PRIu32 ": ", a->file, s->line, s->column);
    msccl_print_step(a, step);
}

/* ---- faults --------------------------------------------------------------------------------- */

typedef enum level { LEVEL_NONE, LEVEL_ALGO, LEVEL_GPU, LEVEL_BLOCK, LEVEL_STEP } level;
static const char *const elements[] = { "", "algo", "gpu", "tb", "step" };

typedef struct reader {
    XML_Parser parser;
    msccl_algorithm *a;
    level at;
    bool seen; /* an algo element has been read */
    uint32_t gpu;
    uint32_t block_room, step_room;
    uint64_t positions, moved;
    int status;
} reader;

static uint32_t line_of(const reader *r) { return (uint32_t)XML_GetCurrentLineNumber(r->parser); }
static uint32_t column_of(const reader *r) {
    return (uint32_t)XML_GetCurrentColumnNumber(r->parser) + 1;
}

__attribute__((format(printf, 2, 3))) static bool fault(reader *r, const char *format, ...) {
    va_list list;

    if (r->status != EXIT_OK) return false;
    fprintf(stderr, "acesim: %s:%" PRIu32 ":%" PRIu32 ": ", r->a->file, line_of(r), column_of(r));
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    r->status = EXIT_USAGE;
    XML_StopParser(r->parser, XML_FALSE);
    return false;
}

static bool no_memory(reader *r) {
    r->status = message_no_memory();
    XML_StopParser(r->parser, XML_FALSE);
    return false;
}

/* ---- attributes ----------------------------------------------------------------------------- */

/* Returns the attribute's value, or NULL if the element does not have it. */
static const char *find(const XML_Char **attribute, const char *name) {
    for (; *attribute; attribute += 2)
        if (!strcmp(*attribute, name)) return attribute[1];
    return NULL;
}

/* Checks that all attributes of the element are in names, which ends with NULL. */
static bool known(reader *r, const XML_Char **attribute, const char *const *names) {
    char hint[MESSAGE_HINT];

    for (; *attribute; attribute += 2) {
        unsigned i = 0;

        while (names[i] && strcmp(*attribute, names[i])) i++;
        if (names[i]) continue;
        (void)fault(r, "%s: found attribute '%.40s', expected those of MSCCL's XML%s",
                    elements[r->at], *attribute, message_hint(hint, *attribute, names));
        return false;
    }
    return true;
}

/* Reads a whole number. The attribute is required if `initial` is below `low`. */
static bool number(reader *r, const XML_Char **attribute, const char *name, int64_t low,
                   int64_t high, int64_t initial, int64_t *v) {
    const char *s = find(attribute, name);
    char *end;

    *v = initial;
    if (!s && initial >= low) return true;
    errno = 0;
    if (s) *v = strtoll(s, &end, 10);
    if (s && *s && !strchr(" \t\n\v\f\r+", *s) && !*end && !errno && *v >= low && *v <= high)
        return true;
    return fault(r, "%s: found %s%s%.40s%s, expected a whole number from %" PRId64 " to %" PRId64,
                 elements[r->at], s ? name : "no ", s ? "='" : name, s ? s : "", s ? "'" : "", low,
                 high);
}

/* Reads a value that is one of names, which ends with NULL. Sets its index. */
static bool choice(reader *r, const XML_Char **attribute, const char *name,
                   const char *const *names, int *v) {
    const char *s = find(attribute, name);
    char list[160] = "";

    for (*v = 0; s && names[*v]; ++*v)
        if (!strcmp(s, names[*v])) return true;
    for (unsigned i = 0; names[i]; i++) {
        strncat(list, i ? names[i + 1] ? ", " : " or " : "", sizeof list - strlen(list) - 1);
        strncat(list, names[i], sizeof list - strlen(list) - 1);
    }
    return fault(r, "%s: found %s%s%.40s%s, expected %s", elements[r->at], s ? name : "no ",
                 s ? "='" : name, s ? s : "", s ? "'" : "", list);
}

/* ---- elements ------------------------------------------------------------------------------- */

static bool take_algo(reader *r, const XML_Char **attribute) {
    static const char *const names[] = { "name",     "proto",    "nchannels", "nchunksperloop",
                                         "ngpus",    "coll",     "inplace",   "outofplace",
                                         "minBytes", "maxBytes", "nthreads",  "nthreadblocks",
                                         "redop",    "maxcount", NULL };
    msccl_algorithm *a = r->a;
    const char *name = find(attribute, "name");
    int64_t gpus, chunks, in_place, out, least, most, unused;
    int collective, protocol;

    if (r->seen) return fault(r, "found a second algo, expected one");
    r->seen = true;
    if (!known(r, attribute, names)) return false;
    if (!name || strlen(name) >= MSCCL_NAME)
        return fault(r, "algo: found %s, expected one of at most %d bytes",
                     name ? "a longer name" : "no name", MSCCL_NAME - 1);
    if (!choice(r, attribute, "proto", protocol_names, &protocol) ||
        !choice(r, attribute, "coll", msccl_collective_names, &collective) ||
        !number(r, attribute, "ngpus", 2, MSCCL_GPUS, 0, &gpus) ||
        !number(r, attribute, "nchunksperloop", 1, MSCCL_CHUNKS, 0, &chunks) ||
        !number(r, attribute, "nchannels", 1, MSCCL_CHANNELS, 1, &unused) ||
        !number(r, attribute, "nthreads", 0, 1024, 0, &unused) ||
        !number(r, attribute, "nthreadblocks", 0, MSCCL_BLOCKS, 0, &unused) ||
        !number(r, attribute, "maxcount", 0, MSCCL_COUNT, 0, &unused) ||
        !number(r, attribute, "inplace", 0, 1, 0, &in_place) ||
        !number(r, attribute, "outofplace", 0, 1, !in_place, &out) ||
        !number(r, attribute, "minBytes", 0, INT64_MAX, 0, &least) ||
        !number(r, attribute, "maxBytes", 0, INT64_MAX, 0, &most))
        return false;
    if (!in_place && !out)
        return fault(r, "algo: found inplace='0' and outofplace='0', expected one of them '1'");
    snprintf(a->name, sizeof a->name, "%s", name);
    snprintf(a->protocol, sizeof a->protocol, "%s", protocol_names[protocol]);
    a->collective = (msccl_collective)collective;
    a->gpus = (uint32_t)gpus;
    a->chunks = (uint32_t)chunks;
    a->in_place = in_place != 0;
    a->out_of_place = out != 0;
    a->least_bytes = (uint64_t)least;
    a->most_bytes = (uint64_t)most;
    a->line = line_of(r);
    a->column = column_of(r);
    if ((collective == MSCCL_ALL_GATHER || collective == MSCCL_REDUCE_SCATTER ||
         collective == MSCCL_ALL_TO_ALL) &&
        chunks % gpus)
        return fault(r,
                     "algo: found nchunksperloop='%" PRId64
                     "' of %s, expected a multiple of ngpus='%" PRId64
                     "': each GPU has as many of its own",
                     chunks, msccl_collective_names[collective], gpus);
    a->gpu = calloc(a->gpus, sizeof *a->gpu);
    return a->gpu != NULL || no_memory(r);
}

static bool take_gpu(reader *r, const XML_Char **attribute) {
    static const char *const names[] = { "id", "i_chunks", "o_chunks", "s_chunks", NULL };
    msccl_algorithm *a = r->a;
    const uint32_t expected[] = { a->chunks / (a->collective == MSCCL_ALL_GATHER ? a->gpus : 1),
                                  a->chunks /
                                      (a->collective == MSCCL_REDUCE_SCATTER ? a->gpus : 1) };
    int64_t id, v;
    msccl_gpu *g;

    if (!known(r, attribute, names) || !number(r, attribute, "id", 0, a->gpus - 1, -1, &id))
        return false;
    g = &a->gpu[id];
    if (g->line)
        return fault(r, "gpu: found id='%" PRId64 "' again (line %" PRIu32 "), expected it once",
                     id, g->line);
    *g = (msccl_gpu){ .first = a->blocks, .line = line_of(r), .column = column_of(r) };
    r->gpu = (uint32_t)id;
    for (unsigned i = 0; i < MSCCL_BUFFERS; i++) {
        if (!number(r, attribute, names[i + 1], 0, MSCCL_CHUNKS, -1, &v)) return false;
        g->chunks[i] = (uint32_t)v;
        /* 0: the GPU does not use this buffer. */
        if (i < MSCCL_SCRATCH && v && v != expected[i] && a->collective != MSCCL_CUSTOM)
            return fault(r,
                         "gpu: found %s='%" PRId64 "', expected %" PRIu32
                         " or 0 for %s of nchunksperloop='%" PRIu32 "'",
                         names[i + 1], v, expected[i], msccl_collective_names[a->collective],
                         a->chunks);
        r->positions += i < MSCCL_SCRATCH && expected[i] > v ? expected[i] : (uint64_t)v;
    }
    if (r->positions <= MSCCL_POSITIONS) return true;
    return fault(r, "gpu: found more than %d chunks in the buffers of all GPUs, expected fewer",
                 MSCCL_POSITIONS);
}

static bool take_block(reader *r, const XML_Char **attribute) {
    static const char *const names[] = { "id", "send", "recv", "chan", NULL };
    msccl_algorithm *a = r->a;
    int64_t id, peer[2], channel;

    if (!known(r, attribute, names) || !number(r, attribute, "id", 0, MSCCL_BLOCKS - 1, -1, &id) ||
        !number(r, attribute, "chan", 0, MSCCL_CHANNELS - 1, -1, &channel))
        return false;
    for (unsigned i = 0; i < 2; i++) {
        if (!number(r, attribute, names[i + 1], -1, a->gpus - 1, -2, &peer[i])) return false;
        if (peer[i] == r->gpu)
            return fault(r, "tb: found %s='%" PRId64 "', the GPU itself, expected another, or -1",
                         names[i + 1], peer[i]);
    }
    if (a->blocks == r->block_room) {
        const uint32_t room = r->block_room ? 2 * r->block_room : 64;
        msccl_block *at = realloc(a->block, room * sizeof *at);

        if (!at) return no_memory(r);
        a->block = at;
        r->block_room = room;
    }
    if (a->gpu[r->gpu].blocks == MSCCL_BLOCKS)
        return fault(r, "tb: found more than %d in a gpu, expected fewer", MSCCL_BLOCKS);
    a->gpu[r->gpu].blocks++;
    a->block[a->blocks++] = (msccl_block){ .gpu = r->gpu,
                                           .id = (uint32_t)id,
                                           .send = (int32_t)peer[0],
                                           .receive = (int32_t)peer[1],
                                           .channel = (uint32_t)channel,
                                           .first = a->steps,
                                           .line = line_of(r),
                                           .column = column_of(r) };
    return true;
}

/* Reads one side of a step: buffer and offset. If the step does not use this side, or it belongs to
 * the peer, only the spelling is checked. */
static bool take_side(reader *r, const XML_Char **attribute, bool source, bool used, uint32_t count,
                      uint8_t *buffer, uint32_t *offset) {
    const char *const names[] = { source ? "srcbuf" : "dstbuf", source ? "srcoff" : "dstoff" };
    const msccl_gpu *g = &r->a->gpu[r->gpu];
    int64_t at;
    int b;

    if (!choice(r, attribute, names[0], buffer_names, &b) ||
        !number(r, attribute, names[1], -1, MSCCL_CHUNKS, -2, &at))
        return false;
    if (used && (at < 0 || at + count > g->chunks[b]))
        return fault(r,
                     "step: found chunks %" PRId64 " to %" PRId64
                     " of buffer %s (%s), expected some of its %" PRIu32 " (%c_chunks of the gpu)",
                     at, at + count - 1, buffer_names[b], names[1], g->chunks[b], *buffer_names[b]);
    *buffer = (uint8_t)b;
    *offset = (uint32_t)(at < 0 ? 0 : at);
    return true;
}

static bool take_peer(reader *r, const char *type, const char *name, bool used, int32_t peer) {
    return !used || peer >= 0 ||
           fault(r, "step: found type='%s' in a tb of %s='-1', expected a GPU there", type, name);
}

static bool take_step(reader *r, const XML_Char **attribute) {
    static const char *const names[] = { "s",   "type",  "srcbuf", "srcoff", "dstbuf", "dstoff",
                                         "cnt", "depid", "deps",   "hasdep", NULL };
    msccl_algorithm *a = r->a;
    msccl_block *b = &a->block[a->blocks - 1];
    int64_t s, count, depends_block, depends_step, has_dependents;
    msccl_action does;
    msccl_step *to;
    int type;

    if (!known(r, attribute, names) || !choice(r, attribute, "type", msccl_type_names, &type) ||
        !number(r, attribute, "s", 0, MSCCL_STEPS, -1, &s))
        return false;
    does = msccl_action_of((msccl_type)type);
    if (s != b->steps)
        return fault(r, "step: found s='%" PRId64 "', expected '%" PRIu32 "', the next of its tb",
                     s, b->steps);
    if (!number(r, attribute, "cnt", type == MSCCL_NOP ? 0 : 1, MSCCL_COUNT, -1, &count) ||
        !number(r, attribute, "depid", -1, MSCCL_BLOCKS - 1, -2, &depends_block) ||
        !number(r, attribute, "deps", -1, MSCCL_STEPS, -2, &depends_step) ||
        !number(r, attribute, "hasdep", 0, 1, -1, &has_dependents) ||
        !take_peer(r, msccl_type_names[type], "send", does.sends, b->send) ||
        !take_peer(r, msccl_type_names[type], "recv", does.receives, b->receive))
        return false;
    if ((depends_block < 0) != (depends_step < 0))
        return fault(r,
                     "step: found depid='%" PRId64 "' and deps='%" PRId64
                     "', expected a tb and a step of it, or twice -1",
                     depends_block, depends_step);
    r->moved += (uint64_t)count;
    if (a->steps == MSCCL_STEPS || r->moved > MSCCL_MOVED)
        return fault(
            r, "step: found more than %d, or more than %d chunks moved by all, expected fewer",
            MSCCL_STEPS, MSCCL_MOVED);
    if (a->steps == r->step_room) {
        const uint32_t room = r->step_room ? 2 * r->step_room : 1024;
        msccl_step *at = realloc(a->step, room * sizeof *at);

        if (!at) return no_memory(r);
        a->step = at;
        r->step_room = room;
    }
    to = &a->step[a->steps];
    *to = (msccl_step){ .line = line_of(r),
                        .column = column_of(r),
                        .block = a->blocks - 1,
                        .count = (uint32_t)count,
                        .dependency = MSCCL_NONE,
                        .partner = MSCCL_NONE,
                        .partner_to = MSCCL_NONE,
                        .depends_block = (int32_t)depends_block,
                        .depends_step = (int32_t)depends_step,
                        .type = (uint8_t)type,
                        .has_dependents = has_dependents != 0 };
    if (!take_side(r, attribute, true, does.reads, to->count, &to->source_buffer, &to->source) ||
        !take_side(r, attribute, false, does.writes, to->count, &to->destination_buffer,
                   &to->destination))
        return false;
    a->steps++;
    b->steps++;
    return true;
}

/* ---- what expat calls ----------------------------------------------------------------------- */

static void XMLCALL begins(void *self, const XML_Char *name, const XML_Char **attribute) {
    static bool (*const take[])(reader *, const XML_Char **) = { NULL, take_algo, take_gpu,
                                                                 take_block, take_step };
    reader *r = self;

    if (r->status != EXIT_OK) return;
    if (r->at == LEVEL_STEP || strcmp(name, elements[r->at + 1])) {
        (void)fault(r, "found element '%.40s', expected %s%s", name,
                    r->at == LEVEL_STEP ? "the end of the " : "",
                    elements[r->at == LEVEL_STEP ? LEVEL_STEP : r->at + 1]);
        return;
    }
    r->at++;
    (void)take[r->at](r, attribute);
}

static int by_id(const void *a, const void *b) {
    const msccl_block *x = a, *y = b;

    return x->id < y->id ? -1 : x->id > y->id;
}

/* Sorts a GPU's thread blocks by id. Steps stay with their thread block. */
static void end_gpu(reader *r) {
    msccl_algorithm *a = r->a;
    const msccl_gpu *g = &a->gpu[r->gpu];

    if (!g->blocks) return;
    qsort(&a->block[g->first], g->blocks, sizeof *a->block, by_id);
    for (uint32_t i = 0; i < g->blocks; i++) {
        const msccl_block *b = &a->block[g->first + i];

        if (b->id != i) {
            (void)fault(r,
                        "gpu: found tb id='%" PRIu32 "' (line %" PRIu32 ") at index %" PRIu32
                        ", expected ids 0 to %" PRIu32 ", each once",
                        b->id, b->line, i, g->blocks - 1);
            return;
        }
        for (uint32_t k = 0; k < b->steps; k++) a->step[b->first + k].block = g->first + i;
    }
}

static void XMLCALL ends(void *self, const XML_Char *name) {
    reader *r = self;

    (void)name;
    if (r->status != EXIT_OK) return;
    if (r->at == LEVEL_GPU) end_gpu(r);
    r->at--;
}

static void XMLCALL characters(void *self, const XML_Char *text, int length) {
    reader *r = self;

    for (int i = 0; i < length && r->status == EXIT_OK; i++)
        if (!strchr(" \t\r\n", text[i]) || !text[i])
            (void)fault(r, "found text, expected elements and their attributes alone");
}

static void XMLCALL declares(void *self, const XML_Char *name, const XML_Char *system,
                             const XML_Char *public_, int internal) {
    (void)name, (void)system, (void)public_, (void)internal;
    (void)fault(self, "found a document type, expected none: entities are not read");
}

/* ---- the file ------------------------------------------------------------------------------- */

/* Checks what only the whole file shows: each GPU is there, and each dependency names an existing
 * step. */
static int finish(msccl_algorithm *a) {
    for (uint32_t i = 0; i < a->gpus; i++) {
        if (a->gpu[i].line) continue;
        fprintf(stderr,
                "acesim: %s:%" PRIu32 ":%" PRIu32 ": algo: found no gpu of id='%" PRIu32
                "', expected one for each of ngpus='%" PRIu32 "'\n",
                a->file, a->line, a->column, i, a->gpus);
        return EXIT_USAGE;
    }
    for (uint32_t i = 0; i < a->steps; i++) {
        msccl_step *s = &a->step[i];
        const msccl_gpu *g = &a->gpu[a->block[s->block].gpu];
        const msccl_block *b;

        if (s->depends_block < 0) continue;
        b = (uint32_t)s->depends_block < g->blocks
                ? &a->block[g->first + (uint32_t)s->depends_block]
                : NULL;
        if (b && (uint32_t)s->depends_step < b->steps && a->block[s->block].id != b->id) {
            uint32_t on = b->first + (uint32_t)s->depends_step;

            /* A tb signals its progress only at the steps with hasdep. */
            while (on < b->first + b->steps && !a->step[on].has_dependents) on++;
            s->dependency = on < b->first + b->steps ? on : MSCCL_NONE;
            if (s->dependency != MSCCL_NONE) continue;
            msccl_print_location(a, i);
            fprintf(stderr,
                    ": found depid='%" PRId32 "' deps='%" PRId32
                    "', where neither that step nor a later one has hasdep='1', expected one: tb "
                    "%" PRId32 " would not signal that it is there\n",
                    s->depends_block, s->depends_step, s->depends_block);
            return EXIT_USAGE;
        }
        msccl_print_location(a, i);
        fprintf(stderr,
                ": found depid='%" PRId32 "' deps='%" PRId32
                "', expected a step of another tb of its "
                "gpu\n",
                s->depends_block, s->depends_step);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int parse(reader *r, FILE *f) {
    enum { PIECE = 65536 };
    size_t all = 0;

    for (bool last = false; !last && r->status == EXIT_OK;) {
        void *to = XML_GetBuffer(r->parser, PIECE);
        size_t n;

        if (!to) return message_no_memory();
        n = fread(to, 1, PIECE, f);
        last = n < PIECE;
        all += n;
        r->a->digest = fnv1a(r->a->digest, to, n);
        if (ferror(f) || all > MSCCL_FILE_BYTES) {
            fprintf(stderr, "acesim: %s: %s\n", r->a->file,
                    ferror(f) ? strerror(errno) : "found a longer file, expected 512 MiB at most");
            return EXIT_USAGE;
        }
        if (XML_ParseBuffer(r->parser, (int)n, last) || r->status != EXIT_OK) continue;
        if (XML_GetErrorCode(r->parser) == XML_ERROR_NO_MEMORY) return message_no_memory();
        (void)fault(r, "found %s, expected XML: algo, gpu, tb, step",
                    XML_ErrorString(XML_GetErrorCode(r->parser)));
    }
    return r->status;
}

/* JSON begins with a brace, XML does not. */
static bool is_json(FILE *f) {
    int c = fgetc(f);

    while (c == ' ' || c == '\t' || c == '\r' || c == '\n') c = fgetc(f);
    rewind(f);
    return c == '{';
}

int msccl_read(const char *file, msccl_algorithm *a) {
    reader r = { .a = a };
    char path[DATA_PATH];
    FILE *f;

    *a = (msccl_algorithm){ .digest = FNV1A_START };
    if (!data_path_find(file, path)) return EXIT_USAGE;
    snprintf(a->file, sizeof a->file, "%s", input_name(path));
    f = input_open(path);
    if (!f) {
        fprintf(stderr, "acesim: %s: %s\n", a->file, strerror(errno));
        return EXIT_USAGE;
    }
    if (is_json(f)) {
        fclose(f);
        return mscclpp_read(path, a);
    }
    r.parser = XML_ParserCreate(NULL);
    if (r.parser) {
        XML_SetUserData(r.parser, &r);
        XML_SetElementHandler(r.parser, begins, ends);
        XML_SetCharacterDataHandler(r.parser, characters);
        XML_SetStartDoctypeDeclHandler(r.parser, declares);
        r.status = parse(&r, f);
        XML_ParserFree(r.parser);
    } else {
        r.status = message_no_memory();
    }
    fclose(f);
    return r.status == EXIT_OK ? finish(a) : r.status;
}

void msccl_free(msccl_algorithm *a) {
    free(a->gpu);
    free(a->block);
    free(a->step);
    free(a->operation);
    a->gpu = NULL;
    a->block = NULL;
    a->step = NULL;
    a->operation = NULL;
}
