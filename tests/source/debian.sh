#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# CPack makes the Debian package from what is built, and dpkg installs it into a root of its own. The program runs there
# from another folder with the workloads of the package. Then dpkg removes everything.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
acesim=$(realpath "${1:-${ACESIM:-build/release/acesim}}")
build=$(dirname "$acesim")
version=$(sed -nE 's/^project\(acesim VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
failed=0
passed=0

verdict() { # STATUS TEXT
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else echo "FAIL $2"; failed=$((failed + 1)); fi
}
is() { # TEXT COMMAND...
    local text=$1 status=0; shift
    "$@" >"$work/said" 2>&1 || status=$?
    verdict $status "$text: $(tail -n 3 "$work/said")"
}

# ---- the file ---------------------------------------------------------------------------------
# The program alone: the other packages need what a test of the program has no need to build.
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work" -D CPACK_COMPONENTS_ALL=acesim \
    >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
package=$work/acesim_${version}_$(dpkg --print-architecture).deb
[ -f "$package" ] || { echo "FAIL found $(ls "$work"), expected ${package##*/}"; exit 1; }
field() { dpkg-deb --field "$package" "$1"; }
is 'name' [ "$(field Package)" = acesim ]
is 'version' [ "$(field Version)" = "$version" ]
# The libraries that the program loads are packages it depends on.
for library in libc6 libcjson1 libprotobuf-c1 libsqlite3-0 libstdc++6 libyaml-0-2 zlib1g; do
    depends=", $(field Depends),"
    [[ $depends == *", $library "* || $depends == *", $library,"* ]]
    verdict $? "found Depends: $(field Depends), expected $library"
done
dpkg-deb --contents "$package" >"$work/contents"
# shellcheck disable=SC2016
is 'all files are below /usr and of root' \
    awk '$2 != "root/root" || $6 !~ /^\.\/(usr\/.*)?$/ { print; bad = 1 } END { exit bad }' "$work/contents"
is 'no headers and libraries, which are of another package' sh -c "! grep -E '/usr/(include|lib/.*\.a)' '$work/contents'"

# ---- installed --------------------------------------------------------------------------------
# dpkg --root has a database of its own; the libraries are those of this machine.  Who may not give
# files to root has them unpacked only.
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
if [ "$(id -u)" -eq 0 ]; then
    dpkg --root="$root" --log=/dev/null --force-depends --force-script-chrootless \
        --install "$package" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    is 'dpkg knows it' sh -c "dpkg-query --admindir='$root/var/lib/dpkg' -W -f '\${Status}' acesim | grep -q 'ok installed'"
else
    dpkg-deb --extract "$package" "$root"
fi
for file in bin/acesim share/acesim/workloads/resnet50.yaml share/acesim/waves/ace_node.gtkw \
    share/acesim/python/acesim.py share/doc/acesim/copyright share/doc/acesim/docs/README.md \
    share/man/man1/acesim.1 share/man/man1/acesim-plan-footprint.1 share/bash-completion/completions/acesim; do
    is "$file is there" [ -r "$root/usr/$file" ]
done
is 'the program is stripped' sh -c "! readelf -S '$root/usr/bin/acesim' | grep -q '\.symtab'"

# ---- run --------------------------------------------------------------------------------------
cd "$work" || exit 1
unset ACESIM_DATA
run() { "$1" run "$2/clusters/torus-4x2x2.yaml" "$2/models/resnet50.yaml" --iterations 1 --format json; }
value() { sed -nE "s/^.*\"$1\":[[:space:]]*\"?([^\",]*).*$/\1/p" "$2" | head -n 1; }
installed=$root/usr/bin/acesim
"$installed" run clusters/torus-4x2x2.yaml models/resnet50.yaml --iterations 1 --format json \
    >found 2>err || { cat err; exit 1; }
run "$acesim" "$OLDPWD/workloads" >built 2>err || { cat err; exit 1; }
for key in cycles config_digest; do
    is "$key of the installed program: $(value $key found), of the built one: $(value $key built)" \
        [ "$(value $key found)" = "$(value $key built)" ]
done
is 'a study' sh -c "[ \$('$installed' study engine --list | wc -l) -gt 10 ]"
is 'where it looks is told' sh -c "! '$installed' run none.yaml none.yaml 2>err && grep -q '$root/usr/share/acesim, $root/usr/share/acesim/workloads' err"
is 'the Python module runs the program of its package' env -u ACESIM PYTHONDONTWRITEBYTECODE=1 \
    PYTHONPATH="$root/usr/share/acesim/python" python3 -S -c "
import acesim
assert acesim.Program().path == '$installed', acesim.Program().path
assert acesim.collective('all-reduce', topology='2x1x1', size='64KiB').check == 'passed'"

# ---- and gone ---------------------------------------------------------------------------------
if [ "$(id -u)" -eq 0 ]; then
    dpkg --root="$root" --log=/dev/null --force-script-chrootless --purge acesim >"$work/log" 2>&1 ||
        { cat "$work/log"; exit 1; }
    is 'nothing is left' sh -c "! find '$root/usr' -type f 2>/dev/null | grep ."
fi

echo "debian: $passed passed, $failed failed; $(stat -c %s "$package") bytes, of $(stat -c %s "$acesim") of the program as built"
exit $((failed > 0))
