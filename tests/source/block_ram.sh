#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Maps the scratchpad's banks, narrow and with 512 rows, to an FPGA. Each must become block RAM; flip-flops may only
# hold data in transit.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v yosys >/dev/null || { echo "block_ram.sh: found no yosys, expected the package yosys" >&2; exit 2; }
cells=$(yosys -p "read_verilog -I rtl rtl/ace_scratchpad_banks.v rtl/ace_bank.v rtl/ace_ram_1r1w.v rtl/ace_ram_1rw.v
                  chparam -set BANK_ROWS 512 -set WORD_W 1 -set WORDS 72 ace_scratchpad_banks
                  synth_xilinx -family xcup -flatten -top ace_scratchpad_banks; tee -o /dev/stderr stat" 2>&1 >/dev/null)
count() { awk -v kind="^$1" '$1 ~ kind { sum += $2 } END { print sum + 0 }' <<<"$cells"; }
blocks=$(count RAMB) flops=$(count FD) others=$(($(count RAM) - $(count RAMB)))
echo "block_ram.sh: $blocks block RAMs, $others other memories, $flops flip-flops of $((4 * 512 * 72)) bits kept"
[[ $blocks -eq 4 && $others -eq 0 && $flops -lt 512 ]]
