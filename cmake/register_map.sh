#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes what is made of rtl/registers.list:
#
#     cmake/register_map.sh            writes the four files below
#     cmake/register_map.sh --check    says which of them the list would make otherwise
#
# They are kept in the tree, since lint, synthesis and other tools read rtl/ and cmodel/ as
# they are; tests/source/register_map.sh runs the check.
set -euo pipefail
cd "$(dirname "$0")/.."
declare -A made=([header]=cmodel/base/ace_register_map.h [include]=rtl/ace_register_map.vh
                 [table]=tests/formal/register_table.vh [page]=docs/reference/registers.md)
status=0
for form in header include table page; do
    text=$(awk -v form="$form" -f cmake/register_list.awk -f cmake/register_map.awk rtl/registers.list; echo .) # keeps ends of lines
    text=${text%.}
    if [[ ${1:-} == --check ]]; then
        diff -u "${made[$form]}" - <<<"${text%$'\n'}" || status=1
    else
        printf '%s' "$text" > "${made[$form]}"
    fi
done
exit $status
