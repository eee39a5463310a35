/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_links.c -- shares of links, pipes and banks among the phases of chunks
 *
 * A job has the work that is left and a rate. When jobs come or go, a link is divided among
 * phases, and each phase serves its oldest chunks first. If all links together want too much of
 * the scratchpad, their jobs slow down. A link whose jobs all have what they can use is not
 * divided again.
 */
#include "flow_links.h"

#include <string.h>

#include "flow_events.h"
#include "flow_exchange.h"
#include "flow_memory.h"

double flow_cost_of(const chunk_flow *f, unsigned d) {
    return (double)f->s.config.link_cost[d] / ACE_COST_ONE;
}

void flow_link_move(link *k, double to) {
    const double by = to - k->at;

    if (by > 0)
        for (unsigned i = 0; i < k->count; i++) {
            k->jobs[i].left -= k->jobs[i].rate * by;
            k->jobs[i].ahead += k->jobs[i].pace * by;
        }
    k->at = to;
}

/* Returns how many halves of a phase's rows their receiver reduces, instead of copying them. */
static uint8_t halves_reduced(ace_phase_kind kind) {
    return kind == ACE_PHASE_REDUCE_SCATTER ? 2 : kind == ACE_PHASE_ALL_REDUCE ? 1 : 0;
}

static double part_of(uint8_t halves) { return halves * 0.5; }

/* Returns the links with jobs in the same direction, this one included. */
static uint32_t neighbours(const chunk_flow *f, const link *k) {
    return flow_busy(f, (unsigned)(k - f->links));
}

/* Returns whether each pair of members has a link of its own. */
static bool is_direct(const chunk_flow *f, const link *k) {
    return f->s.divided[(k - f->links) / 2] > 1;
}

/* Returns whether shards go over the link one by one. */
static bool by_shards(const chunk_flow *f, const link *k) {
    return f->by_shards >> (k - f->links) / 2 & 1;
}

static const phase_shape *phase_of(const chunk_flow *f, const job *j) {
    return &flow_shape(f, j->chunk)->phase[j->phase];
}

/* Returns the number of a phase's shard at a hub, from 0 on. */
static unsigned shard_of(const phase_shape *t, const job *j) {
    return t->shards[j->chunk & 1] - j->shards;
}

/* Returns whether the receiver of the shard copies it. */
static bool is_copied(const phase_shape *t, const job *j) {
    return shard_of(t, j) >= t->summed[j->chunk & 1];
}

/* Returns the peer that gets the shard, as a distance upwards. Even chunks begin with the next
 * member above, and odd ones with the next below. */
static unsigned peer_of(const chunk_flow *f, const job *j) {
    const phase_shape *t = phase_of(f, j);
    const unsigned peers = f->s.config.ring[t->dim] - 1u, k = shard_of(t, j) % peers;

    return j->chunk & 1 ? peers - k : k + 1;
}

/* Finds the longest shards of each phase on a link, and the share that their chunks use. */
static void find_longest(chunk_flow *f, link *k) {
    longest_shard *all = f->longest[k - f->links];

    memset(all, 0, sizeof f->longest[0]);
    k->mixed = false;
    for (unsigned i = 0; i < k->count; i++) {
        const job *j = &k->jobs[i];
        const phase_shape *t = phase_of(f, j);
        longest_shard *of = &all[j->phase];

        if (j->state != SENDS) continue;
        k->mixed = k->mixed || (of->cycles > 0 && t->shard != of->cycles);
        if (t->shard > of->cycles) *of = (longest_shard){ .cycles = t->shard };
        if (t->shard < of->cycles) continue;
        of->used += by_shards(f, k) ? 1 : flow_most(f, j);
    }
}

/* Returns the longest shards of other jobs: of the job's phase and direction, on any link. Where
 * shards go one by one, those on the same link are followed themselves. */
static longest_shard longest_beside(const chunk_flow *f, const link *k, unsigned phase) {
    longest_shard most = { 0 };

    for (uint32_t open = neighbours(f, k); open; open &= open - 1) {
        const unsigned l = (unsigned)__builtin_ctz(open);
        const longest_shard *here = &f->longest[l][phase];

        if ((k == &f->links[l] && by_shards(f, k)) || here->cycles < most.cycles) continue;
        most.used = here->used + (here->cycles > most.cycles ? 0 : most.used);
        most.cycles = here->cycles;
    }
    return most;
}

