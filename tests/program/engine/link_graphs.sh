#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Dimensions whose links a file lists: bytes of each link and latencies must match closed forms. The ring must be found,
# results must be equal for every way to run, and wrong files must be refused.
. "$(dirname "$0")/../begin.sh"

json() { # NAME arguments: a result
    local name=$1
    shift
    "$acesim" collective "$@" --quiet --format json >"$work/$name" 2>"$work/err"
    verdict $? "$*: $(tail -n 1 "$work/err")"
}
facts() { # TEXT NAME PYTHON: what holds of a result r; carried: bytes by (from, to)
    python3 - "$work/$2" "$3" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
carried = {(l["from"], l["to"]): l["bytes"] for l in r["links"]["carried"]}
busy = {(l["from"], l["to"]): l["busy_cycles"] for l in r["links"]["carried"]}
npus = r["links"]["npus"]
steps = set(zip(npus, npus[1:] + npus[:1]))
back = {(b, a) for a, b in steps}
sys.exit(not eval(sys.argv[2]))
END
    verdict $? "$1"
}
dgx=(--topology 'Links(8)' --links fabrics/dgx-1.yaml --link-bandwidth 75GB/s)
dead=(--topology 'Links(16)' --links fabrics/torus-4x4-dead-link.yaml)

# ---- bytes of each link ---------------------------------------------------------------------
# A ring of all-reduce sends 2(n-1)/n S, half of it each way round.
json ring all-reduce "${dgx[@]}" --size 16MiB
facts 'DGX-1: no ring of its links' ring 'r["links"]["detours_on_ring"] == 0 and sorted(npus) == list(range(8))'
facts 'DGX-1: another ring than that of the pairs with two links' ring \
    'steps | back == {p for a, b in [(0,1),(1,3),(3,2),(2,6),(6,7),(7,5),(5,4),(4,0)] for p in ((a,b),(b,a))}'
facts 'DGX-1: bytes of the ring' ring 'all(carried[p] == 7 * 2**20 * 2 for p in steps | back)'
facts 'DGX-1: bytes beside the ring' ring 'sum(carried.values()) == 16 * 14 * 2**20'
facts 'DGX-1: links that rest' ring 'min(busy[p] for p in steps) >= 0.93 * r["cycles"]'
facts 'DGX-1: the share of the ideal is not that of the links' ring \
    'abs(r["fraction_of_ideal"] - 14 * 2**20 / 50e9 / (r["time_us"] * 1e-6)) < 1e-6'
json scatter reduce-scatter "${dead[@]}" --size 1MiB
facts 'dead link: no ring of its links' scatter 'r["links"]["detours_on_ring"] == 0'
facts 'dead link: bytes of the ring' scatter \
    'all(carried[p] == 15 * 2**20 // 16 // 2 for p in steps | back) and (5, 6) not in carried'

# In an all-to-all each pair sends S/n over as many links as its nodes are apart, if all nodes are alike.
apart='(lambda near: sum(__import__("functools").reduce(lambda d, _: {v: min([d[v]] + [d[w] + 1 for w in near[v]]) for v in near}, near, {v: 0 if v == s else 99 for v in near})[t] for s in near for t in near))({a: [y for x, y in carried if x == a] for a, _ in carried})'
json all all-to-all "${dead[@]}" --size 1MiB
facts 'dead link: bytes of an all-to-all' all "sum(carried.values()) == 2**20 // 16 * $apart"
facts 'dead link: an all-to-all on few links' all 'max(carried.values()) <= 10 * 2**20 // 16'

# Software goes round the same ring.
json software all-reduce "${dead[@]}" --size 1MiB --endpoint comm-opt
facts 'dead link: bytes of software' software 'all(carried[p] == 15 * 2**20 // 16 for p in steps | back)'

# ---- no ring, switches, an order -------------------------------------------------------------
printf 'npus: 4\nlinks: [0-1, 1-2, 2-3]\n' >"$work/line.yaml"
json line all-gather --topology 'Links(4)' --links "$work/line.yaml" --size 256KiB --payload random --check
# A walk there and back crosses each link once each way, and as often for each of both rings.
facts 'line: detours' line 'r["links"]["detours_on_ring"] >= 1 and r["check"] == "passed"'
facts 'line: bytes' line 'all(v == 2 * 3 * 2**16 // 2 for v in carried.values())'
printf 'npus: 4\nswitches: 1\nlinks: [0-4, 1-4, 2-4, 4-3]\n' >"$work/star.yaml"
json star all-reduce --topology 'Links(4)' --links "$work/star.yaml" --size 256KiB --payload random --check
facts 'star: bytes' star 'all(v == 6 * 2**16 for v in carried.values()) and r["check"] == "passed"'
printf 'npus: 4\norder: [2, 0, 1, 3]\nlinks: [0-1, 1-2, 2-3, 3-0]\n' >"$work/order.yaml"
json order all-reduce --topology 'Links(4)' --links "$work/order.yaml" --size 256KiB
facts 'order: not as written' order 'npus == [2, 0, 1, 3] and r["links"]["detours_on_ring"] == 2'

