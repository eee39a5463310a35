#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Execution plans of MSCCL++ as other people's tools write them: a put with signal takes the cycles of a put and a
# signal, every operation of the executor is read or refused by its name, a collective of the author's runs
# unchecked, and a message names GPU, block and operation of the plan (mscclpp_plans.py)
. "$(dirname "$0")/../begin.sh"

python3 -B tests/program/foreign/mscclpp_plans.py "$acesim" "$work"