/* A shard that has begun continues. While a chunk waits for its next shard, other chunks of its
 * phase begin longer shards, and the chunk then waits for these. Returns the share of the link that
 * remains for a chunk next to others with longer shards. */
static double behind_longer(const chunk_flow *f, const link *k, const job *j, double most) {
    const phase_shape *t = phase_of(f, j);
    const longest_shard beside = longest_beside(f, k, j->phase);
    const double used = flow_less(beside.used, 1);

    if (beside.cycles <= t->shard) return most;
    if (!by_shards(f, k)) {
        const double next = f->s.latency[t->dim] + t->hop - t->shard;
        const double wait = ceil(flow_more(next, 0) / beside.cycles) * beside.cycles;

        return flow_less(most,
                         t->shard / (t->shard + (1 - used) * flow_more(next, 0) + used * wait));
    }
    const double rest = t->rest[is_copied(t, j)] - (f->s.config.hub[t->dim] ? 0 : t->shard);
    const double next = flow_more(rest, 0) + flow_more(t->peer - t->shard, 0);
    const double wait = ceil(next / beside.cycles) * beside.cycles - next;

    return t->shard / (t->shard / most + used * wait);
}

/* Returns the share of the link that a job can use. */
static double can_use(const chunk_flow *f, const link *k, const job *j) {
    const phase_shape *t = phase_of(f, j);
    double most = flow_most(f, j);

    if (by_shards(f, k)) most = j->state == SENDS ? t->rate[is_copied(t, j)] : 0;
    return f->shape_count > 1 && most > 0 ? behind_longer(f, k, j, most) : most;
}

/* Returns whether the rates of a link are what its jobs can use. With longer shards on
 * another link, that may have changed since. */
static bool has_all(const chunk_flow *f, const link *k) { return k->free && f->shape_count == 1; }

/* Returns the share of the link that the chunks of a phase could use together. */
static double want_of(const chunk_flow *f, const link *k, unsigned phase) {
    const bool known = has_all(f, k);
    double want = 0;

    for (unsigned i = 0; i < k->count; i++)
        if (k->jobs[i].phase == phase) want += known ? k->jobs[i].rate : can_use(f, k, &k->jobs[i]);
    return want;
}

/* Among the chunks of a phase and direction, one in the middle of a shard goes before one that
 * would begin a shard, even for another link. So all links of a phase together carry one link's
 * worth. But when that chunk stalls, others begin, and then all of them go on. A few cycles decide
 * when, so *shared is set. Their rows also wait in one queue. So if another link is full, a row for
 * this link may wait there for each row of the other one. It does where shards go one by one, since
 * one chunk has few rows in the queue. */
static double may_want(const chunk_flow *f, const link *k, unsigned phase, bool *shared) {
    const double want = want_of(f, k, phase);
    const bool queues = by_shards(f, k) || f->s.full == FLOW_WAITS;
    double all = 0, most = want;

    if (f->s.full == FLOW_PASSES) return want;
    for (uint32_t open = neighbours(f, k); open; open &= open - 1) {
        const link *other = &f->links[__builtin_ctz(open)];

        if (!(other->wanting >> phase & 1)) continue;
        const double wanted = other == k ? want : want_of(f, other, phase);
        all += flow_less(wanted, 1);
        if (queues && other != k && wanted >= ALMOST_FULL * other->share)
            most = flow_less(most, flow_more(other->share, LEAST_SHARE) * k->cost / other->cost);
    }
    *shared = *shared || most < want || (all > 1 && all > want);
    return all <= 1 || all <= want ? most : flow_less(flow_less(want, 1) / all, most);
}

/* Divides a link among phases. Among queues with a row for the link, the latest phase goes first.
 * But a phase whose queue holds a row needs two free slots at the link, and a phase with an empty
 * queue needs only one. So an earlier phase comes between. The share `late_first` follows the order
 * of phases. The rest is shared evenly, and other phases get the part that one phase cannot use.
 * Returns whether another link limits a phase. */
