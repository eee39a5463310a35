#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# acesim rtl build says what it does while it takes minutes: one line where standard error is a file, a count of files at
# a terminal.  Verilator and the compiler are replaced by small programs, so the test takes a second; rtl.sh builds for real.
. "$(dirname "$0")/../begin.sh"

mkdir "$work/bin" "$work/rtl"
cat >"$work/bin/verilator" <<'END'
#!/bin/bash
case "$*" in
--version) echo 'Verilator 5.006 of a test' ;;
'--getenv VERILATOR_ROOT') echo /nowhere ;;
*)
    while [ "$1" != --Mdir ]; do shift; done
    mkdir -p "$2"
    for i in 0 1 2 3 4 5 6; do echo "int f$i;" >"$2/Vace_node__$i.cpp"; done
    touch "$2/Vace_node__verFiles.dat"
    echo 'struct Vace_node___024root {};' >"$2/Vace_node___024root.h"
    echo 'class Vace_node__Syms {};' >"$2/Vace_node__Syms.h"
    ;;
esac
END
cat >"$work/bin/clang++" <<'END'
#!/bin/bash
[ "$1" = --version ] && { echo 'clang version 14 of a test'; exit; }
while [ $# -gt 0 ]; do [ "$1" = -o ] && echo made >"$2"; shift; done
END
chmod +x "$work"/bin/*
echo 'module ace_node; endmodule' >"$work/rtl/ace_node.v"
interface=$(sha256sum bridge/*.h bridge/ace_rtl_set.cc cmodel/*/*.h cmodel/*/*.def | sed -E 's/^([^ ]+)  (.*)/\2 \1/' |
            LC_ALL=C sort | sha256sum | cut -d' ' -f1)
build="env PATH=$work/bin:$PATH CXX= bash cmake/rtl_set.sh $PWD $work/rtl"
arguments="mine $interface 5.006 '' no-engine untuned FSMS=4"

bash -c "$build $work/one $arguments" >"$work/out" 2>"$work/err"
verdict $? "a build: $(cat "$work/err")"
grep -q '^mine: RTL .*, built in ' "$work/out"
verdict $? "a build prints $(cat "$work/out")"
same "$(cat "$work/err")" 'acesim rtl build: compiles 7 files of C++ into set.so, which takes minutes where none of them was compiled before' \
    'standard error of a build'
bash -c "$build $work/one $arguments" >"$work/out" 2>"$work/err"
same "$(grep -c 'found as it was built before' "$work/out") $(wc -l <"$work/err")" '1 0' 'a build of what is there'
if command -v script >/dev/null; then
    script -qefc "$build $work/two $arguments" "$work/typed" >/dev/null 2>&1 </dev/null
    verdict $? "a build at a terminal: $(cat "$work/typed")"
    tr '\r' '\n' <"$work/typed" >"$work/lines"
    for i in 1 2 3 4 5 6 7; do
        grep -q "^acesim rtl build: $i of 7 files are compiled, after [0-9]* s" "$work/lines"
        verdict $? "at a terminal: no line counts file $i: $(cat "$work/lines")"
    done
fi
# a file that does not compile is reported, and ends the build
printf '#!/bin/bash\n[ "$1" = --version ] && { echo "clang version 14 of a test"; exit; }\nexit 1\n' >"$work/bin/clang++"
bash -c "$build $work/three $arguments" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q 'found C++ that .*clang++ does not compile' "$work/err"
verdict $? "C++ that does not compile: $(cat "$work/err")"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
