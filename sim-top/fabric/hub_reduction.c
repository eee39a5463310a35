/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub_reduction.c -- the twin of a switch's reducer, with the RTL next to it on the rung rtl
 *
 * The twin always runs, because only its state shows which rows are missing. On the rung rtl the
 * RTL gets the same inputs, and each pin is compared with the twin's. Counters of a skipped period
 * are added by hub_reduction_shift().
 */
#include "hub_reduction.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ace_rtl_hub.h"

struct hub_reduction {
    /* constant */
    bool payload;
    /* state */
    ace_hub_reducer *twin;
    ace_rtl_hub *rtl; /* or NULL */
    hub_reduction_counts count, kept;
    ace_hub_reducer_out pins; /* of this cycle */
    char wrong[160];          /* the first difference between RTL and twin */
};

unsigned hub_reduction_ports(unsigned members) {
    if (members <= ACE_HUB_FEW_PORTS) return ACE_HUB_FEW_PORTS;
    return members <= ACE_HUB_SOME_PORTS ? ACE_HUB_SOME_PORTS : ACE_HUB_PORTS;
}

int hub_reduction_create(const hub_reduction_setup *setup, hub_reduction **to) {
    const uint64_t members = ace_hub_every_port(setup->simulated);
    hub_reduction *r = calloc(1, sizeof *r);
    int e = r ? ace_hub_reducer_create(hub_reduction_ports(setup->members), ACE_HUB_CONTEXTS,
                                       ACE_HUB_ROWS, setup->payload, &r->twin)
              : ACE_ENOMEM;

    if (e == ACE_OK) {
        r->payload = setup->payload;
        r->twin->members = members;
        if (setup->rtl) {
            r->twin->types = ACE_RTL_HUB_TYPES;
            r->twin->ops = ACE_RTL_HUB_OPS;
            e = ace_rtl_hub_create((uint32_t)members, setup->payload, &r->rtl);
        }
    }
    if (e == ACE_OK)
        *to = r;
    else
        hub_reduction_destroy(r);
    return e;
}

void hub_reduction_destroy(hub_reduction *r) {
    if (!r) return;
    ace_hub_reducer_destroy(r->twin);
    ace_rtl_hub_destroy(r->rtl);
    free(r);
}

/* ---- RTL against twin, pin by pin --------------------------------------------------------- */

static void differ(hub_reduction *r, const char *pin, uint64_t rtl, uint64_t twin) {
    if (!*r->wrong)
        snprintf(r->wrong, sizeof r->wrong,
                 "its RTL has %s = 0x%llx, expected 0x%llx, as its twin has", pin,
                 (unsigned long long)rtl, (unsigned long long)twin);
}

static void compare(hub_reduction *r, const ace_hub_reducer_out *twin) {
    const ace_hub_reducer_out *rtl = &r->pins;
    const uint32_t *a = rtl->m_data, *b = twin->m_data;

    if (rtl->s_ready != twin->s_ready) differ(r, "s_ready", rtl->s_ready, twin->s_ready);
    if (rtl->m_valid != twin->m_valid) differ(r, "m_valid", rtl->m_valid, twin->m_valid);
    if (rtl->m_valid && rtl->m_context != twin->m_context)
        differ(r, "m_context", rtl->m_context, twin->m_context);
    if (rtl->m_valid && rtl->m_mark != twin->m_mark) differ(r, "m_mark", rtl->m_mark, twin->m_mark);
    for (unsigned w = 0; rtl->m_valid && a && b && w < ACE_ROW_WORDS; w++)
        if (a[w] != b[w]) differ(r, "a word of m_data", a[w], b[w]);
    if (rtl->m_mismatch != twin->m_mismatch)
        differ(r, "m_mismatch", rtl->m_mismatch, twin->m_mismatch);
    if (rtl->m_refused != twin->m_refused) differ(r, "m_refused", rtl->m_refused, twin->m_refused);
    if (rtl->m_wrong != twin->m_wrong) differ(r, "m_wrong", rtl->m_wrong, twin->m_wrong);
    if (rtl->idle != twin->idle) differ(r, "idle", rtl->idle, twin->idle);
    for (unsigned i = 0; i < ACE_COUNT_LANES; i++)
        if (rtl->count[i] != twin->count[i])
            differ(r, "a lane of count", rtl->count[i], twin->count[i]);
}

void hub_reduction_show(hub_reduction *r) {
    ace_hub_reducer_out twin;
    ace_hub_reducer_eval(r->twin, &twin);
    if (r->rtl) {
        ace_rtl_hub_eval(r->rtl, &r->pins);
        compare(r, &twin);
    } else {
        r->pins = twin;
    }
}

const ace_hub_reducer_out *hub_reduction_pins(const hub_reduction *r) { return &r->pins; }

unsigned hub_reduction_coming(const hub_reduction *r) { return ace_hub_reducer_coming(r->twin); }

/* Returns how many slots hold a row of any member. */
static uint64_t slots_of(const ace_hub_reducer *t) {
    uint64_t all = 0;

    for (uint32_t open = t->open; open; open &= open - 1) {
        const unsigned e = (unsigned)__builtin_ctz(open);
        uint16_t most = 0;
        for (uint64_t m = t->members; m; m &= m - 1) {
            const uint16_t count = t->count[__builtin_ctzll(m)][e];
            most = count > most ? count : most;
        }
        all += most;
    }
    return all;
}

