# SPDX-License-Identifier: Apache-2.0
# Three panels: time, throughput by area, work by energy; one line for each radix.
set multiplot layout 1, 3 margins 0.075, 0.985, 0.16, 0.9 spacing 0.045, 0
# height 0.55
set grid
set logscale x 2
set logscale y 2
set xrange [0.7:1.5e6]
set yrange [0.7:8]
set xtics ("1 KiB" 1, "32 KiB" 32, "1 MiB" 1024, "32 MiB" 32768, "1 GiB" 1048576) font ',8'
set ytics (0.7, 1, 1.4, 2, 3, 4, 6, 8)
set xlabel 'all-reduce'
set key top right samplen 2
array title[3] = ['time', 'per mm^2', 'per joule']
do for [k = 1:3] {
    set title title[k] offset 0, -0.6
    if (k == 1) { set ylabel 'switch over endpoint' offset 1, 0 } else { unset ylabel }
    plot for [r = 0:3] csv using 1:(column(2 + 4 * (k - 1) + r)) every ::1 with linespoints pt 7 ps 0.6 lw 1.5 \
             lc rgb word('#90b8e0 #4a88c0 #1f5c99 #c04000', r + 1) title k == 1 ? word('8 16 32 64', r + 1).' NPUs' : '', \
         1 with lines dt 2 lc rgb '#404040' notitle
}
unset multiplot
