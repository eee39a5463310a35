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
options=0
for path in "${paths[@]}"; do
    command=${path##* }
    tr -d '\\' <"$work/man1/acesim-${path// /-}.1" >"$work/section"
    # what getopt takes, as it tells each long option that begins with these letters
    while read -r option; do
        grep -q -- "^fB--${option}fR" "$work/section"
        verdict $? "acesim $command --$option is not in the page"
        grep -q -- "^ *$command).* --$option[ \"]" "$work/acesim.bash"
        verdict $? "acesim $command --$option is not completed by bash"
        grep -q -- "'__fish_seen_subcommand_from $command' -l $option " "$work/acesim.fish"
        verdict $? "acesim $command --$option is not completed by fish"
        awk -v c="    $command)" '$0 == c { on = 1 } /;;$/ { if (on) print; on = 0 } on' "$work/_acesim" |
            grep -q -- "'--$option[=[]"
        verdict $? "acesim $command --$option is not completed by zsh"
        options=$((options + 1))
    done < <("$acesim" $path --help all | grep -oE '^  --[a-z-]+' | cut -c 5-)
done
[ $options -ge 90 ]
verdict $? "$options options looked at"

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
