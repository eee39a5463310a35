/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_hub_reducer.c -- the twin of rtl/ace_hub_reducer.v: a table of contexts with slots
 *
 * An entry of the table has a queue of rows for each port. When every member has a row, the entry
 * is picked and its rows leave their slots. A binary tree adds the rows in the order of the ports.
 * The twin computes a sum when its rows are read and counts the tree's stages as bits of
 * `under_way`. Headers, rows and the table carry codes, and unfit() checks all of them in every
 * cycle.
 */
#include "ace_hub_reducer.h"

#include <stdlib.h>

static bool is_power_of_two(unsigned n) { return !(n & (n - 1)); }

static size_t slots_of(const ace_hub_reducer *r) {
    return (size_t)r->ports * r->contexts * r->rows;
}
static size_t slot(const ace_hub_reducer *r, unsigned port, unsigned entry, unsigned index) {
    return ((size_t)port * r->contexts + entry) * r->rows + index;
}

int ace_hub_reducer_create(unsigned ports, unsigned contexts, unsigned rows, bool payload,
                           ace_hub_reducer **to) {
    if (ports < 2 || ports > ACE_HUB_PORTS_MAX || contexts < 2 || contexts > ACE_HUB_CONTEXTS_MAX ||
        !is_power_of_two(contexts) || rows < 2 || rows > 1024 || !is_power_of_two(rows))
        return ACE_EINVAL;
    ace_hub_reducer *r = calloc(1, sizeof *r);
    if (!r) return ACE_ENOMEM;
    r->ports = ports;
    r->contexts = contexts;
    r->rows = rows;
    for (r->levels = 1; 1u << r->levels < ports;) r->levels++;
    r->types = (1u << ACE_TYPES) - 1;
    r->ops = ((1u << ACE_OPS) - 1) & ~(1u << ACE_AVERAGE);
    r->members = ace_hub_every_port(ports);
    r->headers = calloc(slots_of(r), sizeof *r->headers);
    r->codes = calloc(slots_of(r), sizeof *r->codes);
    if (payload) {
        r->slots = calloc(slots_of(r), sizeof *r->slots);
        r->in_rows = calloc(ports, sizeof *r->in_rows);
        r->sums = calloc(ACE_HUB_SUMS, sizeof *r->sums);
    }
    if (!r->headers || !r->codes || (payload && (!r->slots || !r->in_rows || !r->sums))) {
        ace_hub_reducer_destroy(r);
        return ACE_ENOMEM;
    }
    ace_hub_reducer_reset(r);
    *to = r;
    return ACE_OK;
}

void ace_hub_reducer_destroy(ace_hub_reducer *r) {
    if (!r) return;
    free(r->headers);
    free(r->codes);
    free(r->slots);
    free(r->in_rows);
    free(r->sums);
    free(r);
}

static uint32_t every_entry(const ace_hub_reducer *r) {
    return (uint32_t)((UINT64_C(1) << r->contexts) - 1);
}
static uint64_t every_stage(const ace_hub_reducer *r) {
    return (UINT64_C(1) << ace_hub_reducer_stages(r)) - 1;
}

/* The inverted copies that the registers of ace_hub_not must hold for the present state. */
static ace_hub_not second_of(const ace_hub_reducer *r) {
    return (ace_hub_not){
        .under_way = ~r->under_way & every_stage(r),
        .steps = (uint64_t)!r->opening | (uint64_t)!r->picked << 1 | (uint64_t)!r->fetched << 2 |
                 (uint64_t)!r->reads << 3,
        .in_valid = ~r->in_valid & ace_hub_every_port(r->ports),
        .open = ~r->open & every_entry(r),
    };
}
static bool is_kept_twice(const ace_hub_reducer *r) {
    const ace_hub_not n = second_of(r), *const is = &r->not_;
    return n.under_way == is->under_way && n.steps == is->steps && n.in_valid == is->in_valid &&
           n.open == is->open;
}

void ace_hub_reducer_reset(ace_hub_reducer *r) {
    r->in_valid = r->open = 0;
    r->opening = r->picked = r->fetched = r->reads = false;
    r->out = r->read = (ace_hub_read){ 0 };
    r->wrong = 0;
    memset(r->unfit, 0, sizeof r->unfit);
    r->mismatch = r->refused = false;
    memset(r->has, 0, sizeof r->has);
    memset(r->count, 0, sizeof r->count);
    memset(r->tail, 0, sizeof r->tail);
    memset(r->head, 0, sizeof r->head);
    r->pick = r->last = 0;
    r->under_way = 0;
    r->oldest = r->next = 0;
    r->not_ = second_of(r);
    r->classes = (ace_cycle_classes){ 0 };
}

