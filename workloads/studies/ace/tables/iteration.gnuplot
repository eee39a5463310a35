# SPDX-License-Identifier: Apache-2.0
# height 1.1
models = system("tail -n +2 ".csv." | cut -d'\"' -f3 | cut -d, -f2 | sort -u | tr '\n' ' '")
rows(r, m) = "< grep '^\"".r."\",".m.",' ".csv
set style data histogram
set style histogram rowstacked
set style fill solid border -1
set boxwidth 0.8
set multiplot layout words(models), 2 columnsfirst margins 0.1, 0.99, 0.1, 0.92 spacing 0.06, 0.115
set yrange [0:*]
set grid ytics
set xtics rotate by -55 scale 0 font ',9'
set key at screen 0.5, 0.995 center top vertical maxrows 1 width 2
do for [k = 1:2] {
    r = k == 1 ? 'shapes, outstanding' : 'table, reserved'
    set ylabel k == 1 ? '% of the compute alone' : ''
    do for [m in models] {
        set title m.' ('.r.')' offset 0, -0.7
        plot rows(r, m) using 11:xtic(strcol(3).' '.strcol(4)) lc rgb '#d05000' title 'exposed', \
             rows(r, m) using 10 lc rgb '#80a8d0' title 'compute slowed'
        unset key
    }
}
unset multiplot
