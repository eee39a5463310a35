#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Every relative link in the Markdown of the tree must lead to a file or folder, and text after a # to a heading of that
# page. All pages of docs/ must be in its index. The tests that the page of laws names must exist, and the README must
# have at most 8 KB. Each fault is printed as FILE:LINE, and the test fails.
#
#   tests/source/links.sh [FILE.md ...]
set -uo pipefail
cd "$(dirname "$0")/../.."
pages=("$@")
if [[ $# -eq 0 ]]; then
    mapfile -t pages < <(find . \( -name build -o -name out -o -name .git \) -prune -o -name '*.md' -print |
                         sed 's,^\./,,' | sort)
fi

# FILE:LINE TARGET of each link that is neither inside a block of code nor of the network.
links_of() {
    awk '/^ *```/ { code = !code; next }
         code { next }
         { line = $0
           gsub(/`[^`]*`/, "x", line)
           while (match(line, /\]\([^()]*\)/)) {
               target = substr(line, RSTART + 2, RLENGTH - 3)
               line = substr(line, RSTART + RLENGTH)
               sub(/ ".*"$/, "", target)
               if (target !~ /^[a-z]+:/) print FILENAME ":" FNR, target
           } }' "$1"
}

# The names that headings have in links: lower case, no punctuation, - for each blank.
anchors_of() {
    awk '/^ *```/ { code = !code; next }
         !code && /^#+ / { sub(/^#+ +/, ""); gsub(/[^A-Za-z0-9 _-]/, ""); gsub(/ /, "-"); print tolower($0) }' "$1"
}

links=0 failed=0
for page in "${pages[@]}"; do
    while read -r place target; do
        links=$((links + 1))
        file=${target%%#*} anchor=
        [[ $target == *'#'* ]] && anchor=${target#*#}
        file=${file:+$(dirname "$page")/$file}
        file=${file:-$page}
        # the figures of a study's page are drawn beside it when the study runs
        [[ $file == workloads/studies/*.svg ]] && file=${file%/*}/tables/$(basename "$file" .svg).gnuplot
        if [[ ! -e $file ]]; then
            echo "$place: found a link to '$target', expected a file or folder of the tree"
            failed=$((failed + 1))
        elif [[ $anchor && $file == *.md ]] && ! anchors_of "$file" | grep -qx -- "$anchor"; then
            echo "$place: found a link to '$target', expected one of the headings of $file"
            failed=$((failed + 1))
        fi
    done < <(links_of "$page")
done
if [[ $# -eq 0 ]]; then
    if [[ $(wc -c <README.md) -gt 6144 ]]; then
        echo "README.md: found $(wc -c <README.md) bytes, expected 6144 at most: more belongs in docs/"
        failed=$((failed + 1))
    fi
    while read -r page; do
        index=docs/README.md name=${page#docs/}
        [[ $page == docs/design/decisions/* ]] && index=docs/design/decisions/README.md name=${page##*/}
        [[ $page == docs/README.md || $page == "$index" ]] || grep -qF "]($name" "$index" || {
            echo "$index: found no link to $page, expected one to each page"
            failed=$((failed + 1))
        }
    done < <(find docs -name '*.md' | sort)
    # the tests that hold the laws
    for name in $(awk -F'|' '/^\| [0-9]+\. / { print $4 }' docs/reference/laws.md | grep -oE '`[a-z_*]+`' | tr -d '`'); do
        compgen -G "tests/*/$name.sh" >/dev/null || compgen -G "tests/*/*/$name.sh" >/dev/null || compgen -G "tests/*/$name*.cc" >/dev/null || {
            echo "docs/reference/laws.md: found the test $name, expected one of tests/"
            failed=$((failed + 1))
        }
    done
fi

echo "$links links in ${#pages[@]} pages, $failed wrong"
[[ $failed -eq 0 && $links -gt 0 ]]
