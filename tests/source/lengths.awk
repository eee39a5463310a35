# SPDX-License-Identifier: Apache-2.0
#
# lengths.awk -- functions of formatted C and C++ that are longer than 70 lines, from the first line
# of their head to the closing brace, unless a comment before the head or in the function says
# "Long: why".
#
#   awk -f tests/source/lengths.awk FILE...      one line a function; none: all are short
FNR == 1 { head = 0; inside = 0; reason = 0 }
/[Ll]ong: / { if (/\/\*|\*|\/\//) reason = FNR }
!inside && /^[A-Za-z_]/ { head = FNR; text = "" }
!inside && head {
    text = text " " $0
    if (/;$/) head = 0
    else if (/\{$/) {
        inside = 1
        is_function = text ~ /\(/ && text !~ /=[^()]*\{$/ && text !~ /^ INSTANTIATE/ &&
                      text !~ /^ (typedef|enum|union|struct [A-Za-z_]+ \{|class|namespace|extern "C")/
    }
}
/^\}/ && inside {
    if (is_function && FNR - head + 1 > 70 && reason < head - 4)
        printf "%s:%d: a function of %d lines, expected at most 70 or a comment \"Long: why\"\n",
               FILENAME, head, FNR - head + 1
    inside = head = 0
}
