/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrated_node.h -- the rung `calibrated`: chunk_flow.h behind the interface of all nodes
 *
 * It has no wires.  What crosses links between two exact nodes is left out; what remains of it is
 * that the members of a ring wait for each other, and that messages come, which is told by a
 * meeting:
 *
 *     meeting *m = meeting_create(nodes, up, &config);
 *     meeting_join(m, i, node);                   each, once
 *     note = meeting_told(m, &notes);             after each window: what nodes have told others in
 *     it meeting_hear(m, note, notes, until);        whoever is awaited by nobody goes on
 *
 * Where several processes have the nodes, each has a meeting of all of them, joined by its own, and
 * hears what those of all processes have told, in the order of processes.
 *
 * A go is a link's latency behind the last member's token, and a message is there no sooner behind
 * its last row; both are no shorter than a window, so the order in which nodes ran the window does
 * not matter (law 2).  What a node that is its own neighbour would be told along that dimension it
 * knows by itself (chunk_flow_setup.own).
 */
#ifndef CALIBRATED_NODE_H
#define CALIBRATED_NODE_H

#include "calibration_file.h"
#include "chunk_flow.h"

/* range: bytes of a collective, least and most; others are refused.  ACE_OK or ACE_ENOMEM. */
int calibrated_node_create(const chunk_flow_setup *setup, const double range[2], ace_node **node);
chunk_flow *calibrated_node_flow(ace_node *node);

typedef struct meeting meeting;
/* up: of each node the next one up each dimension, itself where there is one; taken over, also on
 * failure.  cfg: of one of them; it outlives the meeting.  NULL: no memory. */
meeting *meeting_create(unsigned nodes, unsigned (*up)[ACE_CLUSTER_DIMENSIONS],
                        const ace_config *cfg);
void meeting_destroy(meeting *m); /* NULL is allowed */
void meeting_join(meeting *m, unsigned i, ace_node *node);
/* A node is there with a chunk, or has sent a message. */
typedef struct meeting_note {
    uint32_t node;
    bool is_mail;
    union {
        flow_token token;
        flow_mail mail;
    };
} meeting_note;
/* Before meeting_hold(): it is asked for these dimensions, a bit each.  ACE_OK or ACE_ENOMEM. */
int meeting_inside(meeting *m, unsigned dims);
/* What node i has told in a group of nodes, all here and on this thread, that have run to `until`,
 * and to none but which these dimensions lead.  went: set where some of them go on.  As
 * meeting_hear(). */
int meeting_hold(meeting *m, unsigned i, unsigned dims, uint64_t until, bool *went);
/* Node i of those runs soon, and some behind it then: their states are fetched meanwhile. */
void meeting_fetch(const meeting *m, unsigned i);
/* What nodes that joined have told since; NULL with notes: no memory. */
const meeting_note *meeting_told(meeting *m, unsigned *notes);
/* All nodes have run to `until`.  ACE_OK; ACE_EPROTO: members of a ring have come to different
 * work; ACE_ENOMEM. */
int meeting_hear(meeting *m, const meeting_note *note, unsigned notes, uint64_t until);

#endif
