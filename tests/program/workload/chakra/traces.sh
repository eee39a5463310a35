#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# For the tests of acesim astra, which read it: traces of Chakra written byte by byte, the files beside
# them in $work, and acesim astra on them.
. "$(dirname "$0")/../begin.sh"

# ---- traces: protobuf's wire format as hex ---------------------------------------------------------
#
# A process is what costs time here.  So each make_ function leaves its hex in `made`, and starts none.  The function
# without make_ prints the same hex, for a test that puts nodes together.

make_varint() { # N
    local n=$1 digits
    made=
    while [ "$n" -ge 128 ]; do
        printf -v digits %02x $((n & 127 | 128))
        made+=$digits
        n=$((n >> 7))
    done
    printf -v digits %02x "$n"
    made+=$digits
}
make_number() { # FIELD N
    local field
    make_varint $(($1 << 3))
    field=$made
    make_varint "$2"
    made=$field$made
}
make_bytes() { # FIELD HEX
    local field
    make_varint $(($1 << 3 | 2))
    field=$made
    make_varint $((${#2} / 2))
    made=$field$made$2
}
make_text() { # FIELD TEXT
    local LC_ALL=C i digits hex=
    for ((i = 0; i < ${#2}; i++)); do
        printf -v digits %02x "'${2:i:1}"
        hex+=${digits: -2}
    done
    make_bytes "$1" "$hex"
}
make_attribute() { # NAME FIELD N
    local name
    make_text 1 "$1"
    name=$made
    make_number "$2" "$3"
    make_bytes 10 "$name$made"
}
make_group() { # NAME
    local name
    make_text 1 pg_name
    name=$made
    make_text 29 "$1"
    make_bytes 10 "$name$made"
}
make_message() { # HEX
    make_varint $((${#1} / 2))
    made+=$1
}
# A node: ID TYPE "DATA PARENTS" US ATTRIBUTES...; parents after a slash are ctrl_deps.
make_node() {
    local id=$1 type=$2 data=${3%%/*} ctrl='' us=$4 p body='' list=''
    [[ $3 == */* ]] && ctrl=${3#*/}
    shift 4
    make_number 1 "$id" && body+=$made
    make_text 2 "n$id" && body+=$made
    make_number 3 "$type" && body+=$made
    for p in $ctrl; do make_number 4 "$p" && body+=$made; done # not packed
    for p in $data; do make_varint "$p" && list+=$made; done
    [ -n "$data" ] && make_bytes 5 "$list" && body+=$made
    [ "$us" -gt 0 ] && make_number 7 "$us" && body+=$made
    for p; do body+=$p; done
    make_message "$body"
}
# An end of a message: ID PARENTS TYPE PEER-NAME PEER-FIELD PEER TAG BYTES-FIELD BYTES
make_end() {
    local peer tag
    make_attribute "$4" "$5" "$6"
    peer=$made
    make_attribute comm_tag 11 "$7"
    tag=$made
    make_attribute comm_size "$8" "$9"
    make_node "$1" "$3" "$2" 0 "$peer" "$tag" "$made"
}

varint() { make_varint "$@" && printf %s "$made"; }                               # N
number() { make_number "$@" && printf %s "$made"; }                               # FIELD N
bytes() { make_bytes "$@" && printf %s "$made"; }                                 # FIELD HEX
text() { make_text "$@" && printf %s "$made"; }                                   # FIELD TEXT
attribute() { make_attribute "$@" && printf %s "$made"; }                         # NAME FIELD N
group() { make_group "$@" && printf %s "$made"; }                                 # NAME
message() { make_message "$@" && printf %s "$made"; }                             # HEX
node() { make_node "$@" && printf %s "$made"; }                                   # as make_node
compute() { node "$1" 4 "$2" "$3"; }                                              # ID PARENTS US
send() { make_end "$1" "$2" 5 comm_dst 7 "$3" "$4" 9 "$5" && printf %s "$made"; } # ID PARENTS PEER TAG BYTES
receive() { make_end "$1" "$2" 6 comm_src 11 "$3" "$4" 13 "$5" && printf %s "$made"; }
work_of() { # ID PARENTS FLOPS BYTES
    local operations
    make_attribute num_ops 9 "$3"
    operations=$made
    make_attribute tensor_size 13 "$4"
    node "$1" 4 "$2" 0 "$operations" "$made"
}
collective() { # ID PARENTS TYPE BYTES [GROUP]
    local cpu kind size
    make_attribute is_cpu_op 27 0
    cpu=$made
    make_attribute comm_type 9 "$3"
    kind=$made
    make_attribute comm_size 15 $((2 * $4)) # sint64: zigzag
    size=$made
    made=
    [ -z "${5:-}" ] || make_group "$5"
    node "$1" 7 "$2" 0 "$cpu" "$kind" "$size" "$made"
}
trace() { # FILE NODES...: with the metadata
    local file=$1 LC_ALL=C hex i escapes=
    shift
    make_text 1 "${version:-0.0.4}"
    make_message "$made"
    hex=$made
    for i; do hex+=$i; done
    for ((i = 0; i < ${#hex}; i += 2)); do escapes+="\\x${hex:i:2}"; done
    printf "$escapes" >"$work/$file"
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
