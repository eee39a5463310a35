#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The header, the include and the page must equal what rtl/program.list generates. A list with a mistake must be refused
# with its line. No other file may decode an instruction word by hand.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake/program_fields.sh --check

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
refuses() { # LINE MESSAGE: after the first field
    printf 'names loop 2 l\nvalue ONCE 0 o\nword W w\nfield F 3:0 - f\n%s\n' "$1" > "$work/list"
    if said=$(awk -v form=header -f cmake/program_fields.awk "$work/list" 2>&1 >/dev/null); then
        echo "not refused: $1"; exit 1
    fi
    [[ $said == "$work/list:5: $2" ]] || { echo "said: $said"; echo "expected: $2"; exit 1; }
}
refuses 'field G 4:3 - g' 'bit 3 is in two fields'
refuses 'field G 32:4 - g' 'found bits 32:4, expected 31 >= HIGH >= LOW'
refuses 'field G 10:9 lop g' 'found type lop, expected -, signed or one of the names'
refuses 'field G 11:9 loop g' 'found 3 bits, expected the 2 of loop'
refuses 'value TWICE 4 t' 'found value 4, expected a number of 2 bits'
refuses 'names loop 9 l' 'found 9 bits, expected 1 to 8'
refuses 'filed G 9:9 - g' 'found filed, expected names, value, word or field'

status=0
by_hand=$(grep -nE '\bw(ord)? >> [0-9]+|\bentry >> [0-9]+' $(find cmodel -name 'ace_program*.[ch]' -o -name 'ace_fsm*.[ch]') || true)
by_hand+=$(grep -nE '\b(word2_q|entry)\[[0-9]+' rtl/ace_fsm.v || true)
by_hand+=$(grep -nE '\bs_fetch_word\[' rtl/ace_fsm.v || true)
[[ -z $by_hand ]] || { echo "found bits by number, expected fields of rtl/program.list:"; echo "$by_hand"; status=1; }
exit $status
