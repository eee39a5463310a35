#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# output.sh [ACESIM] -- an output that could not be written whole is an error (law 12): to a full
# device, a closed descriptor, a pipe without a reader, past the largest file that is allowed.  What
# stood there before stays.  Devices, FIFOs and links are written to, not put out of their place.
. "$(dirname "$0")/../begin.sh"

# ends STATUS TEXT NAME: what ran last ended so, with TEXT on stderr
ends() {
    [ "$status" -eq "$1" ] && grep -qF -- "$2" "$work/err"
    verdict $? "$3: status $status and '$(tail -n 1 "$work/err")', expected $1 and '$2'"
}

small=(collective all-reduce --topology 2x2 --size 64KiB)
training=(run workloads/clusters/torus-4x2x2.yaml "$work/layers.txt" --endpoint ideal)
printf 'DATA\n1\nl -1 20 NONE 0 400 NONE 0 300 ALLREDUCE 150000 100\n' >"$work/layers.txt"
printf 'name: two\ncommand: collective all-reduce\noptions:\n  topology: 2x2\n  endpoint: ideal\n  size: [1KiB, 2KiB]\n' \
    >"$work/two.yaml"
"$acesim" "${small[@]}" --samples 16 --format json >"$work/run.json" 2>"$work/err"
verdict $? "a run: $(cat "$work/err")"
"$acesim" "${small[@]}" --record "$work/record" >"$work/out" 2>"$work/err"
verdict $? "a recording: $(cat "$work/err")"
"$acesim" sweep "$work/two.yaml" --database "$work/two.sqlite" >"$work/out" 2>"$work/err"
verdict $? "a sweep: $(cat "$work/err")"

# ---- standard output: every command ---------------------------------------------------------

# Returns when nobody reads standard output; what is started then minds SIGPIPE as ever.
unread() {
    trap : PIPE
    while echo; do :; done 2>/dev/null
    trap - PIPE
}
pairs() { while :; do echo 3f800000 40000000; done; }
printed() { # NAME arguments...: with standard input from `pairs` cut short
    local name=$1
    shift
    pairs | head -n 3 | "$acesim" "$@" >/dev/full 2>"$work/err"
    status=${PIPESTATUS[2]}
    ends 1 "standard output: No space left on device" "$name to a full device"
    pairs | head -n 3 | "$acesim" "$@" >&- 2>"$work/err"
    status=${PIPESTATUS[2]}
    ends 1 "standard output: Bad file descriptor" "$name to a closed descriptor"
    pairs | head -n 3 | { unread; exec "$acesim" "$@" 2>"$work/err"; } | :
    status=${PIPESTATUS[2]}
    [ "$status" -eq 141 ] && ! grep -q 'standard output' "$work/err"
    verdict $? "$name to a pipe without a reader: status $status and '$(tail -n 1 "$work/err")', expected SIGPIPE"
}

for format in table json csv; do
    printed "collective $format" "${small[@]}" --format $format
    printed "run $format" "${training[@]}" --format $format
    printed "workload $format" workload workloads/resnet50.yaml --format $format
    printed "sweep $format" sweep "$work/two.yaml" --database "$work/two.sqlite" --jobs 0 --format $format
done
printed "sweep --list" sweep "$work/two.yaml" --database "$work/two.sqlite" --list
printed "study --list" study ace --list
printed "report" report "$work/run.json" --output "$work/page.html"
printed "explain" explain "$work/run.json"
printed "wave" wave "$work/record" --from 100 --to 120 --output "$work/piece.fst"
printed "lockstep" lockstep --cycles 1000
printed "alu" alu
printed "program show" program show ring
printed "--version" --version
for command in "" collective run workload sweep study report explain wave lockstep program alu; do
    # shellcheck disable=SC2086 # no command is no argument
    printed "$command --help" $command --help
    [ -z "$command" ] || printed "$command --help all" $command --help all
done

if [ -x "$(dirname "$acesim")/acesim-systemc" ]; then
    "$(dirname "$acesim")/acesim-systemc" all-reduce --topology 2x1x1 --size 4KiB >/dev/full 2>"$work/err"
    status=$?
    ends 1 "standard output: No space left on device" "acesim-systemc to a full device"
