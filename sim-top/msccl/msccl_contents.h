/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_contents.h -- does an algorithm do its collective?
 *
 * The steps are gone through in an order of theirs with sets in place of data: a chunk is the
 * contributions in it, "chunk 3 of gpu 0's input, once", and so on.
 *
 *   Order     Of two steps that touch a chunk, one of which writes it, one must be over when the
 *             other begins, whatever the clock does.  Then every order gives the same contents.
 *   Contents  In the end each output chunk holds each contribution that it must, once, and no
 *             other:
 *               allreduce       chunk k                         chunk k of every GPU
 *               allgather       chunk k of GPU q's part         chunk k of GPU q
 *               reduce_scatter  chunk k of GPU r                chunk k of part r of every GPU
 *               alltoall        chunk k of part q, at GPU r     chunk k of part r of GPU q
 *               broadcast       chunk k                         chunk k of the root
 *               reduce          chunk k, at the root            chunk k of every GPU
 *             Nothing is read that nobody has written.  Of `custom` the order alone is looked at.
 *   In place  o and i are one buffer; of an allgather i is the GPU's part of o, of a reduce_scatter
 *             o is the GPU's part of i.  An algorithm for both ways is looked at in both.
 */
#ifndef MSCCL_CONTENTS_H
#define MSCCL_CONTENTS_H

#include "msccl_order.h"

#ifdef __cplusplus
extern "C" {
#endif

/* root: of broadcast and reduce.  EXIT_OK; or EXIT_USAGE, it does not, or is too large to tell, or
 * EXIT_CHECK, after a message. */
int msccl_contents_check(const msccl_algorithm *a, msccl_order *o, uint32_t root);

#ifdef __cplusplus
}
#endif

#endif
