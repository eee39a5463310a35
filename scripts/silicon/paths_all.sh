#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# paths_all.sh DIR TOP -- paths.csv in DIR: of each module alone, and of TOP with all joined
#
# Not through a link's CRC when joined, whose chain of words would hide all that waits for it, and
# which stands alone in the table: a black box stands for it.
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
if grep -q '^ace_link_guard ' rtl/modules; then
    sed -E 's/^  ace_link_crc /  ace_link_crc_alike /' gates/ace_link_guard.v >joined_guard.v
    NETLISTS="$("$here/inside.sh" . "$2" | sed '/^ace_link_guard$/d; s/$/.v/' | tr '\n' ' ') ../joined_guard.v" \
        "$here/paths.sh" . "$2" 100000 >"paths_$2"
else
    "$here/paths.sh" . "$2" 100000 >"paths_$2"
fi
awk -v fo4="$fo4" -v scaled="${FO4_PS:-14}" -v cycle="${CYCLE_PS:-803}" -v top="$2" -f "$here/paths.awk" \
    rtl/modules rtl/instances paths_* >paths.csv
