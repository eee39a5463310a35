/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint.h -- saves the state of a run to a file, and loads it
 *
 * A file holds a header, the state (ace_state.h) and a checksum of both. The program writes a
 * temporary file next to the final name, syncs the file to disk and renames it. So the name always
 * refers to a whole checkpoint, even if the program is killed.
 *
 * The state is the bytes of structs. So a file belongs to the build of the program that wrote it,
 * its Verilated RTL included. The header records the build and the run. The whole file is checked
 * before anything is loaded.
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

/* Writes the state to the file. Returns EXIT_OK, or EXIT_USAGE after a message. */
int checkpoint_save(const checkpoint *c);
/* Checks before the run that a checkpoint can be written. Returns EXIT_OK, or EXIT_USAGE after a
 * message. */
int checkpoint_try(const checkpoint *c);
/* Loads a checkpoint. Returns EXIT_USAGE after a message if there is no file, the file is no
 * checkpoint or damaged, or it is of another build or another run. Then nothing has been loaded. */
int checkpoint_load(const checkpoint *c);

#endif
