# SPDX-License-Identifier: Apache-2.0
# The fronts are staircases: at an area, the best time of all sets that are no larger.
only(mark, column) = "< awk -F, 'NR > 1 && $".mark." == 1 { print $2 \",\" $".column." }' '".csv."'"
set multiplot layout 1, 2 margins 0.075, 0.985, 0.14, 0.93 spacing 0.085, 0
set grid
set xlabel 'area at 28 nm (mm^2)'
set xrange [4:12]
set logscale y 2
set key top left reverse Left samplen 2
do for [k = 1:2] {
    column = 2 + k
    set yrange [k == 1 ? 0.9 : 0.55 : k == 1 ? 2.9 : 4.4]
    set ytics (0.5, 0.6, 0.7, 0.8, 1, 1.2, 1.5, 2, 2.5, 3, 4)
    set title k == 1 ? 'slowest work on 16 to 128 NPUs' : 'all-reduce on 4,096 NPUs' offset 0, -0.6
    set ylabel 'time, default = 1' offset 1, 0
    plot only(6 + k, column) using 1:2 with steps lc rgb '#2f7fb8' lw 2 title 'front', \
         csv using 2:column every ::1 with points pt 7 ps 0.9 lc rgb '#606060' title 'set', \
         csv using 2:column:(stringcolumn(4 + k)) every ::1 with labels left rotate by 40 offset 0.4, 0.4 font ',8' notitle, \
         "< grep '^default,' '".csv."'" using 2:column with points pt 6 ps 2 lw 2 lc rgb '#c04000' title 'default', \
         '+' using (5.339):(1.0) every ::0::0 with points pt 5 ps 1.2 lc rgb '#50a060' title "paper's area (R)"
    unset key
}
unset multiplot