static bool divide(const chunk_flow *f, const link *k, double capacity,
                   double share[ACE_CLUSTER_PHASES]) {
    bool shared = false;
    double want[ACE_CLUSTER_PHASES], even = capacity * (1 - f->s.flow->late_first);
    uint32_t open = k->wanting, less;

    for (uint32_t left = open; left; left &= left - 1) {
        const unsigned p = (unsigned)__builtin_ctz(left);

        want[p] = may_want(f, k, p, &shared);
    }
    do {
        const double each = open ? even / __builtin_popcount(open) : 0;

        less = 0;
        for (uint32_t left = open; left; left &= left - 1) {
            const unsigned p = (unsigned)__builtin_ctz(left);

            share[p] = flow_less(want[p], each);
            less |= (uint32_t)(want[p] <= each) << p;
        }
        for (uint32_t left = less; left; left &= left - 1) even -= want[__builtin_ctz(left)];
        open &= ~less;
    } while (less);
    for (uint32_t left = k->wanting; left; left &= left - 1) capacity -= share[__builtin_ctz(left)];
    for (unsigned p = ACE_CLUSTER_PHASES; p-- > 0;) {
        if (!(k->wanting >> p & 1)) continue;
        const double more = flow_less(want[p] - share[p], flow_more(capacity, 0));

        share[p] += more;
        capacity -= more;
    }
    return shared;
}

/* Returns the job of a direct link that came to it first, among those of a port. */
static const job *first_to(const chunk_flow *f, const link *k, unsigned peer) {
    const job *first = NULL;

    for (unsigned i = 0; i < k->count; i++) {
        const job *j = &k->jobs[i];

        if (j->state == CROSSES && peer_of(f, j) == peer &&
            (!first || (int32_t)(j->crossing - first->crossing) < 0))
            first = j;
    }
    return first;
}

/* Returns whether rows of a port are on the direct link to a peer. */
static bool uses_peer(const chunk_flow *f, const link *k, unsigned peer) {
    for (unsigned i = 0; i < k->count; i++) {
        const job *j = &k->jobs[i];

        if ((j->state == CROSSES || (j->state == SENDS && j->rate > 0)) && peer_of(f, j) == peer)
            return true;
    }
    return false;
}

/* While a port sends a shard, its first rows are already on the direct link to its peer, if no
 * other shard of the port is before them there. */
static void set_pace(const chunk_flow *f, const link *k, job *j) {
    const link *other = &f->links[(k - f->links) ^ 1];
    const phase_shape *t = phase_of(f, j);
    const unsigned peer = t->peer > 0 ? peer_of(f, j) : 0;

    if (!peer || j->rate <= 0 || first_to(f, k, peer)) return;
    j->pace = flow_less(uses_peer(f, other, peer) ? 0.5 : 1, j->rate * t->peer / t->shard);
}

/* At a hub, a shard that has begun continues. Then the oldest chunk that may send begins its shard.
 * On the direct link to a peer, shards of a port go one after the other. The two ports each get
 * half of a link that both use. */
static void serve_shards(const chunk_flow *f, link *k, const double share[ACE_CLUSTER_PHASES]) {
    const link *other = &f->links[(k - f->links) ^ 1];
    uint32_t open = k->wanting;

    for (unsigned i = 0; i < k->count; i++) {
        job *j = &k->jobs[i];
        const unsigned peer = j->state == CROSSES ? peer_of(f, j) : 0;

        j->rate = !peer || first_to(f, k, peer) != j ? 0 : uses_peer(f, other, peer) ? 0.5 : 1;
        j->pace = 0;
    }
    for (unsigned begun = 2; begun-- > 0;)
        for (unsigned i = 0; i < k->count; i++) {
            job *j = &k->jobs[i];

            if (j->state != SENDS || !(open >> j->phase & 1)) continue;
            if (begun && j->left >= phase_of(f, j)->shard) continue;
            j->rate = flow_less(share[j->phase], can_use(f, k, j));
            if (j->rate > 0 && j->left >= phase_of(f, j)->shard) j->begun = f->now;
            open &= ~(1u << j->phase);
            set_pace(f, k, j);
        }
}

