#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The commands of the README and of docs/ work as written:
#
#   tests/source/docs.sh [PAGE.md ...]      ACESIM names the program; TIMES=1 prints the processor time of each block
#
# Each block of `sh` is run, in the order of its page, in a scratch folder in which the tree stands
# and acesim is built; what it writes stays there.  The `text` block behind it is what it prints: `...`
# stands for anything in a line, alone on a line for any lines; errors come after the rest.  docs.awk says how a block is
# marked that takes too long, or needs what a test has not.  Of all blocks, the options of acesim are looked
# up in the --help of their command, targets in the CMake files, and files of the tree in the tree.
set -uo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
acesim=$(realpath "${ACESIM:-build/release/acesim}")
export ACESIM=$acesim PYTHONDONTWRITEBYTECODE=1    # for scripts that a block runs
[[ -x $acesim ]] || { echo "docs.sh: found no $acesim, expected a built acesim" >&2; exit 2; }
# A study's page.md is most of its page in docs/results/.
[[ $# -gt 0 ]] || set -- README.md CONTRIBUTING.md $(find docs workloads -name '*.md' ! -path '*/studies/*' | sort)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
limit=${LIMIT:-300}     # seconds a block may take, sanitized and on a loaded machine
blocks=0 ran=0 failed=0

wrong() { # PLACE TEXT
    printf '%s: %s\n' "$1" "$2"
    failed=$((failed + 1))
}

# A folder like the top of the tree in which anything may be written.
scratch() {
    mkdir -p "$1/build/release"
    local entry entries=()
    for entry in "$root"/*; do
        case ${entry##*/} in build | out) ;; *) entries+=("$entry") ;; esac
    done
    ln -s "${entries[@]}" "$1/"
    ln -s "$acesim" "$1/build/release/acesim"
}

# Is the output in file $1 what file $2 says?  Prints the first line that is not found.
matches() {
    awk 'function like(line, want,    n, part, i, at) {
             n = split(want, part, "[.][.][.]")
             if (n == 1) return line == want
             for (i = 1; i <= n; i++) {
                 if (part[i] == "") continue
                 at = i == n ? length(line) - length(part[i]) + 1 : index(line, part[i])
                 if (at < 1 || (i == 1 && at != 1) || substr(line, at, length(part[i])) != part[i]) return 0
                 line = substr(line, at + length(part[i]))
             }
             return part[n] == "" || line == ""
         }
         NR == FNR { got[++lines] = $0; next }
         $0 == "..." { skip = 1; next }
         { while (++k <= lines && skip && !like(got[k], $0)) ;
           skip = 0
           if (k > lines || !like(got[k], $0)) { print "expected \"" $0 "\"" (k > lines ? "" : ", found \"" got[k] "\""); bad = 1; exit } }
         END { if (!bad && !skip && k < lines) { print "found \"" got[k + 1] "\" after the last line expected"; bad = 1 }; exit bad }' "$1" "$2"
}

# Each command of block $1 as a line: texts behind << are left out, continuations joined, quotes and comments gone,
# cut at ; | & ( ) and < >.
commands_of() {
    awk 'end != "" { if ($0 == end) end = ""; next }
         { print }
         match($0, /<<-?.?[A-Za-z]+/) { end = substr($0, RSTART, RLENGTH); gsub(/[^A-Za-z]/, "", end) }' "$1" |
        sed -E -e ':a' -e '/\\$/N; s/\\\n/ /; ta' \
            -e "s/(^|[[:space:]])#.*//; s/'[^']*'/quoted/g" -e 's/"\$\{[a-z]*\[@\]\}"/run/g; s/"[^"]*"/quoted/g' \
            -e 's/[<>]+ *[^ ]+//g; s/[;|&()]+/\n/g' -e 's/(^|\n) +/\1/g; s/\n+/\n/g; s/^\n//; s/\n$//; /^$/d'
}

declare -A help_of
commands=$("$acesim" help commands)
check_options() { # PLACE COMMAND-LINE
    local place=$1 word at=-1 i=0 command option
    local -a words
    read -ra words <<<"$2"
    for word in "${words[@]}"; do
        i=$((i + 1))
        [[ $word == build/release/acesim || $word == build/release/acesim-mpi ]] && { at=$i; break; }
    done
    [[ $at -gt 0 ]] || return 0
    command=${words[at]:-}
    word=${words[at + 1]:-}
    [[ $word && $commands == *"  $command $word "* ]] && command="$command $word"
    [[ $command && $command != -* && $command != help ]] || return 0
    if [[ ! ${help_of[$command]+x} ]]; then
        help_of[$command]=$("$acesim" $command --help all 2>&1) || help_of[$command]=
    fi
    [[ ${help_of[$command]} ]] || { wrong "$place" "found acesim $command, expected one of the commands of acesim --help"; return; }
    for word in "${words[@]:at+1}"; do
        [[ $word == --?* ]] || continue
        option=${word%%=*}
        [[ ${help_of[$command]} =~ (^|[^a-z-])$option([^a-z-]|$) ]] ||
            wrong "$place" "found $option, expected an option that acesim $command --help has"
    done
}

