# SPDX-License-Identifier: Apache-2.0
names = system("tail -n +2 ".csv." | cut -d, -f1 | uniq | tr '\n' ' '")
set logscale x
set xlabel 'bandwidth of expanded memory (GB/s)'
set ylabel 'iteration (s)'
set yrange [0:300]
set grid
set key top right noenhanced
plot for [i=1:words(names)] csv skip 1 using (strcol(1) eq word(names, i) ? $2 : NaN):3 with linespoints lw 2 pt 4 + i title word(names, i)
