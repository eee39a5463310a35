# SPDX-License-Identifier: Apache-2.0
# macros.awk -- memories of a module that an SRAM compiler makes, as cells of their own
#
#   awk -v module=NAME -v list=FILE -v boxes=FILE -v models=FILE -f macros.awk NAME.il >NAME.macros.il
#
# Those are all that ace_ram_1r1w and ace_ram_1rw hold, whose form is a macro's; and, of arrays in other modules that are
# not in one yet, those of eight words and more that are of whole rows, or have 2048 bits or more and
# one read and one write port, or 8192 bits or more.  Of the last kind there is a copy for each
# pair of a read and a write port.  For each: a
# line in `list` (name, module, bits, words, read ports, write ports, bits of an address, whether
# reads are clocked, copies), its black box in `boxes`, what it does in `models`, in Verilog,
# counting reads and writes.
function decimal(value,    n, i) {      # 12, or a constant such as 4'1100
    if (value !~ /'/) return value + 0
    sub(/.*'/, "", value)
    for (i = 1; i <= length(value); i++) n = 2 * n + substr(value, i, 1)
    return n
}
function macro(    r, w, a, name, i, n, port, k, bits, reads, writes) {
    r = p["RD_PORTS"]; w = p["WR_PORTS"]; a = p["ABITS"]
    count++
    name = module "_macro" count
    print "  cell \\" name " " instance
    for (i = 1; i <= lines; i++) if (line[i] !~ /^    (parameter|attribute)/) print line[i]
    print name, module, p["WIDTH"], p["SIZE"], r, w, a, p["RD_CLK_ENABLE"] != 0, (p["WIDTH"] >= 2048 ? 1 : r * w) >list
    n = split("RD_ADDR RD_ARST RD_CLK RD_DATA RD_EN RD_SRST WR_ADDR WR_CLK WR_DATA WR_EN", port, " ")
    print "attribute \\blackbox 1\nmodule \\" name >boxes
    printf "module %s (", name >models
    for (i = 1; i <= n; i++) {
        bits = (port[i] ~ /^RD/ ? r : w) * (port[i] ~ /ADDR/ ? a : port[i] ~ /DATA|WR_EN/ ? p["WIDTH"] : 1)
        k = port[i] == "RD_DATA" ? "output" : "input"
        print "  wire width " bits " " k " " i " \\" port[i] >boxes
        printf "%s%s [%d:0] %s", (i > 1 ? ", " : ""), k, bits - 1, port[i] >models
    }
    print "end" >boxes
    printf ");\n    integer reads_%d_%d = 0, writes_%d_%d = 0;\n", p["SIZE"], p["WIDTH"], p["SIZE"], p["WIDTH"] >models
    reads = "reads_" p["SIZE"] "_" p["WIDTH"]; writes = "writes_" p["SIZE"] "_" p["WIDTH"]
    printf "    reg [%d:0] memory [0:%d];\n", p["WIDTH"] - 1, p["SIZE"] - 1 >models
    if (w) printf "    integer b;\n" >models
    for (i = 0; i < w; i++) {       # a word, or some bits of one
        printf "    wire [%d:0] en%d = WR_EN[%d +: %d], data%d = WR_DATA[%d +: %d];\n", p["WIDTH"] - 1, i, i * p["WIDTH"], p["WIDTH"], i, i * p["WIDTH"], p["WIDTH"] >models
        printf "    always @(posedge WR_CLK[%d]) if (en%d != 0) begin\n", i, i >models
        printf "        if (&en%d) memory[WR_ADDR[%d +: %d]] <= data%d;\n", i, i * a, a, i >models
        printf "        else for (b = 0; b < %d; b = b + 1) if (en%d[b]) memory[WR_ADDR[%d +: %d]][b] <= data%d[b];\n", p["WIDTH"], i, i * a, a, i >models
        printf "        %s = %s + 1;\n    end\n", writes, writes >models
    }
    for (i = 0; i < r; i++)
        if (p["RD_CLK_ENABLE"]) {
            printf "    reg [%d:0] read%d;\n    assign RD_DATA[%d +: %d] = read%d;\n", p["WIDTH"] - 1, i, i * p["WIDTH"], p["WIDTH"], i >models
            printf "    always @(posedge RD_CLK[%d]) if (RD_EN[%d]) begin\n        read%d <= memory[RD_ADDR[%d +: %d]]; %s = %s + 1;\n", i, i, i, i * a, a, reads, reads >models
            for (k = 0; k < w; k++)         # those whose word a read of the same cycle finds
                if (int(p["RD_TRANSPARENCY_MASK"] / 2 ^ (i * w + k)) % 2)
                    printf "        if (en%d != 0 && WR_ADDR[%d +: %d] == RD_ADDR[%d +: %d]) read%d <= memory[RD_ADDR[%d +: %d]] & ~en%d | data%d & en%d;\n",
                        k, k * a, a, i * a, a, i, i * a, a, k, k, k >models
            print "    end" >models
        } else
            printf "    assign RD_DATA[%d +: %d] = memory[RD_ADDR[%d +: %d]];\n    always @(RD_ADDR[%d +: %d]) %s = %s + 1;\n",
                i * p["WIDTH"], p["WIDTH"], i * a, a, i * a, a, reads, reads >models
    print "endmodule" >models
}
$1 == "cell" && $2 == "$mem_v2" { instance = $3; lines = 0; split("", p); inside = 1; next }
!inside { print; next }
$1 == "parameter" { key = $(NF - 1); sub(/\\/, "", key); p[key] = decimal($NF) }
{ line[++lines] = $0 }
$1 == "end" {
    inside = 0
    ram = module ~ /^ace_ram_1r1?w/
    if (ram && (p["RD_PORTS"] != 1 || p["WR_PORTS"] != 1 || p["RD_CLK_ENABLE"] == 0)) {
        print "macros.awk: " module " has " p["RD_PORTS"] " read and " p["WR_PORTS"] " write ports, expected a clocked one of each" >"/dev/stderr"
        exit 1
    }
    if (ram || p["SIZE"] >= 8 && (p["WIDTH"] >= 2048 || p["WIDTH"] * p["SIZE"] >= (p["RD_PORTS"] == 1 && p["WR_PORTS"] == 1 ? 2048 : 8192)))
        macro()
    else {
        print "  cell $mem_v2 " instance
        for (i = 1; i <= lines; i++) print line[i]
    }
}
