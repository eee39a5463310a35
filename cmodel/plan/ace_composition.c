/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_composition.c -- lists of transfers for commands that engines have no unit for
 *
 * transfers() says which rows one member sends to another, for each kind of command. part()
 * divides a transfer over its routes, and slice() cuts each part into rounds. Lists go through the
 * peers in the order of the all-to-all's walk, so concurrent sends start on different links. A key
 * names the route of a transfer relative to the node, so both ends find the same key without
 * communicating.
 */
#include "ace_composition.h"

#include <stdlib.h>
#include <string.h>

#include "ace_plan.h"

/* ---- members and routes ---------------------------------------------------------- */

static bool over(const ace_command *c, unsigned d) {
    for (unsigned i = 0; i < c->dim_count && i < ACE_DIMENSIONS; i++)
        if (c->dims[i] == d) return true;
    return false;
}

/* The configuration of a member of this node's group. */
static ace_config member_config(const ace_command *c, const ace_config *cfg, uint64_t member) {
    ace_config m = *cfg;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (over(c, d)) {
            m.rank[d] = (uint16_t)(member % cfg->ring[d]);
            member /= cfg->ring[d];
        }
    return m;
}

static uint64_t own_number(const ace_command *c, const ace_config *cfg) {
    uint64_t number = 0;
    for (unsigned d = ACE_DIMENSIONS; d-- > 0;)
        if (over(c, d)) number = number * cfg->ring[d] + cfg->rank[d];
    return number;
}

/* The steps up each ring that lead from one node to another. */
typedef struct offset {
    unsigned up[ACE_DIMENSIONS];
} offset;

static offset offset_between(const ace_config *from, const ace_config *to) {
    offset o;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        o.up[d] = ((unsigned)to->rank[d] + from->ring[d] - from->rank[d]) % from->ring[d];
    return o;
}

static unsigned apart(const offset *o) {
    unsigned dims = 0;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) dims += o->up[d] != 0;
    return dims;
}

/* Is the offset halfway round a ring in some dimension?  Such a peer is reached in two directions.
 * If several dimensions are halfway, a route goes in the same direction on all. */
static bool halfway(const offset *o, const ace_config *cfg) {
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (o->up[d] && 2 * o->up[d] == cfg->ring[d]) return true;
    return false;
}

static bool over_hub(const offset *o, const ace_config *cfg) {
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (o->up[d] && cfg->hub[d]) return true;
    return false;
}

/* A node has two ports to a hub, and a message uses both.  Rows of messages are not counted, so the
 * number of keys sets no limit. */
static unsigned message_routes(const offset *o, const ace_config *cfg) {
    return halfway(o, cfg) || over_hub(o, cfg) ? 2 : 1;
}

/* A transfer of a list along one hub uses both ports, if enough keys exist for the routes of all
 * offsets.  Else it uses one port: transfers to the nearer members go up, the others down. */
static bool both_ports(const ace_config *cfg) {
    uint64_t nodes = 1, others = 1, one = 0, one_not_half = 0, along = 0;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned size = cfg->ring[d], half = size % 2 == 0;
        nodes *= size;
        others *= size - half; /* offsets without a dimension that goes halfway */
        one += size - 1U;
        one_not_half += size - 1U - half;
        along += cfg->hub[d] ? 2 * (size - 1U) : size - 1U + half;
    }
    const uint64_t routes = 1 + along + 2 * (nodes - 1 - one) - (others - 1 - one_not_half);
    return routes <= ace_list_keys(cfg);
}

static unsigned routes(const offset *o, const ace_config *cfg) {
    if (halfway(o, cfg)) return 2;
    return apart(o) == 1 && over_hub(o, cfg) && both_ports(cfg) ? 2 : 1;
}

/* The hops of number `route` of `count` routes.  The second route uses the other port to each hub.
 * On a ring whose two directions are equally long, it goes in the other direction. */
static uint32_t hops(const offset *o, const ace_config *cfg, unsigned count, unsigned route) {
    uint64_t all = 0;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned up = o->up[d], size = cfg->ring[d];
        const bool two = up && (2 * up == size || (cfg->hub[d] && count == 2));
        const bool down = two ? route : 2 * up > size;
        all |= ace_route_hops(d, down, down ? size - up : up);
    }
    return (uint32_t)all;
}

