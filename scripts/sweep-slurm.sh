#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# A sweep as a Slurm job array of N tasks; prints the table when all have ended:
#
#   scripts/sweep-slurm.sh SWEEP.yaml N [options of acesim sweep]
#
# Slurm is the one that SLURM_CONF names, or the system's.  All tasks write one database,
# which lies on a disk of the machine they run on.  ACESIM names another program.
set -euo pipefail
[[ $# -ge 2 && $2 =~ ^[1-9][0-9]*$ ]] || { echo "usage: sweep-slurm.sh SWEEP.yaml N [OPTIONS]" >&2; exit 2; }
sweep=$1
tasks=$2
shift 2
acesim=$(realpath "${ACESIM:-$(dirname "$0")/../build/release/acesim}")

"$acesim" sweep "$sweep" "$@" --list >/dev/null # bad input is told here, not in the tasks' logs
logs=$(mktemp -d)
printf -v command '%q ' "$acesim" sweep "$sweep" "$@"
id=$(sbatch --parsable --array="0-$((tasks - 1))" --output="$logs/%a.log" \
    --job-name="acesim-sweep" --wrap "exec $command")
trap 'scancel "$id"' INT TERM
while [[ $(squeue --noheader --jobs="$id" 2>/dev/null) ]]; do sleep 0.2; done
status=0
"$acesim" sweep "$sweep" "$@" --jobs 0 || status=$?
if [[ $status -ne 0 ]]; then
    echo "sweep-slurm: what the tasks said:" >&2
    tail -n 5 "$logs"/*.log >&2 || true
fi
rm -rf "$logs"
exit "$status"
