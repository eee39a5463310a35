/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_info.h -- the version of the program and the build, for acesim --version
 *
 * Results carry the version alone.  The page of a study names the build, too.  The commit is not
 * part of program_digest(), because checkpoints and results of a sweep outlive a commit that
 * changed no code.
 */
#ifndef BUILD_INFO_H
#define BUILD_INFO_H

#ifdef __cplusplus
extern "C" {
#endif

enum { BUILD_COMMIT = 64 };
extern const char acesim_version[];           /* "1.2.3": project(VERSION) of CMakeLists.txt */
extern const char build_commit[BUILD_COMMIT]; /* as git describe has it, " of " and its date */
extern const char build_type[];               /* of CMake: "Release" */
extern const char build_rtl[];                /* SHA-256 of rtl/ */
extern const char
    build_interface[]; /* and of what an object of `acesim rtl build` is compiled with */

#ifdef __cplusplus
}
#endif

#endif