# ---- many NPUs ------------------------------------------------------------------------------
# If the graph has a ring of direct links, the search must find it; a torus with a dead link has one. On a mesh with an
# odd number of NPUs the colours of neighbours alternate, so at least one hop of any ring crosses another NPU.
large=(--topology 'Links(64)' --links fabrics/torus-8x8-dead-link.yaml)
json large all-reduce "${large[@]}" --size 128KiB --payload random --check
facts '8 by 8: no ring of its links' large 'r["links"]["detours_on_ring"] == 0 and sorted(npus) == list(range(64))'
facts '8 by 8: bytes of the ring' large 'all(carried[p] == 63 * 2**17 // 64 for p in steps | back) and (9, 10) not in steps | back'
facts '8 by 8: bytes beside the ring, or a wrong sum' large 'sum(carried.values()) == 64 * 126 * 2**17 // 64 and r["check"] == "passed"'
# Collectives without a ring use routes: each pair's bytes cross as many links as its nodes are apart, and the run takes
# at least the time of the busiest link.
busiest='max(carried.values()) / (r["configuration"]["link_bandwidth_GBps"][0] * 0.94e9) * r["clock_MHz"] * 1e6'
json all all-to-all "${large[@]}" --size 1MiB
facts '8 by 8: bytes of an all-to-all' all "sum(carried.values()) == 2**20 // 64 * $apart"
facts '8 by 8: an all-to-all sooner than its busiest link' all "$busiest <= r['cycles'] <= 2 * $busiest"
json all all-to-all "${large[@]}" --size 256KiB --payload random --check
facts '8 by 8: a wrong all-to-all' all 'r["checks"]["payload"] == "passed"'
for algorithm in ${LONG:+direct} halving-doubling; do
    json named all-reduce "${large[@]}" --algorithm $algorithm --size 128KiB --payload random --check
    facts "8 by 8: a wrong sum, $algorithm" named 'r["checks"]["payload"] == "passed" and r["bytes_sent_per_npu"] == 126 * 2**11'
done
mesh() { # COLUMNS ROWS: a file of a mesh
    python3 - "$@" <<'END'
import sys
w, h = map(int, sys.argv[1:])
links = [f"{y * w + x}-{y * w + x + 1}" for y in range(h) for x in range(w - 1)]
links += [f"{y * w + x}-{(y + 1) * w + x}" for y in range(h - 1) for x in range(w)]
print(f"npus: {w * h}\nlatency: 500\nlinks: [{', '.join(links)}]")
END
}
mesh 5 7 >"$work/odd.yaml"
json odd all-gather --topology 'Links(35)' --links "$work/odd.yaml" --size 280KiB
facts 'a mesh of 5 by 7: other detours than 1' odd 'r["links"]["detours_on_ring"] == 1'
facts 'a mesh of 5 by 7: bytes' odd 'sum(carried.values()) == (35 + 1) * 34 * 2**13'
mesh 8 4 >"$work/even.yaml"
json even reduce-scatter --topology 'Links(32)' --links "$work/even.yaml" --size 256KiB
facts 'a mesh of 8 by 4: no ring of its links' even 'r["links"]["detours_on_ring"] == 0'

# A ring that a file lists is a ring: all it sends is the same, and nothing is later than by what a hub takes.
python3 -c 'n = 20; print(f"npus: {n}\norder: {list(range(n))}\nlinks: {[f'"'{i}-{(i + 1) % n}'"' for i in range(n)]}")' >"$work/round.yaml"
for kind in all-reduce reduce-scatter all-gather; do
    json listed $kind --topology 'Links(20)' --links "$work/round.yaml" --size 256KiB
    json wired $kind --topology 'Ring(20)' --size 256KiB --fold off
    facts "$kind on a ring of 20 that a file lists" listed 'all(r[k] == (w := json.load(open("'"$work"'/wired")))[k] for k in ("bytes_sent_per_npu", "checks")) and w["cycles"] <= r["cycles"] <= 1.01 * w["cycles"]'
