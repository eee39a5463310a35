#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim msccl: algorithms in MSCCL's XML must move the bytes of their closed forms, no faster than the links, alike at
# every rung. An algorithm that does not compute its collective, or may deadlock, and a file that is none, must be
# reported with its position.
. "$(dirname "$0")/../begin.sh"

make() { # KIND NUMBERS: an algorithm of the generator
    local made="$work/$*.made"
    [ -e "$made" ] || scripts/msccl-algorithm.py "$@" >"$made"
    cp "$made" "$work/a.xml"
}
msccl() { "$acesim" msccl "$work/a.xml" --quiet "$@" >"$work/out" 2>"$work/err"; }
of() { sed -nE "s/^\t\"$1\":\t\"?([^\",]*)\"?,?$/\1/p" "$work/out"; } # KEY, of a result in JSON
equal() { # FOUND EXPECTED TEXT
    [ -n "$2" ] && [ "$1" = "$2" ]
    verdict $? "$3: found '$1', expected '$2'"
}
run() { # TEXT arguments
    local text=$1
    shift
    msccl --format json "$@"
    verdict $? "$text: $(head -n 2 "$work/err")"
    awk "BEGIN { exit !($(of time_us) >= $(of bound_us)) }"
    verdict $? "$text: $(of time_us) us, below the $(of bound_us) us of the busiest link"
}
refused() { # TEXT arguments
    local text=$1
    shift
    msccl "$@"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -qF -- "$text" "$work/err"
    verdict $? "expected status 2 and '$text': $(head -n 2 "$work/err")"
}

# ---- bytes and times of closed form ------------------------------------------------------------------

# A ring of n: each NPU sends 2 (n - 1) shards, each message of which brings a trailer of a row.  On links
# of 200 GB/s at 94 % a row takes 256 x 1.245 / 188 cycles: 434 / 256; a hop is 90 cycles and one, a message
# one more.  At 128 GB/s, 128 / 1.245 bytes a cycle, n - 1 sums read two shards and write one.
size=262144
for n in 2 4 8; do
    make allreduce-ring $n
    rows=$((size / n / 256))
    run "ring of $n" --topology "$n" --size $size --endpoint ideal
    equal "$(of most_bytes_sent_by_npu)" $((2 * (n - 1) * size / n)) "ring of $n: bytes of an NPU"
    equal "$(of messages)" $((2 * (n - 1) * n)) "ring of $n: messages"
    [ $n -eq 2 ] && continue # two go both ways at once
    equal "$(of busiest_link_bytes)" $((2 * (n - 1) * (rows + 1) * 256)) "ring of $n: bytes of a link"
    step=$((((rows + 1) * 434 + 255) / 256 + 92))
    equal "$(of cycles)" $((2 * (n - 1) * step)) "ring of $n on links alone"
    run "ring of $n, memory" --topology "$n" --size $size --endpoint ideal --memory-bandwidth 128GB/s
    sum=$(awk "BEGIN { x = 3 * $rows * 256 * 1.245 / 128; print int(x) + (x > int(x)) }")
    equal "$(of cycles)" $((2 * (n - 1) * step + (n - 1) * sum)) "ring of $n with sums"
done
make allreduce-ring 4 2
run 'two channels' --topology 4 --size $size --loops 4 # one each way: half of the bytes a link
equal "$(of busiest_link_bytes)" $((3 * size / 4 + 2 * 3 * 4 * 256)) 'two channels, four loops: bytes of a link'
equal "$(of most_bytes_sent_by_npu)" $((2 * 3 * size / 4)) 'two channels, four loops: bytes of an NPU'
equal "$(of messages)" $((2 * 3 * 4 * 2 * 4)) 'two channels, four loops: messages'
make allgather-all-pairs 8
run 'all pairs' --topology 'FullyConnected(8)' --size $size
equal "$(of most_bytes_sent_by_npu)" $((7 * size / 8)) 'all pairs: bytes of an NPU'
# To 3 of its node 2 chunks each, and 4 at once to its partner in the other node.
make alltoall-two-step 2 4
run 'two steps' --topology 'FullyConnected(4)_Switch(2)' --size $size
equal "$(of most_bytes_sent_by_npu)" $(((3 * 2 + 4) * size / 8)) 'two steps: bytes of an NPU'
equal "$(of messages)" $((8 * (3 * 2 + 1))) 'two steps: messages'

