#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The sentences of pages and comments can be read: none has more than 40 words, few have more than 30
# or a construction that hides who does what (prose.py counts).  Texts made here, each with one fault
# at a known line, show first that the counting finds what it should and nothing else.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

check() { # NAME EXPECTED FOUND
    if [[ $2 == "$3" ]]; then
        passed=$((passed + 1))
    else
        echo "FAIL $1: expected '$2', found '$3'"
        failed=$((failed + 1))
    fi
}

count() { # FILE: what its only line of counts says
    python3 tests/source/prose.py "$1"
}

many() { # N: a sentence of N words
    printf 'word%.0s ' $(seq 2 "$1") | sed 's/^/A /; s/ $/./'
}

{ many 30; echo; many 31; } >"$work/a.md"
check 'thirty words are not long, thirty-one are' 'pages: 2 sentences, 1 above 30 words, 0 with a construction to avoid' \
    "$(count "$work/a.md")"
# shellcheck disable=SC2016
printf '# A heading of a page\n\n```sh\n%s\n```\n\n| %s |\n\n- One item.\n- Of it nothing is known.\n' "$(many 50)" "$(many 50)" >"$work/b.md"
check 'blocks of code, headings and tables are no prose' 'pages: 2 sentences, 0 above 30 words, 1 with a construction to avoid' \
    "$(count "$work/b.md")"
printf '/*\n * %s\n */\nint a; /* The rate is that of the link. */\nint b; // It is read.\n' \
    "$(many 15 | tr -d .) and$(many 20 | sed 's/^A/ a/')" >"$work/c.c"
check 'comments of C' 'comments: 3 sentences, 1 above 30 words, 1 with a construction to avoid' "$(count "$work/c.c")"
printf '#!/bin/bash\n# A line of a\n# comment.\necho "# none"\n' >"$work/d.sh"
check 'comments of a script go over lines' 'comments: 1 sentences, 0 above 30 words, 0 with a construction to avoid' \
    "$(count "$work/d.sh")"
printf '// stage 1 ----> stage 2   row   bank\n// It waits for a queue who sends.\n' >"$work/e.v"
check 'pictures are no prose' 'comments: 1 sentences, 0 above 30 words, 1 with a construction to avoid' \
    "$(count "$work/e.v")"
many 41 >"$work/f.md"
check 'a sentence of 41 words is named by its line' "$work/f.md:1: 41 words in a sentence, at most 40" \
    "$(python3 tests/source/prose.py --limits "$work/f.md" 2>&1 >/dev/null | head -1 | sed 's/: A word.*//')"
check 'and ends with status 1' 1 "$(python3 tests/source/prose.py --limits "$work/f.md" >/dev/null 2>&1; echo $?)"

mapfile -t files < <(git ls-files '*.md' '*.c' '*.h' '*.cc' '*.v' '*.vh' '*.sh' '*.py' '*.def' 2>/dev/null)
if [[ ${#files[@]} -eq 0 ]]; then    # a tree without git: an archive
    mapfile -t files < <(find . -name build -prune -o -type f \
        \( -name '*.md' -o -name '*.[chv]' -o -name '*.cc' -o -name '*.vh' -o -name '*.sh' -o -name '*.py' -o -name '*.def' \) -print)
fi
check 'the tree keeps the limits' 0 "$(python3 tests/source/prose.py --limits "${files[@]}" >"$work/said" 2>&1; echo $?)"
cat "$work/said"
echo "prose: $passed passed, $failed failed"
[[ $failed -eq 0 ]]
