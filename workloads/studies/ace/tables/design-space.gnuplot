# SPDX-License-Identifier: Apache-2.0
set key bottom right
set xlabel 'scratchpad (MiB)'
set ylabel 'performance, 1 at 4 MiB and 16 FSMs'
set grid
set yrange [0:1.1]
plot for [n in '4 8 16'] csv skip 1 using ($2 == int(n) ? $1 : NaN):4 with linespoints pt int(n) title n.' FSMs'
