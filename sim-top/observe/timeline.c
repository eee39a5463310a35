/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.c -- collects the events of a run's timeline, representative by representative
 *
 * A representative adds events to a batch of its own. Between windows process 0 takes the batches
 * of all representatives in their order and adds them to the file (timeline_file.h).
 */
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "fabric.h"
#include "message.h"
#include "processes.h"
#include "timeline_inside.h"
#include "traffic_samples.h"
#include "values.h"

static bool drawn_here(const timeline *t, unsigned representative) {
    return timeline_draws(&t->names, representative) && fabric_is_local(t->f, representative);
}

/* Returns NULL if the representative is not drawn, or belongs to another process. */
static meter *meter_of(const timeline *t, unsigned representative) {
    return drawn_here(t, representative) ? &t->meter[representative] : NULL;
}

static uint64_t width(const timeline *t) { return event_width(t->level[DETAIL_INTERVALS]); }

/* ---- batches ----------------------------------------------------------------------------------
 * */

static void emit(meter *m, const event *e) {
    if (m->count == m->room) {
        const uint64_t room = m->room ? 2 * m->room : 64;
        event *batch = realloc(m->batch, room * sizeof *batch);

        if (!batch) {
            m->failed = true;
            return;
        }
        m->batch = batch;
        m->room = room;
    }
    m->batch[m->count++] = *e;
}

/* ---- units ------------------------------------------------------------------------------------
 * */

static unsigned find_unit(timeline *t, const char *name, size_t length) {
    unsigned u = 0;

    while (u < t->units &&
           (strlen(t->names.unit[u]) != length || strncmp(t->names.unit[u], name, length)))
        u++;
    if (u == TIMELINE_UNITS || length >= sizeof t->names.unit[0]) return TIMELINE_UNITS;
    if (u == t->units) memcpy(t->names.unit[t->units++], name, length);
    return u;
}

/* Finds the counters. All nodes have the same ones, because all have the same endpoint. */
static void find_sources(timeline *t, const ace_node *node) {
    static const char *const classes[CLASSES] = { "busy", "blocked", "starved" };
    static const char *const bytes[] = { "memory.read.bytes", "memory.write.bytes" };
    ace_statistic s[STATISTICS];
    const size_t n = ace_node_statistics(node, s, STATISTICS);

    for (size_t i = 0; i < n && i < STATISTICS; i++) {
        const char *class_ = strrchr(s[i].name, '.');

        for (unsigned k = 0; k < 2; k++)
            if (!strcmp(s[i].name, bytes[k]))
                t->source[i] = (source){ TIMELINE_UNITS, (uint8_t)(SAMPLE_READ + k), true };
        for (unsigned k = 0; class_ && k < CLASSES; k++) {
            unsigned u;

            if (strcmp(class_ + 1, classes[k])) continue;
            u = find_unit(t, s[i].name, (size_t)(class_ - s[i].name));
            t->source[i] = (source){ (uint8_t)u, (uint8_t)k, u < TIMELINE_UNITS };
        }
    }
}

/* Adds what the node has counted since the last call. */
static void count(timeline *t, unsigned representative, meter *m) {
    uint64_t sent[ACE_DIMENSIONS] = { 0 };
    ace_statistic s[STATISTICS];
    const size_t n = ace_node_statistics(fabric_node(t->f, representative), s, STATISTICS);

    for (size_t i = 0; i < n && i < STATISTICS; i++) {
        const source *from = &t->source[i];
        const bool bytes = from->unit == TIMELINE_UNITS;

        if (!from->used) continue;
        uint64_t *was = bytes ? &m->traffic_was[from->class_] : &m->was[from->unit][from->class_];
        uint64_t *sum = bytes ? &m->traffic[from->class_] : &m->sum[from->unit][from->class_];
        *sum += s[i].value - *was;
        *was = s[i].value;
    }
    for (unsigned l = 0; l < ACE_LINKS; l++)
        sent[l / 2] += fabric_link_bytes(t->f, representative, l);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        m->traffic[d] += sent[d] - m->traffic_was[d];
        m->traffic_was[d] = sent[d];
    }
}

