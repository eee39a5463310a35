#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The instances of a node's units share their code in simulation (cmake/shared.vlt, cmake/alike.pl): of what an instance
# does in a cycle there is one function for all instances, or two.  A pin on which instances differ and that is not named
# makes each instance another; then it is this test that says so.  And only functions that do the same are made one.
set -uo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
verdict() { [ "$1" -eq 0 ] || { echo "FAIL $2"; failed=1; }; }

# ---- what is alike ------------------------------------------------------------------------------
written() { # FOLDER: a function of each of three instances
    mkdir "$1"
    echo "T 1 \"$1/Vx_unit__DepSet_0.cpp\"" >"$1/Vx__verFiles.dat"
    local at first second
    while read -r at first second; do
        printf '%s\n' "void Vx_unit___nba__$at(Vx_unit* vlSelf) {" "    int __Vfunc_f__${first}__a;" \
            "    int __Vfunc_f__${second}__a;" '    // Body' "    __Vfunc_f__${first}__a = vlSelf->p;" \
            "    __Vfunc_f__${second}__a = vlSelf->q;" "    vlSelf->r = __Vfunc_f__${first}__a;" '}'
    done <<<$'0 1 2\n1 10 11\n2 7 8' >"$1/Vx_unit__DepSet_0.cpp"
}
written "$work/all"
perl cmake/alike.pl "$work/all"
[ "$(grep -c '^    Vx_unit___nba__0(vlSelf);$' "$work/all/Vx_unit__DepSet_0.cpp")" -eq 2 ] && [ ! -s "$work/all/Vx__verFiles.dat" ]
verdict $? "three functions alike: $(cat "$work/all"/*)"
written "$work/one"
sed -i 's/vlSelf->r = __Vfunc_f__10__a/vlSelf->r = __Vfunc_f__11__a/' "$work/one/Vx_unit__DepSet_0.cpp"
perl cmake/alike.pl "$work/one"
grep -q 'vlSelf->r = __Vfunc_f__11__a' "$work/one/Vx_unit__DepSet_0.cpp"
verdict $? "a function that takes another temporary: $(cat "$work/one"/*)"

# ---- the node, as the build has written it --------------------------------------------------------
node=$(dirname "${ACESIM:-build/release/acesim}")/verilated/Vace_node
[ "$(find "$node" -name 'Vace_node_*__DepSet_*.cpp' | wc -l)" -ge 10 ]
verdict $? "found no node in $node, expected what cmake/AceVerilate.cmake writes there"
for unit in $(sed -nE 's/^public_flat_rd -module "(\w+)".*/\1/p' cmake/shared.vlt | sort -u); do
    cat "$node"/Vace_node_"$unit"*__DepSet_*.cpp >"$work/unit"
    # kept: CLASS NUMBER of each; the functions of an instance are numbered
    perl -0777 -ne 'print "$1 $2\n" while /^(?:VL_INLINE_OPT )?void (\w+?)___nba_\w+__(\d+)\(\w+\* vlSelf\) \{\n(?!    \w+\(vlSelf\);)/gm' \
        "$work/unit" >"$work/kept"
    kept=$(wc -l <"$work/kept") kinds=$(sort -u "$work/kept" | wc -l)
    [ "$kinds" -gt 0 ] && [ "$kept" -le $((2 * kinds)) ]
    verdict $? "$unit: found $kept functions of a cycle, expected $((2 * kinds)) at most for the $kinds that an instance has"
done
exit $failed
