/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_thread.c -- hands the processor from the cycle loop to a script and back
 *
 * `turn` says who runs: the script while it is true, the loop while it is false. Both wait for it
 * on one condition, because only one of them can wait at a time.
 */
#include "engine_thread.h"

#include <stdio.h>
#include <string.h>

#include "exit_status.h"

/* Waits until `turn` has this value. The lock is held. */
static void await_turn(engine_thread *t, bool turn) {
    while (t->turn != turn) pthread_cond_wait(&t->changed, &t->lock);
}

static void give_turn(engine_thread *t, bool turn) {
    t->turn = turn;
    pthread_cond_signal(&t->changed);
}

/* Gives the processor back to the loop until the next resume. Returns false if the script must
 * end. */
static bool wait_for(engine_thread *t, engine_wait what) {
    pthread_mutex_lock(&t->lock);
    if (!t->ends) {
        t->waits = what;
        give_turn(t, false);
        await_turn(t, true);
    }
    const bool goes_on = !t->ends;
    pthread_mutex_unlock(&t->lock);
    return goes_on;
}

static void *run(void *self) {
    engine_thread *const t = self;

    pthread_mutex_lock(&t->lock);
    await_turn(t, true);
    pthread_mutex_unlock(&t->lock);
    t->script(t->self);
    pthread_mutex_lock(&t->lock);
    t->waits = ENGINE_RETURNED;
    give_turn(t, false);
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

int engine_thread_create(engine_thread *t, void (*script)(void *self), void *self) {
    *t = (engine_thread){ .script = script, .self = self };
    pthread_mutex_init(&t->lock, NULL);
    pthread_cond_init(&t->changed, NULL);
    const int failed = pthread_create(&t->thread, NULL, run, t);
    t->created = !failed;
    if (failed) {
        pthread_cond_destroy(&t->changed);
        pthread_mutex_destroy(&t->lock);
        fprintf(stderr, "acesim: found no room for a thread of software (%s)\n", strerror(failed));
        return EXIT_CHECK;
    }
    engine_thread_resume(t);
    return EXIT_OK;
}

void engine_thread_resume(engine_thread *t) {
    if (t->waits == ENGINE_RETURNED) return;
    pthread_mutex_lock(&t->lock);
    give_turn(t, true);
    await_turn(t, false);
    pthread_mutex_unlock(&t->lock);
}

void engine_thread_end(engine_thread *t) {
    if (!t->created) return;
    pthread_mutex_lock(&t->lock);
    t->ends = true;
    pthread_mutex_unlock(&t->lock);
    engine_thread_resume(t);
    pthread_join(t->thread, NULL);
    pthread_cond_destroy(&t->changed);
    pthread_mutex_destroy(&t->lock);
    t->created = false;
}

/* Begins the next access, if any. */
static bool begin_access(engine_thread *t) {
    if (t->at < t->posts) {
        ace_axil_write(&t->bus, t->posted[t->at].offset, t->posted[t->at].value);
        return true;
    }
    if (t->reads) ace_axil_read(&t->bus, t->offset);
    return t->reads;
}

bool engine_thread_step(engine_thread *t, const ace_axil_out *out) {
    if (!ace_axil_step(&t->bus, out)) return false;
    t->refused = t->refused || t->bus.resp != ACE_OKAY;
    if (t->at < t->posts)
        t->at++;
    else
        t->reads = false;
    return !begin_access(t);
}

bool engine_thread_drain(engine_thread *t) {
    t->at = 0;
    const bool goes_on = !begin_access(t) || wait_for(t, ENGINE_ACCESS);
    t->posts = 0;
    t->reads = false;
    return goes_on && !t->ends;
}

static int read32(void *self, uint32_t offset, uint32_t *value) {
    engine_thread *const t = self;

    t->reads = true;
    t->offset = offset;
    const bool goes_on = engine_thread_drain(t), refused = t->refused;
    t->refused = false;
    *value = t->bus.data;
    return !goes_on ? ACE_ETIME : refused ? ACE_EPROTO : ACE_OK;
}

static int write32(void *self, uint32_t offset, uint32_t value) {
    engine_thread *const t = self;

    if (t->posts == ENGINE_POSTED && !engine_thread_drain(t)) return ACE_ETIME;
    t->posted[t->posts++] = (ace_register_write){ offset, value };
    return t->ends ? ACE_ETIME : ACE_OK;
}

static int wait_interrupt(void *self, uint64_t patience) {
    engine_thread *const t = self;

    (void)patience; /* the loop ends a run that hangs */
    return engine_thread_drain(t) && wait_for(t, ENGINE_INTERRUPT) ? ACE_OK : ACE_ETIME;
}

ace_host_bus engine_thread_bus(engine_thread *t) {
    return (ace_host_bus){ t, read32, write32, wait_interrupt };
}

bool engine_thread_gate(engine_thread *t, unsigned gate) {
    t->gate = gate;
    return engine_thread_drain(t) && wait_for(t, ENGINE_GATE);
}

bool engine_thread_pause(engine_thread *t, unsigned cycles) {
    t->pause = cycles;
    return engine_thread_drain(t) && wait_for(t, ENGINE_PAUSE);
}
