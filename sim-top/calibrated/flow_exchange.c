/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_exchange.c -- rates of an all-to-all or of messages, as a fluid between buffers
 *
 * The exchange has one rate for reads, one for links and one for writes. Each rate follows from the
 * slowest limit: a link, the memory's arbiter, or buffers that are full. When a limit changes, the
 * amounts are first moved to the present cycle. Then the rates are recomputed, and the rest goes to
 * the chunks.
 */
#include "flow_exchange.h"

#include <string.h>

#include "ace_exchange.h"
#include "flow_events.h"
#include "flow_links.h"
#include "flow_memory.h"

/* Amounts of rows, in input buffers. The buffers where rows change dimension begin to fill
 * up at FILL_FIRST rows, and are full at FILL_LAST. They fill only as far as rows wait there:
 * FILL_WAITING is full. On a ring of two, rows go up and down alternately. There the memory's rate
 * decides whether both first rows need the same link, and FILL_PART of the loss is the middle. This
 * part is reached at FILL_TWO, and the rest from FILL_LAST to FILL_ALL. */
enum { FILL_FIRST = 4, FILL_TWO = 7, FILL_LAST = 10, FILL_ALL = 14, FILL_WAITING = 2 };
#define FILL_PART 0.6
/* Both links of a dimension have the same rows to send, and one is full before the other is. So
 * they change over in the middle, when this share of the exchange is left. */
#define CHANGE_OVER 0.5

static void exchange_move(chunk_flow *f) {
    exchange *x = &f->exchange;
    const double by = f->now - x->at;

    if (x->runs && by > 0) {
        const double sent = x->rate * by, read = x->reading * by;

        x->left -= sent;
        x->unread = fmax(x->unread - read * x->rows, 0);
        x->unwritten = fmax(x->unwritten + (sent - x->writing * by) * x->rows, 0);
        x->burst_rows -= read * x->rows;
        if (x->filled & f->busy) x->unsure += by;
    }
    x->at = f->now;
}

/* Returns whether rows always wait for a link. Rows that turn to it wait in queues, where the first
 * row of each queue holds up the others. Once all first rows wait for one link of the dimension,
 * the other link gets only the rows that pass these first rows. From a hub all first rows want the
 * upper link, until it has sent its rows. Then the links change over. From a ring to a ring they
 * want the lower one, and the sender waits, too, so this does not change. From a ring to a hub both
 * are full. */
static bool is_headed(const chunk_flow *f, unsigned l) {
    const exchange *x = &f->exchange;

    if (l / 2 != x->headed) return true;
    if (f->s.config.hub[x->headed_from]) return (l % 2 == 0) == (x->left > CHANGE_OVER);
    return f->s.config.hub[x->headed] || l % 2 != 0;
}

/* Sets what the exchange leaves of each link. Its rows go first, so a link where rows always wait
 * has nothing left. Rows come to wait when the exchange reads more than the links take. On the
 * first link that it fills, they also wait as soon as it reads again after loads have stopped its
 * reads. Another full link passes rows on only at a link's rate. Rows that come over such a link
 * begin to wait later.
 */
static void links_left(chunk_flow *f, double rate, double left[ACE_CLUSTER_LINKS]) {
    exchange *x = &f->exchange;
    unsigned dimensions = 0;

    x->filled = 0;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const uint32_t before = x->filled;

        for (unsigned l = 2 * d; l <= 2 * d + 1; l++) {
            const double busy = rate * x->link[l];

            x->filled |= (uint32_t)(busy >= ALMOST_FULL) << l;
            const bool waits = before ? x->full && f->now >= x->behind : x->full || x->starved;
            left[l] = busy < ALMOST_FULL         ? 1 - busy
                      : waits && is_headed(f, l) ? 0
                                                 : f->s.flow->exchange_gap;
        }
        dimensions += x->filled != before;
    }
    if (dimensions < 2) x->filled &= x->headed < ACE_CLUSTER_DIMENSIONS ? 3u << 2 * x->headed : 0;
    if (f->s.full == FLOW_LIKELY) return;
    for (uint32_t set = x->filled; set; set &= set - 1)
        left[__builtin_ctz(set)] = f->s.full == FLOW_WAITS ? 0 : f->s.flow->exchange_gap;
}

