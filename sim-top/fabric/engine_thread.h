/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_thread.h -- the software of one engine: a thread that runs only while the cycle loop waits
 *
 * A script calls the driver (ace_host.h), whose functions return after many cycles. Each engine's
 * script has a thread of its own. Exactly one of all threads runs at a time: the loop resumes a
 * script, and the script gives the processor back when it waits. A script itself takes no cycles.
 * Writes are posted: a script goes on at once, and its next read or wait comes after them. An error
 * of a write is returned by that read.
 *
 *     engine_thread_create(&t, script, self);    begins the script
 *     engine_thread_end(&t);                     ends it, wherever it waits
 *
 * Between the two, the loop reads t.waits in each cycle:
 *
 * - ENGINE_ACCESS. The loop drives t.bus. It resumes when engine_thread_step() returns true.
 * - ENGINE_INTERRUPT. It resumes when the interrupt is high.
 * - ENGINE_PAUSE. It counts t.pause down, and resumes at 0.
 * - ENGINE_GATE. It resumes when every thread that takes part waits at t.gate.
 */
#ifndef ENGINE_THREAD_H
#define ENGINE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

#include "ace_axil_master.h"
#include "ace_host.h"

typedef enum engine_wait {
    ENGINE_ACCESS,
    ENGINE_INTERRUPT,
    ENGINE_PAUSE,
    ENGINE_GATE,
    ENGINE_RETURNED /* the script has returned */
} engine_wait;

enum { ENGINE_POSTED = 256 /* writes between two reads at most */ };

typedef struct engine_thread {
    engine_wait waits;
    unsigned gate;       /* valid at ENGINE_GATE */
    unsigned pause;      /* cycles, valid at ENGINE_PAUSE */
    ace_axil_master bus; /* the access, valid at ENGINE_ACCESS */
    /* of engine_thread.c */
    ace_register_write posted[ENGINE_POSTED];
    unsigned posts, at; /* how many, and how many have ended */
    bool reads;         /* a read follows them */
    uint32_t offset;    /* of the read */
    bool refused;       /* a write was */
    void (*script)(void *self);
    void *self;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool created, turn, ends;
} engine_thread;

/* Runs the script to its first wait. Returns EXIT_OK, or EXIT_CHECK after a message. */
int engine_thread_create(engine_thread *t, void (*script)(void *self), void *self);
/* Runs the script to its next wait. */
void engine_thread_resume(engine_thread *t);
/* Takes the engine's pins of this cycle while the thread waits at ENGINE_ACCESS. Returns whether
 * all accesses have ended. */
bool engine_thread_step(engine_thread *t, const ace_axil_out *out);
/* Lets every call of the script return an error from now on, and waits until the script returns. A
 * thread that was never created is allowed. */
void engine_thread_end(engine_thread *t);

/* ---- for the script ---- */

/* The bus of the engine; its self is the thread. Calls return ACE_ETIME once the script must
 * end. */
ace_host_bus engine_thread_bus(engine_thread *t);
/* Each returns false if the script must end. The first waits until all writes have ended. */
bool engine_thread_drain(engine_thread *t);
bool engine_thread_gate(engine_thread *t, unsigned gate);
bool engine_thread_pause(engine_thread *t, unsigned cycles); /* at least 1 */

#endif
