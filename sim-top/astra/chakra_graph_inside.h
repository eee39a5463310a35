/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_graph_inside.h -- what the parts of a graph made of a Chakra trace share
 *
 *   chakra_fields.c   what a node of the trace says, taken or refused
 *   chakra_graph.c    nodes of the trace, one after another, as nodes of the graph
 *   chakra_groups.c   who takes part in a collective
 *   chakra_inner.c    a collective that is nodes of its own
 */
#ifndef CHAKRA_GRAPH_INSIDE_H
#define CHAKRA_GRAPH_INSIDE_H

#include "chakra_file.h"
#include "chakra_graph.h"
#include "schedule.h"

/* Tags of collectives by messages, beside those of traces: the group, and the step in 8 bits. */
#define CHAKRA_GROUP_TAG (UINT64_C(1) << 62)
/* Of messages within a collective that is a trace of its own: the group, and the trace's tag in 30
 * bits; and the ids of its nodes: which collective, and theirs in 24. */
#define INNER_TAG (CHAKRA_GROUP_TAG | UINT64_C(1) << 61)
#define INNER_ID  (UINT64_C(1) << 63)
enum { INNER_TAG_BITS = 30, INNER_ID_BITS = 24 };

/* Of a collective in all, and of a message. */
#define CHAKRA_MOST_BYTES         (UINT64_C(1) << 40)
#define CHAKRA_MOST_MESSAGE_BYTES (UINT64_C(1) << 38)

/* A collective that is nodes of its own, while these are given: a trace, or parts of an all-reduce.
 */
typedef struct chakra_inner {
    chakra_file *file; /* NULL: there is none */
    ace_command part[SCHEDULE_PARTS];
    unsigned parts, part_next;
    uint32_t priority; /* of the parts */
    uint64_t id;       /* of the collective */
    uint64_t base;     /* of the ids of its nodes */
    uint64_t tag;      /* of its messages */
    uint64_t *before;  /* what the collective waits for */
    unsigned befores;
    uint64_t *node; /* ids of its nodes */
    unsigned nodes, room;
    unsigned *member, members; /* by rank */
    uint64_t bytes;            /* of the collective */
} chakra_inner;

typedef struct chakra_rank {
    const chakra_setup *s;
    chakra_file *file;
    unsigned npu;
    bool data_only;
    uint64_t work; /* collectives so far */
    uint64_t *parent;
    size_t room;
    bool late; /* the node that holds it back was given */
    /* For each set of the network's dimensions: the members of this NPU's group along them, or
     * NULL, and its place among them. */
    unsigned **member, *own;
    chakra_inner inner;
    uint64_t inners; /* so far */
} chakra_rank;

/* Who takes part. */
typedef struct chakra_party {
    unsigned dims;          /* whole dimensions; of another group 0 */
    const unsigned *member; /* of whole dimensions not yet: chakra_name_members() */
    unsigned count, own;    /* this NPU is the own-th */
    uint64_t tag;
} chakra_party;

/* ---- chakra_fields.c: of each 0, or -1 after a message, where nothing else is said --------- */

/* Tells what was found in a node and what would be taken: -1. */
int chakra_fail(const chakra_rank *r, const Chakra__Node *n, const char *found,
                const char *expected);
/* The attribute of a name; NULL: there is none.  A whole number by its name, and 1 where there is
 * none, *v 0; and one that must be there. */
const Chakra__Attribute *chakra_attribute(const Chakra__Node *n, const char *name);
int chakra_number(const chakra_rank *r, const Chakra__Node *n, const char *name, uint64_t *v);
int chakra_required(const chakra_rank *r, const Chakra__Node *n, const char *name, uint64_t *v);
/* comm_size, of `times` as much in all; 1: there is none, and that is taken. */
int chakra_bytes(const chakra_rank *r, const Chakra__Node *n, uint64_t times, uint64_t most,
                 uint64_t *bytes);
/* Refuses a comm_size that is none of a node without bytes: 0, or -1 after a message. */
int chakra_no_bytes(const chakra_rank *r, const Chakra__Node *n);
/* The node takes so long; or the duration that the trace has; and how many times as long compute of
 * this NPU takes. */
int chakra_given(const chakra_rank *r, const Chakra__Node *n, double ns, graph_node *to);
int chakra_replay(const chakra_rank *r, const Chakra__Node *n, graph_node *to);
double chakra_scale(const chakra_rank *r);
/* A node waits for these, too; false: no memory. */
bool chakra_add_parents(chakra_rank *r, const uint64_t *id, size_t count, graph_node *to);
/* The job of a rank; NULL: there are none, or it has none. */
const astra_job *chakra_own_job(const chakra_rank *r);

/* ---- chakra_groups.c: 0, or -1 after a message ---------------------------------------------- */

/* Who takes part in a collective of the trace. */
int chakra_members(chakra_rank *r, const Chakra__Node *n, chakra_party *p);
/* Who those of whole dimensions are, x fastest. */
int chakra_name_members(chakra_rank *r, chakra_party *p);

/* ---- chakra_inner.c ------------------------------------------------------------------------- */

/* Of a collective, what is inside comes next. */
enum { CHAKRA_INSIDE = 2 };
/* A collective made of the traces PREFIX.*: CHAKRA_INSIDE; 1: it moves no bytes; or -1. */
int chakra_begin_inner(chakra_rank *r, const Chakra__Node *n, chakra_party *p, const char *prefix);
/* An all-reduce that is cut into parts: CHAKRA_INSIDE; or 0: it is one. */
int chakra_begin_parts(chakra_rank *r, const Chakra__Node *n, const graph_node *whole);
/* The first of what is inside, for which `to` says what the collective waits for; and the next: 1;
 * or -1. */
int chakra_open_inner(chakra_rank *r, graph_node *to);
int chakra_next_inner(chakra_rank *r, graph_node *to);

#endif
