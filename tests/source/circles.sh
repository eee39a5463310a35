#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# No circle of files inside a room: where one file calls another, the other calls it by no way back.  The
# symbols of the compiled rooms say who calls whom.
#
#   tests/source/circles.sh [BUILD]      a folder with compiled rooms; where the program of ACESIM is
#
# The files of the calibrated node count as one: an event of it calls what it stands for.
set -uo pipefail
build=$(realpath "${1:-$(dirname "${ACESIM:-build/release/acesim}")}")
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lines "ROOM FILE T|U SYMBOL" of a list of objects whose sources are there.
symbols() {
    local object room file
    while read -r object; do
        room=${object##*/room_} room=${room%%.dir/*}
        file=${object##*/}
        [[ -e ${room/_//}/${file%.o} ]] && printf '%s\n' "$object"
    done | xargs nm -gA | awk '
        { room = $1; sub(/.*\/room_/, "", room); sub(/\.dir\/.*/, "", room)
          file = $1; sub(/\.c\.o:.*/, "", file); sub(/.*\//, "", file)
          if (room == "sim-top_calibrated" && file ~ /^(chunk_)?flow/) file = "flow" }
        $(NF - 1) == "U" { print room, file, "U", $NF; next }
        { print room, file, "T", $NF }'
}
# Pairs "ROOM/CALLER ROOM/CALLED", sorted by tsort, which names the files of a circle.
circles() {
    awk '$3 == "T" { owner[$1, $4] = $2; next } { use[++uses] = $1 " " $2 " " $4 }
         END { for (i = 1; i <= uses; i++) {
                   split(use[i], u, " ")
                   if (((u[1], u[3]) in owner) && owner[u[1], u[3]] != u[2])
                       print u[1] "/" u[2], u[1] "/" owner[u[1], u[3]] } }' |
        sort -u | tsort 2>&1 >/dev/null | sed 's/^tsort: -: /circle: /; s/^tsort: //'
}

find "$build" -path '*/room_*' -name '*.c.o' | symbols >"$work/symbols"
rooms=$(awk '{ print $1 }' "$work/symbols" | sort -u | wc -l)
if [ "$rooms" -lt 20 ]; then
    echo "circles: found $rooms compiled rooms in $build, expected 20 at least" >&2
    exit 1
fi
found=$(circles <"$work/symbols")
if [ -n "$found" ]; then
    printf '%s\n' "$found" >&2
    exit 1
fi
# A planted call back must be reported.
{
    cat "$work/symbols"
    printf 'sim-top_fabric fold T planted\nsim-top_fabric fold U fabric_create\nsim-top_fabric fabric_make U planted\n'
} | circles >"$work/planted"
if ! grep -q 'sim-top_fabric/fold' "$work/planted"; then
    echo "circles: found no word of a planted circle" >&2
    exit 1
fi
echo "circles: none in $rooms rooms, and a planted one is told"