/* ---- what does not fit ------------------------------------------------------------------- */

static bool header_fits(const ace_hub_header *h) { return ace_hub_header_code(h) == h->code; }

static bool names_fit(const ace_hub_reducer *r) {
    bool fit = !r->opening || __builtin_parity(r->opening_name) == r->opening_parity;
    for (uint32_t open = r->open; open; open &= open - 1) {
        const unsigned e = (unsigned)__builtin_ctz(open);
        fit &= (unsigned)__builtin_parity(r->name[e]) == (r->name_parity >> e & 1);
    }
    return fit;
}

/* Checks the counters of a port's rows in an entry.  Returns the name of the field that is
 * inconsistent, or NULL.  A port that is no member has no rows, and its tail does not move. */
static const char *counts_unfit(const ace_hub_reducer *r, unsigned p, unsigned e) {
    const unsigned count = r->count[p][e], tail = (r->head[e] + count) & (r->rows - 1);
    if (count > r->rows) return "ace_hub_reducer.count";
    if ((r->has[p] >> e & 1) != (count != 0)) return "ace_hub_reducer.has";
    if (count && !(r->open >> e & 1)) return "ace_hub_reducer.has";
    if (r->members >> p & 1 ? r->tail[p][e] != tail : count) return "ace_hub_reducer.tail";
    return NULL;
}

/* The fields of an entry that is not open are unused, so only open entries are checked. */
static bool counts_fit(const ace_hub_reducer *r, unsigned p) {
    bool fit = true;
    for (uint32_t open = r->open | r->has[p]; open; open &= open - 1)
        fit &= !counts_unfit(r, p, (unsigned)__builtin_ctz(open));
    return fit;
}

static bool table_fits(const ace_hub_reducer *r) {
    bool fit = is_kept_twice(r) && names_fit(r) && (!r->picked || r->pick_bit == 1u << r->pick);
    for (unsigned p = 0; p < r->ports; p++) fit &= counts_fit(r, p);
    return fit;
}

static bool headers_fit(const ace_hub_reducer *r) {
    bool fit = !ace_hub_reducer_leaves(r) || header_fits(ace_hub_reducer_m_header(r));
    for (uint64_t in = r->in_valid; in; in &= in - 1)
        fit &= header_fits(&r->in[__builtin_ctzll(in)]);
    return fit;
}

/* The ace_hub_wrong bits of the checks that fail in this cycle. */
static uint8_t unfit(const ace_hub_reducer *r) {
    return (uint8_t)((r->reads ? r->read.unfit : 0) | (headers_fit(r) ? 0 : ACE_HUB_WRONG_HEADER) |
                     (table_fits(r) ? 0 : ACE_HUB_WRONG_TABLE));
}

/* ---- state ------------------------------------------------------------------------------ */

static void check_port(const ace_hub_reducer *r, unsigned p, ace_state *s) {
    for (unsigned e = 0; e < r->contexts; e++) {
        const char *const wrong = counts_unfit(r, p, e);
        ace_state_must(s, !wrong, wrong);
        ace_state_must(s, r->tail[p][e] < r->rows, "ace_hub_reducer.tail");
    }
}

/* Rows that wait, and what they say of themselves. */
static void check_rows(const ace_hub_reducer *r, unsigned p, ace_state *s) {
    if (r->in_valid >> p & 1)
        ace_state_must(s, ace_row_code_of(r->in_rows ? r->in_rows[p] : NULL) == r->in_code[p],
                       "ace_hub_reducer.in_code");
    for (uint32_t has = r->has[p]; has; has &= has - 1) {
        const unsigned e = (unsigned)__builtin_ctz(has);
        for (unsigned i = 0; i < r->count[p][e]; i++) {
            const size_t at = slot(r, p, e, (r->head[e] + i) & (r->rows - 1));
            ace_state_must(s, header_fits(&r->headers[at]), "ace_hub_reducer.headers");
            ace_state_must(s, ace_row_code_of(r->slots ? r->slots[at] : NULL) == r->codes[at],
                           "ace_hub_reducer.codes");
        }
    }
}