/* Divides a phase's share among its chunks. A segment that has begun continues, and a chunk that
 * has sent one waits for the others. So the oldest chunks that together fill the share get equally
 * much, up to what each can use, and the others get nothing. A chunk that comes behind longer
 * shards keeps what they leave to it. */
static void serve_oldest(const chunk_flow *f, link *k, const double share[ACE_CLUSTER_PHASES]) {
    double filled[ACE_CLUSTER_PHASES] = { 0 }, behind[ACE_CLUSTER_PHASES] = { 0 };

    k->free = !f->s.plain;
    for (unsigned i = 0; i < k->count; i++) {
        job *j = &k->jobs[i];
        const bool served = filled[j->phase] < share[j->phase];
        const double most = can_use(f, k, j);

        j->rate = served ? most : 0;
        filled[j->phase] += j->rate;
        if (most < flow_most(f, j)) behind[j->phase] += j->rate;
        k->free = k->free && served && most >= flow_most(f, j);
    }
    for (unsigned i = 0; i < k->count; i++) {
        job *j = &k->jobs[i];
        const double most = share[j->phase], wanted = filled[j->phase];
        const double kept = behind[j->phase] < most ? behind[j->phase] : 0;

        if (wanted <= most) continue;
        k->free = false;
        if (kept > 0 && can_use(f, k, j) < flow_most(f, j)) continue;
        j->rate *= (most - kept) / (wanted - kept);
    }
}

/* Adds up what the jobs of a link take of pipes and banks. Returns their share of the link. A row
 * is read at the port. It is in the pipes, and read and written again, where it comes. The members
 * of a hub are alike, so rows come as they are sent: with direct links, when they have crossed. */
static double add_up(const chunk_flow *f, link *k) {
    const double crossing = k->cost * f->s.divided[(k - f->links) / 2];
    const bool direct = by_shards(f, k) && is_direct(f, k);
    double use[BANK_USES] = { 0 }, summed[LINK_BANKS] = { 0 }, pipes[PIPES] = { 0 }, all = 0;

    for (unsigned i = 0; i < k->count; i++) {
        const job *j = &k->jobs[i];
        const bool crosses = j->state == CROSSES;
        const double part = part_of(j->reduced), sent = crosses ? 0 : j->rate / k->cost;
        const double rows = crosses ? j->rate / crossing : direct ? 0 : sent;
        const double read = sent + part * rows;
        const unsigned bank = j->chunk / 2 % LINK_BANKS;

        all += crosses ? 0 : j->rate;
        summed[bank] += part * rows;
        pipes[0] += part * rows;
        pipes[1] += (1 - part) * rows;
        for (unsigned u = 0; u < BANK_USES; u++) /* a loop over all is faster than picking two */
            use[u] += u % LINK_BANKS == bank ? u < LINK_BANKS ? read : rows : 0;
    }
    /* copied as a whole: they are read again soon, and separate stores would delay that */
    memcpy(k->pipes, pipes, sizeof pipes);
    memcpy(k->use, use, sizeof use);
    memcpy(k->summed, summed, sizeof summed);
    return all;
}

/* Returns whether each job still gets what it can use, `all` together. This holds if no phase wants
 * more than an even share, and no phase is on another link. Then divide() and serve_oldest() would
 * change nothing. */
static bool still_free(const chunk_flow *f, const link *k, double all) {
    const unsigned phases = (unsigned)__builtin_popcount(k->wanting);
    const double each = k->share * (1 - f->s.flow->late_first) / flow_more(phases, 1);
    uint32_t others = 0;

    for (uint32_t left = phases > 1 ? k->wanting : 0; left; left &= left - 1)
        if (want_of(f, k, (unsigned)__builtin_ctz(left)) > each) return false;
    if (phases == 1 && all > each) return false;
    for (uint32_t open = neighbours(f, k) & ~(1u << (k - f->links)); open; open &= open - 1)
        others |= f->links[__builtin_ctz(open)].wanting;
    return !(others & k->wanting);
}

/* Sets the rates of the jobs of a link that has moved to now. */
void flow_link_rates(chunk_flow *f, link *k) {
    const uint32_t bit = 1u << (k - f->links);
    double share[ACE_CLUSTER_PHASES];

    f->shared &= ~bit;
    if (k->free && !k->mixed && still_free(f, k, add_up(f, k))) return;
    if (divide(f, k, k->share, share)) f->shared |= bit;
    if (by_shards(f, k))
        serve_shards(f, k, share);
    else
        serve_oldest(f, k, share);
    (void)add_up(f, k);
}

