#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The page of the campaign holds what its programs printed, and no other number.
set -euo pipefail
cd "$(dirname "$0")/../.."
scripts/docs/campaign-page.sh | diff - docs/results/campaign.md ||
    { echo "campaign_page: docs/results/campaign.md is not what scripts/docs/campaign-page.sh makes"; exit 1; }
echo "campaign_page: made of $(find docs/results/campaign -type f | wc -l) files"
