/* SPDX-License-Identifier: Apache-2.0 */
/* ace_register_view.h -- how the units of the twin name their registers, for ace_registers*.c */
#ifndef ACE_REGISTER_VIEW_H
#define ACE_REGISTER_VIEW_H

#include "ace_node_core.h"
#include "ace_registers.h"

/* A unit of a core, whose registers go to `see`. */
typedef struct view {
    ace_register_see *see;
    void *self;
    const char *unit;
} view;

static inline uint64_t all_if(bool condition) { return condition ? UINT64_MAX : 0; }

static inline void see_entry(const view *v, const char *name, unsigned at, uint64_t value,
                             bool valid) {
    v->see(v->self, &(ace_register){ v->unit, name, at, NULL, 0, value, all_if(valid), false });
}
static inline void see_if(const view *v, const char *name, uint64_t value, bool valid) {
    see_entry(v, name, 0, value, valid);
}
static inline void see(const view *v, const char *name, uint64_t value) {
    see_if(v, name, value, true);
}
static inline void see_masked(const view *v, const char *name, unsigned at, uint64_t value,
                              uint64_t mask) {
    v->see(v->self, &(ace_register){ v->unit, name, at, NULL, 0, value, mask, false });
}
static inline void see_ring(const view *v, const char *name, const char *ring, unsigned at,
                            uint64_t value, bool valid) {
    v->see(v->self, &(ace_register){ v->unit, name, at, ring, 0, value, all_if(valid), false });
}
/* A register of more than 64 bits, as two. */
static inline void see_wide(const view *v, const char *name, const char *ring, unsigned at,
                            uint64_t low, uint64_t high, bool valid) {
    see_ring(v, name, ring, at, low, valid);
    v->see(v->self, &(ace_register){ v->unit, name, at, ring, 64, high, all_if(valid), false });
}
static inline void see_may_differ(const view *v, const char *name, unsigned at, uint64_t value) {
    v->see(v->self, &(ace_register){ v->unit, name, at, NULL, 0, value, UINT64_MAX, true });
}

/* A register of fields side by side, of which some may be known. */
typedef struct fields {
    uint64_t value[6], mask[6];
    unsigned bits;
} fields;

static inline void append(fields *f, unsigned bits, uint64_t value, bool valid) {
    for (unsigned i = 0; i < bits; i++, f->bits++) {
        f->value[f->bits / 64] |= (value >> i & 1) << f->bits % 64;
        f->mask[f->bits / 64] |= (uint64_t)valid << f->bits % 64;
    }
}
static inline void see_fields(const view *v, const char *name, unsigned at, const fields *f) {
    for (unsigned low = 0; low < f->bits; low += 64)
        v->see(v->self, &(ace_register){ v->unit, name, at, NULL, low, f->value[low / 64],
                                         f->mask[low / 64], false });
}

static inline uint64_t packed(const uint16_t *from, unsigned count, unsigned bits) {
    uint64_t to = 0;
    for (unsigned i = 0; i < count; i++) to |= (uint64_t)from[i] << (bits * i);
    return to;
}
static inline uint64_t packed_bytes(const uint8_t *from, unsigned count, unsigned bits) {
    uint64_t to = 0;
    for (unsigned i = 0; i < count; i++) to |= (uint64_t)from[i] << (bits * i);
    return to;
}

/* The counters of an ace_cycle_classes; cycles slept through are in one twin's idle count alone. */
static inline void see_cycles(const view *outer, const char *unit,
                              const uint64_t cycles[ACE_COUNT_LANES]) {
    static const char *const names[] = { "busy_q", "starved_q", "blocked_q", "idle_q" };
    const view v = { outer->see, outer->self, unit };
    for (unsigned c = 0; c < ACE_COUNT_LANES - 1; c++) see(&v, names[c], cycles[c]);
    see_may_differ(&v, names[ACE_COUNT_LANES - 1], 0, cycles[ACE_COUNT_LANES - 1]);
}
static inline void see_classes(const view *outer, const char *unit, const ace_cycle_classes *c) {
    uint64_t cycles[ACE_COUNT_LANES];
    ace_cycle_classes_lanes(c, cycles);
    see_cycles(outer, unit, cycles);
}

/* ---- ace_registers_fsm.c: of all phases, with their programs ---- */
void ace_registers_fsms(const view *outer, const ace_cycle_core *n);
/* ---- ace_registers_memory.c: of the DMAs, the arbiter and the interface; the rows they hold ----
 */
void ace_registers_memory(const view *outer, const ace_cycle_core *n);
void ace_registers_memory_rows(ace_row_register_see *see_row, void *self, const ace_cycle_core *n);
/* ---- ace_registers_link.c: of all links ---- */
void ace_registers_links(const view *outer, const ace_cycle_core *n);
void ace_registers_link_rows(ace_row_register_see *see_row, void *self, const ace_cycle_core *n);
/* ---- ace_registers_exchange.c ---- */
void ace_registers_exchange(const view *v, const ace_cycle_core *n);
void ace_registers_router(const view *v, const ace_cycle_core *n);
void ace_registers_exchange_rows(ace_row_register_see *see_row, void *self,
                                 const ace_cycle_core *n);

#endif
