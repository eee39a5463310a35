/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal.c -- the ideal endpoint: no memory, no scratchpad, only the links
 *
 * The endpoint is a lower bound that no endpoint can beat with the same algorithm. Each dimension
 * is a server for both its links together. Dimensions that share an interface are one server. A
 * command requests the closed form's bytes of dimension d. If the two links get different amounts,
 * it requests twice the amount of the busier link. The dimension serves commands in the configured
 * order (LIFO: the newest first, at once), whole cycles at a time.
 *
 * A command completes when every dimension has served it, and a row could have made all the steps
 * that depend on one another (ideal_steps.h). A step takes a link latency, on a switch two, and one
 * cycle at the endpoint. The steps are counted from the starts of all members (ideal_starts.h). If
 * a member begins after others, its links may have forwarded rows of these others before. It is
 * credited with that time. The endpoint sends no data on wires: bytes are conserved by
 * construction.
 *
 * Messages are served like commands, by the sender's links on which they leave. Nodes along the
 * route spend nothing on them, but a message takes at least as long as its slowest link. Members of
 * a full connection have a link for each pair. Messages to one member use that link one after the
 * other, for as long as their bytes need. After the service, a notice of each message travels all
 * hops, with one cycle at each node. When the notice reaches the receiver, the message has arrived.
 */
#include "ideal.h"

#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "ace_composition.h"
#include "ace_plan.h"
#include "ace_wire.h"
#include "ideal_inside.h"

static void ideal_destroy(ace_node *n) {
    ideal *i = (ideal *)n;

    for (unsigned q = 0; q < QUEUES; q++) free(i->notices[q].at);
    free(i->arrived);
    free(i->report);
    free(i->at);
    free(i->done);
    free(i);
}

/* Work of a dimension's two links in a cycle, Q8. */
enum { RATE = 2 * ACE_COST_ONE };

/* Returns the dimension that a shared interface serves next for a command, or ACE_DIMENSIONS. */
static unsigned next_of(const ideal *i, const work *w) {
    unsigned d = 0;

    while (d < ACE_DIMENSIONS && !(i->shared >> d & 1 && w->left[d])) d++;
    return d;
}

/* Returns the command that dimension d serves now, or NULL. Dimensions that share an
 * interface serve one at a time. */
static work *served(const ideal *i, unsigned d) {
    const bool shared = i->shared >> d & 1;

    for (size_t j = 0; j < i->count; j++) {
        work *w = &i->at[i->cfg.order == ACE_LIFO ? i->count - 1 - j : j];
        const unsigned next = shared ? next_of(i, w) : d;

        if (w->start > i->now || next == ACE_DIMENSIONS || !w->left[next]) continue;
        return next == d ? w : NULL;
    }
    return NULL;
}

/* Returns whether the links have carried a command, and it waits for no other member. */
static bool over(const work *w) {
    uint64_t left = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) left |= w->left[d];
    return !left && !w->waits;
}

/* ---- messages ------------------------------------------------------------------------ */

static void put(ideal *i, unsigned queue, notice n) {
    notices *q = &i->notices[queue];

    if (q->count == q->room) {
        const size_t room = q->room ? 2 * q->room : 16;
        notice *at = realloc(q->at, room * sizeof *at);

        if (!at) {
            i->error = ACE_ENOMEM;
            return;
        }
        q->at = at;
        q->room = room;
    }
    q->at[q->count++] = n;
}

static void take_first(notices *q) { memmove(q->at, q->at + 1, --q->count * sizeof *q->at); }

static void add_arrival(ideal *i, uint32_t label) {
    if (i->arrivals == i->arrival_room) {
        const size_t room = i->arrival_room ? 2 * i->arrival_room : 16;
        ace_arrival *at = realloc(i->arrived, room * sizeof *at);

        if (!at) {
            i->error = ACE_ENOMEM;
            return;
        }
        i->arrived = at;
        i->arrival_room = room;
    }
    i->arrived[i->arrivals++] = (ace_arrival){ .cycle = i->now, .label = label };
}

