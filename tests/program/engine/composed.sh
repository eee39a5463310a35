#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Collectives made of lists and rings must give the values of the reference, on odd tori and at sizes near a row and a
# block. They must take the same cycles at each rung, with any threads, ranks and folding, and when resumed. They must
# not be faster than the ideal endpoint. Impossible ones must be refused.
#
#   LONG=1 tests/program/engine/composed.sh    takes each kind on each torus at all eight sizes, where otherwise two of
#                                              them take turns; scripts/hunt.sh does
. "$(dirname "$0")/../begin.sh"

collective() { "$acesim" collective "$@" --format json 2>"$work/err"; }
cycles() { sed -n 's/^\t"cycles":\t\([0-9]*\),/\1/p' "$1"; }

# ---- values ----
sizes=(1 255 256 257 65535 65536 65537 200000)
first=0    # the first size of a kind on a torus; the next one is three behind it
for kind in broadcast reduce gather scatter send-receive all-to-all-v barrier; do
    case $kind in
    broadcast | reduce | gather | scatter) part=(--root 1) ;;
    send-receive) part=(--from 1 --to 0) ;;
    *) part=() ;;
    esac
    for torus in 2x1x1 3x1x1 5x1x1 2x3x1 4x2x2 3x3x2 1x9x1; do
        chosen=("${sizes[first % 8]}" "${sizes[(first + 3) % 8]}")
        [ -z "${LONG:-}" ] || chosen=("${sizes[@]}")
        [ $kind != barrier ] || chosen=(0)
        for size in "${chosen[@]}"; do
            sized=(--size $size)
            [ $kind != barrier ] || sized=()
            collective $kind --topology $torus "${sized[@]}" "${part[@]}" --type bf16 \
                --payload random --check >"$work/out"
            verdict $? "$kind $torus $size: $(tail -n 1 "$work/err")"
        done
        first=$((first + 1))
    done
done
collective send-receive --topology 4x1x1 --size 0 --payload random --check >"$work/out"
verdict $? "a send of nothing"
collective broadcast --topology 3x2x2 --dims z,x --root 5 --size 50000 --payload random --check >"$work/out"
verdict $? "broadcasts in groups"

# ---- a row right behind the one with which a piece ends, where the next piece is not worked out yet ----
# Such rows are rare, and random lockstep passes without the guard. If the switch takes one in spite of this, the
# broadcast never ends (decision 0026), so there is a time limit.
tight=(--topology 4x2x2 --size 262376 --chunk 4KiB --link-latency 1 --link-bandwidth 200 --memory-latency 20)
for rung in cycle 'rtl:5;cycle:rest'; do
    timeout 60 "$acesim" collective broadcast "${tight[@]}" --rung "$rung" --payload random --check --format json \
        >"$work/tight-${rung%%:*}" 2>"$work/err"
    verdict $? "rows behind a piece's end, $rung: $(tail -n 1 "$work/err")"
done
[ "$(cycles "$work/tight-cycle")" = "$(cycles "$work/tight-rtl")" ]
verdict $? "rows behind a piece's end: other cycles in RTL"