void flow_link_ends(chunk_flow *f, const link *k) {
    double first = NEVER;

    for (unsigned i = 0; i < k->count; i++) {
        const job *j = &k->jobs[i];

        if (j->rate <= 0) continue;
        double end = k->at + flow_more(j->left, 0) / j->rate;
        if (j->left > NOTHING) end = flow_behind(k->at, end);
        first = flow_less(end, first);
    }
    f->ends[k - f->links] = first;
}

/* Both pipes, then the reads and writes of the banks of each parity. Each moves a row a cycle. */
enum { DEMANDS = PIPES + 2 * BANK_USES };

/* Returns what a link wants of a pipe or bank, in rows a cycle. */
static double demand_of(const chunk_flow *f, unsigned l, unsigned of) {
    const link *k = &f->links[l];

    if (of < PIPES) return k->pipes[of];
    const unsigned use = (of - PIPES) % BANK_USES;
    const bool here = (of - PIPES) / BANK_USES == l % 2;

    return here ? k->use[use] * (use < LINK_BANKS ? f->s.flow->bank_read : 1) : 0;
}

/* A pipe or bank serves links round-robin, so a link that wants little gets it. Returns the most
 * that a link gets. */
static double most_for_each(const chunk_flow *f, unsigned of) {
    uint32_t open = f->busy, less;
    double left = 1;

    do {
        const double each = left / __builtin_popcount(open);

        less = 0;
        for (uint32_t busy = open; busy; busy &= busy - 1) {
            const unsigned l = (unsigned)__builtin_ctz(busy);

            less |= (uint32_t)(demand_of(f, l, of) <= each) << l;
        }
        for (uint32_t busy = less; busy; busy &= busy - 1)
            left -= demand_of(f, (unsigned)__builtin_ctz(busy), of);
        open &= ~less;
    } while (less);
    return left / __builtin_popcount(open);
}

/* Returns the factor by which the demand for one pipe or bank slows a link. */
static double slower_by(const chunk_flow *f, unsigned l, unsigned of, const double most[DEMANDS]) {
    return isinf(most[of]) ? 1 : flow_more(demand_of(f, l, of) / most[of], 1);
}

/* Returns the factor by which the demand slows a job. */
static double slower(const chunk_flow *f, unsigned l, const job *j, const double most[DEMANDS]) {
    const unsigned bank = PIPES + j->chunk % 2 * BANK_USES + j->chunk / 2 % LINK_BANKS;
    const double reduce = j->reduced > 0 ? slower_by(f, l, 0, most) : 1;
    const double store = j->reduced < 2 ? slower_by(f, l, 1, most) : 1;

    return flow_more(flow_more(reduce, store), flow_more(slower_by(f, l, bank, most),
                                                         slower_by(f, l, bank + LINK_BANKS, most)));
}

/* Slows jobs that together want too much of the scratchpad. Loads and stores get the rest. */
void flow_scratchpad(chunk_flow *f) {
    double sum[DEMANDS] = { 0 }, most[DEMANDS];
    bool much = false;

    for (uint32_t busy = f->busy; busy; busy &= busy - 1) {
        const unsigned l = (unsigned)__builtin_ctz(busy);

        for (unsigned of = 0; of < PIPES; of++) sum[of] += demand_of(f, l, of);
        for (unsigned u = 0; u < BANK_USES; u++) {
            const unsigned of = PIPES + l % 2 * BANK_USES + u;
            sum[of] += demand_of(f, l, of);
        }
    }
    for (unsigned of = 0; of < DEMANDS; of++) {
        most[of] = sum[of] > 1 ? most_for_each(f, of) : NEVER;
        much = much || sum[of] > 1;
    }
    if (much || f->scaled) {
        f->scaled = much;
        for (uint32_t busy = f->busy; busy; busy &= busy - 1) {
            const unsigned l = (unsigned)__builtin_ctz(busy);
            link *k = &f->links[l];

            flow_link_move(k, f->now);
            flow_link_rates(f, k);
            k->free = k->free && !much;
            for (unsigned i = 0; much && i < k->count; i++)
                k->jobs[i].rate /= slower(f, l, &k->jobs[i], most);
            flow_link_ends(f, k);
        }
    }
    flow_port_rates(f);
}

