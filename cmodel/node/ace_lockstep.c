/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_lockstep.c -- two cores that get the same inputs and must show the same outputs
 *
 * Valid pins are compared first, and what they qualify only while they are set. Rows are compared
 * only where both cores have them. Counters are compared every 1024 cycles. The first difference
 * is kept as a text with its cycle, and the pins of the first core drive the rest of the node.
 */
#include "ace_lockstep.h"

#include "ace_link_sender.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct ace_pair {
    ace_core base;
    ace_core *first, *second;
    unsigned dimensions;
    uint64_t cycle, busy;
    uint64_t differs; /* cycle of the difference */
    ace_watch watch;
    char difference[192];
    ace_core_class class_;
} ace_pair;

static ace_pair *self(ace_core *c) { return (ace_pair *)c; }

static void differ(ace_pair *p, const char *pin, unsigned link, uint64_t a, uint64_t b) {
    if (!p->difference[0]) {
        p->differs = p->cycle;
        snprintf(p->difference, sizeof p->difference,
                 "cycle %" PRIu64 ", pin %s[%u]: %s %#" PRIx64 ", %s %#" PRIx64, p->cycle, pin,
                 link, p->first->class_->rung, a, p->second->class_->rung, b);
    }
}

static void compare_rows(ace_pair *p, const char *pin, unsigned link, const uint32_t *a,
                         const uint32_t *b) {
    if (a && b)
        for (unsigned i = 0; i < ACE_ROW_WORDS; i++)
            if (a[i] != b[i]) {
                differ(p, pin, link * ACE_ROW_WORDS + i, a[i], b[i]);
                return;
            }
}

