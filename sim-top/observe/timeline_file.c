/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline_file.c -- writes events, and halves the detail of a kind that outgrows its share
 *
 * All events stay in memory. When a kind of detail is too large, its level rises: events are
 * merged or dropped, and the file is written again from its start. The size of each event's text
 * is counted as it is written.
 */
#include "timeline_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "atomic_file.h"
#include "chunk_stays.h"
#include "exit_status.h"
#include "values.h"

enum {
    FILES = 2,
    END_ROOM = 4096,
    END_OF_REPRESENTATIVE = 512 /* of the limit, for the end of the file */
};

struct timeline_file {
    const timeline_names *n;
    timeline_text *text;
    atomic_file file[FILES]; /* for --timeline and --output, if given */
    char name[FILES][1100];
    event *at;
    uint64_t count, room;
    unsigned level[DETAILS];
    uint64_t bytes[DETAILS], names; /* bytes in the file */
    uint32_t *last; /* of each track, while events are merged: index of its last event + 1 */
    bool failed;
};

/* Sizes of `last`. */
enum { LAST_TRACKS = 64, LAST_OF_REPRESENTATIVE = EVENT_KINDS * LAST_TRACKS };

timeline_file *timeline_file_create(const timeline_names *n) {
    timeline_file *t = calloc(1, sizeof *t);

    if (!t) return NULL;
    t->n = n;
    t->text = timeline_text_create(n);
    t->last = calloc((size_t)n->drawn * LAST_OF_REPRESENTATIVE, sizeof *t->last);
    if (t->text && t->last) return t;
    timeline_file_destroy(t);
    return NULL;
}

void timeline_file_destroy(timeline_file *t) {
    if (!t) return;
    for (unsigned i = 0; i < FILES; i++)
        if (t->file[i].to) atomic_file_drop(&t->file[i]);
    timeline_text_destroy(t->text);
    free(t->last);
    free(t->at);
    free(t);
}

/* ---- writing -------------------------------------------------------------------------------- */

static void put(timeline_file *t, const char *text, size_t bytes) {
    for (unsigned i = 0; i < FILES; i++)
        if (t->file[i].to)
            (void)fwrite(text, 1, bytes,
                         t->file[i].to); /* timeline_file_close() reports failures */
}

static void write_event(timeline_file *t, const event *e) {
    const event_detail d = event_detail_of(e);
    size_t bytes, names;
    const char *text = timeline_text_event(t->text, e, t->level[d], &bytes, &names);

    put(t, text, bytes);
    t->bytes[d] += bytes - names;
    t->names += names;
}

static void rewrite(timeline_file *t) {
    size_t bytes;
    const char *text = timeline_text_begin(t->text, &bytes);

    for (unsigned i = 0; i < FILES; i++) {
        if (!t->file[i].to) continue;
        t->failed |=
            fseek(t->file[i].to, 0, SEEK_SET) != 0; /* unlike rewind(), this keeps the error flag */
        t->failed |= ftruncate(fileno(t->file[i].to), 0) != 0;
    }
    put(t, text, bytes);
    memset(t->bytes, 0, sizeof t->bytes);
    t->names = bytes;
    for (uint64_t i = 0; i < t->count; i++) write_event(t, &t->at[i]);
}

/* ---- detail ---------------------------------------------------------------------------------- */

/* Returns whether the event is merged into an earlier one, or dropped. */
static bool give_up(timeline_file *t, const event *e, uint64_t kept) {
    const event_detail d = event_detail_of(e);
    uint32_t *last;

    if (e->kind == EVENT_STAY) return !event_drawn(e->stay, t->level[d]);
    if (e->kind == EVENT_COLLECTIVE) return !event_drawn(e->value[0], t->level[d]);
    last = &t->last[e->representative * LAST_OF_REPRESENTATIVE + e->kind * LAST_TRACKS + e->track];
    if (*last && event_together(&t->at[*last - 1], e, t->level[d])) {
        event_merge(&t->at[*last - 1], e);
        return true;
    }
    *last = (uint32_t)kept + 1;
    return false;
}

static void halve(timeline_file *t, event_detail d) {
    uint64_t kept = 0;

    t->level[d]++;
    memset(t->last, 0, (size_t)t->n->drawn * LAST_OF_REPRESENTATIVE * sizeof *t->last);
    for (uint64_t i = 0; i < t->count; i++) {
        const event e = t->at[i];

        if (event_detail_of(&e) == d && give_up(t, &e, kept)) continue;
        t->at[kept++] = e;
    }
    t->count = kept;
}

