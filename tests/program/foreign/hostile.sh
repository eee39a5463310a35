#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Other people's files and machines: traces with a root, machines without threads, two runs that write to one
# place, deep files, bytes that are no UTF-8.  The program gives the right numbers or refuses in words, and
# nothing takes for ever.
#
#   SEEDS='7 8' tests/program/foreign/hostile.sh     traces of those seeds
. tests/program/workload/chakra/traces.sh

ends() { # STATUS TEXT WHAT COMMAND...: that status in 30 s, and the text on stderr
    local status=$1 text=$2 what=$3 found
    shift 3
    timeout 30 "$@" >"$work/out" 2>"$work/err" </dev/null
    found=$?
    [ $found -eq "$status" ] && { [ -z "$text" ] || grep -qF -- "$text" "$work/err"; }
    verdict $? "$what: status $found, expected $status and '$text', got: $(head -n 2 "$work/err")"
}

# ---- traces: who stands for all ---------------------------------------------------------------------
fold_and_off() { # WHAT ARGUMENTS...: the same with and without folding; what folding said in $fold
    local what=$1
    shift
    astra "$@"
    verdict $? "$what: $(grep -v 'has no effect here' "$work/err" | head -n 1)"
    fold=$(sed -nE 's/.*; folding: (.*)/\1/p' "$work/out")
    grep -v folding: "$work/out" >"$work/auto"
    astra "$@" --fold off
    grep -v folding: "$work/out" >"$work/off"
    [ -s "$work/off" ] && cmp -s "$work/auto" "$work/off"
    verdict $? "$what ($fold): $(diff "$work/auto" "$work/off" | head -n 3)"
}
root='none: a root has work of its own, and each node its own way to it'
echo '{"scheduling-policy": "LIFO"}' >"$work/sys.json"
for shape in 'Ring 2' 'Ring 4' 'Ring,Ring 4,2' 'Switch 4' 'FullyConnected 3'; do
    read -r wiring sizes <<<"$shape"
    network "${wiring//,/, }" "${sizes//,/, }"
    everyone $((${sizes//,/*})) "$(collective 0 '' 5 65536)"
    fold_and_off "a broadcast on $shape"
    same "$fold" "$root" "a broadcast on $shape"
done
network Ring 2
everyone 2 "$(collective 0 '' 5 65536)"
fold_and_off 'a broadcast at the ideal endpoint' --endpoint ideal
same "$fold" "$root" 'a broadcast at the ideal endpoint'
same "$(sed -nE 's/.* finished, ([0-9]+) cycles.*/\1/p' "$work/auto" | sort -u | wc -l)" 2 'the root and the other end at their own times'
# software has no lists of transfers: what would be one are messages
for endpoint in comm-opt no-overlap; do
    fold_and_off "a broadcast at $endpoint" --endpoint $endpoint
    grep -q '3 messages' "$work/out"
    verdict $? "a broadcast at $endpoint: of two parts, the root sends one that comes back around"
done
everyone 2 "$(collective 0 '' 9 0)"
fold_and_off 'a barrier at comm-opt' --endpoint comm-opt
for seed in ${SEEDS:-$(seq 1 12)}; do
    rm -f "$work"/t.*.et
    drawn=$(python3 tests/program/foreign/random_alike.py "$seed" "$work")
    endpoints=(ace ideal comp-opt)
    fold_and_off "seed $seed: $drawn" --endpoint "${endpoints[seed % 3]}"
    [[ "$drawn" != *rooted* || "$fold" == none:* ]]
    verdict $? "seed $seed: $drawn has a root, and folding is $fold"
done
# a barrier moves no bytes
network Ring 2
for size in -1 9223372036854775807; do
    rm -f "$work"/t.*.et
    trace t.0.et "$(node 0 7 '' 0 "$(attribute comm_type 9 9)" \
        "$(bytes 10 "$(text 1 comm_size)$(varint $((9 << 3)))$([ $size = -1 ] && echo ffffffffffffffffff01 || echo ffffffffffffffff7f)")")"
    cp "$work/t.0.et" "$work/t.1.et"
    refused "comm_size" --quiet
done

# ---- threads ------------------------------------------------------------------------------------------
no_threads=$(dirname "$acesim")/tests/libno_threads.so
rtl=(collective all-reduce --topology 2x2 --rung rtl --fold off --size 4KiB --quiet)
[ -e "$no_threads" ]
verdict $? "$no_threads is not built"
ends 0 '' 'RTL with one thread starts no other' env LD_PRELOAD="$no_threads" "$acesim" "${rtl[@]}" --threads 1
ends 1 '--threads: found room for 2 threads' 'RTL without room for threads' \
    env LD_PRELOAD="$no_threads" NO_THREADS=1 "$acesim" "${rtl[@]}" --threads 4

# With too little memory a node is refused, wherever the RTL asks for it.  AddressSanitizer takes terabytes of addresses.
grep -q __asan_init "$acesim" || for limit in 60000 80000 100000 120000 140000 160000; do
    (ulimit -v $limit && exec "$acesim" collective all-reduce --topology 4x4 --rung rtl --fold off --size 4KiB --quiet --threads 1) \
        >"$work/out" 2>"$work/err"
    found=$?
    [ $found -eq 0 ] || { [ $found -eq 1 ] && grep -q 'out of memory' "$work/err"; }
    verdict $? "RTL in $limit KiB: status $found, $(head -n 1 "$work/err")"
done

# ---- two runs that write to one place ---------------------------------------------------------------
both() { # OPTION PLACE: two runs at a time; their status in $first and $second
    "$acesim" collective all-reduce --topology 4x4 --size 1MiB --fold off --quiet "$1" "$2" >"$work/first" 2>&1 &
    local one=$!
    "$acesim" collective all-to-all --topology 4x2 --size 256KiB --fold off --quiet "$1" "$2" >"$work/second" 2>&1
    second=$?
    wait $one
    first=$?
}
for option in --output --record; do # a folder that another program has taken
    mkdir "$work/taken"
    exec 9<"$work/taken"
    flock 9
    ends 2 "$work/taken: found another run that writes its files there" "$option of two runs" \
        "$acesim" collective all-reduce --topology 2 $option "$work/taken"
    exec 9<&-
    [ -z "$(ls "$work/taken")" ]
    verdict $? "$option of two runs leaves $(ls "$work/taken")"
    ends 0 '' "$option when the other is over" "$acesim" collective all-reduce --topology 2 $option "$work/taken"
    rm -r "$work/taken"
done
for round in 1 2; do
    both --output "$work/d"
    kind=$(sed -nE 's/^\t"kind":\t"(.*)",/\1/p' "$work/d/result.json")
    named=$(grep -oE '"name":"(all-reduce|all-to-all)' "$work/d/timeline.json" | sort -u | cut -d '"' -f 4)
    case $first$second in # the second may begin when the first is over
    00) [ -n "$kind" ] && [ "$kind" = "$named" ] ;;
    02) [ "$kind" = all-reduce ] && [ "$named" = all-reduce ] ;;
    20) [ "$kind" = all-to-all ] && [ "$named" = all-to-all ] ;;
    *) false ;;
    esac
    verdict $? "two runs with one --output, round $round: status $first and $second, $kind beside $named: $(grep -h acesim: "$work/first" "$work/second")"
    both --timeline "$work/timeline"
    [ $first -eq 0 ] && [ $second -eq 0 ] && python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$work/timeline" &&
        [ -z "$(find "$work" -name '*.part')" ]
    verdict $? "two runs with one --timeline, round $round: status $first and $second: $(grep -h acesim: "$work/first" "$work/second")"
