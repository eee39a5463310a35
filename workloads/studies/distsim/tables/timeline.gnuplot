# SPDX-License-Identifier: Apache-2.0
# height 1.0
names = system("tail -n +2 ".csv." | cut -d, -f1 | uniq | tr '\n' ' '")
most(n, k) = real(system("awk -F, -v n=".n." '$1 == n && $".k." > m { m = $".k." } END { print m }' ".csv))
set multiplot layout words(names), 1 margins 0.08, 0.98, 0.08, 0.9 spacing 0.03, 0.14
set style fill solid 0.8 border rgb 'white'
set ylabel 'stage'
set ytics 1
set key at screen 0.5, 0.99 center top horizontal
of(n, p) = strcol(1) eq n && strcol(3) eq p
do for [n in names] {
    set title n.': of each stage, above as it is composed, below as it ran'
    set xlabel n eq word(names, words(names)) ? 'ms' : ''
    set xrange [0:most(n, '8')]
    set yrange [most(n, '2') + 0.5:-0.5]
    plot csv skip 1 using (of(n, 'F') ? $5 : NaN):($2 - 0.2):5:6:($2 - 0.38):($2 - 0.02) with boxxyerror lc rgb '#4080c0' title 'forward', \
         csv skip 1 using (of(n, 'B') ? $5 : NaN):($2 - 0.2):5:6:($2 - 0.38):($2 - 0.02) with boxxyerror lc rgb '#50a060' title 'backward', \
         csv skip 1 using (of(n, 'F') ? $7 : NaN):($2 + 0.2):7:8:($2 + 0.02):($2 + 0.38) with boxxyerror lc rgb '#4080c0' notitle, \
         csv skip 1 using (of(n, 'B') ? $7 : NaN):($2 + 0.2):7:8:($2 + 0.02):($2 + 0.38) with boxxyerror lc rgb '#50a060' notitle
    unset key
}
unset multiplot
