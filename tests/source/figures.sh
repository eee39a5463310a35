#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# No figure without the command that prints it.  In docs/results/ each table is followed by a line that
# names its command in code, and so does each section whose text has figures (four digits or more, or a
# fraction).  Prints what is wrong as FILE:LINE, and fails.  No script draws bars on a logarithmic axis, where the
# length of a bar says nothing.
#
#   tests/source/figures.sh [FILE.md ...]
set -uo pipefail
cd "$(dirname "$0")/../.."
[[ $# -gt 0 ]] || set -- docs/results/*.md

bars=0
for script in workloads/studies/*/tables/*.gnuplot scripts/silicon/*.gnuplot; do
    awk 'function told() { printf "%s:%d: found bars on a logarithmic axis, expected points or lines\n", FILENAME, FNR; bad = 1 }
         /^ *#/ { next }
         /^ *set logscale y( |$)/ { logarithmic = 1 }
         /^ *unset logscale/ { logarithmic = 0 }
         /set style data histograms?/ { histogram = 1 }
         logarithmic && /with (boxes|impulses|boxxyerror)/ { told() }
         logarithmic && histogram && /plot / { told() }
         END { exit bad }' "$script" || bars=1
done

awk '
function command(text) {    # something in code that is run: a script, a built program, a target, an SQL file
    return text ~ /`[^`]*(build\/release\/|scripts\/|tests\/|cmake --build )[^`]*`/
}
function told(line, what) { printf "%s:%d: %s\n", page, line, what; failed++ }
function end_of_section() {
    if (figure && !source) told(figure, "found a figure, expected its command in the same section")
    figure = source = 0
}
function end_of_table() { if (table) told(table, "found a table, expected a line with its command below it") }
FNR == 1 { if (NR > 1) { end_of_table(); end_of_section() }; table = rows = code = 0; page = FILENAME }
/^ *```/ { code = !code; next }
code { if ($0 ~ /build\/release\/|scripts\/|cmake --build /) source = 1; next }
/^#/ { end_of_table(); table = 0; end_of_section(); next }
/^\|/ { if (!rows++) { end_of_table(); table = FNR; tables++ } next }
{ rows = 0 }
/^$/ || /^<!--/ { next }
table { if (command($0)) source = 1; else told(table, "found a table, expected a line with its command below it")
        table = 0; next }
command($0) { source = 1 }
{ text = $0; gsub(/`[^`]*`/, "", text); gsub(/\([^()]*\)/, "", text)
  if (text ~ /[0-9],[0-9][0-9][0-9]|[0-9]\.[0-9]/ && !figure) figure = FNR }
END { end_of_table(); end_of_section()
      printf "%d tables, %d without a source\n", tables, failed; exit failed || !tables }' "$@" && [[ $bars -eq 0 ]]
