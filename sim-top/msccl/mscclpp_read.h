/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mscclpp_read.h -- an execution plan of MSCCL++ in JSON, as an algorithm of two-sided steps
 *
 * A plan's thread blocks write to, and read from, buffers of other GPUs, and tell them by signals.
 * Facts of the format: microsoft/mscclpp at 1f5f065 (src/core/executor/execution_plan.cc,
 * docs/dsl).  Each operation becomes steps of msccl_algorithm.h, in thread blocks that go beside
 * the plan's own:
 *
 *   put, ppkt, rppkt  a send of the block's own connection to the peer, and there a receive into
 *                     the chunks
 *   signal, rlxsignal a message without chunks behind what was put before
 *   pws, pwsf         each put, then its signal; pwsf flushes, which a put here does anyway
 *   wait, rlxwait     the block goes on when the n-th message of the channel is there
 *   get, rre          a message without chunks asks, the peer sends, what comes is stored, or added
 *   copy, upkt, cpkt  a copy
 *   re                sums
 *   res, respkt, rres sums, then puts
 *   nop, flush        nothing: steps of a block go one after the other
 *
 * Who reads packets (upkt, rppkt, repkt, respkt) waits for whatever wrote them.  A block goes on
 * when what it puts has left.
 *
 * Refused with place and reason:
 *
 *   glres, gstore, gstorepkt           a switch that sums and multicasts single chunks
 *   pipeline                           how often it goes round depends on the size
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

/* `path`, which messages call a->file; *a is as msccl_read() leaves it.  EXIT_OK, or EXIT_USAGE or
 * EXIT_CHECK after a message; msccl_free() in any case. */
int mscclpp_read(const char *path, msccl_algorithm *a);

#endif
