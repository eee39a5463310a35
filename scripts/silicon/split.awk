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
# Forms of a module with other parameters are numbered: ace_link_port, ace_link_port_2.
BEGIN { printf "" >(dir "/instances") }            # there are none in a leaf
function base(raw) { sub(/=s?[0-9]*'.*/, "", raw); sub(/\\[A-Z_]+$/, "", raw); sub(/.*\\/, "", raw); return raw }
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
    print "module \\" name >file
    print "attribute \\blackbox 1\nmodule \\" name >(dir "/boxes")
    next
}
/^  wire .*(input|output)/ || /^end/ { print >(dir "/boxes") }
$1 == "cell" && $2 in name_of {
    print name, name_of[$2], substr($3, 2) >(dir "/instances")
    $0 = "  cell \\" name_of[$2] " " $3
}
{ print >file }
/^end/ { close(file) }
