#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the table of times in docs/results/wire-formats.md: an all-reduce of 64 MiB on 4x4x4 with each format of the
# wire, with the engine's memory bandwidth and with a larger one.  ACESIM is the program.
set -euo pipefail
acesim=${ACESIM:-build/release/acesim}
echo '| memory | format | cycles | us | speed-up | of ideal |'
echo '|--:|---|--:|--:|--:|--:|'
for memory in 128GB/s 300GB/s; do
    first=
    for format in none bf16 mxfp8 fp8-e4m3; do
        # cycles, time, share of the ideal
        read -r cycles us share < <("$acesim" collective all-reduce --topology 4x4x4 --size 64MiB --memory-bandwidth "$memory" \
            --wire-format "$format" --format json --quiet |
            sed -nE 's/^\s*"(cycles|time_us|fraction_of_ideal)":\s*([0-9.]+).*/\2/p' | head -3 | paste -sd' ')
        first=${first:-$cycles}
        awk -v m="$memory" -v f="$format" -v c="$cycles" -v u="$us" -v s="$share" -v o="$first" \
            'BEGIN { printf "| %s | %s | %d | %.1f | %.2f | %.1f %% |\n", m, f, c, u, o / c, 100 * s }'
    done
done
