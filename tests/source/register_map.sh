#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The header, the include, the table and the page are what rtl/registers.list makes; a list with a mistake
# is refused with the line that has it.
set -euo pipefail
cmake/register_map.sh --check

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
refuses() { # LINE MESSAGE: after the first register
    printf 'group G\nregister A 0x000 ro 0x0 a\nfield F 3:0 f\n%s\n' "$1" > "$work/list"
    if said=$(awk -v form=header -f cmake/register_list.awk -f cmake/register_map.awk "$work/list" 2>&1 >/dev/null); then
        echo "not refused: $1"; exit 1
    fi
    [[ $said == "$work/list:4: $2" ]] || { echo "said: $said"; echo "expected: $2"; exit 1; }
}
refuses 'register B 0x000 ro 0x0 b' 'found offset 0x000, expected them to grow'
refuses 'register B 0x002 ro 0x0 b' 'found offset 0x002, expected 0x and three digits, a multiple of 4'
refuses 'register B 0x004 rx 0x0 b' 'found access rx, expected ro, rw, cfg, w1c, w1s or wo'
refuses 'register B 0x004 rw zero b' 'found reset zero, expected 0x and digits, or parameter'
refuses 'field G 5:3 g' 'bit 3 is in two fields'
refuses 'field G 32:4 g' 'found bits 32:4, expected 31 >= HIGH >= LOW'
refuses 'gruop G' 'found gruop, expected group, register, field or code'
