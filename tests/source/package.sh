#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A project outside: installs into a prefix, moves it, and builds bridge/example against it in a
# folder of its own, through CMake and through pkg-config.  The examples check the values; their
# cycles are those of acesim for the same torus.
set -euo pipefail
acesim=${ACESIM:-$1}
build=$(dirname "$acesim")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1

cmake --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/prefix"
cp -r bridge/example "$work/outside"
cd "$work/outside"

want=$("$work/prefix/bin/acesim" collective all-reduce --topology 2x1x1 --size 64KiB --clock 1GHz \
    --link-bandwidth 128GB/s --link-efficiency 1 --memory-bandwidth 128GB/s --format json 2>/dev/null |
    sed -n 's/.*"cycles":[^0-9]*\([0-9]*\).*/\1/p')
failed=0
# Workloads are found from any folder, in the prefix that was moved.
if ! (cd / && "$work/prefix/bin/acesim" run clusters/torus-4x2x2.yaml models/resnet50.yaml \
    --endpoint ideal --iterations 1 >"$work/log" 2>&1); then
    printf 'FAIL no workload is found in the prefix: %s\n' "$(cat "$work/log")"
    failed=1
fi
same() { # WHO, its output
    if [ "$(grep -c ": $want cycles" <<<"$2")" -eq 2 ]; then
        echo "ok   $1: $want cycles at both nodes"
    else
        printf 'FAIL %s: expected %s cycles at both nodes, got\n%s\n' "$1" "$want" "$2"
        failed=1
    fi
}

cmake -S . -B built -DCMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1 &&
    cmake --build built >>"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
same 'find_package, C' "$(built/ring)"
same 'find_package, SystemC' "$(built/platform)"

export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
cc=${CC:-$(command -v cc || command -v clang)}
cxx=${CXX:-$(command -v c++ || command -v clang++)}
# shellcheck disable=SC2046,SC2086
"$cc" -o ring ring.c $(pkg-config --cflags --libs acesim) ${LDFLAGS:-}
# shellcheck disable=SC2046,SC2086
"$cxx" -std=c++17 -o platform platform.cc $(pkg-config --cflags --libs acesim-systemc) ${LDFLAGS:-}
same 'pkg-config, C' "$(./ring)"
same 'pkg-config, SystemC' "$(./platform)"
exit $failed