done

# ---- files that are deep --------------------------------------------------------------------------------
python3 - "$work" <<'END'
import sys
for name, text in (("flow", "[" * 100000), ("map", "{a: " * 50000), ("block", "- " * 50000),
                   ("key", "topology: " + "[" * 101 + "]" * 101 + "\n"), ("json", '{"1": ' + "[" * 100000)):
    open(f"{sys.argv[1]}/{name}.yaml", "w").write(text)
END
deep='found lists and mappings more than 100 levels deep'
for name in flow map block key; do
    ends 2 "$name.yaml:1:" "a cluster of $name" "$acesim" run "$work/$name.yaml" workloads/resnet50.yaml
    grep -qF "$deep" "$work/err"
    verdict $? "$name: $(head -n 1 "$work/err")"
done
ends 2 "flow.yaml:1:101: $deep" 'a deep workload' "$acesim" run workloads/clusters/torus-4x2x2.yaml "$work/flow.yaml"
ends 2 "flow.yaml:1:101: $deep" 'a deep sweep' "$acesim" sweep "$work/flow.yaml"
ends 2 "flow.yaml:1:101: $deep" 'a deep graph' "$acesim" convert --graph "$work/flow.yaml" --output "$work/g"
ends 2 "map.yaml:1:401: $deep" 'a deep plan' "$acesim" msccl "$work/map.yaml"
everyone 2 "$(collective 0 '' 0 65536)"
ends 2 'json.yaml: found' 'deep groups' "$acesim" astra --workload-configuration "$work/t" \
    --system-configuration "$work/sys.json" --network-configuration "$work/net.yml" \
    --remote-memory-configuration "$work/mem.json" --comm-group-configuration "$work/json.yaml"
ends 2 'what is not JSON' 'a deep result' "$acesim" report "$work/json.yaml"
# anchors, aliases and 100 levels are as they were
printf 'a: &x [%s]\ntopology: *x\n' "$(printf '[%.0s' {1..98})$(printf ']%.0s' {1..98})" >"$work/anchor.yaml"
ends 2 "unknown key 'a'" 'a hundred levels' "$acesim" run "$work/anchor.yaml" workloads/resnet50.yaml
printf 'topology: *none\n' >"$work/anchor.yaml"
ends 2 'anchor.yaml:1:11: found undefined alias' 'an alias of nothing' "$acesim" run "$work/anchor.yaml" workloads/resnet50.yaml