check_targets() { # PLACE COMMAND-LINE: cmake --build ... --target A B, scripts/build.sh release A B
    local word words
    case $2 in
        cmake\ --build*--target\ *) words=${2#*--target } ;;
        *scripts/build.sh\ release\ *) words=${2#*build.sh release } ;;
        *) return 0 ;;
    esac
    for word in $words; do
        [[ $word == -* ]] && break
        [[ $word == *_test ]] && { [[ $(find tests -name "$word.cc") ]] || wrong "$1" "found target $word, expected a test"; continue; }
        grep -rqE --include=CMakeLists.txt --include='*.cmake' "add_(executable|custom_target|library)\($word\b" CMakeLists.txt cmake bridge cmodel sim-top tests ||
            wrong "$1" "found target $word, expected one of the CMake files"
    done
}

check_files() { # PLACE COMMAND-LINE: what begins with a folder of the tree is there
    local word
    for word in $2; do
        word=${word#./}
        case $word in
            *[\*\$\{\[=]*) ;;
            scripts/* | tests/* | workloads/* | waves/* | cmake/* | rtl/* | cmodel/* | sim-top/* | bridge/* | docs/*)
                [[ -e $word ]] || wrong "$1" "found $word, expected a file of the tree" ;;
        esac
    done
}

# The first word of a command is one: of the shell, of Debian, a function's, or a file of the tree.
check_command() { # PLACE COMMAND-LINE
    local word
    local -a words
    read -ra words <<<"$2"
    for word in "${words[@]}"; do
        [[ $word == *=* ]] && continue      # a variable set for the command
        case ${word#./} in
            build/release/acesim | build/release/acesim-* | obj_dir/* | cmake | ctest | mpirun | gtkwave | sqlite3 | python3 | run | \$EDITOR) ;;
            scripts/* | tests/* | waves/* | cmake/*) ;;
            *) command -v -- "$word" >/dev/null || wrong "$1" "found the command '$word', expected one that there is" ;;
        esac
        return
    done
}

check_block() { # PLACE FILE
    local line said
    said=$(bash -n "$2" 2>&1) || wrong "$1" "${said#*: }"
    while IFS= read -r line; do
        check_command "$1" "$line"
        check_options "$1" "$line"
        check_targets "$1" "$line"
        check_files "$1" "$line"
    done < <(commands_of "$2")
}

processor() { awk -v hz="$(getconf CLK_TCK)" '{ print ($16 + $17) / hz }' /proc/$$/stat; }    # seconds
run_block() { # PLACE FILE FOLDER
    local want=0 status=0 begin said; begin=$(processor)
    [[ -e ${2%.sh}.exit ]] && want=$(<"${2%.sh}.exit")
    (cd "$3" && timeout "$limit" bash -euo pipefail "$2") </dev/null >"$work/said" 2>"$work/errors" || status=$?
    cat "$work/errors" >>"$work/said"
    ran=$((ran + 1))
    [[ ${TIMES:-} ]] && awk -v a="$begin" -v b="$(processor)" -v p="$1" 'BEGIN { printf "%7.2f s  %s\n", b - a, p }'
    if [[ $status -ne $want ]]; then
        wrong "$1" "exit status $status, expected $want; it said:"
        tail -n 5 "$work/said" | sed 's/^/    /'
    elif [[ -e ${2%.sh}.text ]]; then
        said=$(matches "$work/said" "${2%.sh}.text") || wrong "$1" "the text below it: $said"
    fi
}

for page in "$@"; do
    [[ -e $page ]] || continue
    rm -rf "$work/blocks" "$work/tree"
    mkdir -p "$work/blocks"
    awk -v out="$work/blocks" -f tests/source/docs.awk "$page" || failed=$((failed + 1))
    for ((n = 1; ; n++)); do
        block=$work/blocks/$n.sh
        [[ -e $block ]] || break
        [[ $n -gt 1 ]] || scratch "$work/tree"
        read -r line <"$work/blocks/$n.line"
        place=$page:$line
        blocks=$((blocks + 1))
        check_block "$place" "$block"
        [[ -e $work/blocks/$n.why ]] || run_block "$place" "$block" "$work/tree"
    done
done

echo "$blocks blocks, $ran run, $failed wrong"
[[ $failed -eq 0 && $blocks -gt 0 ]]
