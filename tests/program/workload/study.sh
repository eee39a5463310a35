#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# study.sh [ACESIM] -- a study's tables hold what its cells' own command lines print
. "$(dirname "$0")/../begin.sh"
ACESIM=$acesim

equal() { # FOUND EXPECTED TEXT
    [ "$1" = "$2" ]
    verdict $? "$3: found '$1', expected '$2'"
}

mkdir -p "$work/small/sweeps" "$work/small/tables"
cat >"$work/small/study.yaml" <<'YAML'
name: small
sweeps: [by-size, by-kind]
views: [thirds, small-thirds]
tables: [sizes, both]
page: page.md
YAML
cat >"$work/small/sweeps/by-size.yaml" <<'YAML'
name: by-size
command: collective all-reduce
options: {topology: 2x2x1}
grid: {size: [64KiB, 128KiB, 1MiB]}
quick: {size: [64KiB, 128KiB]}
YAML
cat >"$work/small/sweeps/by-kind.yaml" <<'YAML'
name: by-kind
command: [collective all-reduce, collective all-gather]
options: {topology: 2x2x1, size: 64KiB}
YAML
echo "SELECT point, size, cycles FROM by_size" >"$work/small/tables/sizes.sql"
cat >"$work/small/tables/sizes.gnuplot" <<'GNUPLOT'
set xlabel 'point'
set ylabel 'cycles'
plot csv using 1:3 skip 1 with linespoints title 'all-reduce'
GNUPLOT
echo "SELECT 1.0 / 3 AS third, NULL AS none, 1234.5 AS large_one" >"$work/small/tables/thirds.sql"
echo "SELECT third / 100 AS third, none, large_one FROM thirds" >"$work/small/tables/small-thirds.sql"
echo "SELECT 'a, \"b\"' AS text, third, none, large_one, 3.0 AS whole, 0.9999 AS near_1, 0.0 AS zero, (SELECT count(*) FROM by_size) AS sizes, count(*) AS kinds, NULL AS last FROM by_kind, small_thirds" \
    >"$work/small/tables/both.sql"
printf 'Sizes:\n\n@about\n\n@table sizes\n\n@table both\n' >"$work/small/page.md"

study() { "$ACESIM" study "$work/small" "$@" 2>"$work/err"; }
cycles() { # SIZE
    "$ACESIM" collective all-reduce --topology 2x2x1 --size "$1" --format json 2>/dev/null |
        tr -d ' \t' | sed -n 's/^"cycles":\([0-9]*\),/\1/p'
}

# ---- tables, figures, page --------------------------------------------------------------
study --output "$work/one" --jobs 2 >"$work/printed"
verdict $? "a study: $(tail -1 "$work/err")"
equal "$(cat "$work/one/sizes.csv")" "point,size,cycles
0,64KiB,$(cycles 64KiB)
1,128KiB,$(cycles 128KiB)
2,1MiB,$(cycles 1MiB)" 'the cells of a table'
equal "$(cat "$work/one/both.csv")" 'text,third,none,large_one,whole,near_1,zero,sizes,kinds,last
"a, ""b""",0.00333333,,1234.5,3.0,0.9999,0.0,3,2,' 'a table of two sweeps'
commit=$("$ACESIM" --version | sed -n 's/^commit *//p')
version=$("$ACESIM" --version | sed -n 's/^acesim //p')
equal "$(cat "$work/one/page.md")" "Sizes:

The whole study of 5 cells, by acesim $version, commit $commit.

| point | size | cycles |
|---|---|---|
| 0 | 64KiB | $(cycles 64KiB) |
| 1 | 128KiB | $(cycles 128KiB) |
| 2 | 1MiB | $(cycles 1MiB) |

| text | third | none | large one | whole | near 1 | zero | sizes | kinds | last |
|---|---|---|---|---|---|---|---|---|---|
| a, \"b\" | 0.00333 | – | 1234 | 3.00 | 1.00 | 0 | 3 | 2 | – |" 'the page'
equal "$(cat "$work/printed")" "$(cat "$work/one/page.md")" 'a page without sections, printed'
grep -q '<svg' "$work/one/sizes.svg" && [ "$(head -c 8 "$work/one/sizes.png" | tail -c 7)" = "$(printf 'PNG\r\n\032\n')" ]
verdict $? 'figures'