/* Updates a link whose jobs have come or gone. Other links with chunks of the same phases get more
 * or less. */
static void link_changed(chunk_flow *f, link *k, uint32_t wanting) {
    const uint32_t before = k->wanting, bit = 1u << (k - f->links);

    f->busy = k->count ? f->busy | bit : f->busy & ~bit;
    k->wanting = (uint16_t)wanting;
    find_longest(f, k);
    if (f->exchange.runs) flow_exchange_rates(f);
    flow_link_rates(f, k);
    flow_link_ends(f, k);
    const uint32_t pair = is_direct(f, k) ? 3u << (k - f->links) / 2 * 2 : 0;
    for (uint32_t open = (neighbours(f, k) | (f->busy & pair)) & ~bit; open; open &= open - 1) {
        link *other = &f->links[__builtin_ctz(open)];

        if (!((before | k->wanting) & other->wanting) && !(pair & 1u << (other - f->links)))
            continue;
        flow_link_move(other, f->now);
        flow_link_rates(f, other);
        flow_link_ends(f, other);
    }
    flow_scratchpad(f);
}

/* Returns the cycles from the beginning of a shard to the beginning of the next. On a ring, rows
 * come back at the rate at which they were sent. At a hub, the next peer is granted when all rows
 * of this one have arrived. So a grant and then a row cross the hub. */
static double step_of(const chunk_flow *f, unsigned d, double shard, double hop) {
    const double wire_cycles = f->s.latency[d];

    return f->s.config.hub[d] ? shard + 2 * wire_cycles + hop : flow_more(shard, wire_cycles + hop);
}

/* A phase uses most of a link when it is alone. For each row that it sends, its bank reads the row,
 * and while it sums also the row to which the next one is added. A fast link then waits for the
 * bank. An all-reduce waits in its first half only. */
phase_shape flow_phase_shape(const chunk_flow *f, const ace_phase *p) {
    const flow_parameters *w = f->s.flow;
    const unsigned d = p->dim;
    const bool whole = p->kind == ACE_PHASE_ALL_REDUCE, sums = p->kind == ACE_PHASE_REDUCE_SCATTER;
    const double cost = flow_cost_of(f, d);
    const double shard = p->shard_rows * cost * w->link_share[d];
    /* A single chunk gets all of a link to one peer. That others want the link, too, shows in the
     * port's share. */
    const double alone = f->s.divided[d] > 1 ? p->shard_rows * cost * f->s.divided[d] : shard;
    const double stored = flow_more(alone, p->shard_rows * w->bank_read);
    const double summed = flow_more(alone, p->shard_rows * 2 * w->bank_read);
    const double reduce = step_of(f, d, summed, w->reduce_hop[d]);
    const double store = step_of(f, d, stored, w->store_hop[d]);
    const double sum_reads = f->s.divided[d] > 1 ? 1 : 2; /* rows come slower than they are sent */
    const double wires = f->s.config.hub[d] ? 2 : 1;      /* a grant, then a row */
    phase_shape t = { .hop = sums ? w->reduce_hop[d] : w->store_hop[d],
                      .shard = shard,
                      .peer = f->s.divided[d] > 1 ? alone : 0,
                      .rate = { flow_less(shard / (p->shard_rows * sum_reads * w->bank_read), 1),
                                flow_less(shard / (p->shard_rows * w->bank_read), 1) },
                      .rest = { wires * f->s.latency[d] + w->reduce_hop[d],
                                wires * f->s.latency[d] + w->store_hop[d] },
                      .dim = (uint8_t)d,
                      .reduced = halves_reduced(p->kind) };

    for (unsigned odd = 0; odd < 2; odd++) {
        const double half = f->steps[d][odd], steps = whole ? 2 * half : half;
        const double hops = whole  ? half * reduce + (half - 1) * store
                            : sums ? (half - 1) * reduce
                                   : (half - 1) * store;

        t.shards[odd] = (uint16_t)(steps + 0.5);
        t.summed[odd] = (uint16_t)(whole ? half + 0.5 : sums ? steps + 0.5 : 0);
        t.work[odd] = steps * shard;
        t.most[odd] = steps * shard / (hops + (sums ? summed : stored));
        t.rows[odd] = (uint32_t)(steps + 0.5) * p->shard_rows;
    }
    return t;
}

