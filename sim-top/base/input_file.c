/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input_file.c -- opens an input, and keeps a copy of standard input
 *
 * The copy of standard input is a temporary file. Each opening goes through /proc/self/fd, so
 * every reader has its own position. The limit of bytes applies to copies and to texts.
 */
#include "input_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool input_is_standard(const char *name) { return !strcmp(name, "-"); }

const char *input_name(const char *name) { return input_is_standard(name) ? "<stdin>" : name; }

uint64_t input_most(FILE *f) {
    struct stat s;
    const bool device = !fstat(fileno(f), &s) && S_ISCHR(s.st_mode);

    return device ? 1 << 24 : 1 << 30;
}

/* Copies a stream, which can be read only once, to a temporary file. */
static FILE *keep(FILE *from) {
    FILE *const f = tmpfile();
    const uint64_t most = input_most(from);
    char block[65536];
    size_t n, all = 0;

    if (!f) return NULL;
    while ((n = fread(block, 1, sizeof block, from)) > 0 && (all += n) <= most)
        if (fwrite(block, 1, n, f) != n) break;
    if (all <= most && !ferror(from) && !ferror(f) && !fflush(f)) return f;
    fclose(f);
    if (all > most) errno = EFBIG;
    return NULL;
}

/* Standard input cannot be read twice, so the process keeps one copy. */
static FILE *standard(void) {
    static FILE *kept;
    char name[64];

    if (!kept) kept = keep(stdin);
    if (!kept) return NULL;
    snprintf(name, sizeof name, "/proc/self/fd/%d", fileno(kept));
    return fopen(name, "rb"); /* with a file position of its own */
}

FILE *input_open(const char *name) {
    FILE *const f = input_is_standard(name) ? standard() : fopen(name, "rb");
    struct stat s;

    if (!f || fstat(fileno(f), &s) || !S_ISDIR(s.st_mode)) return f;
    fclose(f); /* a folder can be opened, but every read fails */
    errno = EISDIR;
    return NULL;
}

char *input_text(const char *name, size_t *bytes) {
    FILE *const f = input_open(name);
    FILE *copy;
    char block[65536], *text = NULL;
    size_t size = 0, n, all = 0;
    uint64_t most;
    int why = 0;

    if (!f) return NULL;
    most = input_most(f);
    copy = open_memstream(&text, &size);
    while (copy && (n = fread(block, 1, sizeof block, f)) > 0 && (all += n) <= most)
        if (fwrite(block, 1, n, copy) != n) break;
    if (!copy || ferror(f) || ferror(copy)) why = errno;
    if (all > most) why = EFBIG;
    if (copy && fclose(copy)) why = ENOMEM;
    fclose(f);
    if (why) {
        free(text);
        errno = why;
        return NULL;
    }
    if (bytes) *bytes = size;
    return text;
}
