#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the page of how far each module of rtl/ is verified:
#
#   scripts/docs/sign-off.sh > docs/results/sign-off.md
#
# The table is computed from rtl/, the lists of proofs, planted bugs, functional points and replays, and
# docs/results/campaign/lockstep.  More files are in docs/results/sign-off, whose first line is "commit, command"
# and the rest the output:
#
#   coverage    tests/coverage/run.sh DIR, with LARGE=ON for the ALU and the wiring of the node
#   units       tests/coverage/functional.sh DIR UNIT, the row of the unit's module; later than `coverage`, and in its place
#   gates       tests/gates/gates.sh
#   area.csv    scripts/silicon/area.sh, for the bits of memory of each module
#   paths.csv   scripts/silicon/paths_all.sh
#
# page.in of that folder is the text around the table; its line "@table" becomes the table.
set -euo pipefail
cd "$(dirname "$0")/../.."
results=docs/results/sign-off

# Lines "kind module ...", from which sign-off.awk makes the table.
facts() {
    local file module
    for file in rtl/*.v; do
        module=$(basename "$file" .v)
        echo "module $module"
        sed 's#//.*##' "$file" | { grep -oE '^ +ace_[a-z0-9_]+ +(#\(|u_|\()' || true; } |
            awk -v of="$module" '{ print "inside", of, $1 }' | sort -u
        grep -oE 'tests/(lockstep|engine)/[a-z0-9_]+_test\.cc' "$file" | sed -nE '1s#.*/(lockstep_)?(.*)_test\.cc#tested '"$module"' \2#p' || true
    done
    awk -F '; ' '{ print "lockstep", $3, $4 }' docs/results/campaign/lockstep
    awk '/^[a-z]/ { print "proof", $2, $3 }' tests/formal/proofs.txt
    awk '/ ==> / && !/^#/ { sub(/: .*/, ""); print "planted", $NF }' tests/mutation/*mutations.txt tests/formal/mutations.txt
    sed -nE 's/^[a-z]+ [0-9]+ [0-9]+ (ace_[a-z_]+) .* ==> .*/planted \1/p' tests/axi/assertions.sh
    awk -F ' *[|] *' '$2 ~ /^ace_/ && $3 + $6 > 0 { print "coverage", $2, $3, $4 + 0, $5, $6, $7 + 0, $8 }' "$results"/{coverage,units}
    awk '/^ace_/ { print "listed", $1 }' tests/coverage/functional.txt
    awk -F ' *[|] *' '$2 ~ /^ace_/ && $9 > 0 { print "points", $2, $9, $10 + 0, $11 }' "$results"/{coverage,units}
    awk '/^pass ace_/ && !/another cell/ { sub(/:$/, "", $2); print "gates", $2 }' "$results/gates"
    (. tests/icarus/replay.sh && printf 'replayed %s\n' $units_all)
    awk -F, '/^ace_/ { print "memory", $1, $2 }' "$results/area.csv"
    awk -F, '/^ace_/ { print "path", $1, $3 }' "$results/paths.csv"
}

while IFS= read -r line; do
    case $line in
    @table) facts | awk -v cycle=57.4 -f scripts/docs/sign-off.awk ;;
    '# '*) printf '%s\n\n<!-- Made by scripts/docs/sign-off.sh of %s/. -->\n' "$line" "$results" ;;
    *) printf '%s\n' "$line" ;;
    esac
done <"$results/page.in"