# ---- bytes that are no UTF-8 ---------------------------------------------------------------------------
"$acesim" collective all-reduce --topology 2 --size 4KiB --quiet --format json >"$work/good.json"
is_text() { # FILE: of UTF-8, with what stands for two bytes that were none
    python3 - "$1" <<'END'
import sys
assert "all-\ufffd\ufffdreduce" in open(sys.argv[1], "rb").read().decode("utf-8")
END
}
sed "s/all-reduce/all-$(printf '\377\376')reduce/" "$work/good.json" >"$work/bad.json"
"$acesim" diff --format json "$work/good.json" "$work/bad.json" >"$work/diff.json" 2>"$work/err"
is_text "$work/diff.json" && python3 -m json.tool "$work/diff.json" >"$work/out"
verdict $? "a difference as JSON is no UTF-8: $(head -n 1 "$work/err")"
"$acesim" diff --format csv "$work/good.json" "$work/bad.json" >"$work/diff.csv" 2>"$work/err"
is_text "$work/diff.csv"
verdict $? 'a difference as CSV is no UTF-8'
"$acesim" report "$work/bad.json" --output "$work/page.html" >"$work/out" 2>"$work/err"
is_text "$work/page.html"
verdict $? "a page is no UTF-8: $(head -n 1 "$work/err")"
layer=$(printf 'all-\300\200reduce') # NUL as two bytes, which UTF-8 does not have
printf 'DATA\n1\n%s -1 100 NONE 0 100 NONE 0 100 ALLREDUCE 4096 100\n' "$layer" >"$work/$layer.txt"
"$acesim" run workloads/clusters/torus-4x2x2.yaml "$work/$layer.txt" --quiet --format json --timeline "$work/timeline" \
    >"$work/layers.json" 2>"$work/err"
verdict $? "a layer of no UTF-8: $(head -n 1 "$work/err")"
for file in layers.json timeline; do
    is_text "$work/$file"
    verdict $? "$file is no UTF-8"
done

# ---- messages --------------------------------------------------------------------------------------------
refused_by=(rtl build --name never)
refused() { # TEXT ARGUMENTS...
    ends 2 "$1" "acesim ${refused_by[*]} ${*:2}" "$acesim" "${refused_by[@]}" "${@:2}"
}
refused 'from 64 to 4096' --parameters BANK_ROWS=63
refused 'from 64 to 4096' --parameters BANK_ROWS=4097
refused "found 'FSMS=16', expected each parameter once" --parameters FSMS=8 FSMS=16
refused "found 'payload=1', expected each parameter once" --parameters PAYLOAD=0 payload=1
refused "found 'FSMS=0x8'" --parameters FSMS=0x8
refused "found 'FSMS=010'" --parameters FSMS=010
: >"$work/file"
ends 2 "found $work/file/rtl, where no folder can be made (Not a directory)" 'a cache that cannot be' \
    env ACESIM_RTL="$work/file/rtl" "$acesim" rtl build
[ "$(wc -l <"$work/err")" -eq 1 ]
verdict $? "a cache that cannot be: $(cat "$work/err")"
ends 2 'found no folder for RTL that is built' 'no HOME' env -u HOME -u XDG_CACHE_HOME -u ACESIM_RTL "$acesim" \
    collective all-reduce --topology 2 --rung rtl --rtl mine
[ "$(wc -l <"$work/err")" -eq 1 ] && ! grep -q 'expectedacesim' "$work/err"
verdict $? "no HOME: $(cat "$work/err")"
mkfifo "$work/fifo"
ends 2 "--rtl: found '$work/fifo'" 'RTL of a FIFO' "$acesim" collective all-reduce --topology 2 --rung rtl --rtl "$work/fifo"
for option in --output --record; do
    ends 2 "$work/file: Not a directory" "$option that is a file" "$acesim" collective all-reduce --topology 2 $option "$work/file"
    ends 2 '/sys/acesim: ' "$option where nobody may write" "$acesim" collective all-reduce --topology 2 $option /sys/acesim
    ! grep -q 'No such file' "$work/err"
    verdict $? "$option where nobody may write: $(head -n 1 "$work/err")"
done
# SQLite says that it cannot open a database; the system says why not. Root may write everywhere but in /sys.
ends 2 '/sys/acesim.sqlite: Permission denied' 'a database where nobody may write' \
    "$acesim" sweep workloads/sweeps/chunk-and-fsms.yaml --database /sys/acesim.sqlite
ends 2 "$work/none/x.sqlite: No such file or directory" 'a database in no folder' \
    "$acesim" sweep workloads/sweeps/chunk-and-fsms.yaml --database "$work/none/x.sqlite"
ends 0 '1000 of 1000 cycles' 'the progress of lockstep' "$acesim" lockstep --cycles 1000

echo "hostile: $passed passed, $failed failed"
[ $failed -eq 0 ]
