/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_window.c -- the unfinished nodes that have been read, in a hash table with links to
 * children
 *
 * A node counts its unfinished parents. A parent that has not been read gets an empty entry. When a
 * node finishes, it lowers the counts of its children, and those at 0 are ready. A second count
 * leaves out parents that the fabric already has, for looking ahead. If nothing is ready,
 * graph_window_stuck() names a parent that is missing or a cycle.
 */
#include "graph_window.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"

const char *const graph_kind_names[GRAPH_KINDS] = { "compute", "memory",  "collective",
                                                    "send",    "receive", "mark" };

void graph_window_open(graph_window *w, const graph_reader *r, uint32_t limit, unsigned npu) {
    *w = (graph_window){
        .reader = *r, .npu = npu, .limit = limit, .free = GRAPH_NONE, .free_link = GRAPH_NONE
    };
}

static void forget(graph_window *w) {
    free(w->at);
    free(w->bucket);
    free(w->link);
    free(w->fresh);
    free(w->front);
    graph_ids_free(&w->finished);
    graph_ids_free(&w->labels);
}

void graph_window_close(graph_window *w) {
    forget(w);
    if (w->reader.close) w->reader.close(w->reader.self);
    *w = (graph_window){ .free = GRAPH_NONE, .free_link = GRAPH_NONE };
}

/* ---- arrays that grow ------------------------------------------------------------------ */

/* Makes room for one more entry. */
static bool reserve(void **at, uint32_t count, uint32_t *room, size_t size) {
    const uint32_t more = *room ? 2 * *room : 32;
    void *to;

    if (count < *room) return true;
    to = realloc(*at, more * size);
    if (!to) return false;
    *at = to;
    *room = more;
    return true;
}