/* The number of routes of all offsets before this one.  Offsets along one dimension come first, x,
 * then y and so on, so that few keys serve long rings.  All other offsets follow, x fastest. */
static uint64_t routes_before(const offset *o, const ace_config *cfg) {
    const unsigned dims = apart(o);
    const bool both = both_ports(cfg);
    uint64_t before = 1; /* to itself */
    if (!dims) return 0;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned size = cfg->ring[d], half = size % 2 ? size : size / 2, up = o->up[d];
        const bool two = both && cfg->hub[d];
        if (dims == 1 && up) return before + (two ? 2 * (up - 1U) : up - 1U + (up > half));
        before += two ? 2 * (size - 1U) : size - 1U + (size % 2 == 0);
    }
    for (offset at = { { 0 } }; memcmp(&at, o, sizeof at) && before < ace_list_keys(cfg);) {
        if (apart(&at) > 1) before += routes(&at, cfg);
        for (unsigned d = 0; d < ACE_DIMENSIONS && ++at.up[d] == cfg->ring[d]; d++) at.up[d] = 0;
    }
    return before;
}

static uint8_t key(const offset *o, const ace_config *cfg, unsigned route) {
    return (uint8_t)(ace_list_keys_first(cfg) + routes_before(o, cfg) + route);
}

/* ---- transfers from one member to another ------------------------------------------ */

typedef struct transfer {
    uint64_t source, target; /* in rows */
    uint64_t bytes;          /* 0: a row that writes nothing */
    uint32_t piece, gap;     /* rows; piece 0: all in one */
} transfer;

enum {
    TRANSFERS = 2, /* most transfers from one member to another */
    /* A long transfer is cut into slices, and every member is sent one slice before any member is
     * sent its next.  The few sends in progress then never all use the same link, and sends of
     * unequal length end together.  One row of the list is read for at least 64 rows sent. */
    ROUNDS = 64,
    SLICE_ROWS = 8 /* at least */
};

