# SPDX-License-Identifier: Apache-2.0
#
# rtl/registers.list as a C header, a Verilog include, a table for proofs or a page:
# awk -v form=header|include|table|page -f cmake/register_list.awk -f cmake/register_map.awk

function header(    r, f) {
    print "/* SPDX-License-Identifier: Apache-2.0 */"
    print "/*"
    print " * ace_register_map.h -- control and status registers of rtl/ace_control.v"
    print " *"
    print " * Made by cmake/register_map.sh of rtl/registers.list; docs/reference/registers.md explains them."
    print " *"
    print " *     ACE_MAP_STATUS                             offset in bytes"
    print " *     ACE_MAP_GET(word, STATUS_ROOM)             a field of a word"
    print " *     ACE_MAP_PUT(value, COMMAND_DOORBELL_TAG)   a field in its place"
    print " */"
    print "#ifndef ACE_REGISTER_MAP_H"
    print "#define ACE_REGISTER_MAP_H"
    print ""
    print "/* clang-format off */"
    print "#define ACE_MAP_GET(word, field) ((uint32_t)(word) >> ACE_MAP_##field##_LOW & ACE_MAP_##field##_MASK)"
    print "#define ACE_MAP_PUT(value, field) (((uint32_t)(value) & ACE_MAP_##field##_MASK) << ACE_MAP_##field##_LOW)"
    for (r = 1; r <= registers; r++) {
        printf "\n#define ACE_MAP_%s %su /* %s: %s */\n", name[r], address[r], access[r], about[r]
        for (f = 1; f <= fields; f++) if (of_register[f] == r) {
            printf "#define ACE_MAP_%s_%s_LOW %d\n", name[r], field[f], low[f]
            printf "#define ACE_MAP_%s_%s_MASK 0x%xu\n", name[r], field[f], 2 ^ (high[f] - low[f] + 1) - 1
        }
    }
    print "\n/* Every register: name, offset, access, value after reset (0 where it is a parameter of"
    print " * the hardware), the bits it has. */"
    print "#define ACE_MAP_LIST(X) \\"
    for (r = 1; r <= registers; r++)
        printf "    X(%s, %su, %s, %su, 0x%08xu)%s\n", name[r], address[r], access[r], \
               (reset[r] == "parameter" ? "0x00000000" : reset[r]), mask[r], (r < registers ? " \\" : "")
    print "\n/* What ERROR and COMPLETION tell: name, number, text. */"
    print "#define ACE_CODE_LIST(X) \\"
    for (f = 1; f <= codes; f++)
        printf "    X(%s, %d, \"%s\")%s\n", code[f], value[f], code_about[f], (f < codes ? " \\" : "")
    print "#define ACE_CODE(name, number, text) ACE_CODE_##name = (number),"
    print "typedef enum ace_code { ACE_CODE_LIST(ACE_CODE) } ace_code;"
    print "#undef ACE_CODE"
    print "/* clang-format on */"
    print "\n#endif"
}

function include(    r, f) {
    print "// SPDX-License-Identifier: Apache-2.0"
    print "//"
    print "// ace_register_map.vh -- control and status registers of rtl/ace_control.v"
    print "//"
    print "// Made by cmake/register_map.sh of rtl/registers.list; docs/reference/registers.md explains them."
    print ""
    print "`ifndef ACE_REGISTER_MAP_VH"
    print "`define ACE_REGISTER_MAP_VH"
    for (r = 1; r <= registers; r++) {
        printf "\n`define ACE_MAP_%s 12'h%s\n", name[r], substr(address[r], 3)
        if (reset[r] != "parameter")
            printf "`define ACE_MAP_%s_RESET 32'h%s\n", name[r], substr(reset[r], 3)
        for (f = 1; f <= fields; f++) if (of_register[f] == r)
            printf "`define ACE_MAP_%s_%s %d:%d\n", name[r], field[f], high[f], low[f]
    }
    print ""
    for (f = 1; f <= codes; f++) printf "`define ACE_CODE_%s 8'd%d\n", code[f], value[f]
    print "\n`endif"
}

