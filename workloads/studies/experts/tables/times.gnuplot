# SPDX-License-Identifier: Apache-2.0
# height 0.8
rows(t) = "< grep '^\"\\?".t."' ".csv
set style data histograms
set style histogram clustered gap 1.5
set style fill solid 0.9 noborder
set multiplot layout 2, 1 margins 0.08, 0.99, 0.13, 0.88 spacing 0, 0.16
set grid ytics
set yrange [0:*]
set ylabel 'dispatch (us)'
set xtics rotate by -25 scale 0
set key at screen 0.5, 0.99 center top horizontal maxrows 1 samplen 2
do for [k = 1:2] {
    t = k == 1 ? 'Switch(8)' : '4x2x2'
    set title (k == 1 ? '8 NPUs on a switch, 400 GB/s each' : '16 NPUs on a torus of 4x2x2') offset 0, -0.6
    plot rows(t) using 3:xtic(2) lc rgb '#2060a0' title 'engine', \
         rows(t) using 4 lc rgb '#90b8e0' title 'engine, balanced', \
         rows(t) using 5 lc rgb '#c04000' title 'software', \
         rows(t) using 6 lc rgb '#f0b080' title 'software, balanced', \
         rows(t) using 7 lc rgb '#606060' title 'links alone', \
         rows(t) using 8 lc rgb '#c0c0c0' title 'links alone, balanced'
    unset key
}
unset multiplot
