# SPDX-License-Identifier: Apache-2.0
# height 0.9
workloads = system("tail -n +2 '".csv."' | cut -d, -f1 | uniq | tr '\n' ' '")
set multiplot layout words(workloads), 1 margins 0.09, 0.98, 0.09, 0.9 spacing 0, 0.11
set ylabel 'GB/s'
set yrange [0:*]
set grid
set key at screen 0.98, 0.995 right horizontal
do for [w in workloads] {
    set title w offset 0, -0.8
    if (w eq word(workloads, words(workloads))) { set xlabel 'ms' }
    plot csv skip 1 using (strcol(1) eq w && strcol(2) eq 'comm-opt' ? $3 : NaN):4 with steps lc rgb '#c04000' dt 3 title 'comm-opt', \
         csv skip 1 using (strcol(1) eq w && strcol(2) eq 'comp-opt' ? $3 : NaN):4 with steps lc rgb '#808080' dt 2 title 'comp-opt', \
         csv skip 1 using (strcol(1) eq w && strcol(2) eq 'ace' ? $3 : NaN):4 with steps lc rgb '#0060a0' title 'ACE'
    unset key
}
unset multiplot
