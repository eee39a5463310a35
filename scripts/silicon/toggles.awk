# SPDX-License-Identifier: Apache-2.0
# toggles.awk -- a VCD of a netlist as OpenSTA commands: how often each pin that drives changes
#
#   awk -v top=bench.dut -v cycles=N -f toggles.awk VCD >activity.tcl
#
# Nets with no cell that drives them are inputs of the netlist.  Changes from and to x do not
# count.  Duty is taken as a half; nothing but leakage depends on it.
BEGIN { n = split(top, part, "."); skip = length(top) + 2 }
$1 == "$scope" { name = $3; sub(/^\\/, "", name); depth++; path[depth] = path[depth - 1] (depth > n + 1 ? "/" : "") (depth > n ? name : ""); next }
$1 == "$upscope" { depth--; next }
$1 == "$var" {
    if (depth > n && ($5 == "Y" || $5 == "Q" || $5 == "YC" || $5 == "YS")) { driver[$4] = path[depth] "/" $5; is_pin[$4] }
    else if (depth == n) { port[$4] = $5; width[$4] = $3 }
    next
}
/^[01]/ { id = substr($0, 2); v = substr($0, 1, 1); if (id in last && last[id] != v && last[id] != "x") changes[id]++; last[id] = v; next }
/^x/ { last[substr($0, 2)] = "x" }
END {
    for (id in driver) printf "set changes(%s) %d\n", driver[id], changes[id]
    print "set cycles " cycles
}
