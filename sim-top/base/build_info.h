/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_info.h -- the version and the build of the program, for acesim --version
 *
 * Results carry only the version. The page of a study names the build, too. The commit is not part
 * of program_digest(), because checkpoints and results of a sweep stay valid after a commit that
 * changed no code.
 */
#ifndef BUILD_INFO_H
#define BUILD_INFO_H

#ifdef __cplusplus
extern "C" {
#endif

enum { BUILD_COMMIT = 64 };
extern const char acesim_version[]; /* "1.2.3": project(VERSION) of CMakeLists.txt */
/* from git describe, then " of " and the commit's date */
extern const char build_commit[BUILD_COMMIT];
extern const char build_type[]; /* CMake's build type: "Release" */
extern const char build_rtl[];  /* SHA-256 of the folder rtl/ */
/* SHA-256 of what `acesim rtl build` compiles an object with */
extern const char build_interface[];

#ifdef __cplusplus
}
#endif

#endif
