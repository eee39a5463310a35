#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Compares collectives with closed forms. The bytes must be equal. No run may be faster than its busiest link or its
# memory allows, and a long run must come close to that bound.
. "$(dirname "$0")/../begin.sh"
clock=1245000000

number() { grep -m1 "\"$2\":" <<<"$1" | tr -dc '0-9.\n'; }

# KIND TOPOLOGY SIZE LEAST, where LEAST is the fraction of the bound to reach
bound() {
    local kind=$1 topology=$2 size=$3 least=$4 json
    if ! json=$("$acesim" collective "$kind" --topology "$topology" --size "$size" --format json --threads 2 2>/dev/null); then
        echo "FAIL $kind $topology $size does not run"
        failed=$((failed + 1))
        return
    fi
    IFS=x read -r nx ny nz <<<"$topology"
    if awk -v kind="$kind" -v x="$nx" -v y="$ny" -v z="$nz" -v n="$(number "$json" size_bytes)" \
        -v cycles="$(number "$json" cycles)" -v sent="$(number "$json" bytes_sent_per_npu)" \
        -v clock=$clock -v least="$least" -v name="$kind $topology $size" '
        BEGIN { # bytes a node sends on each ring, and reads from memory
            if (kind == "all-reduce") {
                bx = 2 * (x - 1) / x * n; by = 2 * (y - 1) / y * n / x; bz = 2 * (z - 1) / z * n / x; read = n
            } else if (kind == "all-to-all") { # the mean distance on a ring, the shorter way
                bx = int(x * x / 4) / x * n; by = int(y * y / 4) / y * n; bz = int(z * z / 4) / z * n; read = n
            } else {
                bx = (x - 1) / x * n; by = (y - 1) / y * n / x; bz = (z - 1) / z * n / x / y
                read = kind == "all-gather" ? n / (x * y * z) : n
            }
            write = kind == "reduce-scatter" ? n / (x * y * z) : n
            time = bx / (2 * 200e9 * 0.94)
            if (by / (2 * 25e9 * 0.94) > time) time = by / (2 * 25e9 * 0.94)
            if (bz / (2 * 25e9 * 0.94) > time) time = bz / (2 * 25e9 * 0.94)
            if (read / 128e9 > time) time = read / 128e9
            if (write / 128e9 > time) time = write / 128e9
            fraction = time * clock / cycles
            ok = sent == bx + by + bz && fraction <= 1 && fraction >= least
            printf "%s %s: %.4f of the bound, %d bytes sent, closed form %d\n", ok ? "ok  " : "FAIL", name, fraction, sent, bx + by + bz
            exit !ok
        }'; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

bound all-reduce 4x2x2 64KiB 0
bound all-reduce 4x2x2 32MiB 0.9
bound all-reduce 4x4x4 16MiB 0.9
bound all-reduce 4x1x1 16MiB 0.9
bound all-reduce 32x16x1 1MiB 0       # 128 KiB chunks: none of its shards are padded
bound reduce-scatter 4x2x2 8MiB 0.9
bound all-gather 4x2x2 8MiB 0.9
bound all-reduce 4x8x4 16MiB 0.9
bound reduce-scatter 4x4x4 16MiB 0.9
bound reduce-scatter 4x8x4 16MiB 0.9
bound all-gather 4x4x4 16MiB 0.9
bound all-gather 4x8x4 16MiB 0.9
bound all-to-all 4x2x2 16MiB 0.98
bound all-to-all 4x4x4 16MiB 0.98
bound all-to-all 4x8x4 16MiB 0.98
bound all-to-all 4x1x1 16MiB 0.98   # the memory's
bound all-to-all 3x3x3 27MiB 0.98

# ---- one interface for two dimensions: its rows go one behind the other, whatever sends them ------------------------
# An all-reduce of 4x4 sends 1.5 of its bytes along x and 0.375 along y. With two interfaces x is the bound, with one
# the sum.
cycles() { number "$("$acesim" collective "$@" --quiet --format json)" cycles; }
square=(--topology 4x4 --dims x,y --link-bandwidth 25 --link-latency 90 --memory-bandwidth 318GB/s)
for endpoint in ideal ace comm-opt; do
    two=$(cycles all-reduce "${square[@]}" --size 8MiB --endpoint $endpoint)
    one=$(cycles all-reduce "${square[@]}" --size 8MiB --endpoint $endpoint --shared-links xy)
    awk -v one="$one" -v two="$two" -v cost="$(awk 'BEGIN { print 8 * 2^20 / (2 * 25e9 * 0.94) * 1245e6 }')" \
        'BEGIN { a = two / (1.5 * cost); b = one / (1.875 * cost); exit !(a >= 1 - 1e-5 && a < 1.02 && b >= 1 - 1e-5 && b < 1.02) }'
    verdict $? "$endpoint: $two cycles over two interfaces, $one over one"
done
for kind in all-reduce all-to-all; do # one dimension alone has the interface for itself
    same "$(cycles $kind "${square[@]/x,y/x}" --size 1MiB --shared-links xy)" "$(cycles $kind "${square[@]/x,y/x}" --size 1MiB)" \
        "$kind along x beside an idle y"
done
# Rows wait at the sender: folded or not, in periods or not, in threads, with bits.
first=$(cycles all-reduce "${square[@]}" --size 2MiB --shared-links xy)
for way in '--fold off' '--fold off --threads 2' '--fast-forward off' '--payload random --check'; do
    # shellcheck disable=SC2086
    same "$(cycles all-reduce "${square[@]}" --size 2MiB --shared-links xy $way)" "$first" "one interface, $way"
done
"$acesim" collective all-reduce "${square[@]}" --size 2MiB --shared-links xy --fold off --checkpoint "$work/state" \
    --checkpoint-every 7000 --quiet >/dev/null
same "$(cycles all-reduce "${square[@]}" --size 2MiB --shared-links xy --fold off --resume "$work/state")" "$first" 'one interface, resumed'

# The interface must be in use nearly all of the time, and at most all of it.
use=$("$acesim" collective all-reduce --topology 4x4 --dims x,y --link-bandwidth 25 --size 16MiB --shared-links xy 2>/dev/null |
    sed -nE 's/^bound by +links of x, y, in use ([0-9.]+) %.*/\1/p')
awk -v use="${use:-0}" 'BEGIN { exit !(use > 98 && use <= 100) }'
verdict $? "one interface: found it in use ${use:-never} % of the time, expected 98 to 100"
"$acesim" collective all-reduce "${square[@]}" --shared-links xy --faults link:1e-9 >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -qF -- "--shared-links: found 'xy', expected none with --faults" "$work/err"
verdict $? "lost frames on an interface: $(head -n 1 "$work/err")"

# less than a quarter of the scratchpad has 98 % of the performance, with smaller chunks
large=$(number "$("$acesim" collective all-reduce --topology 4x4x4 --size 64MiB --format json 2>/dev/null)" cycles)
for lean in '--chunk 32KiB --bank-rows 896' '--chunk 16KiB --contexts 8 --bank-rows 864'; do
    cycles=$(number "$("$acesim" collective all-reduce --topology 4x4x4 --size 64MiB $lean --format json 2>/dev/null)" cycles)
    if [ "${cycles:-0}" -gt 0 ] && [ $((98 * cycles)) -le $((100 * large)) ]; then
        passed=$((passed + 1))
    else
        echo "FAIL $lean: ${cycles:-no} cycles, 4 MiB has $large"
        failed=$((failed + 1))
    fi
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
