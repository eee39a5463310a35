#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The C twins alone, on a machine that has clang and CMake: with ACE_RTL=OFF no Verilator, no
# MPI, no SystemC and no library beside libc is looked for.  The library is built and installed, and
# bridge/example/ring.c is compiled with it through CMake, and run.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed() { # TEXT: the end of the log before it
    tail -n 20 "$work/log"
    echo "FAIL $1"
    exit 1
}

# The configuration must not see other packages of this machine through pkg-config and CMake.
configure() { # SOURCE FOLDER OPTION...
    local source=$1 folder=$2; shift 2
    env PKG_CONFIG_LIBDIR="$work/nothing" cmake -S "$source" -B "$work/$folder" "$@" \
        -D CMAKE_C_COMPILER="${CC:-clang}" -D CMAKE_CXX_COMPILER="${CXX:-clang++}" >"$work/log" 2>&1 ||
        failed "$folder cannot be configured"
}
hidden=()
for package in verilator MPI ZLIB GTest PkgConfig; do
    hidden+=(-D "CMAKE_DISABLE_FIND_PACKAGE_$package=TRUE")
done
configure . twins -D ACE_RTL=OFF "${hidden[@]}"
cmake --build "$work/twins" --parallel 2 >"$work/log" 2>&1 || failed "the twins do not build"
cmake --install "$work/twins" --prefix "$work/prefix" >"$work/log" 2>&1 || failed "the twins cannot be installed"
for other in bin/acesim lib/libacesim_rtl.a include/acesim/ace_rtl_node.h; do
    [ ! -e "$work/prefix/$other" ] || { echo "FAIL $other is installed with ACE_RTL=OFF"; exit 1; }
done

# Builds the example of the C twins, without the SystemC part.
mkdir "$work/ring"
cp bridge/example/ring.c bridge/example/pair.h "$work/ring/"
sed '/platform/d' bridge/example/CMakeLists.txt >"$work/ring/CMakeLists.txt"
configure "$work/ring" outside "${hidden[@]}" -D CMAKE_PREFIX_PATH="$work/prefix"
cmake --build "$work/outside" >"$work/log" 2>&1 || failed "the example does not build"
said=$("$work/outside/ring") || { echo "FAIL the example: $said"; exit 1; }
[ "$(grep -c 'cycles' <<<"$said")" -eq 2 ] || { echo "FAIL the example says '$said', expected the cycles of two nodes"; exit 1; }
echo "twins: built and used without Verilator, MPI, SystemC, SQLite"
