#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What can be known of a commit in seconds: form, SPDX lines, widths, lint, rooms.  It looks at what
# is staged, not at the working tree, so that the commit itself is what passes.
#
#   ln -s ../../scripts/pre-commit.sh "$(git rev-parse --git-path hooks)/pre-commit"    installs it
#   scripts/pre-commit.sh                                           runs it without a commit
#   git commit --no-verify                                          goes on without it
#
# Lint is of the modules that changed and, without Yosys, of two tools; tests/source/lint.sh has all.
set -uo pipefail
cd "$(git rev-parse --show-toplevel)" || exit 1

failed=0
wrong() { # MESSAGE
    echo "pre-commit: $1" >&2
    failed=1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The staged files, with the configuration of the formatter.
staged=$(git diff --cached --name-only --diff-filter=ACMR)
[[ -z $staged ]] && { echo "pre-commit: nothing is staged"; exit 0; }
git checkout-index --prefix="$work/" -a || exit 1

# ---- form ---------------------------------------------------------------------------------
# Of the lines that the commit adds: an older one is no reason to refuse it.
wide() { # FILE COLUMNS
    local found
    found=$(git diff --cached --unified=0 -- "$1" | awk -v most="$2" '
        /^@@/ { split($3, at, /[+,]/); line = at[2] - 1; in_hunk = 1; next }
        in_hunk && /^\+/ { line++; if (length($0) - 1 > most) { print line " (" length($0) - 1 " columns)"; exit } }')
    [[ -z $found ]] || wrong "$1: line $found, expected at most $2"
}

modules=()
while IFS= read -r file; do
    [[ -L $work/$file ]] && continue
    case $file in
    *.c | *.h | *.cc | *.hh)
        if ! command -v clang-format >/dev/null; then
            wrong "found no clang-format, expected it installed (scripts/setup.sh)"
        elif ! (cd "$work" && clang-format --dry-run -Werror "$file") >/dev/null 2>&1; then
            wrong "$file: not formatted, run scripts/format.sh and stage it"
        fi
        wide "$file" 100
        ;;
    rtl/*.v)
        wide "$file" 120
        modules+=("$(basename "$file" .v)")
        ;;
    *.sh) bash -n "$work/$file" || wrong "$file: bash does not parse it" ;;
    *.py) python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])' "$work/$file" ||
        wrong "$file: python3 does not parse it" ;;
    esac
    case $file in
    *.c | *.h | *.cc | *.hh | *.v | *.vh | *.sh | *.py | *.cmake | *CMakeLists.txt)
        head -n 3 "$work/$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' ||
            wrong "$file: found no SPDX-License-Identifier, expected it in the first lines"
        ;;
    esac
done <<<"$staged"

# Spaces at ends of lines, and what a merge has left.
git diff --cached --check || wrong "git diff --check has the lines above"

# ---- lint of the modules that changed --------------------------------------------------------
try() { # WHAT COMMAND...: must succeed and say nothing
    local what=$1 said; shift
    said=$("$@" 2>&1 </dev/null) && [[ -z $said ]] && return
    wrong "$what: $said"
}
for module in ${modules[@]+"${modules[@]}"}; do
    cd "$work" || exit 1
    try "verilator $module" verilator --lint-only -Wall -y rtl -Irtl --top-module "$module" "rtl/$module.v"
    try "iverilog $module" iverilog -g2005 -Wall -t null -y rtl -I rtl -s "$module" "rtl/$module.v"
    cd - >/dev/null || exit 1
done

# ---- rooms: who includes whom ----------------------------------------------------------------
if [[ -e $work/tests/source/layers.sh ]]; then
    said=$(bash "$work/tests/source/layers.sh" "$work" 2>&1) || wrong "tests/source/layers.sh: $said"
fi

[[ $failed -eq 0 ]] && echo "pre-commit: $(wc -l <<<"$staged") files are as they should be"
exit $failed
