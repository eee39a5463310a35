#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what is missing, configures and builds:  scripts/build.sh [release|sanitize] [TARGET ...]
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${1:-release}
shift || true

scripts/setup.sh
cmake --preset "$preset"
cmake --build --preset "$preset" ${1:+--target "$@"}