static uint64_t rows_of(uint64_t bytes) { return (bytes + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static bool scatters(const ace_command *c, const ace_config *cfg) {
    return rows_of(c->bytes) >= ace_plan_members(c, cfg);
}

/* A member's shard of a vector in the layout of a reduce-scatter or all-gather: the same rows of
 * each whole chunk, and some rows of the last chunk.  from: its address here; to: at the peer. */
static unsigned shard(const ace_command *c, const ace_config *cfg, uint64_t member, uint64_t from,
                      uint64_t to, transfer t[TRANSFERS]) {
    const ace_config at = member_config(c, cfg, member);
    const uint64_t rows = rows_of(c->bytes), whole = rows / cfg->chunk_rows;
    const uint64_t chunks = ace_plan_chunks(c, cfg), padding = rows * ACE_ROW_BYTES - c->bytes;
    ace_command gather = *c;
    unsigned n = 0;

    gather.kind = ACE_ALL_GATHER;
    for (uint64_t k = 0; k < chunks; k += whole ? whole : 1) { /* the first, and the last if cut */
        const uint64_t pieces = k < whole ? whole : 1;
        ace_chunk_plan p;
        ace_plan_chunk(&gather, &at, k, &p);
        if (!p.load_rows) continue;
        const uint64_t first = p.load_offset / ACE_ROW_BYTES;
        const uint64_t end = first + (pieces - 1) * cfg->chunk_rows + p.load_rows;
        t[n++] =
            (transfer){ .source = from + first,
                        .target = to + first,
                        .bytes = pieces * p.load_rows * ACE_ROW_BYTES - (end == rows ? padding : 0),
                        .piece = pieces > 1 ? p.load_rows : 0,
                        .gap = pieces > 1 ? cfg->chunk_rows - (uint32_t)p.load_rows : 0 };
    }
    return n;
}

/* Fills in the transfers from member `from` to member `to` and returns their number.  For a barrier
 * these are only the transfers on one ring (barrier()). */
static unsigned transfers(const ace_command *c, const ace_config *cfg, uint64_t from, uint64_t to,
                          transfer t[TRANSFERS]) {
    const uint64_t members = ace_plan_members(c, cfg), block = ace_plan_block_rows(c, cfg);
    const uint64_t source = c->source / ACE_ROW_BYTES, target = c->destination / ACE_ROW_BYTES;
    const uint64_t peer = c->kind == ACE_SCATTER ? to : from; /* the owner of the block */
    const uint64_t first = peer * block * ACE_ROW_BYTES;

    *t = (transfer){ .source = source, .target = target };
    switch (c->kind) {
    case ACE_ALL_TO_ALL_V:
        t->bytes = c->counts[from * members + to];
        for (uint64_t i = 0; i < to; i++) t->source += rows_of(c->counts[from * members + i]);
        for (uint64_t i = 0; i < from; i++) t->target += rows_of(c->counts[i * members + to]);
        return t->bytes != 0;
    case ACE_SEND:
        t->bytes = c->bytes;
        return from == c->root && to == c->peer && !(from == to && source == target);
    case ACE_SCATTER:
    case ACE_GATHER:
        if ((c->kind == ACE_SCATTER ? from : to) != c->root || first >= c->bytes) return 0;
        t->bytes = least(c->bytes - first, block * ACE_ROW_BYTES);
        *(c->kind == ACE_SCATTER ? &t->source : &t->target) += peer * block;
        return from != to || t->source != t->target;
    case ACE_BROADCAST:
        if (from != c->root) return 0;
        if (scatters(c, cfg)) return from != to ? shard(c, cfg, to, source, target, t) : 0;
        t->bytes = c->bytes;
        return from != to || source != target;
    case ACE_REDUCE:
        if (to != c->root || from == to) return 0;
        return shard(c, cfg, from, target, target, t);
    default: return 0;
    }
}

/* Units `from` to `to` (exclusive) of a transfer.  A unit is a piece if the transfer has pieces,
 * else a row. */
static transfer cut(const transfer *whole, uint64_t from, uint64_t to) {
    const uint64_t unit = whole->piece ? whole->piece : 1, rows = rows_of(whole->bytes);
    const uint64_t skip = from * (unit + whole->gap), end = to * unit < rows ? to * unit : rows;
    transfer t = *whole;

    t.source += skip;
    t.target += skip;
    t.bytes = end < rows ? end * ACE_ROW_BYTES : whole->bytes;
    t.bytes -= from * unit * ACE_ROW_BYTES;
    return t;
}

static uint64_t units_of(const transfer *t) {
    const uint64_t unit = t->piece ? t->piece : 1;
    return (rows_of(t->bytes) + unit - 1) / unit;
}

/* The part of a transfer for number `route` of `count` routes.  False: the part is empty. */
static bool part(const transfer *whole, unsigned count, unsigned route, transfer *to) {
    const uint64_t units = units_of(whole), first = (units + count - 1) / count; /* of route 0 */

    *to = route == 0 ? cut(whole, 0, first) : cut(whole, first, units);
    return route == 0 || first < units;
}

/* The slice of a part that is listed in a round.  False: the slice is empty. */
static bool slice(const transfer *whole, unsigned round, transfer *to) {
    const uint64_t units = units_of(whole), unit = whole->piece ? whole->piece : 1;
    const uint64_t least_units = (SLICE_ROWS + unit - 1) / unit;
    uint64_t each = (units + ROUNDS - 1) / ROUNDS;

    if (each < least_units) each = least_units;
    *to = cut(whole, round * each, (round + 1) * each);
    return round == 0 || round * each < units;
}

/* ---- lists ----------------------------------------------------------------------- */

typedef struct list {
    ace_composition *to;
    uint32_t room; /* bytes */
    bool failed;
} list;

static void add(list *l, const ace_list_item *item) {
    ace_composition *p = l->to;
    if (p->list_bytes == l->room) {
        const uint32_t room = l->room ? 2 * l->room : 1024;
        uint32_t *more = realloc(p->list, room);
        l->failed = l->failed || !more;
        if (!more) return;
        p->list = more;
        l->room = room;
    }
    ace_list_item_write(item, p->list + p->list_bytes / 4);
    p->list_bytes += ACE_LIST_ITEM_BYTES;
}

static void add_sends(list *l, const ace_config *cfg, const offset *o, const transfer *t,
                      unsigned count, unsigned round) {
    for (unsigned i = 0; i < count; i++)
        for (unsigned route = 0, n = routes(o, cfg); route < n; route++) {
            transfer whole, p;
            if (!part(&t[i], n, route, &whole) || !slice(&whole, round, &p)) continue;
            add(l, &(ace_list_item){ .what = ACE_LIST_SEND,
                                     .key = key(o, cfg, route),
                                     .hops = hops(o, cfg, n, route),
                                     .source = p.source,
                                     .target = (uint32_t)p.target,
                                     .piece = (uint16_t)p.piece,
                                     .gap = (uint16_t)p.gap,
                                     .bytes = p.bytes });
        }
}

static void add_receives(list *l, const ace_config *cfg, const offset *o, const transfer *t,
                         unsigned count) {
    for (unsigned route = 0, n = routes(o, cfg); route < n; route++) {
        ace_list_item item = { .what = ACE_LIST_RECEIVE, .key = key(o, cfg, route) };
        for (unsigned i = 0; i < count; i++) {
            transfer p;
            if (part(&t[i], n, route, &p)) item.rows += p.bytes ? rows_of(p.bytes) : 1;
        }
        if (item.rows) add(l, &item);
    }
}

/* The member at the k-th offset from this node.  Each step changes every coordinate, as the walk of
 * an all-to-all does, so that the sends under route at one time have different first links. */
static ace_config at_offset(const ace_command *c, const ace_config *cfg, uint64_t k, bool down) {
    uint64_t up = 0;
    ace_config m = *cfg;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        if (!over(c, d)) continue;
        const unsigned size = cfg->ring[d];
        up += k % size;
        k /= size;
        const unsigned step = (unsigned)(up % size);
        m.rank[d] = (uint16_t)((cfg->rank[d] + (down ? size - step : step)) % size);
    }
    return m;
}

uint64_t ace_list_member(const ace_command *c, const ace_config *cfg, uint64_t k) {
    const ace_config to = at_offset(c, cfg, k, false);
    return own_number(c, &to);
}

unsigned ace_list_routes(const ace_command *c, const ace_config *cfg, uint64_t member,
                         ace_list_route to[2]) {
    const ace_config peer = member_config(c, cfg, member);
    const offset o = offset_between(cfg, &peer);
    const unsigned n = routes(&o, cfg);
    for (unsigned route = 0; route < n; route++)
        to[route] = (ace_list_route){ hops(&o, cfg, n, route), key(&o, cfg, route) };
    return n;
}

static void exchange(list *l, const ace_command *c, const ace_config *cfg) {
    const uint64_t members = ace_plan_members(c, cfg), own = own_number(c, cfg);
    transfer t[TRANSFERS];

    for (uint64_t k = 0; k < members * ROUNDS; k++) {
        const ace_config to = at_offset(c, cfg, k % members, false);
        const offset o = offset_between(cfg, &to);
        add_sends(l, cfg, &o, t, transfers(c, cfg, own, own_number(c, &to), t),
                  (unsigned)(k / members));
    }
    for (uint64_t k = 0; k < members; k++) {
        const ace_config from = at_offset(c, cfg, k, true);
        const offset o = offset_between(&from, cfg);
        add_receives(l, cfg, &o, t, transfers(c, cfg, own_number(c, &from), own, t));
    }
}

static void barrier(list *l, const ace_command *c, const ace_config *cfg) {
    const transfer nothing = { .source = c->source / ACE_ROW_BYTES,
                               .target = c->destination / ACE_ROW_BYTES };
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        if (!over(c, d)) continue;
        offset o = { { 0 } };
        for (o.up[d] = 1; o.up[d] < cfg->ring[d]; o.up[d]++) add_sends(l, cfg, &o, &nothing, 1, 0);
        for (o.up[d] = 1; o.up[d] < cfg->ring[d]; o.up[d]++) add_receives(l, cfg, &o, &nothing, 1);
    }
}

