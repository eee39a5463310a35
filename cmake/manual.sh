#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# manual.sh ACESIM FOLDER -- makes the manual pages and the shell completions from the program's help. `acesim help
# commands` lists commands and views. The --help of each has its usage, a text, its options and an example.
#
#   FOLDER/man1/acesim.1          man: the commands
#   FOLDER/man1/acesim-NAME.1     man: a page for each command or view, such as acesim-plan-footprint.1
#   FOLDER/acesim.bash    bash
#   FOLDER/_acesim        zsh
#   FOLDER/acesim.fish    fish
set -eu
acesim=$1
folder=$2
rm -rf "$folder/man1"
mkdir -p "$folder/man1"
list=$(mktemp)
trap 'rm -f "$list"' EXIT

# A line a thing, with tabs between: C command text path | U command usage | D command text |
# O command option argument text words | E command example.  Words: what the argument may be.
# A command is the last word of its path: "footprint" of "plan footprint".
"$acesim" help commands | sed -E 's/^  ([a-z-]+( [a-z-]+)?)  +/\1\t/' | while IFS=$'\t' read -r path text; do
    command=${path##* }
    printf 'C\t%s\t%s\t%s\n' "$command" "$text" "$path"
    # shellcheck disable=SC2086 # a path of two words
    "$acesim" $path --help all | awk -v c="$command" '
        function words_of(argument, text, n, i, part, all, word) {
            if (argument ~ /^[a-z|]+$/) { gsub(/\|/, " ", argument); return argument }
            if (argument !~ /^(NAME|TYPE|OP|T)$/) return ""
            sub(/ *\[.*/, "", text)
            n = split(text, part, /, or | or |, |: /)
            for (i = 1; i <= n; i++) {
                word = part[i]
                if (word ~ /^[a-z][a-z0-9-]*$/) all = all (all ? " " : "") word
            }
            return all
        }
        function flush() {
            if (option) print "O\t" c "\t" option "\t" argument "\t" text "\t" words_of(argument, text)
            option = ""
        }
        /^(usage:)? +acesim / && !body { sub(/^(usage:)? +/, ""); print "U\t" c "\t" $0; next }
        /^usage: / { sub(/^usage: /, ""); print "U\t" c "\t" $0; next }
        { body = 1 }
        /^  --[a-z]/ {
            flush()
            option = substr($1, 3)
            line = $0
            sub(/^  --[a-z-]+ ?/, "", line)
            argument = ""
            if (line !~ /^ /) { argument = line; sub(/ .*/, "", argument); sub(/^[^ ]+/, "", line) }
            sub(/^ +/, "", line)
            text = line
            next
        }
        /^          / && option { sub(/^ +/, ""); text = text (text == "" ? "" : " ") $0; next }
        { flush() }
        /^(cluster|work|fidelity|output|advanced):$/ { next }
        /^example: / { example = 1 }
        example { sub(/^example: /, ""); sub(/^ +/, ""); print "E\t" c "\t" $0; next }
        { print "D\t" c "\t" $0 }
        END { flush() }'
done >"$list"

version=$("$acesim" --version | awk 'NR == 1 { print $2 }')

# ---- man ------------------------------------------------------------------------------------
# The page of one command, or with COMMAND "" of the program.
page() { # COMMAND PATH TEXT
    awk -F '\t' -v version="$version" -v only="$1" -v path="$2" -v text="$3" '
    function man(s) { gsub(/\\/, "\\e", s); gsub(/-/, "\\-", s); sub(/^[.\047]/, "\\\\\\&&", s); return s }
    BEGIN {
        name = "acesim"
        if (path != "") { name = "acesim-" path; gsub(/ /, "-", name) }
        print ".\\\" By cmake/manual.sh, of the help of the program."
        print ".TH " toupper(name) " 1 \"\" \"acesim " version "\" \"User Commands\""
        print ".SH NAME\n" man(name) " \\- " (only == "" ? "the Accelerator Collectives Engine, cycle by cycle" : man(text))
        if (only != "") { print ".SH SYNOPSIS"; next_section = "DESCRIPTION" }
        else {
            print ".SH SYNOPSIS\n.B acesim\n.I COMMAND\n[\\fIOPTIONS\\fR]\n.br\n.B acesim\n\\fB\\-\\-version\\fR | \\fB\\-\\-help\\fR"
            print ".SH DESCRIPTION\nA cycle\\-level hardware model of ACE that answers questions about whole clusters."
            print "Of a file, \\fB\\-\\fR is standard input or output."
            print ".SH COMMANDS"
        }
    }
    $1 == "C" && only == "" { page_of = $4; gsub(/ /, "-", page_of)
        print ".TP\n\\fB" man($4) "\\fR\n" man($3) ", see \\fBacesim\\-" man(page_of) "\\fR(1)"; next }
    $2 != only || only == "" { next }
    $1 == "U" {
        if (section != "U") print ".nf"
        section = "U"; literal = 1
        print "\\fB" man($3) "\\fR"
        next
    }
    $1 == "D" {
        if (literal) print ".fi"
        literal = 0
        if (next_section != "") { print ".SH " next_section; next_section = "" }
        else if (section != "D" || $3 == "") print ".PP"
        section = "D"
        if ($3 != "") print man($3)
        next
    }
    $1 == "O" {
        if (section != "O" && !options++) print ".SH OPTIONS"
        section = "O"
        print ".TP\n\\fB\\-\\-" man($3) "\\fR" ($4 != "" ? " \\fI" man($4) "\\fR" : "") "\n" man($5)
        next
    }
    $1 == "E" {
        if (section != "E") print ".SH EXAMPLE\n.nf"
        section = "E"; literal = 1
        print man($3)
    }
    END {
        if (literal) print ".fi"
        print ".SH EXIT STATUS"
        print ".TP\n0\nsuccess"
        print ".TP\n1\nthe model failed a check, or something could not be done: an output could not be written whole"
        print ".TP\n2\nbad usage or input"
        print ".TP\n130, 143\na run was stopped by SIGINT or SIGTERM; it has said how it goes on"
        print ".TP\n141\nnobody reads standard output any more"
    }' "$list"
}
page '' '' '' >"$folder/man1/acesim.1"
grep "^C" "$list" | while IFS=$'\t' read -r _ command text path; do
    page "$command" "$path" "$text" >"$folder/man1/acesim-${path// /-}.1"
done

# ---- bash -----------------------------------------------------------------------------------
{
    cat <<'END'
# By cmake/manual.sh, of what the program says of itself.
_acesim() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]-}
    local words= files=
    COMPREPLY=()
    if [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
    if [ "$word" = = ]; then before=${COMP_WORDS[COMP_CWORD - 1]} word=; fi
    local view=$command:${COMP_WORDS[2]-}
    case $view in
END
    awk -F '\t' '$1 == "C" && split($4, p, " ") > 1 {
                     print "    " p[1] ":" $2 ") [ \"$COMP_CWORD\" -gt 2 ] && command=" $2 " ;;" }' "$list"
    printf '    esac\n    if [ "$COMP_CWORD" -eq 1 ]; then\n'
    awk -F '\t' '$1 == "C" { split($4, p, " "); if (!seen[p[1]]++) all = all " " p[1] }
                 END { print "        words=\"help --help --version" all "\"" }' "$list"
    printf '    else\n        case $command:$before in\n'
    awk -F '\t' '
        $1 == "O" && $4 ~ /^(FILE|DIR)$/ { print "        " $2 ":--" $3 ") files=1 ;;" }
        $1 == "O" && $6 != "" { print "        " $2 ":--" $3 ") words=\"" $6 "\" ;;" }
        $1 == "O" && $4 != "" && $4 !~ /^(FILE|DIR)$/ && $6 == "" { print "        " $2 ":--" $3 ") return ;;" }
        $1 == "O" { options[$2] = options[$2] " --" $3 }
        $1 == "D" && /KIND is/ { on = $2 }
        $1 == "D" && $2 == on { t = $3; sub(/.*KIND is /, "", t); sub(/\.$/, "", t)
                                gsub(/, or | or |,/, " ", t); more[$2] = more[$2] " " t
                                if ($3 ~ /\.$/) on = "" }
        $1 == "C" { at[$2] = 2 + split($4, p, " ") }    # the word behind "acesim rtl program"
        $1 == "U" && split($3, u, " ") >= at[$2] && u[at[$2]] ~ /^[a-z]+$/ { more[$2] = more[$2] " " u[at[$2]] }
        $1 == "C" { if (!seen[$2]++) names[++n] = $2 }
        $1 == "C" && split($4, p, " ") > 1 {
            if (!seen[p[1]]++) names[++n] = p[1]
            more[p[1]] = more[p[1]] " " $2
        }
        END {
            print "        *) files=1"
            print "            case $command in"
            for (i = 1; i <= n; i++)
                print "            " names[i] ") words=\"" more[names[i]] options[names[i]] "\" ;;"
            print "            esac ;;"
        }' "$list"
    cat <<'END'
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
    if [ -n "$files" ] && [[ $word != -* ]]; then
        compopt -o filenames
        mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
    fi
}
complete -F _acesim acesim acesim-mpi
END
} >"$folder/acesim.bash"

