#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/reference/cli.md is what acesim says with --help, in lines of at most 100 columns.
set -euo pipefail
cd "$(dirname "$0")/../.."
scripts/cli-reference.sh --check
awk '/^```/ { text = !text } text && length > 100 { print FILENAME ":" FNR ": " length " columns"; wide = 1 } END { exit wide }' \
    docs/reference/cli.md || { echo "expected lines of --help of at most 100 columns" >&2; exit 1; }
echo "the reference of the command line is what acesim says"