/* ---- messages -------------------------------------------------------------------- */

static ace_config config_at(const ace_config *cfg, uint32_t node) {
    ace_config at = *cfg;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        at.rank[d] = (uint16_t)(node % cfg->ring[d]);
        node /= cfg->ring[d];
    }
    return at;
}

/* The data of a route, in bytes; false: the route carries none. */
static bool message_part(const ace_config *cfg, uint32_t peer, uint64_t bytes, unsigned route,
                         transfer *p, offset *o) {
    const ace_config to = config_at(cfg, peer);
    const transfer whole = { .bytes = rows_of(bytes) * ACE_ROW_BYTES };

    *o = offset_between(cfg, &to);
    return route < message_routes(o, cfg) && part(&whole, message_routes(o, cfg), route, p);
}

unsigned ace_message_routes(const ace_config *cfg, uint32_t peer, uint64_t bytes) {
    transfer p;
    offset o;

    return message_part(cfg, peer, bytes, 1, &p, &o) ? 2 : 1;
}

ace_message_route ace_message_on(const ace_config *cfg, const ace_message *m, unsigned route) {
    transfer p;
    offset o;

    if (!message_part(cfg, m->peer, m->bytes, route, &p, &o)) return (ace_message_route){ 0 };
    return (ace_message_route){ .rows = rows_of(p.bytes) + 1,
                                .hops = hops(&o, cfg, message_routes(&o, cfg), route) };
}

