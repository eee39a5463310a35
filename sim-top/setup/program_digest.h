/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program_digest.h -- a digest that identifies this build of acesim
 *
 * It covers the executable without the commit (build_info.h), and its RTL sets.
 */
#ifndef PROGRAM_DIGEST_H
#define PROGRAM_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

/* Adds the program's files to the hash. Returns false after a message if one cannot be read. */
bool program_digest(uint64_t *hash);

#endif
