/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_info.h -- which build this is, for acesim --version
 *
 * No result carries any of it, but the page of a study says it, and the commit is not even part of program_digest(): checkpoints
 * and results of a sweep outlive a commit that changed no code.
 */
#ifndef BUILD_INFO_H
#define BUILD_INFO_H

#ifdef __cplusplus
extern "C" {
#endif

enum { BUILD_COMMIT = 64 };
extern const char build_commit[BUILD_COMMIT]; /* as git describe has it, " of " and its date */
extern const char build_type[];               /* of CMake: "Release" */
extern const char build_rtl[];                /* SHA-256 of rtl/ */
extern const char
    build_interface[]; /* and of what an object of `acesim rtl build` is compiled with */

#ifdef __cplusplus
}
#endif

#endif
