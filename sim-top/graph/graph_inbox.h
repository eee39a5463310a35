/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_inbox.h -- counts the messages that have come to an NPU, and lists the waiting receives
 *
 *     graph_inbox_open(&b, channels)
 *     graph_inbox_want(&b, &want)     1: it waits; 0: the message has come already
 *     graph_inbox_take(&b, label)     the receive that is now complete, or GRAPH_NONE
 *     graph_inbox_close(&b)
 *
 * Channels are numbered from 0 (graph_messages.h). A label is a channel's number and one more bit,
 * the lowest. A message to the far side of a ring is divided over both directions, and this bit is
 * the direction. The messages of a channel come in the order of their ordinals, in each direction.
 * A receive occupies only its entry here.
 */
#ifndef GRAPH_INBOX_H
#define GRAPH_INBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the channel of a message's label. */
static inline uint32_t graph_inbox_channel(uint32_t label) { return label / 2; }

typedef struct graph_want {
    uint32_t next; /* next entry of the channel, or GRAPH_NONE */
    uint32_t channel;
    uint32_t index;   /* index of the waiting node (graph_window.h) */
    uint32_t open;    /* directions that have not come, one bit each */
    uint64_t ordinal; /* of the message, from 0 */
    uint64_t node;    /* id of the waiting node */
} graph_want;

typedef struct graph_inbox {
    uint32_t channels;
    uint64_t *came;  /* for each label: messages so far */
    uint32_t *first; /* for each channel: the first waiting entry */
    graph_want *want;
    uint32_t wants, room, free;
    uint32_t waiting; /* number of entries in use */
} graph_inbox;

/* Returns false when there is no memory. */
bool graph_inbox_open(graph_inbox *b, uint32_t channels);
void graph_inbox_close(graph_inbox *b);
/* Adds a receive. w->open: the directions of the message. Returns 1: it waits; 0: the message has
 * come; -1: no memory. */
int graph_inbox_want(graph_inbox *b, const graph_want *w);
/* Counts a message, or a part of one. Returns the index of the node that now has its whole message,
 * or GRAPH_NONE. */
uint32_t graph_inbox_take(graph_inbox *b, uint32_t label);
/* Saves or loads the inbox. After loading, the caller finds the indices of waiting nodes again by
 * their ids. */
void graph_inbox_state(graph_inbox *b, ace_state *s);

#ifdef __cplusplus
}
#endif

#endif
