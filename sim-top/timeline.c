/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.c -- the timeline of a run: a Chrome trace, which Perfetto opens
 *
 *   process  a member of the fabric: an NPU; the last one is all of them
 *   track 0  compute
 *   3        compute in the background, where there is any
 *   1        collectives, as asynchronous spans, and a counter of those outstanding
 *   100...   one for each context of each phase: a chunk's stay, in it what it waited for
 *            and when it sent (watch.h)
 *   flows    a chunk from phase to phase, and from the node that sends it to the one that
 *            receives it
 *   counters bandwidth of each dimension and of the memory (samples.h)
 *
 * Its size is bounded: stays are kept of the first chunks of each context, and how many more
 * there were is said; counters have at most as many points as there are samples.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "acesim.h"
#include "processes.h"
#include "samples.h"
#include "watch.h"

enum { BACKGROUND_TRACK = 3, FIRST_PHASE_TRACK = 100, PHASE_TRACKS = 100 };

typedef struct trace {
    FILE *f;
    const report *r;
    double us; /* of a cycle */
} trace;

static void escape(FILE *f, const char *s) {
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else if ((unsigned char)*s < 32)
            fprintf(f, "\\u%04x", (unsigned)*s);
        else
            fputc(*s, f);
    }
}

/* ---- compute and collectives ----------------------------------------------------------- */

static void name_process(const trace *t, unsigned i) {
    const fabric *f = t->r->f;
    char alike[32] = "";

    if (fabric_weight(f, i) > 1)
        snprintf(alike, sizeof alike, ", one of %u alike", fabric_weight(f, i));
    fprintf(t->f,
            "%s\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"NPU %u "
            "(%s%s)\"}}",
            i ? "," : "", i, fabric_place(f, i), fabric_rung(f, i), alike);
}

static void name_track(const trace *t, unsigned i, unsigned track, const char *name) {
    fprintf(
        t->f,
        ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"%s"
        "\"}}",
        i, track, name);
}

static void compute(const trace *t, unsigned i, const span *v) {
    const double from = (double)v->from * t->us, to = (double)v->to * t->us;

    fprintf(t->f, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%d,\"ts\":%.6f,\"dur\":%.6f,\"name\":\"", i,
            v->background ? BACKGROUND_TRACK : 0, from, to - from);
    escape(t->f, v->what);
    fprintf(t->f, " ");
    escape(t->f, v->name);
    fprintf(t->f, "\",\"args\":{\"from\":%" PRIu64 ",\"to\":%" PRIu64 "}}", v->from, v->to);
}

static void collective(const trace *t, unsigned i, const span *v, uint64_t id) {
    for (int end = 0; end < 2; end++) {
        const uint64_t cycle = end ? v->to : v->from;

        fprintf(t->f,
                ",\n{\"ph\":\"%c\",\"cat\":\"collective\",\"id\":%" PRIu64
                ",\"pid\":%u,\"tid\":1,\"ts\":%.6f,\"name\":\"",
                end ? 'e' : 'b', id, i, (double)cycle * t->us);
        escape(t->f, v->what);
        fprintf(t->f, " ");
        escape(t->f, v->name);
        fprintf(t->f, "\",\"args\":{\"cycle\":%" PRIu64 "}}", cycle);
    }
}

typedef struct change {
    uint64_t cycle;
    int by;
} change;

static int by_cycle(const void *a, const void *b) {
    const change *x = a, *y = b;

    return x->cycle < y->cycle ? -1 : x->cycle > y->cycle ? 1 : x->by - y->by;
}

/* A point for each cycle in which the number of collectives outstanding changes. */
static void outstanding(const trace *t, unsigned i, const spans *s) {
    change *changes = malloc((2 * s->count + 1) * sizeof *changes);
    size_t n = 0;
    int open = 0;

    for (size_t j = 0; changes && j < s->count; j++) {
        if (s->at[j].compute) continue;
        changes[n++] = (change){ s->at[j].from, 1 };
        changes[n++] = (change){ s->at[j].to, -1 };
    }
    if (n) qsort(changes, n, sizeof *changes, by_cycle);
    for (size_t j = 0; j < n; j++) {
        open += changes[j].by;
        if (j + 1 < n && changes[j + 1].cycle == changes[j].cycle) continue;
        fprintf(t->f,
                ",\n{\"ph\":\"C\",\"pid\":%u,\"ts\":%.6f,\"name\":\"collectives outstanding\","
                "\"args\":{\"number\":%d}}",
                i, (double)changes[j].cycle * t->us, open);
    }
    free(changes);
}

