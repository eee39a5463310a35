#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The page that a study wrote, as a page of docs/results/:
#
#   scripts/docs/study-page.sh NAME FOLDER PAGE.md      FOLDER is what acesim study NAME --output made
#
# The script adds the command below each table, copies the pictures into its folder figures, and makes links of the
# tree's paths in the text.  After a line "<!-- page: OTHER.md -->" of the study's page, the text goes to OTHER.md,
# next to PAGE.md.
set -euo pipefail
cd "$(dirname "$0")/../.."
[[ $# -eq 3 ]] || { sed -n '3,11s/^# \{0,1\}//p' "$0" >&2; exit 2; }
name=$1 folder=$2 page=$3
source=workloads/studies/$name/page.md
[[ -r $folder/page.md && -r $source ]] || { echo "study-page: found no $folder/page.md or $source, expected acesim study $name --output $folder" >&2; exit 2; }

# The tables come in the order in which the study's own page names them.
awk -v name="$name" -v source="$source" -v page="$page" '
    BEGIN { while ((getline line < source) > 0) if (line ~ /^@table /) table[++tables] = substr(line, 8)
            folder = page; sub(/[^\/]*$/, "", folder) }
    function told() { printf "\n`build/release/acesim study %s --jobs 2`, table `%s.csv`\n", name, table[++k] >page; inside = 0 }
    /^<!-- page: [a-z-]+\.md -->$/ { if (inside) told()
                                     page = folder $3; lines = 0; next }
    inside && !/^\|/ { told() }
    /^\|/ { inside = 1 }
    { if (!/^!/) gsub(/`(sim-top\/[a-z_\/]*\.h|docs\/results\/[a-z-]*\.md)`/, "[&](../../\001&\002)")
      gsub(/\001`/, ""); gsub(/`\002/, ""); gsub(/\(..\/..\/docs\/results\//, "(")
      print >page }
    !lines++ { print "" >page; print "<!-- Made by scripts/docs/study-page.sh of what acesim study " name " wrote. -->" >page }
    END { if (inside) told() }' "$folder/page.md"
pages=("$page")
for other in $(sed -nE 's/^<!-- page: ([a-z-]+\.md) -->$/\1/p' "$source"); do pages+=("$(dirname "$page")/$other"); done
for page in "${pages[@]}"; do
    sed -i -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$page"    # no empty lines at the end
    for figure in $(sed -nE 's/^!\[.*\]\(([a-z-]+\.svg)\)$/\1/p' "$page"); do
        cp "$folder/$figure" "$(dirname "$page")/figures/$name-$figure"
        sed -i "s#](${figure})#](figures/${name}-${figure})#" "$page"
    done
done
