#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The engine as an IP-XACT component, on standard output:
#
#     cmake/ip_xact.sh > ace_engine.xml
#
# Nothing is kept in the tree: it is made of the register list, the file list and ace_engine.v where it
# is needed, and `cmake --install` puts one beside the RTL.  Paths in it are relative to rtl/.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(sed -nE 's/^project\(acesim VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
[[ $version ]] || { echo "ip_xact: found no project(acesim VERSION ...) in CMakeLists.txt" >&2; exit 2; }
awk -v version="$version" -f cmake/ip_xact.awk -f cmake/register_list.awk \
    rtl/registers.list rtl/ace.f rtl/ace_engine.v