static void check(const ace_hub_reducer *r, const ace_hub_reducer *made, ace_state *s) {
    const uint64_t stages = every_stage(made);
    ace_state_must(s,
                   r->ports == made->ports && r->contexts == made->contexts &&
                       r->rows == made->rows && r->levels == made->levels &&
                       r->types == made->types && r->ops == made->ops &&
                       r->members == made->members,
                   "ace_hub_reducer.ports");
    ACE_STATE_BOOLS(s, "ace_hub_reducer.picked", &r->opening, &r->picked, &r->fetched, &r->reads,
                    &r->out.differs, &r->out.refused, &r->read.differs, &r->read.refused,
                    &r->mismatch, &r->refused, &r->opening_parity);
    ace_state_must(s, !(r->in_valid & ~r->members), "ace_hub_reducer.in_valid");
    ace_state_must(s, r->contexts == 32 || !(r->open >> r->contexts), "ace_hub_reducer.open");
    ace_state_must(s, r->pick < r->contexts && r->last < r->contexts, "ace_hub_reducer.pick");
    ace_state_must(s, !(r->under_way & ~stages), "ace_hub_reducer.under_way");
    ace_state_must(s,
                   r->oldest < ACE_HUB_SUMS && r->next < ACE_HUB_SUMS &&
                       ((r->next - r->oldest) & (ACE_HUB_SUMS - 1)) ==
                           (unsigned)__builtin_popcountll(r->under_way) + r->reads + r->fetched,
                   "ace_hub_reducer.oldest");
    for (unsigned e = 0; ace_state_loaded(s) && e < r->contexts; e++)
        ace_state_must(s, r->head[e] < r->rows, "ace_hub_reducer.head");
    for (unsigned p = 0; ace_state_loaded(s) && p < r->ports; p++) check_port(r, p, s);
    for (unsigned p = 0; ace_state_loaded(s) && r->picked && p < r->ports; p++)
        ace_state_must(s, !(r->members >> p & 1) || (r->has[p] >> r->pick & 1),
                       "ace_hub_reducer.pick");
    if (!ace_state_loaded(s)) return;
    ace_state_must(s, is_kept_twice(r), "ace_hub_reducer.not_");
    ace_state_must(s, names_fit(r), "ace_hub_reducer.name_parity");
    ace_state_must(s, !r->picked || r->pick_bit == 1u << r->pick, "ace_hub_reducer.pick_bit");
    ace_state_must(s, headers_fit(r), "ace_hub_reducer.in");
    ace_state_must(s, !r->out.unfit && !r->read.unfit && !r->unfit[0] && !r->unfit[1] && !r->wrong,
                   "ace_hub_reducer.wrong");
}

void ace_hub_reducer_state(ace_hub_reducer *r, ace_state *s) {
    const ace_hub_reducer made = *r;
    ACE_STATE_BUT(s, *r, &r->headers, &r->codes, &r->slots, &r->in_rows, &r->sums);
    if (ace_state_loaded(s)) check(r, &made, s);
    if (s->failed) return;
    ace_state_bytes(s, r->headers, slots_of(r) * sizeof *r->headers);
    ace_state_bytes(s, r->codes, slots_of(r) * sizeof *r->codes);
    if (r->slots) {
        ace_state_bytes(s, r->slots, slots_of(r) * sizeof *r->slots);
        ace_state_bytes(s, r->in_rows, r->ports * sizeof *r->in_rows);
        ace_state_bytes(s, r->sums, ACE_HUB_SUMS * sizeof *r->sums);
    }
    for (unsigned p = 0; ace_state_loaded(s) && p < r->ports; p++) check_rows(r, p, s);
}

/* ---- derived from the state ---------------------------------------------------------------- */

uint32_t ace_hub_reducer_matches(const ace_hub_reducer *r, unsigned port) {
    uint32_t match = 0;
    if (!(r->in_valid >> port & 1)) return 0;
    for (uint32_t open = r->open; open; open &= open - 1) {
        const unsigned e = (unsigned)__builtin_ctz(open);
        match |= (uint32_t)(r->name[e] == r->in[port].context) << e;
    }
    return match;
}

/* The entry that takes the row before the table, or -1. */
static int takes(const ace_hub_reducer *r, unsigned port) {
    const uint32_t match = ace_hub_reducer_matches(r, port);
    const int e = match ? __builtin_ctz(match) : -1;
    return e >= 0 && r->count[port][e] < r->rows ? e : -1;
}

bool ace_hub_reducer_s_ready(const ace_hub_reducer *r, unsigned port) {
    return !(r->in_valid >> port & 1) || takes(r, port) >= 0;
}

/* Entries of which all members have a row. */
static uint32_t complete(const ace_hub_reducer *r) {
    uint32_t all = r->open;
    for (uint64_t m = r->members; m; m &= m - 1) all &= r->has[__builtin_ctzll(m)];
    return all;
}

/* Entries of which a port has a row. */
static uint32_t waiting(const ace_hub_reducer *r) {
    uint32_t any = 0;
    for (unsigned p = 0; p < r->ports; p++) any |= r->has[p];
    return any;
}