/* ---- chunks -------------------------------------------------------------------------------- */

static unsigned track_of(const watch_stay *s) {
    return FIRST_PHASE_TRACK + s->phase * PHASE_TRACKS + s->context;
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }
/* The last that was seen of it. */
static uint64_t end_of(const watch_stay *s) {
    return later(later(s->sent[1], s->received[1]), later(s->entered, s->granted));
}

static void begin(const trace *t, unsigned i, const watch_stay *s, uint64_t cycle,
                  const char *name) {
    fprintf(t->f, ",\n{\"ph\":\"B\",\"pid\":%u,\"tid\":%u,\"ts\":%.6f,\"name\":\"%s\"}", i,
            track_of(s), (double)cycle * t->us, name);
}

static void end(const trace *t, unsigned i, const watch_stay *s, uint64_t cycle) {
    fprintf(t->f, ",\n{\"ph\":\"E\",\"pid\":%u,\"tid\":%u,\"ts\":%.6f}", i, track_of(s),
            (double)cycle * t->us);
}

static void flow(const trace *t, unsigned i, const watch_stay *s, uint64_t cycle, char step,
                 const char *what, uint64_t id) {
    fprintf(t->f,
            ",\n{\"ph\":\"%c\",%s\"cat\":\"%s\",\"name\":\"%s\",\"id\":%" PRIu64
            ",\"pid\":%u,\"tid\":%u,\"ts\":%.6f}",
            step, step == 'f' ? "\"bp\":\"e\"," : "", what, what, id, i, track_of(s),
            (double)cycle * t->us);
}

/* Of a stay, the same at any member for what is the same chunk in the same phase. */
static uint64_t id_of(const trace *t, unsigned member, const watch_stay *s) {
    const uint64_t track =
        (uint64_t)member * ACE_PHASES * WATCH_CONTEXTS + s->phase * WATCH_CONTEXTS + s->context;

    return track * watch_turns(fabric_watch(t->r->f)) + s->turn + 1;
}

/* The stay of the same chunk in the next phase that it goes through. */
static const watch_stay *next_stay(const watch_stay *s, const watch_stay *past) {
    const uint64_t left = end_of(s);

    for (const watch_stay *n = s + 1; n < past; n++)
        if (n->phase > s->phase && n->context == s->context && n->mark == s->mark &&
            n->entered >= left)
            return n;
    return NULL;
}

static void stay(const trace *t, unsigned i, const watch_stay *s, const watch_stay *past) {
    const uint64_t over = end_of(s);
    const watch_stay *next = next_stay(s, past);
    const unsigned receiver = fabric_to(t->r->f, i, s->link);
    /* the receiver's ring comes to this node from the other side */
    const unsigned sender = fabric_to(t->r->f, i, s->link ^ 1U);

    fprintf(t->f,
            ",\n{\"ph\":\"B\",\"pid\":%u,\"tid\":%u,\"ts\":%.6f,\"name\":\"chunk %u\",\"args\":{"
            "\"mark\":%u,\"packets_sent\":%u,\"packets_received\":%u,\"link\":\"%c%c\","
            "\"from\":%" PRIu64 ",\"to\":%" PRIu64 "}}",
            i, track_of(s), (double)s->entered * t->us, s->mark, s->mark, s->packets_sent,
            s->packets_received, 'x' + s->link / 2, s->link & 1 ? '-' : '+', s->entered, over);
    if (s->granted > s->entered && s->packets_sent && s->sent[0] >= s->granted) {
        begin(t, i, s, s->entered, "waits for its neighbour");
        end(t, i, s, s->granted);
    }
    if (s->packets_sent) {
        begin(t, i, s, s->sent[0], "sends");
        if (s->packets_received && receiver != i && fabric_weight(t->r->f, receiver))
            flow(t, i, s, s->sent[0], 's', "to the next NPU", id_of(t, receiver, s));
        end(t, i, s, s->sent[1]);
        if (s->packets_received && sender != i && fabric_weight(t->r->f, sender))
            flow(t, i, s, later(s->received[0], s->entered), 'f', "to the next NPU",
                 id_of(t, i, s));
    }
    if (next)
        flow(t, i, s, later(s->entered, over - 1), 's', "to the next phase", id_of(t, i, next));
    end(t, i, s, over);
}

