# SPDX-License-Identifier: Apache-2.0
set key bottom right
set xlabel 'activity error (% of the iteration)'
set ylabel 'NPUs of 15 strategies (%)'
set grid
set xrange [0:*]
set yrange [0:100]
plot csv skip 1 using (strcol(1) eq 'links' ? $2 : NaN):3 with steps lw 2 lc rgb '#c04000' title 'links alone', \
     csv skip 1 using (strcol(1) eq 'engine' ? $2 : NaN):3 with steps lw 2 lc rgb '#0060a0' title 'exact engines, first in first out', \
     csv skip 1 using (strcol(1) eq 'lifo' ? $2 : NaN):3 with steps lw 2 lc rgb '#50a060' title 'exact engines, last in first out'
