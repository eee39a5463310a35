#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Measures how each of several commits changed the cycles of some runs:
#
#   scripts/docs/engine-steps.sh COMMIT=NAME COMMIT=NAME ... < COMMANDS
#
# A command is a line as acesim study --list prints it, "acesim ...". The program of each commit is built in
# out/steps/COMMIT unless it is there. The first column has the cycles with the first commit. Each further column has
# the increase since the commit before, in % of the first. The last rows have three sums: of the commands whose name
# ends in a star, of the others, and of all.
set -euo pipefail
cd "$(dirname "$0")/../.."
[[ $# -ge 2 ]] || { sed -n '3,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sed 's/^acesim //' > "$work/commands"
for step in "$@"; do
    commit=${step%%=*} tree=out/steps/${step%%=*}
    [[ -e $tree ]] || git worktree add --detach "$tree" "$commit" >&2
    [[ -x $tree/build/release/acesim ]] || "$tree/scripts/build.sh" release acesim >&2
    while IFS= read -r command; do
        eval "$tree/build/release/acesim $command --quiet --format json" > "$work/result"
        sed -nE '/^[[:space:]]*"cycles":/ { s/[^0-9]//gp; q }' "$work/result"
    done < "$work/commands" > "$work/$commit"
    columns+=("$work/$commit")
done
paste "${columns[@]}" "$work/commands" | awk -F'\t' -v names="$(printf '%s\t' "${@#*=}")" '
    NR == 1 { n = split(names, name) - 1
              printf "%8s", name[1]
              for (i = 2; i <= n; i++) printf " %6s", name[i]
              print " |   star others    all" }
    { printf "%8d", $1
      starred = 0
      for (i = 2; i <= n; i++) {
          d = 100 * ($i - $(i - 1)) / $1
          if (name[i] ~ /\*$/) starred += d
          printf " %+6.2f", d
      }
      all = 100 * ($n - $1) / $1
      printf " | %+6.2f %+6.2f %+6.2f  %s\n", starred, all - starred, all, $(n + 1) }'
