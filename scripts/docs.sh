#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The README and docs/ as a site, searchable and without a network:
#
#   scripts/docs.sh [FOLDER]        writes FOLDER/index.html [build/docs/html]
#
# If acesim is built, the page of results in JSON gets the list of all members, and the page of the command line gets
# every option. ACESIM names the program, build/release/acesim otherwise.
#
# Needs python3-sphinx, python3-myst-parser and furo of Debian 12, which it does not install: the program does not
# need them, and tests/source/site.sh is skipped without them.  A warning of Sphinx is an error; a link that leads
# nowhere gives one.
set -euo pipefail
cd "$(dirname "$0")/.."
site=$(realpath -m "${1:-build/docs/html}")
pages=$(realpath -m build/docs/pages)

missing=()
for package in python3-sphinx python3-myst-parser furo; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if [[ ${#missing[@]} -gt 0 ]]; then
    echo "docs: found no ${missing[*]}, expected: apt-get install ${missing[*]}" >&2
    exit 2
fi

rm -rf "$pages" "$site"
mkdir -p "$pages" "$site"
python3 scripts/docs/stage.py . "$pages"
acesim=${ACESIM:-build/release/acesim}
if [[ -x $acesim ]]; then
    { echo; "$acesim" help members; } >>"$pages/docs/reference/result-json.md"
    ACESIM=$acesim scripts/cli-reference.sh --all >"$pages/docs/reference/cli.md"
else
    echo "docs: found no $acesim: the pages of the command line and of results in JSON are without the complete lists" >&2
fi
ACESIM_VERSION=$(sed -nE 's/^project\(acesim VERSION ([0-9.]+).*/\1/p' CMakeLists.txt) \
    sphinx-build -q -W --keep-going -j auto -d build/docs/doctrees -c scripts/docs -b html "$pages" "$site"
# Debian's furo has its script as a module that imports another one.  A page loads it as a plain script, where an
# import is an error: the switch for dark mode then does nothing.  Both become one script.
scripts=$site/_static/scripts
if grep -q '^import Gumshoe from' "$scripts/furo.js"; then
    { cat "$scripts/gumshoe-patched.js"; sed '/^import Gumshoe from/d' "$scripts/furo.js"; } >"$scripts/joined.js"
    mv "$scripts/joined.js" "$scripts/furo.js"
fi
# It has the colours of dark mode for the switch alone.  A reader whose system is dark gets them, too; the colours of
# programs already follow the system.
style=$site/_static/styles/furo.css
if ! grep -q 'prefers-color-scheme: *dark' "$style"; then
    {
        echo '@media (prefers-color-scheme: dark) {'
        sed -n '/body\[data-theme="dark"\] {/,/}/{s/"dark"/"auto"/;p}' "$style"
        echo '}'
    } >>"$site/_static/acesim.css"
fi
# The first page is the README, under the name that a browser looks for.
sed 's/\(href="\)README\.html/\1index.html/g' "$site/README.html" > "$site/index.html"
echo "docs: $site/index.html"