static void emit_sums(const timeline *t, unsigned representative, meter *m, uint64_t to) {
    event e = { .representative = representative, .from = m->from, .to = to };

    m->from = to;
    for (unsigned u = 0; u < t->units; u++) {
        if (!(m->sum[u][0] | m->sum[u][1] | m->sum[u][2])) continue;
        e.kind = EVENT_UNIT;
        e.track = (uint16_t)u;
        memcpy(e.value, m->sum[u], sizeof m->sum[u]);
        emit(m, &e);
        memset(m->sum[u], 0, sizeof m->sum[u]);
    }
    e.kind = EVENT_TRAFFIC;
    e.track = 0;
    memcpy(e.value, m->traffic, sizeof m->traffic);
    for (unsigned i = 0; i < EVENT_TRAFFIC_VALUES; i++) {
        if (!m->traffic[i]) continue;
        emit(m, &e);
        break;
    }
    memset(m->traffic, 0, sizeof m->traffic);
}

/* Updates the sums to cycle `now`. Since the last call the representative has either stayed within
 * an interval or slept. */
static void sample(timeline *t, unsigned representative, meter *m, uint64_t now) {
    const uint64_t w = width(t);
    bool slept;

    if (!t->wires || now == m->last) return;
    slept = m->from / w != (now - 1) / w;
    if (slept && m->from < m->last) emit_sums(t, representative, m, m->last);
    count(t, representative, m);
    m->last = now;
    if (slept || !(now % w)) emit_sums(t, representative, m, now);
}

/* ---- queues and FSMs ------------------------------------------------------------------------- */

/* Emits the sums of a gauge. The gauge `chunks` also has the busy cycles of FSMs. */
static void emit_gauge(unsigned representative, meter *m, gauge *g, uint64_t to) {
    const bool chunks = g == &m->chunks;
    event e = { .kind = EVENT_QUEUE,
                .track = chunks,
                .representative = representative,
                .from = g->from,
                .to = to };

    e.value[0] = g->area;
    if (g->area) emit(m, &e);
    e.kind = EVENT_FSM;
    for (unsigned i = 0; chunks && i < FSMS; i++) {
        e.track = (uint16_t)i;
        e.value[0] = m->busy[i];
        if (m->busy[i]) emit(m, &e);
        m->busy[i] = 0;
    }
    g->area = 0;
    g->from = to;
}

/* Advances a gauge to `cycle`; its value does not change before. */
static void pass_time(timeline *t, unsigned representative, meter *m, gauge *g, uint64_t cycle) {
    const uint64_t w = width(t);

    while (g->at < cycle) {
        const uint64_t edge = (g->at / w + 1) * w, to = edge < cycle ? edge : cycle;

        g->area += g->held * (to - g->at);
        for (unsigned i = 0; g == &m->chunks && g->held && i < FSMS; i++)
            if (m->held[i]) m->busy[i] += to - g->at;
        g->at = to;
        if (to < edge) return;
        emit_gauge(representative, m, g, edge);
        if (!g->held) g->at = g->from = cycle / w * w > edge ? cycle / w * w : edge;
    }
}

/* Counts one more or one fewer outstanding collective. */
static void outstanding(timeline *t, unsigned representative, uint64_t cycle, int change) {
    meter *m = meter_of(t, representative);

    if (!m) return;
    pass_time(t, representative, m, &m->collectives, cycle);
    m->collectives.held += (uint32_t)change;
}

static void submitted(void *self, unsigned representative, uint64_t cycle) {
    outstanding(self, representative, cycle, 1);
}
static void completed(void *self, unsigned representative, uint64_t cycle) {
    outstanding(self, representative, cycle, -1);
}

/* Applies the first `n` points and removes them. */
static void take_points(timeline *t, unsigned representative, meter *m, unsigned n) {
    for (unsigned i = 0; i < n; i++) {
        const point *p = &m->point[i];

        pass_time(t, representative, m, &m->chunks, p->cycle);
        m->chunks.held += (uint32_t)p->change;
        m->held[p->fsm] += (uint32_t)p->change;
    }
    m->points -= n;
    if (n) memmove(m->point, m->point + n, m->points * sizeof *m->point);
}

static void apply_points(timeline *t, unsigned representative, meter *m, uint64_t now) {
    const uint64_t known = chunk_stays_known(t->watch, representative, now);
    unsigned n = 0;

    while (n < m->points && m->point[n].cycle <= known) n++;
    take_points(t, representative, m, n);
}

/* Inserts a point, sorted by cycle. Points of the same cycle stay in the order of arrival. */
static void add_point(timeline *t, unsigned representative, meter *m, const point *p) {
    unsigned at;

    if (m->points == POINTS) take_points(t, representative, m, 1);
    at = m->points++;
    for (; at && m->point[at - 1].cycle > p->cycle; at--) m->point[at] = m->point[at - 1];
    m->point[at] = *p;
}