/* Returns how long the loads' outstanding requests take, which come before a new one: as many
 * bursts as may be under way. */
static double loads_before(chunk_flow *f) {
    memory_port *m = &f->read;
    double bursts = f->s.parameters.memory_bursts, left = 0;

    flow_port_move(m, f->now);
    for (unsigned i = 0; i < m->count && bursts > 0; i++) {
        const chunk_shape *t = flow_shape(f, m->chunk[(m->head + i) % FLOW_CHUNKS]);
        const double burst = t->load_burst * m->cost;
        const double some = fmin(i ? t->load : m->left, bursts * burst);

        left += some;
        bursts -= some / burst;
    }
    return left;
}

/* Returns how long the exchange's next requests wait for loads. A few cycles decide whether loads
 * or the exchange request first. So in FLOW_WAITS the exchange comes before the first loads. */
static double wait_for_loads(chunk_flow *f) {
    exchange *x = &f->exchange;
    const double before = loads_before(f);
    const bool first = f->s.full == FLOW_WAITS && !x->came_first && before > NOTHING;

    x->came_first = x->came_first || first;
    return first ? 0 : before;
}

/* Returns the exchange's read rate. The memory answers in order. The exchange's requests come in
 * one group, followed by what loads have requested until then. */
static double exchange_reading(chunk_flow *f) {
    exchange *x = &f->exchange;

    if (x->unread <= NOTHING) return 0;
    if (!f->read.count) {
        x->burst_rows = f->s.parameters.exchange_bursts;
    } else if (x->burst_rows <= NOTHING) {
        x->burst_rows = f->s.parameters.exchange_bursts;
        x->loads = f->now + wait_for_loads(f);
    }
    return f->read.count && f->now < x->loads ? 0 : 1 / fmax(x->read, x->trips);
}

/* Returns the exchange's share of writes. Stores have one burst under way at a time, and all rows
 * that the exchange has ready are written before the next burst. */
static double writes_of(const chunk_flow *f) {
    const memory_port *m = f->write[0].count ? f->write : f->write + 1;

    if (!m->count) return 1;
    const double burst = flow_shape(f, m->chunk[m->head])->store_burst;
    return ACE_EXCHANGE_PLACES / (ACE_EXCHANGE_PLACES + burst);
}

/* Sets the rates. The slowest link limits the link rate. When no rows have been read ahead, the
 * read rate does. Once the buffers behind the links are full, the write rate does. Rows that must
 * cross another link wait in the same buffers as rows for the memory. */
