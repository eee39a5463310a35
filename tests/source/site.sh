#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The site of scripts/docs.sh builds without a warning.  Each link inside the site leads to a file and, after a #,
# to an element of that file.  Each page has a title, the search box, the switch for dark mode, and the version.  The
# pictures of docs/ are all in the site.  A link whose text goes over two lines becomes a link of the site, too.
#
# Exit status 77, which ctest counts as skipped: Sphinx, MyST or furo is not installed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wrong() { # TEXT
    echo "site: $1"
    failed=$((failed + 1))
}

# ---- the pages that Sphinx reads: needs python3 alone ------------------------------------------------------------
mkdir -p "$work/tree/docs/guide" "$work/tree/src"
echo 'int x;' >"$work/tree/src/a file.h"
echo 'int x;' >"$work/tree/src/one.h"
echo 'int y;' >"$work/tree/src/two.h"
printf '# Tree\n\nSee [the\nfirst header](src/one.h), [the second](src/two.h)\nand `[no link](src/one.h)`.\n' >"$work/tree/README.md"
# shellcheck disable=SC2016 # the backquotes are Markdown's
printf '# Docs\n\n## Guide\n\n- [A page\n  of two lines](guide/a.md)\n' >"$work/tree/docs/README.md"
# shellcheck disable=SC2016
printf '# A\n\n```sh\n[not](../../src/one.h)\n```\n\n- a point with [a\n  link](../../src/one.h#L1)\n' >"$work/tree/docs/guide/a.md"
python3 scripts/docs/stage.py "$work/tree" "$work/staged" >/dev/null || wrong 'stage.py fails on a small tree'
line() { # FILE TEXT: the file has a line with the text
    grep -qF -- "$2" "$work/staged/$1" || wrong "$1 of a small tree: found no '$2': $(cat "$work/staged/$1")"
}
line README.md 'first header](src/one.h.md), [the second](src/two.h.md)'
line README.md '`[no link](src/one.h)`'
line README.md 'docs/guide/a.md'
line docs/guide/a.md '[not](../../src/one.h)'
line docs/guide/a.md 'link](../../src/one.h.md#L1)'
line src/two.h.md 'int y;'

# ---- the site -----------------------------------------------------------------------------------------------------
for module in sphinx myst_parser furo; do
    python3 -c "import $module" 2>/dev/null || /usr/bin/python3 -c "import $module" 2>/dev/null || {
        echo "site: found no Python module $module: the site is not built (apt-get install python3-sphinx python3-myst-parser furo)"
        [[ $failed -eq 0 ]] && exit 77
        exit 1
    }
done
scripts/docs.sh "$work/site" >"$work/log" 2>&1 || wrong "scripts/docs.sh fails: $(tail -n 20 "$work/log")"
version=$(sed -nE 's/^project\(acesim VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
python3 - "$work/site" "$version" <<'PYTHON' || failed=$((failed + 1))
import html.parser
import pathlib
import sys
import urllib.parse

site, version = pathlib.Path(sys.argv[1]), sys.argv[2]


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.names, self.targets, self.pictures, self.title, self.in_title, self.classes = set(), [], [], "", False, set()
        self.search = False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        self.in_title = tag == "title" or (self.in_title and tag != "body")
        self.names |= {of[name] for name in ("id", "name") if of.get(name)}
        self.targets += [of[name] for name in ("href", "src") if of.get(name)]
        if tag == "img":
            self.pictures.append(of.get("src", ""))
        self.classes |= set((of.get("class") or "").split())
        self.search = self.search or (tag == "input" and of.get("name") == "q")

    def handle_endtag(self, tag):
        if tag == "title":
            self.in_title = False

    def handle_data(self, data):
        if self.in_title:
            self.title += data


pages = {path: Page(path.read_text()) for path in site.rglob("*.html")}
failed = links = 0
shown = set()


def wrong(path, text):
    global failed
    failed += 1
    print(f"site: {path.relative_to(site)}: {text}")


for path, page in pages.items():
    for target in page.targets:
        address = urllib.parse.urlsplit(target)
        if address.scheme or address.netloc:
            continue
        links += 1
        to = (path.parent / urllib.parse.unquote(address.path)).resolve() if address.path else path
        if not to.is_file():
            wrong(path, f"found a link to '{target}', expected a file of the site")
        elif address.fragment and to in pages and urllib.parse.unquote(address.fragment) not in pages[to].names:
            wrong(path, f"found a link to '{target}', expected an element of that page")
        if target in page.pictures:
            shown.add(to.name)
    if version not in page.title:
        wrong(path, f"found the title '{page.title.strip()}', expected one with the version {version}")
    if not page.search:
        wrong(path, "found no search box")
    if "theme-toggle" not in page.classes:
        wrong(path, "found no switch for dark mode")

for name in ("index.html", "search.html", "searchindex.js"):
    if not (site / name).is_file():
        wrong(site / name, "found no such file, expected one")
index = (site / "searchindex.js").read_text() if (site / "searchindex.js").is_file() else ""
for word in ("scratchpad", "chakra", "docs/guide/training"):
    if word not in index:
        wrong(site / "searchindex.js", f"found no '{word}', expected the words and pages of the documentation")
pictures = {path.name for path in pathlib.Path("docs").rglob("*") if path.suffix in (".svg", ".png")}
for name in sorted(pictures - shown):
    print(f"site: found no page that shows {name}, expected one")
    failed += 1
print(f"{len(pages)} pages, {links} links, {len(shown)} pictures, {failed} wrong")
sys.exit(failed > 0 or links == 0)
PYTHON
# ---- its scripts: an error would leave the switch for dark mode without effect ----------------------------------------
! grep -n '^\(import\|export\) ' "$work/site/_static/scripts/furo.js" || wrong "furo.js: found a module, expected a plain script"
grep -zq '@media (prefers-color-scheme: dark) {[[:space:]]*body\[data-theme="auto"\]' "$work/site/_static/acesim.css" ||
    wrong 'acesim.css: found no colours for a system in dark mode'
if command -v chromium >/dev/null; then
    timeout 100 chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --enable-logging=stderr \
        --user-data-dir="$work/profile" --dump-dom "file://$work/site/index.html" >"$work/dom" 2>"$work/said" || wrong "chromium: $(tail -n 1 "$work/said")"
    ! grep -i 'CONSOLE.*error' "$work/said" || wrong 'a script of the site fails in a browser'
    grep -q '<html' "$work/dom" && ! grep -q '<html[^>]*no-js' "$work/dom" || wrong 'the scripts of the site did not run'
fi
[[ $failed -eq 0 ]]
