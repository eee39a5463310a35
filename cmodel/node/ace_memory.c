/* SPDX-License-Identifier: Apache-2.0 */
/* ace_memory.c -- sparse byte memory: an open-addressed table of pages */
#include "ace_memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_BITS = 14,
    PAGE_BYTES = 1 << PAGE_BITS,
    FIRST_SLOTS = 64,
    MOST_SLOTS = 1 << 24 /* 128 GiB */
};

typedef struct page {
    uint64_t number;
    uint8_t *bytes; /* NULL: the slot is free */
} page;

struct ace_memory {
    page *slot;
    size_t slots, used; /* slots is a power of two, at most half used */
};

static size_t find_slot(const page *slot, size_t slots, uint64_t number) {
    uint64_t h = number * UINT64_C(0x9E3779B97F4A7C15);
    size_t i = (size_t)(h >> 32) & (slots - 1);

    while (slot[i].bytes && slot[i].number != number) i = (i + 1) & (slots - 1);
    return i;
}

ace_memory *ace_memory_create(void) {
    ace_memory *m = calloc(1, sizeof *m);

    if (!m) return NULL;
    m->slots = FIRST_SLOTS;
    m->slot = calloc(m->slots, sizeof *m->slot);
    if (!m->slot) {
        free(m);
        return NULL;
    }
    return m;
}

void ace_memory_destroy(ace_memory *m) {
    if (!m) return;
    for (size_t i = 0; i < m->slots; i++) free(m->slot[i].bytes);
    free(m->slot);
    free(m);
}

/* Each page is found where it is, and a search for others ends. */
static void check(const ace_memory *m, ace_state *s) {
    size_t used = 0;

    for (size_t i = 0; i < m->slots; i++) used += m->slot[i].bytes != NULL;
    ace_state_must(s, used == m->used, "ace_memory.used");
    for (size_t i = 0; ace_state_loaded(s) && i < m->slots; i++)
        ace_state_must(s, !m->slot[i].bytes || find_slot(m->slot, m->slots, m->slot[i].number) == i,
                       "ace_memory.page");
}

/* Slot by slot, so the loaded table behaves like the saved one. */
void ace_memory_state(ace_memory *m, ace_state *s) {
    ace_memory next = *m;

    ACE_STATE_BUT(s, next, &next.slot);
    ace_state_must(s,
                   next.slots >= FIRST_SLOTS && !(next.slots & (next.slots - 1)) &&
                       next.slots <= MOST_SLOTS,
                   "ace_memory.slots");
    ace_state_must(s, next.used <= next.slots / 2, "ace_memory.used");
    if (s->loading) {
        next.slot = s->failed ? NULL : calloc(next.slots, sizeof *next.slot);
        s->failed = !next.slot;
        if (s->failed) return;
        for (size_t i = 0; i < m->slots; i++) free(m->slot[i].bytes);
        free(m->slot);
        *m = next;
    }
    for (size_t i = 0; i < m->slots && !s->failed; i++) {
        page *p = &m->slot[i];
        bool here = p->bytes != NULL;

        ACE_STATE(s, here);
        ACE_STATE_BOOLS(s, "ace_memory.page", &here);
        if (!here || s->failed) continue;
        if (s->loading && !(p->bytes = malloc(PAGE_BYTES))) {
            s->failed = true;
            return;
        }
        ACE_STATE(s, p->number);
        ace_state_bytes(s, p->bytes, PAGE_BYTES);
    }
    if (ace_state_loaded(s)) check(m, s);
}

static int grow(ace_memory *m) {
    const size_t slots = m->slots * 2;
    page *slot = calloc(slots, sizeof *slot);

    if (!slot) return ACE_ENOMEM;
    for (size_t i = 0; i < m->slots; i++)
        if (m->slot[i].bytes) slot[find_slot(slot, slots, m->slot[i].number)] = m->slot[i];
    free(m->slot);
    m->slot = slot;
    m->slots = slots;
    return ACE_OK;
}

void ace_memory_read(const ace_memory *m, uint64_t address, void *to, size_t bytes) {
    uint8_t *out = to;

    while (bytes) {
        const size_t at = (size_t)(address & (PAGE_BYTES - 1));
        const size_t n = bytes < PAGE_BYTES - at ? bytes : PAGE_BYTES - at;
        const page *p = &m->slot[find_slot(m->slot, m->slots, address >> PAGE_BITS)];

        if (p->bytes)
            memcpy(out, p->bytes + at, n);
        else
            memset(out, 0, n);
        out += n;
        address += n;
        bytes -= n;
    }
}

int ace_memory_write(ace_memory *m, uint64_t address, const void *from, size_t bytes) {
    const uint8_t *in = from;

    while (bytes) {
        const size_t at = (size_t)(address & (PAGE_BYTES - 1));
        const size_t n = bytes < PAGE_BYTES - at ? bytes : PAGE_BYTES - at;
        page *p = &m->slot[find_slot(m->slot, m->slots, address >> PAGE_BITS)];

        if (!p->bytes) {
            if (m->used * 2 >= m->slots) {
                if (grow(m) != ACE_OK) return ACE_ENOMEM;
                p = &m->slot[find_slot(m->slot, m->slots, address >> PAGE_BITS)];
            }
            p->bytes = calloc(1, PAGE_BYTES);
            if (!p->bytes) return ACE_ENOMEM;
            p->number = address >> PAGE_BITS;
            m->used++;
        }
        memcpy(p->bytes + at, in, n);
        in += n;
        address += n;
        bytes -= n;
    }
    return ACE_OK;
}
