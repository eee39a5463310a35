/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal_starts.c -- collects the starts of the members of each collective, see ideal_starts.h
 *
 * The members of a collective are the nodes of a group: those whose ranks differ only along its
 * dimensions. A representative belongs to the group of its first node. It may also stand for nodes
 * of other groups, and its report counts there, too. A collective whose members have not all begun
 * is `open`.
 */
#include "ideal_starts.h"

#include <stdlib.h>
#include <string.h>

#include "ace_plan.h"

enum { SETS = 1 << ACE_DIMENSIONS };

typedef struct open {
    struct open *next;
    ideal_report of;  /* the first report, for the command and the number */
    uint64_t known;   /* members whose start is known */
    uint64_t first;   /* see ideal_answer */
    uint64_t start[]; /* of each member; UINT64_MAX: not known */
} open;

/* The groups along one set of dimensions. A member is a group's number times `size`, plus its
 * number in the group. */
typedef struct groups {
    unsigned count;
    uint64_t size;
    unsigned *representative; /* of each member */
    size_t *own;              /* for each representative: the member that its first node is */
    size_t *represented;      /* all members, in the order of their representatives */
    size_t *from;             /* for each representative, and the end: where its members begin */
    open **open;              /* for each group, a list */
} groups;

struct ideal_starts {
    ideal_layout of;
    unsigned *representative_of;
    ace_config cfg;
    struct ace_node **node; /* for each representative; NULL: another process has it */
    groups along[SETS];
    ideal_report *report;
    unsigned room;
    const ideal_listener *listener; /* of all nodes */
};

ideal_starts *ideal_starts_create(const ideal_layout *of) {
    ideal_starts *s = calloc(1, sizeof *s);

    if (!s) return NULL;
    s->of = *of;
    s->cfg = *of->paths.cfg;
    s->of.paths.cfg = &s->cfg;
    s->node = calloc(of->representatives, sizeof(struct ace_node *));
    s->representative_of = malloc(of->nodes * sizeof *s->representative_of);
    if (!s->node || !s->representative_of) {
        ideal_starts_destroy(s);
        return NULL;
    }
    memcpy(s->representative_of, of->representative_of, of->nodes * sizeof *s->representative_of);
    return s;
}

static void free_open(groups *g) {
    for (unsigned i = 0; g->open && i < g->count; i++)
        while (g->open[i]) {
            open *const next = g->open[i]->next;

            free(g->open[i]);
            g->open[i] = next;
        }
}

static void free_groups(groups *g) {
    free_open(g);
    free(g->representative);
    free(g->own);
    free(g->represented);
    free(g->from);
    free(g->open);
    *g = (groups){ 0 };
}

void ideal_starts_destroy(ideal_starts *s) {
    if (!s) return;
    for (unsigned dims = 0; dims < SETS; dims++) free_groups(&s->along[dims]);
    free(s->representative_of);
    free(s->node);
    free(s->report);
    free(s);
}

void ideal_starts_join(ideal_starts *s, unsigned index, struct ace_node *node,
                       const ideal_listener *listener) {
    s->node[index] = node;
    s->listener = listener;
}

/* ---- groups -------------------------------------------------------------------------- */

/* Returns a node's number in its group, and sets *first to the group's node of rank 0. */
static uint64_t split(const ideal_starts *s, unsigned dims, unsigned node, unsigned *first) {
    uint64_t number = 0, inside = 1;
    unsigned stride = 1, rest = node;

    *first = node;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned ring = s->cfg.ring[d], rank = rest % ring;

        if (dims >> d & 1) {
            number += rank * inside;
            inside *= ring;
            *first -= rank * stride;
        }
        stride *= ring;
        rest /= ring;
    }
    return number;
}

/* Numbers the groups of the representatives' first nodes. group_of: for each node of rank 0 the
 * group's number plus 1; others 0. */
static void number_groups(const ideal_starts *s, unsigned dims, groups *g, unsigned *group_of) {
    for (unsigned k = 0; k < s->of.representatives; k++) g->own[k] = SIZE_MAX;
    for (unsigned node = 0; node < s->of.nodes; node++) {
        const unsigned k = s->representative_of[node];
        unsigned first;
        const uint64_t number = split(s, dims, node, &first);

        if (g->own[k] != SIZE_MAX) continue;
        if (!group_of[first]) group_of[first] = ++g->count;
        g->own[k] = (group_of[first] - 1) * g->size + number;
    }
}

/* Lists the members of each group, and those that each representative stands for. */
static void list_members(const ideal_starts *s, unsigned dims, groups *g,
                         const unsigned *group_of) {
    const size_t members = g->count * g->size;

    for (unsigned node = 0; node < s->of.nodes; node++) {
        unsigned first;
        const uint64_t number = split(s, dims, node, &first);

        if (group_of[first])
            g->representative[(group_of[first] - 1) * g->size + number] =
                s->representative_of[node];
    }
    for (size_t i = 0; i < members; i++) g->from[g->representative[i] + 1]++;
    for (unsigned k = 0; k < s->of.representatives; k++) g->from[k + 1] += g->from[k];
    for (size_t i = 0; i < members; i++) g->represented[g->from[g->representative[i]]++] = i;
    for (unsigned k = s->of.representatives; k; k--) g->from[k] = g->from[k - 1];
    g->from[0] = 0;
}

