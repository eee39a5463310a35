#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Slurm on this machine alone, without systemd, all its state in one folder:
#
#   scripts/slurm.sh start DIR     then: export SLURM_CONF=DIR/slurm.conf
#   scripts/slurm.sh stop DIR      ends jobs and daemons; DIR stays for its logs
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
usage() { echo "usage: slurm.sh start|stop DIR" >&2; exit 2; }
[[ $# -eq 2 ]] || usage
PATH=$PATH:/usr/sbin:/sbin

# until SECONDS COMMAND...: waits for it to succeed
until_() {
    local tries=$(($1 * 10))
    shift
    until "$@" >/dev/null 2>&1; do
        ((tries-- > 0)) || return 1
        sleep 0.1
    done
}

# A port nobody listens on, below those the kernel hands out.
free_port() {
    local port
    while port=$((20000 + RANDOM % 10000)); (: </dev/tcp/127.0.0.1/$port) 2>/dev/null; do :; done
    echo $port
}

running() { [[ -s $1 ]] && kill -0 "$(<"$1")"; }
gone() { ! running "$1"; }
idle() { [[ $(sinfo --noheader --format %T) == idle ]]; }

fail() {
    echo "slurm: $1; the logs are in $dir" >&2
    "$here/slurm.sh" stop "$dir"
    exit 1
}

start() {
    mkdir -p "$dir/controller" "$dir/node"
    dir=$(cd "$dir" && pwd)
    for pid in "$dir"/{munged,slurmctld,slurmd}.pid; do
        if running "$pid" 2>/dev/null; then echo "slurm: already started in $dir" >&2; exit 1; fi
    done
    sed -e "s|@DIR@|$dir|g" -e "s|@HOST@|$(hostname -s)|g" -e "s|@USER@|$(id -un)|g" \
        -e "s|@CPUS@|$(nproc)|g" -e "s|@CONTROLLER_PORT@|$(free_port)|g" \
        -e "s|@NODE_PORT@|$(free_port)|g" "$here/slurm.conf.in" >"$dir/slurm.conf"
    export SLURM_CONF=$dir/slurm.conf

    # munged first: the others recover late when they were started without it.  The folder
    # belongs to one person, which --force takes for an error that is meant.
    (umask 077; head -c 1024 /dev/urandom >"$dir/munge.key")
    munged --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
        --pid-file="$dir/munged.pid" --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" \
        2>"$dir/munged.err" || { cat "$dir/munged.err" >&2; fail "munged does not start"; }
    slurmctld || fail "slurmctld does not start"
    slurmd || fail "slurmd does not start"
    until_ 30 idle || fail "no idle node after 30 s"
    echo "slurm: started; export SLURM_CONF=$dir/slurm.conf"
}

stop() {
    export SLURM_CONF=$dir/slurm.conf
    if running "$dir/slurmctld.pid" 2>/dev/null; then
        timeout 10 scancel --user="$(id -un)" >/dev/null 2>&1 || true
    fi
    for pid in "$dir"/{slurmd,slurmctld,munged}.pid; do
        running "$pid" 2>/dev/null || continue
        local id
        id=$(<"$pid")
        kill "$id"
        until_ 10 gone "$pid" || kill -9 "$id"
    done
}

dir=$2
case $1 in
start) start ;;
stop) stop ;;
*) usage ;;
esac
