#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# decode.sh [ACESIM] -- small all-reduces from store to load by closed forms, and the layers of the study `decode`
. "$(dirname "$0")/../begin.sh"
export acesim

python3 - <<'END'
import json, os, subprocess
acesim = os.environ["acesim"]
KIB, CLOCK = 1024, 1245e6


def run(topology, size, algorithm, *more):
    command = [acesim, "collective", "all-reduce", "--cluster", "studies/decode/clusters/scale-up.yaml", "--topology", topology,
               "--size", str(size), "--algorithm", algorithm, *more, "--quiet", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, (command, done.stderr)
    result = json.loads(done.stdout)
    assert result["check"] == "passed", result
    return result


WHOLE = "studies/decode/whole-chunk.ace"


def trigger(topology, size, algorithm, link=90, memory=200):
    r = run(topology, size, algorithm, *(("--chunk", "32KiB") if algorithm == WHOLE else ()), "--control", "trigger", "--link-latency", str(link), "--memory-latency", str(memory))
    # the store takes 3 cycles, the flag 2 more, and the flag's write and the load the memory's latency each
    assert r["cycles"] == r["cycles_by_pins"] + 5 + 2 * memory, r["cycles"]
    assert abs(r["store_to_load_us"] - r["cycles"] / CLOCK * 1e6) < 1e-6, r["store_to_load_us"]
    return r["cycles"]


def ways(members):
    """Of a Fibonacci tree over a switch: trips t with g(t) >= members, and one or two back."""
    a, b, t = 1, 1, 1
    while b < members:
        a, b, t = b, a + b, t + 1
    return t + (1 if members <= 9 else 2)


# A way over a switch has two links.  A switch that reduces takes blocks in turn from two ports of each member.  An all-reduce waits for the read, the write, the flag and the load.
for members in (4, 8, 16):
    for algorithm, trips in (("fibonacci-tree", ways(members)), ("in-network", members // 2), (WHOLE, 1), ("halving-doubling", None)):
        base = trigger(f"Switch({members})", KIB, algorithm)
        further = trigger(f"Switch({members})", KIB, algorithm, link=1090)
        slower = trigger(f"Switch({members})", KIB, algorithm, memory=1200)
        assert slower - base == 4 * 1000, (members, algorithm, slower - base)
        if trips:
            assert further - base == 2 * trips * 1000, (members, algorithm, further - base, trips)
        # No less than one way, the four latencies and the links' or memory's time for the vector.
        ideal = run(f"Switch({members})", KIB, "in-network" if algorithm == WHOLE else algorithm, "--endpoint", "ideal")["cycles"]
        assert base >= ideal + 4 * 200 >= 2 * 90 + 4 * 200, (members, algorithm, base, ideal)

# More bytes take longer, and never less than the memory's 318 GB/s and a way over the switch need.
for algorithm in ("fibonacci-tree", "halving-doubling", "in-network", WHOLE):
    last = 0
    for size in (KIB, 4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, 1024 * KIB):
        now = trigger("Switch(8)", size, algorithm)
        assert now > last, (algorithm, size, now, last)
        assert now > size / 318e9 * CLOCK + 2 * 90 + 4 * 200, (algorithm, size, now)
        last = now

# What the page says of 2 us.
us = lambda size, algorithm, **more: trigger("Switch(8)", size * KIB, algorithm, **more) / CLOCK * 1e6
for size in (1, 4, 32):
    assert us(size, "in-network") < 2, size
for size in (1, 4):
    assert us(size, "fibonacci-tree") < 2, size
for size in (1, 16, 64, 128):
    assert us(size, WHOLE) < 2, size
assert us(1, WHOLE) < 1 and us(64, WHOLE) < 1.5 and us(16, WHOLE, link=498) < 2
assert 2 < us(64, "in-network") < 2.05
assert us(64, "in-network", link=45) < 2 and us(64, "in-network", memory=100) < 2
END
verdict $? 'from store to load'

# Whole chunks are added up right: bit for bit, in sizes that no row, shard or chunk divides.
for size in 1000 40004 300000; do
    "$acesim" collective all-reduce --topology 'Switch(8)' --size $size --chunk 32KiB --algorithm studies/decode/whole-chunk.ace \
        --control trigger --payload random --check --quiet >"$work/out" 2>"$work/err"
    verdict $? "$size bytes in whole chunks: $(head -n 1 "$work/err")"
    grep -q 'every result compared with the reference, bit for bit' "$work/out"
    verdict $? "$size bytes in whole chunks: $(grep ^check "$work/out")"
done

# The study in its short form: its laws, and a layer by the parameters that the program counts.
"$acesim" study decode --quick --jobs 2 --output "$work/decode" --quiet >"$work/out" 2>"$work/err"
verdict $? "study: $(tail -n 1 "$work/err")"
same "$(tail -n +2 "$work/decode/checks.csv" | sed 's/.*,//' | sort -u)" 0 "laws that are broken somewhere"
[ "$(tail -n +2 "$work/decode/checks.csv" | sed -E 's/.*,([0-9]+),[^,]*/\1/' | sort -n | head -n 1)" -gt 0 ]
verdict $? 'a law without cells'
python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' "$work/decode/times.svg"
verdict $? 'the figure is no XML'
python3 - "$work/decode/decode.csv" <<'END'
import csv, os, subprocess, sys
acesim = os.environ["acesim"]


def parameters(model, part):
    """Of one layer."""
    text = subprocess.run([acesim, "plan", "model", f"models/{model}.yaml"], capture_output=True, text=True, check=True).stdout
    return next(int(l.split(" x ")[0].split()[-1].replace(",", "")) for l in text.splitlines() if l.startswith(part + " "))


rows = list(csv.DictReader(open(sys.argv[1])))
assert [(r["model"], r["batch"]) for r in rows] == [(m, b) for m in ("Llama-3 70B", "DeepSeek-V3") for b in ("1", "8", "64")], rows
for r in rows:
    batch, context, ranks, GBps = int(r["batch"]), 4096, 8, 3350 * 0.867
    if r["model"].startswith("Llama"):
        size = 2 * 8192 * batch
        reads = (2 * (parameters("llama3-70b", "attention") + parameters("llama3-70b", "MLP")) + batch * context * 2 * 2 * 8 * 128) / ranks
    else:
        size = 2 * 7168 * batch
        # An expert is missed by each of the tokens' draws, 8 of 256 each.
        missed = ((256 - 8) / 256) ** batch
        names = ("attention", "router", "shared experts")
        weights = sum(parameters("deepseek-v3", n) for n in names) + (1 - missed) * parameters("deepseek-v3", "experts")
        reads = weights / ranks + batch * context * 2 * (512 + 64)
    assert float(r["KiB of an all-reduce"]) == size // 1024, r
    assert abs(float(r["reads of memory"]) / (reads / GBps / 1e3) - 1) < 1e-3, (r, reads)
    for name, share in (("software", "share, software"), ("engine, plain switch", "share, engine, plain switch"),
                        ("engine, in-network", "share, engine, in-network"),
                        ("engine, whole-chunk", "share, engine, whole-chunk"), ("links alone", "share, links alone")):
        both = float(r[name])
        assert abs(float(r[share].rstrip(" %")) - 100 * both / (both + reads / GBps / 1e3)) < 0.1, (r, name)
    assert float(r["links alone"]) < float(r["engine, whole-chunk"]) < float(r["engine, in-network"]) < float(r["engine, plain switch"]), r
    # One-shot software sends 7 vectors, and a ring 14 eighths of one.
    assert float(r["software"]) > 2 * 14 / 8 * size / 450e3, r
END
verdict $? 'layers that decode'

echo "decode: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
