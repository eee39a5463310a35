#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Execution plans of MSCCL++ as other tools write them. A put with signal must take the cycles of a put and a signal.
# Every operation of the executor must be read or refused by its name. A collective of the author's own must run
# unchecked. Messages must name GPU, block and operation of the plan (mscclpp_plans.py).
. "$(dirname "$0")/../begin.sh"

python3 -B tests/program/foreign/mscclpp_plans.py "$acesim" "$work"
