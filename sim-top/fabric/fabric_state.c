/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_state.c -- saves and loads a fabric between two windows */
#include <stdlib.h>
#include <string.h>

#include "ace_memory.h"
#include "ace_state.h"
#include "exit_status.h"
#include "fabric.h"
#include "fabric_internal.h"

/* Saves or loads a representative and its outgoing wires. Each incoming wire is saved by its
 * sender. A hub is the exception: it has run to `now`, and the receiver saves the wire. */
static void representative_state(representative *m, uint64_t now, ace_state *s) {
    ACE_STATE(s, m->now);
    ace_node_state(m->node, m->now, s);
    if (m->memory) ace_memory_state(m->memory, s);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (m->out[l]) ace_wire_state(m->out[l], m->now, s);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (m->in[l] && m->from_hub[l / 2]) ace_wire_state(m->in[l], now, s);
    for (unsigned l = 0; m->disturber && l < LINK_FAULT_PLACES; l++)
        ACE_STATE(s, m->disturber[l].changed);
    ACE_STATE(s, m->expected);
    ACE_STATE(s, m->wake);
    ACE_STATE(s, m->reaction);
    ACE_STATE(s, m->events);
    ACE_STATE(s, m->submitted);
    ACE_STATE(s, m->completed);
}

/* ---- what observers have recorded ------------------------------------------------------
 *
 * A list of states. Each begins with its name, key and length, so that a run without the observer
 * can skip it. A record without a name ends the list. */

typedef struct record {
    char name[16];
    uint64_t key, bytes;
} record;

static bool count_bytes(void *self, void *at, size_t bytes) {
    (void)at;
    *(uint64_t *)self += bytes;
    return true;
}

static void save_records(fabric *f, ace_state *s) {
    record r = { 0 };

    for (unsigned i = 0; i < f->observers; i++) {
        const fabric_observer *o = &f->observer[i];
        ace_state length = { .move = count_bytes, .self = &r.bytes };

        if (!o->state) continue;
        r = (record){ .key = o->key };
        snprintf(r.name, sizeof r.name, "%s", o->name);
        o->state(o->self, &length);
        ACE_STATE(s, r);
        o->state(o->self, s);
    }
    r = (record){ 0 };
    ACE_STATE(s, r);
}

static void pass_over(ace_state *s, uint64_t bytes) {
    unsigned char at[4096];

    for (uint64_t n; bytes && !s->failed; bytes -= n) {
        n = bytes < sizeof at ? bytes : sizeof at;
        ace_state_bytes(s, at, n);
    }
}

/* Removes the observers that have no state in the checkpoint, if they allow it. */
static bool leave_out(fabric *f, const bool *found) {
    unsigned kept = 0;

    for (unsigned i = 0; i < f->observers; i++) {
        const fabric_observer *o = &f->observer[i];

        if (o->state && !found[i]) {
            if (!o->left_out) {
                fprintf(stderr,
                        "acesim: found a checkpoint of a run with other --samples or "
                        "--timeline-limit or without --timeline, expected one that recorded the "
                        "same\n");
                return false;
            }
            fprintf(stderr, "acesim: the checkpoint has no such %s: %s\n", o->name, o->left_out);
            continue;
        }
        f->observer[kept++] = *o;
    }
    f->observers = kept;
    return true;
}

static void load_records(fabric *f, ace_state *s) {
    bool *found = calloc(f->observers + 1, sizeof *found);
    record r = { .name = "?" };

    s->failed = s->failed || !found;
    while (!s->failed) {
        unsigned i = 0;

        ACE_STATE(s, r);
        ace_state_must(s, memchr(r.name, 0, sizeof r.name), "fabric.record");
        if (s->failed || !*r.name) break;
        while (i < f->observers && (!f->observer[i].state || f->observer[i].key != r.key ||
                                    strcmp(f->observer[i].name, r.name)))
            i++;
        if (i < f->observers) {
            f->observer[i].state(f->observer[i].self, s);
            found[i] = true;
        } else {
            pass_over(s, r.bytes);
        }
    }
    if (!s->failed) s->failed = !leave_out(f, found);
    free(found);
}

/* The comparison's state, if there is one. A run that records has none, and skips the saved one. */
static void recurrence_state(fabric *f, ace_state *s) {
    ace_recurrence *r = f->recurrence;
    bool there = r != NULL;

    ACE_STATE(s, there);
    ACE_STATE_BOOLS(s, "fabric.recurrence", &there);
    if (s->failed || !there) return;
    if (!r) r = fabric_recurrence(f);
    if (r)
        ace_recurrence_state(r, s);
    else
        s->failed = true;
    if (r != f->recurrence) ace_recurrence_destroy(r);
}

/* Checks that each node has run to the start of the window, or sleeps beyond it. */
static void check_now(const fabric *f, ace_state *s) {
    for (unsigned i = f->first; i < f->end && ace_state_loaded(s); i++) {
        const representative *const m = &f->representative[i];

        ace_state_must(s, m->now >= f->now || (m->wake >= f->now && fabric_earliest(m) >= f->now),
                       "fabric.now");
        ace_state_must(s, fabric_arrival(m) >= m->now, "fabric.arrival");
    }
    ace_state_must(s, f->last_progress_cycle <= f->now, "fabric.last_progress_cycle");
}

void fabric_state(void *self, ace_state *s) {
    fabric *f = self;

    ACE_STATE(s, f->now);
    ACE_STATE(s, f->counted_events);
    ACE_STATE(s, f->last_progress_cycle);
    for (unsigned i = f->first; i < f->end; i++)
        representative_state(&f->representative[i], f->now, s);
    if (f->starts) ideal_starts_state(f->starts, s);
    for (unsigned i = 0; i < f->hubs; i++) hub_state(f->hub[i], f->now, s);
    for (size_t i = 0; i < f->faults.link.count; i++) {
        ACE_STATE(s, f->faults.link.listed[i].done);
        ACE_STATE_BOOLS(s, "fabric.done", &f->faults.link.listed[i].done);
    }
    if (s->loading)
        load_records(f, s);
    else
        save_records(f, s);
    f->driver->state(f->driver->self, s);
    recurrence_state(f, s);
    if (ace_state_loaded(s)) check_now(f, s);
}
