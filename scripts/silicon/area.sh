#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# area.sh DIR TOP -- area.csv and types.csv in DIR, from its netlists
set -euo pipefail
here=$(dirname "$(realpath "$0")")
cd "$1"
nand2=$(awk '/cell *\(NAND2X1\)/ { found = 1 } found && /area/ { gsub(/[^0-9.]/, ""); print; exit }' "$LIBERTY")
awk 'FILENAME ~ /lib$/ { if ($1 == "cell") { cell = $2; gsub(/[()]/, "", cell) } else if ($1 == "area") area[cell] = $3 + 0; next }
     FNR == 1 { module = FILENAME; sub(/.*\//, "", module); sub(/\.stat$/, "", module) }
     NF == 2 && $1 in area { print module, $1, $2, $2 * area[$1] }' gates/cells.lib gates/*.stat >cells
awk -v top="$2" -v nand2="$nand2" -v gate="${NAND2_UM2:-0.49}" -v bit="${SRAM_UM2:-0.1524}" -v two="${TWO_PORT:-1.3}" -f "$here/area.awk" \
    rtl/modules rtl/instances gates/macros cells >area.csv
! grep -q '^ace_alu ' rtl/instances || awk -v nand2="$nand2" -v gate="${NAND2_UM2:-0.49}" -f "$here/types.awk" rtl/instances cells >types.csv
