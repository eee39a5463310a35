# SPDX-License-Identifier: Apache-2.0
#
# The engine as an IP-XACT component (IEEE 1685-2014), for tools that connect blocks and make drivers:
#
#   awk -v version=V -f cmake/ip_xact.awk -f cmake/register_list.awk rtl/registers.list rtl/ace.f rtl/ace_engine.v
#
# Registers and fields come from the list, parameters and ports from the module's own text, files from
# the file list.  This program comes first, as it keeps the other one from its own files.
# cmake/ip_xact.sh says it with these words.

# ---- what is read of the file list and the module (register_list.awk reads the first file) ----
FILENAME ~ /\.f$/ {
    if ($0 ~ /\.v$/) source[++sources] = $0
    next
}
FILENAME ~ /\.v$/ {
    comment = ""
    if (match($0, /\/\/ .*/)) comment = substr($0, RSTART + 3)
    text = $0
    sub(/[ \t]*\/\/.*/, "", text)
    if (text ~ /^ +parameter /) {
        sub(/^ +parameter +/, "", text); sub(/,$/, "", text)
        split(text, sides, / *= */)
        parameter[++parameters] = sides[1]; preset[parameters] = sides[2]; parameter_about[parameters] = comment
    } else if (text ~ /^ +(input|output) +wire/) {
        port[++ports] = text
        sub(/,$/, "", port[ports]); sub(/.* /, "", port[ports])
        direction[ports] = text ~ /^ +input/ ? "in" : "out"
        left[ports] = ""
        if (match(text, /\[.*:0\]/)) left[ports] = substr(text, RSTART + 1, RLENGTH - 4)
    } else if (text ~ /^\);/) nextfile
    next
}

# ---- what is written ----
function escaped(text) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text)
    return text
}
function open(tag) { printf "%*s<ipxact:%s>\n", depth, "", tag; depth += 2 }
function close_(tag) { depth -= 2; printf "%*s</ipxact:%s>\n", depth, "", tag }
function leaf(tag, text) { printf "%*s<ipxact:%s>%s</ipxact:%s>\n", depth, "", tag, escaped(text), tag }
function empty(tag) { printf "%*s<ipxact:%s/>\n", depth, "", tag }
function described(text) { if (text != "") leaf("description", text) }

