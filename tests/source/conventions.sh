#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Conventions of the tree.  The version is stated once, and the changelog has its form.  Messages of known limits
# stand in the sources.  Issue templates request what repeats a run.  Decisions name the test that keeps them.
# The pre-commit hook stops each kind of mistake for which it exists.
set -u
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

verdict() { # STATUS TEXT
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else echo "FAIL $2"; failed=$((failed + 1)); fi
}
equal() { # FOUND EXPECTED TEXT
    [ -n "$2" ] && [ "$1" = "$2" ]
    verdict $? "$3: found '$1', expected '$2'"
}

# ---- one version ------------------------------------------------------------------------------
version=$(sed -nE 's/^project\(acesim VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
equal "$(sed -nE 's/^version: *//p' CITATION.cff)" "$version" 'CITATION.cff: version'

grep -rnE --include='*.[ch]' --include='*.cc' "\"$version\"" cmodel bridge sim-top >"$work/repeated"
[ ! -s "$work/repeated" ]
verdict $? "the version stands in a source again: $(head -n 1 "$work/repeated")"

# ---- the changelog ----------------------------------------------------------------------------
heads=$(grep -nE '^## ' CHANGELOG.md)
equal "$(head -n 1 <<<"$heads" | cut -d: -f2)" '## [Unreleased]' 'CHANGELOG.md: first heading'
grep -qF "## [$version] - " CHANGELOG.md
verdict $? "CHANGELOG.md has no heading of version $version"
odd=$(grep -E '^## ' CHANGELOG.md | grep -vE '^## \[(Unreleased\]|[0-9]+\.[0-9]+\.[0-9]+\] - [0-9]{4}-[0-9]{2}-[0-9]{2})$')
[ -z "$odd" ]
verdict $? "CHANGELOG.md: found '$odd', expected [Unreleased] or [X.Y.Z] - YYYY-MM-DD"
odd=$(grep -E '^### ' CHANGELOG.md | grep -vxE '### (Added|Changed|Deprecated|Removed|Fixed|Security)')
[ -z "$odd" ]
verdict $? "CHANGELOG.md: found '$odd', expected a kind of change that Keep a Changelog has"

# ---- planted bugs: the text that a list replaces is in its module ------------------------------------
# A line is "[PROOF] [NAME=VALUE] MODULE: TEXT ==> ANOTHER".
grep -h ' ==> ' tests/formal/mutations.txt tests/mutation/*mutations.txt | grep -v '^#' |
    python3 -c 'import re, sys
text = {}
for line in sys.stdin:
    found = re.search(r"(ace_[a-z0-9_]+): (.*) ==>", line)
    if found and found[1] not in text: text[found[1]] = open(f"rtl/{found[1]}.v").read()
    if not found or found[2] not in text[found[1]]: print(line, end="")' >"$work/planted" 2>&1
[ ! -s "$work/planted" ]
verdict $? "planted bugs whose text is not in their module: $(head -n 3 "$work/planted")"

# ---- known limits: the words of a message are in the sources ---------------------------------------
# Literals of a message that goes over several lines are joined, as the compiler does.
find cmodel bridge sim-top \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.def' \) -print0 | xargs -0 cat |
    tr '\n' ' ' | sed -E 's/" *"//g' >"$work/sources"
# shellcheck disable=SC2016
sed -nE 's/^- .* \(`([^|]*)`\)$/\1/p' docs/reference/limits.md | sed 's/`, `/\n/g' >"$work/messages"
grep -n '%[a-z]' "$work/messages"
[ $? -eq 1 ]
verdict $? 'docs/reference/limits.md: found a conversion of printf, expected text that a message has'
[ "$(wc -l <"$work/messages")" -ge 20 ]
verdict $? "docs/reference/limits.md: found $(wc -l <"$work/messages") messages, expected the page's"
# A refusal is printed behind the name of the program.
python3 - "$work/sources" "$work/messages" >"$work/unsaid" <<'END'
import sys
sources = open(sys.argv[1]).read()
for message in open(sys.argv[2]).read().splitlines():
    if message.removeprefix("acesim: ") not in sources: print(message)
END
[ ! -s "$work/unsaid" ]
verdict $? "docs/reference/limits.md: no source says '$(head -n 1 "$work/unsaid")'"
# Each message of the page of messages is printed by a command, which docs.sh runs and compares.
awk '/^## / { titles++ } /^<!-- exit: [12] -->$/ { run = NR } /^```sh$/ { commands += run == NR - 1 } /^```text$/ { texts++ }
     END { exit !(titles && titles == commands && titles == texts) }' docs/guide/messages.md
verdict $? "docs/guide/messages.md: found a message without a command that is run, expected under each title a command and its message"

# ---- issue templates ------------------------------------------------------------------------------
for template in .github/ISSUE_TEMPLATE/*.yml; do
    [ "${template##*/}" = config.yml ] && continue
    for id in version command digest seed; do
        grep -qiE "^ +(id: $id|label:.*$id.*)$" "$template"
        verdict $? "$template does not ask for the $id"
    done
done

