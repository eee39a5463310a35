/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_contents.c -- symbolic execution: each chunk is a list of contributions
 *
 * The steps run once in their order. A chunk's value is shared and counted by its holders, and a
 * sum merges two sorted lists. Each access must be ordered after earlier accesses that conflict;
 * msccl_order_before() decides this. At the end each output is compared with the definition of the
 * collective.
 */
#include "msccl_contents.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "exit_status.h"
#include "message.h"

/* Limit of contributions that are held at a time: 384 MiB. */
#define CONTRIBUTIONS (UINT64_C(1) << 25)
/* Limit of contributions that are read to make sums: some seconds. */
#define SUMMED (UINT64_C(1) << 32)

typedef struct contribution {
    uint32_t gpu, chunk, times; /* times: saturates at UINT32_MAX */
} contribution;

/* The contributions in a chunk, sorted by GPU and chunk. `holders` chunks share the value. */
typedef struct value {
    uint32_t holders, count;
    contribution at[];
} value;

/* The steps that read a chunk since it was last written, and the step that wrote it. */
typedef struct reader {
    uint32_t step, next;
} reader;
typedef struct position {
    value *holds;             /* NULL: nothing */
    uint32_t writer, readers; /* readers: head of a list; MSCCL_NONE: none */
} position;

/* The first position of each buffer of a GPU. */
typedef struct buffers {
    uint64_t at[MSCCL_BUFFERS];
} buffers;

typedef struct contents {
    const msccl_algorithm *a;
    msccl_order *order;
    uint32_t root;
    bool in_place, checked;
    uint32_t inputs, outputs; /* chunks of a GPU */
    buffers *gpu;
    position *at;
    uint64_t positions;
    uint64_t held, summed; /* contributions */
    reader *reader;
    uint32_t readers, reader_room, unused; /* unused: head of the list of free entries */
    value ***sent;                         /* for each step that sends: a value for each chunk */
    uint32_t before_x, before_y;           /* the last pair that was found to be in order */
} contents;

/* ---- values --------------------------------------------------------------------------------- */

static void release(contents *c, value *v) {
    if (!v || --v->holders) return;
    c->held -= v->count;
    free(v);
}

static value *hold(value *v) {
    if (v) v->holders++;
    return v;
}

/* Returns NULL if there is no memory or the count exceeds the limit. */
static value *make(contents *c, uint64_t count) {
    value *v =
        c->held + count <= CONTRIBUTIONS ? malloc(sizeof *v + (size_t)count * sizeof *v->at) : NULL;

    if (!v) return NULL;
    *v = (value){ .holders = 1, .count = (uint32_t)count };
    c->held += count;
    return v;
}

static value *input(contents *c, uint32_t gpu, uint32_t chunk) {
    value *v = make(c, 1);

    if (v) v->at[0] = (contribution){ gpu, chunk, 1 };
    return v;
}

static int compare(const contribution *x, const contribution *y) {
    if (x->gpu != y->gpu) return x->gpu < y->gpu ? -1 : 1;
    return x->chunk < y->chunk ? -1 : x->chunk > y->chunk;
}

static value *sum(contents *c, const value *x, const value *y) {
    value *v;
    uint32_t i = 0, k = 0, n = 0;

    c->summed += (uint64_t)x->count + y->count;
    v = c->summed <= SUMMED ? make(c, (uint64_t)x->count + y->count) : NULL;
    if (!v) return NULL;
    while (i < x->count || k < y->count) {
        const int side = i == x->count ? 1 : k == y->count ? -1 : compare(&x->at[i], &y->at[k]);

        v->at[n] = side <= 0 ? x->at[i] : y->at[k];
        if (!side)
            v->at[n].times = v->at[n].times > UINT32_MAX - y->at[k].times
                                 ? UINT32_MAX
                                 : v->at[n].times + y->at[k].times;
        i += side <= 0;
        k += side >= 0;
        n++;
    }
    c->held -= v->count - n;
    v->count = n;
    return v;
}

static int too_large(const contents *c, uint32_t step) {
    msccl_print_location(c->a, step);
    fprintf(stderr,
            ": found more than %" PRIu64 " contributions in all chunks by then, or no memory for "
            "them, expected fewer\n",
            CONTRIBUTIONS);
    return EXIT_USAGE;
}

/* ---- positions ------------------------------------------------------------------------------ */

