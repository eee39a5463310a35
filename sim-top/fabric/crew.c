/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew.c -- threads that take items of a round from one atomic counter
 *
 * Each thread, the caller included, decrements `left` to take an item and `undone` when the item
 * is done. A thread without work polls for some microseconds and then sleeps on a condition. It
 * announces its sleep before it polls a last time, and the caller checks in the reverse order, so
 * no wake-up is lost.
 */
#include "crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"

/* How often a thread polls for the next round before it sleeps, and the caller for the last item.
 * Waking up takes as long as many short rounds. Some 20 us in all. */
enum { SPINS = 500 };

struct crew {
    void (*work)(void *self, unsigned item);
    void *self;
    unsigned end; /* one past the last item of the round; set before `left` is */
    atomic_uint left, undone;
    atomic_uint asleep; /* threads that must be woken for a round */
    atomic_bool waits;  /* the caller sleeps until the last item is done */
    atomic_bool stop;
    pthread_mutex_t lock;
    pthread_cond_t round, done;
    pthread_t *thread; /* all but the calling one */
    unsigned threads;
};

static void pause_a_little(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

/* Does one item. Returns false when there is none. A round cannot end while an item is being done,
 * so `past` belongs to this round. */
static bool work_one(crew *c) {
    unsigned left = atomic_load(&c->left);

    do {
        if (!left) return false;
    } while (!atomic_compare_exchange_weak(&c->left, &left, left - 1));
    c->work(c->self, c->end - left);
    if (atomic_fetch_sub(&c->undone, 1) == 1 && atomic_load(&c->waits)) {
        pthread_mutex_lock(&c->lock);
        pthread_cond_signal(&c->done);
        pthread_mutex_unlock(&c->lock);
    }
    return true;
}

static bool any_work(crew *c) { return atomic_load(&c->left) || atomic_load(&c->stop); }

static void *member(void *p) {
    crew *const c = p;

    while (!atomic_load(&c->stop)) {
        while (work_one(c)) continue;
        for (unsigned i = 0; i < SPINS && !any_work(c); i++) pause_a_little();
        if (any_work(c)) continue;
        pthread_mutex_lock(&c->lock);
        /* The sleep is announced before the last poll. crew_run() does both in the reverse
         * order. */
        atomic_fetch_add(&c->asleep, 1);
        while (!any_work(c)) pthread_cond_wait(&c->round, &c->lock);
        pthread_mutex_unlock(&c->lock);
    }
    return NULL;
}

static void wake(crew *c) {
    if (!atomic_load(&c->asleep)) return;
    pthread_mutex_lock(&c->lock);
    atomic_store(&c->asleep, 0);
    pthread_cond_broadcast(&c->round);
    pthread_mutex_unlock(&c->lock);
}

void crew_run(crew *c, unsigned first, unsigned end) {
    const unsigned items = end - first;

    if (!c->threads) {
        for (unsigned i = first; i < end; i++) c->work(c->self, i);
        return;
    }
    c->end = end;
    atomic_store(&c->undone, items);
    atomic_store(&c->left, items);
    if (items > 1) wake(c);
    while (work_one(c)) continue;
    for (unsigned i = 0; i < SPINS && atomic_load(&c->undone); i++) pause_a_little();
    if (!atomic_load(&c->undone)) return;
    pthread_mutex_lock(&c->lock);
    atomic_store(&c->waits, true);
    while (atomic_load(&c->undone)) pthread_cond_wait(&c->done, &c->lock);
    atomic_store(&c->waits, false);
    pthread_mutex_unlock(&c->lock);
}

int crew_create(unsigned threads, void (*work)(void *self, unsigned item), void *self, crew **to) {
    crew *const c = *to = calloc(1, sizeof *c);
    int failed = 0;

    if (c) c->thread = calloc(threads + 1, sizeof *c->thread);
    if (!c || !c->thread) {
        free(c);
        *to = NULL;
        return message_no_memory();
    }
    c->work = work;
    c->self = self;
    pthread_mutex_init(&c->lock, NULL);
    pthread_cond_init(&c->round, NULL);
    pthread_cond_init(&c->done, NULL);
    while (!failed && c->threads + 1 < threads) {
        failed = pthread_create(&c->thread[c->threads], NULL, member, c);
        if (!failed) c->threads++;
    }
    if (!failed) return EXIT_OK;
    fprintf(stderr, "acesim: --threads: found room for %u thread%s (%s), expected %u\n",
            c->threads + 1, c->threads ? "s" : "", strerror(failed), threads);
    crew_destroy(c);
    *to = NULL;
    return EXIT_CHECK;
}

void crew_destroy(crew *c) {
    if (!c) return;
    atomic_store(&c->stop, true);
    pthread_mutex_lock(&c->lock);
    pthread_cond_broadcast(&c->round);
    pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; i < c->threads; i++) pthread_join(c->thread[i], NULL);
    pthread_cond_destroy(&c->done);
    pthread_cond_destroy(&c->round);
    pthread_mutex_destroy(&c->lock);
    free(c->thread);
    free(c);
}
