/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_info.c -- the build information of programs that have none of their own: the tests
 *
 * acesim and acesim-mpi have their own, which cmake/build_info.cmake writes. This file is in a
 * library, so the linker then ignores it.
 */
#include "build_info.h"

const char acesim_version[] = ACESIM_VERSION; /* by sim-top/CMakeLists.txt */
const char build_commit[BUILD_COMMIT] = "unknown";
const char build_type[] = "unknown";
const char build_rtl[] = "unknown";
const char build_interface[] = "unknown";