/* If input and output are separate buffers, the input's chunks come first. */
static bool lay_out(contents *c) {
    const msccl_algorithm *a = c->a;
    uint64_t end = 0;

    c->gpu = calloc(a->gpus, sizeof *c->gpu);
    if (!c->gpu) return false;
    for (uint32_t g = 0; g < a->gpus; g++) {
        const bool custom = a->collective == MSCCL_CUSTOM;
        const uint32_t in = custom ? a->gpu[g].chunks[MSCCL_I] : c->inputs;
        const uint32_t out = custom ? a->gpu[g].chunks[MSCCL_O] : c->outputs;
        buffers *b = &c->gpu[g];

        b->at[MSCCL_I] = b->at[MSCCL_O] = end;
        if (c->in_place && in < out && !custom) b->at[MSCCL_I] += (uint64_t)g * in;
        if (c->in_place && out < in && !custom) b->at[MSCCL_O] += (uint64_t)g * out;
        if (!c->in_place) b->at[MSCCL_O] += in;
        end += c->in_place ? (in > out ? in : out) : (uint64_t)in + out;
        b->at[MSCCL_SCRATCH] = end;
        end += a->gpu[g].chunks[MSCCL_SCRATCH];
    }
    c->positions = end;
    c->at = calloc((size_t)end + 1, sizeof *c->at);
    c->sent = calloc(a->steps + 1, sizeof *c->sent);
    if (!c->at || !c->sent) return false;
    for (uint64_t i = 0; i < end; i++) c->at[i].writer = c->at[i].readers = MSCCL_NONE;
    for (uint32_t g = 0; c->checked && g < a->gpus; g++)
        for (uint32_t k = 0; k < c->inputs; k++) {
            position *p = &c->at[c->gpu[g].at[MSCCL_I] + k];

            p->holds = input(c, g, k);
            if (!p->holds) return false;
        }
    return true;
}

static position *position_of(const contents *c, uint32_t step, bool source, uint32_t k) {
    const msccl_step *s = &c->a->step[step];
    const buffers *b = &c->gpu[msccl_block_of(c->a, step)->gpu];

    return source ? &c->at[b->at[s->source_buffer] + s->source + k]
                  : &c->at[b->at[s->destination_buffer] + s->destination + k];
}

static const char *buffer_name(unsigned b) { return b == MSCCL_I ? "i" : b == MSCCL_O ? "o" : "s"; }

/* ---- order ---------------------------------------------------------------------------------- */

/* Reports a race between two steps. A plan has operations and signals; XML has types and
 * dependencies. */
static void report_race(const contents *c, uint32_t x, uint32_t y, const char *what) {
    const msccl_algorithm *a = c->a;
    const msccl_step *s = &a->step[y], *t = &a->step[x];
    const char *how = c->in_place ? "; in place" : "";

    if (a->operation) {
        const bool signals = a->operation[s->operation].gpu != a->operation[t->operation].gpu;

        fprintf(stderr, ": found that it %s what ", what);
        msccl_print_step_line(a, x);
        fprintf(stderr, " touches at any time, expected %s between them%s\n",
                signals ? "a wait for its signal" : "one block, or signals by way of another GPU,",
                how);
        return;
    }
    fprintf(stderr, ": found type='%s' that %s what ", msccl_type_names[s->type], what);
    msccl_print_step(a, x);
    fprintf(stderr,
            " (line %" PRIu32 ", type='%s') touches at any time, expected a dependency (depid, "
            "deps) that puts one after the other%s\n",
            t->line, msccl_type_names[t->type], how);
}

/* Checks that step x, which touched the chunk before y in the order of steps, is over when y
 * begins. */
static int want_before(contents *c, uint32_t x, uint32_t y, const char *what) {
    msccl_before before;

    if (x == y || (x == c->before_x && y == c->before_y)) return EXIT_OK;
    before = msccl_order_before(c->order, x, y);
    if (before == MSCCL_BEFORE_YES) {
        c->before_x = x;
        c->before_y = y;
        return EXIT_OK;
    }
    msccl_print_location(c->a, y);
    if (before == MSCCL_BEFORE_UNKNOWN) {
        fprintf(stderr, ": found too much to look at to tell whether it comes after ");
        msccl_print_step(c->a, x);
        fprintf(stderr, ", expected a smaller algorithm\n");
        return EXIT_USAGE;
    }
    report_race(c, x, y, what);
    return EXIT_USAGE;
}

/* Records that a step reads a chunk. Returns EXIT_OK, or another status after a message. */
static int touch_to_read(contents *c, uint32_t step, position *p) {
    uint32_t r = c->unused;
    int rc = EXIT_OK;

    if (p->writer != MSCCL_NONE) rc = want_before(c, p->writer, step, "reads");
    if (rc != EXIT_OK || (p->readers != MSCCL_NONE && c->reader[p->readers].step == step))
        return rc;
    if (r != MSCCL_NONE) {
        c->unused = c->reader[r].next;
    } else {
        if (c->readers == c->reader_room) {
            const uint32_t room = c->reader_room ? 2 * c->reader_room : 1024;
            reader *at = realloc(c->reader, room * sizeof *at);

            if (!at) return message_no_memory();
            c->reader = at;
            c->reader_room = room;
        }
        r = c->readers++;
    }
    c->reader[r] = (reader){ step, p->readers };
    p->readers = r;
    return EXIT_OK;
}