/* The end of a flow lies in the stay that it leads to: written after its track's own events,
 * in the order of the tracks. */
static void stays(const trace *t, unsigned i) {
    watch *w = fabric_watch(t->r->f);
    uint64_t left_out;
    size_t count;
    const watch_stay *s = watch_stays(w, i, &count, &left_out);
    unsigned named = 0;
    char text[96];

    for (size_t j = 0; j < count; j++) {
        if (track_of(&s[j]) != named) {
            named = track_of(&s[j]);
            snprintf(text, sizeof text, "phase %u, context %u", s[j].phase, s[j].context);
            name_track(t, i, named, text);
        }
        stay(t, i, &s[j], s + count);
    }
    for (size_t j = 0; j < count; j++) {
        const watch_stay *next = next_stay(&s[j], s + count);

        if (next) flow(t, i, next, next->entered, 'f', "to the next phase", id_of(t, i, next));
    }
    if (!left_out) return;
    snprintf(text, sizeof text, "%" PRIu64 " more stays of chunks, not drawn", left_out);
    name_track(t, i, 2, text);
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void members(FILE *f, const void *self) {
    const report *r = self;
    const trace t = { f, r, 1 / r->o->cluster.clock_MHz };

    for (unsigned i = 0; i < fabric_members(r->f); i++) {
        uint64_t id = i; /* steps by the members: no two collectives have the same */
        const spans *s = r->spans[i];

        if (!fabric_here(r->f, i) || !fabric_weight(r->f, i)) continue;
        name_process(&t, i);
        name_track(&t, i, 0, "compute");
        for (size_t j = 0; j < s->count; j++) {
            if (!s->at[j].background) continue;
            name_track(&t, i, BACKGROUND_TRACK, "background");
            break;
        }
        for (size_t j = 0; j < s->count; j++) {
            if (s->at[j].compute) {
                compute(&t, i, &s->at[j]);
            } else {
                collective(&t, i, &s->at[j], id);
                id += fabric_members(r->f);
            }
        }
        outstanding(&t, i, s);
        if (fabric_watch(r->f)) stays(&t, i);
    }
}

/* GB/s of an NPU, at the beginning of each sample. */
static void traffic(const trace *t) {
    const samples *s = fabric_samples(t->r->f);
    const unsigned pid = fabric_members(t->r->f), nodes = cluster_nodes(&t->r->o->cluster);

    fprintf(
        t->f,
        ",\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"all NPUs\"}}",
        pid);
    for (unsigned i = 0; i < samples_count(s); i++) {
        const uint64_t from = i * samples_width(s);
        const uint64_t left = t->r->cycles - from;
        const double cycles = (double)(left < samples_width(s) ? left : samples_width(s));
        double rate[SAMPLE_COUNTERS];

        for (unsigned k = 0; k < SAMPLE_COUNTERS; k++)
            rate[k] = (double)samples_sum(s, k, i) / nodes / (cycles * t->us * 1e3);
        fprintf(t->f,
                ",\n{\"ph\":\"C\",\"pid\":%u,\"ts\":%.6f,\"name\":\"sent, GB/s\",\"args\":{"
                "\"x\":%.4f,\"y\":%.4f,\"z\":%.4f}}",
                pid, (double)from * t->us, rate[SAMPLE_SENT], rate[SAMPLE_SENT + 1],
                rate[SAMPLE_SENT + 2]);
        fprintf(t->f,
                ",\n{\"ph\":\"C\",\"pid\":%u,\"ts\":%.6f,\"name\":\"memory, GB/s\",\"args\":{"
                "\"read\":%.4f,\"written\":%.4f}}",
                pid, (double)from * t->us, rate[SAMPLE_READ], rate[SAMPLE_WRITTEN]);
    }
}

void timeline_write(FILE *f, const report *r) {
    const trace t = { f, r, 1 / r->o->cluster.clock_MHz };

    if (f) fprintf(f, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    processes_write(f, members, r);
    if (f && fabric_samples(r->f)) traffic(&t);
    if (f) fprintf(f, "\n]}\n");
}
