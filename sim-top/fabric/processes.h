/* SPDX-License-Identifier: Apache-2.0 */
/*
 * processes.h -- one run on several processes
 *
 *     processes_start(&argc, &argv);
 *     ... each window: processes_exchange(), processes_maximum() ...
 *     status = processes_agree(status);
 *     return processes_end(status);
 *
 * acesim is one process (processes_one.c), acesim-mpi as many as mpirun starts
 * (processes_mpi.c).  All get the same arguments, run the same program and come to the
 * same calls in the same order; each simulates its own representatives of the fabric.
 *
 * Rules that hold for every call
 *   Threads   Called by the main thread only.
 *   Output    Only process 0's stdout is seen.  What the others put on stderr is held
 *             back, since what all find wrong all would say; processes_agree() lets
 *             one of them speak.
 *   Errors    A process that dies ends the run of all; so does a failing exchange.
 */
#ifndef PROCESSES_H
#define PROCESSES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void processes_start(int *argc, char ***argv);
/* The last call: the status for main() to return, the worst of all processes. */
int processes_end(int status);
unsigned processes_rank(void);  /* of this process, from 0 */
unsigned processes_count(void); /* >= 1 */

/* The largest status of all.  Where that is not 0, the first process that has it gives its
 * messages.  What can go wrong at one process alone is followed by this call. */
int processes_agree(int status);
/* Each v[i] becomes the largest of all processes. */
void processes_maximum(uint64_t *v, unsigned count);

/* What goes to and comes from another process.  The caller owns the buffers. */
typedef struct message {
    unsigned process;
    unsigned char *out, *in; /* `room` bytes each */
    size_t out_bytes, in_bytes, room;
} message;
/* Sends each out, at most 2 GiB, and fills each in and its in_bytes. */
void processes_exchange(message *m, unsigned count);

/* *all, of malloc() or NULL, becomes what each process has in `mine`, in their order; how many
 * bytes. */
size_t processes_share(const void *mine, size_t bytes, void **all);

/* At process 0, all[] becomes what each process has in `mine`, in their order. */
void processes_gather(const void *mine, void *all, size_t bytes);
/* Process 0 has in `to` what each process writes, in their order; the others' `to` is
 * not used. */
void processes_write(FILE *to, void (*write)(FILE *to, const void *self), const void *self);

#endif
