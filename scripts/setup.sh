#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what acesim needs on a bare Debian 12; does nothing when all is there.
set -euo pipefail

packages=(
    clang libclang-rt-14-dev llvm-14 clang-format cmake ninja-build pkg-config ccache
    verilator libsystemc-dev iverilog yosys z3
    dpkg-dev libgtest-dev libgmock-dev zlib1g-dev libcjson-dev libyaml-dev libsqlite3-dev
    libprotobuf-c-dev protobuf-c-compiler libexpat1-dev
    sqlite3 openmpi-bin libopenmpi-dev slurm-wlm munge
    gtkwave librsvg2-bin fonts-dejavu-core gnuplot-nox
    qflow-tech-osu018 opensta
)

missing=()
for package in "${packages[@]}"; do
    state=$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)
    [[ $state == "install ok installed" ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
    echo "setup: every package is installed"
    exit 0
fi

root=()
if [[ $(id -u) -ne 0 ]]; then
    command -v sudo >/dev/null || { echo "setup: run as root or install sudo; missing: ${missing[*]}" >&2; exit 1; }
    root=(sudo)
fi
echo "setup: installing ${missing[*]}"
"${root[@]}" apt-get update
"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