#define SAME(pin)                                                 \
    do {                                                          \
        if (a->pin != b->pin) differ(p, #pin, 0, a->pin, b->pin); \
    } while (0)

/* The CRC on a link in this cycle: as the core has it, or of what it sends. */
static uint32_t crc_of(const ace_pins_out *o, unsigned l) {
    if (o->has_crc) return o->tx_crc[l];
    return ace_link_sender_tx_crc(o, l);
}

static void compare_frames(ace_pair *p, unsigned l, const ace_pins_out *a, const ace_pins_out *b) {
    if (a->tx_number[l] != b->tx_number[l])
        differ(p, "tx_number", l, a->tx_number[l], b->tx_number[l]);
    if (a->tx_ack[l] != b->tx_ack[l]) differ(p, "tx_ack", l, a->tx_ack[l], b->tx_ack[l]);
    if (a->has_crc != b->has_crc && crc_of(a, l) != crc_of(b, l))
        differ(p, "tx_crc", l, crc_of(a, l), crc_of(b, l));
    if (a->tx_grant_valid >> l & 1) {
        if (a->tx_grant[l].context != b->tx_grant[l].context)
            differ(p, "tx_grant_context", l, a->tx_grant[l].context, b->tx_grant[l].context);
        if (a->tx_grant[l].mark != b->tx_grant[l].mark)
            differ(p, "tx_grant_mark", l, a->tx_grant[l].mark, b->tx_grant[l].mark);
        if (a->tx_grant_peer[l] != b->tx_grant_peer[l])
            differ(p, "tx_grant_peer", l, a->tx_grant_peer[l], b->tx_grant_peer[l]);
    }
}

/* Long: one line a pin. */
static const ace_pins_out *pair_out(ace_core *core) {
    ace_pair *p = self(core);
    const ace_pins_out *a = p->first->class_->out(p->first), *b = p->second->class_->out(p->second);
    if (p->difference[0]) return a;
    SAME(cmd_ready);
    SAME(done_valid);
    SAME(tx_valid);
    SAME(tx_credit);
    SAME(tx_grant_valid);
    SAME(tx_routed);
    SAME(tx_routed_credit);
    SAME(tx_frame);
    SAME(tx_resend);
    SAME(link_failed);
    SAME(link_state);
    SAME(ar_valid);
    SAME(r_ready);
    SAME(aw_valid);
    SAME(w_valid);
    SAME(b_ready);
    SAME(memory_busy);
    SAME(idle);
    SAME(mismatch);
    SAME(read_failed);
    SAME(write_failed);
    SAME(protocol_failed);
    SAME(memory_lost);
    SAME(scratchpad_failed);
    SAME(count_corrected);
    SAME(count_failed);
    SAME(transfer_failed);
    SAME(count_refused);
    SAME(parity_failed);
    SAME(count_parity);
    if (p->difference[0]) return a;
    if (a->done_valid) SAME(done_tag);
    if (a->read_failed) {
        SAME(read_failed_resp);
        SAME(read_failed_addr);
    }
    if (a->write_failed) {
        SAME(write_failed_resp);
        SAME(write_failed_addr);
    }
    if (a->protocol_failed) SAME(protocol_failed_addr);
    if (a->scratchpad_failed) {
        SAME(scratchpad_failed_bank);
        SAME(scratchpad_failed_row);
    }
    if (a->transfer_failed) {
        SAME(transfer_failed_list);
        SAME(transfer_failed_addr);
    }
    if (a->parity_failed) SAME(parity_failed_at);
    if (a->ar_valid) {
        SAME(ar_addr);
        SAME(ar_len);
    }
    if (a->aw_valid) {
        SAME(aw_addr);
        SAME(aw_len);
    }
    if (a->w_valid) {
        SAME(w_last);
        SAME(w_bytes);
        compare_rows(p, "w_data", 0, a->w_data, b->w_data);
    }
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (a->tx_frame >> l & 1) compare_frames(p, l, a, b);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        if (a->tx_valid >> l & 1) {
            if ((a->tx_reduce ^ b->tx_reduce) >> l & 1)
                differ(p, "tx_reduce", l, a->tx_reduce >> l & 1, b->tx_reduce >> l & 1);
            if (a->tx[l].context != b->tx[l].context)
                differ(p, "tx_context", l, a->tx[l].context, b->tx[l].context);
            if (a->tx[l].mark != b->tx[l].mark)
                differ(p, "tx_mark", l, a->tx[l].mark, b->tx[l].mark);
            if (a->tx_route[l] != b->tx_route[l])
                differ(p, "tx_route", l, a->tx_route[l], b->tx_route[l]);
            compare_rows(p, "tx_data", l, a->tx_data[l], b->tx_data[l]);
        }
    return a;
}

static void compare_counts(ace_pair *p) {
#define NAME(unit) unit,
    static const char *const units[] = { ACE_UNIT_MAP(NAME) };
#undef NAME
    ace_counts a, b;
    p->first->class_->counts(p->first, a);
    p->second->class_->counts(p->second, b);
    /* every unit counts every cycle in one class, so all units count alike */
    for (unsigned u = 1; u < ACE_UNITS; u++) {
        if (!ace_unit_is_there(u, p->dimensions)) continue;
        uint64_t first = 0, sum = 0;
        for (unsigned c = 0; c < ACE_CLASSES; c++) first += a[0][c], sum += a[u][c];
        if (first != sum) differ(p, units[u], ACE_CLASSES, sum, first);
    }
    const ace_pins_out *o = p->first->class_->out(p->first), *q = p->second->class_->out(p->second);
    for (unsigned l = 0; l < ACE_LINKS; l++)
        for (unsigned i = 0; i < ACE_LINK_COUNTS; i++)
            if (o->link_count[l][i] != q->link_count[l][i])
                differ(p, "link_count", l * ACE_LINK_COUNTS + i, o->link_count[l][i],
                       q->link_count[l][i]);
    for (unsigned u = 0; u < ACE_UNITS; u++)
        for (unsigned c = 0; c < ACE_CLASSES; c++)
            if (a[u][c] != b[u][c]) differ(p, units[u], c, a[u][c], b[u][c]);
}

static void pair_tick(ace_core *core, const ace_pins_in *in) {
    ace_pair *p = self(core);
    if (p->watch.check) p->watch.check(p->watch.self, p->cycle, p->first, p->second, in);
    p->first->class_->tick(p->first, in);
    p->second->class_->tick(p->second, in);
    p->cycle++;
    p->busy++;
    if (p->cycle % 1024 == 0) /* the count pins; they keep what a shorter distance would show */
        compare_counts(p);
}

static void pair_skip(ace_core *core, uint64_t cycles) {
    ace_pair *p = self(core);
    p->first->class_->skip(p->first, cycles);
    p->second->class_->skip(p->second, cycles);
    p->cycle += cycles;
}

static void pair_time(ace_core *core, uint64_t cycle) {
    ace_pair *p = self(core);
    if (p->first->class_->time) p->first->class_->time(p->first, cycle);
    if (p->second->class_->time) p->second->class_->time(p->second, cycle);
    p->cycle = cycle;
}

static void pair_reset(ace_core *core) {
    ace_pair *p = self(core);
    p->first->class_->reset(p->first);
    p->second->class_->reset(p->second);
}

static void pair_destroy(ace_core *core) {
    ace_pair *p = self(core);
    p->first->class_->destroy(p->first);
    p->second->class_->destroy(p->second);
    free(p);
}

static void pair_counts(const ace_core *core, ace_counts c) {
    const ace_pair *p = (const ace_pair *)core;
    p->first->class_->counts(p->first, c);
}

static void pair_dump(const ace_core *core, FILE *to) {
    const ace_pair *p = (const ace_pair *)core;
    p->first->class_->dump(p->first, to);
    p->second->class_->dump(p->second, to);
}

int ace_lockstep_core_create(ace_core *first, ace_core *second, unsigned dimensions,
                             ace_core **core) {
    ace_pair *p = calloc(1, sizeof *p);
    if (!p) return ACE_ENOMEM;
    p->class_ = (ace_core_class){ .rung = "lockstep",
                                  .destroy = pair_destroy,
                                  .reset = pair_reset,
                                  .out = pair_out,
                                  .tick = pair_tick,
                                  .skip = pair_skip,
                                  .counts = pair_counts,
                                  .dump = pair_dump,
                                  .time = pair_time };
    p->base.class_ = &p->class_;
    p->first = first;
    p->second = second;
    p->dimensions = dimensions;
    *core = &p->base;
    return ACE_OK;
}

const char *ace_lockstep_difference(const ace_core *core) {
    const ace_pair *p = (const ace_pair *)core;
    return p->difference[0] ? p->difference : NULL;
}

uint64_t ace_lockstep_cycle(const ace_core *core) {
    const ace_pair *p = (const ace_pair *)core;
    return p->difference[0] ? p->differs : p->cycle;
}

void ace_lockstep_watch(ace_core *core, ace_watch watch) { self(core)->watch = watch; }

void ace_lockstep_compare_counts(ace_core *core) { compare_counts(self(core)); }

uint64_t ace_lockstep_busy(const ace_core *core) { return ((const ace_pair *)core)->busy; }