# ---- zsh ------------------------------------------------------------------------------------
{
    printf '#compdef acesim acesim-mpi\n# By cmake/manual.sh, of what the program says of itself.\n'
    awk -F '\t' '
        function quoted(s) { gsub(/\047/, "\047\\\047\047", s); return s }
        function plain(s) {
            gsub(/\\/, "\\\\", s)
            gsub(/\[/, "\\[", s)
            gsub(/\]/, "\\]", s)
            gsub(/:/, "\\:", s)
            return quoted(s)
        }
        $1 == "C" { names[++n] = $2; what[n] = $3; k = split($4, p, " ") }
        $1 == "C" && k == 1 { top[p[1]] = $3 }
        $1 == "C" && k > 1 { if (!(p[1] in top)) top[p[1]] = "views"; views[p[1]] = views[p[1]] " " $2; of[n] = p[1] }
        $1 == "O" {
            o = "        \047--" $3
            if ($4 != "") o = o "="
            o = o "[" plain($5) "]"
            if ($4 ~ /^(FILE|DIR)$/) o = o ":" $4 ":_files"
            else if ($6 != "") o = o ":" plain($4) ":(" $6 ")"
            else if ($4 != "") o = o ":" plain($4) ": "
            options[$2] = options[$2] o "\047 \\\n"
        }
        END {
            print "local -a commands=("
            for (t in top) print "    \047" t ":" plain(top[t]) "\047"
            print ")"
            print "if (( CURRENT == 2 )); then"
            print "    _describe command commands"
            print "    return"
            print "fi"
            print "local command=$words[2]"
            print "shift words\n(( CURRENT-- ))"
            print "case $command:$words[2] in"
            for (i = 1; i <= n; i++)
                if (of[i] != "") print "    " of[i] ":" names[i] ") command=$words[2]; shift words; (( CURRENT-- )) ;;"
            print "esac"
            print "case $command in"
            for (t in views) print "    " t ") (( CURRENT == 2 )) && compadd" views[t] " ;|"
            for (i = 1; i <= n; i++)
                print "    " names[i] ")\n    _arguments \\\n" options[names[i]] "        \047*:file:_files\047 ;;"
            print "esac"
        }' "$list"
} >"$folder/_acesim"

# ---- fish -----------------------------------------------------------------------------------
{
    printf '# By cmake/manual.sh, of what the program says of itself.\n'
    awk -F '\t' '
        function quoted(s) { gsub(/[\\\047]/, "\\\\&", s); return "\047" s "\047" }
        $1 == "C" && split($4, p, " ") == 1 {
            seen[p[1]] = 1
            print "complete -c acesim -n __fish_use_subcommand -f -a " $2 " -d " quoted($3)
        }
        $1 == "C" && split($4, p, " ") > 1 {
            if (!seen[p[1]]++) print "complete -c acesim -n __fish_use_subcommand -f -a " p[1]
            print "complete -c acesim -n " quoted("__fish_seen_subcommand_from " p[1]) " -f -a " $2 " -d " quoted($3)
        }
        $1 == "O" {
            line = "complete -c acesim -n " quoted("__fish_seen_subcommand_from " $2) " -l " $3
            if ($4 ~ /^(FILE|DIR)$/) line = line " -r -F"
            else if ($6 != "") line = line " -x -a " quoted($6)
            else if ($4 != "") line = line " -x"
            print line " -d " quoted($5)
        }' "$list"
} >"$folder/acesim.fish"
