#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The demo of a clean clone installs few packages: at most 30 by name. MPI, Slurm, SystemC, the proofs and the layout come
# only with the full build. Each script runs in a small tree where dpkg-query finds nothing, and apt-get records what it
# is given.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { # TEXT
    echo "packages: $1"
    failed=$((failed + 1))
}

mkdir -p "$work/tree/scripts" "$work/bin"
cp scripts/setup.sh scripts/build.sh scripts/demo.sh "$work/tree/scripts/"
printf '#!/bin/bash\nexit 1\n' >"$work/bin/dpkg-query"
# shellcheck disable=SC2016 # the replaced apt-get expands them
printf '#!/bin/bash\n[[ $1 == install ]] || exit 0\nshift\nfor word; do [[ $word == -* ]] || echo "$word"; done >>"%s"\n' "$work/installs" >"$work/bin/apt-get"
printf '#!/bin/bash\nexec "$@"\n' >"$work/bin/sudo"
printf '#!/bin/bash\nexit 0\n' >"$work/bin/cmake"
chmod +x "$work"/bin/*

installs() { # NAME COMMAND...: the packages that a command of a clean clone installs, sorted
    local to=$work/$1
    shift
    : >"$work/installs"
    (cd "$work/tree" && rm -rf build out && PATH="$work/bin:$PATH" "$@" >"$work/out" 2>&1)
    sort -u "$work/installs" >"$to"
    [[ -s $to ]] || wrong "$*: found no package installed, expected some: $(tail -1 "$work/out")"
}

installs demo scripts/demo.sh    # ends after the build: there is no program
installs program scripts/build.sh release acesim
installs all scripts/build.sh release
installs target scripts/build.sh release acesim silicon

count=$(wc -l <"$work/demo")
[[ $count -le 30 ]] || wrong "scripts/demo.sh: found $count packages, expected at most 30"
others='slurm|munge|openmpi|systemc|yosys|z3|iverilog|qflow|opensta|gtest|gmock'
found=$(grep -E "$others" "$work/demo")
[[ -z $found ]] || wrong "scripts/demo.sh: found ${found//$'\n'/ }, expected them only in the full build"
for name in slurm-wlm libopenmpi-dev libsystemc-dev opensta libgtest-dev; do
    grep -qx "$name" "$work/all" || wrong "scripts/build.sh release: found no $name, expected it"
done
cmp -s "$work/demo" "$work/program" || wrong 'scripts/build.sh release acesim: found other packages than for the demo'
cmp -s "$work/all" "$work/target" || wrong 'scripts/build.sh release acesim silicon: found other packages than for a full build'
[[ -z $(comm -23 "$work/demo" "$work/all") ]] || wrong 'scripts/build.sh release: found fewer packages than for the demo'
echo "packages: $count by name for the demo, $(wc -l <"$work/all") for all targets and tests; $failed wrong"
[[ $failed -eq 0 ]]
