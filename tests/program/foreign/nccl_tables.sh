#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Logs and JSON files of nccl-tests 2.8 to 2.19 and of rccl-tests, made of one formula, are read by the names of
# their columns; log noise is counted; a table that says no times of this fabric is refused (nccl_tables.py)
. "$(dirname "$0")/../begin.sh"

python3 -B tests/program/foreign/nccl_tables.py "$acesim" "$work"