# ---- rungs, threads, payload, ranks, checkpoints ----
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
for run in 'broadcast --size 40000 --root 4' 'reduce --size 30000 --root 2' 'gather --size 20000' \
    'scatter --size 30001 --root 5' 'all-to-all-v --size 20000 --skew 1' 'barrier' \
    'send-receive --size 9999 --from 5 --to 1'; do
    read -ra words <<<"$run"
    words+=(--topology 3x2x1)
    collective "${words[@]}" >"$work/cycle"
    verdict $? "$run: $(tail -n 1 "$work/err")"
    for more in '--rung rtl' '--rung rtl:1,4;cycle:rest --threads 2' '--payload random --check' \
        '--payload random --check --rung rtl:0,2;cycle:rest' '--fold off' '--order fifo'; do
        read -ra others <<<"$more"
        collective "${words[@]}" "${others[@]}" >"$work/other"
        verdict $? "$run $more: $(tail -n 1 "$work/err")"
        [ "$(cycles "$work/cycle")" = "$(cycles "$work/other")" ]
        verdict $? "$run $more: other cycles"
    done
    mpirun -q -n 2 "$acesim-mpi" collective "${words[@]}" --format json </dev/null >"$work/other" 2>"$work/err"
    cmp "$work/cycle" "$work/other"
    verdict $? "$run over 2 ranks: not the same"
    collective "${words[@]}" --endpoint ideal >"$work/other"
    [ "$(cycles "$work/other")" -le "$(cycles "$work/cycle")" ]
    verdict $? "$run: faster than the ideal endpoint"
    rm -f "$work/state"
    collective "${words[@]}" --checkpoint "$work/state" --checkpoint-every 700 >"$work/other" &&
        [ -s "$work/state" ] && collective "${words[@]}" --resume "$work/state" >"$work/other"
    cmp "$work/cycle" "$work/other"
    verdict $? "$run, resumed: not the same"
done

# ---- a barrier has no root: one node stands for all ----
collective barrier --topology 4x4x2 >"$work/folded"
grep -q '"nodes_simulated":	1,' "$work/folded"
verdict $? "a barrier is not folded"
collective barrier --topology 4x4x2 --fold off >"$work/unfolded"
[ "$(cycles "$work/folded")" = "$(cycles "$work/unfolded")" ]
verdict $? "a folded barrier takes other cycles"
collective scatter --topology 4x2x2 --size 4096 >"$work/out" && grep -q '"folding":	"none: a root' "$work/out"
verdict $? "a scatter does not say why it is not folded"

# ---- counts from a file ----
printf '0,300,0\n1, 0 ,512\n0,0,70000\n' >"$work/counts.csv"
collective all-to-all-v --topology 3x1x1 --counts "$work/counts.csv" --payload random --check >"$work/out"
verdict $? "counts of a file: $(tail -n 1 "$work/err")"
refused() { # TEXT arguments
    local text=$1
    shift
    "$acesim" collective "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -qF -- "$text" "$work/err" && [ ! -s "$work/out" ]
    verdict $? "$* is not refused with '$text': $(head -n 1 "$work/err")"
}
v=(all-to-all-v --topology 2x1x1 --counts "$work/bad.csv")
printf '1,2\n3,x\n' >"$work/bad.csv"; refused "bad.csv:2:3: found 'x', expected a number of bytes" "${v[@]}"
printf '1,2\n3,-4\n' >"$work/bad.csv"; refused "bad.csv:2:3: found '-4'" "${v[@]}"
printf '1\n2,3\n' >"$work/bad.csv"; refused "bad.csv:1:2: found '', expected 2 counts in a line" "${v[@]}"
printf '1,2,3\n4,5\n' >"$work/bad.csv"; refused "bad.csv:1:4: found '', expected 2 counts" "${v[@]}"
printf '1,2\n' >"$work/bad.csv"; refused "bad.csv:2:1: found '', expected 2 lines" "${v[@]}"
printf '1,2\n3,4\n5,6\n' >"$work/bad.csv"; refused "bad.csv:3:1: found '5', expected the end" "${v[@]}"
rm "$work/bad.csv"; refused "expected a file of counts" "${v[@]}"
refused "--counts: found it with" "${v[@]}" --skew 0.5
refused "--skew: found '2'" all-to-all-v --skew 2
refused "--root: found member 16, expected one of 0 to 15" broadcast --topology 4x2x2 --root 16
refused "--to: found member 4, expected one of 0 to 3" send-receive --topology 4x1x1 --to 4
refused "--root: found it with all-reduce" all-reduce --root 1
refused "--from: found it with gather" gather --from 1
refused "--size: found it with barrier" barrier --size 4
refused "--size: found '0'" scatter --size 0
refused "lists of transfers in software are not modelled yet" broadcast --endpoint comm-opt
refused "at most 239 ways in which rows come to a node" gather --topology 8x8x8
refused "found 'list', expected one KIND" list

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