/* Passes a notice to the next link, or reports the message's arrival. */
static void forward_notice(ideal *i, uint64_t route) {
    const unsigned link = ace_route_target(route);

    if (link == ACE_ROUTER_HERE)
        add_arrival(i, (uint32_t)(route >> 32));
    else if (!i->out[link])
        i->error = ACE_EPROTO; /* no node sends there */
    else
        put(i, link, (notice){ .cycle = i->now + 1, .route = route });
}

/* Sends the notices of a command that has been served. */
static void send_notices(ideal *i, uint64_t number) {
    notices *q = &i->notices[SERVED];
    size_t kept = 0;

    for (size_t k = 0; k < q->count; k++)
        if (q->at[k].number == number)
            forward_notice(i, q->at[k].route);
        else
            q->at[kept++] = q->at[k];
    q->count = kept;
}

/* Takes the notices that arrive in this cycle, and sends one on each link. */
static void move_notices(ideal *i) {
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        const uint32_t *row;
        const ace_flit *f = i->in[l] ? ace_wire_peek(i->in[l], 0, &row) : NULL;
        notices *q = &i->notices[l];
        const bool goes = q->count && q->at[0].cycle <= i->now;

        if (goes || i->owed[l]) {
            ace_flit *to = ace_wire_slot(i->out[l]);

            *to = (ace_flit){ .frame = true, .routed_credit = i->owed[l] != 0 };
            if (goes) { /* counts one hop as done; a hub makes further hops itself */
                to->data = to->routed = true;
                to->route = q->at[0].route - (UINT64_C(1) << 8 * (l / 2));
                take_first(q);
            }
            i->owed[l] -= i->owed[l] != 0;
            ace_wire_commit(i->out[l], i->now, to->data, NULL);
        }
        if (!f || f->cycle != i->now) continue;
        if (f->data) {
            i->owed[l] += i->cfg.hub[l / 2];
            forward_notice(i, f->route);
        }
        ace_wire_drop(i->in[l], 1);
    }
}

/* Returns the next cycle in which a notice of this node moves. */
static uint64_t next_notice(const ideal *i) {
    uint64_t t = UINT64_MAX;

    for (unsigned l = 0; l < ACE_LINKS; l++) {
        const notices *q = &i->notices[l];

        if (i->owed[l]) return i->now;
        if (q->count && q->at[0].cycle < t) t = q->at[0].cycle;
    }
    return t;
}

static uint64_t next_arrival(const ideal *i) {
    uint64_t t = UINT64_MAX;

    for (unsigned l = 0; l < ACE_LINKS; l++) {
        const uint64_t a = i->in[l] ? ace_wire_next(i->in[l]) : UINT64_MAX;
        if (a < t) t = a;
    }
    return t;
}

/* ---- time ---------------------------------------------------------------------------- */

/* Returns the next cycle in which something changes: > now, or UINT64_MAX. */
static uint64_t next_event(const ideal *i) {
    uint64_t t = UINT64_MAX;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const work *w = served(i, d);
        if (!w) continue;
        const uint64_t end = i->now + (w->left[d] + RATE - 1) / RATE;
        if (end < t) t = end;
    }
    for (size_t j = 0; j < i->count; j++) {
        const work *w = &i->at[j];
        if (w->start > i->now && w->start < t) t = w->start;
        if (over(w) && w->earliest > i->now && w->earliest < t) t = w->earliest;
    }
    return t;
}

/* Completes commands that can complete in cycle `now`. */
static void complete(ideal *i) {
    size_t keep = 0;

    for (size_t j = 0; j < i->count; j++) {
        if (over(&i->at[j]) && i->at[j].earliest <= i->now) {
            i->done[i->finished++] = (ace_completion){ i->now, i->at[j].tag };
            if (i->at[j].number) send_notices(i, i->at[j].number);
        } else {
            i->at[keep++] = i->at[j];
        }
    }
    i->count = keep;
}

/* ---- what links did before --------------------------------------------------------------- */

static links_past *past_of(ideal *i, unsigned d) {
    return &i->past[i->shared >> d & 1 ? (unsigned)__builtin_ctz(i->shared) : d];
}

