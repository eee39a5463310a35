/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checkpoint.c -- saves and loads the state of a run, with a header and a checksum
 *
 * The same walk over the state (ace_state) saves and loads it. Saving adds each byte to the
 * checksum as it is written. Loading first reads the whole file for its checksum and compares the
 * header. So a damaged file is refused before anything is loaded.
 */
#include "checkpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "atomic_file.h"
#include "build_info.h"
#include "digest.h"
#include "exit_status.h"
#include "program_digest.h"

typedef struct header {
    char magic[24], version[16];
    uint64_t program, configuration;
} header;

static const char magic[sizeof((header *)0)->magic] = "acesim checkpoint";

/* A file, and the checksum of the bytes that went through it. */
typedef struct stream {
    FILE *file;
    uint64_t sum;
} stream;

static bool put(void *self, void *at, size_t bytes) {
    stream *s = self;

    s->sum = fnv1a(s->sum, at, bytes);
    return fwrite(at, 1, bytes, s->file) == bytes;
}

static bool get(void *self, void *at, size_t bytes) {
    return fread(at, 1, bytes, ((stream *)self)->file) == bytes;
}

static bool make_header(const checkpoint *c, header *h) {
    memset(h, 0, sizeof *h);
    memcpy(h->magic, magic, sizeof h->magic);
    snprintf(h->version, sizeof h->version, "%s", acesim_version);
    h->program = FNV1A_START;
    h->configuration = c->configuration;
    return program_digest(&h->program);
}

/* ---- saving ---------------------------------------------------------------------- */

int checkpoint_try(const checkpoint *c) {
    atomic_file f;
    int rc;

    if (!strcmp(c->file, "-")) {
        fprintf(stderr, "acesim: --checkpoint: found '-', expected a file to resume from\n");
        return EXIT_USAGE;
    }
    rc = atomic_file_open(&f, c->file);
    if (rc == EXIT_OK) atomic_file_drop(&f);
    return rc;
}

int checkpoint_save(const checkpoint *c) {
    atomic_file f;
    stream to = { .sum = FNV1A_START };
    ace_state state = { .move = put, .self = &to };
    header h;
    int rc;

    if (!make_header(c, &h)) return EXIT_USAGE;
    rc = atomic_file_open(&f, c->file);
    if (rc != EXIT_OK) return rc;
    to.file = f.to;
    ACE_STATE(&state, h);
    c->state(c->self, &state);
    if (state.failed && !ferror(f.to)) return atomic_file_fail(&f);
    (void)fwrite(&to.sum, sizeof to.sum, 1, f.to);
    return atomic_file_close(&f);
}

/* ---- loading ---------------------------------------------------------------------- */

/* Checks that the file ends with the checksum of all bytes before. */
static bool is_whole(FILE *f) {
    unsigned char block[65536];
    uint64_t sum = FNV1A_START, end;
    size_t held = 0, n;

    while ((n = fread(block + held, 1, sizeof block - held, f)) > 0) {
        held += n;
        if (held <= sizeof end) continue;
        sum = fnv1a(sum, block, held - sizeof end);
        memmove(block, block + held - sizeof end, sizeof end);
        held = sizeof end;
    }
    memcpy(&end, block, sizeof end);
    return !ferror(f) && held == sizeof end && end == sum;
}

/* Checks that the file is a checkpoint of this run, and prints a message if not. */
static bool accept(const checkpoint *c, FILE *f) {
    header found, want;

    if (!make_header(c, &want)) return false;
    if (fread(&found, sizeof found, 1, f) != 1 || memcmp(found.magic, magic, sizeof magic)) {
        fprintf(stderr, "acesim: %s: found no checkpoint, expected a file of --checkpoint\n",
                c->file);
        return false;
    }
    rewind(f);
    if (!is_whole(f)) {
        fprintf(stderr,
                "acesim: %s: found a checkpoint cut short or damaged, expected a whole one\n",
                c->file);
        return false;
    }
    if (memcmp(found.version, want.version, sizeof want.version)) {
        fprintf(stderr, "acesim: %s: found a checkpoint of acesim %.16s, expected one of %s\n",
                c->file, found.version, want.version);
        return false;
    }
    if (found.program != want.program) {
        fprintf(stderr,
                "acesim: %s: found a checkpoint of build %016" PRIx64 ", expected %016" PRIx64
                ": the program or its RTL is another\n",
                c->file, found.program, want.program);
        return false;
    }
    if (found.configuration != want.configuration) {
        fprintf(stderr,
                "acesim: %s: found a checkpoint of configuration %016" PRIx64
                ", expected %016" PRIx64 ": a run resumes with the options it began with\n",
                c->file, found.configuration, want.configuration);
        return false;
    }
    return true;
}

/* Checks that only the checksum follows the state. */
static bool is_over(FILE *f) {
    uint64_t sum;

    return fread(&sum, sizeof sum, 1, f) == 1 && fgetc(f) == EOF;
}

int checkpoint_load(const checkpoint *c) {
    stream from = { .file = fopen(c->file, "rb") };
    ace_state state = { .loading = true, .move = get, .self = &from };
    bool ok;

    if (!from.file) {
        fprintf(stderr, "acesim: %s: %s, expected a file of --checkpoint\n", c->file,
                strerror(errno));
        return EXIT_USAGE;
    }
    ok = accept(c, from.file);
    if (ok) {
        ok = !fseek(from.file, sizeof(header), SEEK_SET);
        c->state(c->self, &state);
        if (ok && !state.failed) ace_state_must(&state, is_over(from.file), "its length");
        ok = ok && !state.failed;
        if (state.impossible)
            fprintf(stderr,
                    "acesim: %s: found %s as it never is, expected a state that a run was in\n",
                    c->file, state.impossible);
        else if (!ok)
            fprintf(stderr, "acesim: %s: cannot be read, or no memory\n", c->file);
    }
    fclose(from.file);
    return ok ? EXIT_OK : EXIT_USAGE;
}