done
# Routed rows cross links without passing through NPUs. Each link carries the same bytes. The run takes longer at most
# by the queues of links, which give no priority.
json listed all-to-all --topology 'Links(20)' --links "$work/round.yaml" --size 320KiB
facts 'an all-to-all on a ring of 20 that a file lists: bytes' listed "sum(carried.values()) == 2**14 * $apart"
json listed all-to-all --topology 'Links(20)' --links "$work/round.yaml" --size 64KiB --payload random --check
facts 'a wrong all-to-all' listed 'r["check"] == "passed"'

# ---- latency and bandwidth of each link ------------------------------------------------------
# At 39.84 GB/s a row takes 8 cycles of 1245 MHz.  A row is on a link for these, in the last of which it
# leaves, and then for the latency.
printf 'npus: 4\norder: [0, 1, 2, 3]\nlinks: {0-1: 39.84 GB/s, 1-2: [39.84 GB/s, 700], 2-3: [19.92 GB/s, 90]}\n' >"$work/far.yaml"
for to in 1 2 3; do
    json "to$to" send-receive --topology 'Links(4)' --links "$work/far.yaml" --link-efficiency 1 \
        --link-latency 300 --size 256 --from 0 --to $to
done
cycles() { python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["cycles"])' "$work/$1"; }
[ $(($(cycles to2) - $(cycles to1))) = $((700 + 7)) ]; verdict $? 'a second link of 700 cycles'
[ $(($(cycles to3) - $(cycles to2))) = $((90 + 15)) ]; verdict $? 'a third link of 90 cycles and half the bandwidth'

# A full mesh of links is what FullyConnected is, in every cycle: a third of both ports' bandwidth for each of three
# peers.  One chunk: that keeps to one of an NPU's two ports.  Where both want a link they share it in other cycles.
printf 'npus: 4\norder: [0, 1, 2, 3]\nbandwidth: 133.333333333 GB/s\nlinks: [0-1, 0-2, 0-3, 1-2, 1-3, 2-3]\n' >"$work/mesh.yaml"
for size in 256 16KiB 64KiB; do
    json mesh all-reduce --topology 'Links(4)' --links "$work/mesh.yaml" --link-bandwidth 200GB/s --algorithm direct --size $size
    json full all-reduce --topology 'FullyConnected(4)' --link-bandwidth 200GB/s --algorithm direct --size $size
    [ "$(cycles mesh)" = "$(cycles full)" ]; verdict $? "a full mesh of links takes other cycles, $size"
done

# ---- every way to the same result ------------------------------------------------------------
same() { # NAME NAME TEXT
    facts "$3" "$2" "all(r[k] == json.load(open('$work/$1'))[k] for k in ('cycles', 'links', 'bytes_sent_per_npu', 'config_digest'))"
}
same_cycles() { facts "$3" "$2" "all(r[k] == json.load(open('$work/$1'))[k] for k in ('cycles', 'links'))"; }
mixed=(all-reduce "${dead[@]}" --size 128KiB)
json one "${mixed[@]}"
json threads "${mixed[@]}" --threads 3
same one threads 'threads change the result'
json payload "${mixed[@]}" --payload random --check
same_cycles one payload 'a payload changes the result'
facts 'a payload is wrong' payload 'r["checks"]["payload"] == "passed"'
json saved "${mixed[@]}" --checkpoint "$work/state" --checkpoint-every 5000
json resumed "${mixed[@]}" --resume "$work/state"
same one resumed 'a checkpoint changes the result'
many=(all-reduce "${large[@]}" --size 32KiB)
json one "${many[@]}"
json threads "${many[@]}" --threads 3
same one threads 'threads change the result of 64'
json saved "${many[@]}" --checkpoint "$work/state" --checkpoint-every 5000
json resumed "${many[@]}" --resume "$work/state"
same one resumed 'a checkpoint changes the result of 64'
json rtl "${many[@]}" --rung 'rtl:9;cycle:rest'
same_cycles one rtl 'RTL changes the result of 64'
routed=(all-to-all "${large[@]}" --size 64KiB)
json one "${routed[@]}"
json threads "${routed[@]}" --threads 3
same one threads 'threads change an all-to-all of 64'
json whole "${routed[@]}" --fold off
same one whole 'folding changes an all-to-all of 64'
json saved "${routed[@]}" --checkpoint "$work/state" --checkpoint-every 500
json resumed "${routed[@]}" --resume "$work/state"
same one resumed 'a checkpoint changes an all-to-all of 64'
json rtl "${routed[@]}" --rung 'rtl:9,63;cycle:rest'
same_cycles one rtl 'RTL changes an all-to-all of 64'
json faults "${many[@]}" --faults link:0.001 --payload random --check
facts 'faults on links of 64' faults 'r["check"] == "passed" and r["hub_faults"]["changed"] > 0'
json folded all-reduce --topology 'Links(4)_Ring(3)' --links "$work/line.yaml" --size 64KiB
json whole all-reduce --topology 'Links(4)_Ring(3)' --links "$work/line.yaml" --size 64KiB --fold off
same folded whole 'folding changes the result'
json rtl all-reduce "${dgx[@]}" --size 16KiB --rung 'rtl:0,5;cycle:rest' --link-rows 128 --router-rows 128
json twin all-reduce "${dgx[@]}" --size 16KiB --link-rows 128 --router-rows 128
same_cycles rtl twin 'RTL changes the result'
json faults all-reduce "${dgx[@]}" --size 64KiB --faults link:0.01 --payload random --check
facts 'faults on links' faults 'r["check"] == "passed" and r["hub_faults"]["changed"] > 0'

