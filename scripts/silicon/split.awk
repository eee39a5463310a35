# SPDX-License-Identifier: Apache-2.0
# split.awk -- a design in RTLIL, read twice, as a file a module
#
#   awk -v dir=DIR -f split.awk DESIGN.il DESIGN.il
#
#   DIR/NAME.il     a module
#   DIR/boxes       the ports of all, as black boxes
#   DIR/modules     name, module in rtl/
#   DIR/instances   module, module inside, name there
#
# Forms of a module with other parameters are numbered: ace_link_port, ace_link_port_2.  Yosys counts what it names through
# the whole design; here each module counts from 1, so that its file is of its own text alone.
BEGIN { printf "" >(dir "/instances") }            # there are none in a leaf
function base(raw) { sub(/=s?[0-9]*'.*/, "", raw); sub(/\\[A-Z_]+$/, "", raw); sub(/.*\\/, "", raw); return raw }
function own(line,    to, id) {
    to = ""
    while (match(line, /\$[1-9][0-9]*/)) {
        id = substr(line, RSTART, RLENGTH)
        if (!(id in number)) number[id] = ++numbers
        to = to substr(line, 1, RSTART) number[id]
        line = substr(line, RSTART + RLENGTH)
    }
    return to line
}
FNR == 1 { pass++ }
pass == 1 && $1 == "module" {
    b = base($2)
    name_of[$2] = b (forms[b]++ ? "_" forms[b] : "")
    print name_of[$2], b >(dir "/modules")
}
pass == 1 { next }
/^ *attribute \\src/ || /^attribute/ || /^autoidx/ || /^$/ || /^#/ { next }
$1 == "module" {
    name = name_of[$2]; file = dir "/" name ".il"
    split("", number); numbers = 0
    print "module \\" name >file
    print "attribute \\blackbox 1\nmodule \\" name >(dir "/boxes")
    next
}
/^  wire .*(input|output)/ || /^end/ { print >(dir "/boxes") }
$1 == "cell" && $2 in name_of {
    print name, name_of[$2], substr($3, 2) >(dir "/instances")
    $0 = "  cell \\" name_of[$2] " " $3
}
{ print own($0) >file }
/^end/ { close(file) }