/* Finds the groups along a set of dimensions. Returns false when there is no memory. */
static bool find_groups(ideal_starts *s, unsigned dims) {
    groups *const g = &s->along[dims];
    unsigned *group_of;

    if (g->open) return true;
    group_of = calloc(s->of.nodes, sizeof *group_of);
    g->size = 1;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (dims >> d & 1) g->size *= s->cfg.ring[d];
    g->own = malloc(s->of.representatives * sizeof *g->own);
    g->from = calloc(s->of.representatives + 1, sizeof *g->from);
    if (group_of && g->own && g->from) {
        number_groups(s, dims, g, group_of);
        g->representative = malloc(g->count * g->size * sizeof *g->representative);
        g->represented = malloc(g->count * g->size * sizeof *g->represented);
        g->open = calloc(g->count, sizeof(open *));
        if (g->representative && g->represented && g->open) list_members(s, dims, g, group_of);
    }
    const bool ok = g->open && g->representative && g->represented;

    if (!ok) free_groups(g);
    free(group_of);
    return ok;
}

/* ---- open collectives ---------------------------------------------------------------- */

static open *find(const groups *g, size_t group, uint32_t number) {
    open *o = g->open[group];

    while (o && o->of.number != number) o = o->next;
    return o;
}

static open *begin(groups *g, size_t group, const ideal_report *of) {
    open *const o = malloc(sizeof *o + g->size * sizeof *o->start), **at = &g->open[group];

    if (!o) return NULL;
    *o = (open){ .of = *of, .first = UINT64_MAX };
    memset(o->start, 0xff, g->size * sizeof *o->start);
    while (*at) at = &(*at)->next;
    *at = o;
    return o;
}