bool ace_hub_reducer_idle(const ace_hub_reducer *r) {
    return !r->in_valid && !r->opening && !r->picked && !r->fetched && !r->reads && !r->under_way &&
           r->open == waiting(r) && !complete(r) && !r->unfit[0] && !r->unfit[1];
}

void ace_hub_reducer_skip(ace_hub_reducer *r, uint64_t cycles) {
    if (waiting(r))
        r->classes.starved += cycles;
    else
        r->classes.idle += cycles;
}

bool ace_hub_reducer_waits(const ace_hub_reducer *r, uint8_t *context, uint64_t *missing) {
    const uint32_t any = waiting(r);
    if (!any) return false;
    const unsigned e = (unsigned)__builtin_ctz(any);
    *context = r->name[e];
    *missing = 0;
    for (unsigned p = 0; p < r->ports; p++)
        *missing |= (uint64_t)(~r->has[p] >> e & 1) << p & r->members;
    return true;
}

/* ---- rising edge ------------------------------------------------------------------------ */

static bool can_reduce(const ace_hub_reducer *r, uint8_t how) {
    const unsigned type = how & 7, op = how >> 3 & 7;
    return type < ACE_TYPES && op < ACE_OPS && op != ACE_AVERAGE && (r->types >> type & 1) &&
           (r->ops >> op & 1);
}

/* Adds up one row of each member, all at index `index` of an entry, as a binary tree: ports 0 and
 * 1, ports 2 and 3 and so on, then pairs of those sums. */
static void add_up(const ace_hub_reducer *r, unsigned entry, unsigned index, uint8_t how,
                   uint32_t *sum) {
    const ace_reduction by = { .type = how & 7, .op = how >> 3 & 7 };
    ace_row part[ACE_HUB_PORTS_MAX];
    for (uint64_t m = r->members; m; m &= m - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(m);
        memcpy(part[p], r->slots[slot(r, p, entry, index)], ACE_ROW_BYTES);
    }
    for (unsigned step = 1; step < r->ports; step *= 2)
        for (unsigned p = 0; p + step < r->ports; p += 2 * step)
            if (r->members >> (p + step) & 1)
                ace_reduce_row(by, part[p], part[p + step], part[p], ACE_ROW_WORDS);
    memcpy(sum, part[0], ACE_ROW_BYTES);
}

/* The rows that were picked leave their slots. */
static void fetch_rows(ace_hub_reducer *r) {
    const unsigned e = r->pick, index = r->head[e];
    const ace_hub_header *first = &r->headers[slot(r, 0, e, index)];
    ace_hub_header *sum = &r->sum[r->next];
    *sum = *first;
    sum->context = r->name[e]; /* of all rows of the entry */
    r->out = (ace_hub_read){ .refused = !can_reduce(r, first->how) };
    for (uint64_t m = r->members; m; m &= m - 1) {
        const unsigned p = (unsigned)__builtin_ctzll(m);
        const size_t at = slot(r, p, e, index);
        ace_hub_header h = r->headers[at];
        r->out.differs |= h.mark != first->mark || h.how != first->how;
        h.context = r->name[e];
        if (!header_fits(&h)) r->out.unfit |= ACE_HUB_WRONG_HEADER;
        if (ace_row_code_of(r->slots ? r->slots[at] : NULL) != r->codes[at])
            r->out.unfit |= ACE_HUB_WRONG_ROW;
        r->count[p][e]--;
    }
    if (r->slots && !r->out.refused) add_up(r, e, index, sum->how, r->sums[r->next]);
    r->next = (r->next + 1) % ACE_HUB_SUMS;
    r->head[e] = (uint16_t)((index + 1) & (r->rows - 1));
}

/* A row goes from before the table to its slot. */
static void take_row(ace_hub_reducer *r, unsigned port, unsigned entry) {
    const size_t at = slot(r, port, entry, r->tail[port][entry]);
    r->headers[at] = r->in[port];
    r->codes[at] = r->in_code[port];
    if (r->slots) ace_row_copy(r->slots[at], r->in_rows[port]);
    r->tail[port][entry] = (uint16_t)((r->tail[port][entry] + 1u) & (r->rows - 1));
    r->count[port][entry]++;
}

/* An entry for a context that has none, in two steps; one that nobody has or brings a row of is
 * free. */