/* The job has so many shards to send, this one included. */
static void begin_shard(const phase_shape *t, job *j, unsigned shards) {
    j->shards = (uint16_t)shards;
    j->left = t->shard;
    j->ahead = 0;
    j->state = SENDS;
    j->reduced = is_copied(t, j) ? 0 : 2;
}

void flow_next_shard(chunk_flow *f, uint32_t chunk, unsigned phase) {
    const phase_shape *t = &flow_shape(f, chunk)->phase[phase];
    link *k = &f->links[2 * t->dim + (chunk & 1)];
    unsigned i = 0;

    while (k->jobs[i].chunk != chunk || k->jobs[i].phase != phase) i++;
    flow_link_move(k, f->now);
    begin_shard(t, &k->jobs[i], k->jobs[i].shards);
    link_changed(f, k, k->wanting | 1u << phase);
}

/* A shard has left its port, or crossed its direct link. Returns whether this was the last one of
 * the phase. */
static bool shard_left(chunk_flow *f, job *j) {
    const phase_shape *t = phase_of(f, j);

    if (j->state == SENDS && t->peer > 0) {
        j->state = CROSSES;
        j->left = flow_more(t->peer - j->ahead, 1);
        j->crossing = f->crossings++;
        return false;
    }
    const double rest = t->rest[is_copied(t, j)];
    j->state = RESTS;
    j->left = NEVER;
    if (!--j->shards) return true;
    /* on a ring the next shard follows row by row */
    const double next =
        f->s.config.hub[t->dim] ? f->now + rest : flow_more(j->begun + rest, f->now);
    flow_later(f, next, SHARD, j->phase, j->chunk);
    return false;
}

/* Begins a phase of a chunk on its link. */
void flow_join(chunk_flow *f, uint32_t chunk, unsigned phase) {
    const phase_shape *t = &flow_shape(f, chunk)->phase[phase];
    const unsigned odd = chunk & 1;
    link *k = &f->links[2 * t->dim + odd];
    unsigned at = k->count, room = k->room;

    if (k->count == LINK_JOBS || !t->rows[odd]) {
        flow_later(f, f->now, OVER, phase + 1, chunk);
        return;
    }
    if (!GROW(f, k->jobs, k->count, room)) return;
    k->room = (uint16_t)room;
    flow_link_move(k, f->now);
    for (; at && (int32_t)(k->jobs[at - 1].chunk - chunk) > 0; at--) k->jobs[at] = k->jobs[at - 1];
    k->jobs[at] = (job){ .left = t->work[odd],
                         .rate = t->most[odd],
                         .chunk = chunk,
                         .phase = (uint8_t)phase,
                         .reduced = t->reduced };
    if (by_shards(f, k)) begin_shard(t, &k->jobs[at], t->shards[odd]);
    k->count++;
    k->rows += t->rows[odd];
    link_changed(f, k, k->wanting | 1u << phase);
}

/* Removes the jobs of a link whose last rows have been sent. At a hub, their next shards may
 * follow. */
void flow_leave(chunk_flow *f, unsigned l) {
    link *k = &f->links[l];
    const double there = f->now + (double)f->s.latency[l / 2];
    uint32_t wanting = 0;
    unsigned keep = 0;

    flow_link_move(k, f->now);
    for (unsigned i = 0; i < k->count; i++) {
        job *j = &k->jobs[i];

        if (j->left > NOTHING || (by_shards(f, k) && !shard_left(f, j))) {
            wanting |= (uint32_t)(j->state == SENDS) << j->phase;
            if (keep < i) k->jobs[keep] = *j;
            keep++;
            continue;
        }
        flow_later(f, there + flow_shape(f, j->chunk)->phase[j->phase].hop, OVER, j->phase + 1u,
                   j->chunk);
    }
    k->count = (uint16_t)keep;
    link_changed(f, k, wanting);
}
