/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attention_table.h -- the rate of fused attention on one accelerator, from timed kernels
 *
 * A kernel of fused attention has one block of work for each head and each part of a sequence. Few
 * heads leave SMs idle, so its rate depends on its shape. The file is CSV with a head (csv_file.h):
 *
 *   pass                    sdp_fwd or sdp_bwd
 *   batch sequence heads    of the kernel: sequences, tokens of each, heads of queries
 *   qk_dim v_dim            elements of a query or key, and of a value, of a head
 *   efficiency              FLOPs over time and peak.  Scores of a whole square count, whatever a
 *                           mask leaves out, so this may be above 1.  A forward pass has two
 *                           products; a backward pass has five, as it computes the scores again
 *
 * Between shapes the logarithm of the efficiency is a mean over all kernels of the pass.  The
 * weight of each is 1 / (d + 0.05)^4, where d is the distance of the logarithms of batch x heads,
 * sequence and qk_dim + v_dim.
 *
 * Rules that hold for every call
 *   Ownership  Tables stay until the program ends; a file is read once.
 *   Threads    attention_table_of() by the main thread only; attention_table_share() by any.
 */
#ifndef ATTENTION_TABLE_H
#define ATTENTION_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* heads: of all sequences of a launch; sequence: tokens; width: qk_dim + v_dim.  All above 0. */
typedef struct attention_shape {
    double heads, sequence, width;
    bool backward;
} attention_shape;

typedef struct attention_table attention_table;
/* EXIT_OK, or EXIT_USAGE after a message with file, line and column, or EXIT_CHECK: no memory. */
int attention_table_of(const char *file, const attention_table **table);
/* Share of the peak, with two products counted forward and four backward, as plans count them. */
double attention_table_share(const attention_table *t, const attention_shape *s);
uint64_t attention_table_digest(const attention_table *t, uint64_t hash);

#ifdef __cplusplus
}
#endif

#endif
