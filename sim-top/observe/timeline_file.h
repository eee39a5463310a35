/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline_file.h -- writes events to a file that does not outgrow its limit
 *
 * The events are also kept in memory. The bytes of the file depend only on the events, their order
 * and their levels. timeline.h defines which detail is dropped when.
 */
#ifndef TIMELINE_FILE_H
#define TIMELINE_FILE_H

#include "ace_state.h"
#include "timeline_text.h"
#include "values.h"

typedef struct timeline_file timeline_file;

timeline_file *timeline_file_create(const timeline_names *n); /* NULL: no memory */
void timeline_file_destroy(timeline_file *t);                 /* NULL is allowed */
/* Creates the files that the options name. Returns EXIT_OK, or EXIT_USAGE after a message. */
int timeline_file_open(timeline_file *t);
void timeline_file_append(timeline_file *t, const event *e, size_t count);
unsigned timeline_file_level(const timeline_file *t, event_detail d);
/* Finishes the files. Returns EXIT_OK, or EXIT_USAGE after a message. */
int timeline_file_close(timeline_file *t, bool failed);
void timeline_file_state(timeline_file *t, ace_state *s); /* see ace_state.h */
/* Returns whether an event that was loaded is valid in such a timeline. */
bool timeline_event_is(const timeline_names *n, const event *e);

#endif
