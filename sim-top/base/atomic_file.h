/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomic_file.h -- writes an output file whole, or leaves the earlier file; and output folders
 *
 *     atomic_file f;
 *     rc = atomic_file_open(&f, name);
 *     if (rc == EXIT_OK) {
 *         fprintf(f.to, ...);
 *         rc = atomic_file_close(&f);
 *     }
 *
 * How a file is written depends on what the user named:
 *   a regular file, or none    NAME.part is written next to it and renamed at the end.  While other
 *                              programs write NAME.part, it is NAME.1.part and so on
 *   a symbolic link            stays; the file that it leads to is replaced
 *   a device, a FIFO           cannot be replaced, and is written directly
 *   -                          standard output, see standard_output_take()
 *
 * Rules that hold for every call
 *   Ownership  The caller keeps `name` as long as the file is open.
 *   Errors     A message is on stderr.  EXIT_USAGE: the name cannot be written at all.
 *              EXIT_CHECK: the file could not be written whole.
 */
#ifndef ATOMIC_FILE_H
#define ATOMIC_FILE_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct atomic_file {
    FILE *to;         /* write here; NULL: not open, or written by its path (atomic_file_reserve) */
    char *part;       /* the temporary file; NULL: the target itself is written */
    const char *name; /* as the user gave it */
    char *target;     /* the file that the name leads to */
    FILE *direct;     /* a target to which the temporary file is copied at the end, or NULL */
    int lock;         /* descriptor that locks the temporary file against other writers; 0: none */
} atomic_file;

int atomic_file_open(atomic_file *f, const char *name);
/* The same for a writer that seeks back. A target that cannot seek gets a copy at the end. */
int atomic_file_open_seekable(atomic_file *f, const char *name);
/* The same for a writer that opens files by name: it writes to f->part. */
int atomic_file_reserve(atomic_file *f, const char *name);

/* Gives the file its name. Returns EXIT_OK, or EXIT_CHECK; then the earlier file remains. */
int atomic_file_close(atomic_file *f);
/* Closes a file that is incomplete. Returns EXIT_CHECK, after a message. */
int atomic_file_fail(atomic_file *f);
/* Discards what was written. The earlier file remains. */
void atomic_file_drop(atomic_file *f);
/* Closes f->part and keeps it for the user, with a message that contains `what`. A target that is
 * written directly gets nothing more. */
void atomic_file_leave(atomic_file *f, const char *what);

/* Makes a folder for outputs if it does not exist. Returns EXIT_OK, or EXIT_USAGE after a
 * message. */
int atomic_file_folder(const char *name);
/* The same for the files of one run, which belong together. The program locks the folder until it
 * ends, and another program that takes it is refused. */
int atomic_file_folder_take(const char *name);

#ifdef __cplusplus
}
#endif

#endif
