#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# paths_all.sh DIR TOP -- paths.csv in DIR: of each module alone, and of TOP with all joined
set -euo pipefail
here=$(dirname "$(realpath "$0")")
cd "$1"
fo4=$(cat fo4)
awk -v fo4="$(awk -v ps="$fo4" 'BEGIN { print ps / 1000 }')" -v base="${MACRO_FO4:-16}" -v root="${MACRO_ROOT:-128}" \
    -v setup="$(awk -v ps="$fo4" 'BEGIN { print 2 * ps / 1000 }')" -v pin_pf=0.02 \
    -f "$here/liberty.awk" gates/macros >gates/macros.lib
rm -f paths_*
while read -r module _; do
    [[ $module == "$2" || $module == ace_node ]] || "$here/paths.sh" . "$module" 2000 >"paths_$module"
done <rtl/modules
"$here/paths.sh" . "$2" 100000 >"paths_$2"
awk -v fo4="$fo4" -v scaled="${FO4_PS:-14}" -v typical="${FO4_TYPICAL_PS:-10}" -v cycle="${CYCLE_PS:-803}" -v top="$2" -f "$here/paths.awk" \
    rtl/modules rtl/instances paths_* >paths.csv
