# SPDX-License-Identifier: Apache-2.0
# height 1.2
# A column for each workload, a row for each endpoint.  The panels of a column have the same axes.
workloads = system("tail -n +2 '".csv."' | cut -d, -f1 | uniq | tr '\n' ' '")
endpoints = 'ace comp-opt comm-opt'
array colour[3] = ['#0060a0', '#808080', '#c04000']
largest(w, k) = real(system("awk -F, -v w=".w." '$1 == w && $".k." > m { m = $".k." } END { print m }' ".csv))
set multiplot layout words(endpoints), words(workloads) columnsfirst margins 0.09, 0.98, 0.07, 0.95 spacing 0.06, 0.07
set grid
set style fill solid 0.75
set tics nomirror
set border 3
do for [c = 1:words(workloads)] {
    w = word(workloads, c)
    set xrange [0:largest(w, '3')]
    set yrange [0:largest(w, '4') * 1.2]
    do for [k = 1:words(endpoints)] {
        e = word(endpoints, k)
        set title (k == 1 ? w : '') offset 0, -0.6
        set xlabel (k == words(endpoints) ? 'ms' : '') offset 0, 0.5
        set ylabel (c == 1 ? 'GB/s' : '')
        set label 1 (e eq 'ace' ? 'ACE' : e) at graph 0.97, 0.92 right textcolor rgb colour[k]
        plot csv skip 1 using (strcol(1) eq w && strcol(2) eq e ? $3 : NaN):4 with fillsteps lc rgb colour[k] notitle
    }
}
unset multiplot