/* Walks a route dimension by dimension, x first; a hub covers all hops of its dimension at once. */
void ace_message_links(const ace_config *cfg, const ace_message *m, ace_message_link *link,
                       void *self) {
    for (unsigned route = 0, n = ace_message_routes(cfg, m->peer, m->bytes); route < n; route++) {
        const ace_message_route w = ace_message_on(cfg, m, route);
        uint32_t stride = 1, node = 0;

        for (unsigned d = 0; d < ACE_DIMENSIONS; stride *= cfg->ring[d++])
            node += cfg->rank[d] * stride;
        stride = 1;
        for (unsigned d = 0; d < ACE_DIMENSIONS; stride *= cfg->ring[d++]) {
            const unsigned left = w.hops >> 8 * d & 0x7f, down = w.hops >> (8 * d + 7) & 1;
            const unsigned size = cfg->ring[d], steps = cfg->hub[d] && left ? 1 : left;
            const unsigned step = cfg->hub[d] ? left : 1;

            for (unsigned i = 0; i < steps; i++) {
                const unsigned at = node / stride % size;

                link(self, node, 2 * d + down, w.rows);
                node += ((down ? at + size - step : at + step) % size) * stride;
                node -= at * stride;
            }
        }
    }
}

ace_message_route ace_message_at(const ace_config *cfg, const ace_command *c, uint32_t at,
                                 uint32_t *message, unsigned *route) {
    unsigned hubs = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) hubs += cfg->hub[d];
    *message = hubs ? at / 2 : at % c->messages;
    *route = hubs ? at % 2 : at / c->messages;
    return ace_message_on(cfg, &c->message[*message], *route);
}

/* Each route of a message is one transfer, never cut into slices: rows of one slice could overtake
 * those of an earlier slice, and the trailer could arrive too early. */
static void add_messages(list *l, const ace_command *c, const ace_config *cfg) {
    for (uint32_t k = 0; k < 2 * c->messages; k++) {
        uint32_t i;
        unsigned route;
        const ace_message_route w = ace_message_at(cfg, c, k, &i, &route);
        const uint32_t at =
            (uint32_t)(ACE_TRAILERS_ADDRESS / ACE_ROW_BYTES) + (c->message[i].label | route);

        if (!w.rows) continue;
        add(l, &(ace_list_item){ .what = ACE_LIST_SEND,
                                 .key = ACE_MESSAGE_KEY,
                                 .hops = w.hops,
                                 .source = c->source / ACE_ROW_BYTES,
                                 .target = at - (uint32_t)(w.rows - 1),
                                 .bytes = (w.rows - 1) * ACE_ROW_BYTES + ACE_TRAILER_BYTES });
    }
}

