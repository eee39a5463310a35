/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stop_signal.c -- handlers of SIGINT and SIGTERM that only record the signal
 *
 * SA_RESETHAND restores the default after the first signal, so the second one ends the process.
 */
#include "stop_signal.h"

#include <signal.h>
#include <stddef.h>

enum { SIGNALS = 2 };
static const int numbers[SIGNALS] = { SIGINT, SIGTERM };

/* The signal that the handler has recorded. */
static volatile sig_atomic_t came;
static struct sigaction before[SIGNALS];

static void note(int number) { came = number; }

void stop_signal_catch(void) {
    struct sigaction once = { .sa_handler = note };

    sigemptyset(&once.sa_mask);
    once.sa_flags = (int)(SA_RESTART | SA_RESETHAND);
    came = 0;
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(numbers[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(numbers[i], &once, NULL);
    }
}

void stop_signal_release(void) {
    for (int i = 0; i < SIGNALS; i++) sigaction(numbers[i], &before[i], NULL);
}

int stop_signal(void) { return came; }

const char *stop_signal_name(int number) { return number == SIGINT ? "SIGINT" : "SIGTERM"; }
