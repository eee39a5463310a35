/* SPDX-License-Identifier: Apache-2.0 */
/* processes_one.c -- the run is one process: acesim, which needs no exchange */
#include <string.h>

#include "processes.h"

void processes_start(int *argc, char ***argv) {
    (void)argc;
    (void)argv;
}

int processes_end(int status) { return status; }
unsigned processes_rank(void) { return 0; }
unsigned processes_count(void) { return 1; }
int processes_agree(int status) { return status; }

void processes_maximum(uint64_t *v, unsigned count) {
    (void)v;
    (void)count;
}

void processes_exchange(message *m, unsigned count) {
    (void)m;
    (void)count;
}

size_t processes_share(const void *mine, size_t bytes, void **all) {
    (void)mine; /* with one process there is nobody to share it with */
    (void)all;
    return bytes;
}

void processes_gather(const void *mine, void *all, size_t bytes) { memcpy(all, mine, bytes); }

void processes_write(FILE *to, void (*write)(FILE *to, const void *self), const void *self) {
    write(to, self);
}