function map(logical, physical) {
    open("portMap")
    open("logicalPort"); leaf("name", logical); close_("logicalPort")
    open("physicalPort"); leaf("name", physical); close_("physicalPort")
    close_("portMap")
}
# A bus of one or more wires, named PREFIX and the lower case of what the abstraction calls it.
function bus(title, vendor, library, type, bus_version, role, reference, maps,    n, i, pair, sides) {
    open("busInterface")
    leaf("name", title)
    printf "%*s<ipxact:busType vendor=\"%s\" library=\"%s\" name=\"%s\" version=\"%s\"/>\n",
           depth, "", vendor, library, type, bus_version
    open("abstractionTypes"); open("abstractionType")
    printf "%*s<ipxact:abstractionRef vendor=\"%s\" library=\"%s\" name=\"%s_rtl\" version=\"%s\"/>\n",
           depth, "", vendor, library, type, bus_version
    open("portMaps")
    n = split(maps, pair, " ")
    for (i = 1; i <= n; i++) { split(pair[i], sides, "="); map(sides[1], sides[2]) }
    close_("portMaps")
    close_("abstractionType"); close_("abstractionTypes")
    if (reference == "") empty(role)
    else {
        open(role)
        printf "%*s<ipxact:memoryMapRef memoryMapRef=\"%s\"/>\n", depth, "", reference
        close_(role)
    }
    close_("busInterface")
}
function axi_lite(    i, maps, signal) {
    for (i = 1; i <= ports; i++) if (port[i] ~ /^s_axil_/) {
        signal = toupper(substr(port[i], 8))
        maps = maps " " signal "=" port[i]
    }
    return maps " ACLK=clk"
}
function field_of(r, f) {
    open("field")
    leaf("name", field[f])
    described(field_about[f])
    leaf("bitOffset", low[f])
    if (reset[r] != "parameter") {
        open("resets"); open("reset")
        leaf("value", sprintf("%.0f", int(number(reset[r]) / 2 ^ low[f]) % 2 ^ (high[f] - low[f] + 1)))
        close_("reset"); close_("resets")
    }
    leaf("bitWidth", high[f] - low[f] + 1)
    if (access[r] != "rw" && access[r] != "cfg") leaf("volatile", "true")
    leaf("access", access[r] == "ro" ? "read-only" : access[r] == "wo" ? "write-only" : "read-write")
    if (field[f] == "CODE") codes_of()
    if (access[r] == "w1c") leaf("modifiedWriteValue", "oneToClear")
    if (access[r] == "w1s") leaf("modifiedWriteValue", "oneToSet")
    close_("field")
}
function codes_of(    i) {
    open("enumeratedValues")
    for (i = 1; i <= codes; i++) {
        open("enumeratedValue")
        leaf("name", code[i]); described(code_about[i]); leaf("value", value[i])
        close_("enumeratedValue")
    }
    close_("enumeratedValues")
}
function memory_map(    r, f) {
    open("memoryMaps"); open("memoryMap")
    leaf("name", "registers")
    open("addressBlock")
    leaf("name", "control"); leaf("baseAddress", "0")
    leaf("range", 4096); leaf("width", 32); leaf("usage", "register")
    for (r = 1; r <= registers; r++) {
        open("register")
        leaf("name", name[r])
        described(about[r] (access[r] == "cfg" ? "; written only while CONTROL.RUN is 0" : ""))
        leaf("addressOffset", offset[r])
        leaf("size", 32)
        for (f = 1; f <= fields; f++) if (of_register[f] == r) field_of(r, f)
        close_("register")
    }
    close_("addressBlock")
    leaf("addressUnitBits", 8)
    close_("memoryMap"); close_("memoryMaps")
}
function model(    i) {
    open("model")
    open("views"); open("view")
    leaf("name", "rtl"); leaf("envIdentifier", "verilogSource::"); leaf("componentInstantiationRef", "verilog")
    close_("view"); close_("views")
    open("instantiations"); open("componentInstantiation")
    leaf("name", "verilog"); leaf("language", "verilog"); leaf("moduleName", "ace_engine")
    open("moduleParameters")
    for (i = 1; i <= parameters; i++) {
        open("moduleParameter"); leaf("name", parameter[i]); leaf("value", parameter[i]); close_("moduleParameter")
    }
    close_("moduleParameters")
    open("fileSetRef"); leaf("localName", "rtl"); close_("fileSetRef")
    close_("componentInstantiation"); close_("instantiations")
    open("ports")
    for (i = 1; i <= ports; i++) {
        open("port"); leaf("name", port[i])
        open("wire"); leaf("direction", direction[i])
        if (left[i] != "") {
            open("vectors"); open("vector"); leaf("left", left[i]); leaf("right", "0"); close_("vector"); close_("vectors")
        }
        close_("wire"); close_("port")
    }
    close_("ports")
    close_("model")
}
function component(    i) {
    print "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
    print "<!-- SPDX-License-Identifier: Apache-2.0 -->"
    print "<!-- Made by cmake/ip_xact.sh of rtl/registers.list, rtl/ace.f and rtl/ace_engine.v. -->"
    print "<ipxact:component xmlns:ipxact=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014\""
    print "  xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\""
    print "  xsi:schemaLocation=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014" \
          " http://www.accellera.org/XMLSchema/IPXACT/1685-2014/index.xsd\">"
    depth = 2
    leaf("vendor", "acesim"); leaf("library", "rtl"); leaf("name", "ace_engine"); leaf("version", version)
    open("busInterfaces")
    bus("s_axil", "amba.com", "AMBA4", "AXI4-Lite", "r0p0", "slave", "registers", axi_lite())
    bus("clk", "ieee.org", "std1685", "clock", "1.0", "slave", "", "CLK=clk")
    bus("rst", "ieee.org", "std1685", "reset", "1.0", "slave", "", "RESET=rst")
    bus("irq", "ieee.org", "std1685", "interrupt", "1.0", "master", "", "IRQ=irq")
    close_("busInterfaces")
    memory_map()
    model()
    open("fileSets"); open("fileSet")
    leaf("name", "rtl")
    for (i = 1; i <= sources; i++) {
        open("file"); leaf("name", source[i]); leaf("fileType", "verilogSource"); close_("file")
    }
    close_("fileSet"); close_("fileSets")
    described("ACE, the Accelerator Collectives Engine: registers, memory, links")
    open("parameters")
    for (i = 1; i <= parameters; i++) {
        printf "%*s<ipxact:parameter parameterId=\"%s\" type=\"int\" resolve=\"%s\">\n", depth, "", parameter[i],
               preset[i] ~ /^[0-9]+$/ ? "user" : "generated"
        depth += 2
        leaf("name", parameter[i]); described(parameter_about[i]); leaf("value", preset[i])
        close_("parameter")
    }
    close_("parameters")
    print "</ipxact:component>"
}

END {
    if (failed) exit 2
    component()
}