static int touch_to_write(contents *c, uint32_t step, position *p) {
    int rc = EXIT_OK;

    if (p->writer != MSCCL_NONE) rc = want_before(c, p->writer, step, "writes");
    while (rc == EXIT_OK && p->readers != MSCCL_NONE) {
        const uint32_t r = p->readers;

        rc = want_before(c, c->reader[r].step, step, "writes");
        p->readers = c->reader[r].next;
        c->reader[r].next = c->unused;
        c->unused = r;
    }
    p->writer = step;
    return rc;
}

/* ---- steps ---------------------------------------------------------------------------------- */

static int unwritten(const contents *c, uint32_t step, bool source, uint32_t k) {
    const msccl_step *s = &c->a->step[step];

    msccl_print_location(c->a, step);
    if (c->a->operation)
        fprintf(stderr, ": found that it reads");
    else
        fprintf(stderr, ": found type='%s' that reads", msccl_type_names[s->type]);
    fprintf(stderr,
            " chunk %" PRIu32 " of buffer %s, which nothing has written, expected data in it%s\n",
            (source ? s->source : s->destination) + k,
            buffer_name(source ? s->source_buffer : s->destination_buffer),
            c->in_place ? "; in place" : "");
    return EXIT_USAGE;
}

/* Computes *v, the value that a step gives to its k-th chunk. The caller holds it. NULL if contents
 * are not checked. */
static int result(contents *c, uint32_t step, uint32_t k, value **v) {
    const msccl_step *s = &c->a->step[step];
    const msccl_action does = msccl_action_of((msccl_type)s->type);
    value *const came = does.receives && c->checked ? c->sent[s->partner][k] : NULL;
    position *const from = does.reads ? position_of(c, step, true, k) : NULL;
    position *const with = s->type == MSCCL_RE ? position_of(c, step, false, k) : NULL;
    const value *other;
    int rc = EXIT_OK;

    *v = NULL;
    if (from) rc = touch_to_read(c, step, from);
    if (with && rc == EXIT_OK) rc = touch_to_read(c, step, with);
    if (rc != EXIT_OK || !c->checked) return rc;
    if (from && !from->holds) return unwritten(c, step, true, k);
    if (with && !with->holds) return unwritten(c, step, false, k);
    other = with ? with->holds : came;
    *v = !does.sums ? hold(from ? from->holds : came) : sum(c, from->holds, other);
    return *v ? EXIT_OK : too_large(c, step);
}

static int go(contents *c, uint32_t step) {
    const msccl_step *s = &c->a->step[step];
    const msccl_action does = msccl_action_of((msccl_type)s->type);
    const uint32_t count = s->type == MSCCL_NOP ? 0 : s->count;
    int rc = EXIT_OK;

    if (does.sends && c->checked) {
        c->sent[step] = calloc(count, sizeof *c->sent[step]);
        if (!c->sent[step]) return message_no_memory();
    }
    for (uint32_t k = 0; rc == EXIT_OK && k < count; k++) {
        position *const to = does.writes ? position_of(c, step, false, k) : NULL;
        value *v;

        rc = result(c, step, k, &v);
        if (rc == EXIT_OK && to) rc = touch_to_write(c, step, to);
        if (to && v) {
            release(c, to->holds);
            to->holds = hold(v);
        }
        if (does.sends && v) c->sent[step][k] = hold(v);
        release(c, v);
    }
    if (!does.receives || !c->checked) return rc;
    for (uint32_t k = 0; k < count; k++) release(c, c->sent[s->partner][k]);
    free(c->sent[s->partner]);
    c->sent[s->partner] = NULL;
    return rc;
}

/* ---- the end -------------------------------------------------------------------------------- */

/* The contributions that an output chunk must hold: of which GPU, and of which chunk. */
typedef struct wanted {
    uint32_t gpu, chunk; /* gpu: MSCCL_NONE: of every GPU */
} wanted;

static wanted wanted_of(const contents *c, uint32_t gpu, uint32_t k) {
    const uint32_t part = c->a->chunks / c->a->gpus;

    switch (c->a->collective) {
    case MSCCL_ALL_GATHER: return (wanted){ k / part, k % part };
    case MSCCL_REDUCE_SCATTER: return (wanted){ MSCCL_NONE, gpu * part + k };
    case MSCCL_ALL_TO_ALL: return (wanted){ k / part, gpu * part + k % part };
    case MSCCL_BROADCAST: return (wanted){ c->root, k };
    default: return (wanted){ MSCCL_NONE, k };
    }
}

