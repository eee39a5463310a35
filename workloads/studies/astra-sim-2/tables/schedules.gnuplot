# SPDX-License-Identifier: Apache-2.0
# Points, since the length of a bar says nothing on a logarithmic axis.  A vertical line ends each network.
n = int(system("tail -n +2 '".csv."' | wc -l"))
ends = system("awk -F, 'NR > 2 && $1 != last { print NR - 2.5 } { last = $1 }' '".csv."' | tr '\n' ' '")
set ylabel 'all-reduce (us)'
set logscale y
set yrange [3:4000]
set xrange [-0.6:n - 0.4]
set grid y
set key outside top center horizontal
set xtics rotate by 40 right
do for [i = 1:words(ends)] { set arrow i from real(word(ends, i)), graph 0 to real(word(ends, i)), graph 1 nohead lc rgb '#a0a0a0' }
plot csv skip 1 using ($0 - 0.27):3:xtic(strcol(1) . ' ' . strcol(2)) with points pt 6 ps 1.1 lw 2 lc rgb '#4080c0' title 'links, baseline', \
     csv skip 1 using ($0 - 0.09):4 with points pt 7 ps 1.1 lc rgb '#4080c0' title 'links, balanced', \
     csv skip 1 using ($0 + 0.09):6 with points pt 8 ps 1.3 lw 2 lc rgb '#c04000' title 'ACE, baseline', \
     csv skip 1 using ($0 + 0.27):7 with points pt 9 ps 1.3 lc rgb '#c04000' title 'ACE, balanced'
