# SPDX-License-Identifier: Apache-2.0
# dir: where area.csv, longest.csv and energy_modules.csv lie; budget: FO4s in a cycle
set termoption noenhanced
set datafile separator ','
set multiplot layout 3,1
set style fill solid
set boxwidth 0.7
set xtics rotate by -35 scale 0 font ',9'
set grid y
set lmargin 12
unset key
set title 'Area at 28 nm, estimated'
set ylabel 'um2'
set logscale y
plot dir.'/area.csv' skip 1 using 0:6:xtic(1) with boxes lc rgb '#0060a0'
unset logscale y
set title 'Longest path that ends in a module, of the whole engine; the line is a cycle of 1245 MHz at 28 nm'
set ylabel 'FO4'
set yrange [0:*]
plot dir.'/longest.csv' skip 1 using 0:4:xtic(1) with boxes lc rgb '#c06000', budget with lines lc rgb '#a00000' lw 2
set title 'Energy at 28 nm, estimated, of an all-reduce'
set ylabel 'pJ a cycle'
set key top right
set yrange [0.1:*]
set logscale y
plot dir.'/energy_modules.csv' skip 1 using 0:7:xtic(1) with boxes lc rgb '#308040' title 'all', \
     '' skip 1 using 0:3 with points pt 7 lc rgb '#202020' title 'of which clock'
