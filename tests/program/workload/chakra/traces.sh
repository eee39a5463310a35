#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# For the tests of acesim astra, which read it: traces of Chakra written byte by byte, the files beside
# them in $work, and acesim astra on them.
. "$(dirname "$0")/../begin.sh"

# ---- traces: protobuf's wire format as hex ---------------------------------------------------------

varint() { # N
    local n=$1 out=
    while [ "$n" -ge 128 ]; do
        out+=$(printf %02x $((n & 127 | 128)))
        n=$((n >> 7))
    done
    printf '%s%02x' "$out" "$n"
}
number() { printf '%s%s' "$(varint $(($1 << 3)))" "$(varint "$2")"; } # FIELD N
bytes() { printf '%s%s%s' "$(varint $(($1 << 3 | 2)))" "$(varint $((${#2} / 2)))" "$2"; } # FIELD HEX
text() { bytes "$1" "$(printf %s "$2" | od -An -tx1 -v | tr -d ' \n')"; } # FIELD TEXT
attribute() { bytes 10 "$(text 1 "$1")$(number "$2" "$3")"; } # NAME FIELD N
group() { bytes 10 "$(text 1 pg_name)$(text 29 "$1")"; } # NAME
message() { printf '%s%s' "$(varint $((${#1} / 2)))" "$1"; } # HEX

# A node: ID TYPE "DATA PARENTS" US ATTRIBUTES...; parents after a slash are ctrl_deps.
node() {
    local id=$1 type=$2 data=${3%%/*} ctrl= us=$4 p body
    [[ $3 == */* ]] && ctrl=${3#*/}
    shift 4
    body=$(number 1 "$id")$(text 2 "n$id")$(number 3 "$type")
    for p in $ctrl; do body+=$(number 4 "$p"); done # not packed
    [ -n "$data" ] && body+=$(bytes 5 "$(for p in $data; do varint "$p"; done)")
    [ "$us" -gt 0 ] && body+=$(number 7 "$us")
    message "$body$(printf %s "$@")"
}
compute() { node "$1" 4 "$2" "$3"; }                                              # ID PARENTS US
work_of() { node "$1" 4 "$2" 0 "$(attribute num_ops 9 "$3")" "$(attribute tensor_size 13 "$4")"; }
collective() { # ID PARENTS TYPE BYTES [GROUP]
    node "$1" 7 "$2" 0 "$(attribute is_cpu_op 27 0)" "$(attribute comm_type 9 "$3")" \
        "$(attribute comm_size 15 $((2 * $4)))" ${5:+"$(group "$5")"} # sint64: zigzag
}
send() { # ID PARENTS PEER TAG BYTES
    node "$1" 5 "$2" 0 "$(attribute comm_dst 7 "$3")" "$(attribute comm_tag 11 "$4")" \
        "$(attribute comm_size 9 "$5")"
}
receive() { # ID PARENTS PEER TAG BYTES
    node "$1" 6 "$2" 0 "$(attribute comm_src 11 "$3")" "$(attribute comm_tag 11 "$4")" \
        "$(attribute comm_size 13 "$5")"
}
trace() { # FILE NODES...: with the metadata
    local file=$1 hex
    shift
    hex=$(message "$(text 1 "${version:-0.0.4}")")$(printf %s "$@")
    printf "$(sed 's/../\\x&/g' <<<"$hex")" >"$work/$file"
}
everyone() { # NPUS NODES...: the same trace for each
    local npus=$1 i others=()
    shift
    rm -f "$work"/t.*.et
    trace t.0.et "$@"
    for ((i = 1; i < npus; i++)); do others+=("$work/t.$i.et"); done
    tee "${others[@]}" <"$work/t.0.et" >/dev/null
}

network() { # TOPOLOGY NPUS
    printf 'topology: [ %s ]\nnpus_count: [ %s ]\nbandwidth: [ %s ]\nlatency: [ %s ]\n' "$1" "$2" \
        "$(sed 's/[0-9]\+/50.0/g' <<<"$2")" "$(sed 's/[0-9]\+/500.0/g' <<<"$2")" >"$work/net.yml"
}
echo '{ "scheduling-policy": "FIFO" }' >"$work/sys.json"
echo '{ "memory-type": "NO_MEMORY_EXPANSION" }' >"$work/mem.json"
astra() {
    "$acesim" astra --workload-configuration "$work/t" --system-configuration="$work/sys.json" \
        --network-configuration "$work/net.yml" --remote-memory-configuration "$work/mem.json" \
        --quiet "$@" >"$work/out" 2>"$work/err"
}
finished() { # NPU: its time, as scripts of ASTRA-sim's users find it
    sed -nE "s/.*sys\[($1)\] finished, ([0-9]+) cycles, exposed communication ([0-9]+) cycles\..*/\2/p" \
        "$work/out"
}
takes() { # TIME WHAT arguments: at NPU 0
    local time=$1 what=$2
    shift 2
    astra "$@"
    verdict $? "$what: $(head -n 2 "$work/err")"
    [ "$(finished 0)" = "$time" ]
    verdict $? "$what: found $(finished 0), expected $time"
}
refused() { # TEXT arguments
    local text=$1
    shift
    astra "$@"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -qF -- "$text" "$work/err"
    verdict $? "expected status 2 and '$text': $(head -n 2 "$work/err")"
}
alone() { # KIND TOPOLOGY BYTES arguments: the collective by itself, in ns
    "$acesim" collective "$1" --topology "$2" --size "$3" --link-bandwidth 53.687091GB/s \
        --link-latency 500 --link-efficiency 1 --clock 1GHz --order fifo --quiet --format json \
        "${@:4}" | sed -nE 's/^\t"cycles":\t([0-9]+),/\1/p'
}
