/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_inbox.h -- the messages that have come to an NPU, and who waits for some
 *
 *     graph_inbox_open(&b, channels)
 *     graph_inbox_want(&b, &want)     1: it waits; 0: the message is there already
 *     graph_inbox_take(&b, label)     who has all of its message now, or GRAPH_NONE
 *     graph_inbox_close(&b)
 *
 * Channels are numbered from 0 (graph_messages.h); a label is a channel's number and, in its lowest
 * bit, one of the two ways that a message to the far side of a ring is divided over.  The messages
 * of a channel come in the order of their ordinals, on each way.  A receive occupies nothing but
 * its entry here.
 */
#ifndef GRAPH_INBOX_H
#define GRAPH_INBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graph_want {
    uint32_t next; /* of the channel, or GRAPH_NONE */
    uint32_t channel;
    uint32_t place;   /* of who waits (graph_window.h) */
    uint32_t open;    /* ways that have not come, a bit each */
    uint64_t ordinal; /* of the message, from 0 */
    uint64_t node;    /* the id of who waits */
} graph_want;

typedef struct graph_inbox {
    uint32_t channels;
    uint64_t *came;  /* of each label: messages so far */
    uint32_t *first; /* of each channel: who waits */
    graph_want *want;
    uint32_t wants, room, free;
    uint32_t waiting; /* wants in use */
} graph_inbox;

/* False: no memory. */
bool graph_inbox_open(graph_inbox *b, uint32_t channels);
void graph_inbox_close(graph_inbox *b);
/* w->open: the ways that it goes.  1: it waits; 0: it has come; -1: no memory. */
int graph_inbox_want(graph_inbox *b, const graph_want *w);
/* A message, or the part of one, comes.  The place of who has got all of it, or GRAPH_NONE. */
uint32_t graph_inbox_take(graph_inbox *b, uint32_t label);
/* Whoever loads finds the places of those that wait anew, by the node. */
void graph_inbox_state(graph_inbox *b, ace_state *s);

#ifdef __cplusplus
}
#endif

#endif