static void stay_over(void *self, unsigned representative, const chunk_stay *s,
                      const chunk_stay *before) {
    timeline *t = self;
    meter *m = &t->meter[representative];
    const uint16_t fsm = (uint16_t)(s->phase * t->per_phase + s->context % t->per_phase);
    event e = { .kind = EVENT_STAY,
                .phase = s->phase,
                .context = s->context,
                .mark = s->mark,
                .link = s->link,
                .before = before ? before->phase : NO_PHASE,
                .representative = representative,
                .stay = s->number,
                .before_stay = before ? before->number : 0,
                .packets = { s->packets_sent, s->packets_received },
                .from = s->entered,
                .to = chunk_stays_end(s),
                .value = { s->granted, s->sent[0], s->sent[1], s->received[0], s->received[1] } };

    if (before) {
        const uint64_t left = chunk_stays_end(before);
        e.value[5] = left > before->entered ? left - 1 : left;
    }
    if (event_drawn(e.stay, t->level[DETAIL_CHUNKS])) emit(m, &e);
    add_point(t, representative, m, &(point){ e.from, 1, fsm });
    add_point(t, representative, m, &(point){ e.to, -1, fsm });
}

/* ---- compute and collectives ------------------------------------------------------------------
 * */

static void computed(timeline *t, unsigned representative, meter *m, const driver_work *w) {
    const unsigned level = t->level[DETAIL_SPANS];
    const bool background = w->kind == WORK_BACKGROUND;
    event *last = &m->step[background];
    event e = { .kind = EVENT_COMPUTE,
                .track = background,
                .representative = representative,
                .label = w->label,
                .from = w->from,
                .to = w->to,
                .value = { 1, w->to - w->from } };

    if (last->to && level && event_together(last, &e, level)) {
        event_merge(last, &e);
        return;
    }
    if (last->to) emit(m, last);
    last->to = 0;
    if (level)
        *last = e;
    else
        emit(m, &e);
}

static void communicated(timeline *t, unsigned representative, meter *m, const driver_work *w) {
    event e = { .kind = EVENT_COLLECTIVE,
                .representative = representative,
                .label = w->label,
                .from = w->from,
                .to = w->to,
                .value = { w->id } };

    if (!event_drawn(w->id, t->level[DETAIL_SPANS])) return;
    while (e.track < TIMELINE_LANES - 1 && m->lane[e.track] > w->from) e.track++;
    m->lane[e.track] = w->to;
    emit(m, &e);
}

static void worked(void *self, unsigned representative, const driver_work *w) {
    timeline *t = self;
    meter *m = meter_of(t, representative);

    if (!m) return;
    if (w->kind == WORK_COLLECTIVE)
        communicated(t, representative, m, w);
    else
        computed(t, representative, m, w);
}

/* ---- a representative runs ------------------------------------------------------------------- */

/* While a representative is idle, no sample is needed. */
static uint64_t horizon(const void *self, uint64_t now, uint64_t next) {
    const uint64_t w = width(self);

    return next > now ? next : (now / w + 1) * w;
}

static void awake(void *self, unsigned representative, uint64_t now) {
    timeline *t = self;
    meter *m = meter_of(t, representative);

    if (m) sample(t, representative, m, now);
}

static void before_run(void *self, unsigned representative, uint64_t until) {
    timeline *t = self;

    if (t->watch && drawn_here(t, representative))
        chunk_stays_arrivals(t->watch, representative, fabric_in(t->f, representative), until);
}

static void after_run(void *self, unsigned representative, uint64_t now) {
    timeline *t = self;
    meter *m = meter_of(t, representative);
    bool edge, idle;

    if (!m) return;
    edge = !(now % width(t));
    /* the node holds nothing */
    idle = ace_node_quiet_until(fabric_node(t->f, representative)) > now;
    if (t->watch)
        chunk_stays_departures(t->watch, representative, fabric_out(t->f, representative));
    if (!edge && !idle) return;
    sample(t, representative, m, now);
    if (t->watch && idle) chunk_stays_idle(t->watch, representative);
    if (t->watch) apply_points(t, representative, m, now);
}

/* ---- between two windows --------------------------------------------------------------------- */

static void write_batches(FILE *to, const void *self) {
    const timeline *t = self;

    for (unsigned i = 0; i < t->names.drawn; i++)
        if (drawn_here(t, i) && t->meter[i].count)
            fwrite(t->meter[i].batch, sizeof(event), t->meter[i].count, to);
}

