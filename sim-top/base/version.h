/* SPDX-License-Identifier: Apache-2.0 */
/* version.h -- of the program, as results carry it */
#ifndef VERSION_H
#define VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

#define ACESIM_VERSION "0.1.0"

#ifdef __cplusplus
}
#endif

#endif
