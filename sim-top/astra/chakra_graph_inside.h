/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_graph_inside.h -- shared by the parts that make a graph from a Chakra trace
 *
 *   chakra_fields.c   reads or refuses the attributes of a node
 *   chakra_graph.c    makes a node of the graph from each node of the trace
 *   chakra_groups.c   finds the members of a collective
 *   chakra_inner.c    replaces a collective by nodes of its own
 */
#ifndef CHAKRA_GRAPH_INSIDE_H
#define CHAKRA_GRAPH_INSIDE_H

#include "chakra_file.h"
#include "chakra_graph.h"
#include "schedule.h"

/* Tags of collectives that run as messages differ from tags of traces. Fields: the group, and the
 * step in 8 bits. */
#define CHAKRA_GROUP_TAG (UINT64_C(1) << 62)
/* Tags of messages in a collective that a trace replaces: the group, and the trace's tag in 30
 * bits. Ids of its nodes: the collective's number, and the trace's id in 24 bits. */
#define INNER_TAG (CHAKRA_GROUP_TAG | UINT64_C(1) << 61)
#define INNER_ID  (UINT64_C(1) << 63)
enum { INNER_TAG_BITS = 30, INNER_ID_BITS = 24 };

/* Limits for a collective in all, and for a message. */
#define CHAKRA_MOST_BYTES         (UINT64_C(1) << 40)
#define CHAKRA_MOST_MESSAGE_BYTES (UINT64_C(1) << 38)

/* A collective that is being replaced, by a trace or by the parts of an all-reduce. */
typedef struct chakra_inner {
    chakra_file *file; /* NULL: no trace */
    ace_command part[SCHEDULE_PARTS];
    unsigned parts, part_next;
    uint32_t priority; /* priority of the parts */
    uint64_t id;       /* id of the collective */
    uint64_t base;     /* added to the ids of its nodes */
    uint64_t tag;      /* tag of its messages */
    uint64_t *before;  /* the collective's parents */
    unsigned befores;
    uint64_t *node; /* ids of its nodes */
    unsigned nodes, room;
    unsigned *member, members; /* the NPU of each rank */
    uint64_t bytes;            /* bytes of the collective */
} chakra_inner;

typedef struct chakra_rank {
    const chakra_setup *s;
    chakra_file *file;
    unsigned npu;
    bool data_only;
    uint64_t work; /* collectives so far */
    uint64_t *parent;
    size_t room;
    bool late; /* the node that delays the start was returned */
    /* For each set of the network's dimensions: the members of this NPU's group, or NULL, and the
     * NPU's index among them. */
    unsigned **member, *own;
    chakra_inner inner;
    uint64_t inners; /* collectives replaced so far */
} chakra_rank;

/* The members of a collective. */
typedef struct chakra_party {
    unsigned dims;          /* whole dimensions, one bit each; 0: another group */
    const unsigned *member; /* for whole dimensions set by chakra_name_members() */
    unsigned count, own;    /* this NPU is member number `own` */
    uint64_t tag;
} chakra_party;

/* ---- chakra_fields.c: each returns 0, or -1 after a message, unless it says otherwise ------ */

/* Prints what was found in a node and what was expected. Returns -1. */
int chakra_fail(const chakra_rank *r, const Chakra__Node *n, const char *found,
                const char *expected);
/* chakra_attribute() returns the attribute of a name, NULL if there is none. chakra_number() reads
 * an optional whole number; without the attribute it returns 1 and sets *v to 0. chakra_required()
 * refuses a node without the attribute. */
const Chakra__Attribute *chakra_attribute(const Chakra__Node *n, const char *name);
int chakra_number(const chakra_rank *r, const Chakra__Node *n, const char *name, uint64_t *v);
int chakra_required(const chakra_rank *r, const Chakra__Node *n, const char *name, uint64_t *v);
/* Reads comm_size and multiplies it by `times`. Returns 1 if there is none and that is allowed. */
int chakra_bytes(const chakra_rank *r, const Chakra__Node *n, uint64_t times, uint64_t most,
                 uint64_t *bytes);
/* Refuses a comm_size other than 0. */
int chakra_no_bytes(const chakra_rank *r, const Chakra__Node *n);
/* Set how long a node takes: `ns`, or the duration in the trace. chakra_scale() returns the factor
 * on this NPU's compute time. */
int chakra_given(const chakra_rank *r, const Chakra__Node *n, double ns, graph_node *to);
int chakra_replay(const chakra_rank *r, const Chakra__Node *n, graph_node *to);
double chakra_scale(const chakra_rank *r);
/* Makes a node wait for these, too. Returns false when there is no memory. */
bool chakra_add_parents(chakra_rank *r, const uint64_t *id, size_t count, graph_node *to);
/* Returns the job of a rank; NULL: no jobs, or the rank has none. */
const astra_job *chakra_own_job(const chakra_rank *r);

/* ---- chakra_groups.c: each returns 0, or -1 after a message -------------------------------- */

/* Finds the members of a collective in the trace. Members of whole dimensions are only counted. */
int chakra_members(chakra_rank *r, const Chakra__Node *n, chakra_party *p);
/* Lists the members of whole dimensions, x fastest. */
int chakra_name_members(chakra_rank *r, chakra_party *p);

/* ---- chakra_inner.c ------------------------------------------------------------------------- */

/* The collective is being replaced: its inner nodes come next. */
enum { CHAKRA_INSIDE = 2 };
/* Begins to replace a collective by the traces PREFIX.*. Returns CHAKRA_INSIDE; 1: it moves no
 * bytes; -1 after a message. */
int chakra_begin_inner(chakra_rank *r, const Chakra__Node *n, chakra_party *p, const char *prefix);
/* Begins to replace an all-reduce by parts. Returns CHAKRA_INSIDE, or 0 if it has only one part. */
int chakra_begin_parts(chakra_rank *r, const Chakra__Node *n, const graph_node *whole);
/* Return the first inner node (`to` has the collective's parents on entry), and the next one.
 * Return 1, or -1 after a message. */
int chakra_open_inner(chakra_rank *r, graph_node *to);
int chakra_next_inner(chakra_rank *r, graph_node *to);

#endif
