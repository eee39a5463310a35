# SPDX-License-Identifier: Apache-2.0
#
# rtl/program.list as a C header, a Verilog include or a page: awk -v form=header|include|page

function fail(what) {
    printf "%s:%d: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
    exit 2
}
function rest(from,    i, text) {
    for (i = from; i <= NF; i++) text = text (i > from ? " " : "") $i
    return text
}

/^#/ || NF == 0 { next }
$1 == "names" {
    if ($3 !~ /^[1-8]$/) fail("found " $3 " bits, expected 1 to 8")
    type[++types] = $2; width[$2] = $3; type_about[types] = rest(4)
    next
}
$1 == "value" {
    if (!types) fail("found a value, expected names before it")
    if ($3 !~ /^[0-9]+$/ || $3 >= 2 ^ width[type[types]])
        fail("found value " $3 ", expected a number of " width[type[types]] " bits")
    value[++values] = $2; number[values] = $3; of_type[values] = type[types]; value_about[values] = rest(4)
    next
}
$1 == "word" { word[++words] = $2; word_about[words] = rest(3); next }
$1 == "field" {
    if (!words) fail("found a field, expected a word before it")
    if ($3 !~ /^[0-9]+:[0-9]+$/) fail("found bits " $3 ", expected HIGH:LOW")
    split($3, bits, ":")
    if (bits[1] > 31 || bits[1] + 0 < bits[2] + 0) fail("found bits " $3 ", expected 31 >= HIGH >= LOW")
    if ($4 != "-" && $4 != "signed" && !($4 in width)) fail("found type " $4 ", expected -, signed or one of the names")
    if ($4 in width && bits[1] - bits[2] + 1 != width[$4])
        fail("found " bits[1] - bits[2] + 1 " bits, expected the " width[$4] " of " $4)
    for (bit = bits[2] + 0; bit <= bits[1]; bit++)
        if (used[words, bit]++) fail("bit " bit " is in two fields")
    field[++fields] = $2; high[fields] = bits[1]; low[fields] = bits[2]
    field_type[fields] = $4; of_word[fields] = words; field_about[fields] = rest(5)
    next
}
{ fail("found " $1 ", expected names, value, word or field") }

function wrap(text, indent,    i, n, word_, line) { # prints text in lines of 100 columns at most
    n = split(text, word_, " ")
    line = word_[1]
    for (i = 2; i <= n; i++) {
        if (length(line) + length(word_[i]) + 1 > 100) { print line; line = indent word_[i] }
        else line = line " " word_[i]
    }
    print line
}

function header(    f, t, v, text) {
    print "/* SPDX-License-Identifier: Apache-2.0 */"
    print "/*"
    print " * ace_program_fields.h -- the words of the FSMs' programs"
    print " *"
    print " * Made by cmake/program_fields.sh of rtl/program.list; docs/reference/instruction-set.md explains"
    print " * them."
    print " *"
    print " *     ACE_PROGRAM_GET(word, LOOP)       a field of a word"
    print " *     ACE_PROGRAM_SIGNED(word, BIAS)    likewise, of a number in two's complement"
    print " *     ACE_PROGRAM_PUT(value, LOOP)      a field in its place"
    print " */"
    print "#ifndef ACE_PROGRAM_FIELDS_H"
    print "#define ACE_PROGRAM_FIELDS_H"
    print ""
    print "#include <stdint.h>"
    print ""
    print "/* clang-format off */"
    print "#define ACE_PROGRAM_GET(word, field) \\"
    print "    ((uint32_t)(word) >> ACE_PROGRAM_##field##_LOW & ACE_PROGRAM_##field##_MASK)"
    print "#define ACE_PROGRAM_SIGNED(word, field) \\"
    print "    ((int)(ACE_PROGRAM_GET(word, field) ^ (ACE_PROGRAM_##field##_MASK + 1u) / 2u) - \\"
    print "     (int)((ACE_PROGRAM_##field##_MASK + 1u) / 2u))"
    print "#define ACE_PROGRAM_PUT(value, field) \\"
    print "    (((uint32_t)(value) & ACE_PROGRAM_##field##_MASK) << ACE_PROGRAM_##field##_LOW)"
    print ""
    for (f = 1; f <= fields; f++) {
        printf "#define ACE_PROGRAM_%s_LOW %d\n", field[f], low[f]
        printf "#define ACE_PROGRAM_%s_MASK 0x%xu\n", field[f], 2 ^ (high[f] - low[f] + 1) - 1
    }
    for (t = 1; t <= types; t++) {
        printf "\n/* %s */\ntypedef enum ace_%s {\n", type_about[t], type[t]
        for (v = 1; v <= values; v++) if (of_type[v] == type[t])
            printf "    ACE_%s = %d, /* %s */\n", value[v], number[v], value_about[v]
        printf "} ace_%s;\n", type[t]
    }
    print "/* clang-format on */"
    print "\n#endif"
}