static void exchange_pace(chunk_flow *f) {
    exchange *x = &f->exchange;

    x->rate = x->reading = x->writing = 0;
    x->next_change = NEVER;
    if (!x->runs) return;
    const double writes = fmin(writes_of(f) / x->write, 1 / x->trips);
    const double queued = fmax(x->left * x->rows - x->unread, 0); /* rows read ahead of the links */
    const double room = x->buffers - queued - x->unwritten;
    const bool backed = room <= NOTHING, behind = x->unwritten > NOTHING;
    double through = backed ? writes : INFINITY;
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++)
        if (x->link[l] > 0) through = fmin(through, 1 / x->link[l]);
    if (x->least > 0) through = fmin(through, 1 / x->least);
    if (isinf(through)) through = writes;
    x->reading = exchange_reading(f);
    const bool most = queued >= x->most - NOTHING, none = queued <= NOTHING && x->unread > NOTHING;
    if (most) x->full = true;
    if (none && x->reading < through) {
        x->full = false;
        x->starved = true;
    }
    x->rate = x->left <= NOTHING ? 0 : none ? fmin(through, x->reading) : through;
    x->writing = behind ? writes : fmin(writes, x->rate);
    if (most) x->reading = fmin(x->reading, x->rate);
    const double filling = (x->reading - x->rate) * x->rows, rows = x->reading * x->rows;
    const double backing = (x->rate - x->writing) * x->rows, both = filling + backing;
    if (both > 0 ? !backed : both < 0 && room < -NOTHING) x->next_change = f->now + room / both;
    if (backing < 0) x->next_change = fmin(x->next_change, f->now - x->unwritten / backing);
    if (filling > 0) x->next_change = fmin(x->next_change, f->now + (x->most - queued) / filling);
    if (filling < 0 && !none && x->unread > NOTHING)
        x->next_change = fmin(x->next_change, f->now - queued / filling);
    if (f->now < x->behind) x->next_change = fmin(x->next_change, x->behind);
    if (x->headed < ACE_CLUSTER_DIMENSIONS && x->left > CHANGE_OVER && x->rate > 0)
        x->next_change = fmin(x->next_change, f->now + (x->left - CHANGE_OVER) / x->rate);
    if (rows > 0) x->next_change = fmin(x->next_change, f->now + x->unread / rows);
    if (rows > 0 && f->read.count)
        x->next_change = fmin(x->next_change, f->now + x->burst_rows / rows);
    if (f->read.count && f->now < x->loads) x->next_change = fmin(x->next_change, x->loads);
    x->next_change = flow_behind(f->now, x->next_change);
}

/* Returns the rate that decides what is left to chunks. While loads keep the exchange from reading,
 * its queues become empty, or nearly so, and chunks pass. In FLOW_WAITS links that limit the
 * exchange stay full. */
static double rate_of_links(const chunk_flow *f) {
    const exchange *x = &f->exchange;
    double tightest = 0;

    if (f->s.full != FLOW_WAITS || !x->runs || x->left <= NOTHING) return x->rate;
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) tightest = flow_more(tightest, x->link[l]);
    return tightest > flow_more(x->read, x->trips) ? 1 / tightest : x->rate;
}

/* Sets the exchange's rates, and leaves the rest to chunks. */
void flow_exchange_rates(chunk_flow *f) {
    exchange *x = &f->exchange;
    double lefts[ACE_CLUSTER_LINKS];
    uint32_t changed = 0; /* links, one bit each */

    exchange_move(f);
    exchange_pace(f);
    links_left(f, rate_of_links(f), lefts);
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) {
        link *k = &f->links[l];

        if (fabs(lefts[l] - k->share) < 1e-9) continue;
        flow_link_move(k, f->now);
        k->share = lefts[l];
        changed |= f->busy | 1u << l; /* chunks wait in their queues for other links */
    }
    for (; changed; changed &= changed - 1) {
        link *k = &f->links[__builtin_ctz(changed)];

        flow_link_move(k, f->now);
        flow_link_rates(f, k);
        flow_link_ends(f, k);
    }
    f->read.share = fmax(1 - x->reading * x->read, 0);
    f->write[0].share = f->write[1].share = fmax(1 - x->writing * x->write, 0);
    flow_scratchpad(f);
}

/* Returns how many rows can be read ahead: the exchange's queues and the router's output buffers
 * for the links that it fills. */
static double read_ahead(const chunk_flow *f) {
    const ace_parameters *p = &f->s.parameters;
    const exchange *x = &f->exchange;
    double tightest = 0, rows = 0;

    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) tightest = fmax(tightest, x->link[l]);
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++)
        if (x->link[l] > 0 && x->link[l] >= ALMOST_FULL * tightest)
            rows += p->exchange_rows + p->router_output_rows;
    return rows;
}

/* Returns how many rows can wait behind the links: before the memory, and in the routers, whose
 * buffers fill as rows cross each link. When the buffers of one link are full, the sender stalls,
 * and with it everything read later. So the other buffers fill no further. A hub takes all that is
 * sent. */