# ---- the same whoever runs it ---------------------------------------------------------------------------

make allreduce-ring 4
for endpoint in ace comp-opt ideal; do
    run "$endpoint" --topology 4 --size 64KiB --endpoint $endpoint
    cycles=$(of cycles)
    case $(of folding) in 1\ class*) true ;; *) false ;; esac
    verdict $? "$endpoint: NPUs of a ring are alike: $(of folding)"
    for other in '--fold off' '--fold off --threads 2'; do
        run "$endpoint $other" --topology 4 --size 64KiB --endpoint $endpoint $other
        equal "$(of cycles)" "$cycles" "$endpoint $other"
    done
done
run cycle --topology 4 --size 64KiB
cycles=$(of cycles)
run rtl --topology 4 --size 64KiB --fold off --rung rtl
equal "$(of cycles)" "$cycles" 'four NPUs in RTL'
make alltoall-two-step 2 2
run 'two steps of 2 x 2' --topology 2x2 --size 64KiB
cycles=$(of cycles)
run 'two steps with RTL' --topology 2x2 --size 64KiB --rung 'rtl:1;cycle:rest'
equal "$(of cycles)" "$cycles" 'two steps, NPU 1 in RTL'
run 'kept' --topology 2x2 --size 64KiB --checkpoint "$work/state" --checkpoint-every 1000
run 'resumed' --topology 2x2 --size 64KiB --resume "$work/state"
equal "$(of cycles)" "$cycles" 'resumed'
for file in workloads/algorithms/*.xml; do # what is shipped is what the generator makes
    # shellcheck disable=SC2046
    make $(sed -nE '1s/.*msccl-algorithm.py ([^>]*) -->/\1/p' "$file")
    cmp -s "$file" "$work/a.xml"
    verdict $? "$file: another than its first line makes"
done

# ---- algorithms that are wrong ----------------------------------------------------------------------------

edit() { sed -i -E "$@" "$work/a.xml"; } # EXPRESSION
step() { # GPU TB STEP EXPRESSION
    edit "/gpu id=\"$1\"/,/<\/gpu>/{/tb id=\"$2\"/,/<\/tb>/{/ s=\"$3\"/{$4}}}"
}
ring() { make allreduce-ring 4; }
pairs() { make allgather-all-pairs 4; }
steps() { make alltoall-two-step 2 2; }
ring
step 2 0 3 's/dstoff="3"/dstoff="2"/'
refused 'a.xml:25:3: gpu 2, output chunk 3, which no step writes: found no input chunk 3 of gpu 0 in it' --topology 4
ring
step 1 0 2 's/type="rrs"/type="rcs"/'
refused 'gpu 0, output chunk 3, last written by gpu 0, tb 0, step 5: found no input chunk 3 of gpu 1 in it, expected input chunk 3 of each gpu, once: allreduce, in place' \
    --topology 4
ring
step 1 0 2 's/srcoff="3"/srcoff="1"/'
refused 'found input chunk 1 of gpu 1 in it, expected input chunk 3 of each gpu, once' --topology 4
pairs
step 3 0 1 's/dstoff="0"/dstoff="1"/'
refused 'gpu 3, tb 1, step 1: found type='"'r' that writes what gpu 3, tb 0, step 1 (line" --topology 4
pairs
step 3 3 0 's/type="cpy"/type="nop"/'
refused 'gpu 3, output chunk 3, which no step writes: found nothing in it, expected input chunk 0 of gpu 3 alone' \
    --topology 4
steps # what it had to wait for is another step of the same thread block: nobody orders the two
step 0 2 0 's/deps="3"/deps="0"/;s/depid="0"/depid="1"/'
refused 'gpu 0, tb 2, step 1: found type='"'s' that reads what gpu 0, tb 0, step 3" --topology 2x2
pairs
step 1 0 0 's/srcbuf="i" srcoff="0"/srcbuf="o" srcoff="2"/'
refused "gpu 1, tb 0, step 0: found type='s' that reads chunk 2 of buffer o, which nothing has written" --topology 4
make allreduce-ring 2
edit 's/coll="allreduce"/coll="broadcast"/'
refused "found input chunk 0 of gpu 1 in it, expected input chunk 0 of gpu 0 alone: broadcast, in place" --topology 2
edit 's/coll="broadcast"/coll="custom"/;s/o_chunks="0"/o_chunks="2"/'
run 'custom is not checked' --topology 2
equal "$(of checked)" false 'custom'
# A broadcast of two, from either.
printf '%s\n' '<algo name="b" proto="LL" nchunksperloop="1" ngpus="2" coll="broadcast" inplace="1" outofplace="0">' \
    '<gpu id="1" i_chunks="1" o_chunks="1" s_chunks="0"><tb id="0" send="0" recv="-1" chan="0">' \
    '<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu>' \
    '<gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0"><tb id="0" send="-1" recv="1" chan="0">' \
    '<step s="0" type="r" srcbuf="i" srcoff="-1" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/></tb></gpu></algo>' \
    >"$work/a.xml"
run 'a broadcast from gpu 1' --topology 2 --root 1
refused 'gpu 0, output chunk 0' --topology 2
edit 's/broadcast/reduce/' # it does not sum
refused 'gpu 0, output chunk 0, last written by gpu 0, tb 0, step 0: found no input chunk 0 of gpu 0 in it' --topology 2

# ---- who would wait for ever ---------------------------------------------------------------------------------

make allgather-all-pairs 2
edit '/gpu id="0"/,/<\/gpu>/{s/type="s"/type="x"/;s/type="r"/type="s"/;s/type="x"/type="r"/}' # it hears first
cp "$work/a.xml" "$work/b.xml"
step 0 0 0 's/dstbuf="o" dstoff="0"/dstbuf="o" dstoff="1"/'
run 'one hears first' --topology 2
edit '/gpu id="1"/,/<\/gpu>/{s/type="s"/type="x"/;s/type="r"/type="s"/;s/type="x"/type="r"/}'
refused 'found a circle of steps that wait for each other: ' --topology 2
grep -qF 'gpu 0, tb 0, step 0 (line' "$work/err" && grep -qF 'gpu 1, tb 0, step 1 (line' "$work/err"
verdict $? "the circle is named: $(cat "$work/err")"
steps
step 0 0 3 's/hasdep="1"/hasdep="0"/'
refused "gpu 0, tb 2, step 0: found depid='0' deps='3', where neither that step nor a later one has hasdep='1'" \
    --topology 2x2
steps
step 0 2 0 's/deps="3"/deps="4"/'
refused "gpu 0, tb 2, step 0: found depid='0' deps='4', expected a step of another tb of its gpu" --topology 2x2
ring
step 3 0 6 '/r"/d'
refused 'gpu 2, tb 0, step 5: found a message to gpu 3 on channel 0 that is never received' --topology 4
make alltoall-two-step 2 2
step 2 2 2 's/cnt="2"/cnt="1"/'
refused "gpu 2, tb 2, step 2: found cnt='1', expected '2', which gpu 0, tb 2, step 1" --topology 2x2
make allreduce-ring 4 4
edit 's/chan="2"/chan="0"/'
refused 'gpu 0: found tb 0 and tb 2, which both send to gpu 1 on channel 0' --topology 4

# ---- what does not fit -----------------------------------------------------------------------------------------

ring
refused "a.xml:2:1: algo: found ngpus='4', expected 8: the NPUs of --topology 8x1x1" --topology 8
refused "--size: found 1000 bytes, expected a multiple of 16, such as 1008: 4 chunks" --topology 4 --size 1000
refused '--root: found it with coll=' --topology 4 --root 1
refused '--rung: found calibrated, expected cycle or rtl' --topology 4 --rung calibrated
refused "--loops: found '0', expected 1 to 1024" --topology 4 --loops 0
refused "unrecognized option '--algorithm'" --topology 4 --algorithm ring
edit 's/inplace="1"/inplace="1" minBytes="1024" maxBytes="4096"/'
refused "expected minBytes='1024' to maxBytes='4096'" --topology 4 --size 8KiB
wrong() { # TEXT EXPRESSION: of a ring of four
    ring
    edit "$2"
    refused "$1" --topology 4
}
wrong "a.xml:5:7: step: found type='ra', expected s, r, cpy, re, rcs, rrc, rrs, rrcs or nop" '5s/type="s"/type="ra"/'
wrong "a.xml:4:5: tb: found send='4', expected a whole number from -1 to 3" '4s/send="1"/send="4"/'
wrong "a.xml:4:5: tb: found send='0', the GPU itself" '4s/send="1"/send="0"/'
wrong "step: found type='s' in a tb of send='-1'" '4s/send="1"/send="-1"/'
wrong "a.xml:5:7: step: found chunks 9 to 9 of buffer i (srcoff), expected some of its 4" '5s/srcoff="0"/srcoff="9"/'
wrong "a.xml:5:7: step: found attribute 'sroff', expected those of MSCCL's XML; did you mean 'srcoff'?" '5s/srcoff/sroff/'
wrong "a.xml:6:7: step: found s='2', expected '1'" '6s/ s="1"/ s="2"/'
wrong "a.xml:5:7: step: found no cnt, expected a whole number from 1" '5s/cnt="1"//'
wrong "a.xml:5:7: step: found depid='0' and deps='-1'" '5s/depid="-1"/depid="0"/'
wrong "gpu: found i_chunks='3', expected 4 or 0" '3s/i_chunks="4"/i_chunks="3"/'
wrong "a.xml:2:1: algo: found coll='gather', expected allreduce, allgather" '2s/allreduce/gather/'
wrong "a.xml:14:3: gpu: found id='0' again (line 3)" '14s/id="1"/id="0"/'
wrong "a.xml:2:1: algo: found no gpu of id='3'" '/gpu id="3"/,/<\/gpu>/d'
wrong "found element 'copy', expected step" '5s/<step /<copy /'
wrong "a.xml:5:7: step: found cnt='99999'" '5s/cnt="1"/cnt="99999"/'
wrong 'found text, expected elements' '5s/$/ text/'
wrong 'found a document type, expected none' '1s/.*/<!DOCTYPE algo [ <!ENTITY a "b"> ]>/'
wrong 'found mismatched tag, expected XML' '12s/.*//'
wrong 'found no element found, expected XML' 'd'
rm "$work/a.xml"
refused 'No such file' --topology 4

