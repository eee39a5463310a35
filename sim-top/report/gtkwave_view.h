/* SPDX-License-Identifier: Apache-2.0 */
/* gtkwave_view.h -- writes a GTKWave save file next to a waveform */
#ifndef GTKWAVE_VIEW_H
#define GTKWAVE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

/* Cycles from `from` to `to` (exclusive) of a waveform, whose time axis is in ace_wave_time.h. */
typedef struct gtkwave_window {
    uint64_t from, to;
    double clock_MHz;
} gtkwave_window;

/* A node's chunk, by its number since the reset, and the node's hardware. */
typedef struct gtkwave_chunk {
    uint32_t number;
    bool any; /* shows context `number` of each phase instead of one chunk */
    ace_parameters parameters;
} gtkwave_chunk;

/* Writes WAVE.gtkw next to WAVE.fst; name_fault() has accepted the name. The window is shown from
 * slightly before the marker at its beginning, and A and B mark both ends. body: the signals; NULL:
 * those of waves/ace_node.gtkw, with the full paths of its filters. Returns EXIT_OK, or EXIT_USAGE
 * after a message. */
int gtkwave_view_write(const char *wave, const char *body, const gtkwave_window *w);
/* Returns a body that shows one chunk: waves/chunk.gtkw with the FSM and context of each phase
 * that hold the chunk. The caller frees it. Returns NULL if waves/ is not found or there is no
 * memory. */
char *gtkwave_view_chunk(const gtkwave_chunk *c);

#endif
