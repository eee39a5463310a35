# SPDX-License-Identifier: Apache-2.0
set style data histograms
set style histogram rowstacked
set style fill solid 0.85
set boxwidth 0.7
set logscale y2
set ylabel 'iteration (s); bars above 300 s are cut'
set y2label 'footprint of a node (GB), logarithmic' offset -1, 0
set y2tics
set ytics nomirror
set yrange [0:300]
set y2range [20:2000]
set xtics rotate by -35 scale 0 font ',10' noenhanced
set xlabel 'strategy: NPUs of model parallelism (MP) times NPUs of data parallelism (DP)'
set key outside top center horizontal maxrows 3
set grid y
plot csv skip 1 using 2:xtic(1) lc rgb '#4080c0' title 'compute', \
     csv skip 1 using 3 lc rgb '#c04000' title 'exposed, model parallel', \
     csv skip 1 using 4 lc rgb '#e0a030' title 'exposed, data parallel', \
     csv skip 1 using 0:6 axes x1y2 with linespoints pt 7 lc rgb 'black' title 'footprint (ZeRO 2)', \
     80 axes x1y2 with lines dt 2 lc rgb 'black' title 'memory of a node, 80 GB', \
     csv skip 1 using 0:($5 > 300 ? 292 : NaN):(sprintf('%.0f s', $5)) with labels tc rgb 'white' font ',11' notitle
