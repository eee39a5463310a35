# SPDX-License-Identifier: Apache-2.0
# dir: where area_sorted.csv, longest.csv and energy_sorted.csv lie; gate: um2 of a NAND2; budget: FO4s in a cycle
set termoption noenhanced
set datafile separator ','
set multiplot layout 3,1
set style fill solid
set boxwidth 0.7
set xtics rotate by 40 right scale 0 font ',9'
set grid y
set lmargin 12
set bmargin 7
set key top right
set offsets 0.5, 0.5, 0, 0
name(s) = substr(s, 5, strlen(s))               # without ace_
set title 'Area, estimated for 28 nm'
set ylabel 'mm2'
set yrange [0.0001:10]
set logscale y
plot dir.'/area_sorted.csv' using 0:($6 / 1e6):xtic(name(stringcolumn(1))) with points pt 7 ps 1.4 lc rgb '#0060a0' title 'all', \
     '' using 0:($4 * gate / 1e6) with points pt 6 lc rgb '#202020' title 'of which gates'
unset logscale y
set title 'Longest path that ends in a module, in the joined engine'
set ylabel 'FO4'
set yrange [0:*]
plot dir.'/longest.csv' skip 1 using 0:4:xtic(name(stringcolumn(1))) with boxes lc rgb '#c06000' notitle, \
     budget with lines lc rgb '#a00000' lw 2 title 'a cycle of 1245 MHz at 28 nm'
set title 'Energy of an all-reduce, estimated for 28 nm'
set ylabel 'pJ a cycle'
set yrange [0.1:*]
set logscale y
plot dir.'/energy_sorted.csv' using 0:7:xtic(name(stringcolumn(1))) with points pt 7 ps 1.4 lc rgb '#308040' title 'all', \
     '' using 0:3 with points pt 6 lc rgb '#202020' title 'of which clock'
