#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing, configures and builds:  scripts/build.sh [release|sanitize] [TARGET ...]
#
# If only `acesim` is built, in an empty folder, only the RTL of the default set is Verilated. Anything else Verilates
# all sets, in the same folder.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
shift || true

scripts/setup.sh
everything=ON
[[ $* == acesim && ! -e build/$preset/tests ]] && everything=OFF
cmake --preset "$preset" -DBUILD_TESTING=$everything -DACE_MPI=$everything -DACE_SYSTEMC=$everything
cmake --build --preset "$preset" ${1:+--target "$@"}
