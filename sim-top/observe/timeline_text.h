/* SPDX-License-Identifier: Apache-2.0 */
/* timeline_text.h -- writes the events of a timeline as lines of a Chrome trace */
#ifndef TIMELINE_TEXT_H
#define TIMELINE_TEXT_H

#include "fabric.h"
#include "timeline_event.h"
#include "values.h"

enum {
    TIMELINE_UNITS = 32, /* of a node, maximum */
    TIMELINE_LANES = 990 /* tracks of collectives */
};

/* The sources of the names in a timeline. */
typedef struct timeline_names {
    const machine *machine;
    const output *output;
    const fabric *f;
    const driver *d;
    unsigned drawn; /* representatives below this index are drawn, if they represent nodes */
    char unit[TIMELINE_UNITS][32];
} timeline_names;

bool timeline_draws(const timeline_names *n, unsigned representative);

typedef struct timeline_text timeline_text;
timeline_text *timeline_text_create(const timeline_names *n); /* NULL: no memory */
void timeline_text_destroy(timeline_text *t);                 /* NULL is allowed */

/* Each returns the lines to write, which are valid until the next call. */
const char *timeline_text_begin(timeline_text *t, size_t *bytes);
/* *names: how many of the bytes are names of tracks. */
const char *timeline_text_event(timeline_text *t, const event *e, unsigned level, size_t *bytes,
                                size_t *names);
/* Call for each representative that may be drawn, then once with their number. Counters fall to 0,
 * and the last call writes the detail. */
const char *timeline_text_end(timeline_text *t, unsigned representative,
                              const unsigned level[DETAILS], size_t *bytes);

#endif
