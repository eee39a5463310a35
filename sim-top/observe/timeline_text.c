/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline_text.c -- writes the events of a timeline as lines of a Chrome trace
 *
 * The trace uses the array format, whose end may be missing. Times are in microseconds with three
 * decimals, so that a slice ends in the nanosecond in which the next begins. Cycles are in the
 * arguments. In Perfetto, process and thread 0 mean the idle ones, so NPU n is process n + 1.
 */
#include "timeline_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "chunk_stays.h"
#include "fabric.h"
#include "figures.h"
#include "names.h"
#include "values.h"

/* Tracks of a process. */
enum {
    COMPUTE = 1, /* in the background is the next track */
    COLLECTIVES = 10,
    COLLECTIVES_PAST = 1000,
    CONTEXTS = 1000,
    FSMS = 1100,
    UNITS = 1200,
    TRACKS = UNITS + TIMELINE_UNITS
};

enum { SENT, MEMORY, MEMORY_SHARE, OUTSTANDING, CHUNKS, COUNTERS };
static const char *const counter_names[] = { "sent, GB/s", "memory, GB/s", "memory share, %",
                                             "collectives outstanding", "chunks in phases" };

/* The last point of a counter. */
typedef struct point {
    uint64_t until; /* cycle up to which it holds */
    double value[ACE_DIMENSIONS];
} point;

typedef struct drawn {
    unsigned char named[TRACKS / 8 + 1];
    point point[COUNTERS];
} drawn;

struct timeline_text {
    const timeline_names *n;
    drawn *representative;
    double ns; /* of a cycle */
    bool linked;
    size_t bytes, names;
    char at[32768];
};

bool timeline_draws(const timeline_names *n, unsigned representative) {
    return representative < n->drawn && fabric_weight(n->f, representative) > 0;
}

/* Returns whether all NPUs take part in each collective and wait for each other. */
static bool all_take_part(const machine *of) {
    unsigned nodes = 1;

    for (unsigned i = 0; i < of->dim_count; i++) nodes *= of->cluster.ring[of->dims[i]];
    return nodes == cluster_nodes(&of->cluster) && of->cluster.endpoint != ENDPOINT_IDEAL;
}

timeline_text *timeline_text_create(const timeline_names *n) {
    timeline_text *t = calloc(1, sizeof *t);

    if (!t) return NULL;
    t->n = n;
    t->ns = 1e3 / n->machine->cluster.clock_MHz;
    t->linked = all_take_part(n->machine);
    t->representative = calloc(n->drawn, sizeof *t->representative);
    if (t->representative) return t;
    free(t);
    return NULL;
}

void timeline_text_destroy(timeline_text *t) {
    if (!t) return;
    free(t->representative);
    free(t);
}

/* ---- pieces ------------------------------------------------------------------------------ */

__attribute__((format(printf, 2, 3))) static void say(timeline_text *t, const char *format, ...) {
    const size_t room = sizeof t->at - t->bytes;
    va_list list;
    int n;

    va_start(list, format);
    n = vsnprintf(t->at + t->bytes, room, format, list);
    va_end(list);
    if (n > 0) t->bytes += (size_t)n < room ? (size_t)n : room - 1;
}

static void escape(timeline_text *t, const char *s) {
    for (size_t n; *s; s += n ? n : 1) {
        n = utf8_character(s);
        if (*s == '"' || *s == '\\')
            say(t, "\\%c", *s);
        else if (n == 1 && *s < 32)
            say(t, "\\u%04x", (unsigned)*s);
        else
            say(t, "%.*s", n ? (int)n : 3, n ? s : UTF8_INSTEAD);
    }
}

static uint64_t ns_of(const timeline_text *t, uint64_t cycle) {
    return figure_scaled(cycle, t->ns);
}

static void us(timeline_text *t, uint64_t ns) {
    say(t, "%" PRIu64 ".%03u", ns / 1000, (unsigned)(ns % 1000));
}

static unsigned process(const timeline_text *t, unsigned representative) {
    return fabric_first_node(t->n->f, representative) + 1;
}

/* Writes {"ph":P,"pid":I,"tid":K,"ts":T */
static void head(timeline_text *t, char phase, unsigned representative, unsigned track,
                 uint64_t cycle) {
    say(t, ",\n{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":", phase, process(t, representative),
        track);
    us(t, ns_of(t, cycle));
}

static void slice(timeline_text *t, unsigned representative, unsigned track, uint64_t from,
                  uint64_t to) {
    head(t, 'X', representative, track, from);
    say(t, ",\"dur\":");
    us(t, ns_of(t, to) - ns_of(t, from));
    say(t, ",\"name\":");
}

