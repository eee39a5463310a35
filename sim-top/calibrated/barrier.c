/* SPDX-License-Identifier: Apache-2.0 */
/* barrier.c -- lets members of a ring wait for each other, and delivers messages: see
 * calibrated_node.h */
#include <stdlib.h>
#include <string.h>

#include "calibrated_node.h"

enum {
    SETS = 1 << ACE_CLUSTER_DIMENSIONS,
    PHASES = ACE_CLUSTER_PHASES + 1,
    AHEAD = 4, /* distance in nodes at which a node's state is prefetched before its lists */
    SOON = 8   /* distance in entries at which a state is prefetched */
};

/* The members that have arrived with one chunk at a phase. */
typedef struct slot {
    uint64_t latest;
    uint32_t number;
    uint32_t count : 24, dims : 8; /* count 0: unused */
} slot;

struct barrier {
    unsigned nodes;
    unsigned (*up)[ACE_CLUSTER_DIMENSIONS], (*down)[ACE_CLUSTER_DIMENSIONS];
    const ace_config *cfg; /* rings and hubs, which are the same for all nodes */
    chunk_flow **flow;     /* NULL: another process has the node */
    const chunk_flow *any;
    /* For each set of dimensions in use: the leader of each node's group, and for a leader the
     * number of members; else NULL. */
    unsigned *leader[SETS], *members[SETS];
    slot *slots; /* indexed by leader, chunk modulo FLOW_CHUNKS, and phase */
    unsigned *walk;
    barrier_message *message;
    unsigned room;
};

barrier *barrier_create(unsigned nodes, unsigned (*up)[ACE_CLUSTER_DIMENSIONS],
                        const ace_config *cfg) {
    barrier *m = calloc(1, sizeof *m);

    if (m) {
        *m = (barrier){ .nodes = nodes, .up = up, .cfg = cfg };
        m->down = calloc(nodes, sizeof *m->down);
        m->flow = calloc(nodes, sizeof(chunk_flow *));
        m->slots = calloc((size_t)nodes * FLOW_CHUNKS * PHASES, sizeof *m->slots);
        m->walk = calloc(nodes, sizeof *m->walk);
        if (m->down && m->flow && m->slots && m->walk) {
            for (unsigned i = 0; i < nodes; i++)
                for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) m->down[up[i][d]][d] = i;
            return m;
        }
        barrier_destroy(m);
    } else {
        free(up);
    }
    return NULL;
}

void barrier_destroy(barrier *m) {
    if (!m) return;
    for (unsigned s = 0; s < SETS; s++) {
        free(m->leader[s]);
        free(m->members[s]);
    }
    free(m->up);
    free(m->down);
    free(m->flow);
    free(m->slots);
    free(m->walk);
    free(m->message);
    free(m);
}

void barrier_join(barrier *m, unsigned i, ace_node *node) {
    m->any = m->flow[i] = calibrated_node_flow(node);
}

/* Makes i the leader of all nodes that it reaches along the dimensions. Returns how many these
 * are. */
static unsigned group_of(barrier *m, unsigned i, unsigned dims, unsigned *leader) {
    unsigned count = 1;

    m->walk[0] = i;
    leader[i] = i;
    for (unsigned at = 0; at < count; at++)
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
            const unsigned next = m->up[m->walk[at]][d];

            if (!(dims >> d & 1) || leader[next] == i) continue;
            leader[next] = i;
            m->walk[count++] = next;
        }
    return count;
}

/* Finds the groups along a set of dimensions. Leaders are the first of their groups. Returns false
 * when there is no memory. */
static bool know(barrier *m, unsigned dims) {
    if (m->leader[dims]) return true;
    unsigned *leader = malloc(m->nodes * sizeof *leader);
    unsigned *members = calloc(m->nodes, sizeof *members);

    if (!leader || !members) {
        free(leader);
        free(members);
        return false;
    }
    memset(leader, 0xff, m->nodes * sizeof *leader);
    for (unsigned i = 0; i < m->nodes; i++)
        if (leader[i] == ~0u) members[i] = group_of(m, i, dims, leader);
    m->leader[dims] = leader;
    m->members[dims] = members;
    return true;
}

static void go_on(barrier *m, unsigned i, const flow_token *t, uint64_t cycle) {
    if (m->flow[i]) chunk_flow_go(m->flow[i], t, cycle);
}

/* Lets all members of a group continue. */
static void go(barrier *m, unsigned first, const flow_token *t, uint64_t latest, uint64_t until) {
    const unsigned *leader = m->leader[t->dims];
    unsigned left = m->members[t->dims][first];
    const uint64_t behind = latest + (m->any ? chunk_flow_latency(m->any, t) : 0);
    const uint64_t cycle = behind > until ? behind : until;

    /* along one ring from node to node; over several dimensions, by searching all nodes */
    if (!(t->dims & (t->dims - 1))) {
        const unsigned d = (unsigned)__builtin_ctz(t->dims);

        for (unsigned i = first, k = left; k; k--, i = m->up[i][d])
            if (m->flow[i]) chunk_flow_fetch_head(m->flow[i]);
        for (unsigned i = first, k = left; k; k--, i = m->up[i][d])
            if (m->flow[i]) chunk_flow_fetch_slot(m->flow[i]);
        for (unsigned i = first; left; left--, i = m->up[i][d]) go_on(m, i, t, cycle);
        return;
    }
    for (unsigned i = first; left; i++)
        if (leader[i] == first) {
            go_on(m, i, t, cycle);
            left--;
        }
}

