/* SPDX-License-Identifier: Apache-2.0 */
/* failure_report.h -- runs a collective in which a link or a node dies, and prints its result */
#ifndef FAILURE_REPORT_H
#define FAILURE_REPORT_H

struct setup;

#ifdef __cplusplus
extern "C" {
#endif

/* setup_make() has succeeded, with faults.dead. Returns EXIT_OK, EXIT_CHECK after a message or if a
 * value is wrong, or EXIT_USAGE after a message. */
int failure_report(const struct setup *s);

#ifdef __cplusplus
}
#endif

#endif
