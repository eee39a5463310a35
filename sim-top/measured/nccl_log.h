/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nccl_log.h -- the table that nccl-tests and rccl-tests print, in the log of a run
 *
 *   # Collective test starting: all_reduce_perf        since 2.16
 *   # Using devices
 *   #  Rank  0 Group  0 Pid 1234 on node-a device  0 [0000:1b:00] H100      no Group before 2.13
 *   #                                out-of-place                 in-place
 *   #    size  count  type  redop root   time  algbw  busbw #wrong   time  algbw  busbw #wrong
 *   #     (B)  (elements)                (us) (GB/s) (GB/s)          (us) (GB/s) (GB/s)
 *        4096   1024  float   sum   -1  20.03   0.20   0.36      0  19.43   0.21   0.37      0
 *
 * The head determines the columns of a row:
 *
 *   size count type     in every version
 *   redop root          both since 2.13; before, those that the collective has.  all-to-all printed
 *                       an empty redop then
 *   time algbw busbw    twice.  The line above the head says which half is out of place
 *   error               until 2.12: the largest deviation; since 2.13 #wrong: how many elements
 *   i_min i_max ...     since 2.19.2 with -I, in each half
 *   timestamp           since 2.17.9 with -T: date and time of day, two fields
 *   cputime             in place of time with -C: the host's time to launch, which is refused
 *
 * Other columns, such as rccl-tests' algorithm, are passed over.  A line that is no remark and does
 * not begin with two whole numbers is of another program; it is passed over and counted.  Tags that
 * mpirun --tag-output or srun --label put before a line are taken off.
 */
#ifndef NCCL_LOG_H
#define NCCL_LOG_H

#include "collective_reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether one line of the text is a head with columns size and busbw. */
bool nccl_log_is(const char *text);
/* Reads r->at.text, which it changes.  EXIT_OK, or EXIT_USAGE after a message, or EXIT_CHECK. */
int nccl_log_read(collective_reader *r);

#ifdef __cplusplus
}
#endif

#endif
