/* SPDX-License-Identifier: Apache-2.0 */
/* compare.h -- collective and run with --compare: the same on several endpoints, side by side */
#ifndef COMPARE_H
#define COMPARE_H

#include "setup.h"

/* run: command_collective or command_run, to which the words of these options are given, each
 * time with another endpoint and in a process of its own.  EXIT_OK; EXIT_CHECK where a check
 * failed, or after a message; EXIT_USAGE after a message. */
int compare_endpoints(const setup *o, int (*run)(int, char **));

#endif