/* Moves all batches to process 0. If memory runs out, the rest of the timeline is missing, and
 * end() reports this. */
static void take_batches(timeline *t) {
    uint64_t level[DETAILS] = { 0 };
    char *text = NULL;
    size_t bytes = 0;
    FILE *f = t->file ? open_memstream(&text, &bytes) : NULL;

    processes_write(f, write_batches, t);
    if (f && !fclose(f))
        timeline_file_append(t->file, (const event *)(const void *)text, bytes / sizeof(event));
    free(text);
    for (unsigned i = 0; i < t->names.drawn; i++) t->meter[i].count = 0;
    for (unsigned d = 0; t->file && d < DETAILS; d++)
        level[d] = timeline_file_level(t->file, (event_detail)d);
    processes_maximum(level, DETAILS);
    for (unsigned d = 0; d < DETAILS; d++) t->level[d] = (unsigned)level[d];
}

static void plan(timeline *t, uint64_t now) {
    const uint64_t every = BATCH_INTERVALS * width(t);

    t->due = (now / every + 1) * every;
}

static void after_window(void *self, uint64_t now) {
    timeline *t = self;

    if (now < t->due) return;
    take_batches(t);
    plan(t, now);
}

/* ---- beginning and end ----------------------------------------------------------------------- */

int timeline_create(const machine *of, const output *request, timeline **to) {
    timeline *t = calloc(1, sizeof *t);

    *to = t;
    if (!t) {
        return message_no_memory();
    }
    t->machine = of;
    t->output = request;
    t->wires = of->cluster.endpoint != ENDPOINT_IDEAL;
    t->per_phase = of->cluster.parameters.fsms / (of->cluster.parameters.dimensions + 1);
    t->due = BATCH_INTERVALS * width(t);
    return EXIT_OK;
}

/* Makes a meter for each representative that is drawn, and watches this process's own, which are
 * `first` to `past` (exclusive). Returns false if there is no memory. */
static bool make_meters(timeline *t, unsigned first, unsigned after) {
    bool ok;

    t->meter = calloc(t->names.drawn, sizeof *t->meter);
    if (t->machine->cluster.endpoint == ENDPOINT_ACE) {
        t->watch = chunk_stays_create(first, after, stay_over, t);
        if (!t->watch) return false;
    }
    ok = t->meter != NULL;
    for (unsigned i = 0; ok && i < t->names.drawn; i++) {
        if (!drawn_here(t, i) || !t->watch) continue;
        t->meter[i].point = malloc(POINTS * sizeof *t->meter[i].point);
        ok = t->meter[i].point != NULL;
    }
    return ok;
}

static int attach(void *self, fabric *f, const driver *d) {
    timeline *t = self;
    const uint64_t room = t->output->timeline_limit / REPRESENTATIVE_BYTES;
    const unsigned representatives = fabric_representatives(f);
    unsigned first = 0, after = representatives;
    bool ok;

    t->f = f;
    t->names =
        (timeline_names){ .machine = t->machine,
                          .output = t->output,
                          .f = f,
                          .d = d,
                          .drawn = room < representatives ? (unsigned)room : representatives };
    while (first < representatives && !fabric_is_local(f, first)) first++;
    while (after > first && !fabric_is_local(f, after - 1)) after--;
    if (first < after && t->wires) find_sources(t, fabric_node(f, first));
    ok = make_meters(t, first, after);
    if (ok && !processes_rank()) {
        t->file = timeline_file_create(&t->names);
        ok = t->file != NULL;
    }
    if (ok) return EXIT_OK;
    return message_no_memory();
}

void timeline_destroy(timeline *t) {
    if (!t) return;
    for (unsigned i = 0; t->meter && i < t->names.drawn; i++) {
        free(t->meter[i].point);
        free(t->meter[i].batch);
    }
    free(t->meter);
    chunk_stays_destroy(t->watch);
    timeline_file_destroy(t->file);
    free(t);
}

/* Takes the units' names from the first process that has representatives. */
static int gather_units(timeline *t) {
    const unsigned processes = t->file ? processes_count() : 0;
    const size_t bytes = sizeof t->names.unit;
    char *all = malloc(processes * bytes + 1);

    if (processes_agree(all ? EXIT_OK : EXIT_CHECK) != EXIT_OK) {
        free(all);
        return EXIT_CHECK;
    }
    processes_gather(t->names.unit, all, bytes);
    for (unsigned i = processes; i-- > 0;)
        if (all[i * bytes]) memcpy(t->names.unit, all + i * bytes, bytes);
    free(all);
    return EXIT_OK;
}

