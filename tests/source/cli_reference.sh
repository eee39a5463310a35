#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/reference/cli.md is what acesim says with --help, in lines of at most 100 columns. The page of the site has
# every option that --help all prints, in such lines, too. The head of the page has --help, --format and --quiet.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scripts/cli-reference.sh --check
scripts/cli-reference.sh --all >"$work/all.md"
acesim=${ACESIM:-build/release/acesim}
for command in collective run train search 'rtl program'; do
    awk -v of="## acesim $command" '/^## / { in_it = $0 == of } in_it' "$work/all.md" >"$work/section"
    # shellcheck disable=SC2086 # a view is two words
    "$acesim" $command --help all | grep -oE '^  --[a-z-]+' | grep -vE -e '--(help|format|quiet)$' >"$work/options"
    while read -r option; do
        grep -qF -e "$option" "$work/section" ||
            { echo "the page of the site: found no $option of acesim $command" >&2; exit 1; }
    done <"$work/options"
done
awk '/^```/ { text = !text } text && length > 100 { print FILENAME ":" FNR ": " length " columns"; wide = 1 } END { exit wide }' \
    docs/reference/cli.md "$work/all.md" || { echo "expected lines of --help of at most 100 columns" >&2; exit 1; }
echo "the reference of the command line is what acesim says"
