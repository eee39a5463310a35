# SPDX-License-Identifier: Apache-2.0
set key bottom right
set xlabel 'SMs for communication'
set ylabel 'network bandwidth (GB/s)'
set grid
set yrange [0:*]
set xrange [0:17]
plot csv skip 1 using (strcol(1) eq '4x2x2' ? $2 : NaN):3 with linespoints pt 7 lc rgb '#0060a0' title '16 NPUs', \
     csv skip 1 using (strcol(1) eq '4x4x4' ? $2 : NaN):3 with linespoints pt 5 lc rgb '#c04000' dt 2 title '64 NPUs', \
     '-' using 1:2 with points pt 3 ps 2 lw 2 lc rgb 'black' title 'published: 90 % on 64 NPUs (R)'
6,270
e
