#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Long runs of RTL against twins, a line for each as docs/results/campaign/lockstep keeps them:
#
#   tests/lockstep/soak.sh BUILD CYCLES SEED [WHAT...]      such as  build/release 10000000 1 router node:four
#
# WHAT is a unit (the name of its test, without lockstep_ and _test), `node`, whose sets of parameters take turns, or
# node:SET [all units, then node].  A unit runs with SEED, the seed after it and so on until it has been busy for
# CYCLES cycles, each case TIMES as long as in its test [10].  A line has, with "; " between them:
#
#   the commit that BUILD is of; the command; what ran; its busy cycles; differences
#
# Differences and other failures of a test are printed on standard error, with the command that
# repeats them.  The status is then 1.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
[[ $# -ge 3 && $2 =~ ^[1-9][0-9]*$ && $3 =~ ^[0-9]+$ ]] || { sed -n '4,16s/^# \{0,1\}//p' "$0" >&2; exit 2; }
build=$1
cycles=$2
seed=$3
command="${TIMES:+TIMES=$TIMES }tests/lockstep/soak.sh $*"
commit=$("$build/acesim" --version | awk '$1 == "commit" { print $2 }')
shift 3
what=("$@")
if [[ $# -eq 0 ]]; then
    for test in "$build"/tests/lockstep_*_test; do
        name=${test##*/lockstep_}
        [[ $name == node_test ]] || what+=("${name%_test}")
    done
    what+=(node)
fi
said=$(mktemp)
trap 'rm -f "$said"' EXIT
failed=0

# Both set busy and differences.
unit() { # NAME
    local at more=1
    for ((at = seed; busy < cycles && more > 0; at++)); do
        ACE_SEED=$at ACE_TIMES=${TIMES:-10} "$build/tests/lockstep_$1_test" --gtest_brief=1 >"$said" 2>&1 ||
            { echo "$1, seed $at:"; cat "$said"; failed=1; } >&2
        differences=$((differences + $(grep -c ' pin .*: rtl 0x' "$said")))
        more=$(awk '/ busy cycles of / { n = $1 } END { print n + 0 }' "$said") # none: a unit that is always at rest
        busy=$((busy + more))
        grep -q ' busy cycles of [1-9]' "$said" || return 1
    done
}
node() { # [SET]
    "$build/acesim" lockstep --quiet --cycles "$cycles" --seed "$seed" ${1:+--parameters "$1"} >"$said" || cat "$said" >&2
    busy=$(awk '/ busy cycles, / { n += $2 } END { print n + 0 }' "$said")
    differences=$(grep -c '^DIFFERENT' "$said")
    [[ $busy -gt 0 ]]
}
for one in "${what[@]}"; do
    busy=0
    differences=0
    case $one in
        node) node ;;
        node:*) node "${one#node:}" ;;
        *) unit "$one" ;;
    esac || failed=1
    [[ $differences -eq 0 ]] || failed=1
    echo "$commit; $command; $one; $busy; $differences"
done
exit $failed
