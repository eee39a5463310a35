/* SPDX-License-Identifier: Apache-2.0 */
/* digest.c -- FNV-1a over bytes and files: tells configurations and programs apart */
#include "digest.h"

#include <stdio.h>

uint64_t fnv1a(uint64_t hash, const void *data, size_t bytes) {
    const uint8_t *p = data;

    for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

bool digest_file(const char *name, uint64_t *hash) {
    unsigned char block[65536];
    FILE *f = fopen(name, "rb");
    size_t n;
    bool ok = f != NULL;

    while (ok && (n = fread(block, 1, sizeof block, f)) > 0) *hash = fnv1a(*hash, block, n);
    ok = ok && !ferror(f);
    if (f) fclose(f);
    return ok;
}
