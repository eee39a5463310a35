# SPDX-License-Identifier: Apache-2.0
set style fill solid
set boxwidth 0.7
set logscale y
set ylabel 'um2 at 28 nm, estimated'
set xtics rotate by -40 scale 0
set grid y
unset key
plot csv skip 1 using 0:5:xtic(1) with boxes lc rgb '#0060a0'
