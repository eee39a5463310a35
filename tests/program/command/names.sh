#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# names.sh [ACESIM] -- a name that a person gave is never program text of another tool: gnuplot,
# a shell that is given what acesim prints, GTKWave and its Tcl
. "$(dirname "$0")/../begin.sh"
ACESIM=$acesim
tree=$PWD

untouched() { # TEXT
    [ -z "$(find "$work" "$tree" -maxdepth 3 -name 'was-here*' -print -quit)" ]
    verdict $? "$1 ran what a name says"
    find "$work" "$tree" -maxdepth 3 -name 'was-here*' -delete
}
ARGUMENTS=$work/arguments
mkdir "$work/bin"
cat >"$work/bin/acesim" <<'SH'
#!/bin/sh
printf '%s\n' "$@" >"$ARGUMENTS"
SH
cp "$work/bin/acesim" "$work/bin/gtkwave"
chmod +x "$work/bin/acesim" "$work/bin/gtkwave"
export ARGUMENTS
cd "$work" || exit 1

# In one name all that a shell, gnuplot, Tcl or a view's file would read as more than letters.
evil="a b;touch was-here-1;\$(touch was-here-2)\`touch was-here-3\`'.system('touch was-here-4').'\"}[exec touch was-here-5]#&|*"

# ---- gnuplot ----------------------------------------------------------------------------
mkdir -p small/sweeps small/tables
cat >small/study.yaml <<'YAML'
name: small
sweeps: [one]
tables: [sizes]
page: page.md
YAML
printf 'name: one\ncommand: collective all-reduce\noptions: {topology: 2x1x1}\ngrid: {size: [1KiB, 2KiB]}\n' \
    >small/sweeps/one.yaml
echo "SELECT point, cycles, 'a|b' AS bar FROM one" >small/tables/sizes.sql
cat >small/tables/sizes.gnuplot <<'GNUPLOT'
rows = system("wc -l <'".csv."'")
set title rows
plot csv using 1:2 skip 1 with linespoints title 'of '.csv
GNUPLOT
printf '@table sizes\n' >small/page.md
"$ACESIM" study ./small --output "$evil" 2>err
verdict $? "a study into a folder with signs: $(cat err)"
untouched gnuplot
if [ -s "$evil/sizes.svg" ] && [ -s "$evil/sizes.png" ]; then true; else false; fi
verdict $? "the pictures in a folder with signs: $(ls "$evil")"
grep -qF 'a\|b' "$evil/page.md"
verdict $? "a bar in a cell of Markdown: $(cat "$evil/page.md")"

# ---- commands that are printed ------------------------------------------------------------
"$ACESIM" collective all-reduce --topology 2x1x1 --size 4KiB --record "$evil" --timeline t.json \
    >/dev/null 2>err
verdict $? "a recording in a folder with signs: $(cat err)"
python3 - t.json >commands <<'PYTHON'
import json, sys
for event in json.load(open(sys.argv[1])):
    if "wave" in event.get("args", {}):
        print(event["args"]["wave"])
PYTHON
[ -s commands ]
verdict $? 'the commands of a timeline'
PATH=$work/bin:$PATH sh -c "$(head -n 1 commands)"
[ "$(sed -n 2p arguments)" = "$evil" ]
verdict $? "a shell reads the folder as '$(sed -n 2p arguments)'"
untouched 'a command of a timeline'

if "$ACESIM" wave "$evil" --from 1 --to 100 --output "-$evil.fst" >out 2>err; then
    PATH=$work/bin:$PATH sh -c "$(grep '^gtkwave' out)"
    [ "$(cat arguments)" = "./-$evil.fst
./-$evil.gtkw" ]
    verdict $? "a shell reads the wave as '$(cat arguments)'"
    untouched 'the command that shows a wave'
    # the view names the wave from the first to the last quote of its line
    [ "$(sed -n 's/^\[dumpfile\] "\(.*\)"$/\1/p' "./-$evil.gtkw")" = "$work/-$evil.fst" ]
    verdict $? "the view of a wave: $(head -n 1 "./-$evil.gtkw")"
    if command -v fst2vcd >/dev/null; then
        mkdir "t$evil"
        TMPDIR=$work/t$evil "$tree/waves/render.sh" "./-$evil.fst" "./-$evil.gtkw" "-$evil.svg" \
            >out 2>&1 && [ -s "./-$evil.svg" ]
        verdict $? "a picture of a wave: $(cat out)"
        untouched render.sh
    fi
else
    grep -q 'no RTL\|not built with' err
    verdict $? "a wave with signs in its name: $(cat err)"
fi

# ---- names that cannot be passed on ---------------------------------------------------------
refused() { # WHAT ARGUMENT...
    local what=$1
    shift
    "$ACESIM" "$@" >out 2>err
    [ $? -eq 2 ]
    verdict $? "the status of a name with $what: $*"
    grep -qF "found $what in a name, expected a name of at most 1000 bytes without control characters" err &&
        [ "$(wc -l <err)" -eq 1 ]
    verdict $? "what is said of a name with $what: $(cut -c1-200 err)"
}
line=$'a\nb'
long=$(printf '%01001d' 0)
collective=(collective all-reduce --topology 2x1x1 --size 4KiB)
for option in wave record timeline output report checkpoint resume; do
    refused 'a control character' "${collective[@]}" "--$option" "$line"
    refused 'more than 1000 bytes' "${collective[@]}" "--$option" "$long"
done
refused 'a control character' wave "$line" --from 1 --to 2
refused 'more than 1000 bytes' wave "$long" --from 1 --to 2
refused 'a control character' wave "$evil" --from 1 --to 2 --output "$line"
refused 'more than 1000 bytes' wave "$evil" --from 1 --to 2 --output "$long"
refused 'a control character' study ./small --output "$line"
refused 'more than 1000 bytes' study ./small --output "$long"
refused 'a control character' lockstep --cycles 1 --wave "$line"

echo "names: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
