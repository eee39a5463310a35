# SPDX-License-Identifier: Apache-2.0
# Several designs perform alike.  Each line is thinner than the one drawn before it, so that all of them are seen.
designs = system("tail -n +2 '".csv."' | cut -d'\"' -f2 | uniq | tr '\\n' ';'")
n = words(system("tail -n +2 '".csv."' | cut -d'\"' -f2 | uniq | tr ' \\n' '_ '"))
name(i) = system("echo '".designs."' | cut -d';' -f".i)
array colour[8] = ['#a8cfe8', '#2f7fb8', '#50a060', '#c04000', '#7b6fb0', '#b58900', '#808080', '#202020']
array marker[8] = [5, 7, 9, 6, 13, 11, 4, 8]
width(i) = 12 - 3.3 * (i - 1) > 1.5 ? 12 - 3.3 * (i - 1) : 1.5
size(i) = 2.6 - 0.55 * (i - 1) > 0.9 ? 2.6 - 0.55 * (i - 1) : 0.9
set key bottom right spacing 1.5 samplen 5
set xlabel 'scratchpad (MiB)'
set ylabel 'performance, 1 at 4 MiB, 16 FSMs, 64 KiB'
set grid
set xrange [0:4.2]
set yrange [0:1.1]
plot for [i = 1:n] "< grep '^\"".name(i)."' '".csv."'" using 2:4 with linespoints lc rgb colour[i] lw width(i) pt marker[i] ps size(i) title name(i), \
     '-' using 1:2 with points pt 3 ps 2 lw 2 lc rgb 'black' title 'chosen in the paper'
4,1
e
