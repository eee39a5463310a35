# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# What a test of the program begins with: it stands at the root of the tree, has a program, $acesim, named
# by its first argument or ACESIM, a folder of its own, $work, and counts what passed and what failed.
#
#   . "$(dirname "$0")/../begin.sh"
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
acesim=$(realpath "${1:-${ACESIM:-build/release/acesim}}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

verdict() { # STATUS TEXT
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else echo "FAIL $2"; failed=$((failed + 1)); fi
}