/* Creates the file, which grows from now on. */
static int begin(void *self) {
    timeline *t = self;
    int rc = gather_units(t);

    if (rc != EXIT_OK) return rc;
    return processes_agree(t->file ? timeline_file_open(t->file) : EXIT_OK);
}

/* Closes the files and gives them their names. After a run that failed they keep the name
 * NAME.part. */
static int end(void *self, uint64_t now, bool failed) {
    timeline *t = self;
    uint64_t any_failed = failed;
    int rc = EXIT_OK;

    for (unsigned i = 0; i < t->names.drawn; i++) {
        meter *m = &t->meter[i];

        if (!drawn_here(t, i)) continue;
        sample(t, i, m, now);
        if (t->wires) emit_sums(t, i, m, now);
        pass_time(t, i, m, &m->collectives, now);
        emit_gauge(i, m, &m->collectives, now);
        if (t->watch) chunk_stays_idle(t->watch, i);
        take_points(t, i, m, m->points);
        pass_time(t, i, m, &m->chunks, now);
        emit_gauge(i, m, &m->chunks, now);
        for (unsigned k = 0; k < 2; k++)
            if (m->step[k].to) emit(m, &m->step[k]);
        if (m->failed) rc = EXIT_CHECK;
    }
    take_batches(t);
    processes_maximum(&any_failed, 1);
    if (rc != EXIT_OK) (void)message_no_memory();
    rc = processes_agree(rc);
    if (t->file) {
        const int e = timeline_file_close(t->file, any_failed || rc != EXIT_OK);
        if (e != EXIT_OK) rc = e;
    }
    return processes_agree(rc);
}

/* ---- checkpoints ----------------------------------------------------------------------------- */

static void meter_state(const timeline_names *n, meter *m, uint64_t now, ace_state *s) {
    void *batch = m->batch;

    ACE_STATE_BUT(s, *m, &m->point, &m->batch);
    ACE_STATE_BOOLS(s, "timeline.failed", &m->failed);
    for (unsigned k = 0; k < 2; k++) {
        const gauge *const g = k ? &m->chunks : &m->collectives;

        ace_state_must(s, g->from <= g->at && g->at <= now, "timeline.gauge");
    }
    ace_state_must(s, m->points <= POINTS && (!m->points || m->point), "timeline.points");
    for (unsigned k = 0; k < 2; k++)
        ace_state_must(s, !m->step[k].to || timeline_event_is(n, &m->step[k]), "timeline.step");
    if (!s->failed) ace_state_bytes(s, m->point, m->points * sizeof *m->point);
    for (unsigned i = 0; i < m->points && ace_state_loaded(s); i++)
        ace_state_must(s, m->point[i].fsm < FSMS, "timeline.point");
    ace_state_array(s, &batch, m->count, sizeof *m->batch);
    m->batch = batch;
    if (s->loading) m->room = m->count;
    for (uint64_t i = 0; i < m->count && ace_state_loaded(s); i++)
        ace_state_must(s, timeline_event_is(n, &m->batch[i]), "timeline.event");
}

static void state(void *self, ace_state *s) {
    timeline *t = self;

    ACE_STATE(s, t->level);
    for (unsigned d = 0; d < DETAILS; d++)
        ace_state_must(s, t->level[d] <= DETAIL_LEVELS, "timeline.level");
    ACE_STATE(s, t->due);
    for (unsigned i = 0; i < t->names.drawn; i++)
        meter_state(&t->names, &t->meter[i], fabric_now(t->f), s);
    if (t->watch) chunk_stays_state(t->watch, s);
    timeline_file_state(t->file, s);
}

/* ---- the observer ---------------------------------------------------------------------------- */

fabric_observer timeline_observer(timeline *t) {
    return (fabric_observer){
        .self = t,
        .wires = t->machine->cluster.endpoint == ENDPOINT_ACE,
        .attach = attach,
        .begin = begin,
        .end = end,
        .after_window = after_window,
        .awake = awake,
        .horizon = horizon,
        .before_run = before_run,
        .after_run = after_run,
        .submitted = submitted,
        .completed = completed,
        .worked = worked,
        .name = "timeline",
        .key = t->output->timeline_limit,
        .state = state,
        .left_out = t->output->timeline ? NULL : "timeline.json is not written",
    };
}
