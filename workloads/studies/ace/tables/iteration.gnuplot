# SPDX-License-Identifier: Apache-2.0
set style data histogram
set style histogram rowstacked gap 1
set style fill pattern border -1
set boxwidth 0.8
set multiplot layout 3, 1
set key top left horizontal
set ylabel 'ms'
set yrange [0:*]
set xtics rotate by -60 font ',7'
set bmargin 5
do for [w in 'resnet50 gnmt dlrm'] {
    set title w
    plot csv skip 1 using (strcol(1) eq w ? $5 : 1/0):xtic(strcol(1) eq w ? strcol(2).' '.strcol(3) : '') lc rgb '#0060a0' title 'compute', \
         csv skip 1 using (strcol(1) eq w ? $6 : 1/0) lc rgb '#e08030' title 'exposed communication'
}
unset multiplot
