#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# manual.sh [ACESIM] -- the manual pages and the completions of shells know what the program takes
. "$(dirname "$0")/../begin.sh"

bash cmake/manual.sh "$acesim" "$work"
verdict $? "cmake/manual.sh"

# ---- the page ----------------------------------------------------------------------------------

if command -v groff >/dev/null; then
    for page in "$work"/man1/*.1; do
        groff -man -Tascii -ww "$page" >"$work/page" 2>"$work/err"
        [ -s "$work/page" ] && [ ! -s "$work/err" ]
        verdict $? "groff, $page: $(head -n 3 "$work/err")"
    done
fi
mapfile -t paths < <("$acesim" help commands | sed -E 's/^  ([a-z-]+( [a-z-]+)?)  .*/\1/')
[ ${#paths[@]} -ge 24 ]
verdict $? "commands: ${paths[*]}"
same "$(find "$work/man1" -name 'acesim-*.1' | wc -l)" "${#paths[@]}" 'a page for each command'
# What getopt takes, as it tells each long option: lines of a command, its page's name and the option.
for path in "${paths[@]}"; do
    "$acesim" $path --help all | sed -nE "s/^  --([a-z-]+).*/${path##* } ${path// /-} \1/p"
done >"$work/options"
[ "$(wc -l <"$work/options")" -ge 90 ]
verdict $? "$(wc -l <"$work/options") options looked at"
python3 - "$work" >"$work/missing" <<'END'
import re, sys
work = sys.argv[1]
read = lambda name: open(f"{work}/{name}").read()
bash, fish, zsh = read("acesim.bash"), set(re.findall(r"__fish_seen_subcommand_from (\S+)' -l (\S+) ", read("acesim.fish"))), read("_acesim")
words, of_zsh, pages = {}, {}, {}
for command, completed in re.findall(r"^ *([a-z-]+)\).*?( --.*)", bash, re.M):
    words.setdefault(command, set()).update(re.findall(r" --([a-z-]+)(?=[ \"])", completed))
for command, body in re.findall(r"^    ([a-z-]+)\)\n(.*?);;$", zsh, re.M | re.S):
    of_zsh[command] = set(re.findall(r"'--([a-z-]+)[=[]", body))
for line in open(f"{work}/options"):
    command, page, option = line.split()
    if page not in pages:
        pages[page] = set(re.findall(r"^fB--([a-z-]+)fR", read(f"man1/acesim-{page}.1").replace("\\", ""), re.M))
    for where, there in (("in the page", option in pages[page]), ("completed by bash", option in words.get(command, ())),
                         ("completed by fish", (command, option) in fish), ("completed by zsh", option in of_zsh.get(command, ()))):
        if not there: print(f"acesim {command} --{option} is not {where}")
END
[ $? -eq 0 ] && [ ! -s "$work/missing" ]
verdict $? "$(head -n 5 "$work/missing")"

# ---- the completions -----------------------------------------------------------------------------

for shell in bash zsh fish; do
    file=$work/acesim.$shell
    [ $shell = zsh ] && file=$work/_acesim
    command -v $shell >/dev/null || continue
    $shell -n "$file" 2>"$work/err"
    verdict $? "$shell: $(head -n 3 "$work/err")"
done

# completes WORDS -- prints the completions of the last word. Like readline, it splits words at =.
completes() {
    local want=$1
    shift
    local got
    got=$(
        compopt() { :; }
        # shellcheck source=/dev/null
        source "$work/acesim.bash"
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _acesim
        printf '%s\n' "${COMPREPLY[@]}" | sort | xargs
    )
    [ "$got" = "$want" ]
    verdict $? "$*: completed by '$got', expected '$want'"
}
completes collective acesim coll
completes "report rtl run" acesim r
completes "all-reduce" acesim collective all-r
completes "all-to-all all-to-all-v" acesim collective all-t
completes "--endpoint" acesim collective --endp
completes "comm-opt comp-opt" acesim collective --endpoint com
completes "comm-opt comp-opt" acesim collective all-reduce --endpoint = com
completes "fp16 fp32 fp8-e4m3 fp8-e5m2" acesim run c w --type fp
completes "auto off" acesim run --fold ""
completes "show" acesim program sh
completes "model" acesim plan mod
completes "--stage" acesim plan footprint --sta
completes "--stage" acesim footprint --sta
completes "" acesim collective --size 6
completes "workloads" acesim run worklo
completes "CMakeLists.txt CMakePresets.json" acesim run c w --timeline CMake

echo "manual: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