static double read_behind(const chunk_flow *f) {
    const exchange *x = &f->exchange;
    double all = 0, most = 0;

    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) {
        const double rows = x->link[l] > 0 ? x->link[l] / f->links[l].cost : 0;

        if (rows > 0 && f->s.config.hub[l / 2]) return INFINITY;
        all += rows;
        most = fmax(most, rows);
    }
    return ACE_EXCHANGE_PLACES + (most > 0 ? f->s.parameters.router_input_rows * all / most : 0);
}

/* Sets an all-to-all's rows for each link and for the memory, and its longest route. */
static double load_blocks(chunk_flow *f, const ace_command *c) {
    exchange *x = &f->exchange;
    const ace_config *cfg = &f->s.config;
    const flow_parameters *w = f->s.flow;
    uint64_t rows[ACE_CLUSTER_LINKS];

    ace_plan_exchange_rows(c, cfg, rows);
    x->tail = x->least = 0;
    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) {
        x->link[l] = (double)rows[l] * flow_cost_of(f, l / 2) * w->exchange_share[l / 2];
        f->links[l].rows += rows[l];
    }
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const unsigned hops = cfg->hub[d] ? cfg->ring[d] > 1 : cfg->ring[d] / 2u;

        if (rows[2 * d]) x->tail += hops * ((double)f->s.latency[d] + w->exchange_hop[d]);
    }
    return (double)(ace_plan_members(c, cfg) * ace_plan_block_rows(c, cfg));
}

static double within(double least, double most, double value) {
    return flow_less(flow_more((value - least) / (most - least), 0), 1);
}

/* Returns how full the buffers before the turn to a dimension are, at most. */
static double filled_by(const chunk_flow *f, unsigned to) {
    const double buffers = f->exchange.rows / f->s.parameters.router_input_rows;

    if (f->s.config.hub[to] || f->s.config.ring[to] > 2)
        return within(FILL_FIRST, FILL_LAST, buffers);
    return FILL_PART * within(FILL_FIRST, FILL_TWO, buffers) +
           (1 - FILL_PART) * within(FILL_LAST, FILL_ALL, buffers);
}

/* Rows that turn from one dimension to a slower one wait in buffers that both of its links share.
 * Once the buffers are full, their first rows often want the same link, and the other link is idle.
 * On a ring the sender stalls, too. So the loss is proportional to the buffers, and later rows add
 * nothing. A hub still accepts rows, and its link is then slower for every row. */
static void lose_at_turn(chunk_flow *f) {
    exchange *x = &f->exchange;
    const double buffer = f->s.parameters.router_input_rows;
    double most = 0;
    unsigned to = 0, from = ACE_CLUSTER_DIMENSIONS;

    for (unsigned l = 0; l < ACE_CLUSTER_LINKS; l++) most = flow_more(most, x->link[l]);
    while (to + 1 < ACE_CLUSTER_DIMENSIONS && x->link[2 * to] < ALMOST_FULL * most) to++;
    for (unsigned d = 0; d < to; d++)
        if (x->link[2 * d] > 0) from = d;
    if (from == ACE_CLUSTER_DIMENSIONS) return;
    const double waiting = x->rows * (1 - flow_more(x->read, x->trips) / most);
    const double full = flow_less(filled_by(f, to), within(0, FILL_WAITING * buffer, waiting));
    const double turn = f->s.flow->exchange_turn[to] * full;
    const double behind = flow_more(1 - FILL_LAST * buffer / x->rows, 0);

    if (!f->s.config.hub[from]) x->lost = turn * buffer * flow_cost_of(f, to);
    for (unsigned l = 2 * to; f->s.config.hub[from] && l < 2 * to + 2; l++)
        x->link[l] *= 1 + turn * behind;
    for (unsigned d = to + 1; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (x->link[2 * d] >= ALMOST_FULL * most) return; /* it fills several dimensions */
    if (x->rows <= (f->s.config.hub[from] ? FILL_LAST : FILL_FIRST) * buffer) return;
    x->headed = to;
    x->headed_from = from;
}

/* Returns the cycles from a message's last row on a link to its arrival. */
static double mail_latency(const chunk_flow *f, const flow_mail *m) {
    double cycles = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        cycles += message_steps(m, &f->s.config, d) *
                  ((double)f->s.latency[d] + f->s.flow->exchange_hop[d]);
    return cycles;
}

/* On a ring, rows that continue have precedence over rows that enter, which need two free slots. If
 * some rows turn to a link that is late, the ring's buffers fill up. From then on the nodes that
 * use the ring keep it, and groups of nodes that do not send to each other run one after the other.
 * Until then all groups have sent, together about twice the buffers of a link and its queue. */
static double wait_for_rings(const chunk_flow *f, const message_list *m, double cycles) {
    const ace_parameters *p = &f->s.parameters;
    const double total_rows = p->exchange_rows + p->router_output_rows + p->router_input_rows;
    double most = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const message_ring r = message_list_ring(m, &f->s.config, d);

        if (!r.turns_corner || r.groups < 2) continue;
        const double behind = 1 - 2 * total_rows / (double)r.entering;
        most = fmax(most, (r.groups - 1) * cycles * fmax(behind, 0));
    }
    return most;
}