fi

# A program whose reader has gone stops by SIGPIPE. If its parent ignores SIGPIPE, it prints a message.
pairs 2>/dev/null | timeout 60 "$acesim" alu 2>"$work/err" | head -n 1 >"$work/out"
[ "${PIPESTATUS[1]}" -eq 141 ] && [ "$(cat "$work/out")" = 40400000 ]
verdict $? "alu goes on when nobody reads"
(
    { unread; trap '' PIPE; exec "$acesim" "${small[@]}" 2>"$work/err"; } | :
    exit "${PIPESTATUS[0]}"
)
status=$?
ends 1 "standard output: Broken pipe" "a pipe without a reader, SIGPIPE ignored"
# The files that options name are whole even then.
{ unread; exec "$acesim" "${small[@]}" --output "$work/broken" 2>/dev/null; } | :
python3 -m json.tool "$work/broken/result.json" >/dev/null && [ -s "$work/broken/timeline.json" ]
verdict $? "a pipe without a reader costs the files of --output"
# A descriptor that was closed is not the next file's.
"$acesim" "${small[@]}" --timeline "$work/trace" >&- 2>/dev/null
python3 -m json.tool "$work/trace" >/dev/null
verdict $? "standard output closed: it went into the timeline"

# ---- what options name ----------------------------------------------------------------------

rtl=(collective all-reduce --topology 2 --size 256KiB --rung 'rtl:0;cycle:rest')
# to NAME FILE arguments...: the arguments write FILE
outputs() { # CALL: with a name, the file, and the arguments that write it
    "$1" --timeline "$work/o.trace" "${small[@]}" --timeline "$work/o.trace"
    "$1" --output "$work/o.folder/result.json" "${small[@]}" --output "$work/o.folder"
    "$1" "--output's timeline" "$work/o.folder/timeline.json" "${small[@]}" --output "$work/o.folder"
    "$1" --checkpoint "$work/o.state" "${small[@]}" --checkpoint "$work/o.state" --checkpoint-every 500
    "$1" --wave "$work/o.fst" "${rtl[@]}" --wave "$work/o.fst"
    "$1" --record "$work/o.record/pins" "${small[@]}" --record "$work/o.record"
    "$1" "--record's slices" "$work/o.record/slices" "${small[@]}" --record "$work/o.record"
    "$1" "report --output" "$work/o.html" report "$work/run.json" --output "$work/o.html"
    "$1" "wave --output" "$work/o.piece.fst" wave "$work/record" --from 100 --to 300 --output "$work/o.piece.fst"
    "$1" "wave's view" "$work/o.piece.gtkw" wave "$work/record" --from 100 --to 300 --output "$work/o.piece.fst"
}
mkdir "$work/o.folder" "$work/o.record"

