#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# readers.sh [ACESIM] -- files of ASTRA-sim, Chakra and PyTorch as other people write them: networks of 1.0 with few
# keys, dimensions beyond engines, links of milliseconds, ranks on listed links, groups inside traces, layer tables of
# every word.  Right values are closed forms, another file that says the same, or a reader of its own.
. "$(dirname "$0")/../begin.sh"
in=tests/program/foreign/inputs
tables=workloads/astra-sim
memory=$in/npus-beyond-128/no_memory.json

lines() { grep -v '^\[acesim\]' "$work/out"; } # of ranks
astra() { # SYSTEM NETWORK PREFIX OPTIONS...: status 0, lines of ranks on stdout
    local system=$1 network=$2 prefix=$3
    shift 3
    "$acesim" astra --workload-configuration "$prefix" --system-configuration "$system" --network-configuration "$network" \
        --remote-memory-configuration "$memory" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err" >&2; return 1; }
}
end_of() { sed -n "s/.*sys\[$1\] finished, \([0-9]*\) cycles.*/\1/p" "$work/out"; } # RANK
last() { sed -n 's/.* finished, \([0-9]*\) cycles.*/\1/p' "$work/out" | sort -n | tail -n 1; }
traces() { # PREFIX RANKS: a node on standard input, the same for all
    { printf 'ranks: 1\n'; rank 0; } | "$acesim" convert --graph - --output "$1.all" 2>"$work/err" || { cat "$work/err" >&2; return 1; }
    python3 -c 'import os, sys
for i in range(int(sys.argv[2])): os.symlink(sys.argv[1] + ".all.0.et", f"{sys.argv[1]}.{i}.et")' "$1" "$2"
}
node() { # ID TYPE ATTRIBUTES...
    printf -- '---\nid: %s\nname: "n"\ntype: %s\nattr:\n- {name: "is_cpu_op", bool_val: false}\n' "$1" "$2"
    shift 2
    printf -- '- {name: %s}\n' "$@"
}
rank() { # NUMBER: its nodes on standard input
    local nodes
    nodes=$(cat)
    printf -- '---\nrank: %s\nnodes: %s\n---\nversion: "0.0.4"\n%s\n' "$1" "$(grep -c '^id:' <<<"$nodes")" "$nodes"
}
written() { # PREFIX: a graph on standard input, as traces
    "$acesim" convert --graph - --output "$1" 2>"$work/err" || { cat "$work/err" >&2; return 1; }
}
reduce() { node 0 COMM_COLL_NODE '"comm_type", int64_val: 0' "\"comm_size\", int64_val: $1"; } # BYTES

# ---- networks of 1.0: the keys that are missing are 0 ---------------------------------------------------
one=$in/network-1.0-without-a-name
cluster_of() { # NETWORK
    "$acesim" convert --network-configuration "$1" --system-configuration "${2:-$one/system.txt}" 2>"$work/err" | tail -n +2
}
same "$(cluster_of $one/network.json)" "$(cluster_of $one/with-all-keys.json)" 'six keys of 1.0'
sed 's/ring_direct/direct/; s/direct_direct/direct/' $one/system.txt >"$work/system.txt"
all() { # TYPE UNITS LINKS LATENCY BANDWIDTH ROUTER: a network of all keys
    printf '{ "topology-name": "Hierarchical", "topologies-per-dim": ["%s"], "dimension-type": ["N"], "dimensions-count": 1,
"units-count": [%s], "links-count": [%s], "link-latency": [%s], "link-bandwidth": [%s], "nic-latency": [0],
"router-latency": [%s], "hbm-latency": [0], "hbm-bandwidth": [0], "hbm-scale": [0] }\n' "$@" >"$work/all.json"
}
while IFS='|' read -r form text; do # on one line, without dimensions-count, in another order; with one key more; as YAML
    # shellcheck disable=SC2086
    all $form
    printf '%b\n' "$text" >"$work/few.json"
    same "$(cluster_of "$work/few.json" "$work/system.txt")" "$(cluster_of "$work/all.json" "$work/system.txt")" "1.0 as $text"
