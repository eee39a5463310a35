/* SPDX-License-Identifier: Apache-2.0 */
/* digest.c -- FNV-1a over bytes and files, to distinguish configurations and programs */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include "digest.h"

#include <link.h>
#include <stdio.h>
#include <string.h>

#include "build_info.h"
#include "input_file.h"

uint64_t fnv1a(uint64_t hash, const void *data, size_t bytes) {
    const uint8_t *p = data;

    for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

bool digest_file(const char *name, uint64_t *hash) {
    unsigned char block[65536];
    FILE *f = input_open(name);
    uint64_t at = 0;
    size_t n;
    const uint64_t most = f ? input_most(f) : 0;
    bool ok = f != NULL;

    while (ok && (n = fread(block, 1, sizeof block, f)) > 0 && at <= most) {
        *hash = fnv1a(*hash, block, n);
        at += n;
    }
    ok = ok && !ferror(f) && at <= most;
    if (f) fclose(f);
    return ok;
}

/* ---- the program: megabytes, hashed before every run that can be resumed --------------------- */

/* Words go into several lanes that do not depend on each other. One product after the other for
 * each byte would take many times as long. */
enum { LANES = 4 };

typedef struct program_block {
    uint64_t word[8192];
} program_block;

static void add_block(uint64_t lane[LANES], const program_block *b) {
    for (size_t i = 0; i < sizeof b->word / sizeof *b->word; i++) {
        uint64_t h = (lane[i % LANES] ^ b->word[i]) * UINT64_C(0x100000001b3);

        h ^= h >> 32; /* a product only carries bits upwards */
        lane[i % LANES] = h;
    }
}

bool digest_object(const char *name, uint64_t from, uint64_t to, uint64_t *hash) {
    uint64_t lane[LANES] = { 1, 2, 3, 4 }, at = 0;
    program_block b;
    FILE *f = input_open(name);
    size_t n;
    bool ok = f != NULL;

    while (ok && (n = fread(&b, 1, sizeof b, f)) > 0) {
        unsigned char *const bytes = (unsigned char *)b.word;
        const uint64_t first = from > at ? from - at : 0, past = to > at ? to - at : 0;

        if (first < n && first < past) memset(bytes + first, 0, (past < n ? past : n) - first);
        memset(bytes + n, 0, sizeof b - n);
        add_block(lane, &b);
        at += n;
    }
    ok = ok && !ferror(f);
    if (f) fclose(f);
    *hash = fnv1a(*hash, &at, sizeof at);
    *hash = fnv1a(*hash, lane, sizeof lane);
    return ok;
}

/* Finds the offset of the commit in the program's file. The program is the first object loaded. */
static int find_commit(struct dl_phdr_info *program, size_t size, void *offset) {
    (void)size;
    for (unsigned i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *const s = &program->dlpi_phdr[i];
        const uint64_t in = (uintptr_t)build_commit - (program->dlpi_addr + s->p_vaddr);

        if (s->p_type == PT_LOAD && in < s->p_filesz) *(uint64_t *)offset = s->p_offset + in;
    }
    return 1;
}

bool digest_executable(uint64_t *hash) {
    uint64_t commit = UINT64_MAX - BUILD_COMMIT;

    dl_iterate_phdr(find_commit, &commit);
    return digest_object("/proc/self/exe", commit, commit + BUILD_COMMIT, hash);
}
