#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the checkers of an engine's pins as assertions.  Verilator builds tests/icarus/engine_bench.v
# with ace_engine_bind.sv bound to both engines.  Their all-reduce must end without a report.  Bugs
# are planted, each enabled by an argument of the command line, so one model serves for all.  Each
# bug has to end the run with its rule.
#
#   tests/axi/assertions.sh            WORK=DIR keeps what was built
set -euo pipefail
cd "$(dirname "$0")/../.."
work=${WORK:-$(mktemp -d)}
[[ ${WORK:-} ]] || trap 'rm -rf "$work"' EXIT
mkdir -p "$work"
failed=0

# word, the rule and checker it is seen by, where: MODULE FROM ==> TO, in which BUG is what the word switches on
bugs=$(cat <<'END'
burst 6 2 ace_memory_interface m_ar_burst = 2'b01 ==> m_ar_burst = BUG ? 2'b10 : 2'b01
answer 7 1 ace_axil_slave s_axil_rvalid  = r_valid_q ==> s_axil_rvalid  = r_valid_q || (BUG && b_valid_q)
interrupt 3 3 ace_control irq = |(events_q & enable) ==> irq = |(events_q & enable) && !(BUG && s_axil_rvalid)
crc 11 9 ace_link_sender tx_crc   = tx_crc_q ==> tx_crc   = tx_crc_q ^ {31'd0, BUG}
END
)
cp -r rtl "$work/rtl"
while read -r word _ _ module fault; do
    from=${fault% ==> *} to=${fault#* ==> }
    FROM=$from TO=${to//BUG/(\$test\$plusargs(\"bug=$word\") != 0)} \
        perl -0pi -e 's/\Q$ENV{FROM}\E/$ENV{TO}/' "$work/rtl/$module.v"
    ! cmp -s "rtl/$module.v" "$work/rtl/$module.v" || { echo "FAIL no such line in $module: $from"; exit 1; }
done <<<"$bugs"

# Instances of a unit share their code, or two engines would be twice as much.
printf '`verilator_config\nno_inline -module "ace_engine"\nno_inline -module "ace_node"\n' >"$work/shared.vlt"
sed '/^`verilator_config/d' cmake/shared.vlt >>"$work/shared.vlt"
checks=$PWD/tests/axi bench=$PWD/tests/icarus/engine_bench.v
(cd "$work/rtl" && verilator --cc --exe --main --timing --assert -O3 -Wno-fatal -Wno-lint -Wno-TIMESCALEMOD --x-assign fast \
    --top-module engine_bench --Mdir "$work/model" "$work/shared.vlt" -f ace.f \
    "$checks"/ace_{axi,axil,interrupt,link}_checker.v "$checks"/ace_engine_{checks.v,bind.sv} "$bench") >"$work/log" 2>&1 ||
    { echo 'FAIL Verilator does not take it'; cat "$work/log"; exit 1; }
make -C "$work/model" -f Vengine_bench.mk -j "$(nproc)" OPT_FAST=-O0 OPT_SLOW=-O0 >>"$work/log" 2>&1 ||
    { echo 'FAIL it is not compiled'; tail -20 "$work/log"; exit 1; }

said=$("$work/model/Vengine_bench" +rows=4 2>&1) || said+=$'\n'"status $?"
if [[ $said == *$'\n'*' passed, 0 failed'* && $said != *status* && $said != *rule* ]]; then echo "ok   $(grep passed <<<"$said")"
else failed=1; echo "FAIL without a bug: $said"; fi
while read -r word rule checker _; do
    said=$("$work/model/Vengine_bench" +rows=4 +bug="$word" 2>&1) && said+=' and ended well'
    if [[ $said == *"rule $rule of checker $checker,"* && $said != *'ended well' ]]; then echo "ok   $word: rule $rule of checker $checker"
    else failed=1; echo "FAIL $word, expected rule $rule of checker $checker: $said"; fi
done <<<"$bugs"
exit "$failed"