void hub_reduction_cycle(hub_reduction *r, const ace_hub_arrivals *a, bool stall, bool waits) {
    uint64_t slots;

    r->count.rows += r->pins.m_valid;
    r->count.waiting += waits;
    if (r->rtl) ace_rtl_hub_cycle(r->rtl, a, stall);
    ace_hub_reducer_cycle(r->twin, a, stall);
    slots = slots_of(r->twin);
    if (slots > r->count.slots) r->count.slots = slots;
}

bool hub_reduction_is_idle(const hub_reduction *r) { return ace_hub_reducer_idle(r->twin); }

void hub_reduction_skip(hub_reduction *r, uint64_t cycles) {
    uint8_t context;
    uint64_t missing;

    if (r->rtl)
        ace_rtl_hub_skip(r->rtl, cycles, ace_hub_reducer_waits(r->twin, &context, &missing));
    ace_hub_reducer_skip(r->twin, cycles);
}

const char *hub_reduction_error(const hub_reduction *r, int *err) {
    const uint8_t unfit = ace_hub_reducer_m_wrong(r->twin);

    *err = ACE_ENODE;
    if (*r->wrong) return r->wrong;
    *err = ACE_EPARITY;
    if (unfit & ACE_HUB_WRONG_ROW) return "a row to be reduced did not fit its code";
    if (unfit & ACE_HUB_WRONG_HEADER)
        return "what a row to be reduced says of itself did not fit its code";
    if (unfit) return "what its table of rows to be reduced is kept in did not fit";
    *err = ACE_ENODE;
    if (ace_hub_reducer_m_mismatch(r->twin))
        return "rows that members sent to be reduced are of different chunks, types or operations";
    *err = ACE_EINVAL;
    if (!ace_hub_reducer_m_refused(r->twin)) return NULL;
    return r->rtl
               ? "found rows that its RTL has no ALUs for, expected fp32 or int32, to be summed or "
                 "for their minimum; or cycle:switch in --rung"
               : "found rows to be averaged, expected a sum, minimum, maximum or product";
}

bool hub_reduction_waits(const hub_reduction *r, uint8_t *context, uint64_t *there,
                         uint64_t *missing) {
    if (!ace_hub_reducer_waits(r->twin, context, missing)) return false;
    *there = r->twin->members & ~*missing;
    return true;
}

hub_reduction_counts hub_reduction_counted(const hub_reduction *r) {
    hub_reduction_counts c = r->count;
    c.class_ = r->twin->classes;
    c.there = true;
    c.rtl = r->rtl != NULL;
    return c;
}

void hub_reduction_state(hub_reduction *r, ace_state *s) {
    ace_hub_reducer_state(r->twin, s);
    if (r->rtl) ace_rtl_hub_state(r->rtl, s);
    ACE_STATE(s, r->count);
    ACE_STATE(s, r->kept);
}

/* ---- recurrence: only on the rung cycle --------------------------------------------------- */

static void put_word(ace_recurrence *to, uint64_t word) {
    ace_recurrence_put(to, &word, sizeof word);
}

static void put_header(ace_recurrence *to, const ace_hub_header *h) {
    put_word(to, h->context | (uint64_t)h->how << 8);
    put_word(to, ace_recurrence_mark(to, h->mark));
}

void hub_reduction_put(const hub_reduction *reduction, ace_recurrence *to) {
    const ace_hub_reducer *r = reduction->twin;
    const uint32_t flags = (uint32_t)r->opening | (uint32_t)r->picked << 1 |
                           (uint32_t)r->reads << 2 | (uint32_t)r->fetched << 3;
    put_word(to, r->in_valid);
    put_word(to, r->open);
    put_word(to, flags | (uint64_t)r->opening_name << 8 | (uint64_t)r->pick << 16 |
                     (uint64_t)r->last << 24);
    put_word(to, r->under_way);
    for (unsigned i = r->oldest; i != r->next; i = (i + 1) % ACE_HUB_SUMS)
        put_header(to, &r->sum[i]);
    for (unsigned p = 0; p < r->ports; p++) {
        if (r->in_valid >> p & 1) put_header(to, &r->in[p]);
        for (uint32_t has = r->has[p]; has; has &= has - 1) {
            const unsigned e = (unsigned)__builtin_ctz(has);
            put_word(to, e | (uint64_t)r->name[e] << 8 | (uint64_t)r->count[p][e] << 16);
            for (unsigned i = 0; i < r->count[p][e]; i++)
                put_header(to, ace_hub_reducer_waiting(r, p, e, i));
        }
    }
}

void hub_reduction_keep(hub_reduction *r) { r->kept = hub_reduction_counted(r); }

/* A maximum (count.slots) needs no change: the next periods reach the same value. */
void hub_reduction_shift(hub_reduction *r, uint64_t times) {
    ace_cycle_classes *now = &r->twin->classes, *then = &r->kept.class_;

    r->count.rows += times * (r->count.rows - r->kept.rows);
    r->count.waiting += times * (r->count.waiting - r->kept.waiting);
    now->busy += times * (now->busy - then->busy);
    now->starved += times * (now->starved - then->starved);
    now->blocked += times * (now->blocked - then->blocked);
    now->idle += times * (now->idle - then->idle);
}
