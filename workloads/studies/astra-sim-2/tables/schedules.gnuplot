# SPDX-License-Identifier: Apache-2.0
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.85
set boxwidth 0.9
set ylabel 'all-reduce (us)'
set logscale y
set grid y
set key top right
set xtics rotate by 40 right
plot csv skip 1 using 3:xtic(strcol(1) . ' ' . strcol(2)) lc rgb '#a0c0e0' title 'links, baseline', \
     csv skip 1 using 4 lc rgb '#4080c0' title 'links, balanced', \
     csv skip 1 using 6 lc rgb '#e0a030' title 'ACE, baseline', \
     csv skip 1 using 7 lc rgb '#c04000' title 'ACE, balanced'
