#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fpga.sh DIR [LIST] -- what the modules of LIST take of an FPGA, a table in Markdown
#
# Yosys maps each module of LIST (fpga.txt in this folder) with its inner modules to the cells of Lattice's
# ECP5, or with FAMILY=xcup to the cells of Xilinx's UltraScale+. A line of LIST is a module: its name, and
# NAME=VALUE for each parameter without its default.
#
#   DIR/MODULE.stat     Yosys's statistics, DIR/MODULE.log what else it said
#
# A LUT of an ECP5 has four inputs. Each CCU2C, a carry of two bits, counts as two more LUTs, and each
# TRELLIS_DPR16X4, a memory of 16 rows of four bits, as four. A LUT of UltraScale+ has six inputs, and carries
# are separate. RAM32M16 and RAM64M8 count as eight LUTs, RAM32M and RAM64M as four, and memories of one bit as
# fewer. A block RAM has 18,432 bits, DP16KD or half of a RAMB36E2. Nothing is placed or routed: see
# fpga_route.sh.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$(realpath -m "$1") list=${2:-scripts/fpga/fpga.txt}
mkdir -p "$dir"
command -v yosys >/dev/null || { echo "fpga.sh: found no yosys, expected the package yosys" >&2; exit 2; }
[[ -r $list ]] || { echo "fpga.sh: found no list $list" >&2; exit 2; }

while read -r module _; do
    [[ -f rtl/$module.v ]] || { echo "fpga.sh: $list: found no module $module, expected one of rtl/" >&2; exit 2; }
done < <(grep -v '^ *\(#\|$\)' "$list")

case ${FAMILY:-ecp5} in
    ecp5) synth=synth_ecp5 ;;
    xcup) synth='synth_xilinx -family xcup -flatten -noiopad -noclkbuf' ;;
    *) echo "fpga.sh: FAMILY: found $FAMILY, expected ecp5 or xcup" >&2; exit 2 ;;
esac

map() { # MODULE [NAME=VALUE ...]
    local module=$1 set parameters=''; shift
    for set in "$@"; do parameters+=" -chparam ${set/=/ }"; done
    yosys -q -p "read_verilog -I rtl rtl/*.v; hierarchy -check -top $module$parameters
                 $synth -top $module; tee -q -o $dir/$module.stat stat" >"$dir/$module.log" 2>&1 ||
        { echo "fpga.sh: $module: $(grep -m1 ERROR "$dir/$module.log")" >&2; return 1; }
}
export -f map
export dir synth
grep -v '^ *\(#\|$\)' "$list" | xargs -P "${JOBS:-$(nproc)}" -L1 bash -c 'map "$@"' map

echo '| module | parameters | LUTs | flip-flops | block RAMs | multipliers |'
echo '|---|---|--:|--:|--:|--:|'
grep -v '^ *\(#\|$\)' "$list" | while read -r module parameters; do
    awk -v module="$module" -v parameters="${parameters:--}" '
        function thousands(n) { return n > 999 ? sprintf("%d,%03d", n / 1000, n % 1000) : n + 0 }
        $1 == "LUT4" { luts += $2 }
        $1 == "CCU2C" { luts += 2 * $2 }
        $1 == "TRELLIS_DPR16X4" { luts += 4 * $2 }
        $1 ~ /^LUT[1-6]$/ && $1 != "LUT4" || $1 ~ /^SRL(16|C32)E$/ { luts += $2 }
        $1 ~ /^RAM(32M16|64M8)$/ { luts += 8 * $2 }
        $1 ~ /^RAM((32|64)M|128X1D|256X1S)$/ { luts += 4 * $2 }
        $1 ~ /^RAM((32|64)X1D|128X1S)$/ { luts += 2 * $2 }
        $1 ~ /^RAM(32|64)X1S$/ { luts += $2 }
        $1 == "TRELLIS_FF" || $1 ~ /^FD[RSCP]E$/ { flops += $2 }
        $1 == "DP16KD" || $1 == "RAMB18E2" { blocks += $2 }
        $1 == "RAMB36E2" { blocks += 2 * $2 }
        $1 ~ /^MULT18X18/ || $1 == "DSP48E2" { products += $2 }
        $1 ~ /^(RAM|URAM|SRL)/ && $1 !~ /^(RAM(32M16|64M8|32M|64M|(32|64|128)X1[SD]|256X1S)|RAMB(18|36)E2|SRL(16|C32)E)$/ { unknown = unknown " " $1 }
        END { printf "| %s | %s | %s | %s | %s | %s |\n", module, parameters, thousands(luts), thousands(flops), blocks + 0, products + 0
              if (unknown) { print "fpga.sh: " module ": found memories of no known size:" unknown >"/dev/stderr"; exit 1 } }
    ' "$dir/$module.stat"
done