static void remember(links_past *p, uint64_t from, uint64_t to) {
    if (p->count && p->to[p->count - 1] == from) {
        p->to[p->count - 1] = to;
        return;
    }
    if (p->count == IDEAL_PERIODS) { /* forget the first one, and all before it */
        if (p->used < *p->to) p->used = *p->to;
        p->count--;
        memmove(p->from, p->from + 1, p->count * sizeof *p->from);
        memmove(p->to, p->to + 1, p->count * sizeof *p->to);
    }
    p->from[p->count] = from;
    p->to[p->count++] = to;
}

/* Takes up to `most` idle cycles of links between two cycles, the first ones. Returns how many. */
static uint64_t take_idle(links_past *p, uint64_t from, uint64_t to, uint64_t most) {
    uint64_t at = from > p->used ? from : p->used, taken = 0;

    for (size_t k = 0; k <= p->count && at < to && taken < most; k++) {
        const uint64_t next = k < p->count && p->from[k] < to ? p->from[k] : to;
        const uint64_t idle = next > at ? next - at : 0;
        const uint64_t part = idle < most - taken ? idle : most - taken;

        taken += part;
        at += part;
        if (taken < most && k < p->count && p->to[k] > at) at = p->to[k];
    }
    if (taken) p->used = at;
    return taken;
}

/* Rows that links only forward need not wait for their own node: they had the cycles in which the
 * links were idle since the first member began. */
static void credit(ideal *i, work *w) {
    for (unsigned d = 0; d < ACE_DIMENSIONS && w->first < w->credited; d++) {
        const uint64_t most = (w->forwarded[d] + RATE - 1) / RATE;
        const uint64_t cycles = take_idle(past_of(i, d), w->first, w->credited, most);
        uint64_t part = cycles == most ? w->forwarded[d] : cycles * RATE;

        w->forwarded[d] -= part;
        if (part > w->left[d]) part = w->left[d];
        w->left[d] -= part;
    }
    if (w->first < w->credited) w->credited = w->first;
}

static void ideal_run(ace_node *n, uint64_t until) {
    ideal *i = (ideal *)n;

    while (i->now < until) {
        work *w[ACE_DIMENSIONS];
        uint64_t t;

        for (size_t j = 0; j < i->count; j++)
            if (i->at[j].start <= i->now) credit(i, &i->at[j]);
        complete(i);
        if (next_notice(i) <= i->now || next_arrival(i) <= i->now) move_notices(i);
        t = next_event(i);
        if (next_notice(i) < t) t = next_notice(i);
        if (next_arrival(i) < t) t = next_arrival(i);
        if (t <= i->now) t = i->now + 1; /* notices for one link go one after the other */
        if (t > until) t = until;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) w[d] = served(i, d);
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            if (!w[d]) continue;
            const uint64_t part = (t - i->now) * RATE;
            w[d]->left[d] -= part < w[d]->left[d] ? part : w[d]->left[d];
            i->busy[d] += t - i->now;
            remember(past_of(i, d), i->now, t);
        }
        i->now = t;
    }
}

/* The node sleeps from one event to the next, and shows no progress between two events. */
static uint64_t ideal_moved(const ace_node *n) {
    (void)n;
    return 0;
}

static uint64_t ideal_quiet_until(const ace_node *n) {
    const ideal *i = (const ideal *)n;

    for (size_t j = 0; j < i->count; j++)
        if (over(&i->at[j]) && i->at[j].earliest <= i->now) return i->now;
    const uint64_t event = next_event(i), notice = next_notice(i);

    if (notice <= i->now) return i->now;
    return notice < event ? notice : event;
}

/* Returns the cycles of the phases of even or odd chunks, where all members begin together. */
static uint64_t chunk_steps(const ideal *i, const ace_chunk_plan *plan, unsigned odd) {
    uint64_t cycles = 0;

    for (unsigned j = 0; j < ACE_CLUSTER_PHASES; j++) { /* phases are right-aligned */
        const ace_phase *p = &plan->phase[j];

        if (p->kind == ACE_PHASE_NONE) continue;
        cycles += i->steps->at[p->dim][odd][p->kind][i->cfg.rank[p->dim]] * i->step[p->dim];
    }
    return cycles;
}

