# SPDX-License-Identifier: Apache-2.0
# height 1.15
models = system("tail -n +2 ".csv." | cut -d, -f1 | uniq | tr '\n' ' '")
set multiplot layout words(models), 2 columnsfirst margins 0.11, 0.97, 0.06, 0.88 spacing 0.08, 0.08
set logscale x
set grid
set xrange [*:*]
set yrange [0.85:*]
set key at screen 0.5, 0.99 center top vertical maxrows 3 width 2 samplen 2
published(m, column) = real(system("awk -F, '$1 == \"".m."\" { print $".column."; exit }' ".csv))
row(m, s, e, k) = strcol(1) eq m && strcol(2) eq s && strcol(3) eq e && (k == (strcol(4) eq 'table'))
do for [s in 'outstanding reserved'] {
    do for [m in models] {
        set title m.', shares '.s offset 0, -0.7
        set ylabel s eq 'outstanding' ? 'iteration time / ACE''s' : ''
        set xlabel m eq word(models, words(models)) ? 'compute for a byte sent (ps)' : ''
        average = published(m, 7) # once: a curve asks for each of its points
        maximum = published(m, 8)
        plot average with lines lw 2 lc rgb '#208040' title 'published, average', \
             maximum with lines lw 2 dt 2 lc rgb '#208040' title 'published, maximum', \
             1 with lines lw 2 lc rgb '#0060a0' title 'ACE', \
             csv skip 1 using (row(m, s, 'comm-opt', 0) ? $5 : NaN):6 with linespoints pt 7 ps 0.7 lc rgb '#c04000' title 'comm-opt', \
             csv skip 1 using (row(m, s, 'comp-opt', 0) ? $5 : NaN):6 with linespoints pt 5 ps 0.7 lc rgb '#808080' title 'comp-opt', \
             csv skip 1 using (row(m, s, 'no-overlap', 0) ? $5 : NaN):6 with linespoints pt 9 ps 0.8 lc rgb '#8060a0' title 'no-overlap', \
             csv skip 1 using (strcol(1) eq m && strcol(2) eq s && strcol(4) eq '1.0' ? $5 : NaN):6 with points pt 6 ps 2 lc rgb 'black' title 'this NPU', \
             csv skip 1 using (strcol(1) eq m && strcol(2) eq s && strcol(4) eq 'table' ? $5 : NaN):6 with points pt 3 ps 1.3 lc rgb 'black' title "authors' table"
        unset key
    }
}
unset multiplot
