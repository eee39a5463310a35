# SPDX-License-Identifier: Apache-2.0
#
# Names of a module, its blocks among them, that are used above the line that declares them, which
# some tools refuse under `default_nettype none:  awk -f declared.awk FILE ...
# Functions and instances may stand anywhere.

function used(name, line) {
    if (!(name in first)) { first[name] = line; order[++names] = name }
}
function declare(name, line) {
    if (!(name in declared)) declared[name] = line
}
# Tokens of a file, one after the other: names, numbers and signs.
function token(text, line) {
    if (declaring && depth == 0 && text == ";") declaring = 0
    else if (text ~ /^(input|output|wire|reg|integer|genvar|localparam|parameter)$/) { declaring = 1; wanted = 1; depth = 0 }
    else if (text ~ /^[\[({]$/) depth++
    else if (text ~ /^[\])}]$/) { if (depth > 0) depth--; else declaring = 0 }
    else if (text == "," && depth == 0) wanted = 1
    else if (text ~ /^[A-Za-z_]/ && before != "." && before != "`" && text != "signed") {
        if (before == ":" && behind == "begin") declare(text, line)
        else if (declaring && wanted && depth == 0) { declare(text, line); wanted = 0 }
        else used(text, line)
    }
    behind = before
    before = text
}
function finish(    i, name) {
    for (i = 1; i <= names; i++) {
        name = order[i]
        if (name in declared && first[name] < declared[name]) {
            printf "%s:%d: %s is used, and declared on line %d\n", file, first[name], name, declared[name]
            status = 1
        }
    }
    split("", first); split("", declared); split("", order)
    names = declaring = depth = 0
}

FNR == 1 && NR > 1 { finish() }
FNR == 1 { file = FILENAME }
{
    sub(/^`.*/, ""); sub(/[A-Za-z0-9_]+_must_be_[A-Za-z0-9_]+ stop \(\);/, ""); sub(/\/\/.*/, ""); gsub(/\/\*[^*]*\*\//, ""); gsub(/"[^"]*"/, "")
    gsub(/[0-9]*'s?[bdh][0-9a-fA-FxzXZ_?]+/, "0")
    while (match($0, /[A-Za-z_$][A-Za-z0-9_$]*|[0-9]+|[^ \t]/)) {
        token(substr($0, RSTART, RLENGTH), FNR)
        $0 = substr($0, RSTART + RLENGTH)
    }
}
END { finish(); exit status }
