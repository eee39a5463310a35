# SPDX-License-Identifier: Apache-2.0
workloads = system("tail -n +2 '".csv."' | cut -d, -f1 | uniq | tr '\n' ' '")
rows(w) = "< grep '^".w.",' '".csv."'"
set style data histogram
set style histogram rowstacked
set style fill pattern border -1
set boxwidth 0.8
set multiplot layout words(workloads), 1
set ylabel 'ms'
set yrange [0:*]
set xtics rotate by -40 font ',8'
set key outside right top
do for [w in workloads] {
    set title w offset 0, -0.5
    plot rows(w) using 5:xtic(strcol(2).' '.strcol(3)) lc rgb '#0060a0' title 'compute', \
         rows(w) using 6 lc rgb '#e08030' title 'exposed'
}
unset multiplot