/* Returns the cycles of a command's steps, where one node stands for all members: of all phases, or
 * to the farthest member. */
static uint64_t hops(const ideal *i, const ace_command *c) {
    uint64_t cycles = 0;
    ace_chunk_plan plan;

    if (c->kind == ACE_ALL_TO_ALL || ace_composed(c)) {
        for (unsigned j = 0; j < c->dim_count; j++) {
            const unsigned d = c->dims[j], half = i->cfg.ring[d] / 2U;

            cycles += (i->cfg.hub[d] && half ? 1 : half) * i->step[d];
        }
        return cycles;
    }
    ace_plan_chunk(c, &i->cfg, 0, &plan);
    for (unsigned odd = 0; odd < 2 && odd < ace_plan_chunks(c, &i->cfg); odd++) {
        const uint64_t of_these = chunk_steps(i, &plan, odd);
        if (cycles < of_these) cycles = of_these;
    }
    return cycles;
}

/* Returns the cycles in which the rows that hubs send to this node cross its links. */
static uint64_t from_hubs(const ideal *i, const ace_command *c) {
    uint64_t link[ACE_CLUSTER_LINKS], most = 0;

    ace_command_hub_bytes(c, &i->cfg, link);
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) {
        const uint64_t cycles = link[l] / ACE_ROW_BYTES * i->cfg.link_cost[l / 2] / ACE_COST_ONE;
        if (cycles > most) most = cycles;
    }
    return most;
}

/* ---- the starts of others ------------------------------------------------------------ */

static void take(ideal *i, work *w, const ideal_answer *a) {
    const uint64_t first = a->first < w->start ? a->first : w->start;

    if (a->known && a->earliest >= w->earliest) w->earliest = a->earliest + 1;
    if (a->known && first + w->from_hubs > w->earliest) w->earliest = first + w->from_hubs;
    w->waits = !a->known;
    if (a->first < w->first) w->first = a->first;
    if (w->start <= i->now) credit(i, w);
}

static void receive_starts(ace_node *n, unsigned dims, uint32_t number,
                           const ideal_answer *answer) {
    ideal *i = (ideal *)n;

    for (size_t k = 0; k < i->count; k++) {
        work *const w = &i->at[k];

        if (w->waits && w->dims == dims && w->ordinal == number) take(i, w, answer);
    }
}

static bool report_next(ace_node *n, ideal_report *to) {
    ideal *i = (ideal *)n;

    if (i->reported == i->reports) {
        i->reported = i->reports = 0;
        return false;
    }
    *to = i->report[i->reported++];
    return true;
}

static const ideal_listener listener = { report_next, receive_starts };

/* Reports that the node begins a collective, and applies the starts of the other members. */
static int meet(ideal *i, const ace_command *c, work *w) {
    const ideal_need need = ideal_needs(c, &i->cfg, ideal_member(c, &i->cfg));
    ideal_report *r;
    ideal_answer answer;

    if (i->reports == i->report_room) {
        const size_t room = i->report_room ? 2 * i->report_room : 4;
        ideal_report *const at = realloc(i->report, room * sizeof *at);

        if (!at) return ACE_ENOMEM;
        i->report = at;
        i->report_room = room;
    }
    r = &i->report[i->reports];
    memset(r, 0, sizeof *r); /* its bytes go into checkpoints */
    r->command = *c;
    r->command.counts = NULL;
    r->command.message = NULL;
    r->start = w->start;
    r->representative = i->representative;
    w->dims = (uint8_t)ideal_dims(c);
    w->ordinal = r->number = i->begun[w->dims];
    if (need == IDEAL_NEEDS_NOBODY) { /* its members begin together */
        if (w->start + w->from_hubs > w->earliest) w->earliest = w->start + w->from_hubs;
    } else {
        const int e = ideal_starts_query(i->starts, r, &answer);

        if (e != ACE_OK) return e;
        ideal_forwarded(c, &i->cfg, i->queued, w->left, w->forwarded);
        take(i, w, &answer);
    }
    i->begun[w->dims]++;
    i->reports++;
    return ACE_OK;
}

