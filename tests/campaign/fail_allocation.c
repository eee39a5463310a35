/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fail_allocation.c -- preloaded, gives the program no memory at its FAIL_AT-th request
 *
 * Only requests made by the program itself count, not those of the libraries it uses, which have
 * their own ways. Without FAIL_AT none fails, and their number goes to the file FAIL_COUNT. Else
 * the place in the program that asked goes there, as addr2line takes it.
 */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C library's own functions, under the names for callers that replace them. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t number, size_t bytes);
void *__libc_realloc(void *at, size_t bytes);

static uintptr_t start, first, past; /* the program, and its code */
static uintptr_t place;              /* that asked in vain */
static atomic_long requests;
static long fails;

static int program(struct dl_phdr_info *info, size_t bytes, void *unused) {
    (void)bytes;
    (void)unused;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            start = info->dlpi_addr;
            first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            past = first + info->dlpi_phdr[i].p_memsz;
        }
    return 1; /* the program itself is the first */
}

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAIL_AT");

    dl_iterate_phdr(program, NULL);
    fails = at ? atol(at) : 0;
}

__attribute__((destructor)) static void tell(void) {
    const char *file = getenv("FAIL_COUNT");
    FILE *to = file ? fopen(file, "w") : NULL;

    if (!to) return;
    if (fails)
        fprintf(to, "0x%zx\n", (size_t)place);
    else
        fprintf(to, "%ld\n", (long)requests);
    fclose(to);
}

/* Whether this request, from there in the program, is the one that is not met. */
static bool refused(const void *from) {
    if ((uintptr_t)from < first || (uintptr_t)from >= past) return false;
    if (++requests != fails) return false;
    place = (uintptr_t)from - start - 1;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t number, size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_calloc(number, bytes);
}

void *realloc(void *at, size_t bytes) {
    return refused(__builtin_return_address(0)) ? NULL : __libc_realloc(at, bytes);
}

char *strdup(const char *text) {
    const size_t bytes = strlen(text) + 1;
    char *copy = refused(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);

    return copy ? memcpy(copy, text, bytes) : NULL;
}
