# SPDX-License-Identifier: Apache-2.0
# bits.awk -- functions for awk scripts that read a netlist of one module, as Yosys writes it
#
# declare() reads a declaration's line; bits() then gives the bits of an expression such as
# {a, b[3:0], 2'h0}, high first, as a, b[3], ... 1'h0, and how many they are.
function declare(    name, range) {
    if ($1 !~ /^(input|output|wire)$/ || $2 !~ /^\[/) return
    name = $3; sub(/;$/, "", name); if (name ~ /^\\/) name = name " "
    split($2, range, /[\[:\]]/); net_left[name] = range[2]; net_right[name] = range[3]
}
function bits(text, list,    n, part, i, k, count, name, from, to, digits, digit) {
    sub(/^\{ */, "", text); sub(/ *\}$/, "", text)
    n = split(text, part, / *, */)
    for (i = 1; i <= n; i++) {
        if (match(part[i], /^[0-9]+'d/)) {
            digits = substr(part[i], RLENGTH + 1) + 0
            for (k = part[i] - 1; k >= 0; k--) list[++count] = "1'h" int(digits / 2 ^ k) % 2
            continue
        }
        if (match(part[i], /^[0-9]+'h/)) {
            digits = substr(part[i], RLENGTH + 1)
            for (k = part[i] - 1; k >= 0; k--) {
                digit = substr(digits, length(digits) - int(k / 4), 1)
                list[++count] = "1'h" (digit ~ /[xz]/ ? "x" : int((index("0123456789abcdef", digit == "" ? "0" : digit) - 1) / 2 ^ (k % 4)) % 2)
            }
            continue
        }
        if (part[i] ~ /^\\/) { name = part[i]; sub(/ .*/, " ", name); if (name !~ / $/) name = name " " }
        else { name = part[i]; sub(/ *\[.*/, "", name) }
        part[i] = substr(part[i], length(name) + 1); gsub(/[^0-9:]/, "", part[i])
        from = to = part[i]
        if (part[i] == "") { if (!(name in net_left)) { list[++count] = name; continue } from = net_left[name]; to = net_right[name] }
        else if (part[i] ~ /:/) { sub(/:.*/, "", from); sub(/.*:/, "", to) }
        for (k = from + 0; k >= to + 0; k--) list[++count] = name "[" k "]"
    }
    return count
}
