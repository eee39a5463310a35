/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_clock.c -- a binary heap of calls, ordered by tick and then by number
 *
 * A time beyond 2^64 ns sets a flag, which the run reports.
 */
#include "compat_clock.h"

#include <stdlib.h>

static bool before(const compat_event *a, const compat_event *b) {
    return a->time < b->time || (a->time == b->time && a->number < b->number);
}

uint64_t compat_ticks(double ns) { return ns < 0x1p64 ? (uint64_t)ns : UINT64_MAX; }

void compat_clock_after(compat_clock *c, uint64_t ticks, compat_call call) {
    const compat_event e = { c->now + ticks, c->numbers++, call };
    size_t i = c->count;

    if (ticks >= UINT64_MAX - c->now) {
        c->beyond = true;
        return;
    }
    if (c->count == c->room) {
        const size_t room = c->room ? 2 * c->room : 256;
        compat_event *at = realloc(c->at, room * sizeof *at);

        if (!at) {
            c->out_of_memory = true;
            return;
        }
        c->at = at;
        c->room = room;
    }
    c->count++;
    for (; i && before(&e, &c->at[(i - 1) / 2]); i = (i - 1) / 2) c->at[i] = c->at[(i - 1) / 2];
    c->at[i] = e;
}

static compat_event take(compat_clock *c) {
    const compat_event first = c->at[0], last = c->at[--c->count];
    size_t i = 0;

    for (size_t child; (child = 2 * i + 1) < c->count; i = child) {
        if (child + 1 < c->count && before(&c->at[child + 1], &c->at[child])) child++;
        if (!before(&c->at[child], &last)) break;
        c->at[i] = c->at[child];
    }
    c->at[i] = last;
    return first;
}

bool compat_clock_step(compat_clock *c) {
    compat_event e;

    if (!c->count) return false;
    e = take(c);
    c->now = e.time;
    e.call.call(e.call.self, e.call.of, e.call.what);
    return true;
}

void compat_clock_free(compat_clock *c) {
    free(c->at);
    *c = (compat_clock){ 0 };
}