function include(    f, v) {
    print "// SPDX-License-Identifier: Apache-2.0"
    print "//"
    print "// ace_program_fields.vh -- the words of the FSMs' programs"
    print "//"
    print "// Made by cmake/program_fields.sh of rtl/program.list; docs/reference/instruction-set.md explains them."
    print ""
    print "`ifndef ACE_PROGRAM_FIELDS_VH"
    print "`define ACE_PROGRAM_FIELDS_VH"
    print ""
    for (f = 1; f <= fields; f++)
        printf "`define ACE_PROGRAM_%s %s\n", field[f], (high[f] == low[f] ? high[f] : high[f] ":" low[f])
    print ""
    print "// The highest bit of numbers in two's complement"
    for (f = 1; f <= fields; f++) if (field_type[f] == "signed")
        printf "`define ACE_PROGRAM_%s_SIGN %d\n", field[f], high[f]
    print ""
    for (v = 1; v <= values; v++)
        printf "`define ACE_PROGRAM_%s %d'd%d\n", value[v], width[of_type[v]], number[v]
    print "\n`endif"
}

function page(    w, f, t, v) {
    print "<!-- SPDX-License-Identifier: Apache-2.0 -->"
    print "<!-- Made by cmake/program_fields.sh of rtl/program.list. -->"
    print "# Instruction set"
    print ""
    wrap("A program says what a node does in a phase of a collective. `acesim rtl program` assembles its text into 128 " \
         "words of 32 bits. The node holds the words in registers, and the programmable FSMs (`rtl/ace_fsm.v`) carry " \
         "them out. This page says what the words mean; `cmodel/isa/ace_program.h` has the text's grammar.", "")
    print ""
    wrap("An FSM runs a program for each chunk that it holds, as two threads: one sends pieces of the chunk's block, " \
         "the other receives them. On a dimension of n members an instruction moves a piece, once or in a loop, and k " \
         "is what the loop counts.", "")
    print ""
    wrap("A field has its bits, and a link to its values. Bits that no field has are 0.", "")
    for (w = 1; w <= words; w++) {
        printf "\n## %s\n\n", word[w]
        wrap(word_about[w], "")
        print ""
        for (f = 1; f <= fields; f++) if (of_word[f] == w)
            printf "- %s, %s%s: %s\n", field[f], (high[f] == low[f] ? high[f] : high[f] ":" low[f]), \
                   (field_type[f] == "-" ? "" : field_type[f] == "signed" ? ", signed" : \
                    ", [" field_type[f] "](#" field_type[f] ")"), field_about[f]
    }
    for (t = 1; t <= types; t++) {
        printf "\n## %s\n\nSays %s.\n\n", type[t], type_about[t]
        for (v = 1; v <= values; v++) if (of_type[v] == type[t])
            printf "- %d, %s: %s\n", number[v], value[v], value_about[v]
    }
}

END {
    if (failed) exit 2
    if (form == "header") header()
    else if (form == "include") include()
    else page()
}