done <<'E2'
FullyConnected 8 7 500 25 0|{"units-count": [8], "links-count": [7], "link-bandwidth": [25], "link-latency": [500], "topologies-per-dim": ["FullyConnected"]}
Switch 4 1 500 25 10|{ "router-latency": [10], "topologies-per-dim": ["Switch"], "units-count": [4], "links-count": [1], "link-latency": [500], "link-bandwidth": [25] }
Switch 16 6 500 6.25 0|# as dgx2 of a tutorial\ntopologies-per-dim: [Switch]\nunits-count: [16]\nlinks-count: [6]\nlink-latency: [500]\nlink-bandwidth: [6.25]
E2
refused_by=(convert --system-configuration "$one/system.txt" --network-configuration)
printf '{ "topologies-per-dim": ["Ring"], "links-count": [2], "link-latency": [1], "link-bandwidth": [1] }\n' >"$work/n.json"
refused "n.json:1:1: found a mapping without it, expected the key 'units-count'" "$work/n.json"
printf 'topology: [Ring, Ring]  # "topology-name": no key\nnpus_count: [4, 2]\nbandwidth: [50, 50]\n' >"$work/n.yml"
refused "expected the key 'latency'" "$work/n.yml"

# ---- dimensions of more members than engines have -------------------------------------------------------
big=$in/npus-beyond-128
net() { printf 'topology: [%s]\nnpus_count: [%s]\nbandwidth: [150]\nlatency: [500]\n' "$@" >"$work/net.yml"; }
expected() { # BLOCK N CHUNKS: of ring or direct, chunks of 1 MiB, 10 ns an end, 1600 GB/s of memory
    python3 - "$@" <<'END'
import sys
block, n, chunks = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
hops, e, m = {"Ring": 1, "FullyConnected": 1, "Switch": 2}[block], 10, (1 << 20) // n
net, red = int(hops * 500 + m / (150 * 1.073741824)), 3 * (m // 1600)
chunk = 2 * (n - 1) * net + (2 * n - 1) * e + (n - 1) * red if block == "Ring" else 2 * net + 3 * e + red
print(chunks * chunk)
END
}
sed 's/"direct"/"ring"/' $big/direct.json >"$work/ring.json"
compat() { # N CHUNKS
    reduce $(($2 << 20)) | traces "$work/big$1" "$1"
    for block in Ring Switch FullyConnected; do
        net $block "$1"
        system=$big/direct.json
        [ $block = Ring ] && system=$work/ring.json
        sed "s/-splits\": 8/-splits\": $2/" "$system" >"$work/splits.json"
        astra "$work/splits.json" "$work/net.yml" "$work/big$1" --compat 2
        same "$(last)" "$(expected $block "$1" "$2")" "$1 NPUs of a $block, --compat 2"
    done
}
compat 256 8
compat 1024 1
net Switch 256
refused_by=(astra --workload-configuration "$work/big256" --system-configuration "$big/direct.json" --remote-memory-configuration "$memory" --network-configuration)
refused "net.yml:2:14: found '256', expected 2 to 64 NPUs of a Switch on engines; --rung calibrated takes 512, --compat 2 takes more" "$work/net.yml"
refused "switch-256.yml:3:15: found '256', expected 2 to 64 NPUs of a Switch" $big/switch-256.yml --endpoint ideal
net Ring 256
refused "net.yml:2:14: found '256', expected 2 to 128 NPUs of a Ring on engines" "$work/net.yml"
net Ring 1024
refused "net.yml:2:14: found '1024', expected 2 to 512 NPUs of a Ring on the rung calibrated; --compat 2 takes more" "$work/net.yml" --rung calibrated
printf 'topology: [Ring, Ring]\nnpus_count: [4096,\n  1024]\nbandwidth: [1, 1]\nlatency: [1, 1]\n' >"$work/n.yml"
refused 'n.yml:3:3: found 4194304 NPUs in 2 dimensions, expected 1048576 at most' "$work/n.yml" --compat 2
printf 'topology: [FullyConnected]\nnpus_count: [256]\nbandwidth: [0.5]\nlatency: [500]\n' >"$work/full.yml"
net Ring 256
mv "$work/net.yml" "$work/round.yml"
net Switch 256
for network in round full net; do # the file's dimension is taken; a calibration is all that is missing
    refused_by=(astra --workload-configuration "$work/big256" --remote-memory-configuration "$memory" --rung calibrated)
    system=$big/direct.json
    [ $network = round ] && system=$work/ring.json
    echo "{ $(sed -n 's/.*\("all-reduce-implementation": \[[^]]*\]\).*/\1/p' "$system") }" >"$work/one.json"
    refused 'found no file, expected --calibration FILE' --network-configuration "$work/$network.yml" --system-configuration "$work/one.json"
    same "$(cluster_of "$work/$network.yml" "$work/one.json" | grep -c '^topology:.*256')" 1 "a cluster file of $network.yml"
done
echo '{ "all-reduce-implementation": ["ring"] }' >"$work/one.json"
cluster_of "$work/round.yml" "$work/one.json" >"$work/round.yaml"
"$acesim" calibrate "$work/round.yaml" --rung cycle --quick --points 24 --output "$work/round.cal" --jobs 2 --quiet >"$work/table" 2>"$work/err"
verdict $? "calibrate Ring(256): $(cat "$work/err")"
astra "$work/one.json" "$work/round.yml" "$work/big256" --rung calibrated --calibration "$work/round.cal" >"$work/why" 2>&1
# The exact engine takes 542,723 cycles on 64 members and twice that on 128: steps of one row a member, one behind
# the other.  256 take twice those of 128, within a tenth.
exact=$("$acesim" collective all-reduce --topology 128 --size 8MiB --link-bandwidth 161.06GB/s --link-latency 500 \
    --link-efficiency 1 --clock 1GHz --quiet --format json | sed -nE 's/^\t"cycles":\t([0-9]+),/\1/p')
python3 -c 'import sys
sys.exit(not 1.8 < float(sys.argv[1] or 0) / float(sys.argv[2]) < 2.2)' "$(last)" "$exact"
verdict $? "an all-reduce of 8 MiB on Ring(256), rung calibrated: $(last), $(cat "$work/why")"
net Switch 1024
refused_by=(convert --system-configuration "$big/direct.json" --network-configuration)
refused "net.yml:2:14: found '1024', expected 2 to 512 NPUs of a Switch on a cluster; acesim astra --compat 2 takes more" "$work/net.yml"

# ---- links of milliseconds ------------------------------------------------------------------------------
wan=$in/wan-latency/two-centres.yml
sed 's/"direct"/"ring", "ring"/g' $big/direct.json >"$work/ring2.json"
refused_by=(convert --system-configuration "$work/ring2.json" --network-configuration)
refused 'two-centres.yml:5:18: found 30000000, expected at most 1000000 cycles' $wan
cat >"$work/n.json" <<'END'
{ "topologies-per-dim": ["Ring"], "units-count": [4], "links-count": [2], "link-bandwidth": [1],
  "link-latency": [2000000] }
END
echo '{ "all-reduce-implementation": ["ring"] }' >"$work/one.json"
refused_by=(convert --system-configuration "$work/one.json" --network-configuration)
refused 'n.json:2:20: found 2000000, expected at most 1000000 cycles' "$work/n.json"
refused 'n.json:2:20: found 4000000, expected at most 1000000 cycles' "$work/n.json" --clock 2GHz
send() { node 0 COMM_SEND_NODE '"comm_size", int64_val: 1048576' "\"comm_dst\", int32_val: $1" '"comm_tag", int32_val: 0'; }
receive() { node 0 COMM_RECV_NODE '"comm_size", int64_val: 1048576' "\"comm_src\", int32_val: $1" '"comm_tag", int32_val: 0'; }
message() { # PREFIX RANKS FROM TO: of 1 MiB
    {
        printf 'ranks: %s\n' "$2"
        for ((i = 0; i < $2; i++)); do
            { [ $i -ne "$3" ] || send "$4"; [ $i -ne "$4" ] || receive "$3"; } | rank "$i"
        done
    } | written "$1"
}
message "$work/far" 4 1 3
refused_by=(astra --workload-configuration "$work/far" --system-configuration "$work/ring2.json" --remote-memory-configuration "$memory" --network-configuration)
refused 'two-centres.yml:5:18: found 30000000, expected at most 1000000 cycles on wires; acesim astra takes more with --endpoint ideal' $wan
near() { # FOUND RIGHT TEXT: a thousandth apart at most
    python3 -c 'import sys; a, b = map(float, sys.argv[1:]); sys.exit(not abs(a - b) <= b / 1000)' "${1:-nan}" "$2"
    verdict $? "$3: found $1, expected about $2"
}
astra "$work/ring2.json" $wan "$work/far" --endpoint ideal
[ "$(last)" -gt 30000000 ] && [ "$(last)" -lt "$(python3 -c 'print(int(30e6 + 1.01 * (1 << 20) / (1.164 * 1.073741824)))')" ]
verdict $? "a message over 30 ms on the ideal endpoint: $(last)"
reduce 4096 | traces "$work/wan" 4
astra "$work/ring2.json" $wan "$work/wan" --endpoint ideal
[ "$(last)" -gt 60000000 ] && [ "$(last)" -lt 60100000 ]
verdict $? "an all-reduce over 30 ms, there and back: $(last)"
refused_by=(collective all-reduce --topology 2x2 --size 1MiB --link-latency)
refused "acesim: --link-latency: found '5000,30000000', expected at most 1000000 cycles on wires; --endpoint ideal takes more" 5000,30000000
"$acesim" collective all-reduce --topology 2x2 --size 4KiB --algorithm ring --link-latency 5000,30000000 --endpoint ideal --format json >"$work/out" 2>"$work/err"
near "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["cycles"])' "$work/out")" 60010000 'the same of acesim collective'

# ---- ranks on listed links are nodes of the file --------------------------------------------------------
links=$in/links-ranks-renumbered
"$acesim" convert --graph $links/send.yaml --output "$work/send" 2>"$work/err"
(cd $links && cp ./*.yml ./*.yaml "$work")
at() { # NETWORK PREFIX OPTIONS...: with the links' files at hand
    local network=$1 prefix=$2
    shift 2
    (cd "$work" && astra "$OLDPWD/$links/system.json" "$network" "$prefix" "$@")
}
memory=$PWD/$memory
at network-with-order.yml "$work/send"
with=$(end_of 9)
[ "$with" -ge 83886 ]
verdict $? "1 MiB over 12.5 GB/s takes $with ns, expected 83886 at least"
at network.yml "$work/send"
same "$(end_of 9)" "$with" 'rank 9 of links without an order'
same "$(lines | wc -l)" "$((4 * 10))" 'a line of each rank'
for pair in '3 7' '5 2'; do
    # shellcheck disable=SC2086
    message "$work/pair" 10 $pair
    at network-with-order.yml "$work/pair" --csv "$work/with"
    ordered=$(lines)
    at network.yml "$work/pair" --csv "$work/without"
    same "$(lines)" "$ordered" "a message from rank ${pair% *} to ${pair#* }"
    cmp "$work/with/EndToEnd.csv" "$work/without/EndToEnd.csv"
    verdict $? 'its table'
done
echo '{ "1": [0, 1, 2, 3], "2": [4, 5, 6, 7, 8, 9] }' >"$work/groups.json"
{
    echo 'ranks: 10'
    for i in {0..9}; do
        { reduce 4194304; printf -- '- {name: "pg_name", string_val: "%s"}\n' $((i < 4 ? 1 : 2)); } | rank "$i"
    done
} | written "$work/two"
at network-with-order.yml "$work/two" --comm-group-configuration groups.json
slow=$(end_of 9) fast=$(end_of 0)
at network.yml "$work/two" --comm-group-configuration groups.json
near "$(end_of 9)" "$slow" 'a group on the slow side'
near "$(end_of 0)" "$fast" 'a group on the fast side'
at network.yml "$work/two" --comm-group-configuration groups.json --start-delay 2:1ms
[ "$(end_of 2)" -gt 1000000 ] && [ "$(end_of 9)" -lt 1000000 ]
verdict $? "a rank that begins late holds its own group up: $(end_of 2), $(end_of 9)"
cat >"$work/jobs.yml" <<'END'
workload: { a: far }
npus: { a: [9, 8, 7, 6] }
END
for network in network-with-order.yml network.yml; do
    (cd "$work" && "$acesim" astra --jobs jobs.yml --system-configuration "$OLDPWD/$links/system.json" --network-configuration $network \
        --remote-memory-configuration "$memory" >"$work/out" 2>"$work/err")
    lines >"$work/$network.lines"
    [ -s "$work/$network.lines" ]
    verdict $? "a job on $network: $(cat "$work/err")"
done
cmp "$work/network-with-order.yml.lines" "$work/network.yml.lines"
verdict $? 'NPUs of a job are nodes'
python3 - >"$work/ring.xml" <<'END'
n = 10
print(f'<algo name="ring" nchannels="1" nchunksperloop="{n}" ngpus="{n}" proto="Simple" coll="allgather" inplace="0">')
for g in range(n):
    print(f'<gpu id="{g}" i_chunks="1" o_chunks="{n}" s_chunks="0">')
    print('<tb id="0" send="-1" recv="-1" chan="0">')
    print(f'<step s="0" type="cpy" srcbuf="i" srcoff="0" dstbuf="o" dstoff="{g}" cnt="1" depid="-1" deps="-1" hasdep="1"/></tb>')
    print(f'<tb id="1" send="{(g + 1) % n}" recv="{(g - 1) % n}" chan="0">')
    print(f'<step s="0" type="s" srcbuf="i" srcoff="0" dstbuf="o" dstoff="{g}" cnt="1" depid="-1" deps="-1" hasdep="0"/>')
    for k in range(1, n - 1):
        print(f'<step s="{k}" type="rcs" srcbuf="o" srcoff="{(g - k) % n}" dstbuf="o" dstoff="{(g - k) % n}" cnt="1" depid="-1" deps="-1" hasdep="0"/>')
    print(f'<step s="{n - 1}" type="r" srcbuf="o" srcoff="{(g + 1) % n}" dstbuf="o" dstoff="{(g + 1) % n}" cnt="1" depid="-1" deps="-1" hasdep="0"/>')
    print('</tb></gpu>')
print('</algo>')
END
gpus() { "$acesim" msccl "$work/ring.xml" --topology 'Links(10)' --links "$work/$1" --size 10MiB --format json 2>"$work/err" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])'; }
same "$(gpus two-groups.yaml)" "$(gpus with-order.yaml)" 'GPU i of an algorithm is node i'

# ---- groups inside traces -------------------------------------------------------------------------------
groups=$in/groups-in-metadata
"$acesim" convert --graph $groups/graph.yaml --output "$work/pg" 2>"$work/err"
for how in '--compat 2' ''; do
    # shellcheck disable=SC2086
    astra $groups/ring.json $groups/ring4.yml "$work/pg" $how --comm-group-configuration $groups/groups.json
    given=$(lines)
    # shellcheck disable=SC2086
    astra $groups/ring.json $groups/ring4.yml "$work/pg" $how
    same "$(lines)" "$given" "groups of the trace ${how:-on engines}"
    [ -z "$how" ] || same "$(last)" 84000 'their time'
done
same "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1])))' "$work/pg.groups.json")" "{'1': [0, 1], '2': [2, 3]}" 'convert writes the group file'
"$acesim" convert --workload-configuration "$work/pg" --output "$work/pg.yaml" && "$acesim" convert --graph "$work/pg.yaml" --output "$work/pg2"
cmp "$work/pg.2.et" "$work/pg2.2.et" && cmp "$work/pg.groups.json" "$work/pg2.groups.json"
verdict $? 'traces and groups come back'
pytorch() { # VALUES GROUP: init and an all-reduce of the group
    printf -- '---\nid: 1\nname: "## process_group:init ##"\ntype: METADATA_NODE\n'
    printf 'inputs: {values: "%s", shapes: "[[]]", types: "[]"}\n' "$1"
    node 2 COMM_COLL_NODE '"comm_type", int64_val: 0' '"comm_size", int64_val: 1048576' "\"pg_name\", $2"
    printf 'data_deps: [1]\n'
}
each() { # PREFIX, a line `VALUES|GROUP` for each of four ranks on standard input
    local i values group
    {
        echo 'ranks: 4'
        for i in 0 1 2 3; do
            IFS='|' read -r values group
            pytorch "$values" "$group" | rank "$i"
        done
    } | written "$1"
}
# One name, of other ranks at other ranks; a group that its ranks name by a number; another order of the list.
each "$work/own" <<'END'
['[{\"pg_name\": \"5\", \"ranks\": [0, 1]}]']|string_val: "5"
['[{\"pg_name\": \"7\", \"ranks\": []}, {\"ranks\": [0, 1], \"pg_name\": 5}]']|int32_val: 5
['[{\"pg_name\": \"5\", \"ranks\": [2, 3]}]']|string_val: "5"
['[{\"pg_name\": \"5\", \"ranks\": [0]}, {\"pg_name\": \"5\", \"ranks\": [2, 3]}]']|string_val: "5"
END
each "$work/file" <<'END'
[]|string_val: "5"
['']|string_val: "5"
['[]']|string_val: "6"
|string_val: "6"
END
echo '{ "5": [0, 1], "6": [2, 3] }' >"$work/56.json"
for how in '--compat 2' ''; do
    # shellcheck disable=SC2086
    astra $groups/ring.json $groups/ring4.yml "$work/file" $how --comm-group-configuration "$work/56.json"
    given=$(lines)
    # shellcheck disable=SC2086
    astra $groups/ring.json $groups/ring4.yml "$work/own" $how --comm-group-configuration "$work/56.json"
    same "$(lines)" "$given" "a name of two groups, and one of the file ${how:-on engines}"
done
"$acesim" convert --workload-configuration "$work/own" --output "$work/own.yaml" && "$acesim" convert --graph "$work/own.yaml" --output "$work/own2" 2>"$work/err"
[ ! -e "$work/own2.groups.json" ] && grep -qF 'several groups of the name 5' "$work/err"
verdict $? "no group file of a name twice: $(cat "$work/err")"
# An empty list means all NPUs. A group with a rank that does not exist is left out, which is reported if a node uses
# it.
for ((i = 0; i < 4; i++)); do echo "['[{\\\"pg_name\\\": \\\"3\\\", \\\"ranks\\\": []}, {\\\"pg_name\\\": \\\"4\\\", \\\"ranks\\\": [0, 4]}]']|string_val: \"3\""; done | each "$work/all"
reduce 1048576 | traces "$work/plain" 4
astra $groups/ring.json $groups/ring4.yml "$work/plain" --compat 2
given=$(last)
astra $groups/ring.json $groups/ring4.yml "$work/all" --compat 2
same "$(last)" "$given" 'no ranks are all'
refused_by=(astra --workload-configuration "$work/all" --system-configuration "$groups/ring.json" --remote-memory-configuration "$memory" --network-configuration "$groups/ring4.yml")
for ((i = 0; i < 4; i++)); do echo "['[{\\\"pg_name\\\": \\\"4\\\", \\\"ranks\\\": [0, 4]}]']|string_val: \"4\""; done | each "$work/all"
refused 'found pg_name 4, expected a group of --comm-group-configuration, or one of ranks that there are in a node ## process_group:init ##'
for ((i = 0; i < 4; i++)); do echo "['no list']|string_val: \"3\""; done | each "$work/all"
refused "all.0.et: node 1 (## process_group:init ##): found '['no list']', expected process groups"

# ---- the kind of each attribute that is written ---------------------------------------------------------
printf 'topology: [Ring, Ring]\nnpus_count: [4, 2]\nbandwidth: [50, 50]\nlatency: [500, 500]\n' >"$work/4x2.yml"
"$acesim" convert --workload-table $tables/Transformer_HybridParallel.txt --network-configuration "$work/4x2.yml" --output "$work/kinds" 2>"$work/err"
python3 - "$work/kinds.0.et" <<'END'
import sys
# The one kind of each attribute that the older feeder took, as the field of Attribute; a reader of its own.
RIGHT = {"num_ops": 9, "tensor_size": 13, "comm_type": 9, "comm_size": 9, "is_cpu_op": 27, "involved_dim": 28}
def varint(b, i):
    v = s = 0
    while True:
        v |= (b[i] & 127) << s
        s += 7
        i += 1
        if b[i - 1] < 128:
            return v, i
def fields(b):
    i = 0
    while i < len(b):
        key, i = varint(b, i)
        if key & 7 == 0:
            v, i = varint(b, i)
        else:
            assert key & 7 == 2, key
            n, i = varint(b, i)
            v, i = b[i:i + n], i + n
        yield key >> 3, v
data, i, seen = open(sys.argv[1], "rb").read(), 0, set()
messages = []
while i < len(data):
    n, i = varint(data, i)
    messages.append(data[i:i + n])
    i += n
for m in messages[1:]:
    for number, v in fields(m):
        if number != 10:
            continue
        a = list(fields(v))
        name = next(x for k, x in a if k == 1).decode()
        kinds = [k for k, _ in a if k > 2]
        seen.add(name)
        assert kinds in ([RIGHT[name]], []), (name, kinds)
assert seen == set(RIGHT), seen
END
verdict $? 'attributes have the kinds of the older feeder'

# ---- layer tables of every word: acesim run and traces agree ---------------------------------------------
echo '{ "scheduling-policy": "FIFO", "roofline-enabled": 1, "peak-perf": 1, "local-mem-bw": 1000 }' >"$work/fifo.json"
echo '{ "scheduling-policy": "FIFO" }' >"$work/plain.json"
both() { # TABLE NETWORK OPTIONS...: passes of both, and their cycles are the same
    local table=$1 network=$2 found
    shift 2
    rm -f "$work"/t.*.et
    "$acesim" convert --workload-table "$table" --network-configuration "$network" --passes 2 --output "$work/t" 2>"$work/err" &&
        astra "$work/fifo.json" "$network" "$work/t" --quiet "$@"
    verdict $? "traces of $table: $(cat "$work/err")"
    "$acesim" convert --network-configuration "$network" --system-configuration "$work/plain.json" 2>"$work/err" >"$work/cluster.yaml"
    found=$("$acesim" run "$work/cluster.yaml" "$table" --order fifo --iterations 2 --format json --quiet "$@" 2>"$work/err" |
        python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])')
    same "$found" "$(last)" "acesim run of ${table##*/} on ${network##*/} $*: $(head -n 2 "$work/err")"
}
printf 'topology: [Ring]\nnpus_count: [8]\nbandwidth: [50]\nlatency: [500]\n' >"$work/8.yml"
for table in "$tables"/*.txt; do
    both "$table" "$work/4x2.yml" --endpoint ideal
done
for table in DLRM_HybridParallel MLP_HybridParallel_Data_Model MLP_ModelParallel sample_per_layer_parallel_HybridCustomized; do
    both $tables/$table.txt "$work/4x2.yml"
done
both $tables/DLRM_HybridParallel.txt "$work/8.yml"
printf 'HYBRID_DLRM 1\n4\ne -1 900 ALLTOALL 65536 700 ALLTOALL 65536 100 NONE 0 1\nb -1 500 NONE 0 400 NONE 0 300 ALLREDUCE 262144 1\nt -1 800 NONE 0 600 NONE 0 0 ALLREDUCE 131072 1\nu -1 800 NONE 0 600 NONE 0 300 ALLREDUCE 65536 1\n' >"$work/dlrm.txt"
printf 'HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: 4 ep: 2 checkpoints: 1 0 checkpoint_initiates: 1 2\n3\na -1 900 ALLGATHER 65536 700 REDUCESCATTER 65536 100 REDUCESCATTER 8192 1\nb -1 500 ALLTOALL_EP 32768 400 ALLTOALL_EP 32768 300 ALLREDUCE 262144 1\nc -1 800 NONE 0 600 ALLREDUCE 4096 300 NONE 0 1\n' >"$work/moe.txt"
for endpoint in ace ideal; do
    both "$work/dlrm.txt" "$work/8.yml" --endpoint $endpoint
    both "$work/moe.txt" "$work/4x2.yml" --endpoint $endpoint
done
# By hand: a layer of MODEL on the ideal endpoint.  Forward: compute and gather; back: input gradient, its all-reduce
# beside the weight gradient; nothing overlaps the first.
"$acesim" convert --network-configuration "$work/8.yml" --system-configuration "$work/plain.json" 2>"$work/err" >"$work/cluster.yaml"
printf 'MODEL\n1\na -1 5000 ALLGATHER 65536 4000 ALLREDUCE 65536 3000 NONE 0 1\n' >"$work/model.txt"
alone() { # KIND SIZE
    "$acesim" collective "$1" --topology 8 --link-bandwidth "$(python3 -c 'print(50 * 1.073741824)')GB/s" --link-efficiency 1 --link-latency 500 \
        --clock 1GHz --size "$2" --endpoint ideal --format json --quiet 2>"$work/err" | python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])'
}
found=$("$acesim" run "$work/cluster.yaml" "$work/model.txt" --iterations 1 --endpoint ideal --format json --quiet 2>"$work/err" |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["cycles"])')
right=$((5000 + $(alone all-gather 524288) + 4000 + $(alone all-reduce 65536)))
[ $((found - right)) -ge -16 ] && [ $((found - right)) -le 16 ]
verdict $? "a layer of MODEL takes $found cycles, expected about $right"
refused_by=(run "$work/cluster.yaml")
printf 'HYBRID_TRANSFORMER model_parallel_NPU_group: 3\n1\na -1 1 NONE 0 1 NONE 0 1 ALLREDUCE 1024 1\n' >"$work/three.txt"
refused 'three.txt:1:1: found model_parallel_NPU_group: 3, expected the product of the first dimensions' "$work/three.txt"
printf 'DATA\n1\na -1 1 ALLREDUCE 1024 1 NONE 0 1 ALLREDUCE 1024 1\n' >"$work/data.txt"
refused 'data.txt:3:8: found a collective of the forward pass, which DATA has for no NPUs' "$work/data.txt"
refused '--dims: found it with' $tables/MLP_ModelParallel.txt --dims x

echo "readers: $passed passed, $failed failed"
[ $failed -eq 0 ]
