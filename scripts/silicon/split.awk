# SPDX-License-Identifier: Apache-2.0
# split.awk -- a design in RTLIL, read twice, as a file a module
#
#   awk -v dir=DIR -v alike=MODULE -f split.awk DESIGN.il DESIGN.il
#
#   DIR/NAME.il     a module
#   DIR/boxes       the ports of all, as black boxes
#   DIR/modules     name, module in rtl/
#   DIR/instances   module, module inside, name there, `alike` if another form stands for it
#
# Forms of a module with other parameters are numbered: ace_link_port, ace_link_port_2.  Those
# of `alike` differ in constants alone and have the same ports: the first stands for all.
BEGIN { printf "" >(dir "/instances") }            # there are none in a leaf
function base(raw) { sub(/=s?[0-9]*'.*/, "", raw); sub(/\\[A-Z_]+$/, "", raw); sub(/.*\\/, "", raw); return raw }
FNR == 1 { pass++ }
pass == 1 && $1 == "module" { ports = ""; raw = $2; next }
pass == 1 && /^  wire .*(input|output)/ { ports = ports $0 "\n" }
pass == 1 && /^end/ {
    b = base(raw)
    if (b == alike && b in first) {
        if (ports != first[b]) { print "split.awk: forms of " b " with other ports" >"/dev/stderr"; exit 1 }
        name_of[raw] = b; skip[raw]
    } else {
        name_of[raw] = b (forms[b]++ ? "_" forms[b] : "")
        first[b] = ports
        print name_of[raw], b >(dir "/modules")
    }
}
pass == 1 { next }
/^ *attribute \\src/ || /^attribute/ || /^autoidx/ || /^$/ || /^#/ { next }
$1 == "module" {
    silent = $2 in skip
    name = name_of[$2]; file = dir "/" name ".il"
    if (silent) next
    print "module \\" name >file
    print "attribute \\blackbox 1\nmodule \\" name >(dir "/boxes")
    next
}
silent { next }
/^  wire .*(input|output)/ || /^end/ { print >(dir "/boxes") }
$1 == "cell" && $2 in name_of {
    print name, name_of[$2], substr($3, 2) ($2 in skip ? " alike" : "") >(dir "/instances")
    $0 = "  cell \\" name_of[$2] " " $3
}
{ print >file }
/^end/ { close(file) }