# A file of half its size is all there may be.
cut_short() {
    local name=$1 file=$2 blocks
    shift 2
    rm -f "$work"/o.*.part "$work"/o.*/*.part
    "$acesim" "$@" >/dev/null 2>"$work/err"
    blocks=$(($(stat -c %s "$file") / 2048))
    [ $blocks -gt 0 ] || return
    echo before >"$file"
    (
        trap '' XFSZ
        ulimit -f $blocks
        exec "$acesim" "$@" >/dev/null 2>"$work/err"
    )
    status=$?
    [ $status -eq 1 ] && [ "$(cat "$file")" = before ]
    verdict $? "$name cut short: status $status, $(stat -c %s "$file") bytes: $(tail -n 1 "$work/err")"
    [ -z "$(find "$work" -name '*.part')" ]
    verdict $? "$name cut short leaves $(find "$work" -name '*.part')"
    rm -f "$file"
}
before=$((passed + failed))
outputs cut_short
[ $((passed + failed - before)) -ge 16 ]
verdict $? "$((passed + failed - before)) outputs were cut short"

# A link stays one and leads to the result; where it leads to nothing yet, too.
linked() {
    local name=$1 file=$2
    shift 2
    rm -f "$file" "$work/target"
    ln -sr "$work/target" "$file"
    for turn in new old; do
        "$acesim" "$@" >/dev/null 2>"$work/err"
        [ $? -eq 0 ] && [ -L "$file" ] && [ -s "$work/target" ]
        verdict $? "$name to a link, $turn: $(ls -l "$file") $(tail -n 1 "$work/err")"
    done
    rm -f "$file" "$work/target"
}
outputs linked

# A device that is full, by a link so that nothing can happen to it.
full() {
    local name=$1 file=$2
    shift 2
    rm -f "$file"
    ln -s /dev/full "$file"
    "$acesim" "$@" >/dev/null 2>"$work/err"
    status=$?
    ends 1 "No space left on device" "$name to a full device"
    [ -L "$file" ]
    verdict $? "$name replaced a link to a device"
    rm -f "$file"
}
outputs full

# A FIFO stays one, and its reader gets what a file would hold.
piped() {
    local name=$1 file=$2 reader
    shift 2
    rm -f "$file"
    mkfifo "$file"
    timeout 60 cat "$file" >"$work/read" &
    reader=$!
    timeout 60 "$acesim" "$@" >/dev/null 2>"$work/err"
    status=$?
    [ -p "$file" ] || kill $reader
    wait $reader
    [ $status -eq 0 ] && [ -p "$file" ] && [ -s "$work/read" ]
    verdict $? "$name to a FIFO: status $status, $(stat -c '%F' "$file"), $(tail -n 1 "$work/err")"
    rm -f "$file"
}
for name in --timeline "report --output"; do
    case $name in
    --timeline) piped $name "$work/o.trace" "${small[@]}" --timeline "$work/o.trace" ;;
    report*) piped "$name" "$work/o.html" report "$work/run.json" --output "$work/o.html" ;;
    esac
done
piped --wave "$work/o.fst" "${rtl[@]}" --wave "$work/o.fst"
"$acesim" "${rtl[@]}" --wave "$work/o.fst" >/dev/null 2>&1
[ "$(stat -c %s "$work/read")" -eq "$(stat -c %s "$work/o.fst")" ]
verdict $? "--wave to a FIFO: $(stat -c %s "$work/read") bytes, a file has $(stat -c %s "$work/o.fst")"

# A file that cannot be written is reported before the run, not after it.
for output in --timeline --wave --checkpoint; do
    "$acesim" "${rtl[@]}" $output "$work/o.folder" >"$work/out" 2>"$work/err"
    status=$?
    ends 2 "Is a directory, expected a file that can be written" "$output of a folder"
    [ ! -s "$work/out" ]
    verdict $? "$output of a folder: the run was run"
done

# A run that is killed between its two files leaves a new and an old one. Their digests show that they
# belong to different runs.
digests() { # of DIR: those of its result and its timeline
    sed -n 's/^\t*"config_digest":\t*"\(.*\)",$/\1/p' "$1/result.json"
    sed -n 's/.*"config_digest":"\([0-9a-f]*\)".*/\1/p' "$1/timeline.json"
}
"$acesim" collective all-reduce --topology 2x1x1 --size 4KiB --output "$work/pair" >/dev/null 2>&1
read -rd '' -a pair < <(digests "$work/pair")
[ ${#pair[@]} -eq 2 ] && [ "${pair[0]}" = "${pair[1]}" ]
verdict $? "the digests of a pair: ${pair[*]}"
mv "$work/pair/result.json" "$work/old.json"
"$acesim" collective all-reduce --topology 2x1x1 --size 8KiB --output "$work/pair" >/dev/null 2>&1
mv "$work/old.json" "$work/pair/result.json"
read -rd '' -a pair < <(digests "$work/pair")
[ ${#pair[@]} -eq 2 ] && [ "${pair[0]}" != "${pair[1]}" ]
verdict $? "the digests of files of two runs: ${pair[*]}"

# A database, and the files of a study.
(
    trap '' XFSZ
    ulimit -f 2
    exec "$acesim" sweep "$work/two.yaml" --database "$work/small.sqlite" >/dev/null 2>"$work/err"
)
status=$?
[ $status -eq 1 ] || [ $status -eq 2 ]
verdict $? "--database cut short: status $status"

echo "output: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
