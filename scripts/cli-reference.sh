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

# A command that shares five options or more with acesim collective: leaves them out with headings that become empty, and
# names them at the end. Options are the same if their texts are. The first argument is the help of acesim collective.
own() {
    awk 'function entry_ends() {
             if (name == "") return
             if (collective) text_of[name] = text
             else if (text_of[name] == text && name != "--help") shared[++n] = name
             else { if (name == "--help") heading = ""
                    heading_ends(); out[++lines] = gap text }
             name = ""
         }
         function heading_ends() { if (heading != "") out[++lines] = heading; heading = "" }
         { collective = FILENAME != "-"; if (!collective) whole = whole $0 "\n" }
         /^  --/ { entry_ends(); name = $1; text = $0; gap = blank; blank = ""; next }
         name != "" && substr($0, 1, 20) ~ /^ +$/ { text = text "\n" $0; next }
         { entry_ends() }
         collective { next }
         /^$/ { blank = "\n"; next }
         /^[a-z ]+:$/ { heading = blank $0; blank = ""; next }
         { heading_ends(); out[++lines] = blank $0; blank = "" }
         END { entry_ends()
               print "```text"
               if (n < 5) { printf "%s", whole; print "```"; exit }
               for (i = 1; i <= lines; i++) print out[i]
               print "\nand options of acesim collective:"
               for (i = 1; i <= n; i++) {
                   if (length(line shared[i]) > 96) { print line; line = "" }
                   line = line (line ? " " : "  ") shared[i]
               }
               print line; print "```" }' "$1" -
}

# The commands and views that the program lists, one or two words each.
mapfile -t commands < <("$acesim" help commands | sed -E 's/^  ([a-z-]+( [a-z-]+)?)  .*/\1/')
((${#commands[@]})) || { echo "cli-reference: found no commands in acesim help commands" >&2; exit 2; }

make_page() {
    echo '<!-- SPDX-License-Identifier: Apache-2.0 -->'
    echo '<!-- Made by scripts/cli-reference.sh of what acesim --help says. -->'
    echo '# Command line'
    echo
    echo 'One program, a command for each question. Each prints its options with `--help all`. Options that it shares with'
    echo '`acesim collective` are explained there. The exit status is 0 for success, 1 when the model failed a check, and 2 for'
    echo 'wrong usage or input. Options are added over time, never renamed.'
    echo
    block "$("$acesim" --help)"
    local command
    for command in "${commands[@]}"; do
        echo
        echo "## acesim $command"
        echo
        # shellcheck disable=SC2086 # a view is two words
        if [[ $command == collective ]]; then block "$("$acesim" $command --help all)"
        else own <("$acesim" collective --help all) <<<"$("$acesim" $command --help all)"; fi
    done
}

if [[ ${1:-} == --check ]]; then
    diff -u --label "$page" --label 'acesim --help' "$page" <(make_page) ||
        { echo "$page is not what acesim says: run scripts/cli-reference.sh" >&2; exit 1; }
else
    text=$(make_page)
    printf '%s\n' "$text" > "$page"
fi
