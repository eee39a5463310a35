# SPDX-License-Identifier: Apache-2.0
# scope.awk -- of a waveform of ace_node, one unit's pins, a time a cycle
#
#   awk -v scope='node.ace_node.u_datapath.g_alu[0].u_alu' -f scope.awk NODE.vcd >UNIT.vcd
#
# A cycle begins where the node's clock rises, with what the edge left and what the cycle's inputs
# make of its outputs (cmodel/base/ace_wave_time.h): that is its vector.  Each stands before the next
# time that is written, 2t+1 of the t-th cycle that was run, and the last before the end of the file.
$1 == "$scope" { path = path (path == "" ? "" : ".") $3; next }
$1 == "$upscope" { if (!sub(/\.[^.]*$/, "", path)) path = ""; next }
$1 == "$var" {
    if (path == "node" && $5 == "clk") clock = $4
    if (path == scope) { wanted[$4]; print }
    next
}
# What changed at a time, once it is known whether the clock rose then.
function flush_time(    i) {
    if (rises) print "#" (cycles++ ? 2 * cycles - 3 : 0)
    for (i = 1; i <= held; i++) print line[i]
    held = rises = 0
}
/^#/ { flush_time(); next }
/^[bB]/ { if ($2 in wanted) line[++held] = $0; next }
/^[01xXzZ]/ {
    if (substr($0, 2) == clock && /^1/) rises = 1
    if (substr($0, 2) in wanted) line[++held] = $0
}
END {
    flush_time()
    if (!cycles) { print "scope.awk: no cycle in the waveform" >"/dev/stderr"; exit 1 }
}
