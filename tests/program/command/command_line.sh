#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# command_line.sh [ACESIM] -- what people expect of any program: a word that was mistyped is guessed,
# --version says which build this is, --quiet is quiet, - is standard input and output, and Ctrl-C
# leaves a run that can be resumed.
. "$(dirname "$0")/../begin.sh"

cluster=workloads/clusters/torus-4x2x2.yaml
workload=workloads/resnet50.yaml
table=workloads/astra-sim/Resnet50_DataParallel.txt
small=(collective all-reduce --topology 2x2 --size 64KiB)

# ---- did you mean ----------------------------------------------------------------------------

means() { # WORD arguments...: status 2, and WORD is guessed; no guess where it is empty
    local word=$1 status
    shift
    "$acesim" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    if [ -n "$word" ]; then
        grep -qF "did you mean '$word'?" "$work/err"
    else
        ! grep -q 'did you mean' "$work/err"
    fi
    verdict $? "$*: no guess of '$word': $(head -n 1 "$work/err")"
    [ $status -eq 2 ]
    verdict $? "$*: status $status, expected 2"
}
means collective colective
means lockstep lock-step
means all-reduce collective all-reduse
means all-to-all collective alltoall
means --topology collective all-reduce --toplogy 2x2
means --database sweep x --datebase y
means --jobs study ace --job 2 --jbos 3
means --cluster workload $workload --clutser x
means --output report x --ouput y
means --threads explain x --thread=2 --thraeds 2
means --slice wave x --slise 3
means --cycles lockstep --cycels 3
means --members program check ring --membres 3
means --type alu --tpye fp16
means fp16 collective all-reduce --type fp61
means comm-opt collective all-reduce --endpoint com-opt
means fifo collective all-reduce --order fio
means Switch collective all-reduce --topology 'Swich(4)'
means bf16 alu --type bf61
means halving-doubling program show halvign-doubling
means "" collective all-reduce --type fp8
means "" collective all-reduce --sise-of-the-vector 3
means "" collective all-reduce --topology 4x4xx
means "" frobnicate
printf 'topology: 4x2x2\nlinkz:\n  x: 1\n' >"$work/key.yaml"
printf 'topology: 4x2x2\nlinks:\n  x: {bandwith: 200 GB/s}\n' >"$work/inner.yaml"
printf 'topology: 4x2x2\nendpoint: idael\n' >"$work/value.yaml"
printf 'name: n\nlayers:\n  - {kind: convoluton, name: a}\n' >"$work/kind.yaml"
means links run "$work/key.yaml" $workload
means bandwidth run "$work/inner.yaml" $workload
means ideal run "$work/value.yaml" $workload
means convolution workload "$work/kind.yaml"
# An option that lacks its value, and one that has none, are not taken for mistyped.
means "" collective all-reduce --size
grep -qF "found option '--size' without a value" "$work/err"
verdict $? "--size without a value: $(cat "$work/err")"
means "" collective all-reduce --check=3
grep -qF "expected option '--check' without a value" "$work/err"
verdict $? "--check with a value: $(cat "$work/err")"

# ---- --version ---------------------------------------------------------------------------------

