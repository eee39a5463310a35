/* SPDX-License-Identifier: Apache-2.0 */
/* version.h -- of the program, as results carry it: project(VERSION) of CMakeLists.txt */
#ifndef VERSION_H
#define VERSION_H

#ifdef __cplusplus
extern "C" {
#endif

extern const char acesim_version[]; /* "1.2.3" */

#ifdef __cplusplus
}
#endif

#endif
