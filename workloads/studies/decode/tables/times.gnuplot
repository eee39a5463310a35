# SPDX-License-Identifier: Apache-2.0
set logscale xy 2
set logscale y 10
set xrange [0.9:290]
# height 0.7
set yrange [0.1:15]
set xlabel 'all-reduce (KiB)'
set ylabel 'time (us)'
set grid ytics xtics
set xtics 1,2,256
set ytics (0.1, 0.2, 0.5, 1, 2, 5, 10)
set key outside right center samplen 2
plot csv using 1:2 with linespoints pt 1 lc rgb '#90b8e0' title 'engine, direct', \
     csv using 1:3 with linespoints pt 2 lc rgb '#6090c0' title 'engine, ring', \
     csv using 1:5 with linespoints pt 3 lc rgb '#5080b0' title 'engine, double-binary-tree', \
     csv using 1:4 with linespoints pt 4 lc rgb '#4070b0' title 'engine, halving-doubling', \
     csv using 1:6 with linespoints pt 6 lc rgb '#2060a0' lw 2 title 'engine, fibonacci-tree', \
     csv using 1:7 with linespoints pt 7 lc rgb '#003070' lw 2 title 'engine, in-network', \
     csv using 1:8 with linespoints pt 5 lc rgb '#7000a0' lw 2 title 'engine, whole-chunk', \
     csv using 1:9 with linespoints pt 8 lc rgb '#f0b080' title 'software, ring', \
     csv using 1:10 with linespoints pt 9 lc rgb '#c04000' lw 2 title 'software, one-shot', \
     csv using 1:11 with lines dt 2 lc rgb '#808080' title 'links alone', \
     csv using 1:12 with lines dt 3 lc rgb '#303030' title 'links alone, in-network', \
     2 with lines dt 2 lc rgb '#00a000' title '2 us'
