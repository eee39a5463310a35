/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h -- collective and run with --compare: the same run on several endpoints, side by
 * side */
#ifndef COMPARE_H
#define COMPARE_H

#include "setup.h"

/* run: command_collective or command_run. It gets the arguments of these options, each time with
 * another endpoint and in its own process. Returns EXIT_OK; EXIT_CHECK if a check failed, or after
 * a message; or EXIT_USAGE after a message. */
int compare_endpoints(const setup *o, int (*run)(int, char **));

#endif