static void end(groups *g, size_t group, open *o) {
    open **at = &g->open[group];

    while (*at != o) at = &(*at)->next;
    *at = o->next;
    free(o);
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Answers for a member that needs only the root's start. */
static ideal_answer from_root(const ideal_starts *s, const ideal_report *own, uint64_t member,
                              uint64_t root) {
    const ace_command *const c = &own->command;

    if (root == UINT64_MAX) return (ideal_answer){ .first = UINT64_MAX };
    return (ideal_answer){ .known = true,
                           .first = root,
                           .earliest = later(own->start, root + ideal_distance(&s->of.paths, c,
                                                                               c->root, member)) };
}

/* Answers for the last member to begin, which needs all. */
static int from_all(const ideal_starts *s, const groups *g, const ideal_report *own, const open *o,
                    ideal_answer *answer) {
    const size_t group = g->own[own->representative] / g->size * g->size;
    uint64_t *const start = malloc(g->size * sizeof *start);

    if (!start) return ACE_ENOMEM;
    memcpy(start, o->start, g->size * sizeof *start);
    for (size_t i = g->from[own->representative]; i < g->from[own->representative + 1]; i++)
        if (g->represented[i] - group < g->size) start[g->represented[i] - group] = own->start;
    const int e = ideal_times(&s->of.paths, &own->command, start);

    answer->known = true;
    answer->earliest = start[g->own[own->representative] - group];
    free(start);
    return e;
}

int ideal_starts_query(const ideal_starts *s, const ideal_report *own, ideal_answer *answer) {
    const groups *const g = &s->along[ideal_dims(&own->command)];
    uint64_t mine = 0;

    *answer = (ideal_answer){ .first = UINT64_MAX };
    if (!g->open) return ACE_OK;
    const size_t group = g->own[own->representative] / g->size,
                 member = g->own[own->representative] % g->size;
    const open *const o = find(g, group, own->number);

    if (!o) return ACE_OK;
    if (ideal_needs(&own->command, &s->cfg, member) == IDEAL_NEEDS_ROOT) {
        *answer = from_root(s, own, member, o->start[own->command.root]);
        return ACE_OK;
    }
    answer->first = o->first;
    for (size_t i = g->from[own->representative]; i < g->from[own->representative + 1]; i++)
        mine += g->represented[i] / g->size == group;
    return o->known + mine == g->size ? from_all(s, g, own, o, answer) : ACE_OK;
}

/* Notifies a node that is here, and whose group this is. */
static void notify(const ideal_starts *s, const groups *g, size_t group, const open *o,
                   uint64_t member, ideal_answer answer) {
    const size_t at = group * g->size + member;
    const unsigned representative = g->representative[at];

    if (answer.known && s->node[representative] && g->own[representative] == at)
        s->listener->receive(s->node[representative], ideal_dims(&o->of.command), o->of.number,
                             &answer);
}

/* Notifies a member that needs only the root's start. */
static void notify_from_root(const ideal_starts *s, const groups *g, size_t group, const open *o,
                             uint64_t member) {
    ideal_report own = o->of;

    own.start = o->start[member];
    if (own.start == UINT64_MAX) return;
    if (ideal_needs(&own.command, &s->cfg, member) == IDEAL_NEEDS_ROOT)
        notify(s, g, group, o, member, from_root(s, &own, member, o->start[own.command.root]));
}

/* All members have begun: notifies those that need all. */
static int notify_all(const ideal_starts *s, const groups *g, size_t group, open *o) {
    const ace_command *const c = &o->of.command;
    const int e = ideal_times(&s->of.paths, c, o->start);

    for (uint64_t i = 0; i < g->size && e == ACE_OK; i++)
        if (ideal_needs(c, &s->cfg, i) == IDEAL_NEEDS_ALL)
            notify(s, g, group, o, i,
                   (ideal_answer){ .known = true, .earliest = o->start[i], .first = o->first });
    return e;
}

/* Adds the start of one member. */
static int add(ideal_starts *s, groups *g, const ideal_report *r, size_t at) {
    const size_t group = at / g->size, member = at % g->size;
    open *o = find(g, group, r->number);
    int e = ACE_OK;

    if (!o) o = begin(g, group, r);
    if (!o) return ACE_ENOMEM;
    if (o->start[member] == UINT64_MAX) o->known++;
    o->start[member] = r->start;
    if (r->start < o->first) o->first = r->start;
    notify_from_root(s, g, group, o, member);
    for (uint64_t i = 0; member == r->command.root && i < g->size; i++)
        notify_from_root(s, g, group, o, i);
    if (o->known < g->size) return ACE_OK;
    e = notify_all(s, g, group, o);
    end(g, group, o);
    return e;
}

int ideal_starts_meet(ideal_starts *s, const ideal_report *report, unsigned reports) {
    int e = ACE_OK;

    for (unsigned k = 0; k < reports && e == ACE_OK; k++) {
        const ideal_report *const r = &report[k];
        const unsigned dims = ideal_dims(&r->command);
        groups *const g = &s->along[dims];

        if (!find_groups(s, dims)) return ACE_ENOMEM;
        for (size_t i = g->from[r->representative];
             i < g->from[r->representative + 1] && e == ACE_OK; i++)
            e = add(s, g, r, g->represented[i]);
    }
    return e;
}

const ideal_report *ideal_starts_reports(ideal_starts *s, unsigned *reports) {
    *reports = 0;
    for (unsigned k = 0; k < s->of.representatives; k++) do {
            if (*reports == s->room) {
                const unsigned room = s->room ? 2 * s->room : 64;
                ideal_report *const to = realloc(s->report, room * sizeof *to);

                if (!to) return NULL;
                s->report = to;
                s->room = room;
            }
        } while (s->node[k] && s->listener->report_next(s->node[k], &s->report[*reports]) &&
                 ++*reports);
    return s->report;
}

/* ---- state --------------------------------------------------------------------------- */

/* Returns whether a loaded command is along the dimensions, and its root among the members. */
static bool possible(const ace_command *c, unsigned dims, uint64_t size) {
    if (c->dim_count > ACE_DIMENSIONS || c->kind > ACE_MESSAGES || c->root >= size) return false;
    for (unsigned i = 0; i < c->dim_count; i++)
        if (c->dims[i] >= ACE_DIMENSIONS) return false;
    return ideal_dims(c) == dims && !c->counts && !c->message;
}

static void open_state(groups *g, unsigned dims, size_t group, open *o, ace_state *to) {
    ideal_report of;

    memset(&of, 0, sizeof of);
    if (o) of = o->of;
    ACE_STATE(to, of);
    ace_state_must(to, possible(&of.command, dims, g->size), "ideal_starts.command");
    if (to->failed) return;
    if (!o) o = begin(g, group, &of);
    to->failed = !o;
    if (!o) return;
    ACE_STATE(to, o->known);
    ACE_STATE(to, o->first);
    ace_state_bytes(to, o->start, g->size * sizeof *o->start);
    ace_state_must(to, o->known < g->size, "ideal_starts.known");
}

static void group_state(groups *g, unsigned dims, size_t group, ace_state *to) {
    uint64_t count = 0;

    for (const open *o = g->open[group]; o; o = o->next) count++;
    ACE_STATE(to, count);
    if (to->loading)
        for (uint64_t k = 0; k < count && !to->failed; k++) open_state(g, dims, group, NULL, to);
    else
        for (open *o = g->open[group]; o; o = o->next) open_state(g, dims, group, o, to);
}

void ideal_starts_state(ideal_starts *s, ace_state *to) {
    for (unsigned dims = 0; dims < SETS && !to->failed; dims++) {
        groups *const g = &s->along[dims];
        bool used = g->open != NULL;

        ACE_STATE(to, used);
        ACE_STATE_BOOLS(to, "ideal_starts.used", &used);
        if (to->failed || !used) continue;
        if (to->loading) to->failed = !find_groups(s, dims);
        if (to->loading && !to->failed) free_open(g);
        for (size_t group = 0; group < g->count && !to->failed; group++)
            group_state(g, dims, group, to);
    }
}
