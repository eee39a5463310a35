/* SPDX-License-Identifier: Apache-2.0 */
#include "version.h"

const char acesim_version[] = ACESIM_VERSION; /* by sim-top/CMakeLists.txt */