static bool has_wires(const ideal *i) {
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (i->out[l]) return true;
    return false;
}

/* The rows of one direction of a message cross a port in each dimension, and the message cannot end
 * before they have crossed the slowest. With direct links, both directions share the link to a
 * member. */
static void cross_slowest(const ideal *i, uint64_t rows, uint32_t hops, unsigned routes, work *w) {
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const uint64_t share = i->direct >> d & 1 ? routes * (i->cfg.ring[d] - 1U) : 2;
        const uint64_t end = w->start + rows * i->cfg.link_cost[d] * share / 2 / ACE_COST_ONE;

        if (hops >> 8 * d & 0x7f && w->earliest < end) w->earliest = end;
    }
}

/* Reserves the direct link to the member that is `up` ranks up a dimension for `rows` rows. The
 * command cannot end before they have crossed the link. A node's two ports take a row in
 * link_cost each, and together feed the links to all other members. */
static void take_link(ideal *i, unsigned d, unsigned up, uint64_t rows, work *w) {
    const uint64_t others = i->cfg.ring[d] - 1U;
    const uint64_t cycles_q8 = (rows * i->cfg.link_cost[d] * others + 1) / 2;
    uint64_t *const free_at = &i->link_free[d][up];

    if (!(i->direct >> d & 1) || !up || !rows) return;
    if (*free_at < w->start) *free_at = w->start;
    *free_at += (cycles_q8 + ACE_COST_ONE - 1) / ACE_COST_ONE;
    if (w->earliest < *free_at) w->earliest = *free_at;
}

/* Returns how many ranks up a dimension the receiver of a route is. */
static unsigned up_of(const ideal *i, uint32_t hops, unsigned d) {
    const unsigned left = hops >> 8 * d & 0x7f, down = hops >> (8 * d + 7) & 1;

    return down && left ? i->cfg.ring[d] - left : left;
}

/* Sets the command's work to the busier link of each dimension on which its messages leave, and
 * stores the notices to send afterwards. */
static void serve_messages(ideal *i, const ace_command *c, work *w) {
    uint64_t rows[ACE_LINKS + 1] = { 0 };

    w->number = ++i->numbers;
    for (uint32_t m = 0; m < c->messages; m++)
        for (unsigned path = 0,
                      n = ace_message_routes(&i->cfg, c->message[m].peer, c->message[m].bytes);
             path < n; path++) {
            const ace_message_route on = ace_message_on(&i->cfg, &c->message[m], path);
            const uint64_t label = c->message[m].label | path;

            const unsigned first = ace_route_target(on.hops);

            rows[first] += on.rows;
            cross_slowest(i, on.rows, on.hops, n, w);
            if (first < ACE_LINKS)
                take_link(i, first / 2, up_of(i, on.hops, first / 2), on.rows, w);
            put(i, SERVED, (notice){ .number = w->number, .route = label << 32 | on.hops });
        }
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const uint64_t up = rows[2 * d], down = rows[2 * d + 1];

        w->left[d] = 2 * (up > down ? up : down) * i->cfg.link_cost[d];
    }
}

/* Returns how many ranks up a dimension the receiver of a send-receive is. */
static unsigned up_to_peer(const ideal *i, const ace_command *c, unsigned dimension) {
    unsigned from = c->root, to = c->peer;

    for (unsigned d = 0; d < dimension; d++) {
        if (!memchr(c->dims, (int)d, c->dim_count)) continue;
        from /= i->cfg.ring[d];
        to /= i->cfg.ring[d];
    }
    const unsigned ring = i->cfg.ring[dimension];

    return memchr(c->dims, (int)dimension, c->dim_count) ? (to % ring + ring - from % ring) % ring
                                                         : 0;
}

