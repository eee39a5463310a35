/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_contents.h -- checks whether an algorithm computes its collective
 *
 * The check executes the steps once in a valid order, with sets instead of data. A chunk is the set
 * of contributions in it, such as "chunk 3 of gpu 0's input, once".
 *
 *   Order     If two steps touch a chunk and one of them writes it, one must be over when the
 *             other begins, whatever the timing.  Then every order gives the same contents.
 *   Contents  In the end each output chunk holds each contribution that it must, once, and no
 *             other:
 *               allreduce       chunk k                         chunk k of every GPU
 *               allgather       chunk k of GPU q's part         chunk k of GPU q
 *               reduce_scatter  chunk k of GPU r                chunk k of part r of every GPU
 *               alltoall        chunk k of part q, at GPU r     chunk k of part r of GPU q
 *               broadcast       chunk k                         chunk k of the root
 *               reduce          chunk k, at the root            chunk k of every GPU
 *             Reading a chunk that no step has written is an error.  For `custom` only the order
 *             is checked.
 *   In place  o and i are one buffer. In an allgather i is the GPU's part of o; in a
 *             reduce_scatter o is the GPU's part of i.  An algorithm that may be called both in
 *             place and out of place is checked both ways.
 */
#ifndef MSCCL_CONTENTS_H
#define MSCCL_CONTENTS_H

#include "msccl_order.h"

#ifdef __cplusplus
extern "C" {
#endif

/* root: of broadcast and reduce. Returns EXIT_OK, or after a message EXIT_USAGE if the algorithm is
 * wrong or too large to check, or EXIT_CHECK. */
int msccl_contents_check(const msccl_algorithm *a, msccl_order *o, uint32_t root);

#ifdef __cplusplus
}
#endif

#endif
