# SPDX-License-Identifier: Apache-2.0
# scope.awk -- of a waveform of ace_node, one unit's pins, a time a cycle
#
#   awk -v scope='node.ace_node.g_alu[0].u_alu' -f scope.awk NODE.vcd >UNIT.vcd
#
# acesim writes two times a cycle: 2t with what the cycle's inputs make of its outputs, 2t+1
# after the edge.  What stands before 2t+1 is the vector of cycle t.
$1 == "$scope" { path = path (path == "" ? "" : ".") $3; next }
$1 == "$upscope" { if (!sub(/\.[^.]*$/, "", path)) path = ""; next }
$1 == "$var" { if (path == scope) { wanted[$4]; print } ; next }
/^#/ { if (substr($0, 2) % 2 == 1) print; else if (!begun++) print "#0"; next }
/^[bB]/ { if ($2 in wanted) print; next }
/^[01xXzZ]/ { if (substr($0, 2) in wanted) print }
END { if (!begun) { print "scope.awk: no time in the waveform" >"/dev/stderr"; exit 1 } }
