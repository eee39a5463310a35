# SPDX-License-Identifier: Apache-2.0
#
# Reads rtl/registers.list, whose head says what its lines are, for the programs that make something of
# it: awk -f cmake/register_list.awk -f cmake/register_map.awk, or -f cmake/ip_xact.awk.  A line with a
# mistake ends the run with status 2 after FILE:LINE and what would be accepted.
#
#   group[1..groups]      titles
#   name, address, offset, access, reset, about, mask, of_group     of registers 1..registers
#   field, high, low, field_about, of_register                      of fields 1..fields
#   code, value, code_about                                         of codes 1..codes

function fail(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
    exit 2
}
function number(text,    i, value) { # mawk has no strtonum
    if (text !~ /^0x/) return text + 0
    for (i = 3; i <= length(text); i++)
        value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}
function rest(from,    i, text) {
    for (i = from; i <= NF; i++) text = text (i > from ? " " : "") $i
    return text
}

/^#/ || NF == 0 { next }
$1 == "group" { group[++groups] = rest(2); next }
$1 == "register" {
    if (NF < 6) fail("found " NF " words, expected register NAME OFFSET ACCESS RESET text")
    if ($3 !~ /^0x[0-9a-f][0-9a-f][048c]$/) fail("found offset " $3 ", expected 0x and three digits, a multiple of 4")
    if (number($3) <= offset[registers]) if (registers) fail("found offset " $3 ", expected them to grow")
    if ($4 !~ /^(ro|rw|cfg|w1c|w1s|wo)$/) fail("found access " $4 ", expected ro, rw, cfg, w1c, w1s or wo")
    if ($5 !~ /^(0x[0-9a-f]+|parameter)$/) fail("found reset " $5 ", expected 0x and digits, or parameter")
    name[++registers] = $2; address[registers] = $3; offset[registers] = number($3)
    access[registers] = $4; reset[registers] = $5; about[registers] = rest(6)
    of_group[registers] = groups
    next
}
$1 == "field" {
    if ($3 !~ /^[0-9]+:[0-9]+$/) fail("found bits " $3 ", expected HIGH:LOW")
    split($3, bits, ":")
    if (bits[1] > 31 || bits[1] < bits[2]) fail("found bits " $3 ", expected 31 >= HIGH >= LOW")
    for (bit = bits[2] + 0; bit <= bits[1]; bit++)
        if (used[registers, bit]++) fail("bit " bit " is in two fields")
    mask[registers] += 2 ^ (bits[1] + 1) - 2 ^ bits[2]
    field[++fields] = $2; high[fields] = bits[1]; low[fields] = bits[2]
    of_register[fields] = registers; field_about[fields] = rest(4)
    next
}
$1 == "code" {
    code[++codes] = $2; value[codes] = $3; code_about[codes] = rest(4)
    next
}
{ fail("found " $1 ", expected group, register, field or code") }
