# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Every test of the program sources this script. It changes to the root of the tree and sets $acesim to the program,
# which the first argument or ACESIM names. It makes a folder of its own, $work, and counts what passed and what failed.
#
#   . "$(dirname "$0")/../begin.sh"
#
# `when_long COMMAND` runs only with LONG=1, which scripts/hunt.sh sets.
set -u
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
acesim=$(realpath "${1:-${ACESIM:-build/release/acesim}}")
# A version manager puts a script before python3, and the script takes longer than most calls.  It is passed over.
python=$(type -P python3)
if [ -n "$python" ] && [ "$(head -c 2 "$python")" = '#!' ]; then
    python=$("$python" -c 'import sys; print(sys.executable)')
    PATH=$(dirname "$python"):$PATH
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

when_long() { [ -z "${LONG:-}" ] || "$@"; }

verdict() { # STATUS TEXT
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else echo "FAIL $2"; failed=$((failed + 1)); fi
}

same() { # FOUND EXPECTED TEXT
    [ -n "$2" ] && [ "$1" = "$2" ]
    verdict $? "$3: found '$1', expected '$2'"
}

refused_by=() # the words of a command that stand before those of refused
refused() { # TEXT ARGUMENTS...: exit status 2, TEXT on stderr, nothing on stdout
    local text=$1 status
    shift
    "$acesim" "${refused_by[@]}" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    [ $status -eq 2 ] && grep -qF -- "$text" "$work/err" && [ ! -s "$work/out" ]
    verdict $? "acesim ${refused_by[*]} $*: status $status, expected 2 and '$text', got: $(head -n 3 "$work/err")"
}