/* Describes what is wrong with a chunk. Returns false if nothing is. */
static bool differs(const contents *c, const value *v, wanted w, char *to, size_t room) {
    const uint32_t first = w.gpu == MSCCL_NONE ? 0 : w.gpu;
    const uint32_t count = w.gpu == MSCCL_NONE ? c->a->gpus : 1;
    uint32_t i = 0;

    if (!v) return (void)snprintf(to, room, "nothing in it"), true;
    for (uint32_t g = first; g < first + count; g++, i++) {
        const contribution want = { g, w.chunk, 1 };
        const int side = i < v->count ? compare(&v->at[i], &want) : 1;

        if (!side && v->at[i].times == 1) continue;
        if (!side)
            snprintf(to, room, "input chunk %" PRIu32 " of gpu %" PRIu32 " in it %" PRIu32 " times",
                     w.chunk, g, v->at[i].times);
        else if (side < 0)
            snprintf(to, room, "input chunk %" PRIu32 " of gpu %" PRIu32 " in it", v->at[i].chunk,
                     v->at[i].gpu);
        else
            snprintf(to, room, "no input chunk %" PRIu32 " of gpu %" PRIu32 " in it", w.chunk, g);
        return true;
    }
    if (i == v->count) return false;
    snprintf(to, room, "input chunk %" PRIu32 " of gpu %" PRIu32 " in it", v->at[i].chunk,
             v->at[i].gpu);
    return true;
}

static int check_chunk(const contents *c, uint32_t gpu, uint32_t k) {
    const position *p = &c->at[c->gpu[gpu].at[MSCCL_O] + k];
    const wanted w = wanted_of(c, gpu, k);
    const msccl_algorithm *a = c->a;
    char found[96];

    if (!differs(c, p->holds, w, found, sizeof found)) return EXIT_OK;
    fprintf(stderr, "acesim: %s:%" PRIu32 ":%" PRIu32 ": gpu %" PRIu32 ", output chunk %" PRIu32,
            a->file, p->writer == MSCCL_NONE ? a->gpu[gpu].line : a->step[p->writer].line,
            p->writer == MSCCL_NONE ? a->gpu[gpu].column : a->step[p->writer].column, gpu, k);
    if (p->writer == MSCCL_NONE) {
        fprintf(stderr, ", which no step writes");
    } else {
        fprintf(stderr, ", last written by ");
        msccl_print_step(a, p->writer);
    }
    fprintf(stderr, ": found %s, expected input chunk %" PRIu32 " of ", found, w.chunk);
    if (w.gpu == MSCCL_NONE)
        fprintf(stderr, "each gpu, once");
    else
        fprintf(stderr, "gpu %" PRIu32 " alone", w.gpu);
    fprintf(stderr, ": %s%s\n", msccl_collective_names[a->collective],
            c->in_place ? ", in place" : "");
    return EXIT_USAGE;
}

static int check_buffers(const msccl_algorithm *a, msccl_order *o, uint32_t root, bool in_place) {
    contents c = { .a = a,
                   .order = o,
                   .root = root,
                   .in_place = in_place,
                   .checked = a->collective != MSCCL_CUSTOM,
                   .inputs = a->chunks / (a->collective == MSCCL_ALL_GATHER ? a->gpus : 1),
                   .outputs = a->chunks / (a->collective == MSCCL_REDUCE_SCATTER ? a->gpus : 1),
                   .unused = MSCCL_NONE,
                   .before_x = MSCCL_NONE };
    int rc = lay_out(&c) ? EXIT_OK : message_no_memory();

    for (uint32_t i = 0; rc == EXIT_OK && i < a->steps; i++) rc = go(&c, o->step[i]);
    for (uint32_t g = 0; rc == EXIT_OK && c.checked && g < a->gpus; g++)
        for (uint32_t k = 0; rc == EXIT_OK && k < c.outputs; k++)
            if (a->collective != MSCCL_REDUCE || g == root) rc = check_chunk(&c, g, k);
    for (uint32_t i = 0; c.sent && i < a->steps; i++) {
        for (uint32_t k = 0; c.sent[i] && k < a->step[i].count; k++) release(&c, c.sent[i][k]);
        free(c.sent[i]);
    }
    for (uint64_t i = 0; c.at && i < c.positions; i++) release(&c, c.at[i].holds);
    free(c.sent);
    free(c.at);
    free(c.gpu);
    free(c.reader);
    return rc;
}

int msccl_contents_check(const msccl_algorithm *a, msccl_order *o, uint32_t root) {
    int rc = EXIT_OK;

    if (a->out_of_place) rc = check_buffers(a, o, root, false);
    if (rc == EXIT_OK && a->in_place) rc = check_buffers(a, o, root, true);
    return rc;
}
