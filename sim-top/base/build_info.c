/* SPDX-License-Identifier: Apache-2.0 */
/*
 * build_info.c -- of a program that does not say: a test
 *
 * acesim and acesim-mpi have one of their own, which cmake/build_info.cmake writes; the linker then
 * takes none of this, as it is in a library.
 */
#include "build_info.h"

const char acesim_version[] = ACESIM_VERSION; /* by sim-top/CMakeLists.txt */
const char build_commit[BUILD_COMMIT] = "unknown";
const char build_type[] = "unknown";
const char build_rtl[] = "unknown";
const char build_interface[] = "unknown";
