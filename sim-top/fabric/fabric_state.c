/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_state.c -- a fabric between two windows, to a checkpoint and from it */
#include "ace_state.h"
#include "exit_status.h"
#include "fabric.h"
#include "fabric_internal.h"
#include "options.h"

/* A member, and what it sends; what it hears is of those that send it, unless that is a hub. */
static void member_state(member *m, ace_state *s) {
    ace_node_state(m->node, s);
    if (m->memory) ace_memory_state(m->memory, s);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (m->out[l]) ace_wire_state(m->out[l], s);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (m->in[l] && m->cfg.hub[l / 2]) ace_wire_state(m->in[l], s);
    for (unsigned l = 0; m->disturber && l < LINK_FAULT_PLACES; l++)
        ACE_STATE(s, m->disturber[l].changed);
    ACE_STATE(s, m->expected);
    ACE_STATE(s, m->now);
    ACE_STATE(s, m->wake);
    ACE_STATE(s, m->reaction);
    ACE_STATE(s, m->events);
}

/* Makes room for what a checkpoint recorded.  Recording cannot begin in the middle: what was
 * asked for by name must be there, and what --output alone would add is left out. */
static bool match_records(fabric *f, uint32_t points, uint64_t limit) {
    const options *o = f->o;

    if ((o->samples && points != o->samples) || (o->timeline && limit != o->timeline_limit)) {
        fprintf(stderr,
                "acesim: found a checkpoint of a run with other --samples or --timeline-limit "
                "or without --timeline, expected one that recorded the same\n");
        return false;
    }
    if (f->samples ? points != traffic_samples_points(f->samples) : points > 0) {
        traffic_samples_destroy(f->samples);
        f->samples = points ? traffic_samples_create(points, f->members) : NULL;
        if (points && !f->samples) return false;
    }
    return true;
}

/* limit: of the timeline that the state has, 0: it has none. */
static void timeline_records(fabric *f, ace_state *s, uint64_t limit) {
    timeline *t = f->timeline;

    if (s->failed) return;
    if (s->loading && limit != (t ? f->o->timeline_limit : 0)) {
        /* passed over, or begun too late */
        options as_saved = *f->o;

        as_saved.timeline_limit = limit;
        timeline_destroy(t);
        f->timeline = t = NULL;
        if (limit) s->failed = timeline_create(&as_saved, f, &t) != EXIT_OK;
        if (t && !s->failed) timeline_state(t, s);
        timeline_destroy(t);
    } else if (t) {
        timeline_state(t, s);
    }
}

/* What was recorded so far; a run that wants less of it than the one saved drops the rest. */
static void records_state(fabric *f, ace_state *s) {
    uint32_t points = f->samples ? traffic_samples_points(f->samples) : 0;
    uint64_t limit = f->timeline ? f->o->timeline_limit : 0;

    ACE_STATE(s, points);
    ACE_STATE(s, limit);
    if (s->loading && !s->failed) s->failed = !match_records(f, points, limit);
    if (f->samples) traffic_samples_state(f->samples, s);
    timeline_records(f, s, limit);
    if (s->loading && !f->o->samples) {
        traffic_samples_destroy(f->samples);
        f->samples = NULL;
    }
}

/* A run that records does without, and passes over what the one saved has compared. */
static void recurrence_state(fabric *f, ace_state *s) {
    ace_recurrence *r = f->recurrence;
    bool there = r != NULL;

    ACE_STATE(s, there);
    if (!there || s->failed) return;
    if (!r) r = ace_recurrence_create(f->member[0].node);
    if (r)
        ace_recurrence_state(r, s);
    else
        s->failed = true;
    if (r != f->recurrence) ace_recurrence_destroy(r);
}

void fabric_state(void *self, ace_state *s) {
    fabric *f = self;

    ACE_STATE(s, f->now);
    ACE_STATE(s, f->seen);
    ACE_STATE(s, f->moved);
    for (unsigned i = f->first; i < f->past; i++) member_state(&f->member[i], s);
    for (unsigned i = 0; i < f->hubs; i++) hub_state(f->hub[i], s);
    for (size_t i = 0; i < f->faults.link.count; i++) ACE_STATE(s, f->faults.link.listed[i].done);
    records_state(f, s);
    f->driver->state(f->driver->self, s);
    recurrence_state(f, s);
}
