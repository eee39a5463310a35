/* SPDX-License-Identifier: Apache-2.0 */
/*
 * atomic_file.h -- an output that is written whole, or leaves what stood there before; and the
 * folder of several
 *
 *     atomic_file f;
 *     rc = atomic_file_open(&f, name);
 *     if (rc == EXIT_OK) {
 *         fprintf(f.to, ...);
 *         rc = atomic_file_close(&f);
 *     }
 *
 * What becomes of the name that a person gave
 *   a regular file, or none    is written as NAME.part beside it, which gets its name at the end;
 *                              as NAME.1.part and so on while other programs write that
 *   a symbolic link            stays; this is done where it leads to
 *   a device, a FIFO           cannot be replaced: it is written as it is
 *   -                          standard output, see standard_output_take()
 *
 * Rules that hold for every call
 *   Ownership  The caller keeps `name` for as long as the file.
 *   Errors     A message is on stderr.  EXIT_USAGE: the name cannot be written to at all.
 *              EXIT_CHECK: it could not be written whole.
 */
#ifndef ATOMIC_FILE_H
#define ATOMIC_FILE_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct atomic_file {
    FILE *to;         /* write here; NULL: not open, or written by its path (atomic_file_reserve) */
    char *part;       /* the file that is written meanwhile; NULL: the target itself */
    const char *name; /* as it was given */
    char *target;     /* where the name leads to */
    FILE *direct;     /* a target that takes a copy at the end, or NULL */
    int lock;         /* of the part: keeps other writers from it; 0: there is none */
} atomic_file;

int atomic_file_open(atomic_file *f, const char *name);
/* The same for who goes back in what was written: a target that cannot is copied to at the end. */
int atomic_file_open_seekable(atomic_file *f, const char *name);
/* The same for a writer that opens files itself: it writes to f->part. */
int atomic_file_reserve(atomic_file *f, const char *name);

/* Gives the file its name.  EXIT_OK, or EXIT_CHECK: then nothing is left but what was there. */
int atomic_file_close(atomic_file *f);
/* The same end for who knows that it was not written whole: EXIT_CHECK, after a message. */
int atomic_file_fail(atomic_file *f);
/* Nothing is left but what was there. */
void atomic_file_drop(atomic_file *f);
/* Closes f->part and leaves it there for a person, told with `what` it is; a target that is
 * written as it is gets nothing more. */
void atomic_file_leave(atomic_file *f, const char *what);

/* Makes a folder for outputs unless it is there.  EXIT_OK, or EXIT_USAGE after a message. */
int atomic_file_folder(const char *name);
/* The same for the files of one run, which belong together: the folder is the program's until it
 * ends, and another program that takes it is refused. */
int atomic_file_folder_take(const char *name);

#ifdef __cplusplus
}
#endif

#endif