static void flow(timeline_text *t, char step, unsigned representative, unsigned track,
                 uint64_t cycle, const char *what, uint64_t id) {
    head(t, step, representative, track, cycle);
    say(t, "%s,\"cat\":\"%s\",\"name\":\"%s\",\"id\":%" PRIu64 "}",
        step == 'f' ? ",\"bp\":\"e\"" : "", what, what, id);
}

/* Returns whether the track has no name yet. Its name is written before its first event. */
static bool unnamed(timeline_text *t, unsigned representative, unsigned track) {
    unsigned char *named = &t->representative[representative].named[track / 8];

    if (*named >> track % 8 & 1) return false;
    *named |= (unsigned char)(1u << track % 8);
    return true;
}

__attribute__((format(printf, 4, 5))) static void name(timeline_text *t, unsigned representative,
                                                       unsigned track, const char *format, ...) {
    const size_t before = t->bytes;
    char text[64];
    va_list list;

    if (!unnamed(t, representative, track)) return;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    say(t,
        ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}"
        "}",
        process(t, representative), track, text);
    t->names += t->bytes - before;
}

static void label(timeline_text *t, uint32_t number) {
    char text[256];

    t->n->d->label(t->n->d->self, number, text, sizeof text);
    escape(t, text);
}

/* Adds the command that shows the event's waveform, if the pins of the NPU are recorded. */
static void wave(timeline_text *t, const event *e) {
    const output *request = t->n->output;
    char *folder;

    if (!request->record ||
        e->representative != fabric_representative_of(t->n->f, request->record_node))
        return;
    folder = name_of_file_in_shell(request->record);
    if (!folder) return;
    say(t, ",\"wave\":\"acesim wave ");
    escape(t, folder);
    free(folder);
    say(t, " --node %u --from %" PRIu64 " --to %" PRIu64, request->record_node, e->from, e->to);
    if (e->kind == EVENT_STAY) say(t, " --context %u", e->context);
    say(t, "\"");
}

/* ---- units and counters --------------------------------------------------------------------- */

static void unit(timeline_text *t, const event *e) {
    static const char *const names[] = { "busy", "blocked", "starved" };
    const unsigned track = (e->kind == EVENT_FSM ? FSMS : UNITS) + e->track;
    uint64_t from = e->from;

    if (e->kind == EVENT_FSM)
        name(t, e->representative, track, "FSM %u", e->track);
    else
        name(t, e->representative, track, "%s", t->n->unit[e->track]);
    for (unsigned i = 0; i < 3; i++) {
        if (!e->value[i]) continue;
        slice(t, e->representative, track, from, from + e->value[i]);
        say(t, "\"%s\",\"args\":{\"cycles\":%" PRIu64 "}}", names[i], e->value[i]);
        from += e->value[i];
    }
}

static void draw_point(timeline_text *t, unsigned representative, unsigned counter, uint64_t cycle,
                       const double value[static ACE_DIMENSIONS]) {
    static const char *const series[][ACE_DIMENSIONS] = { { "x", "y", "z", "w" },
                                                          { "read", "written" },
                                                          { "read", "written" },
                                                          { "average" },
                                                          { "average" } };
    const unsigned values = counter == SENT ? t->n->machine->cluster.parameters.dimensions : 2;

    say(t, ",\n{\"ph\":\"C\",\"pid\":%u,\"ts\":", process(t, representative));
    us(t, ns_of(t, cycle));
    say(t, ",\"name\":\"%s\",\"args\":{", counter_names[counter]);
    for (unsigned i = 0; i < values && series[counter][i]; i++)
        say(t, "%s\"%s\":%.6g", i ? "," : "", series[counter][i], value[i]);
    say(t, "}}");
}

/* Writes a counter, which keeps its value up to the next point. Between intervals it is 0. */
static void counter(timeline_text *t, const event *e, unsigned which,
                    const double value[static ACE_DIMENSIONS]) {
    static const double zero[ACE_DIMENSIONS];
    point *last = &t->representative[e->representative].point[which];

    if (last->until < e->from) {
        if (last->until) draw_point(t, e->representative, which, last->until, zero);
        memcpy(last->value, zero, sizeof zero);
    }
    if (memcmp(last->value, value, sizeof last->value))
        draw_point(t, e->representative, which, e->from, value);
    memcpy(last->value, value, sizeof last->value);
    last->until = e->to;
}

