/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal_starts.h -- when the members of a collective begin it, known to all ideal endpoints
 *
 * Ideal endpoints put no rows on wires, so members exchange the starts of their collectives here:
 *
 *     ideal_starts *s = ideal_starts_create(&of);
 *     ideal_starts_join(s, index, node, &listener);         each node of this process
 *     report = ideal_starts_reports(s, &reports);           after each window: what began in it
 *     ideal_starts_meet(s, report, reports);                sets the earliest results of the nodes
 *
 * With several processes, each has the starts of all nodes, and its own nodes have joined. Each
 * process passes the reports of all processes to ideal_starts_meet(). The n-th collective along a
 * set of dimensions is the same at all members. Within a window nodes only read the starts of
 * earlier windows. A start that is younger has no effect within a window, because a window is not
 * longer than a step from member to member.
 */
#ifndef IDEAL_STARTS_H
#define IDEAL_STARTS_H

#include <stddef.h>

#include "ace_state.h"
#include "ideal_times.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ace_node;
typedef struct ideal_starts ideal_starts;

/* The cluster. Arrays are copied, except steps, which must outlive the starts. */
typedef struct ideal_layout {
    ideal_paths paths;
    unsigned nodes, representatives;
    const unsigned *representative_of; /* for each node, x fastest */
} ideal_layout;

/* A representative has begun a collective. */
typedef struct ideal_report {
    ace_command command; /* without the caller's arrays */
    uint64_t start;
    uint32_t representative;
    uint32_t number; /* how many commands along these dimensions it began before */
} ideal_report;

/* The earliest results of a collective, for a node. */
typedef struct ideal_answer {
    bool known;        /* all starts that the result needs are known */
    uint64_t earliest; /* if known: the earliest cycle of the result */
    uint64_t first;    /* the first start so far of a member that sends rows; UINT64_MAX: none */
} ideal_answer;

/* The callbacks of a node. */
typedef struct ideal_listener {
    /* Moves the next collective that the node has begun to *to. Returns false: there is none. */
    bool (*report_next)(struct ace_node *node, ideal_report *to);
    /* Receives what follows for a collective from the starts of the other members. */
    void (*receive)(struct ace_node *node, unsigned dims, uint32_t number,
                    const ideal_answer *answer);
} ideal_listener;

/* Returns NULL when there is no memory. */
ideal_starts *ideal_starts_create(const ideal_layout *of);
void ideal_starts_destroy(ideal_starts *s); /* NULL is allowed */
/* listener must outlive the starts, and is the same for all nodes. */
void ideal_starts_join(ideal_starts *s, unsigned index, struct ace_node *node,
                       const ideal_listener *listener);
/* Answers for a report that has not been passed to ideal_starts_meet() yet. Returns ACE_OK or
 * ACE_ENOMEM. */
int ideal_starts_query(const ideal_starts *s, const ideal_report *own, ideal_answer *answer);
/* Returns the reports of the nodes that joined since the last call. Returns NULL when there is no
 * memory. */
const ideal_report *ideal_starts_reports(ideal_starts *s, unsigned *reports);
/* Returns ACE_OK or ACE_ENOMEM. */
int ideal_starts_meet(ideal_starts *s, const ideal_report *report, unsigned reports);
/* Saves or loads the collectives that some members have not begun yet, between two windows. */
void ideal_starts_state(ideal_starts *s, ace_state *to);

#ifdef __cplusplus
}
#endif

#endif
