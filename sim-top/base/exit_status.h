/* SPDX-License-Identifier: Apache-2.0 */
/* exit_status.h -- the exit statuses of acesim */
#ifndef EXIT_STATUS_H
#define EXIT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Success; a check of the model failed or something could not be done; bad usage or input. */
enum { EXIT_OK = 0, EXIT_CHECK = 1, EXIT_USAGE = 2 };
/* Added to the number of the signal that ended a run: 130 for SIGINT. */
enum { EXIT_SIGNAL = 128 };

#ifdef __cplusplus
}
#endif

#endif
