#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The proofs about rtl/ that take seconds; the others are in the target `formal`.
exec "$(dirname "$0")/run.sh" --quick