function table(    r) {
    print "// SPDX-License-Identifier: Apache-2.0"
    print "//"
    print "// register_table.vh -- of a register: may it be written, is it configuration, its bits, and these after reset"
    print "//"
    print "// Made by cmake/register_map.sh of rtl/registers.list; a parameter of the hardware is 0 here."
    print ""
    print "    function [65:0] listed;"
    print "        input [11:0] at;"
    print "        case (at)"
    for (r = 1; r <= registers; r++)
        printf "            12'h%s: listed = {1'b%d, 1'b%d, 32'h%08x, 32'h%s}; // %s\n", substr(address[r], 3), \
               access[r] ~ /^(rw|cfg|w1s)$/, access[r] == "cfg", mask[r], \
               (reset[r] == "parameter" ? "00000000" : substr(reset[r], 3)), name[r]
    print "            default: listed = 66'd0;"
    print "        endcase"
    print "    endfunction"
}

function bits_of(f) { return high[f] == low[f] ? high[f] : high[f] ":" low[f] }

# A text of four parts and more is a list.
function parts(text, indent,    n, all) {
    n = split(text, all, /; /)
    if (n >= 4) gsub(/; /, "\n" indent "- ", text)
    return text
}

function page(    g, r, f, n, head, only, bits) {
    print "<!-- SPDX-License-Identifier: Apache-2.0 -->"
    print "<!-- Made by cmake/register_map.sh of rtl/registers.list. -->"
    print "# Control and status registers"
    print ""
    print "Of [`ace_control.v`](../../rtl/ace_control.v), behind the AXI4-Lite slave of"
    print "[`ace_engine.v`](../../rtl/ace_engine.v). Words of 32 bits, little end first; offsets in bytes."
    print ""
    print "Each line has the offset, the register, its access, and its value after reset where that is not 0. A field has its"
    print "bits, unless it has all 32. *Parameter* means that the value is a parameter of the hardware. The access is:"
    print ""
    print "- ro: read only; a write answers SLVERR"
    print "- rw: holds the value that was written"
    print "- cfg: as rw while `CONTROL.RUN` is 0; while RUN is 1 a write answers SLVERR"
    print "- w1c: writing 1 to a bit clears the bit"
    print "- w1s: writing 1 to a bit sets the bit until `rst`"
    print "- wo: acts when written; a read answers SLVERR"
    print ""
    print "Bits outside the fields read as 0 and are not written. A read changes nothing. An offset that is not listed or is no"
    print "multiple of 4 answers SLVERR. An access answers SLVERR where the engine's parameters REGISTER_PROT_MASK and"
    print "REGISTER_PROT do not allow its AxPROT; by default only privileged accesses are allowed. Bytes without their strobe keep"
    print "their value; in a register that holds nothing they are 0. A write without any strobe does nothing."
    for (g = 1; g <= groups; g++) {
        head = 0
        for (r = 1; r <= registers; r++) if (of_group[r] == g) {
            if (!head++) printf "\n## %s\n\n", group[g]
            n = only = 0
            for (f = 1; f <= fields; f++) if (of_register[f] == r) { n++; only = f }
            printf "- `%s` **%s**, %s%s", address[r], name[r], access[r], \
                   (reset[r] == "0x00000000" ? "" : reset[r] == "parameter" ? ", parameter" : ", `" reset[r] "`")
            if (n == 1) { # a register of one field takes one line
                bits = high[only] - low[only] == 31 ? "" : (high[only] > low[only] ? ", bits " : ", bit ") bits_of(only)
                printf ": %s; %s%s: %s\n", about[r], field[only], bits, parts(field_about[only], "  ")
                continue
            }
            printf ": %s\n", about[r]
            for (f = 1; f <= fields; f++) if (of_register[f] == r)
                printf "  - %s, %s: %s\n", field[f], bits_of(f), field_about[f]
        }
    }
    print "\n## Codes of ERROR and COMPLETION\n"
    for (f = 1; f <= codes; f++) printf "- %d, %s: %s\n", value[f], code[f], code_about[f]
}

END {
    if (failed) exit 2
    if (form == "header") header()
    else if (form == "include") include()
    else if (form == "table") table()
    else page()
}
