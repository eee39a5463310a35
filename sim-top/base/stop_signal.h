/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stop_signal.h -- a run that is asked to end does so where it can be resumed
 *
 *     stop_signal_catch();
 *     while (!stop_signal()) { ... one window ... }
 *     stop_signal_release();
 *
 * The first SIGINT (Ctrl-C) or SIGTERM is noted; a second one ends the process at once.  A process
 * that was started to ignore one of them goes on to.
 */
#ifndef STOP_SIGNAL_H
#define STOP_SIGNAL_H

#ifdef __cplusplus
extern "C" {
#endif

void stop_signal_catch(void);
void stop_signal_release(void); /* both signals do again what they did before */

/* The number of the signal that came since stop_signal_catch(), 0: none. */
int stop_signal(void);
const char *stop_signal_name(int number); /* "SIGINT" */

#ifdef __cplusplus
}
#endif

#endif
