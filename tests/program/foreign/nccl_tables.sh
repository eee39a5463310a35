#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Logs and JSON files of nccl-tests 2.8 to 2.19 and of rccl-tests, made from one formula, must be read by the names of
# their columns. Log noise must be counted. A table without times of this fabric must be refused (nccl_tables.py).
. "$(dirname "$0")/../begin.sh"

python3 -B tests/program/foreign/nccl_tables.py "$acesim" "$work"
