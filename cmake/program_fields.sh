#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes what is made of rtl/program.list:
#
#     cmake/program_fields.sh            writes the three files below
#     cmake/program_fields.sh --check    says which of them the list would make otherwise
#
# They are kept in the tree, since lint, synthesis and other tools read rtl/ and cmodel/ as
# they are; tests/source/program_fields.sh runs the check.
set -euo pipefail
cd "$(dirname "$0")/.."
declare -A made=([header]=$(find cmodel -name ace_program_fields.h) [include]=rtl/ace_program_fields.vh
                 [page]=docs/reference/instruction-set.md)
status=0
for form in header include page; do
    text=$(awk -v form="$form" -f cmake/program_fields.awk rtl/program.list; echo .) # keeps ends of lines
    text=${text%.}
    if [[ ${1:-} == --check ]]; then
        diff -u "${made[$form]}" - <<<"${text%$'\n'}" || status=1
    else
        printf '%s' "$text" > "${made[$form]}"
    fi
done
exit $status
