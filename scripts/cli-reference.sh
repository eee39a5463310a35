#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes docs/reference/cli.md of what acesim itself says:
#
#   scripts/cli-reference.sh            writes the page: the options that --help prints
#   scripts/cli-reference.sh --all      prints the page of the site: the options that --help all prints
#   scripts/cli-reference.sh --check    says how the page differs from the program, and fails if it does
#
# ACESIM names the program, build/release/acesim otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
acesim=${ACESIM:-build/release/acesim}
page=docs/reference/cli.md
earlier=$(mktemp)
trap 'rm -f "$earlier"' EXIT
[[ -x $acesim ]] || { echo "cli-reference: found no $acesim, expected a built acesim" >&2; exit 2; }

# Exactly one blank line at the end is taken from a help text, never from its middle.
block() { printf '```text\n%s\n```\n' "$1"; }

# The help of a command without --help, and without the options that an earlier command explains with the same text, if
# these two share two or more. They are named at the end, and headings that become empty are left out. The first argument is a file with the
# helps of the earlier commands, each behind a line "## COMMAND".
own() {
    awk 'function entry_ends() {
             if (name == "") return
             if (earlier) { if (!((name, text) in owner)) owner[name, text] = command }
             else { names[++entries] = name; texts[entries] = text; gaps[entries] = gap; kinds[entries] = "option"
                    if ((name, text) in owner) common[owner[name, text]]++ }
             name = ""
         }
         function keep(line) { texts[++entries] = line; gaps[entries] = blank; kinds[entries] = "line"; blank = "" }
         { earlier = FILENAME != "-" }
         /^## / && earlier { entry_ends(); command = substr($0, 4); next }
         /^  --/ { entry_ends(); name = $1; text = $0; gap = blank; blank = ""; next }
         name != "" && substr($0, 1, 20) ~ /^ +$/ { text = text "\n" $0; next }
         { entry_ends() }
         earlier { next }
         /^example: / { exit }           # the last part of a help text
         /^$/ { blank = "\n"; next }
         { keep($0); if (/^[a-z ]+:$/) kinds[entries] = "heading" }
         END { entry_ends()
               print "```text"
               for (i = 1; i <= entries; i++) {
                   if (kinds[i] == "heading") { heading = gaps[i] texts[i]; skipped = ""; continue }
                   from = kinds[i] == "option" ? owner[names[i], texts[i]] : ""
                   if (names[i] ~ /^--(help|format|quiet)$/) continue    # explained at the top of the page
                   if (from != "" && common[from] >= 2) {
                       if (!(from in said)) order[++owners] = from
                       said[from] = said[from] " " names[i]; if (gaps[i]) skipped = gaps[i]; continue
                   }
                   if (heading != "") print heading
                   heading = ""; print (gaps[i] ? gaps[i] : skipped) texts[i]; skipped = ""
               }
               for (k = 1; k <= owners; k++) {
                   printf "\nand options of acesim %s:\n ", order[k]
                   column = 1; count = split(said[order[k]], word, " ")
                   for (i = 1; i <= count; i++) {
                       if (column + length(word[i]) > 96) { printf "\n "; column = 1 }
                       printf " %s", word[i]; column += length(word[i]) + 1
                   }
                   print ""
               }
               print "```" }' "$1" -
}

# The commands and views that the program lists, one or two words each.
mapfile -t commands < <("$acesim" help commands | sed -E 's/^  ([a-z-]+( [a-z-]+)?)  .*/\1/')
((${#commands[@]})) || { echo "cli-reference: found no commands in acesim help commands" >&2; exit 2; }

make_page() { # the word behind --help: "all" or none
    echo '<!-- SPDX-License-Identifier: Apache-2.0 -->'
    echo '<!-- Made by scripts/cli-reference.sh of what acesim --help says. -->'
    echo '# Command line'
    echo
    if [[ -z $1 ]]; then
        echo 'One program, a command for each question. Each command has here the options that most people need. `--help all`,'
        echo '`man acesim-COMMAND` and this page of [the site](../../scripts/docs.sh) have every option.'
    else
        echo 'One program, a command for each question. Each command has here every option. `--help` prints the options that most'
        echo 'people need.'
    fi
    echo
    echo '`--help` ends with an example. An option of several commands is explained under the first one, and again where it means something else. The others have its'
    echo 'name in a list, *and options of acesim X*. Two options of most commands are left out below: `--format NAME` prints a'
    echo 'table, json or csv, and `--quiet` prints no progress and no cost on standard error. The exit status is 0 for success,'
    echo '1 when the model failed a check, and 2 for wrong usage or input. Options are added over time, never renamed.'
    echo
    block "$("$acesim" --help)"
    local command text
    : >"$earlier"
    for command in "${commands[@]}"; do
        echo
        echo "## acesim $command"
        echo
        # shellcheck disable=SC2086 # a view is two words
        text=$("$acesim" $command --help $1)
        own "$earlier" <<<"$text"
        printf '## %s\n%s\n' "$command" "$text" >>"$earlier"
    done
}

if [[ ${1:-} == --check ]]; then
    diff -u --label "$page" --label 'acesim --help' "$page" <(make_page '') ||
        { echo "$page is not what acesim says: run scripts/cli-reference.sh" >&2; exit 1; }
elif [[ ${1:-} == --all ]]; then
    make_page all
else
    text=$(make_page '')
    printf '%s\n' "$text" > "$page"
fi