static slot *slot_of(const barrier *m, unsigned i, const flow_token *t) {
    const size_t first = m->leader[t->dims][i];

    return &m->slots[(first * FLOW_CHUNKS + t->number % FLOW_CHUNKS) * PHASES + t->phase];
}

/* Counts a member that has arrived. *went is set if the group then continues. */
static int receive_token(barrier *m, unsigned i, const flow_token *t, uint64_t until, bool *went) {
    if (!know(m, t->dims)) return ACE_ENOMEM;
    const unsigned first = m->leader[t->dims][i];
    slot *s = slot_of(m, i, t);

    if (s->count && (s->number != t->number || s->dims != t->dims)) return ACE_EPROTO;
    if (!s->count) *s = (slot){ .number = t->number, .dims = t->dims };
    s->count++;
    if (t->cycle > s->latest) s->latest = t->cycle;
    if (s->count < m->members[t->dims][first]) return ACE_OK;
    s->count = 0;
    *went = true;
    go(m, first, t, s->latest, until);
    return ACE_OK;
}

/* Moves a message dimension by dimension, x first, as routes do. A hub makes all steps of its
 * dimension at once. */
static void bring(barrier *m, unsigned i, const flow_mail *mail, uint64_t until) {
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned left = mail->hops >> 8 * d & 0x7f, down = mail->hops >> (8 * d + 7) & 1;

        for (unsigned k = 0; k < left; k++) {
            if (m->flow[i] && (!k || !m->cfg->hub[d]))
                chunk_flow_cross(m->flow[i], 2 * d + down, mail->rows);
            i = down ? m->down[i][d] : m->up[i][d];
        }
    }
    if (m->flow[i])
        chunk_flow_deliver(m->flow[i], mail->label, mail->cycle > until ? mail->cycle : until);
}

int barrier_inside(barrier *m, unsigned dims) { return know(m, dims) ? ACE_OK : ACE_ENOMEM; }

int barrier_pass(barrier *m, unsigned i, unsigned dims, uint64_t until, bool *went) {
    flow_token t;
    int e = ACE_OK;

    while (e == ACE_OK && chunk_flow_token(m->flow[i], dims, &t))
        e = receive_token(m, i, &t, until, went);
    return e;
}

void barrier_fetch(const barrier *m, unsigned i) {
    if (i < m->nodes && m->flow[i]) chunk_flow_fetch_lists(m->flow[i]);
    i += AHEAD;
    if (i < m->nodes && m->flow[i]) chunk_flow_fetch(m->flow[i], m->any);
}

/* Returns the entry at `at`; NULL when there is no memory. */
static barrier_message *next_message(barrier *m, unsigned at) {
    if (at == m->room) {
        const unsigned room = m->room ? 2 * m->room : 64;
        barrier_message *to = realloc(m->message, room * sizeof *to);

        if (!to) return NULL;
        m->message = to;
        m->room = room;
    }
    memset(&m->message[at], 0, sizeof *m->message);
    return &m->message[at];
}

const barrier_message *barrier_messages(barrier *m, unsigned *messages) {
    barrier_message *n = next_message(m, *messages = 0);

    for (unsigned i = 0; n && i < m->nodes; i++) {
        const unsigned later = i + SOON, soon = i + SOON / 2;

        if (later < m->nodes && m->flow[later]) chunk_flow_fetch_head(m->flow[later]);
        if (soon < m->nodes && m->flow[soon]) chunk_flow_fetch_slot(m->flow[soon]);
        if (!m->flow[i] || !chunk_flow_has_output(m->flow[i])) continue;
        while (n && (n->is_mail = chunk_flow_mail(m->flow[i], &n->mail),
                     n->is_mail || chunk_flow_token(m->flow[i], ~0u, &n->token))) {
            n->node = i;
            n = next_message(m, ++*messages);
        }
    }
    return n ? m->message : NULL;
}

int barrier_receive(barrier *m, const barrier_message *message, unsigned messages, uint64_t until) {
    bool went = false;

    for (unsigned k = 0; k < messages; k++) {
        const barrier_message *n = &message[k], *later = n + SOON;

        if (k + SOON < messages && !later->is_mail && m->leader[later->token.dims])
            __builtin_prefetch(slot_of(m, later->node, &later->token));
        const int e = n->is_mail ? (bring(m, n->node, &n->mail, until), ACE_OK)
                                 : receive_token(m, n->node, &n->token, until, &went);

        if (e != ACE_OK) return e;
    }
    return ACE_OK;
}
