/* SPDX-License-Identifier: Apache-2.0 */
/* no_threads.c -- preloaded, leaves a program room for NO_THREADS threads beside its first, as a
 * limit on processes would */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void *dlsym(void *handle, const char *name);
#define NEXT ((void *)-1L) /* RTLD_NEXT, which wants _GNU_SOURCE */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *with) {
    static atomic_int begun;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    const char *room = getenv("NO_THREADS");

    if (atomic_fetch_add(&begun, 1) >= (room ? atoi(room) : 0)) return EAGAIN;
    *(void **)&create = dlsym(NEXT, "pthread_create");
    return create(thread, attributes, run, with);
}
