#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# inside.sh DIR MODULE -- MODULE and all modules in it, from DIR/rtl/instances
awk -v top="$2" '
    { inside[$1] = inside[$1] " " $2 }
    function visit(module,    n, k, m) {
        if (seen[module]++) return
        print module
        n = split(inside[module], m, " ")
        for (k = 1; k <= n; k++) visit(m[k])
    }
    END { visit(top) }' "$1/rtl/instances"
