#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the rooms of cmake/rooms.txt:
#   - A file of cmodel/ or sim-top/ includes only headers that its room may include.
#   - No room and no header leads back to itself.
#   - No room, and no folder of tests/, holds more than 40 files.
#   - At most 25 files include a header outside a `base` room: such a header knows too much.
#   - Rooms that run, watch or plan see a machine, an execution and an output, and no setup.
#   - Each permission of the table is used, by a file of the room or by a header that the file includes.
#
#   tests/source/layers.sh [FOLDER]     FOLDER: another tree, with cmake/rooms.txt in it
#
# Without FOLDER it then plants a forbidden include and a loop in a copy, and expects to be told.
set -uo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
tree=${1:-$here}
cd "$tree" || exit 1

check() {
    find cmodel sim-top bridge -name '*.[ch]' -o -name '*.cc' -o -name '*.def' | sort |
        xargs grep -Hn '^ *#include "' |
        awk -F: -v files="$(find cmodel sim-top bridge -name '*.[ch]' -o -name '*.cc' -o -name '*.def' | sort)" \
            -v rooms=cmake/rooms.txt '
        function room_of(path) { sub(/\/[^\/]*$/, "", path); return path }
        function base_of(path) { sub(/^.*\//, "", path); return path }
        function wrong(text) { print text > "/dev/stderr"; failed = 1 }
        BEGIN {
            while ((getline line < rooms) > 0) {
                if (line !~ /^[a-z]/) continue
                n = split(line, word, / +/)
                known[word[1]] = 1
                for (i = 2; i <= n; i++) {
                    may[word[1], word[i]] = 1
                    permission[++permissions] = word[1] " " word[i]
                    if (word[i] ~ /\//) print word[1], word[i]
                }
            }
            n = split(files, all, "\n")
            for (i = 1; i <= n; i++) {
                count[room_of(all[i])]++
                if (all[i] !~ /\.(h|def)$/) continue
                if (base_of(all[i]) in owner)
                    wrong(all[i] ": found the name of " owner[base_of(all[i])] ", expected each header to have its own")
                owner[base_of(all[i])] = all[i]
            }
            for (room in count) {
                if (count[room] > 40 && room != "bridge")
                    wrong(room ": found " count[room] " files, expected 40 at most")
                if (!(room in known) && room ~ /^(cmodel|sim-top)\// && room != "sim-top/platform")
                    wrong(room ": found no row in " rooms)
            }
        }
        {
            split($3, quoted, "\"")
            name = quoted[2]
            from = room_of($1)
            if (!(name in owner)) {
                if (from in known) wrong($1 ":" $2 ": found include of " name ", which no room has")
                next
            }
            to = room_of(owner[name])
            includes++
            if (!seen[$1, name]++) {
                if (to !~ /\/base$/) by[owner[name]]++
                next_of[$1, ++degree[$1]] = owner[name]
            }
            if (!(from in known)) next
            group = to
            sub(/\/.*/, "", group)
            if (to != from && !((from, to) in may) && !((from, group) in may))
                wrong($1 ":" $2 ": found " name " of " to ", which " from " may not include (" rooms ")")
            if (name == "setup.h" && from ~ /^sim-top\/(fabric|graph|training|strategy|observe|measured|pipeline)$/)
                wrong($1 ":" $2 ": found setup.h, expected machine.h, execution.h or output.h: " from " sees no setup")
            if ($1 ~ /\.(h|def)$/) print $1, owner[name]
        }
        # Marks the rooms, and their groups, of all that a file includes, and that its headers do.
        function reach(room, file,    i, to, group) {
            if (been[room, file]++) return
            for (i = 1; i <= degree[file]; i++) {
                to = group = room_of(next_of[file, i])
                sub(/\/.*/, "", group)
                used[room, to] = used[room, group] = 1
                reach(room, next_of[file, i])
            }
        }
        END {
            for (i = 1; i <= n; i++) reach(room_of(all[i]), all[i])
            for (i = 1; i <= permissions; i++) {
                split(permission[i], word, " ")
                if (!((word[1], word[2]) in used))
                    wrong(rooms ": found that " word[1] " may include " word[2] ", which no file of it does")
            }
            for (header in by)
                if (by[header] > 25)
                    wrong(header ": found it included by " by[header] " files, expected 25 at most outside base")
            if (includes < 100) wrong("found " includes + 0 " includes, expected to have looked at some hundreds")
            exit failed
        }' >"$pairs" || return 1
    # tsort names the rooms or headers of a loop
    local loop
    loop=$(tsort "$pairs" 2>&1 >/dev/null)
    [[ -z $loop ]] && return 0
    echo "rooms or headers that lead back to themselves:" >&2
    printf '%s\n' "$loop" >&2
    return 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pairs=$work/pairs
check || exit 1
if [[ -d tests ]]; then
    full=$(find tests -type f | sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 40 { print $2 ": found " $1 " files" }')
    [[ -z $full ]] || { echo "$full, expected 40 at most"; exit 1; }
fi
echo "ok   every include is of a room that may be seen; no room or header leads back to itself"
[[ $# -gt 0 ]] && exit 0

plant() { # WHAT, FILE, LINE, what must be said
    rm -rf "$work/tree"
    mkdir -p "$work/tree"
    cp -r "$here"/{cmodel,sim-top,bridge,cmake} "$work/tree"
    printf '%s\n' "$3" >>"$work/tree/$2"
    if said=$("$here/tests/source/layers.sh" "$work/tree" 2>&1) || ! grep -q "$4" <<<"$said"; then
        printf 'FAIL %s in %s: expected "%s", got\n%s\n' "$1" "$2" "$4" "$said"
        exit 1
    fi
    echo "ok   $1 is told"
}
plant 'a forbidden include' sim-top/base/values.c '#include "fabric.h"' 'sim-top/base may not include'
plant 'a twin that sees the node interface' cmodel/twin/ace_fsm.c '#include "ace_node.h"' 'cmodel/twin may not include'
plant 'a permission that nobody uses' cmake/rooms.txt 'sim-top/npu sim-top/links' 'which no file of it does'
plant 'a setup below setup/' sim-top/fabric/fabric_run.c '#include "setup.h"' 'sees no setup'
plant 'a loop' cmodel/nic/ace_router.h '#include "ace_exchange.h"' 'lead back'
