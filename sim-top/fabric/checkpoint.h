/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint.h -- the state of a run in a file
 *
 * A file holds a header, the state (ace_state.h) and a checksum of both.  It is written
 * beside its name, brought to the disk, and renamed: under its name there is a whole
 * checkpoint at any moment, whenever the program is killed.
 *
 * State is bytes of structs, so a file belongs to the build of the program that wrote it,
 * its Verilated RTL included.  The header says which, and of which run it is; the file is
 * checked whole before anything is loaded.
 */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_state.h"

typedef struct checkpoint {
    const char *file;
    uint64_t configuration; /* digest of all that the run depends on */
    void (*state)(void *self, ace_state *s);
    void *self;
} checkpoint;

/* EXIT_OK, or EXIT_USAGE after a message. */
int checkpoint_save(const checkpoint *c);
/* A checkpoint can be written; found out before the run. */
int checkpoint_try(const checkpoint *c);
/* Refused with a message and EXIT_USAGE: no file, no checkpoint, a damaged one, one of
 * another build or another run.  Nothing is loaded then. */
int checkpoint_load(const checkpoint *c);

#endif
