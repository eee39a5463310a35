#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes docs/reference/result-json.md of what acesim itself says:
#
#   scripts/docs/result-members.sh            writes the page
#   scripts/docs/result-members.sh --check    says how the page differs from the program, and fails if it does
#
# ACESIM names the program, build/release/acesim otherwise.
set -euo pipefail
cd "$(dirname "$0")/../.."
acesim=${ACESIM:-build/release/acesim}
page=docs/reference/result-json.md
[[ -x $acesim ]] || { echo "result-members: found no $acesim, expected a built acesim" >&2; exit 2; }

make_page() {
    cat <<'END'
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made by scripts/docs/result-members.sh of what acesim help members says. -->
# Results in JSON

Every command with `--format json` prints its result as one object, or as a list of objects. `acesim collective --output DIR`
writes the object to `DIR/result.json`. Nothing in a result depends on wall time, threads, processes or the machine. New
versions add members and rename none. `acesim help members COMMAND` prints the tables of one command.

A member's name is as short as is clear. `iterations.cycles` is the member `cycles` of an object in the list `iterations`.
`*` stands for any name. A member without a unit is a count or a text. A share is 0 to 1; as an error, 0.05 is 5 %.

CSV has a header and one line for each object of the result's list. A result without a list is one line. Members that are objects or
lists are left out. `acesim explain`, `report` and `diff` read the JSON again.
END
    echo
    "$acesim" help members
}

if [[ ${1:-} == --check ]]; then
    diff -u --label "$page" --label 'acesim help members' "$page" <(make_page) ||
        { echo "$page is not what acesim says: run scripts/docs/result-members.sh" >&2; exit 1; }
else
    text=$(make_page)
    printf '%s\n' "$text" > "$page"
fi
