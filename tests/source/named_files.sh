#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Comments and pages must name existing files, structs and functions (named_files.py). Wrong names in a small
# tree show that the check works. README and the pages of laws and of silicon must agree on the clock. The longest path
# of the table must be the one on the page of hardware. "fits" may only appear where that path fits into the cycle.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { # TEXT
    echo "named_files: $1"
    failed=$((failed + 1))
}

python3 tests/source/named_files.py . || wrong 'a comment or a page names a file that is not there'

# ---- what the script has to find, and to leave alone ----------------------------------------------------------------
mkdir -p "$work/docs" "$work/src"
printf '/* See other.h, and gone.h. */\n#include <missing.h>\nconst char *a = "none.c";\nint used_list;\n/* work() (other.c) */\n' >"$work/src/one.c"
printf '/* Made by NAME.sh of ace_NAME.c. */\nint hold(void);\n/* other.c'"'"'s hold() */\n' >"$work/src/other.h"
printf '/* The list: one.c, other.c */\n' >"$work/src/used_lists.def"
echo '// Uses no list.' >"$work/src/other.c"
printf '/* Two. */\ntypedef struct two {\n    int left; /* not right */\n} two;\ntypedef struct far far;\n' >"$work/src/two.h"
# shellcheck disable=SC2016 # Markdown's backquotes
printf '`two` in [`two.h`](../src/two.h), `far` in\n[`two.h`](../src/two.h), `far.off`, `two.left`,\n`two.right`, `one` in [`two.h`](../src/two.h), `lost()`, `hold()`\n' >"$work/docs/structs.md"
# shellcheck disable=SC2016
printf '# Page\n\nsrc/one.c and `src/away.c`, [a](../src/other.h).\n\n```sh\ncat made.c\n```\n' >"$work/docs/page.md"
printf '#!/bin/bash\n# Runs page.md and left.sh; "$x.c" and *.c are patterns.\necho name.c\n' >"$work/src/run.sh"
expected='docs/page.md:3: found src/away.c, expected a file of the tree
docs/structs.md:3: found lost(), expected a function of the tree
docs/structs.md:3: found struct one of two.h, expected a file that has it
docs/structs.md:3: found two.right, expected a member of the struct
src/one.c:1: found gone.h, expected a file of the tree
src/one.c:5: found work() of other.c, expected a file that has it
src/other.h:3: found hold() of other.c, expected a file that has it
src/run.sh:2: found left.sh, expected a file of the tree
src/used_lists.def:1: found other.c, expected a file that uses used_lists'
found=$(python3 tests/source/named_files.py "$work")
[[ $? -eq 1 && $(sort <<<"$found" | grep -v ' names of files, ') == "$expected" ]] ||
    wrong "of a small tree: found:
$found"

# ---- the clock ------------------------------------------------------------------------------------------------------
longest=$(awk -F'|' '/^##+ / { on = /Longest paths/ } on && /^\| `ace_/ { for (i = 3; i < 5; i++) if ($i + 0 > most) most = $i + 0 }
                     END { print most }' docs/results/silicon.md)
grep -qF "the longest path has $longest of 57.4 FO4" docs/results/silicon.md ||
    wrong "docs/results/silicon.md: found another longest path below 'Does the clock fit?', expected $longest FO4 as in its table"
fits=$(awk "BEGIN { print $longest <= 57 ? 1 : 0 }")
grep -q '^fits a cycle of 1245 MHz' README.md && says=1 || says=0
[[ $says -eq $fits ]] || wrong "README.md: found 'fits', expected it where the longest path, $longest FO4, is at most 57"
for page in README.md docs/reference/laws.md; do
    grep -q 'silicon.md#does-the-clock-fit' "$page" || wrong "$page: found no link to silicon.md#does-the-clock-fit, expected one"
done
[[ $failed -eq 0 ]]
