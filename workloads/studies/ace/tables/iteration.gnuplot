# SPDX-License-Identifier: Apache-2.0
workloads = system("tail -n +2 '".csv."' | cut -d, -f1 | uniq | tr '\\n' ' '")
rows(w) = "< grep '^".w.",' '".csv."'"
set style data histogram
set style histogram rowstacked
set style fill solid border -1
set boxwidth 0.8
set multiplot layout words(workloads), 1 margins 0.09, 0.98, 0.12, 0.93 spacing 0, 0.14
set ylabel 'ms'
set yrange [0:*]
set xtics rotate by -30 scale 0 font ',9'
set key at screen 0.98, 0.995 right horizontal
do for [w in workloads] {
    set title w offset 0, -0.8
    plot rows(w) using 5:xtic(strcol(2).' '.strcol(3)) lc rgb '#0060a0' title 'compute', \
         rows(w) using 6 lc rgb '#f0b060' title 'exposed communication'
    unset key
}
unset multiplot
