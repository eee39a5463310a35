/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_state.h -- the state of a unit as a stream of bytes, out and in
 *
 * Save a node:
 *
 *     ace_state save = { .move = write_bytes, .self = file };
 *     ace_node_state(node, now, &save);
 *     if (save.failed) ...
 *
 * Load its bytes into another node that was created with the same parameters:
 *
 *     ace_state load = { .loading = true, .move = read_bytes, .self = file };
 *     ace_node_state(another, now, &load);
 *     if (load.failed) ...
 *
 * Each unit has one function that lists its state and serves both directions, so that what
 * is saved and what is loaded cannot come apart.  A unit is a struct, and the struct is
 * moved whole: a member that is added later belongs to the state without being named.
 * Only pointers are named.  Pointers are not in the stream.  A block of state behind a pointer
 * follows in the stream; a pointer into state is derived again after loading.
 *
 * Rules
 *   Layout      The stream holds the bytes of the structs.  Only the program that wrote a stream
 *               can read it; the caller that stores the stream must check this.
 *   Alike       The object that is loaded has the same parameters and configuration as the one
 *               that was saved.  The object may have run.
 *   Errors      When a move fails or a loaded value is impossible, `failed` stays true and nothing
 *               more moves.  The object that was being loaded can then only be destroyed.
 */
#ifndef ACE_STATE_H
#define ACE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_state {
    bool loading, failed;
    /* Takes the bytes, or gives them when loading; false: it cannot. */
    bool (*move)(void *self, void *at, size_t bytes);
    void *self;
    const char *impossible; /* "unit.field" of the first impossible value loaded; NULL: none */
} ace_state;

/* ---- the invariants of a state --------------------------------------------------------------
 *
 * A complete stream may still hold values that no unit ever reaches: an index beyond its buffer,
 * more credits than slots.  After a unit has moved its bytes, it checks its invariants, the same
 * that its proof in tests/formal states.  The first invariant that fails is recorded, and nothing
 * more moves. */

/* Is there a loaded state to check? */
static inline bool ace_state_loaded(const ace_state *s) { return s->loading && !s->failed; }

static inline void ace_state_impossible(ace_state *s, const char *field) {
    s->failed = true;
    s->impossible = field;
}
/* A macro, because `holds` must not be evaluated after an earlier check has failed: it may rely on
 * that check, such as a bool that is really 0 or 1. */
#define ace_state_must(s, holds, field)                                        \
    do {                                                                       \
        if (ace_state_loaded(s) && !(holds)) ace_state_impossible((s), field); \
    } while (0)

/* A loaded byte may be neither 0 nor 1, so bools are checked before they are used as bools. */
static inline void ace_state_bools(ace_state *s, const bool *const at[], size_t count,
                                   const char *field) {
    unsigned char value;

    for (size_t i = 0; i < count && ace_state_loaded(s); i++) {
        memcpy(&value, at[i], sizeof value);
        ace_state_must(s, value <= 1, field);
    }
}
#define ACE_STATE_BOOLS(s, field, ...)                       \
    ace_state_bools(s, (const bool *const[]){ __VA_ARGS__ }, \
                    sizeof((const bool *const[]){ __VA_ARGS__ }) / sizeof(bool *), field)

static inline void ace_state_bytes(ace_state *s, void *at, size_t bytes) {
    if (!s->failed && bytes) s->failed = !s->move(s->self, at, bytes);
}

/* An array of `count` elements at *at.  Loading allocates the array again, in steps: each step at
 * most doubles what was read so far.  A wrong length in a stream can therefore not exhaust memory.
 */
static inline void ace_state_array(ace_state *s, void **at, uint64_t count, size_t size) {
    if (!s->loading) ace_state_bytes(s, *at, (size_t)count * size);
    if (!s->loading || s->failed) return;
    free(*at);
    *at = NULL;
    for (uint64_t have = 0, more; have < count && !s->failed; have += more) {
        void *to;

        more = have ? have : 4096 / size + 1;
        if (more > count - have) more = count - have;
        to = have + more > SIZE_MAX / size ? NULL : realloc(*at, (size_t)(have + more) * size);
        s->failed = !to;
        if (!to) return;
        *at = to;
        ace_state_bytes(s, (char *)to + (size_t)have * size, (size_t)more * size);
    }
}

enum { ACE_STATE_POINTERS = 24 };

/* A struct that owns memory through some of its pointers, such as an allocated table.  Those
 * pointers keep their values and are zero in the stream.  own: the addresses of those pointers. */
static inline void ace_state_struct(ace_state *s, void *at, size_t bytes, void *const own[],
                                    size_t count) {
    unsigned char held[ACE_STATE_POINTERS][sizeof(void *)];

    if (count > ACE_STATE_POINTERS) s->failed = true;
    if (s->failed) return;
    for (size_t i = 0; i < count; i++) {
        memcpy(held[i], own[i], sizeof held[i]);
        memset(own[i], 0, sizeof held[i]);
    }
    ace_state_bytes(s, at, bytes);
    for (size_t i = 0; i < count; i++) memcpy(own[i], held[i], sizeof held[i]);
}

/* ACE_STATE moves an object without pointers.  ACE_STATE_BUT moves an object with pointers; the
 * addresses of the pointers follow as arguments. */
#define ACE_STATE(s, x) ace_state_bytes(s, &(x), sizeof(x))
#define ACE_STATE_BUT(s, x, ...)                                    \
    ace_state_struct(s, &(x), sizeof(x), (void *[]){ __VA_ARGS__ }, \
                     sizeof((void *[]){ __VA_ARGS__ }) / sizeof(void *))

#ifdef __cplusplus
}
#endif
#endif