# ---- plans of MSCCL++, in JSON --------------------------------------------------------------------------
# Two GPUs of two chunks: each reads the other's half, adds, and writes the sum back; by puts through scratch; by packets.
plan() { # OPERATIONS: of each GPU, OWN and OTHER its halves; the other's input is buffer 0, its scratch 1
    python3 -B - "$1" >"$work/a.xml" <<'END'
import json, re, sys
head = {"name": "pair", "collective": "allreduce", "protocol": "Simple", "inplace": True, "buffer_alignment": 16}
gpus = []
for own in (0, 1):
    ops = [json.loads(o) for o in sys.argv[1].replace("OWN", str(own)).replace("OTHER", str(1 - own)).split("\n") if o]
    gpus.append({"id": own, "input_chunks": 2, "output_chunks": 2, "scratch_chunks": 2, "semaphores": [],
                 "channels": [{"channel_type": "memory", "connected_to": [1 - own]}],
                 "remote_buffers": [{"rank": 1 - own, "type": t, "access_channel_types": ["memory"]} for t in "is"],
                 "threadblocks": [{"id": 0, "ops": ops, "channels": [{"channel_type": "memory", "channel_ids": [0]}],
                                   "remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0, 1]}]}]})
print(json.dumps({**head, "gpus": gpus}, indent=1))
END
}
op() { # NAME SOURCES DESTINATIONS
    printf '{"name": "%s", "channel_type": "memory", "src_buff": [%s], "dst_buff": [%s]}\n' "$@"
}
at() { printf '{"type": "%s", "index": %s, "size": 1}' "$@"; }         # BUFFER INDEX
far() { printf '{"buffer_id": %s, "index": %s, "size": 1}' "$@"; }     # BUFFER INDEX
told() { printf '{"name": "%s", "channel_type": "memory", "channel_ids": [0]}\n' "$1"; } # signal or wait
both=$(told signal; told wait)
way() { # TEXT MESSAGES BYTES: of both, and of one
    run "$1" --topology 'FullyConnected(2)' --size 64KiB
    equal "$(of messages)" "$2" "$1: messages"
    equal "$(of most_bytes_sent_by_npu)" "$3" "$1: bytes of an NPU"
}
half=$((65536 / 2))
reads=$(op rres "$(at i OWN), $(far 0 OWN)" "$(at i OWN), $(far 0 OWN)")
plan "$both
$reads
$both"
way 'reads and writes' $((2 * (1 + 1 + 1 + 1 + 1))) $((2 * half)) # signals, a question, its answer, the sum
msccl --topology 'FullyConnected(2)' --size 64KiB --endpoint ideal --quiet
verdict $? "the ideal endpoint: $(head -n 2 "$work/err")"
puts=$(op put "$(at i OTHER)" "$(far 1 OTHER)")
sums=$(op res "$(at i OWN), $(at s OWN)" "$(at i OWN), $(far 0 OWN)")
plan "$puts
$both
$sums
$both"
way 'puts and signals' $((2 * 4)) $((2 * half))
plan "$(op ppkt "$(at i OTHER)" "$(far 1 OTHER)")
$(op respkt "$(at i OWN), $(at s OWN)" "$(at i OWN), $(far 1 OWN)")
$(op upkt "$(at s OTHER)" "$(at i OTHER)")"
way 'packets both ways' $((2 * 2)) $((2 * half))
plan "$(op ppkt "$(at i OTHER)" "$(far 1 OTHER)")
$(op ppkt "$(at i OTHER)" "$(far 1 OTHER)")
$(op repkt "$(at i OWN), $(at s OWN)" "$(at i OWN)")"
refused 'found packets in chunks that are written several times' --topology 'FullyConnected(2)' --size 64KiB
plan "$(op ppkt "$(at i OTHER)" "$(far 1 OTHER)")
$(op repkt "$(at i OWN), $(at s OWN)" "$(at i OWN)")
$(told signal)
$(told wait)
$(op put "$(at i OWN)" "$(far 0 OWN)")"
way 'packets and a put' $((2 * 3)) $((2 * half))
plan "$puts
$sums
$both"
refused 'found that it reads what gpu ' --topology 'FullyConnected(2)' --size 64KiB # no signal
plan "$puts
$both
$sums
$(told wait)"
refused 'found a wait for a signal that is never given' --topology 'FullyConnected(2)' --size 64KiB
plan "$puts
$both
$(op re "$(at i OWN), $(at s OWN)" "$(at i OWN)")
$both"
refused 'output chunk' --topology 'FullyConnected(2)' --size 64KiB # a sum that nobody hands over
plan "$(told wait)
$puts
$(told signal)
$sums"
refused 'circle' --topology 'FullyConnected(2)' --size 64KiB # both wait first
plan '{"name": "pipeline", "iter_context": {"unit_size": 4, "num_chunks": 1}, "ops": []}'
refused "found operation 'pipeline', expected operations that go one by one" --topology 'FullyConnected(2)'
plan "$(op put "$(at i OTHER)" "$(far 2 OTHER)")"
refused 'found a buffer_id that the block has not' --topology 'FullyConnected(2)'
plan "$(op copy "$(at i 2)" "$(at s 0)")"
refused 'found chunks behind the end of their buffer' --topology 'FullyConnected(2)'

echo "msccl: $passed passed, $failed failed"
[ $failed -eq 0 ]
