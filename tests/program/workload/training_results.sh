#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim explain, report and diff on results of acesim train and search: a dense model and a mixture
# of experts.  Each number that they show stands in the result or follows from it.
. "$(dirname "$0")/../begin.sh"

train() { # MODEL STRATEGY FILE options
    local model=$1 strategy=$2 file=$3
    shift 3
    "$acesim" train "models/$model.yaml" --cluster clusters/torus-4x2x2.yaml --strategy "$strategy" \
        --endpoint ideal --quiet --format json "$@" >"$work/$file" 2>"$work/err"
    verdict $? "train $model $strategy: $(head -n 1 "$work/err")"
}
member() { sed -nE "s/^\t\"$1\":\t\"?([^\",]*)\"?,?$/\1/p" "$work/$2" | head -n 1; } # NAME FILE
parts=(compute_cycles exposed_tensor_cycles exposed_context_cycles exposed_expert_cycles
       exposed_data_cycles exposed_pipeline_cycles bubble_cycles)

train gpt2-345m tp2.pp2.dp4.m4.fused dense.json --layers 4 --sequence 256
train gpt2-345m tp4.pp2.dp2.m4.fused wider.json --layers 4 --sequence 256
train mixtral-8x7b tp2.sp.dp8.ep8.fused experts.json --layers 1 --sequence 256

for file in dense.json experts.json; do
    # ---- explain: the parts are those of the result, all of its cycles, and the largest bounds it
    "$acesim" explain "$work/$file" >"$work/out" 2>"$work/err"
    verdict $? "explain $file: $(head -n 1 "$work/err")"
    most=0 largest=
    for part in "${parts[@]}"; do
        cycles=$(member $part $file)
        awk -v c="$cycles" 'BEGIN { exit !(c > 0) }' || continue
        plain=$(awk -v c="$cycles" 'BEGIN { printf "%d", c + 0.5 }')
        tr -d , <"$work/out" | grep -qE " $plain +[0-9.]+ %$"
        verdict $? "explain $file: no line of $part with $plain cycles"
        awk -v c="$cycles" -v m="$most" 'BEGIN { exit !(c > m) }' && most=$cycles largest=$part
    done
    awk -v all="$(member cycles $file)" '/ %$/ && NF > 3 && $(NF - 2) ~ /^[0-9,]+$/ { gsub(",", "", $(NF - 2)); sum += $(NF - 2) }
        END { exit !(sum > all - 8 && sum < all + 8) }' "$work/out"
    verdict $? "explain $file: the parts are not all of the cycles"
    share=$(awk -v p="$most" -v all="$(member cycles $file)" 'BEGIN { printf "%.2f", 100 * p / all }')
    grep -qE "^bound by .*: $share % of the cycles$" "$work/out"
    verdict $? "explain $file: expected a bound of $share % ($largest), found $(grep '^bound by' "$work/out")"
    # what it says of a change, that a run with the change says, too
    read -r change gain <<<"$(sed -nE 's/^confirmed: ([^ ]+) gains most, ([0-9.]+) %.*/\1 \2/p' "$work/out")"
    if [ -n "$change" ] && [[ $change != --strategy=* ]]; then
        mapfile -t words < <(sed -nE 's/^\t"command":\t\[(.*)\],$/\1/p' "$work/$file" | sed 's/", "/\n/g; s/^"//; s/"$//' |
            grep -v -- "^${change%%=*}=")
        "$acesim" "${words[@]}" "$change" --quiet --format json >"$work/changed.json" 2>"$work/err"
        found=$(awk -v a="$(member tokens_per_s $file)" -v b="$(member tokens_per_s changed.json)" \
            'BEGIN { printf "%.1f", 100 * (b / a - 1) }')
        same "$found" "$gain" "explain $file: gain of $change"
    fi
done

# ---- report: both side by side, with every part of each ----------------------------------------------
"$acesim" report "$work/dense.json" "$work/experts.json" --output "$work/page.html" >/dev/null 2>"$work/err"
verdict $? "report: $(head -n 1 "$work/err")"
cells() { sed 's/<[^>]*>/\n/g' "$work/page.html" | tr -d ,; }
for file in dense.json experts.json; do
    for part in cycles "${parts[@]}"; do
        plain=$(awk -v c="$(member $part $file)" 'BEGIN { printf "%d", c + 0.5 }')
        [ "$plain" = 0 ] || cells | grep -qx "$plain"
        verdict $? "report: no cell with $part of $file, $plain"
    done
    cells | grep -qx "$(member strategy $file)"
    verdict $? "report: no cell with the strategy of $file"
done
same "$(grep -c '<h3>Stages of the pipeline</h3>' "$work/page.html")" 2 'report: tables of stages'

# ---- diff: what differs, and by how much ----------------------------------------------------------
"$acesim" diff "$work/dense.json" "$work/wider.json" --format csv >"$work/out" 2>"$work/err"
verdict $? "diff: $(head -n 1 "$work/err")"
grep -q "strategy.*$(member strategy dense.json).*$(member strategy wider.json)" "$work/out"
verdict $? 'diff: the strategies'
grep -q "cycles.*$(member cycles dense.json).*$(member cycles wider.json)" "$work/out"
verdict $? 'diff: the cycles'

# ---- a search: its best strategy, and its best five ---------------------------------------------------
"$acesim" search models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml --batch 16 --layers 2 --sequence 128 \
    --endpoint ideal --database "$work/base" --quiet --format json >"$work/search.json" 2>"$work/err"
verdict $? "search: $(head -n 1 "$work/err")"
best=$(sed -nE 's/^\t\t"strategy":\t"([^"]*)",$/\1/p' "$work/search.json" | head -n 1)
"$acesim" explain "$work/search.json" >"$work/out" 2>"$work/err"
verdict $? "explain of a search: $(head -n 1 "$work/err")"
grep -qF "gpt2-345m, $best on 4x2x2: " "$work/out"
verdict $? "explain of a search: expected $best, found $(head -n 1 "$work/out")"
"$acesim" report "$work/search.json" --output "$work/page.html" >/dev/null 2>"$work/err"
verdict $? "report of a search: $(head -n 1 "$work/err")"
same "$(grep -c '<h3>Where the time goes</h3>' "$work/page.html")" 5 'report of a search: strategies'
"$acesim" diff "$work/search.json" "$work/dense.json" --quiet >"$work/out" 2>"$work/err"
grep -qF "A  $best" "$work/out"
verdict $? 'diff of a search'
echo '[]' >"$work/none.json"
refused "none.json: found JSON of another tool, or a search without a result" explain "$work/none.json"

echo "training_results: $passed passed, $failed failed"
[ $failed -eq 0 ]
