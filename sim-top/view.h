/* SPDX-License-Identifier: Apache-2.0 */
/* view.h -- a GTKWave save file beside a waveform */
#ifndef VIEW_H
#define VIEW_H

#include <stdint.h>

/* Writes WAVE.gtkw beside WAVE.fst: the window [from, to) in cycles, shown from just before the
 * marker at `from`; A and B mark both ends.  body: what is shown; NULL is waves/ace_node.gtkw,
 * with its filters named where they are.  EXIT_OK, or EXIT_USAGE after a message. */
int view_write(const char *wave, const char *body, uint64_t from, uint64_t to);

#endif
