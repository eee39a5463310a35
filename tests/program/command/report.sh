#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The page of acesim report: it says what the results say, whatever their names hold, needs
# nothing from elsewhere, and a browser shows it.
. "$(dirname "$0")/../begin.sh"

has() { # FILE TEXT
    grep -qF -- "$2" "$1"
    verdict $? "$1 has no '$2'"
}

number() { # RESULT NAME: as the page writes it
    sqlite3 :memory: "SELECT printf('%,d', json_extract(readfile('$1'), '\$.$2'))"
}

one="$work/<one> & 'two' \"three\".json"
"$acesim" collective all-reduce --topology 4x4x2 --size 1MiB --samples 64 --format json \
    >"$one" 2>"$work/err"
"$acesim" collective all-reduce --topology 4x2x1 --size 64KiB --speed 0.1:3 --format json \
    >"$work/slow.json" 2>"$work/err"
"$acesim" run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --samples 200 \
    --format json >"$work/run.json" 2>"$work/err"
"$acesim" collective all-reduce --topology 4x4x4 --endpoint ideal --format json \
    >"$work/ideal.json" 2>"$work/err"
page=$work/page.html
report() { "$acesim" report "$one" "$work/slow.json" "$work/run.json" "$work/ideal.json" --output "$1"; }
report "$page" >/dev/null && report "$work/again.html" >/dev/null && cmp "$page" "$work/again.html"
verdict $? 'the same runs give another page'

cp "$one" "$work/one.json"
headlines=("$(number "$work/one.json" cycles)" "$(number "$work/slow.json" cycles)"
    "$(number "$work/run.json" cycles)" "$(number "$work/ideal.json" cycles)"
    "$(number "$work/one.json" bytes_sent_per_npu)" "$(number "$work/run.json" compute_cycles)"
    "$(number "$work/run.json" 'iterations[1].cycles')"
    "$(number "$work/one.json" 'node_groups[0].link_bytes[0]')")
for text in "${headlines[@]}"; do has "$page" ">$text</td>"; done
has "$page" '/&lt;one&gt; &amp; &#39;two&#39; &quot;three&quot;.json</td>'
has "$page" 'acesim collective all-reduce --topology=4x4x2 --size=1MiB'
has "$page" 'Not recorded: run it with --samples 256.'
! grep -iE '<script|<link|<img|@import|url\(|(src|href)=' "$page"
verdict $? 'the page needs something from elsewhere'
[ "$(grep -oE 'https?://[^"<]*' "$page" | sort -u)" = http://www.w3.org/2000/svg ]
verdict $? 'an address other than the name of SVG'
# 6 links of 32 nodes, 4 of 8, 6 of 16
[ "$(grep -c 'class="c"' "$page")" -eq $((6 * 32 + 4 * 8 + 6 * 16)) ]
verdict $? "$(grep -c 'class="c"' "$page") cells of heat maps"

# what a result does not have is not shown: links of a dimension too many, samples that the endpoint
# refuses, memory of an endpoint without; an all-to-all is no layer
"$acesim" run workloads/clusters/torus-4x2x2.yaml workloads/models/dlrm.yaml --iterations 1 \
    --samples 64 --format json >"$work/dlrm.json" 2>"$work/err"
"$acesim" report "$work/dlrm.json" "$work/ideal.json" --output "$work/few.html" >/dev/null
has "$work/few.html" '<th>z-</th></tr>'
has "$work/few.html" '>all-to-all backward</text>'
has "$work/few.html" 'The ideal endpoint puts nothing on links or memory.'
sed 's/ data-run="[^"]*"//g' "$work/few.html" | grep -q '<td>memory bandwidth, GB/s</td><td>128</td><td>–</td>'
verdict $? "memory of the ideal endpoint: $(grep -o '<td>memory bandwidth.*' "$work/few.html")"
"$acesim" collective all-reduce --topology 2x2x2x2 --size 64KiB --format json >"$work/four.json" 2>"$work/err"
"$acesim" report "$work/four.json" --output "$work/four.html" >/dev/null
has "$work/four.html" '<th>w-</th></tr>'

