#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Files for integrators must agree with the Verilog. The file list and the FuseSoC core name every file. The IP-XACT
# component has the ports that Yosys finds and the registers of the C header. OpenSTA reads the constraints, which name
# existing ports. Then two engines of the file list run an all-reduce in Icarus, with memories and software of the bench
# only. One engine has ace_axi_split and two AXI4 memories. Checkers watch their pins; Verilator binds the same checkers
# as assertions.
#
#   LONG=1 tests/source/integration.sh     also plants a bug, which must fail; scripts/hunt.sh does
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL $*"; exit 1; }

# ---- files ----
(cd rtl && ls ./*.v) | sed 's/^..//' >"$work/there"
grep '\.v$' rtl/ace.f | diff "$work/there" - || fail 'rtl/ace.f does not name the modules of rtl/'
sed -nE 's/^      - ([a-z0-9_]+\.v)$/\1/p' rtl/ace.core | diff "$work/there" - || fail 'rtl/ace.core does not'
sed -nE 's/^      - ([a-z0-9_]+\.vh):.*/\1/p' rtl/ace.core | diff <(cd rtl && ls ./*.vh | sed 's/^..//') - ||
    fail 'rtl/ace.core does not name the includes of rtl/'
version=$(sed -nE 's/^project\(acesim VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
grep -qx "name: acesim:rtl:ace:$version" rtl/ace.core || fail "rtl/ace.core has another version than $version"
echo 'ok   files'

# ---- ports and registers ----
cmake/ip_xact.sh >"$work/ace_engine.xml"
yosys -q -p "read_verilog -lib -I rtl rtl/ace_engine.v; proc; write_json $work/ports.json; write_verilog -noattr -blackboxes $work/box_ace_engine.v"
yosys -q -p "read_verilog -lib -I rtl rtl/ace_axi_split.v; proc; write_verilog -noattr -blackboxes $work/box_ace_axi_split.v"
python3 - "$work" <<'PYTHON'
import json, re, sys
import xml.etree.ElementTree as tree

work = sys.argv[1]
space = {'x': 'http://www.accellera.org/XMLSchema/IPXACT/1685-2014'}
root = tree.parse(work + '/ace_engine.xml').getroot()
def text(element, path): return element.findtext('x:' + path, None, space)

# Widths are written in terms of parameters, each of which has a number or follows from others.
values = {text(p, 'name'): text(p, 'value') for p in root.find('x:parameters', space)}
def value(expression):
    while re.search('[A-Z]', expression):
        expression = re.sub(r'[A-Z_]+', lambda name: '(' + values[name.group(0)] + ')', expression)
    return eval(expression.replace('/', '//'))
found = {text(p, 'name'): (p.findtext('x:wire/x:direction', None, space),
                           value(p.findtext('.//x:left', '0', space)) + 1)
         for p in root.findall('x:model/x:ports/x:port', space)}
module = json.load(open(work + '/ports.json'))['modules']['ace_engine']['ports']
expected = {name: ({'input': 'in', 'output': 'out'}[p['direction']], len(p['bits'])) for name, p in module.items()}
assert found == expected, {n: (found.get(n), expected.get(n)) for n in found.keys() | expected.keys()
                           if found.get(n) != expected.get(n)}
mapped = {m.findtext('x:physicalPort/x:name', None, space) for m in root.iter('{%s}portMap' % space['x'])}
assert mapped <= found.keys() and {n for n in found if n.startswith('s_axil_')} <= mapped, mapped

header = open('cmodel/base/ace_register_map.h').read()
listed = re.findall(r'^    X\((\w+), (0x\w+)u, (\w+), (0x\w+)u, (0x\w+)u\)', header, re.M)
registers = root.findall('.//x:register', space)
assert len(listed) == len(registers) > 0, (len(listed), len(registers))
access = {'ro': 'read-only', 'wo': 'write-only', 'rw': 'read-write', 'cfg': 'read-write', 'w1c': 'read-write',
          'w1s': 'read-write'}
for (name, offset, way, reset, mask), r in zip(listed, registers):
    bits = whole = 0
    for f in r.findall('x:field', space):
        low, width = int(text(f, 'bitOffset')), int(text(f, 'bitWidth'))
        bits |= ((1 << width) - 1) << low
        whole |= int(f.findtext('.//x:reset/x:value', '0', space)) << low
        assert text(f, 'access') == access[way], (name, text(f, 'access'), way)
        assert text(f, 'modifiedWriteValue') == {'w1c': 'oneToClear', 'w1s': 'oneToSet'}.get(way), name
    assert (text(r, 'name'), int(text(r, 'addressOffset'))) == (name, int(offset, 16)), (name, offset)
    assert (bits, whole) == (int(mask, 16), int(reset, 16)), (name, hex(bits), mask, hex(whole), reset)
print('ok   %d ports and %d registers of the IP-XACT component' % (len(found), len(registers)))
PYTHON

# ---- constraints ----
cells=$(find /usr/share/qflow -name 'osu018_stdcells.lib' 2>/dev/null | head -1)
[[ $cells ]] || fail 'found no osu018_stdcells.lib, expected that of the package qflow-tech-osu018'
for top in ace_engine ace_axi_split; do
    cat >"$work/read.tcl" <<TCL
read_liberty $cells
read_verilog $work/box_$top.v
link_design $top
source rtl/ace.sdc
puts "period [get_property [get_clocks clk] period]"
exit
TCL
    sta -no_splash -exit "$work/read.tcl" >"$work/sta" 2>&1 || true
    grep -qE '^period 0\.80' "$work/sta" && ! grep -qiE 'error|warning' "$work/sta" ||
        fail "the constraints of $top are not read: $(grep -v '^$' "$work/sta" | head -5)"
done
echo 'ok   constraints'

# ---- the checkers of the pins, bound ----
# To a small engine, since it takes half a minute with the default parameters, which the build has read.
checkers=(tests/axi/ace_{{axi,axil,interrupt,link}_checker,engine_checks}.v)
(cd rtl && verilator --lint-only --assert -Wall -Wno-DECLFILENAME -f ace.f "${checkers[@]/#/../}" ../tests/axi/ace_engine_bind.sv \
    --top-module ace_engine -GFSMS=4 -GALU_TYPES=1 -GALU_OPS=1) || fail 'Verilator does not take tests/axi/ace_engine_bind.sv'
echo 'ok   assertions of the pins'

# ---- a first run ----
# run RTL NAME ROWS: the last line of the bench, which an engine that stops half way never comes to, and the rules
# that an engine breaks
run() {
    (cd "$1" && iverilog -g2005 -f ace.f -s engine_bench -s engine_checks -o "$work/$2.vvp" \
        "$OLDPWD"/tests/icarus/engine_{bench,checks}.v "${checkers[@]/#/$OLDPWD/}")
    timeout 300 vvp -n "$work/$2.vvp" +rows="$3" >"$work/$2.said" || true
    echo "$(grep -c 'breaks rule' "$work/$2.said") rules broken, $(tail -1 "$work/$2.said")"
}
good=$(run rtl good 8) || good="no end within 300 s"
[[ $good =~ ^0\ rules\ broken,\ [1-9][0-9]*\ passed,\ 0\ failed$ ]] || fail "two engines in Icarus: $good"
echo "ok   two engines in Icarus: $good"
[[ ${LONG:-} ]] || exit 0
cp -r rtl "$work/bug"
# sums that are none, and a burst of the memory that is no INCR
sed -i 's/result_q <= s_a + s_b;/result_q <= s_a | s_b;/' "$work/bug/ace_integer_lane.v"
sed -i "s/assign m_ar_burst *= 2'b01;/assign m_ar_burst = 2'b00;/" "$work/bug/ace_memory_interface.v"
for module in ace_integer_lane ace_memory_interface; do
    cmp -s "rtl/$module.v" "$work/bug/$module.v" && fail "no bug was planted in $module"
done
said=$(run "$work/bug" bug 2)
[[ $said =~ ^2\ rules\ broken,\ .*\ [1-9][0-9]*\ failed$ ]] || fail "the planted bug was not seen: $said"
echo "ok   the planted bug: $said"
