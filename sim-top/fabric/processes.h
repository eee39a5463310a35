/* SPDX-License-Identifier: Apache-2.0 */
/*
 * processes.h -- one run on several processes
 *
 *     processes_start(&argc, &argv);
 *     ... each window: processes_exchange(), processes_maximum() ...
 *     status = processes_agree(status);
 *     return processes_end(status);
 *
 * acesim is one process (processes_one.c). acesim-mpi is as many as mpirun starts
 * (processes_mpi.c). All processes get the same arguments, run the same program and make the same
 * calls in the same order. Each simulates its own representatives of the fabric.
 *
 * Rules that hold for every call
 *   Threads   Called by the main thread only.
 *   Output    Only process 0's stdout is seen.  The other processes hold back what they write to
 *             stderr, because all would print the same errors.  processes_agree() lets one print.
 *   Errors    A process that dies, or an exchange that fails, ends the run of all.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void processes_start(int *argc, char ***argv);
/* The last call. Returns the status for main() to return: the largest of all processes. */
int processes_end(int status);
unsigned processes_rank(void);  /* of this process, from 0 */
unsigned processes_count(void); /* >= 1 */

/* Returns the largest status of all processes. If that is not 0, the first process that has this
 * status prints its messages. Call it after every step that can fail at one process alone. */
int processes_agree(int status);
/* Sets each v[i] to the largest value of all processes. */
void processes_maximum(uint64_t *v, unsigned count);

/* The buffers for one other process: what is sent there and what is received. The caller owns the
 * buffers. */
typedef struct message {
    unsigned process;
    unsigned char *out, *in; /* `room` bytes each */
    size_t out_bytes, in_bytes, room;
} message;
/* Sends each `out`, at most 2 GiB, and fills each `in` and its in_bytes. */
void processes_exchange(message *m, unsigned count);

/* Sets *all to the bytes that each process has in `mine`, in the order of the processes. *all is
 * NULL or from malloc(), and is enlarged. Returns how many bytes these are. */
size_t processes_share(const void *mine, size_t bytes, void **all);

/* At process 0, sets all[] to what each process has in `mine`, in the order of the processes. */
void processes_gather(const void *mine, void *all, size_t bytes);
/* Writes what each process writes to `to` of process 0, in the order of the processes. The others'
 * `to` is not used. */
void processes_write(FILE *to, void (*write)(FILE *to, const void *self), const void *self);

#endif