static int ideal_submit(ace_node *n, const ace_command *c, uint64_t cycle) {
    ideal *i = (ideal *)n;
    uint64_t bytes[ACE_CLUSTER_DIMENSIONS];
    work w;

    memset(&w, 0, sizeof w); /* its bytes go into checkpoints */
    w.start = w.first = w.credited = cycle;
    w.earliest = cycle + 1;
    w.tag = c->tag;
    if (cycle < i->now || (!c->bytes && !ace_composed(c))) return ACE_EINVAL;
    if (c->kind == ACE_MESSAGES && (!has_wires(i) || ace_composition_check(c, &i->cfg) != ACE_OK))
        return ACE_EINVAL;
    if (i->count == i->room) {
        const size_t room = i->room ? 2 * i->room : 16;
        work *at = realloc(i->at, room * sizeof *at);
        if (!at) return ACE_ENOMEM;
        i->at = at;
        i->room = room;
    }
    if (i->taken) { /* every command needs a slot among the completions */
        for (size_t j = i->taken; j < i->finished; j++) i->done[j - i->taken] = i->done[j];
        i->finished -= i->taken;
        i->taken = 0;
    }
    if (i->finished + i->count + 1 > i->done_room) {
        const size_t room = 2 * (i->finished + i->count + 1);
        ace_completion *done = realloc(i->done, room * sizeof *done);
        if (!done) return ACE_ENOMEM;
        i->done = done;
        i->done_room = room;
    }
    ace_command_bytes(c, &i->cfg, bytes);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        w.left[d] = bytes[d] / ACE_ROW_BYTES * i->cfg.link_cost[d];
    if (c->kind == ACE_MESSAGES) {
        serve_messages(i, c, &w);
    } else if (ace_composed(c)) { /* the two links of a dimension may get different amounts */
        uint64_t link[ACE_CLUSTER_LINKS];

        w.from_hubs = from_hubs(i, c);
        ace_command_link_bytes(c, &i->cfg, link);
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            const uint64_t up = link[2 * d], down = link[2 * d + 1];
            w.left[d] = 2 * (up > down ? up : down) / ACE_ROW_BYTES * i->cfg.link_cost[d];
            if (c->kind == ACE_SEND)
                take_link(i, d, up_to_peer(i, c, d), (up + down) / ACE_ROW_BYTES, &w);
        }
    }
    if (c->kind != ACE_MESSAGES && i->starts) {
        const int e = meet(i, c, &w);
        if (e != ACE_OK) return e;
    } else if (c->kind != ACE_MESSAGES) {
        w.earliest += hops(i, c);
        if (cycle + w.from_hubs > w.earliest) w.earliest = cycle + w.from_hubs;
    }
    i->at[i->count++] = w;
    return ACE_OK;
}

static bool ideal_completion(ace_node *n, ace_completion *c) {
    ideal *i = (ideal *)n;

    if (i->taken == i->finished) return false;
    *c = i->done[i->taken++];
    return true;
}

static bool ideal_arrival(ace_node *n, ace_arrival *a) {
    ideal *i = (ideal *)n;

    if (i->arrivals_taken == i->arrivals) {
        i->arrivals_taken = i->arrivals = 0;
        return false;
    }
    *a = i->arrived[i->arrivals_taken++];
    return true;
}

static size_t ideal_statistics(const ace_node *n, ace_statistic *to, size_t capacity) {
    static const char *const names[] = {
        "link.x.busy", "link.x.idle", "link.y.busy", "link.y.idle",
        "link.z.busy", "link.z.idle", "link.w.busy", "link.w.idle"
    };
    const ideal *i = (const ideal *)n;
    const size_t count = i->cfg.ring[3] > 1 ? 8 : 6;

    for (size_t j = 0; j < count && j < capacity; j++)
        to[j] = (ace_statistic){ names[j], j % 2 ? i->now - i->busy[j / 2] : i->busy[j / 2] };
    return count;
}

static void ideal_dump(const ace_node *n, FILE *f) {
    const ideal *i = (const ideal *)n;

    fprintf(f, "ideal endpoint, cycle %llu, %zu commands\n", (unsigned long long)i->now, i->count);
}

static int ideal_error(const ace_node *n) { return ((const ideal *)n)->error; }

static void notices_state(notices *q, ace_state *s) {
    uint64_t count = q->count;

    void *at = q->at;

    ACE_STATE(s, count);
    ace_state_array(s, &at, count, sizeof *q->at);
    q->at = at;
    if (s->loading) q->count = q->room = (size_t)count;
}