/* Consecutive ids fall into different buckets, and other ids into random ones. */
static uint32_t bucket_of(const graph_window *w, uint64_t id) {
    return (uint32_t)((id ^ id >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (w->buckets - 1);
}

static bool hash_anew(graph_window *w, uint32_t buckets) {
    uint32_t *bucket = malloc(buckets * sizeof *bucket);

    if (!bucket) return false;
    free(w->bucket);
    w->bucket = bucket;
    w->buckets = buckets;
    memset(bucket, 0xff, buckets * sizeof *bucket);
    for (uint32_t i = 0; i < w->room; i++) {
        graph_window_entry *p = &w->at[i];
        uint32_t *head;

        if (p->state == ENTRY_FREE) continue;
        head = &bucket[bucket_of(w, p->node.id)];
        p->next = *head;
        *head = i;
    }
    return true;
}

static bool grow(graph_window *w) {
    const uint32_t before = w->room;
    void *at = w->at;

    if (!reserve(&at, w->room, &w->room, sizeof *w->at)) return false;
    w->at = at;
    for (uint32_t i = w->room; i-- > before;) {
        w->at[i] = (graph_window_entry){ .next = w->free };
        w->free = i;
    }
    return hash_anew(w, 2 * w->room);
}

static uint32_t find(const graph_window *w, uint64_t id) {
    uint32_t i = w->buckets ? w->bucket[bucket_of(w, id)] : GRAPH_NONE;

    while (i != GRAPH_NONE && w->at[i].node.id != id) i = w->at[i].next;
    return i;
}

/* Adds an entry for a new id. Returns its index; GRAPH_NONE when there is no memory. */
static uint32_t add_entry(graph_window *w, uint64_t id, graph_entry_state state) {
    uint32_t i, *head;

    if (w->free == GRAPH_NONE && !grow(w)) return GRAPH_NONE;
    i = w->free;
    w->free = w->at[i].next;
    head = &w->bucket[bucket_of(w, id)];
    w->at[i] = (graph_window_entry){
        .node.id = id, .children = GRAPH_NONE, .next = *head, .front = GRAPH_NONE, .state = state
    };
    *head = i;
    return i;
}

static void free_entry(graph_window *w, uint32_t i) {
    uint32_t *p = &w->bucket[bucket_of(w, w->at[i].node.id)];

    while (*p != i) p = &w->at[*p].next;
    *p = w->at[i].next;
    w->at[i].state = ENTRY_FREE;
    w->at[i].next = w->free;
    w->free = i;
}

static bool add_link(graph_window *w, uint32_t parent, uint32_t child) {
    void *at = w->link;
    uint32_t l = w->free_link;

    if (l == GRAPH_NONE) {
        if (!reserve(&at, w->links, &w->link_room, sizeof *w->link)) return false;
        w->link = at;
        l = w->links++;
    } else {
        w->free_link = w->link[l].next;
    }
    w->link[l] = (graph_link){ .child = child, .next = w->at[parent].children };
    w->at[parent].children = l;
    return true;
}

/* ---- dependencies ------------------------------------------------------------------------- */

static bool add_ready(graph_window *w, uint32_t i) {
    void *at = w->fresh;

    if (!reserve(&at, w->fresh_count, &w->fresh_room, sizeof *w->fresh)) return false;
    w->fresh = at;
    w->fresh[w->fresh_count++] = i;
    w->at[i].state = ENTRY_READY;
    return true;
}

static void leave_front(graph_window *w, uint32_t i) {
    const uint32_t at = w->at[i].front, last = w->front[w->front_count - 1];

    w->front[at] = last;
    w->at[last].front = at;
    w->at[i].front = GRAPH_NONE;
    w->front_count--;
}

/* Updates the lists after the counts of a waiting node have changed. */
static bool resolve(graph_window *w, uint32_t i) {
    graph_window_entry *p = &w->at[i];
    void *at = w->front;

    if (p->state != ENTRY_WAITING) return true;
    if (!p->waits) {
        if (p->front != GRAPH_NONE) leave_front(w, i);
        return add_ready(w, i);
    }
    if (p->others || p->front != GRAPH_NONE) return true;
    if (!reserve(&at, w->front_count, &w->front_room, sizeof *w->front)) return false;
    w->front = at;
    p->front = w->front_count;
    w->front[w->front_count++] = i;
    return true;
}

uint32_t graph_window_ready(graph_window *w) {
    return w->fresh_count ? w->fresh[--w->fresh_count] : GRAPH_NONE;
}

void graph_window_sent(graph_window *w, uint32_t index) {
    w->at[index].progress.sent = true;
    for (uint32_t l = w->at[index].children; l != GRAPH_NONE; l = w->link[l].next) {
        w->at[w->link[l].child].others--;
        (void)resolve(w,
                      w->link[l].child); /* without memory, only the look-ahead becomes shorter */
    }
}

bool graph_window_finish(graph_window *w, uint32_t index) {
    const bool sent = w->at[index].progress.sent;
    bool ok = graph_ids_add(&w->finished, w->at[index].node.id);
    uint32_t l = w->at[index].children;

    while (l != GRAPH_NONE) {
        const graph_link of = w->link[l];

        w->at[of.child].waits--;
        if (!sent) w->at[of.child].others--;
        ok = resolve(w, of.child) && ok;
        w->link[l].next = w->free_link;
        w->free_link = l;
        l = of.next;
    }
    free_entry(w, index);
    w->nodes--;
    w->finished_count++;
    return ok;
}

uint32_t graph_window_find(const graph_window *w, uint64_t id) {
    const uint32_t i = find(w, id);

    return i != GRAPH_NONE && w->at[i].state == ENTRY_EXPECTED ? GRAPH_NONE : i;
}

bool graph_goes_to_fabric(const graph_node *n) {
    return n->kind == GRAPH_COLLECTIVE || n->kind == GRAPH_SEND || n->kind == GRAPH_RECEIVE;
}

bool graph_window_over(const graph_window *w) { return w->ended && !w->nodes; }

/* ---- reading ------------------------------------------------------------------------------- */

static int twice(const graph_window *w, uint64_t id) {
    fprintf(stderr, "acesim: %s: found node %" PRIu64 " twice, NPU %u, expected ids of their own\n",
            w->reader.name, id, w->npu);
    return EXIT_USAGE;
}

/* Links a node to its unfinished parents. */
static bool link_parents(graph_window *w, uint32_t i, const graph_node *n) {
    for (unsigned k = 0; k < n->parents; k++) {
        uint32_t p = find(w, n->parent[k]);

        if (p == GRAPH_NONE) {
            if (graph_ids_have(&w->finished, n->parent[k])) continue;
            p = add_entry(w, n->parent[k], ENTRY_EXPECTED);
            if (p == GRAPH_NONE) return false;
            w->expected++;
        }
        if (!add_link(w, p, i)) return false;
        w->at[i].waits++;
        w->at[i].others += !w->at[p].progress.sent;
    }
    return resolve(w, i);
}

/* Enters a node that was read. With `again`, nodes that are finished already may come, too. */
static int take(graph_window *w, const graph_node *n, bool again) {
    uint32_t i = find(w, n->id);

    w->read_count++;
    if (again && n->kind == GRAPH_COLLECTIVE && !graph_ids_add(&w->labels, n->label))
        return message_no_memory();
    if (graph_ids_have(&w->finished, n->id)) return again ? EXIT_OK : twice(w, n->id);
    if (i == GRAPH_NONE) {
        i = add_entry(w, n->id, ENTRY_WAITING);
        if (i == GRAPH_NONE) return message_no_memory();
    } else if (w->at[i].state != ENTRY_EXPECTED) {
        return twice(w, n->id);
    } else {
        w->expected--;
    }
    w->nodes++;
    w->at[i].state = ENTRY_WAITING;
    w->at[i].node = *n;
    w->at[i].node.parent = NULL;
    return link_parents(w, i, n) ? EXIT_OK : message_no_memory();
}

int graph_window_fill(graph_window *w) {
    int rc = EXIT_OK;

    while (!w->ended && w->nodes < w->limit && rc == EXIT_OK) {
        graph_node n = { 0 };
        const int more = w->reader.next(w->reader.self, &n);

        if (more < 0) return EXIT_USAGE;
        w->ended = !more;
        if (more) rc = take(w, &n, false);
    }
    return rc;
}

/* ---- faulty graphs -------------------------------------------------------------------------- */

/* Returns a parent of `child`. There are no backward links, so this searches all children. */
static uint32_t parent_of(const graph_window *w, uint32_t child) {
    for (uint32_t i = 0; i < w->room; i++) {
        if (w->at[i].state == ENTRY_FREE) continue;
        for (uint32_t l = w->at[i].children; l != GRAPH_NONE; l = w->link[l].next)
            if (w->link[l].child == child) return i;
    }
    return GRAPH_NONE;
}

/* Prints a cycle. Going from a waiting node to a parent, as many times as there are nodes, must end
 * in a cycle. */
static int print_cycle(const graph_window *w) {
    uint32_t i = 0, first;

    while (i < w->room && w->at[i].state != ENTRY_WAITING) i++;
    for (uint32_t n = 0; n < w->nodes && i < w->room; n++) i = parent_of(w, i);
    if (i >= w->room) return EXIT_CHECK; /* the graph is not stuck */
    fprintf(stderr, "acesim: %s: found a cycle of dependencies, NPU %u: node %" PRIu64,
            w->reader.name, w->npu, w->at[i].node.id);
    first = i;
    for (unsigned shown = 0; shown < 8; shown++) {
        i = parent_of(w, i);
        fprintf(stderr, " waits for %" PRIu64, w->at[i].node.id);
        if (i == first) break;
    }
    fprintf(stderr, "%s, expected none\n", i == first ? "" : " ...");
    return EXIT_USAGE;
}

int graph_window_stuck(const graph_window *w) {
    for (uint32_t i = 0; w->expected && i < w->room; i++) {
        if (w->at[i].state != ENTRY_EXPECTED || w->at[i].children == GRAPH_NONE) continue;
        const graph_node *child = &w->at[w->link[w->at[i].children].child].node;

        fprintf(stderr,
                "acesim: %s: found node %" PRIu64 " (%s), NPU %u, which waits for node %" PRIu64
                ", expected that one in the graph%s\n",
                w->reader.name, child->id, graph_kind_names[child->kind], w->npu, w->at[i].node.id,
                w->ended ? "" : ", or within as many nodes as are held at a time");
        return EXIT_USAGE;
    }
    return print_cycle(w);
}

int graph_window_rewind(graph_window *w) {
    const graph_reader r = w->reader;

    forget(w);
    graph_window_open(w, &r, w->limit, w->npu);
    return r.rewind(r.self);
}

/* ---- a checkpoint --------------------------------------------------------------------------- */

/* Reads as many nodes as before the checkpoint, and enters the unfinished ones. */
static int read_again(graph_window *w, uint64_t nodes, bool ended) {
    int rc = EXIT_OK;

    for (uint64_t i = 0; i < nodes && rc == EXIT_OK; i++) {
        graph_node n = { 0 };

        rc = w->reader.next(w->reader.self, &n) > 0 ? take(w, &n, true) : EXIT_USAGE;
    }
    w->ended = ended;
    return rc;
}

static void progress_state(graph_window *w, ace_state *s) {
    uint32_t count = w->nodes;

    ACE_STATE(s, count);
    ace_state_must(s, count == w->nodes, "graph_window.nodes");
    for (uint32_t i = 0, k = 0; k < count && !s->failed; k++, i++) {
        uint64_t id = 0;
        graph_entry_state state = ENTRY_FREE;
        graph_progress progress = { 0 };

        if (!s->loading) {
            while (w->at[i].state < ENTRY_WAITING) i++;
            id = w->at[i].node.id;
            state = w->at[i].state;
            progress = w->at[i].progress;
        }
        ACE_STATE(s, id);
        ACE_STATE(s, state);
        ACE_STATE(s, progress);
        ACE_STATE_BOOLS(s, "graph_window.progress", &progress.sending, &progress.summing,
                        &progress.sent);
        ace_state_must(s, state >= ENTRY_WAITING && state <= ENTRY_RUNNING, "graph_window.state");
        if (!s->loading || s->failed) continue;
        const uint32_t to = find(w, id);
        if (to == GRAPH_NONE || w->at[to].state < ENTRY_WAITING) {
            ace_state_impossible(s, "graph_window.id");
            return;
        }
        w->at[to].state = state;
        w->at[to].progress = progress;
        w->at[to].progress.sent = false;
        if (progress.sent) graph_window_sent(w, to);
    }
}

void graph_window_state(graph_window *w, ace_state *s) {
    uint64_t read_count = w->read_count, finished_count = w->finished_count;
    bool ended = w->ended;

    ACE_STATE(s, read_count);
    ACE_STATE(s, finished_count);
    ACE_STATE(s, ended);
    ACE_STATE_BOOLS(s, "graph_window.ended", &ended);
    if (s->loading && !s->failed) s->failed = graph_window_rewind(w) != EXIT_OK;
    graph_ids_state(&w->finished, s);
    if (s->loading && !s->failed) {
        s->failed = read_again(w, read_count, ended) != EXIT_OK;
        w->finished_count = finished_count;
        w->fresh_count = 0; /* the engine finds ready nodes by their states */
    }
    progress_state(w, s);
}
