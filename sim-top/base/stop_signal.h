/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stop_signal.h -- ends a run on a signal at a point where it can be resumed
 *
 *     stop_signal_catch();
 *     while (!stop_signal()) { ... one window ... }
 *     stop_signal_release();
 *
 * The first SIGINT (Ctrl-C) or SIGTERM is recorded. A second one ends the process at once. A
 * process that was started to ignore one of them still ignores it.
 */
#ifndef STOP_SIGNAL_H
#define STOP_SIGNAL_H

#ifdef __cplusplus
extern "C" {
#endif

void stop_signal_catch(void);
void stop_signal_release(void); /* restores the earlier handlers of both signals */

/* Returns the number of the signal received since stop_signal_catch(); 0: none. */
int stop_signal(void);
const char *stop_signal_name(int number); /* "SIGINT" */

#ifdef __cplusplus
}
#endif

#endif
