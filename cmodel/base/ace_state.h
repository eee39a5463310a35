/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_state.h -- the state of a unit as a stream of bytes, out and in
 *
 *     ace_state save = { .move = write_bytes, .self = file };
 *     ace_node_state(node, now, &save);                   node -> bytes
 *     ace_state load = { .loading = true, .move = read_bytes, .self = file };
 *     ace_node_state(another, now, &load);                bytes -> a node made alike
 *     if (save.failed || load.failed) ...
 *
 * Each unit has one function that lists its state and serves both directions, so that what
 * is saved and what is loaded cannot come apart.  A unit is a struct, and the struct is
 * moved whole: a member that is added later belongs to the state without being named.
 * Only pointers are named.  They are not in the stream; what they point to follows where it
 * is state, and where they point into state they are made anew.
 *
 * Rules
 *   Layout      The bytes are those of the structs, so they mean something to the very
 *               program that wrote them, and to no other.  Who keeps them sees to that.
 *   Alike       What is loaded into was made with the same parameters and configuration.
 *               It may have run.
 *   Errors      After a move that fails, or something impossible that was loaded, `failed` stays
 *               true and nothing more moves; what was loaded into can then only be destroyed.
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
    const char *impossible; /* "unit.field" of what was loaded and no run has; NULL: none */
} ace_state;

/* ---- what a state must hold together --------------------------------------------------------
 *
 * A stream may be whole and still hold what no unit ever holds: an index behind its buffer, more
 * credits than places.  After it was moved a unit states what always holds, as its proof in
 * tests/formal does where there is one; the first that does not is kept, and nothing more moves. */

/* Is there something to look at? */
static inline bool ace_state_loaded(const ace_state *s) { return s->loading && !s->failed; }

static inline void ace_state_impossible(ace_state *s, const char *field) {
    s->failed = true;
    s->impossible = field;
}
/* A macro, as `holds` is not even read once something before it was impossible: what follows may
 * lean on it, such as a bool that is one. */
#define ace_state_must(s, holds, field)                                        \
    do {                                                                       \
        if (ace_state_loaded(s) && !(holds)) ace_state_impossible((s), field); \
    } while (0)

/* A bool in a stream may be neither: that is looked at before it is used as one. */
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

/* An array of `count` elements at *at, which is made anew when it is loaded: with memory for as
 * much as has come, twice at most, whatever the stream says of its length. */
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

/* A struct with members that point to something of its own, such as a table it allocated:
 * those pointers stay as they are.  own: where they lie. */
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

/* An object without pointers; and one with them, whose addresses follow. */
#define ACE_STATE(s, x) ace_state_bytes(s, &(x), sizeof(x))
#define ACE_STATE_BUT(s, x, ...)                                    \
    ace_state_struct(s, &(x), sizeof(x), (void *[]){ __VA_ARGS__ }, \
                     sizeof((void *[]){ __VA_ARGS__ }) / sizeof(void *))

#ifdef __cplusplus
}
#endif
#endif
