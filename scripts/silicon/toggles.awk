# SPDX-License-Identifier: Apache-2.0
# toggles.awk -- energy of a netlist's run from its waveform
#
#   awk -v sample=PATTERN -v times=N -f toggles.awk ENERGY VCD
#
# ENERGY is what cell_energy.awk makes of the library.  Cells whose name fits PATTERN stand for N.
# Prints, of the whole run: pJ of clock pins, of flip-flops' data pins, and of all other gates'
# pins; then of each kind of macro reads:WORDS:BITS:N and writes:WORDS:BITS:N.  Changes from and
# to x do not count.  What is behind a clock gate sees the clock change twice in each cycle that begins while the
# gate's output, which is its enable here, is 1.
FNR == NR { energy[$1 " " $2] = $3; next }
$1 == "$scope" { pins[++depth] = 0; cell[depth] = ""; weight[depth] = $3 ~ sample ? times : 1; next }
$1 == "$var" {
    if ($5 == "clk" && clk == "") clk = $4
    if ($5 ~ /^is_/) cell[depth] = substr($5, 4)
    else if ($5 ~ /^(reads|writes)_[0-9]+_/) counter[$4] = $5
    else if ($3 == 1) { pins[depth]++; pin[depth, pins[depth]] = $5; net[depth, pins[depth]] = $4 }
    next
}
$1 == "$upscope" {
    for (i = 1; cell[depth] != "" && i <= pins[depth]; i++) {
        id = net[depth, i]
        pj = energy[cell[depth] " " pin[depth, i]] * weight[depth]
        if (pin[depth, i] == "GCLK") gated[id] += pj
        else if (cell[depth] !~ /^DFF/) logic[id] += pj
        else flops[id] += pj
    }
    clock += energy[cell[depth] " CLK"] * weight[depth]
    depth--
    next
}
# an enable that changes with the clock's edge counts as it stood before it
function settle(    i, id) {
    for (i = 1; i <= moved; i++) {
        id = mover[i]
        if (open[id]) opened[id] += rises - since[id]
        open[id] = last[id] == "1"; since[id] = rises
    }
    moved = 0
}
/^#/ { settle(); next }
/^[01]/ {
    id = substr($0, 2); v = substr($0, 1, 1)
    if (id == clk && v == "1") rises++
    if (id in gated) mover[++moved] = id
    if (id in last && last[id] != v && last[id] != "x") changes[id]++
    last[id] = v
    next
}
/^[xz]/ { id = substr($0, 2); last[id] = "x"; if (id in gated) mover[++moved] = id; next }
/^b/ && $2 in counter {
    number = 0
    for (i = 2; i <= length($1); i++) number = 2 * number + substr($1, i, 1)
    if (!($2 in from)) from[$2] = number
    to[$2] = number
}
END {
    for (id in changes) {
        f += changes[id] * flops[id]; l += changes[id] * logic[id]
    }
    for (id in gated) mover[++moved] = id
    settle()
    for (id in gated) g += 2 * opened[id] * gated[id]
    for (id in counter) accesses[counter[id]] += to[id] - from[id]
    printf "%.1f %.1f %.1f", clock * changes[clk] + g, f, l
    for (kind in accesses) { name = kind; gsub(/_/, ":", name); printf " %s:%d", name, accesses[kind] }
    print ""
}
