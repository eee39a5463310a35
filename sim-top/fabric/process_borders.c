/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_borders.c -- divides the representatives among processes, and packs flits into messages
 *
 * Each process gets consecutive representatives, and as equal a number as possible. Numbers count
 * up x first and z last. So a process has a slab of whole planes of z, and, where the planes do not
 * divide evenly, a part of a plane at either face. Only the links through the two faces cross to
 * another process, and each process has few neighbours. Process 0 has representative 0.
 *
 * A message holds for each wire the number of flits, and then each flit. A flit that carries a row
 * is followed by the row.
 */
#include "process_borders.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "processes.h"

/* The wires between the representatives here and the representatives of one other process. */
typedef struct border {
    unsigned outs, ins;
    ace_wire **out, **in;
} border;

struct process_borders {
    uint32_t window;
    bool payload;
    unsigned count;
    border *at;       /* has room for one entry a process */
    message *message; /* one for each border */
};

unsigned slab_first(unsigned representatives, unsigned process) {
    const unsigned n = processes_count();

    return (unsigned)(((uint64_t)process * representatives + n - 1) / n);
}

unsigned slab_process(unsigned representatives, unsigned representative) {
    return (unsigned)((uint64_t)representative * processes_count() / representatives);
}

/* ---- building ------------------------------------------------------------------ */

process_borders *process_borders_create(uint32_t window, bool payload) {
    process_borders *b = calloc(1, sizeof *b);

    if (!b) return NULL;
    b->window = window;
    b->payload = payload;
    b->at = calloc(processes_count(), sizeof *b->at);
    b->message = calloc(processes_count(), sizeof *b->message);
    if (b->at && b->message) return b;
    process_borders_destroy(b);
    return NULL;
}

void process_borders_destroy(process_borders *b) {
    if (!b) return;
    for (unsigned i = 0; i < b->count; i++) {
        free(b->at[i].out);
        free(b->at[i].in);
        free(b->message[i].out);
        free(b->message[i].in);
    }
    free(b->at);
    free(b->message);
    free(b);
}

static bool add(ace_wire ***list, unsigned *count, ace_wire *w) {
    ace_wire **longer = realloc(*list, (*count + 1) * sizeof(ace_wire *));

    if (!longer) return false;
    *list = longer;
    longer[(*count)++] = w;
    return true;
}

/* Enlarges a buffer to the most that its wires can need: a flit a cycle. The system gives no memory
 * to pages that are never touched, so a large buffer costs nothing. */
static bool reserve(unsigned char **buffer, size_t bytes) {
    unsigned char *longer = realloc(*buffer, bytes);

    if (longer) *buffer = longer;
    return longer != NULL;
}

bool process_borders_add(process_borders *b, unsigned process, ace_wire *w, bool out) {
    const size_t flit = sizeof(ace_flit) + (b->payload ? ACE_ROW_BYTES : 0);
    unsigned i = 0, most;
    border *to;
    message *m;

    while (i < b->count && b->message[i].process != process) i++;
    to = &b->at[i];
    m = &b->message[i];
    m->process = process;
    if (i == b->count) b->count++;
    if (!(out ? add(&to->out, &to->outs, w) : add(&to->in, &to->ins, w))) return false;
    most = to->outs > to->ins ? to->outs : to->ins;
    m->room = most * (sizeof(uint32_t) + b->window * flit);
    return reserve(&m->out, m->room) && reserve(&m->in, m->room);
}

/* ---- between two windows ------------------------------------------------------- */

/* Takes all that was sent over a wire into `to`. Returns the number of bytes. */
static size_t pack(const process_borders *b, ace_wire *w, unsigned char *to) {
    uint32_t count = 0;
    size_t at = sizeof count;

    for (uint64_t cycle; (cycle = ace_wire_next(w)) != UINT64_MAX; count++) {
        const uint32_t *row;
        const ace_flit *flit = ace_wire_receive(w, cycle, &row);

        assert(count < b->window);
        memcpy(to + at, flit, sizeof *flit);
        at += sizeof *flit;
        if (!flit->data || !row) continue;
        memcpy(to + at, row, ACE_ROW_BYTES);
        at += ACE_ROW_BYTES;
    }
    memcpy(to, &count, sizeof count);
    return at;
}

/* Puts the flits of a message on a wire, with their cycles of arrival. Returns the number of
 * bytes. */
static size_t unpack(const process_borders *b, ace_wire *w, const unsigned char *from) {
    uint32_t count, row[ACE_ROW_WORDS];
    size_t at = sizeof count;

    memcpy(&count, from, sizeof count);
    while (count--) {
        const bool payload = b->payload;
        ace_flit flit;

        memcpy(&flit, from + at, sizeof flit);
        at += sizeof flit;
        if (flit.data && payload) {
            memcpy(row, from + at, sizeof row);
            at += sizeof row;
        }
        ace_wire_send(w, flit.cycle - ace_wire_latency(w), &flit, payload ? row : NULL);
    }
    return at;
}

void process_borders_exchange(process_borders *b) {
    for (unsigned i = 0; i < b->count; i++) {
        message *m = &b->message[i];

        m->out_bytes = 0;
        for (unsigned j = 0; j < b->at[i].outs; j++)
            m->out_bytes += pack(b, b->at[i].out[j], m->out + m->out_bytes);
    }
    processes_exchange(b->message, b->count);
    for (unsigned i = 0; i < b->count; i++) {
        const message *m = &b->message[i];
        size_t at = 0;

        for (unsigned j = 0; j < b->at[i].ins; j++) at += unpack(b, b->at[i].in[j], m->in + at);
        assert(at == m->in_bytes);
    }
}

void process_borders_shift(process_borders *b, uint64_t cycles) {
    for (unsigned i = 0; i < b->count; i++)
        for (unsigned j = 0; j < b->at[i].ins; j++) ace_wire_shift(b->at[i].in[j], cycles, 0);
}