"$acesim" --version >"$work/version"
version=$(sed -n 's/^project(acesim VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
[ -n "$version" ] && [ "$(head -n 1 "$work/version")" = "acesim $version" ]
verdict $? "--version: $(head -n 1 "$work/version"), CMakeLists.txt says '$version'"
grep -qE '^compiler  .*[0-9]\.[0-9].*, [A-Z]' "$work/version" && grep -qE '^RTL       [0-9a-f]{16}$' "$work/version"
verdict $? "--version: $(cat "$work/version")"
rtl=$(for f in $(printf '%s\n' rtl/*.v rtl/*.vh | LC_ALL=C sort); do
    [ -e "$f" ] && echo "$f $(sha256sum <"$f" | cut -d ' ' -f 1)"
done | sha256sum | cut -c 1-16)
grep -qx "RTL       $rtl" "$work/version"
verdict $? "--version: $(grep RTL "$work/version"), the files have $rtl"
commit=$(sed -n 's/^commit *\([^ ]*\) of [0-9-]*$/\1/p' "$work/version")
if git rev-parse -q --verify HEAD >/dev/null 2>&1; then
    # of an earlier commit where the program was not built since
    git rev-parse -q --verify "$(sed 's/-dirty$//; s/.*-g//' <<<"$commit")^{commit}" >/dev/null
    verdict $? "--version: '$commit' is no commit"
fi

# The commit is in no result, and a program that differs in it alone resumes a checkpoint; one that
# differs in more does not.
"$acesim" "${small[@]}" --format json --checkpoint "$work/state" --checkpoint-every 500 >"$work/run.json" 2>/dev/null
! grep -qF "${commit%-dirty}" "$work/run.json"
verdict $? "a result carries the commit"
[ -d "$(dirname "$acesim")/rtl" ] && ln -s "$(dirname "$acesim")/rtl" "$work/rtl" # its other RTL sets
other() { # FROM TO: the program with one string put in place of another of its length
    FROM=$1 TO=$2 python3 - "$acesim" "$work/other" <<'END'
import os, sys
program = open(sys.argv[1], "rb").read()
old, new = os.environ["FROM"].encode() + b"\0", os.environ["TO"].encode() + b"\0"
assert program.count(old) == 1 and len(old) == len(new), program.count(old)
open(sys.argv[2], "wb").write(program.replace(old, new))
END
    verdict $? "'$1' is not once in the program"
    chmod +x "$work/other"
}
dated=$(sed -n 's/^commit *//p' "$work/version")
other "$dated" "$(tr 'a-z0-9' 'b-za1-90' <<<"$dated")"
"$work/other" --version | grep -qF "$commit"
[ $? -eq 1 ] && "$work/other" "${small[@]}" --format json --resume "$work/state" >"$work/resumed.json" 2>"$work/err" &&
    cmp "$work/run.json" "$work/resumed.json"
verdict $? "a program of another commit: $(cat "$work/err")"
full=$(strings -a "$acesim" | grep -x "$rtl[0-9a-f]*")
other "$full" "$(tr '0-9a-f' '1-9a-f0' <<<"$full")"
"$work/other" "${small[@]}" --resume "$work/state" >/dev/null 2>"$work/err"
[ $? -eq 2 ] && grep -q 'the program or its RTL is another' "$work/err"
verdict $? "a program of another RTL: $(cat "$work/err")"

# ---- --quiet -----------------------------------------------------------------------------------

quiet() {
    "$acesim" "$@" --quiet >"$work/out" 2>"$work/err"
    verdict $? "$* --quiet: $(cat "$work/err")"
    [ -s "$work/out" ] && [ ! -s "$work/err" ]
    verdict $? "$* --quiet: $(cat "$work/err")"
}
printf 'name: two\ncommand: collective all-reduce\noptions:\n  topology: 2x2\n  endpoint: ideal\n  size: [1KiB, 2KiB]\n' \
    >"$work/two.yaml"
"$acesim" "${small[@]}" --record "$work/record" >/dev/null 2>&1
quiet "${small[@]}"
quiet run $cluster $workload --endpoint ideal
quiet sweep "$work/two.yaml" --database "$work/two.sqlite"
quiet lockstep --cycles 1000
quiet wave "$work/record" --from 100 --to 200 --output "$work/w.fst"
"$acesim" "${small[@]}" >/dev/null 2>"$work/err"
grep -q 'wall time' "$work/err"
verdict $? "without --quiet: $(cat "$work/err")"

# ---- - is standard input and output ------------------------------------------------------------

same() { # NAME: of what a file and standard input gave
    cmp -s "$work/file" "$work/stdin"
    verdict $? "$1 by standard input: $(diff "$work/file" "$work/stdin" | head -n 3) $(cat "$work/err")"
}
"$acesim" run $cluster $workload --endpoint ideal >"$work/file" 2>/dev/null
"$acesim" run - $workload --endpoint ideal <$cluster >"$work/stdin" 2>"$work/err"
same cluster
for w in $table workloads/models/dlrm.yaml; do
    "$acesim" workload $w --format csv >"$work/file" 2>/dev/null
    "$acesim" workload - --format csv <$w >"$work/stdin" 2>"$work/err"
    same "workload $w"
done
(cd "$work" && "$acesim" sweep two.yaml --list >file 2>/dev/null)
(cd "$work" && "$acesim" sweep - --list <two.yaml >stdin 2>err)
same sweep
printf '0,100\n200,0\n' >"$work/counts"
"$acesim" collective all-to-all-v --topology 2 --counts "$work/counts" >"$work/file" 2>/dev/null
"$acesim" collective all-to-all-v --topology 2 --counts - <"$work/counts" >"$work/stdin" 2>"$work/err"
same counts     # whose digest reads it a second time
"$acesim" program show ring >"$work/ring"
"$acesim" program assemble "$work/ring" >"$work/file"
"$acesim" program assemble - <"$work/ring" >"$work/stdin" 2>"$work/err"
same program
"$acesim" "${small[@]}" --format json --samples 16 >"$work/run.json" 2>/dev/null
cd "$work" || exit 1
"$acesim" report run.json --output page.html >/dev/null
sed 's/run\.json/<stdin>/g; s/<stdin>/\&lt;stdin\&gt;/g' page.html >file
"$acesim" report - --output - <run.json >stdin 2>err
same report
cd "$OLDPWD" || exit 1
printf 'topology: 4x2x2\nlinkz: 1\n' | "$acesim" run - $workload 2>"$work/err"
grep -q "^<stdin>:2:1: found unknown key 'linkz'" "$work/err"
verdict $? "an error in standard input: $(cat "$work/err")"

# A timeline on standard output has it for itself: the result goes to standard error.
"$acesim" "${small[@]}" --timeline "$work/trace" >"$work/file" 2>/dev/null
"$acesim" "${small[@]}" --timeline - --quiet >"$work/out" 2>"$work/stdin"
cmp -s "$work/trace" "$work/out"
verdict $? "--timeline -: $(diff "$work/trace" "$work/out" | head -n 3)"
same "the result beside --timeline -"
"$acesim" "${small[@]}" --checkpoint - >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q "found '-', expected a file to resume from" "$work/err"
verdict $? "--checkpoint -: $(cat "$work/err")"

# ---- a run that is asked to end ----------------------------------------------------------------

long=(collective all-reduce --topology 4x2x2 --size 48MiB --fold off --format json)
"$acesim" "${long[@]}" >"$work/whole" 2>/dev/null
# stopped SIGNAL arguments...: the run is sent it once the file $work/sign is there
stopped() {
    local signal=$1 pid
    shift
    rm -f "$work/sign"
    env --default-signal=INT,TERM "$acesim" "$@" >"$work/out" 2>"$work/err" &
    pid=$!
    for _ in $(seq 600); do [ -e "$work/sign" ] && break; sleep 0.05; done
    kill -s "$signal" $pid
    wait $pid
    status=$?
}
for signal in INT TERM; do
    stopped $signal "${long[@]}" --checkpoint "$work/sign" --checkpoint-every 20000 --timeline "$work/cut"
    [ $status -eq $((128 + $(kill -l $signal))) ] && [ ! -s "$work/out" ]
    verdict $? "SIG$signal: status $status: $(cat "$work/err")"
    grep -q "stopped by SIG$signal in cycle [0-9]*; it continues with .* --resume $work/sign" "$work/err"
    verdict $? "SIG$signal: $(cat "$work/err")"
    [ -s "$work/cut.part" ] && [ ! -e "$work/cut" ]
    verdict $? "SIG$signal: the timeline is $(ls "$work"/cut*)"
    "$acesim" "${long[@]}" --resume "$work/sign" >"$work/resumed" 2>"$work/err"
    cmp "$work/whole" "$work/resumed"
    verdict $? "SIG$signal and resumed: $(cat "$work/err")"
done
stopped INT "${long[@]}" --output "$work/sign" --threads 2
[ $status -eq 130 ] && grep -q 'no checkpoint was written: --checkpoint FILE' "$work/err"
verdict $? "SIGINT without --checkpoint: status $status: $(cat "$work/err")"

echo "command_line: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
