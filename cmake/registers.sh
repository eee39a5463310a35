#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Writes the registers of a Verilated model as a specialisation of Registers<class>
# (bridge/ace_rtl_node_core.h), and a digest of the model's code, by which a state of another is known:
#
#     cmake/registers.sh CLASS CLASS___024root.h OUT.h
set -euo pipefail
class=$1 root=$2 out=$3
here=$(dirname "$0") folder=$(dirname "$root")
digest=$(find "$folder" -maxdepth 1 \( -name "$class*.cpp" -o -name "$class*.h" \) ! -name "${class}_registers.h" |
    LC_ALL=C sort | xargs cat | sha256sum | cut -c1-16)
# Lists the members of the root, and of the class of each instance of a module that is not inlined.
members() {
    local unit at
    sed -nEf "$here/registers.sed" "$root"
    sed -nE "s/^ *(${class}_[a-z][A-Za-z0-9_]*) +TOP__([A-Za-z0-9_]*);/\1 \2/p" "$folder/${class}__Syms.h" |
        while read -r unit at; do
            sed "s/ __PVT__/ ${at}__DOT__/" "$folder/$unit.h" | sed -nEf "$here/registers.sed" |
                sed "s/ r\.${at}__DOT__/ r.vlSymsp->TOP__$at.__PVT__/"
        done
}
{
    echo "#include \"${class}___024root.h\""
    echo "#include \"${class}__Syms.h\""
    echo "void ${class}___024root___eval_settle(${class}___024root *);"
    echo "template <> struct Build<${class}> {"
    echo "    static constexpr char digest[] = \"$digest\";"
    echo "};"
    echo "template <> struct Registers<${class}> {"
    echo "    static void settle(${class} &m) { ${class}___024root___eval_settle(m.rootp); }"
    echo "    template <class F> static void each(${class} &m, F see) {"
    echo "        auto &r = *m.rootp;"
    members
    echo "    }"
    echo "};"
} >"$out.part"
mv "$out.part" "$out"