static int check_messages(const ace_command *c, const ace_config *cfg) {
    uint64_t nodes = 1;
    bool ok = c->message && c->messages && c->messages <= ACE_MESSAGES_MOST;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) nodes *= cfg->ring[d];
    for (uint32_t i = 0; ok && i < c->messages; i++)
        ok = c->message[i].peer < nodes && !(c->message[i].label & 1) &&
             c->message[i].label < UINT32_C(1) << 31 && c->message[i].bytes <= UINT64_C(1) << 38;
    return ok ? ACE_OK : ACE_EINVAL;
}

/* ---- compositions ---------------------------------------------------------------- */

int ace_compose(const ace_command *c, const ace_config *cfg, ace_composition *p) {
    ace_command list_step = *c, ring_step = *c;
    list l = { .to = p };

    *p = (ace_composition){ .steps = 1 };
    if (c->kind == ACE_MESSAGES)
        add_messages(&l, c, cfg);
    else if (c->kind == ACE_BARRIER)
        barrier(&l, c, cfg);
    else
        exchange(&l, c, cfg);
    if (l.failed) {
        ace_composition_free(p);
        return ACE_ENOMEM;
    }
    list_step.kind = ACE_LIST;
    list_step.bytes = p->list_bytes;
    list_step.counts = ring_step.counts = NULL;
    list_step.message = NULL;
    p->step[0] = list_step;
    if (c->kind == ACE_BROADCAST && scatters(c, cfg)) {
        ring_step.kind = ACE_ALL_GATHER;
        if (own_number(c, cfg) != c->root) ring_step.source = c->destination;
        p->step[p->steps++] = ring_step;
    } else if (c->kind == ACE_REDUCE) {
        ring_step.kind = ACE_REDUCE_SCATTER;
        p->step[0] = ring_step;
        p->step[p->steps++] = list_step;
    }
    return ACE_OK;
}

void ace_composition_free(ace_composition *p) {
    free(p->list);
    p->list = NULL;
    p->list_bytes = 0;
}

/* Are there keys for all members?  The farthest member has the highest keys. */
static bool has_keys(const ace_command *c, const ace_config *cfg, uint64_t members) {
    uint64_t dims = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) { /* along each dimension */
        offset o = { { 0 } };
        o.up[d] = over(c, d) ? cfg->ring[d] - 1u : 0;
        dims += o.up[d] != 0;
        if (routes_before(&o, cfg) + routes(&o, cfg) > ace_list_keys(cfg)) return false;
    }
    if (dims < 2 || c->kind == ACE_BARRIER) return true;
    if (members > ace_list_keys(cfg)) return false;
    for (uint64_t k = 0; k < members; k++) {
        const ace_config origin = member_config(c, cfg, 0), to = member_config(c, cfg, k);
        const offset o = offset_between(&origin, &to);
        if (routes_before(&o, cfg) + routes(&o, cfg) > ace_list_keys(cfg)) return false;
    }
    return true;
}

uint64_t ace_exchange_vector(const uint64_t *counts, uint64_t members) {
    uint64_t most = 0;

    for (uint64_t i = 0; i < members; i++) {
        uint64_t sent = 0, received = 0;
        for (uint64_t j = 0; j < members; j++) {
            sent += rows_of(counts[i * members + j]);
            received += rows_of(counts[j * members + i]);
        }
        if (sent > most) most = sent;
        if (received > most) most = received;
    }
    return most * ACE_ROW_BYTES;
}

static bool counts_fit(const ace_command *c, uint64_t members) {
    for (uint64_t i = 0; i < members * members; i++)
        if (c->counts[i] > c->bytes) return false; /* larger ones could overflow the sums */
    return ace_exchange_vector(c->counts, members) <= rows_of(c->bytes) * ACE_ROW_BYTES;
}

int ace_composition_check(const ace_command *c, const ace_config *cfg) {
    if (c->kind == ACE_MESSAGES) return check_messages(c, cfg);
    const uint64_t members = ace_plan_members(c, cfg);
    const bool ok = c->root < members && c->peer < members && has_keys(c, cfg, members) &&
                    (c->kind != ACE_ALL_TO_ALL_V || (c->counts && counts_fit(c, members)));
    return ok ? ACE_OK : ACE_EINVAL;
}