/* Sets the same for messages. Their rows are counted on each link that they cross. */
static double load_messages(chunk_flow *f, const message_list *m) {
    exchange *x = &f->exchange;
    double cost[ACE_LINKS];

    x->tail = 0;
    for (unsigned l = 0; l < ACE_LINKS; l++)
        x->link[l] = (double)m->link[l] *
                     (cost[l] = flow_cost_of(f, l / 2) * f->s.flow->exchange_share[l / 2]);
    const double cycles = message_list_cycles(m, &f->s.config, cost);
    x->least = cycles + wait_for_rings(f, m, cycles);
    for (unsigned i = 0; i < m->mails; i++) x->tail = fmax(x->tail, mail_latency(f, &m->mail[i]));
    return (double)m->rows;
}

/* The first rows of an exchange come behind the loads that were requested before. In FLOW_PASSES
 * they also come behind the loads requested meanwhile. */
static unsigned rounds_before(const chunk_flow *f) { return f->s.full == FLOW_PASSES ? 2 : 1; }

void flow_exchange_begin(chunk_flow *f) {
    exchange *x = &f->exchange;

    if (x->rounds_before < rounds_before(f)) {
        const double least = x->rounds_before ? 0 : f->s.config.memory_latency;

        x->came_first = x->came_first && x->rounds_before;
        x->rounds_before++;
        flow_later(f, f->now + fmax(wait_for_loads(f), least), EXCHANGE_BEGIN, 0, 0);
        return;
    }
    x->rounds_before = 0;
    const exchange_work *one = &x->waiting[0];
    const bool messages = one->c.kind == ACE_MESSAGES;
    const ace_config *cfg = &f->s.config;
    const flow_parameters *w = f->s.flow;
    const double rows = messages ? load_messages(f, &one->messages) : load_blocks(f, &one->c);

    x->runs = true;
    x->left = 1;
    x->at = f->now;
    x->read = rows * (double)cfg->read_cost / ACE_COST_ONE * w->exchange_memory;
    x->write = rows * (double)cfg->write_cost / ACE_COST_ONE * w->exchange_memory;
    x->trips = rows * (cfg->memory_latency + w->exchange_trip) / f->s.parameters.exchange_bursts;
    x->earliest = f->now + fmax(fmax(x->read, x->write), x->trips) + (messages ? 0 : x->tail);
    x->behind = f->now + w->exchange_fill * x->tail;
    x->rows = x->unread = rows;
    x->burst_rows = f->s.parameters.exchange_bursts;
    x->loads = 0;
    x->unwritten = 0;
    x->sent = NEVER;
    x->lost = 0;
    x->headed = ACE_CLUSTER_DIMENSIONS;
    if (!messages) lose_at_turn(f);
    x->most = read_ahead(f);
    x->buffers = read_behind(f);
    x->full = x->starved = false;
    flow_exchange_rates(f);
}

