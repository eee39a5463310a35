/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mscclpp_read.h -- reads an execution plan of MSCCL++ in JSON as an algorithm of two-sided steps
 *
 * A plan's thread blocks write and read buffers of other GPUs, and send signals to these GPUs.
 * Facts of the format: microsoft/mscclpp at 1f5f065 (src/core/executor/execution_plan.cc,
 * docs/dsl). Each operation becomes steps of msccl_algorithm.h. Sends and receives get thread
 * blocks of their own, next to the plan's:
 *
 *   put, ppkt, rppkt  a send on the block's own connection to the peer, and a receive there into
 *                     the chunks
 *   signal, rlxsignal a message without chunks after the previous puts
 *   pws, pwsf         each put, then its signal; pwsf flushes, which a put here does anyway
 *   wait, rlxwait     the block continues when the n-th message of the channel has arrived
 *   get, rre          a message without chunks requests data; the peer sends it; the block stores
 *                     it or adds it
 *   copy, upkt, cpkt  a copy
 *   re                sums
 *   res, respkt, rres sums, then puts
 *   nop, flush        nothing: steps of a block run one after the other
 *
 * An operation that reads packets (upkt, rppkt, repkt, respkt) waits for the operation that wrote
 * them. A block continues when the chunks that it puts have left.
 *
 * Refused, with the position and the reason:
 *
 *   glres, gstore, gstorepkt           a switch that sums and multicasts single chunks
 *   pipeline                           its number of loops depends on the size
 *   barrier, sem_acquire, sem_release  order among the blocks of a GPU
 *   recpkt, recspkt                    a sum that is stored twice
 *   packets in a chunk that several operations write
 *
 * A plan may name any collective.  Contents are checked for those that MSCCL++ itself has a class
 * for: allreduce, allgather, reducescatter, alltoall, broadcast, reduce.  Any other name runs as
 * `custom` does in XML.
 */
#ifndef MSCCLPP_READ_H
#define MSCCLPP_READ_H

#include "msccl_algorithm.h"

/* Reads the file `path`, which messages call a->file. *a is filled as by msccl_read(). Returns
 * EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. The caller calls msccl_free() in any
 * case. */
int mscclpp_read(const char *path, msccl_algorithm *a);

#endif