/* Checks the loaded state as a whole. */
static void check(const ideal *i, ace_state *s) {
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        const notices *const q = &i->notices[l];

        ace_state_must(s, i->owed[l] <= (i->out[l] != NULL), "ideal.owed");
        ace_state_must(s, i->out[l] || !q->count, "ideal.notices");
        for (size_t k = 0; k < q->count && ace_state_loaded(s); k++)
            ace_state_must(s, q->at[k].cycle <= i->now + 1 && ace_route_target(q->at[k].route) == l,
                           "ideal.notice");
    }
    for (size_t j = 0; j < i->count && ace_state_loaded(s); j++) {
        ACE_STATE_BOOLS(s, "ideal.waits", &i->at[j].waits);
        ace_state_must(s, !i->at[j].waits || i->starts, "ideal.waits");
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
            ace_state_must(s, i->at[j].left[d] <= UINT64_MAX - RATE, "ideal.left");
    }
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        ace_state_must(s, i->past[d].count <= IDEAL_PERIODS, "ideal.past");
    ace_state_must(s, i->error == ACE_OK, "ideal.error");
}

static void ideal_state(ace_node *n, uint64_t now, ace_state *s) {
    ideal *i = (ideal *)n;
    uint64_t count = i->count, waiting = i->finished - i->taken;

    ACE_STATE(s, i->now);
    ace_state_must(s, now == UINT64_MAX || i->now == now, "ideal.now");
    ACE_STATE(s, i->busy);
    ACE_STATE(s, i->past);
    ACE_STATE(s, i->link_free);
    ACE_STATE(s, count);
    ACE_STATE(s, waiting);
    void *at = i->at, *done = s->loading ? i->done : i->done + i->taken;
    ace_state_array(s, &at, count, sizeof *i->at);
    ace_state_array(s, &done, waiting, sizeof *i->done);
    if (s->loading) {
        i->at = at;
        i->done = done;
        i->taken = 0;
        if (s->failed) return;
        i->room = i->count = (size_t)count;
        i->finished = (size_t)waiting;
        i->done_room =
            i->finished + i->count; /* every command needs a slot among the completions */
        done = realloc(i->done, (i->done_room + 1) * sizeof *i->done);
        s->failed = !done;
        if (!done) return;
        i->done = done;
    }
    i->arrivals_taken = i->arrivals = 0; /* all arrivals were taken: see ace_node_arrival() */
    i->reported = i->reports = 0;
    ACE_STATE(s, i->numbers);
    ACE_STATE(s, i->begun);
    ACE_STATE(s, i->owed);
    ACE_STATE(s, i->error);
    for (unsigned q = 0; q < QUEUES && !s->failed; q++) notices_state(&i->notices[q], s);
    if (ace_state_loaded(s)) check(i, s);
}

uint64_t ideal_step(const ace_config *cfg, unsigned direct, unsigned dim, uint64_t latency) {
    const bool through_switch = cfg->hub[dim] && !(direct >> dim & 1);

    return (through_switch ? 2 : 1) * latency + 1;
}

int ideal_node_create(const ideal_setup *setup, ace_node **node) {
    static const ace_node_class class_ = { "ideal",           ideal_destroy,    ideal_run,
                                           ideal_quiet_until, ideal_submit,     ideal_completion,
                                           ideal_arrival,     ideal_statistics, ideal_dump,
                                           ideal_error,       ideal_state,      ideal_moved };
    ideal *i = calloc(1, sizeof *i);

    if (!i) return ACE_ENOMEM;
    i->node.class_ = &class_;
    i->cfg = *setup->cfg;
    i->steps = setup->steps;
    i->shared = setup->shared;
    i->direct = setup->direct;
    i->starts = setup->starts;
    i->representative = setup->representative;
    i->queued = setup->queued;
    memcpy(i->step, setup->step, sizeof i->step);
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        i->in[l] = setup->in ? setup->in[l] : NULL;
        i->out[l] = setup->out ? setup->out[l] : NULL;
    }
    if (i->starts) ideal_starts_join(i->starts, i->representative, &i->node, &listener);
    *node = &i->node;
    return ACE_OK;
}
