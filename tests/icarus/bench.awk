# SPDX-License-Identifier: Apache-2.0
#
# bench.awk -- the pins of a unit over time, a VCD, as a bench and its vectors
#
#   awk -v module=M -v parameters='.A(1), .B(2)' -v bench=B.v -v vectors=V.hex [-v reset=N] -f bench.awk RTL VCD
#
# A vector is the inputs and the outputs of a cycle.  The bench drives the inputs and compares
# every output, bit by bit; a bit that Icarus does not know (x), because nothing was written
# yet, is counted and not compared.  Nor are the first six cycles: data registers, which have no
# reset and of which up to five stand one behind the other (a row's place on its way through the
# scratchpad), hold what stood before the reset, and Icarus, for which an if of x is false, may take that
# for known.  A recording that begins after its reset has N cycles of
# it put before.  With DUMP defined, the unit's nets go there from the first vector on.
FNR == NR {                             # the ports of rtl/M.v
    if (match($0, /^    (in|out)put +/)) {
        line = $0
        sub(/\/\/.*/, "", line); sub(/[,;].*/, "", line); sub(/ +$/, "", line); sub(/.* /, "", line)
        direction[line] = $1
    }
    next
}
$1 == "$var" && $5 in direction && $5 != "clk" && !($5 in id) {
    id[$5] = $4; width[$4] = $3; name[$4] = $5; order[++pins] = $5
}
/^#/ { emit(); started = 1; next }
/^[bB]/ { value[$2] = substr($1, 2); next }
/^[01xXzZ]/ { value[substr($0, 2)] = substr($0, 1, 1); next }
function bits(pin,    v, n) {
    v = value[id[pin]]
    n = width[id[pin]] - length(v)
    return (n > 0 ? substr(zeros(n), 1, n) : "") v
}
function zeros(n) { while (length(zero) < n) zero = zero "0000000000000000"; return zero }
function emit(    i, all) {
    if (!started) return
    for (i = 1; i <= pins; i++) if (direction[order[i]] == "input") all = all bits(order[i])
    for (i = 1; i <= pins; i++) if (direction[order[i]] == "output") all = all bits(order[i])
    print all >vectors
    total = length(all)
    cycles++
}
END {
    emit()
    ins = outs = ""
    printf "`timescale 1ns/1ns\nmodule bench;\n    reg clk = 0;\n" >bench
    for (i = 1; i <= pins; i++) {
        p = order[i]
        if (direction[p] == "input") ins = ins (ins == "" ? "" : ", ") p
        else outs = outs (outs == "" ? "" : ", ") p
        printf "    %s [%d:0] %s;\n", direction[p] == "input" ? "reg " : "wire", width[id[p]] - 1, p >bench
        if (direction[p] == "output") printf "    reg  [%d:0] want_%s, differ_%s;\n", width[id[p]] - 1, p, p >bench
        connect = connect ", ." p "(" p ")"
    }
    want = outs
    gsub(/, /, ", want_", want)
    printf "    %s %sdut (.clk(clk)%s);\n", module, parameters == "" ? "" : "#(" parameters ") ", connect >bench
    printf "    reg [%d:0] vectors [0:%d];\n    integer t, known, unknown, bad;\n", total - 1, cycles - 1 >bench
    printf "    initial begin\n        $readmemb(\"%s\", vectors);\n        known = 0; unknown = 0; bad = 0;\n", vectors >bench
    if (reset) printf "        {%s, want_%s} = vectors[0];\n%s        repeat (%d) begin #1 clk = 1; #1 clk = 0; end\n", ins, want, "rst" in id ? "        rst = 1;\n" : "", reset >bench
    printf "`ifdef DUMP\n        $dumpfile(`DUMP);\n        $dumpvars(0, dut);\n`endif\n" >bench
    printf "        for (t = 0; t < %d && bad == 0; t = t + 1) begin\n", cycles >bench
    printf "            {%s, want_%s} = vectors[t];\n            #1;\n", ins, want >bench
    printf "            if (t > 5) begin\n" >bench
    for (i = 1; i <= pins; i++) if (direction[p = order[i]] == "output") {
        printf "                differ_%s = %s ^ want_%s;\n", p, p, p >bench
        printf "                if (^differ_%s === 1'bx) unknown = unknown + 1; else known = known + 1;\n", p >bench
        printf "                if (|differ_%s === 1'b1) begin\n", p >bench
        printf "                    $display(\"cycle %%0d pin %s: icarus %%h, verilator %%h\", t, %s, want_%s); bad = bad + 1;\n                end\n", p, p, p >bench
    }
    printf "            end\n            clk = 1; #1; clk = 0;\n        end\n" >bench
    printf "        $display(\"%%0d cycles, %%0d pins compared whole, %%0d in part, %%0d differ\", t, known, unknown, bad);\n" >bench
    printf "        $finish;\n    end\nendmodule\n" >bench
}
