/* SPDX-License-Identifier: Apache-2.0 */
/* gtkwave_view.h -- a GTKWave save file beside a waveform */
#ifndef GTKWAVE_VIEW_H
#define GTKWAVE_VIEW_H

#include <stdint.h>

/* Writes WAVE.gtkw beside WAVE.fst: the window [from, to) in cycles, shown from just before the
 * marker at `from`; A and B mark both ends.  body: what is shown; NULL is waves/ace_node.gtkw,
 * with its filters named where they are.  EXIT_OK, or EXIT_USAGE after a message. */
int gtkwave_view_write(const char *wave, const char *body, uint64_t from, uint64_t to);

#endif
