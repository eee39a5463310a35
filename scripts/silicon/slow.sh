#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow.sh PATHS.csv PS -- names the paths between registers that are longer than a cycle of PS, and fails
# if there is one
#
# PATHS.csv, made by paths.awk, has the paths inside of a module and the paths of the whole. A path from or to a
# pin of a module is a part of a path of the whole.
set -euo pipefail
awk -F, -v cycle="$2" '
    NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
    $2 !~ /^(register-register|joined)$/ || $column["ps_28nm"] <= cycle { next }
    { printf "%s: %s FO4, %s ps of %s, from %s to %s\n", $1, $column["FO4"], $column["ps_28nm"], cycle, $column["start"], $column["end"]; slow++ }
    END { if (slow) { printf "%d path%s longer than a cycle\n", slow, (slow > 1 ? "s" : ""); exit 1 } }' "$1"
