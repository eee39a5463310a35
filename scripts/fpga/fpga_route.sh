#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fpga_route.sh DIR MODULE [NAME=VALUE ...] -- the clock of MODULE, placed and routed in an FPGA
#
# Yosys maps it to Lattice's iCE40 HX8K and nextpnr-ice40 places and routes it, from seed 1. An FPGA has fewer
# pins than a module, so registers surround the module. Inputs come from one long shift register. Outputs go to
# another one, which takes them or shifts. A path from a pin, or to one, therefore counts as it would between
# modules.
#
#   DIR/MODULE.route.log    what nextpnr said, the longest path among it
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(realpath -m "$1") module=$2
shift 2
mkdir -p "$dir"
for tool in yosys:yosys nextpnr-ice40:nextpnr-ice40; do
    command -v "${tool%:*}" >/dev/null ||
        { echo "fpga_route.sh: found no ${tool%:*}, expected the package ${tool#*:}" >&2; exit 2; }
done
[[ -f rtl/$module.v ]] || { echo "fpga_route.sh: found no module $module, expected one of rtl/" >&2; exit 2; }
parameters=''
for set in "$@"; do parameters+=" -chparam ${set/=/ }"; done

read="read_verilog -I rtl rtl/*.v; hierarchy -check -top $module$parameters; rename -top inside"
yosys -q -p "$read; tee -q -o $dir/$module.ports portlist inside" >"$dir/$module.log"
awk '$1 == "module" { next }
     { split(substr($2, 2), range, ":"); width = range[1] + 1 }
     $1 == "input" && $3 != "clk" { ports = ports sprintf(", .%s(in_q[%d +: %d])", $3, ins, width); ins += width }
     $1 == "output" { ports = ports sprintf(", .%s(out[%d +: %d])", $3, outs, width); outs += width }
     END { printf "module around (input clk, input from, input load, output to);\n"
           printf "  reg [%d:0] in_q; reg [%d:0] out_q; wire [%d:0] out;\n", ins - 1, outs - 1, outs - 1
           printf "  inside u_inside (.clk(clk)%s);\n", ports
           printf "  always @(posedge clk) begin in_q <= {in_q, from}; out_q <= load ? out : {out_q, 1'"'"'b0}; end\n"
           printf "  assign to = out_q[%d];\nendmodule\n", outs - 1 }' "$dir/$module.ports" >"$dir/$module.around.v"
yosys -q -p "$read; read_verilog $dir/$module.around.v; hierarchy -check -top around
             synth_ice40 -top around -json $dir/$module.json" >>"$dir/$module.log" 2>&1 ||
    { echo "fpga_route.sh: $module: $(grep -m1 ERROR "$dir/$module.log")" >&2; exit 1; }
nextpnr-ice40 --hx8k --package ct256 --seed 1 --freq 200 --timing-allow-fail --json "$dir/$module.json" \
    >"$dir/$module.route.log" 2>&1 ||
    { echo "fpga_route.sh: $module: $(grep -m1 ERROR "$dir/$module.route.log")" >&2; exit 1; }
awk -v module="$module" '
    $2 == "ICESTORM_LC:"  { cells = $3 + 0 }
    $2 == "ICESTORM_RAM:" { blocks = $3 + 0 }
    /Max frequency for clock/ { for (i = 1; i < NF; i++) if ($(i + 1) == "MHz") mhz = $i }
    END { if (!mhz) exit 1
          printf "%s: %d logic cells of 7680 with those around it, %d block RAMs; %.1f MHz\n", module, cells, blocks, mhz }' \
    "$dir/$module.route.log"