static void keep_table(ace_hub_reducer *r, uint32_t matched, uint32_t had, uint64_t missed) {
    const uint32_t all = every_entry(r), open = r->open;
    r->open &= matched | had;
    if (r->opening && open != all) {
        const unsigned e = (unsigned)__builtin_ctz(~open);
        r->open |= 1u << e;
        r->name[e] = r->opening_name;
        r->name_parity = (r->name_parity & ~(1u << e)) | (uint32_t)r->opening_parity << e;
        r->opening = false;
    } else if (!r->opening && missed) {
        r->opening = true;
        r->opening_name = r->in[__builtin_ctzll(missed)].context;
        r->opening_parity = __builtin_parity(r->opening_name);
    }
}

void ace_hub_reducer_cycle(ace_hub_reducer *r, const ace_hub_arrivals *a, bool hold) {
    const uint32_t whole = complete(r), had = waiting(r);
    const uint32_t ready = hold ? 0 : whole & ~(r->picked ? 1u << r->pick : 0);
    uint64_t missed = 0;
    uint32_t matched = 0;

    if (!r->wrong) r->wrong = r->unfit[1];
    r->unfit[1] = r->unfit[0];
    r->unfit[0] = unfit(r);
    ace_cycle_classes_tick(&r->classes, r->picked, hold && whole, had != 0);
    if (ace_hub_reducer_leaves(r)) r->oldest = (r->oldest + 1) % ACE_HUB_SUMS;
    r->under_way = (r->under_way << 1 | r->reads) & every_stage(r);
    r->mismatch |= r->reads && r->read.differs;
    r->refused |= r->reads && r->read.refused;
    for (unsigned p = 0; p < r->ports; p++) {
        const uint32_t match = ace_hub_reducer_matches(r, p);
        const uint64_t bit = UINT64_C(1) << p;
        const int e = takes(r, p);
        matched |= match;
        missed |= r->in_valid & bit && !match ? bit : 0;
        if (e >= 0) take_row(r, p, (unsigned)e);
        if ((r->in_valid & bit) && e < 0) continue;
        r->in_valid = (r->in_valid & ~bit) | (a->valid & bit);
        if (!(a->valid & bit)) continue;
        r->in[p] = a->header[p];
        r->in_code[p] = a->code[p];
        if (r->in_rows) ace_row_copy(r->in_rows[p], a->row[p]);
    }
    r->reads = r->fetched;
    r->read = r->out;
    r->fetched = r->picked;
    if (r->picked) fetch_rows(r);
    keep_table(r, matched, had, missed);
    for (unsigned p = 0; p < r->ports; p++)
        for (uint32_t open = matched | had; open; open &= open - 1) {
            const unsigned e = (unsigned)__builtin_ctz(open);
            r->has[p] = (r->has[p] & ~(1u << e)) | (uint32_t)(r->count[p][e] != 0) << e;
        }
    r->picked = ready != 0;
    if (ready) {
        r->pick = (uint8_t)ace_first(ready, (r->last + 1) & (r->contexts - 1));
        r->pick_bit = 1u << r->pick;
        r->last = r->pick;
    }
    r->not_ = second_of(r);
}

/* ---- pins ------------------------------------------------------------------------------- */

void ace_hub_reducer_eval(const ace_hub_reducer *r, ace_hub_reducer_out *o) {
    const ace_hub_header *h = ace_hub_reducer_m_header(r);
    o->s_ready = 0;
    for (unsigned p = 0; p < r->ports; p++)
        o->s_ready |= (uint64_t)ace_hub_reducer_s_ready(r, p) << p;
    o->m_valid = ace_hub_reducer_m_valid(r);
    o->m_context = h->context;
    o->m_mark = h->mark;
    o->m_data = o->m_valid && !r->refused ? ace_hub_reducer_m_data(r) : NULL;
    o->m_mismatch = r->mismatch;
    o->m_refused = r->refused;
    o->m_wrong = r->wrong;
    o->idle = ace_hub_reducer_idle(r);
    ace_cycle_classes_lanes(&r->classes, o->count);
}

void ace_hub_reducer_tick(ace_hub_reducer *r, const ace_hub_reducer_in *in) {
    ace_hub_arrivals a = { .valid = in->s_valid & ace_hub_every_port(r->ports) };
    for (unsigned p = 0; p < r->ports; p++) {
        a.header[p] =
            (ace_hub_header){ in->s_context[p], in->s_mark[p], in->s_how[p], in->s_header_code[p] };
        a.code[p] = in->s_code[p];
        a.row[p] = &in->s_data[(size_t)p * ACE_ROW_WORDS];
    }
    r->members = in->cfg_members & ace_hub_every_port(r->ports);
    ace_hub_reducer_cycle(r, &a, in->s_hold);
}
