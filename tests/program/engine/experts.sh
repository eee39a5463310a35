#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# experts.sh [ACESIM] -- an all-to-all-v by the tokens of experts: bytes, bounds and placements by closed forms
. "$(dirname "$0")/../begin.sh"
export acesim work

python3 - <<'END'
import json, os, random, subprocess
work, acesim = os.environ["work"], os.environ["acesim"]


def run(kind, *arguments):
    done = subprocess.run([acesim, "collective", kind, *arguments, "--quiet", "--format", "json"], capture_output=True, text=True)
    assert done.returncode == 0, (arguments, done.stderr)
    return json.loads(done.stdout)


def table(rows, head="tokens"):
    name = f"{work}/routing.csv"
    with open(name, "w") as file:
        file.write(f"# a comment\n#\nexpert,{head}\n")
        file.writelines(f"{i},{','.join(map(str, r))}\n" for i, r in enumerate(rows))
    return name


def bound(result):
    """The microseconds of the busiest link at its full bandwidth."""
    return result["fraction_of_ideal"] * result["time_us"]


MIB = 2**20
PORT = 400e9    # of the default links of a switch, both ports together
# Equal experts are an all-to-all: the same cycles on links alone, and all but the start of the lists on an endpoint.
even = table([[1000]] * 64)
for topology in ("Switch(8)", "4x2x2"):
    for endpoint, near in (("ideal", 0), ("ace", 0.05), ("comm-opt", 0.05)):
        plain = run("all-to-all", "--topology", topology, "--size", "2MiB", "--endpoint", endpoint)
        for more in ((), ("--transpose",)):
            v = run("all-to-all-v", "--topology", topology, "--size", "2MiB", "--endpoint", endpoint, "--counts", even, *more)
            assert v["bytes_sent_per_npu"] == plain["bytes_sent_per_npu"], topology
            assert abs(v["cycles"] / plain["cycles"] - 1) <= near, (topology, endpoint, v["cycles"], plain["cycles"])

# One hot expert: its NPU receives what the other seven send, and reads or writes all these bytes.
hot = table([[5]] + [[0]] * 63)
for more, link in (((), "into the node"), (("--transpose",), "")):
    options = ("--topology", "Switch(8)", "--size", "1MiB", "--counts", hot, *more)
    for endpoint, GBps in (("ideal", 376), ("comm-opt", 318), ("ace", 128)):
        v = run("all-to-all-v", *options, "--endpoint", endpoint)
        assert v["check"] == "passed" and v["busiest_link_node"] == 0, v
        assert v["busiest_link"][:1] == "x" and v["busiest_link"][2:].strip(", ") == link, v["busiest_link"]
        assert abs(bound(v) / (7 * MIB / PORT * 1e6) - 1) < 1e-6, bound(v)
        us = (7 if endpoint == "ideal" else 8) * MIB / GBps / 1e3
        assert -0.001 < v["time_us"] / us - 1 < 0.08, (endpoint, more, v["time_us"], us)
hot = run("gather", "--topology", "Switch(8)", "--size", "1MiB", "--endpoint", "ideal")
assert 0 <= hot["time_us"] / (7 / 8 * MIB / 376 / 1e3) - 1 < 0.001, hot["time_us"]


