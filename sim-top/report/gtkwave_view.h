/* SPDX-License-Identifier: Apache-2.0 */
/* gtkwave_view.h -- a GTKWave save file beside a waveform */
#ifndef GTKWAVE_VIEW_H
#define GTKWAVE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

/* Cycles [from, to) of a waveform, whose axis is that of ace_wave_time.h. */
typedef struct gtkwave_window {
    uint64_t from, to;
    double clock_MHz;
} gtkwave_window;

/* A node's chunk, by its number since the reset, and the node's hardware. */
typedef struct gtkwave_chunk {
    uint32_t number;
    bool any; /* no chunk in particular, but those of context `number` of each phase */
    ace_parameters parameters;
} gtkwave_chunk;

/* Writes WAVE.gtkw beside WAVE.fst, a name that name_fault() has nothing to say of: the window,
 * shown from just before the marker at its beginning; A and B mark both ends.  body: what is shown;
 * NULL is waves/ace_node.gtkw, with its filters named where they are.  EXIT_OK, or EXIT_USAGE after
 * a message. */
int gtkwave_view_write(const char *wave, const char *body, const gtkwave_window *w);
/* The body that shows one chunk: waves/chunk.gtkw, with the FSM and the context of each phase
 * that hold it.  The caller frees it; NULL: waves/ is not found, or no memory. */
char *gtkwave_view_chunk(const gtkwave_chunk *c);

#endif
