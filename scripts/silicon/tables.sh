#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tables.sh DIR -- prints DIR's results and draws DIR/silicon.svg and silicon.png
set -euo pipefail
here=$(dirname "$(realpath "$0")")
cd "$1"
table() { echo; echo "$1"; echo; column -s, -t; }

paper() { # COLUMN UNIT CSV ALUS CONTROL SRAM WIRES
    awk -v column="$1" -v unit="$2" -v alus="$4" -v control="$5" -v sram="$6" -v wires="$7" -f "$here/compare.awk" "$3"
}

awk -F, '{ print } NR > 1 { for (i = 3; i <= 7; i++) sum[i] += $i } END { printf "all,,%d,%d,%d,%d,%d\n", sum[3], sum[4], sum[5], sum[6], sum[7] }' area.csv |
    table "Area: flip-flops, all cells in NAND2 equivalents, bits of SRAM, um2 at 28 nm, and with memories of two ports ${TWO_PORT:-1.3} times as large"
paper 6 um2 area.csv 64448 159803 5113696 1084 >area_compare.csv
table "Area beside the paper's table (28 nm)" <area_compare.csv
paper 7 um2 area.csv 64448 159803 5113696 1084 | table "The same, memories of two ports ${TWO_PORT:-1.3} times as large"
table "An ALU by type, NAND2 equivalents; the paper's is 16112 um2" <types.csv

fo4=$(cat fo4)
# of a module that ends paths of the joined engine, the longest of those
head -n 1 paths.csv >longest.csv
sed 1d paths.csv | awk -F, '{ rank = ($2 == "joined") * 1e6 + $3 } rank > best[$1] { best[$1] = rank; line[$1] = $0 }
                            END { for (m in line) print line[m] }' | sort -t, -k3,3nr >>longest.csv
awk -F, 'NR > 1 { ns[$1, $2] = $3; seen[$1] }
         END { print "module,register-register,in-register,register-out,in-out,joined"
               for (m in seen) printf "%s,%s,%s,%s,%s,%s\n", m, ns[m, "register-register"], ns[m, "in-register"], ns[m, "register-out"], ns[m, "in-out"], ns[m, "joined"] | "sort" }' paths.csv |
    sed 's/,,/,-,/g; s/,,/,-,/g; s/,$/,-/' | table "Longest paths in ns at 180 nm: each module alone, and those of the joined engine that end in it"
cut -c1-170 longest.csv | table "The longest of each; an FO4 is $fo4 ps in the library and ${FO4_PS:-14} ps at 28 nm, ${FO4_TYPICAL_PS:-10} in a typical corner, a cycle 803 ps"

table "Energy of the run at 28 nm, pJ a cycle" <energy.csv
grep -v '^all,' energy.csv | sed 's/,[^,]*$//' >energy_modules.csv
paper 9 mW energy_modules.csv 30.208 128 4096 0.329 >energy_compare.csv
table "Power beside the paper's table" <energy_compare.csv
echo
cat energy.note

sed 1d area.csv | sort -t, -k6,6nr >area_sorted.csv
sed 1d energy_modules.csv | sort -t, -k7,7nr >energy_sorted.csv
for kind in svg png; do
    terminal="svg size 1000,1300 background 'white'"
    [[ $kind == svg ]] || terminal="pngcairo size 1000,1300"
    gnuplot -e "dir = '.'; gate = ${NAND2_UM2:-0.49}; budget = ${CYCLE_PS:-803}.0 / ${FO4_PS:-14}; set terminal $terminal; set output 'silicon.$kind'" "$here/silicon.gnuplot"
done
