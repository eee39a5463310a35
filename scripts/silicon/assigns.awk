# SPDX-License-Identifier: Apache-2.0
# assigns.awk -- a netlist as OpenSTA reads it: no concatenation on the left of an assignment
#
#   awk -f bits.awk -f assigns.awk NETLIST
#
# Such an assignment becomes one for each bit; constants, which have no path, are left out.
{ declare() }
/^  assign \{/ {
    line = $0; sub(/^  assign /, "", line); sub(/;$/, "", line)
    at = index(line, " = ")
    n = bits(substr(line, 1, at - 1), to)
    if (n != bits(substr(line, at + 3), from)) {
        print "assigns.awk: sides of unlike width: " substr(line, 1, 200) >"/dev/stderr"
        exit 1
    }
    for (i = 1; i <= n; i++) if (from[i] !~ /^1'h/) print "  assign " to[i] " = " from[i] ";"
    next
}
{ print }