# Runs are named by what differs, and a run of iterations has the time of one, as the terminal has it.
for endpoint in ace comm-opt ideal; do
    "$acesim" run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml --endpoint $endpoint --format json \
        >"$work/$endpoint.json" 2>"$work/err"
done
"$acesim" report "$work/ace.json" "$work/comm-opt.json" "$work/ideal.json" --output "$work/three.html" >/dev/null
has "$work/three.html" '<th></th><th>ace</th><th>comm-opt</th><th>ideal</th>'
has "$work/three.html" '<h2>comm-opt: resnet50 on 4x2x2</h2>'
mean=$("$acesim" run workloads/clusters/torus-4x2x2.yaml workloads/resnet50.yaml 2>"$work/err" | awk '$1 == "mean" { print $2, $3 }')
has "$work/three.html" ">ace: $mean an iteration</text>"
# On a phone a row is a list: each cell of the table has the label of its run.
[ "$(grep -c 'data-run="ideal"' "$work/three.html")" -eq "$(grep -c 'data-run="ace"' "$work/three.html")" ] &&
    [ "$(grep -c 'data-run="ace"' "$work/three.html")" -ge 15 ]
verdict $? 'a cell of the table of runs has no label'
for size in 64KiB 1MiB; do
    "$acesim" collective all-reduce --topology 2x2x1 --size $size --format json >"$work/$size.json" 2>"$work/err"
    "$acesim" collective all-reduce --topology 2x2x1 --size $size --link-latency 900 --format json >"$work/$size.slow.json" 2>"$work/err"
done
"$acesim" report "$work/64KiB.json" "$work/1MiB.json" --output "$work/sizes.html" >/dev/null
has "$work/sizes.html" '<th></th><th>64 KiB</th><th>1 MiB</th>'
"$acesim" report "$work/64KiB.json" "$work/64KiB.slow.json" --output "$work/options.html" >/dev/null
has "$work/options.html" '<th></th><th>without options</th><th>--link-latency=900</th>'
cp "$work/64KiB.json" "$work/again.json"
"$acesim" report "$work/64KiB.json" "$work/again.json" --output "$work/same.html" >/dev/null
has "$work/same.html" '<th></th><th>64KiB.json</th><th>again.json</th>'

refused_by=(report)
cd "$work" || exit 1
printf '{\n"tool": "acesim",\n"cycles": }' >broken.json
printf '{"tool":"acesim","kind":"all-reduce","topology":"4x4x4","cycles":1,"clock_MHz":1}' >old.json
echo '[]' >list.json
refused 'found 0 arguments, expected results'
refused 'broken.json:3:11: found what is not JSON' broken.json
refused 'none.json:1:1: found No such file' none.json
refused 'no command and node_groups' old.json
refused 'JSON of another tool' list.json
refused 'expected a file that can be written' one.json --output "$work/none/page.html"
[ ! -e report.html ]
verdict $? 'a refused report left a page'

browser=
for name in chromium chromium-browser google-chrome; do
    command -v $name >/dev/null && browser=$name && break
done
if [ -z "$browser" ]; then
    echo 'no chromium here (apt-get install chromium): the page is not opened in a browser'
else
    look() {
        timeout 100 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
            --enable-logging=stderr --user-data-dir="$work/profile" "$@" 2>"$work/log"
    }
    look --dump-dom "file://$page" >"$work/dom"
    verdict $? "$browser: $(tail -1 "$work/log")"
    for text in "${headlines[@]}"; do has "$work/dom" ">$text</td>"; done
    has "$work/dom" '</html>'
    ! grep -E 'CONSOLE|Refused|net::ERR' "$work/log"
    verdict $? "$browser complains"
    # what the parser had to mend it would have moved: as many rows, figures and cells
    for tag in '<tr' '<svg' '<rect' '<table'; do
        [ "$(grep -o -- "$tag" "$page" | wc -l)" -eq "$(grep -o -- "$tag" "$work/dom" | wc -l)" ]
        verdict $? "$browser reads another number of $tag"
    done
    look --print-to-pdf="$work/page.pdf" "file://$page" && [ "$(head -c 5 "$work/page.pdf")" = %PDF- ]
    verdict $? "$browser prints nothing"
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