/* Returns when the links have sent the last row, or the memory has written it. */
double flow_exchange_ends(const exchange *x) {
    if (!x->runs) return NEVER;
    if (x->rate > 0) return x->at + fmax(x->left, 0) / x->rate;
    if (x->left > NOTHING) return NEVER;
    if (x->unwritten <= NOTHING) return x->at;
    return flow_behind(x->at, x->at + x->unwritten / (x->writing * x->rows));
}

/* Completes the first command. The next one begins if the dispatcher has taken it. */
void flow_exchange_next(chunk_flow *f) {
    exchange *x = &f->exchange;

    flow_complete(f, x->waiting[0].c.tag);
    message_list_free(&x->waiting[0].messages);
    x->count--;
    memmove(x->waiting, x->waiting + 1, x->count * sizeof *x->waiting);
    if (x->count > x->outside)
        flow_later(f, f->now + f->s.flow->exchange_start, EXCHANGE_BEGIN, 0, 0);
}

void chunk_flow_deliver(chunk_flow *f, uint32_t label, uint64_t cycle) {
    flow_later(f, fmax((double)cycle, f->now), ARRIVE, 0, label);
}

/* Returns whether a message comes back to this node, over links of its own. */
static bool is_own(const chunk_flow *f, const flow_mail *m) {
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (message_steps(m, &f->s.config, d) && !(f->s.own >> d & 1)) return false;
    return true;
}

/* Passes on all messages after their last rows. They go to other nodes, or to this node if it
 * stands for their receivers. */
static void messages_end(chunk_flow *f) {
    exchange *x = &f->exchange;
    const message_list *m = &x->waiting[0].messages;
    const double end = fmax(f->now, x->earliest);

    for (unsigned i = 0; i < m->mails; i++) {
        flow_mail mail = m->mail[i];

        /* includes the time to write its trailer */
        mail.cycle = (uint64_t)ceil(end + mail_latency(f, &mail) + f->s.config.memory_latency);
        if (is_own(f, &mail)) {
            for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
                chunk_flow_cross(f, 2 * d + (mail.hops >> (8 * d + 7) & 1),
                                 mail.rows * message_steps(&mail, &f->s.config, d));
            chunk_flow_deliver(f, mail.label, mail.cycle);
        } else if (GROW(f, f->mails, f->mail_count, f->mail_room)) {
            f->mails[f->mail_count++] = mail;
        }
    }
    x->runs = false;
    flow_exchange_rates(f);
    flow_later(f, end, EXCHANGE_OVER, 0, 0);
}

/* Ends the exchange after its last row. The members of an all-to-all then meet. */
void flow_exchange_end(chunk_flow *f) {
    exchange *x = &f->exchange;

    exchange_move(f);
    if (isinf(x->sent)) x->sent = f->now;
    if (x->unwritten > NOTHING) {
        x->left = 0;
        flow_exchange_rates(f);
        return;
    }
    if (x->waiting[0].c.kind == ACE_MESSAGES) {
        messages_end(f);
        return;
    }
    const double end =
        fmax(fmax(f->now, x->sent + f->s.flow->exchange_tail * x->tail + x->lost), x->earliest) +
        f->s.config.memory_latency; /* its last row is written */
    double soonest = 0; /* the farthest member gets a row over a link of each dimension */
    flow_token t = { .number = x->number, .phase = FLOW_EXCHANGE };

    x->runs = false;
    flow_exchange_rates(f);
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (x->link[2 * d] > 0) {
            t.dims |= (uint8_t)(1u << d);
            soonest = fmax(soonest, f->now + (double)f->s.latency[d]);
        }
    t.cycle = (uint64_t)ceil(t.dims ? fmax(end, soonest) : end);
    flow_at_barrier(f, t);
}
