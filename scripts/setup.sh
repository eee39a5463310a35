#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what acesim needs on a bare Debian 12; does nothing when all is there:
#
#   scripts/setup.sh program    to build the program, and to draw the pictures of the demo
#   scripts/setup.sh            also for the tests, acesim-mpi, acesim-systemc and the other targets
#
# tests/source/packages.sh keeps the first list short.
set -euo pipefail

packages=(
    clang cmake ninja-build pkg-config ccache verilator
    zlib1g-dev libcjson-dev libyaml-dev libsqlite3-dev libprotobuf-c-dev protobuf-c-compiler libexpat1-dev
    gnuplot-nox gtkwave librsvg2-bin fonts-dejavu-core    # pictures
)
if [[ ${1:-} != program ]]; then
    packages+=(
        libgtest-dev libgmock-dev clang-format libclang-rt-14-dev llvm-14 sqlite3    # tests, sanitizers, coverage
        dpkg-dev                                # packages for Debian
        iverilog yosys z3                       # lint, a second simulator, proofs
        qflow-tech-osu018 opensta               # silicon
        libsystemc-dev                          # acesim-systemc
        openmpi-bin libopenmpi-dev              # acesim-mpi
        slurm-wlm munge                         # the test of sweeps as Slurm arrays
    )
fi

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
