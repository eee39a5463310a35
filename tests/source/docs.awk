# SPDX-License-Identifier: Apache-2.0
#
# The sh blocks of a page of Markdown, as files: awk -v out=FOLDER -f docs.awk PAGE
#
#   OUT/N.sh      the block                 OUT/N.line   where it begins
#   OUT/N.why     it is not run, since ...  OUT/N.exit   how its last command ends, if not with 0
#   OUT/N.text    what it must print: the text block that follows
#
# Comments of HTML on lines of their own before a block, which no reader of the page sees, mark it:
#
#   <!-- not run: why -->    <!-- exit: 1 -->
#
# A block that begins with another word than those a page may use is an error: no command
# escapes by its spelling.

function file(kind) { return out "/" n "." kind }

/^ *```/ && !block {
    word = $0
    sub(/^ *```/, "", word)
    if (word == "text" && behind) {
        block = "text"
        printf "" > file("text")
    } else if (word == "sh") {
        n++
        block = "sh"
        printf "" > file("sh")
        print FNR + 1 > file("line")
        if (why != "") print why > file("why")
        if (status != "") print status > file("exit")
    } else if (word ~ /^(|text|c|cmake|cpp|json|python|verilog|yaml)$/) {
        block = "other"
    } else {
        printf "%s:%d: found a block of '%s', expected sh, text or another language of the pages\n", FILENAME, FNR, word
        failed = 1
        block = "other"
    }
    why = status = ""
    behind = 0
    next
}
/^ *```/ {
    behind = block == "sh"
    block = ""
    next
}
block == "sh" || block == "text" { print > file(block); next }
block { next }
/^<!-- not run: .* -->$/ { why = $0; sub(/^<!-- not run: /, "", why); sub(/ -->$/, "", why); behind = 0; next }
/^<!-- exit: [0-9]+ -->$/ { status = $3; behind = 0; next }
/^<!-- (not run|exit)/ { printf "%s:%d: found '%s', expected <!-- not run: why --> or <!-- exit: N -->\n", FILENAME, FNR, $0; failed = 1 }
/^$/ { next }
{ why = status = ""; behind = 0 }
END { exit failed }
