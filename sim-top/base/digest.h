/* SPDX-License-Identifier: Apache-2.0 */
/* digest.h -- FNV-1a hashes of data and of files */
#ifndef DIGEST_H
#define DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint64_t fnv1a(uint64_t hash, const void *data, size_t bytes);
bool digest_file(const char *name, uint64_t *hash); /* false: the file cannot be read */
/* Adds a large file to the hash, by a faster function than fnv1a(). Bytes [from, to) count as
 * zeros. Returns false if the file cannot be read. */
bool digest_object(const char *name, uint64_t from, uint64_t to, uint64_t *hash);
/* Adds the running executable to the hash, without the commit that it was built from
 * (build_info.h). */
bool digest_executable(uint64_t *hash);
#define FNV1A_START UINT64_C(0xcbf29ce484222325)

#ifdef __cplusplus
}
#endif

#endif