static bool too_large(const timeline_file *t, event_detail d) {
    static const unsigned eighths[DETAILS] = { 4, 3, 1 };
    const uint64_t limit = t->n->output->timeline_limit,
                   taken = t->names + END_ROOM + t->n->drawn * END_OF_REPRESENTATIVE;

    return t->level[d] < DETAIL_LEVELS &&
           (taken > limit || t->bytes[d] > (limit - taken) / 8 * eighths[d]);
}

/* ---- the calls ------------------------------------------------------------------------------ */

static int open_one(timeline_file *t, unsigned i, const char *folder, const char *name) {
    snprintf(t->name[i], sizeof t->name[i], "%.1000s%s%.80s", folder, *folder ? "/" : "", name);
    if (!*folder) snprintf(t->name[i], sizeof t->name[i], "%.1024s", name);
    const int rc = *folder ? atomic_file_folder_take(folder) : EXIT_OK;
    return rc == EXIT_OK ? atomic_file_open_seekable(&t->file[i], t->name[i]) : rc;
}

int timeline_file_open(timeline_file *t) {
    const output *request = t->n->output;
    int rc = EXIT_OK;

    if (request->timeline) rc = open_one(t, 0, "", request->timeline);
    if (rc == EXIT_OK && request->folder) rc = open_one(t, 1, request->folder, "timeline.json");
    if (rc == EXIT_OK) rewrite(t);
    return rc;
}

static bool make_room(timeline_file *t, uint64_t count) {
    const uint64_t room = 2 * count;
    event *at;

    if (count <= t->room) return true;
    at = realloc(t->at, room * sizeof *at);
    if (!at) return false;
    t->at = at;
    t->room = room;
    return true;
}

void timeline_file_append(timeline_file *t, const event *e, size_t count) {
    if (!count) return;
    if (!make_room(t, t->count + count)) {
        t->failed = true;
        return;
    }
    for (size_t i = 0; i < count; i++) write_event(t, &e[i]);
    memcpy(t->at + t->count, e, count * sizeof *e);
    t->count += count;
    for (unsigned d = 0; d < DETAILS; d++) {
        while (too_large(t, (event_detail)d)) {
            halve(t, (event_detail)d);
            rewrite(t);
        }
    }
    for (unsigned i = 0; i < FILES; i++)
        if (t->file[i].to) (void)fflush(t->file[i].to);
}

unsigned timeline_file_level(const timeline_file *t, event_detail d) { return t->level[d]; }

int timeline_file_close(timeline_file *t, bool failed) {
    int rc = EXIT_OK;

    for (unsigned m = 0; m <= t->n->drawn; m++) {
        size_t bytes;
        const char *text = timeline_text_end(t->text, m, t->level, &bytes);

        put(t, text, bytes);
    }
    for (unsigned i = 0; i < FILES; i++) {
        int one = EXIT_OK;

        if (!t->file[i].to) continue;
        if (t->failed)
            one = atomic_file_fail(&t->file[i]);
        else if (failed)
            atomic_file_leave(&t->file[i], "the timeline up to here");
        else
            one = atomic_file_close(&t->file[i]);
        if (one != EXIT_OK) rc = one;
    }
    return rc;
}

bool timeline_event_is(const timeline_names *n, const event *e) {
    static const unsigned tracks[EVENT_KINDS] = { [EVENT_UNIT] = TIMELINE_UNITS,
                                                  [EVENT_FSM] = 4 * ACE_PHASES,
                                                  [EVENT_TRAFFIC] = 1,
                                                  [EVENT_QUEUE] = 2,
                                                  [EVENT_COMPUTE] = 2,
                                                  [EVENT_COLLECTIVE] = TIMELINE_LANES,
                                                  [EVENT_STAY] = 1 };

    return e->kind < EVENT_KINDS && e->track < tracks[e->kind] && e->representative < n->drawn &&
           (e->kind != EVENT_STAY ||
            (e->phase < ACE_PHASES && e->context < WATCH_CONTEXTS && e->link < ACE_LINKS &&
             (e->before < ACE_PHASES || e->before == NO_PHASE)));
}

void timeline_file_state(timeline_file *t, ace_state *s) {
    void *at = t->at;

    ACE_STATE(s, t->level);
    for (unsigned d = 0; d < DETAILS; d++)
        ace_state_must(s, t->level[d] <= DETAIL_LEVELS, "timeline.level");
    ACE_STATE(s, t->count);
    ace_state_array(s, &at, t->count, sizeof *t->at);
    t->at = at;
    if (s->loading) t->room = t->count;
    for (uint64_t i = 0; i < t->count && ace_state_loaded(s); i++)
        ace_state_must(s, timeline_event_is(t->n, &t->at[i]), "timeline.event");
}
