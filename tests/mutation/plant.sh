# SPDX-License-Identifier: Apache-2.0
#
# plant LIST TOP FOLDER: copies rtl/ and plants the bugs of a list.  Each bug is enabled by a number
# that the program chooses when it starts.  mutations[] has the lines, `number` their count.
plant() {
    local list=$1 top=$2 folder=$3 line
    mapfile -t mutations < <(grep -v '^#' "$list" | grep .)
    cp -r rtl "$folder"
    number=0
    for line in "${mutations[@]}"; do
        number=$((number + 1))
        NUMBER=$number LINE=$line TOP=$top perl -0pi -e '
            my ($old, $new) = $ENV{LINE} =~ /^\w+: (.*) ==> (.*)$/ or die "cannot read: $ENV{LINE}\n";
            my $is = "$ENV{TOP}.mutant == $ENV{NUMBER}";
            my $both = $old =~ /;$/ ? "if ($is) begin $new end else begin $old end" : "($is ? ($new) : ($old))";
            my $found = s/\Q$old\E/$both/g;
            die $found + 0, " times, expected once: $ENV{LINE}\n" if $found != 1;
        ' "$folder/${line%%:*}.v"
        grep -q "mutant == $number[ )]" "$folder/${line%%:*}.v" ||
            { echo "not found: $line" >&2; exit 2; }
    done
    perl -pi -e 's/^endmodule/integer mutant;\ninitial mutant = \$c32("ace_mutant");\nendmodule/' "$folder/$top.v"
}