static void traffic(timeline_text *t, const event *e) {
    const double ns = (double)(e->to - e->from) * t->ns;
    const double most =
        cluster_memory_GBps(&t->n->machine->cluster) * fabric_speed(t->n->f, e->representative);
    double rate[EVENT_TRAFFIC_VALUES];

    for (unsigned i = 0; i < EVENT_TRAFFIC_VALUES; i++) rate[i] = (double)e->value[i] / ns;
    counter(t, e, SENT, rate);
    const double read = rate[ACE_DIMENSIONS], written = rate[ACE_DIMENSIONS + 1];
    counter(t, e, MEMORY, (double[ACE_DIMENSIONS]){ read, written });
    counter(t, e, MEMORY_SHARE,
            (double[ACE_DIMENSIONS]){ 100 * read / most, 100 * written / most });
}

static void queue(timeline_text *t, const event *e) {
    counter(t, e, e->track ? CHUNKS : OUTSTANDING,
            (double[ACE_DIMENSIONS]){ (double)e->value[0] / (double)(e->to - e->from) });
}

/* ---- compute and collectives ------------------------------------------------------------------
 * */

static void compute(timeline_text *t, const event *e) {
    name(t, e->representative, COMPUTE + e->track, "%s", e->track ? "background" : "compute");
    slice(t, e->representative, COMPUTE + e->track, e->from, e->to);
    if (e->value[0] > 1) {
        say(t, "\"%" PRIu64 " steps\"", e->value[0]);
    } else {
        say(t, "\"");
        label(t, e->label);
        say(t, "\"");
    }
    say(t, ",\"args\":{\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"cycles\":%" PRIu64 "}}", e->from,
        e->to, e->value[1]);
}

/* Returns the drawn representative that follows, after `step` and then as many more as are not
 * drawn. */
static unsigned other(const timeline_text *t, unsigned representative, unsigned step) {
    do representative = (representative + step) % t->n->drawn;
    while (!timeline_draws(t->n, representative));
    return representative;
}

static void collective(timeline_text *t, const event *e) {
    const unsigned track = COLLECTIVES + e->track, drawn = t->n->drawn;
    const unsigned before = other(t, e->representative, drawn - 1);

    if (e->track)
        name(t, e->representative, track, "collectives, %u", e->track + 1);
    else
        name(t, e->representative, track, "collectives");
    slice(t, e->representative, track, e->from, e->to);
    say(t, "\"");
    label(t, e->label);
    say(t, "\",\"args\":{\"from\":%" PRIu64 ",\"to\":%" PRIu64, e->from, e->to);
    wave(t, e);
    say(t, "}}");
    if (!t->linked || before == e->representative) return;
    flow(t, 's', e->representative, track, e->from, "collective",
         e->value[0] * drawn + e->representative);
    flow(t, 'f', e->representative, track, e->to - 1, "collective", e->value[0] * drawn + before);
}

/* ---- chunks --------------------------------------------------------------------------------- */

/* Returns an id of a stay at a representative that both ends of a flow can compute. */
static uint64_t id_of(unsigned representative, const event *e) {
    return ((uint64_t)(representative * ACE_PHASES + e->phase) * WATCH_CONTEXTS + e->context)
               << 32 |
           e->stay;
}

static void stay(timeline_text *t, const event *e, unsigned level) {
    const uint64_t granted = e->value[0], *sent = &e->value[1], *received = &e->value[3];
    const unsigned track = CONTEXTS + e->phase * WATCH_CONTEXTS + e->context;
    const ace_parameters *p = &t->n->machine->cluster.parameters;
    const unsigned per_phase = p->fsms / (p->dimensions + 1);
    const unsigned receiver = fabric_to(t->n->f, e->representative, e->link);
    /* The sender is the neighbour on the opposite side. */
    const unsigned sender = fabric_to(t->n->f, e->representative, e->link ^ 1U);

    name(t, e->representative, track, "phase %u, context %u, FSM %u", e->phase, e->context,
         e->phase * per_phase + e->context % per_phase);
    slice(t, e->representative, track, e->from, e->to);
    say(t,
        "\"chunk %u\",\"args\":{\"mark\":%u,\"packets_sent\":%u,\"packets_received\":%u,"
        "\"link\":\"%c%c\",\"from\":%" PRIu64 ",\"to\":%" PRIu64,
        e->mark, e->mark, e->packets[0], e->packets[1], ACE_DIMENSION_LETTERS[e->link / 2],
        e->link & 1 ? '-' : '+', e->from, e->to);
    wave(t, e);
    say(t, "}}");
    if (granted > e->from && e->packets[0] && sent[0] >= granted) {
        slice(t, e->representative, track, e->from, granted);
        say(t, "\"waits for its neighbour\"}");
    }
    if (e->packets[0]) {
        slice(t, e->representative, track, sent[0], sent[1]);
        say(t, "\"sends\"}");
    }
    if (e->packets[0] && e->packets[1]) {
        if (receiver != e->representative && timeline_draws(t->n, receiver))
            flow(t, 's', e->representative, track, sent[0], "to the next NPU", id_of(receiver, e));
        if (sender != e->representative && timeline_draws(t->n, sender))
            flow(t, 'f', e->representative, track, received[0] > e->from ? received[0] : e->from,
                 "to the next NPU", id_of(e->representative, e));
    }
    if (e->before == NO_PHASE || !event_drawn(e->before_stay, level)) return;
    flow(t, 's', e->representative, CONTEXTS + e->before * WATCH_CONTEXTS + e->context, e->value[5],
         "to the next phase", id_of(e->representative, e));
    flow(t, 'f', e->representative, track, e->from, "to the next phase",
         id_of(e->representative, e));
}

