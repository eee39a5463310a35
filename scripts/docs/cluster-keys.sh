#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes docs/reference/cluster-files.md of what acesim itself says:
#
#   scripts/docs/cluster-keys.sh            writes the page
#   scripts/docs/cluster-keys.sh --check    prints how the page differs from the program, and fails if it does
#
# ACESIM names the program, build/release/acesim otherwise.
set -euo pipefail
cd "$(dirname "$0")/../.."
acesim=${ACESIM:-build/release/acesim}
page=docs/reference/cluster-files.md
[[ -x $acesim ]] || { echo "cluster-keys: found no $acesim, expected a built acesim" >&2; exit 2; }

make_page() {
    cat <<'END'
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made by scripts/docs/cluster-keys.sh of what acesim help cluster says. -->
# Cluster files

A cluster file is a YAML file that describes the nodes, the links and the NPUs of a run. `acesim run`, `train` and
`search` require one; `acesim collective --cluster FILE` accepts one. Only `topology` is required:

```yaml
topology: Ring(4)_Switch(8)
links:
  x: {bandwidth: 200 GB/s, latency: 90}
  y: {bandwidth: 25 GB/s, latency: 500}
npu: {matrix: 312 TFLOPS, memory_bandwidth: 2039 GB/s}
```

A dot in a key below stands for a mapping: `npu.matrix` is the key `matrix` of the mapping `npu`. `*` stands for a
dimension: `x`, `y`, `z`, `w`, `u` or `v`. An option of the command replaces the value of its key. A key of the cluster file
replaces the same key of the accelerator file that `accelerator` names.

An unknown key or a bad value ends the command with the file, line and column. `acesim schema cluster` prints a JSON
Schema with the same keys, for editors. `acesim help cluster links` prints the keys of `links`, each with an example.

END
    # Without the last column, an example, and without examples of quantities, whose units have a table of their own.
    "$acesim" help cluster --markdown |
        awk -F '|' 'NF == 7 { sub(/[|][^|]*[|]$/, "|"); sub(/ such as [0-9]+ [KMGT]?i?[A-Za-z\/]+ [|]/, " |"); sub(/, such as 2 us [|]/, " |") } { print }'
}

if [[ ${1:-} == --check ]]; then
    diff -u --label "$page" --label 'acesim help cluster' "$page" <(make_page) ||
        { echo "$page is not what acesim says: run scripts/docs/cluster-keys.sh" >&2; exit 1; }
else
    text=$(make_page)
    printf '%s\n' "$text" > "$page"
fi