# ---- widths: lines of C end at column 100 ---------------------------------------------------------------
# Lines that are one string up to its line feed keep the length that users see. Generated headers are not checked.
find cmodel bridge sim-top tests \( -name '*.c' -o -name '*.h' -o -name '*.cc' -o -name '*.def' \) | sort |
    xargs awk 'FNR == 1 { made = 0 } FNR < 6 && /Made by/ { made = 1 }
               !made && length > 100 && !/^ *".*\\n"[,;)]*$/ { print FILENAME ":" FNR ": " length " columns" }' >"$work/wide"
[ ! -s "$work/wide" ]
verdict $? "lines of C above 100 columns: $(head -n 3 "$work/wide")"

# ---- heads: a source begins with a comment that says why it is there -----------------------------------
# After the licence and the name of the file there must be 30 letters or more, not only "see x.h".
headless() { # FILE...: prints those without such a head
    awk 'function judge() {
             sub(/^[^ ]+ -- /, "", text)
             if (text ~ /^see [^ ]+\.h( and [^ ]+\.h)?[ .]*$/) text = ""
             if (gsub(/[A-Za-z]/, "&", text) < 30) print file
         }
         FNR == 1 { if (file) judge()
                    file = FILENAME; text = ""; within = /SPDX-License-Identifier/; block = 0; next }
         !within { next }
         FNR == 2 && /^\/\*/ { block = 1 }
         block ? 0 : !/^\/\// { within = 0; next }
         { if (block && /\*\//) within = 0
           gsub(/^[ \/*]+|[ \/*]+$/, ""); text = text (text && $0 ? " " : "") $0 }
         END { if (file) judge() }' "$@"
}
mapfile -t sources < <(find cmodel bridge sim-top \( -name '*.c' -o -name '*.cc' \) | sort)
headless "${sources[@]}" >"$work/headless"
[ ${#sources[@]} -ge 300 ] && [ ! -s "$work/headless" ]
verdict $? "sources without a head that says why they are there: $(head -n 3 "$work/headless" | tr '\n' ' ')"
mkdir "$work/heads"
license='/* SPDX-License-Identifier: Apache-2.0 */'
long='planted.c -- a head of one line that says what the file is for'
printf '%s\n' "$license" '#include "values.h"' '/* A comment on a function, and no head of the file. */' >"$work/heads/a_none.c"
printf '%s\n' "$license" '/* planted.c -- see values.h */' '/* A second comment of more than thirty letters. */' >"$work/heads/b_see.c"
printf '%s\n' "$license" '/* planted_with_a_name_of_many_letters.c -- a file */' >"$work/heads/c_short.c"
printf '%s\n' '#include "values.h"' "/* $long */" >"$work/heads/d_license.c"
printf '%s\n' "$license" "/* $long */" >"$work/heads/e_line.c"
printf '%s\n' "$license" '/*' ' * planted.c -- a file' ' *' ' * It says in a sentence what it is for.' ' */' >"$work/heads/f_block.c"
printf '%s\n' '// SPDX-License-Identifier: Apache-2.0' '//' "// $long" '#include "values.h"' >"$work/heads/g_slashes.cc"
equal "$(headless "$work"/heads/* | sed 's|.*/||' | tr '\n' ' ')" 'a_none.c b_see.c c_short.c d_license.c ' \
    'planted sources, of which the first four have no head'

# ---- decisions: each page has its four parts, and names the test, proof or script that keeps it ---------
# Exempt is a page whose third line links to the page that replaced it.
formless() { # FOLDER: prints the pages without this form
    python3 - "$1" <<'END'
import os, re, sys
folder = sys.argv[1]
there = lambda link: os.path.exists(os.path.join(folder, link))
for name in sorted(os.listdir(folder)):
    if not re.match(r"[0-9].*\.md$", name): continue
    page = open(os.path.join(folder, name)).read()
    replaced = re.match(r"(?:.*\n){2}Replaced by \[[0-9]{4}\]\((.*)\)\.\n", page)
    if replaced and there(replaced[1]): continue
    checks = re.findall(r"\]\(([^()]+)\)", page.partition("\n## Checked by\n")[2])
    if (re.findall(r"^## (.*)", page, re.M) != ["Context", "Choice", "Rejected", "Checked by"] or not all(map(there, checks))
            or not any(re.match(r"(\.\./)+(tests|scripts)/", check) for check in checks)):
        print(name)
END
}
decisions=docs/design/decisions
formless $decisions >"$work/formless"
[ "$(find $decisions -name '[0-9]*.md' | wc -l)" -ge 30 ] && [ ! -s "$work/formless" ]
verdict $? "decisions without Context, Choice, Rejected, and Checked by with a link to a test: $(head -n 3 "$work/formless" | tr '\n' ' ')"
mkdir -p "$work/pages/docs/decisions" "$work/pages/tests"
touch "$work/pages/tests/kept.sh"
decision() { # NAME TEXT-OF-CHECKED-BY
    printf '# A title\n\n## Context\n\nOne.\n\n## Choice\n\nTwo.\n\n## Rejected\n\nThree.\n\n%b\n' "$2" >"$work/pages/docs/decisions/$1.md"
}
decision 0001-right '## Checked by\n\n[kept.sh](../../tests/kept.sh)'
decision 0002-none ''
decision 0003-nothing '## Checked by\n\nReview.'
decision 0004-gone '## Checked by\n\n[kept.sh](../../tests/kept.sh) and [gone.sh](../../tests/gone.sh)'
decision 0005-page '## Checked by\n\n[0001](0001-right.md)'
printf '# A title\n\nReplaced by [0001](0001-right.md).\n' >"$work/pages/docs/decisions/0006-replaced.md"
printf '# A title\n\nReplaced by [0009](0009-gone.md).\n' >"$work/pages/docs/decisions/0007-replaced.md"
equal "$(formless "$work/pages/docs/decisions" | tr '\n' ' ')" \
    '0002-none.md 0003-nothing.md 0004-gone.md 0005-page.md 0007-replaced.md ' 'planted decisions, of which the first and the sixth have the form'

# ---- widths: editors and the formatter agree ---------------------------------------------------------
equal "$(sed -n '/^\[\*\.{c,/,/^$/s/^max_line_length = //p' .editorconfig)" \
    "$(sed -n 's/^ColumnLimit: //p' .clang-format)" '.editorconfig: columns of C'

# ---- the hook, in a repository of its own ---------------------------------------------------------------
mkdir "$work/repository"
cp -r .clang-format .editorconfig CMakeLists.txt cmake cmodel bridge sim-top rtl scripts tests "$work/repository/"
cd "$work/repository" || exit 1
git init -q . && git config user.name hook && git config user.email hook@localhost
if ! git add -A || ! git commit -qm 'the tree as it is'; then
    echo "FAIL no repository to try the hook in"
    exit 1
fi
ln -s ../../scripts/pre-commit.sh "$(git rev-parse --git-path hooks)/pre-commit"

attempt() { # [EXPECTED-TEXT ...]: commits what is in the folder; without a text it is to succeed
    git add -A
    git commit -qm change >"$work/said" 2>&1
    local status=$? text
    if [ $# -eq 0 ]; then
        [ $status -eq 0 ]
        verdict $? "the hook refuses a change that is right: $(cat "$work/said")"
    fi
    for text; do
        [ $status -ne 0 ] && [[ $(<"$work/said") == *"$text"* ]]
        verdict $? "the hook does not say '$text': status $status, $(cat "$work/said")"
    done
    git reset -q --hard
}
c=sim-top/base/run_cost.c
printf '\n/* A comment more. */\n' >>$c; attempt
# The hook goes on behind what is wrong, so one commit has a mistake of each kind, each in a file of its own.
files=($(ls sim-top/base/*.c | grep -vx $c))
printf '\nint  x ;\n' >>$c
printf '\n/* %s */\n' "$(printf '%0100d' 0)" >>"${files[0]}"
printf '// %s\n' "$(printf '%0120d' 0)" >>rtl/ace_row_sum.v
sed -i '1d' "${files[1]}"
sed -i 's/[[:space:]]*$//; $s/$/ /' scripts/build.sh
echo 'if' >>scripts/test.sh
echo 'def' >>scripts/python/acesim.py
sed -i 's/^endmodule/    wire nobody;\nendmodule/' rtl/ace_row_fifo.v
sed -i '0,/^#include/s//#include "fabric.h"\n#include/' "${files[2]}"
attempt "$c: not formatted" "${files[0]}: line" 'expected at most 100' 'expected at most 120' \
    "${files[1]}: found no SPDX-License-Identifier" 'scripts/build.sh:' 'trailing whitespace' 'scripts/test.sh: bash does not parse it' \
    'scripts/python/acesim.py: python3 does not parse it' 'verilator ace_row_fifo' 'tests/source/layers.sh'
# It is what is staged that counts, not what lies in the folder.
printf '\nint  x ;\n' >>$c; git add $c; git -C . show HEAD:$c >$c
! git commit -qm change >"$work/said" 2>&1 && grep -q 'not formatted' "$work/said"
verdict $? "the hook looks at the folder, not at the index: $(cat "$work/said")"
rm -f "$(git rev-parse --git-path hooks)/pre-commit"
ln -s ../../scripts/commit-msg.sh "$(git rev-parse --git-path hooks)/commit-msg"
message() { # MESSAGE TEXT-OF-REFUSAL: an empty commit; '' is to succeed
    git commit -q --allow-empty -m "$1" >"$work/said" 2>&1
    local status=$?
    if [ -z "$2" ]; then [ $status -eq 0 ]; else [ $status -ne 0 ] && grep -qF -- "$2" "$work/said"; fi
    verdict $? "the hook of messages: status $status for '$1': $(cat "$work/said")"
}
message "$(printf '%072d' 0)" ''
message "$(printf '%073d' 0)" 'found a subject of 73 letters, expected at most 72'
message $'A subject\n\nand a body that says why' ''
message $'A subject\nthat goes on' "found 'that goes on' behind the subject"
cd "$tree" || exit 1

echo "conventions: $passed passed, $failed failed"
exit $((failed > 0))
