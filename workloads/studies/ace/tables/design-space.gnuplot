# SPDX-License-Identifier: Apache-2.0
designs = system("tail -n +2 '".csv."' | cut -d'\"' -f2 | uniq | tr '\\n' ';'")
n = words(system("tail -n +2 '".csv."' | cut -d'\"' -f2 | uniq | tr ' \\n' '_ '"))
name(i) = system("echo '".designs."' | cut -d';' -f".i)
set key bottom right
set xlabel 'scratchpad (MiB)'
set ylabel 'performance, 1 at 4 MiB, 16 FSMs, 64 KiB'
set grid
set xrange [0:4.2]
set yrange [0:1.1]
plot for [i = 1:n] "< grep '^\"".name(i)."' '".csv."'" using 2:4 with linespoints pt i lw 2 dt i title name(i), \
     '-' using 1:2 with points pt 3 ps 2 lw 2 lc rgb 'black' title 'chosen in the paper'
4,1
e
