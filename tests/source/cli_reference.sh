#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/reference/cli.md is what acesim says with --help.
set -euo pipefail
cd "$(dirname "$0")/../.."
scripts/cli-reference.sh --check
echo "the reference of the command line is what acesim says"
