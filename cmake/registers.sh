#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes the registers of a Verilated model as a specialisation of Registers<class>
# (bridge/ace_rtl_node_core.h):
#
#     cmake/registers.sh CLASS CLASS___024root.h OUT.h
set -euo pipefail
class=$1 root=$2 out=$3
{
    echo "#include \"${class}___024root.h\""
    echo "void ${class}___024root___eval_settle(${class}___024root *);"
    echo "template <> struct Registers<${class}> {"
    echo "    static void settle(${class} &m) { ${class}___024root___eval_settle(m.rootp); }"
    echo "    template <class F> static void each(${class} &m, F see) {"
    echo "        auto &r = *m.rootp;"
    sed -nEf "$(dirname "$0")/registers.sed" "$root"
    echo "    }"
    echo "};"
} >"$out.part"
mv "$out.part" "$out"