/* ---- all of it ------------------------------------------------------------------------------ */

const char *timeline_text_begin(timeline_text *t, size_t *bytes) {
    memset(t->representative, 0, t->n->drawn * sizeof *t->representative);
    t->bytes = 0;
    say(t,
        "[\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":0}}",
        process(t, 0));
    /* Results with the same digest belong to the same run, or to an equal one. */
    say(t,
        ",\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"config_digest\","
        "\"args\":{\"config_digest\":\"%016" PRIx64 "\"}}",
        process(t, 0), fabric_configuration(t->n->f));
    *bytes = t->bytes;
    return t->at;
}

static void name_process(timeline_text *t, unsigned representative) {
    const unsigned weight = fabric_weight(t->n->f, representative);
    char alike[32] = "";

    if (!unnamed(t, representative, 0)) return;
    if (weight > 1) snprintf(alike, sizeof alike, ", one of %u alike", weight);
    say(t,
        ",\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"NPU %u "
        "(%s%s)\"}}",
        process(t, representative), fabric_first_node(t->n->f, representative),
        fabric_rung(t->n->f, representative), alike);
    t->names += t->bytes;
}

const char *timeline_text_event(timeline_text *t, const event *e, unsigned level, size_t *bytes,
                                size_t *names) {
    t->bytes = t->names = 0;
    name_process(t, e->representative);
    switch ((event_kind)e->kind) {
    case EVENT_UNIT:
    case EVENT_FSM: unit(t, e); break;
    case EVENT_TRAFFIC: traffic(t, e); break;
    case EVENT_QUEUE: queue(t, e); break;
    case EVENT_COMPUTE: compute(t, e); break;
    case EVENT_COLLECTIVE: collective(t, e); break;
    case EVENT_STAY: stay(t, e, level); break;
    case EVENT_KINDS: break;
    }
    *bytes = t->bytes;
    *names = t->names;
    return t->at;
}

static void detail(timeline_text *t, const unsigned level[DETAILS]) {
    head(t, 'i', 0, COMPUTE, 0);
    say(t, ",\"s\":\"g\",\"name\":\"detail\",\"args\":{\"interval_cycles\":%" PRIu64,
        event_width(level[DETAIL_INTERVALS]));
    say(t, ",\"of_chunks_one_in\":%" PRIu64, UINT64_C(1) << level[DETAIL_CHUNKS]);
    say(t, ",\"of_collectives_one_in\":%" PRIu64, UINT64_C(1) << level[DETAIL_SPANS]);
    say(t, ",\"steps_within_cycles\":%" PRIu64,
        level[DETAIL_SPANS] ? event_width(level[DETAIL_SPANS]) : 0);
    say(t, ",\"nodes_simulated\":%u,\"of_them_at_most\":%u}}\n]\n", fabric_representatives(t->n->f),
        t->n->drawn);
}

const char *timeline_text_end(timeline_text *t, unsigned representative,
                              const unsigned level[DETAILS], size_t *bytes) {
    static const double zero[ACE_DIMENSIONS];

    t->bytes = 0;
    for (unsigned i = 0; representative < t->n->drawn && i < COUNTERS; i++) {
        const point *last = &t->representative[representative].point[i];

        if (last->until && memcmp(last->value, zero, sizeof zero))
            draw_point(t, representative, i, last->until, zero);
    }
    if (representative == t->n->drawn) detail(t, level);
    *bytes = t->bytes;
    return t->at;
}