# ---- again ------------------------------------------------------------------------------
study --output "$work/one" >"$work/printed"
equal "$(grep -o '[0-9]* of them' "$work/err")" '0 of them' 'cells that are there are not run again'
study --output "$work/two" >"$work/printed"
for file in sizes.csv sizes.svg sizes.png sizes.pdf both.csv page.md; do
    cmp -s "$work/one/$file" "$work/two/$file"
    verdict $? "two runs give another $file"
done
printf '\n## More\n\nA later section.\n' >>"$work/small/page.md"
study --output "$work/quick" --quick >"$work/printed"
equal "$(cat "$work/printed")" "$(sed '/^## More/,$d' "$work/quick/page.md")" 'a page with a section, printed'
equal "$(wc -l <"$work/quick/sizes.csv")" 3 'the rows of a quick study'
grep -q '^\*\*A quick look, not the whole study\*\* (`--quick`): a study of 4 cells' "$work/quick/page.md"
verdict $? "a quick study says so: $(sed -n 3p "$work/quick/page.md")"

# ---- a cell -----------------------------------------------------------------------------
study --list >"$work/list"
equal "$(grep -c . "$work/list")" 5 'cells listed'
equal "$(sed -n 2p "$work/list")" \
    "$(printf 'by-size/1\tacesim collective all-reduce --topology=2x2x1 --size=128KiB')" 'a cell listed'
study --cell by-size/1 >"$work/cell"
"$ACESIM" collective all-reduce --topology=2x2x1 --size=128KiB --format json >"$work/want" 2>/dev/null
cmp -s "$work/cell" "$work/want"
verdict $? 'a cell alone gives another result'
study --cell by-size/0 --rung rtl >"$work/cell"
equal "$(tr -d ' \t' <"$work/cell" | grep -E '^"(rung|cycles)":[^{]')" "\"rung\":\"rtl\",
\"cycles\":$(cycles 64KiB)," 'a cell in RTL'

# ---- what is refused --------------------------------------------------------------------
refused() { # TEXT STATUS ARGUMENT...
    local text=$1 status=$2
    shift 2
    "$ACESIM" study "$@" >/dev/null 2>"$work/err"
    equal "$?" "$status" "the status of $*"
    grep -qF -- "$text" "$work/err"
    verdict $? "$*: $(cat "$work/err")"
}
refused "found cell 'by-size/9'" 2 "$work/small" --cell by-size/9
refused 'found --rung without --cell' 2 "$work/small" --rung rtl
refused "found no study 'none', expected measured, ace, " 2 none
refused 'none/study.yaml:1:1: found No such file' 2 ./none
sed -i 's/by-kind\]/by-kind, by-size]/' "$work/small/study.yaml"
refused "study.yaml:2:28: found a second 'by-size', expected each name once" 2 "$work/small" --list
sed -i 's/, by-size\]/]/' "$work/small/study.yaml"
echo 'SELECT wishes FROM by_size' >"$work/small/tables/sizes.sql"
refused 'tables/sizes.sql: no such column: wishes' 1 "$work/small" --output "$work/one"
echo "ATTACH '$work/other.sqlite' AS other" >"$work/small/tables/sizes.sql"
refused 'tables/sizes.sql: found a statement that does more than read, expected a SELECT' 1 "$work/small" --output "$work/one"
echo 'DELETE FROM points' >"$work/small/tables/sizes.sql"
refused 'tables/sizes.sql: found a statement that does more than read, expected a SELECT' 1 "$work/small" --output "$work/one"
echo 'SELECT 1; SELECT 2' >"$work/small/tables/sizes.sql"
refused 'tables/sizes.sql: found a second statement, expected one SELECT' 1 "$work/small" --output "$work/one"
echo '-- nothing' >"$work/small/tables/sizes.sql"
refused 'tables/sizes.sql: found no statement, expected a SELECT' 1 "$work/small" --output "$work/one"
[ ! -e "$work/other.sqlite" ] && [ "$(sqlite3 "$work/one/cells.sqlite" 'SELECT count(*) > 0 FROM points')" = 1 ]
verdict $? 'a table changed the database, or made another'
sed -i 's/all-gather/all-gather, collective scan/' "$work/small/sweeps/by-kind.yaml"
refused "by-kind.yaml:2:57: found 'collective scan'" 2 "$work/small" --list

echo "study: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
