# SPDX-License-Identifier: Apache-2.0
set key bottom right
set xlabel 'memory bandwidth for communication (GB/s)'
set ylabel 'network bandwidth (GB/s)'
set grid
set yrange [0:*]
line(e, t) = strcol(1) eq e && strcol(2) eq t
plot csv skip 1 using (line('ACE', '4x2x2') ? $3 : NaN):4 with linespoints pt 7 lc rgb '#0060a0' title 'ACE, 16 NPUs', \
     csv skip 1 using (line('ACE', '4x4x4') ? $3 : NaN):4 with linespoints pt 5 lc rgb '#0060a0' dt 2 title 'ACE, 64 NPUs', \
     csv skip 1 using (line('baseline', '4x2x2') ? $3 : NaN):4 with linespoints pt 6 lc rgb '#c04000' title 'baseline, 16 NPUs', \
     csv skip 1 using (line('baseline', '4x4x4') ? $3 : NaN):4 with linespoints pt 4 lc rgb '#c04000' dt 2 title 'baseline, 64 NPUs', \
     '-' using 1:2 with points pt 3 ps 2 lw 2 lc rgb 'black' title 'published: 90 % on 64 NPUs (R)'
128,270
450,270
e