/* ---- bytes ----------------------------------------------------------------------- */

/* The bytes of a node's links, out of the node, or out of the hubs into it. */
typedef struct bytes_on {
    uint64_t *link; /* ACE_LINKS of them */
    bool into;
} bytes_on;

/* A transfer's rows cross a link of this node if the node is on their route, which takes x first.
 * A route between two members of a hub has no nodes in between. */
static void count_route(const ace_config *cfg, const ace_config *from, const ace_config *to,
                        uint32_t route, uint64_t bytes, const bytes_on *on) {
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned left = route >> 8 * d & 0x7f, down = route >> (8 * d + 7) & 1;
        const unsigned size = cfg->ring[d];
        const unsigned gone =
            down ? from->rank[d] + size - cfg->rank[d] : cfg->rank[d] + size - from->rank[d];
        bool here = on->into ? cfg->hub[d] && left && cfg->rank[d] == to->rank[d]
                             : gone % size < (cfg->hub[d] && left ? 1 : left);
        for (unsigned e = 0; e < ACE_DIMENSIONS; e++)
            if (e != d) here = here && cfg->rank[e] == (e < d ? to : from)->rank[e];
        if (here) on->link[2 * d + down] += bytes;
    }
}

static void count(const ace_config *cfg, const ace_config *from, const ace_config *to,
                  const transfer *t, unsigned transfers_, const bytes_on *on) {
    const offset o = offset_between(from, to);
    for (unsigned i = 0; i < transfers_; i++)
        for (unsigned route = 0, n = routes(&o, cfg); route < n; route++) {
            transfer p;
            if (!part(&t[i], n, route, &p)) continue;
            count_route(cfg, from, to, hops(&o, cfg, n, route),
                        (p.bytes ? rows_of(p.bytes) : 1) * ACE_ROW_BYTES, on);
        }
}

static void count_list(const ace_command *c, const ace_config *cfg, const bytes_on *on) {
    const uint64_t members = ace_plan_members(c, cfg);
    const transfer nothing = { .bytes = 0 };
    transfer t[TRANSFERS];

    memset(on->link, 0, ACE_LINKS * sizeof *on->link);
    for (unsigned d = 0; c->kind == ACE_BARRIER && d < ACE_DIMENSIONS; d++) {
        if (!over(c, d)) continue;
        for (unsigned a = 0; a < cfg->ring[d]; a++)
            for (unsigned b = 0; b < cfg->ring[d]; b++) {
                ace_config from = *cfg, to = *cfg;
                from.rank[d] = (uint16_t)a;
                to.rank[d] = (uint16_t)b;
                if (a != b) count(cfg, &from, &to, &nothing, 1, on);
            }
    }
    if (c->kind == ACE_BARRIER || c->kind == ACE_MESSAGES) return;
    for (uint64_t a = 0; a < members; a++)
        for (uint64_t b = 0; b < members; b++) {
            const unsigned n = transfers(c, cfg, a, b, t);
            if (!n || a == b) continue;
            const ace_config from = member_config(c, cfg, a), to = member_config(c, cfg, b);
            count(cfg, &from, &to, t, n, on);
        }
}

void ace_composition_list_bytes(const ace_command *c, const ace_config *cfg,
                                uint64_t link[ACE_LINKS]) {
    count_list(c, cfg, &(bytes_on){ link, false });
}

void ace_composition_hub_bytes(const ace_command *c, const ace_config *cfg,
                               uint64_t link[ACE_LINKS]) {
    count_list(c, cfg, &(bytes_on){ link, true });
}

bool ace_composition_ring(const ace_command *c, const ace_config *cfg, ace_command *ring) {
    *ring = *c;
    ring->kind = c->kind == ACE_REDUCE ? ACE_REDUCE_SCATTER : ACE_ALL_GATHER;
    return c->kind == ACE_REDUCE || (c->kind == ACE_BROADCAST && scatters(c, cfg));
}