# ---- what is refused -------------------------------------------------------------------------
refused() { # PLACE EXPECTED FILE-TEXT: of a topology of Links(3)
    printf '%b' "$3" >"$work/bad.yaml"
    "$acesim" collective all-reduce --topology 'Links(3)' --links "$work/bad.yaml" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && [ ! -s "$work/out" ] && grep -qF "bad.yaml:$1: found $2" "$work/err"
    verdict $? "refused: $3: $(head -n 1 "$work/err")"
}
refused '2:14' "'1-1', a link of node 1 to itself" 'npus: 3\nlinks: [0-1, 1-1, 1-2]\n'
refused '3:3' "'1-0' again, after line 2" 'npus: 3\nlinks: [0-1,\n  1-0, 1-2]\n'
refused '2:9' 'no path from node 0 to NPU 2' 'npus: 3\nlinks: [0-1]\n'
refused '3:9' 'no path from node 0 to switch 3' 'npus: 3\nswitches: 1\nlinks: [0-1, 1-2]\n'
refused '2:14' "'1-7' with 3 NPUs and 0 switches, expected a node number from 0 to 2" 'npus: 3\nlinks: [0-1, 1-7]\n'
refused '2:9' "'0+1'" 'npus: 3\nlinks: [0+1]\n'
refused '1:7' '4 NPUs, expected 3' 'npus: 4\nlinks: [0-1, 1-2, 2-3]\n'
refused '1:7' "'65', expected 2 to 64" 'npus: 65\nlinks: [0-1]\n'
refused '3:8' '1000 GB/s' 'npus: 3\nlinks:\n  0-1: 1000 GB/s\n  1-2: 25 GB/s\n'
refused '3:19' "'1'" 'npus: 3\nlinks:\n  0-1: [25 GB/s,  1]\n  1-2: 25 GB/s\n'
refused '3:12' "'0'" 'npus: 3\nlinks: [0-1, 1-2]\norder: [0, 0, 1]\n'
refused '3:9' 'node 7, which is no NPU' 'npus: 3\nlinks: [0-1, 1-2]\norder: [0, 7, 1]\n'
refused '3:9' '2 nodes of 3 NPUs' 'npus: 3\nlinks: [0-1, 1-2]\norder: [0, 1]\n'
wrong() { # EXPECTED arguments
    local expected=$1
    shift
    "$acesim" collective all-reduce "$@" >"$work/out" 2>"$work/err"
    [ $? -eq 2 ] && grep -qF -- "$expected" "$work/err"
    verdict $? "refused: $*: $(head -n 1 "$work/err")"
}
wrong 'found --peers 16, expected as many as there are members' "${large[@]}" --algorithm direct --peers 16
wrong '--links FILE' --topology 'Links(8)'
wrong 'Links(N)' --topology 8x1 --links fabrics/dgx-1.yaml
wrong 'one dimension at most' --topology 'Links(8)_Links(8)' --links fabrics/dgx-1.yaml
wrong 'ideal endpoint over links' "${dgx[@]}" --endpoint ideal
wrong 'nowhere.yaml' --topology 'Links(8)' --links nowhere.yaml

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
