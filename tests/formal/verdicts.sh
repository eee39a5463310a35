#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Checks the verdicts of run.sh on small modules: properties that hold, hold trivially, fail, need
# more leading assertions, or are never reached.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tests/formal" "$work/rtl"
cp tests/formal/run.sh tests/formal/live.vh "$work/tests/formal"

# bench NAME ASSERTIONS: of a register and its twin, and a counter of 0, 1, 2, 0
bench() {
    cat >"$work/tests/formal/$1.v" <<EOF
module $1 (input wire clk, input wire rst, input wire d);
    \`include "live.vh"
    reg       q, twin;
    reg [3:0] n;
    always @(posedge clk) begin
        q    <= d && !rst;
        twin <= d && !rst;
        n    <= rst || n == 4'd2 ? 4'd0 : n + 4'd1;
    end
    always @* if (live) begin $2 end
endmodule
EOF
}
bench holds   'assert (n <= 4'"'"'d2);'
bench partly  'assert (n <= 4'"'"'d2); assert (q == twin);'
bench trivial 'assert (q == twin);'
bench wire_   'assert (d || n == n);'
bench fails   'assert (q == twin); assert (n != 4'"'"'d1);'
bench never   'assert (d);'
bench unled   'assert (n != 4'"'"'d9);'
bench reached 'cover (n == 4'"'"'d2);'
bench missed  'cover (n == 4'"'"'d3);'

# PROOF ENGINE RESULT
expected='holds pdr holds,
holds ind holds, 1 assertions
holds bmc:8 holds, 8 cycles
partly ind holds, 2 assertions, 1 of no state
partly bmc:8 holds, 8 cycles
trivial ind holds, 1 assertions, 1 of no state
trivial bmc:8 holds,
trivial pdr holds,
wire_ ind holds, 1 assertions, 1 of no state
fails ind FAILS in cycle 2
fails bmc:8 FAILS in cycle 2
fails pdr FAILS in cycle
never ind FAILS in cycle
never bmc:8 FAILS in cycle
unled ind OPEN
reached cover:8 reached in cycle 3
missed cover:8 NOT REACHED'
awk '{ print $1, "-", $2, "quick" }' <<<"$expected" >"$work/tests/formal/proofs.txt"
"$work/tests/formal/run.sh" >"$work/said" || true
failed=0 n=0
while read -r proof engine result; do
    n=$((n + 1))
    said=$(sed -n "$((n + 2))p" "$work/said" | cut -d'|' -f2,6)
    [[ $said == " $proof | $result"* ]] || { echo "$proof, $engine: said$said, expected $result"; failed=1; }
done <<<"$expected"
grep -q '^17 proofs, 7 failed$' "$work/said" || { echo "said $(tail -1 "$work/said"), expected 17 proofs, 7 failed"; failed=1; }
exit $failed
