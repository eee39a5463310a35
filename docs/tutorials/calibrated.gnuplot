# SPDX-License-Identifier: Apache-2.0
# Draws errors.txt of docs/tutorials/calibrated.md as calibrated.svg: MiB, then the error of the calibrated time and
# of both ends of its interval, in percent of the exact time.
set terminal svg size 760,360 background rgb 'white' font 'DejaVu Sans,13'
set output 'calibrated.svg'
set logscale x 2
set xrange [0.04:24]
set yrange [-6:8]
set xtics ('64 KiB' 0.0625, '256 KiB' 0.25, '1 MiB' 1, '4 MiB' 4, '16 MiB' 16)
set xlabel 'size of the all-reduce'
set ylabel 'time relative to the exact one (%)'
set grid
set key top center horizontal width -2
plot 0 lc rgb '#208040' lw 2 title 'exact', \
     'errors.txt' with yerrorbars lc rgb '#0060a0' lw 2 pt 7 title 'calibrated, with its interval'