# The busiest port by another implementation of both placements.
def in_order(loads, members):
    return [e * members // len(loads) for e in range(len(loads))]


def balanced(loads, members):
    room = -(-len(loads) // members)
    homes, sums, has = {}, [0] * members, [0] * members
    for e in sorted(range(len(loads)), key=lambda e: -loads[e]):
        m = min((m for m in range(members) if has[m] < room), key=lambda m: sums[m])
        homes[e], sums[m], has[m] = m, sums[m] + loads[e], has[m] + 1
    most = lambda h: max(sum(l for e, l in enumerate(loads) if h[e] == m) for m in range(members))
    ordered = in_order(loads, members)
    return homes if most(homes) <= most(ordered) else ordered


def port(tokens, homes, members, size):
    """Bytes of the busiest port; tokens[e][m]: of expert e from member m."""
    everything = sum(map(sum, tokens))
    pair = [[0] * members for _ in range(members)]
    for e, row in enumerate(tokens):
        for m in range(members):
            pair[m][homes[e]] += row[m]
    pair = [[-(-(members * size * t // everything) // 256) * 256 for t in row] for row in pair]
    out = [sum(r) - r[m] for m, r in enumerate(pair)]
    into = [sum(pair[k][m] for k in range(members)) - pair[m][m] for m in range(members)]
    return max(max(out), max(into))


rng = random.Random(5)
gains = 0
for trial in range(24):
    members, experts = rng.choice((2, 4, 8)), rng.choice((3, 8, 17, 64))
    tokens = [[rng.randrange(1, 2000) ** 2 // 1000 for _ in range(members)] for _ in range(experts)]
    each = trial % 2
    if not each:    # all members alike: their sum is in the file
        tokens = [[row[0]] * members for row in tokens]
    name = table(tokens if each else [[members * row[0]] for row in tokens], ",".join(map(str, range(members))) if each else "tokens")
    options = ("--topology", f"Switch({members})", "--size", "1MiB", "--endpoint", "ideal", "--counts", name)
    loads = [sum(row) for row in tokens]
    found = []
    for way, homes in (("in-order", in_order(loads, members)), ("balanced", balanced(loads, members))):
        v = run("all-to-all-v", *options, "--experts", way)
        expected = port(tokens, homes, members, MIB) / PORT * 1e6
        # the halves of a block are whole rows, and a port has half the bandwidth
        assert abs(bound(v) - expected) < members * 256 / PORT * 1e6, (trial, way, bound(v), expected)
        w = run("all-to-all-v", *options, "--experts", way, "--transpose")
        assert abs(bound(w) - expected) < members * 256 / PORT * 1e6, (trial, way, bound(w), expected)
        found.append(max(sum(l for e, l in enumerate(loads) if homes[e] == m) for m in range(members)))
    assert found[1] <= found[0], found
    gains += found[1] < found[0]
assert gains > 8, gains

# The greedy rule alone would put 3 + 2 + 2 on a member, where 2 + 2 + 2 and 3 + 3 are in order.
options = ("--topology", "Switch(2)", "--size", "1MiB", "--endpoint", "ideal", "--counts", table([[2], [2], [2], [3], [3]]))
found = [bound(run("all-to-all-v", *options, "--experts", way)) for way in ("in-order", "balanced")]
assert found[0] == found[1] and abs(found[0] - MIB / 2 / PORT * 1e6) < 512 / PORT * 1e6, found
END
verdict $? 'closed forms of experts'

# On software and on the engine each member's bytes are the closed form's, on a torus too.
for endpoint in ace comm-opt comp-opt no-overlap; do
    "$acesim" collective all-to-all-v --topology 4x2x2 --counts routing/olmoe-most.csv --size 256KiB --endpoint $endpoint --quiet >"$work/out" 2>"$work/err"
    verdict $? "$endpoint: $(head -n 1 "$work/err")"
    grep -q '^check *passed: bytes sent on x, y, z equal the algorithm' "$work/out"
    verdict $? "$endpoint: $(grep ^check "$work/out")"
done
for file in workloads/routing/*.csv; do
    "$acesim" collective all-to-all-v --topology 'Switch(8)' --counts "$file" --endpoint ideal --quiet >"$work/out" 2>"$work/err"
    verdict $? "$file: $(head -n 1 "$work/err")"
done

refused_by=(collective all-to-all-v --topology 'Switch(2)' --counts "$work/bad.csv")
bad() { # TEXT CONTENT
    printf '%b' "$2" >"$work/bad.csv"
    refused "$1"
}
bad "bad.csv:2:1: found 'experts', expected 'expert'" '# x\nexperts,tokens\n'
bad "bad.csv:1:8: found 'token', expected 'tokens', or the members 0 to 1" 'expert,token\n'
bad "bad.csv:1:7: found '', expected ',' and the columns of tokens" 'expert\n'
bad "bad.csv:1:9: found '', expected 'tokens', or the members 0 to 1" 'expert,0\n'
bad "bad.csv:1:10: found '2', expected 'tokens', or the members 0 to 1" 'expert,0,2\n'
bad "bad.csv:1:8: found '1', expected 'tokens', or the members 0 to 1" 'expert,1,0\n'
bad "bad.csv:1:11: found '', expected 'tokens', or the members 0 to 1" 'expert,0,1,0\n'
bad "bad.csv:1:14: found '', expected the end of the line" 'expert,tokens,x\n'
bad "bad.csv:2:1: found '1', expected expert 0" 'expert,tokens\n1,5\n'
bad "bad.csv:3:1: found '0', expected expert 1" 'expert,tokens\n0,5\n0,5\n'
bad "bad.csv:2:3: found '-5', expected a number of tokens, 0 to 4294967295" 'expert,tokens\n0,-5\n'
bad "bad.csv:2:3: found '4294967296', expected a number of tokens" 'expert,tokens\n0,4294967296\n'
bad "bad.csv:3:3: found '4294967295', expected at most 4294967295 tokens together" 'expert,tokens\n0,1\n1,4294967295\n'
bad "bad.csv:2:2: found '', expected ',' and the tokens of the expert" 'expert,tokens\n0\n'
bad "bad.csv:2:4: found '', expected 2 counts after the expert" 'expert,0,1\n0,7\n'
bad "bad.csv:2:6: found '', expected 2 counts after the expert" 'expert,0,1\n0,7,8,9\n'
bad "bad.csv:3:1: found '', expected expert 1" 'expert,tokens\n0,7\n\n'
bad "bad.csv:2:1: found '', expected experts with tokens" 'expert,tokens\n'
bad "bad.csv:3:1: found '', expected experts with tokens" 'expert,tokens\n0,0\n'
printf '1,2\n3,4\n' >"$work/bad.csv"
refused "--size: found it with all-to-all-v, expected a collective other than barrier, without --counts of bytes" --size 1MiB
refused "--experts: found it with all-to-all-v, expected all-to-all-v, with --counts of the tokens of experts" --experts balanced
refused_by=(collective)
refused "--experts: found 'best', expected" all-to-all-v --experts best
refused "--transpose: found it with all-to-all, expected all-to-all-v" all-to-all --transpose

echo "experts: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
