#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing, configures and builds:  scripts/build.sh [release|sanitize] [TARGET ...]
#
# If only `acesim` is built, in an empty folder, only the RTL of the default set is Verilated. Without sanitizers only the
# packages of the program are then installed. Anything else Verilates all sets, in the same folder, and installs all
# packages.
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
shift || true

everything=ON packages=()
[[ $* == acesim && ! -e build/$preset/tests ]] && everything=OFF
[[ $everything == OFF && $preset == release ]] && packages=(program)    # these have no sanitizers
scripts/setup.sh "${packages[@]}"
cmake --preset "$preset" -DBUILD_TESTING=$everything -DACE_MPI=$everything -DACE_SYSTEMC=$everything
cmake --build --preset "$preset" ${1:+--target "$@"}
