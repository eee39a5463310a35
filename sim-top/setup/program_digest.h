/* SPDX-License-Identifier: Apache-2.0 */
/* program_digest.h -- tells this build of acesim from others: its executable but for the commit
 * (build_info.h), and its RTL sets */
#ifndef PROGRAM_DIGEST_H
#define PROGRAM_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

/* Adds the program's files to the hash.  False, after a message, where one cannot be read. */
bool program_digest(uint64_t *hash);

#endif
