#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes docs/reference/cli.md of what acesim itself says:
#
#   scripts/cli-reference.sh            writes the page
#   scripts/cli-reference.sh --check    says how the page differs from the program, and fails if it does
#
# ACESIM names the program, build/release/acesim otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
acesim=${ACESIM:-build/release/acesim}
page=docs/reference/cli.md
[[ -x $acesim ]] || { echo "cli-reference: found no $acesim, expected a built acesim" >&2; exit 2; }

# Exactly one blank line at the end is taken from a help text, never from its middle.
block() { printf '```text\n%s\n```\n' "$1"; }

# The commands and views that the program lists, one or two words each.
mapfile -t commands < <("$acesim" help commands | sed -E 's/^  ([a-z-]+( [a-z-]+)?)  .*/\1/')
((${#commands[@]})) || { echo "cli-reference: found no commands in acesim help commands" >&2; exit 2; }

make_page() {
    echo '<!-- SPDX-License-Identifier: Apache-2.0 -->'
    echo '<!-- Made by scripts/cli-reference.sh of what acesim --help says. -->'
    echo '# Command line'
    echo
    echo 'One program, a command for each question. Each prints the text below with `--help all`. The exit status is 0 for'
    echo 'success, 1 when the model failed a check, and 2 for wrong usage or input. Options are added over time, never renamed.'
    echo
    block "$("$acesim" --help)"
    local command
    for command in "${commands[@]}"; do
        echo
        echo "## acesim $command"
        echo
        # shellcheck disable=SC2086 # a view is two words
        block "$("$acesim" $command --help all)"
    done
}

if [[ ${1:-} == --check ]]; then
    diff -u --label "$page" --label 'acesim --help' "$page" <(make_page) ||
        { echo "$page is not what acesim says: run scripts/cli-reference.sh" >&2; exit 1; }
else
    text=$(make_page)
    printf '%s\n' "$text" > "$page"
fi
