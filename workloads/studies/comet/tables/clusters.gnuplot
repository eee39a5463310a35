# SPDX-License-Identifier: Apache-2.0
set style data histograms
set style histogram rowstacked
set style fill solid 0.85
set boxwidth 0.7
set ylabel 'iteration of the best strategy (s), cut at 220'
set yrange [0:220]
set grid y
set key top left
plot csv skip 1 using 5:xtic(1) lc rgb '#4080c0' title 'compute', \
     csv skip 1 using 6 lc rgb '#c04000' title 'exposed, model parallel', \
     csv skip 1 using 7 lc rgb '#e0a030' title 'exposed, data parallel'
