#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The pages of the campaign and of each module's verification hold what programs printed, and no other number.  A fault
# planted in a copy of the facts lowers the stage of its module.
set -euo pipefail
cd "$(dirname "$0")/../.."
for page in campaign sign-off; do
    script=scripts/docs/$page.sh
    [[ $page == campaign ]] && script=scripts/docs/campaign-page.sh
    $script | diff - docs/results/$page.md ||
        { echo "campaign_page: docs/results/$page.md is not what $script makes"; exit 1; }
done

facts='module ace_a
tested ace_a a
lockstep a 1000
planted ace_a
proof ace_a pdr
coverage ace_a 10 100.0 0 20 95.0 1
path ace_a 40.0
listed ace_a
points ace_a 10 90.0 1
gates ace_a
replayed a'
stage() { # SED-SCRIPT EXPECTED: the stage of ace_a with a fact that the script changes
    local found
    found=$(sed "$1" <<<"$facts" | awk -v cycle=57.4 -f scripts/docs/sign-off.awk | awk -F' *[|] *' '$2 == "`ace_a`" { print $3 }')
    [[ $found == "$2" ]] || { echo "campaign_page: with '$1' found stage '$found', expected $2"; exit 1; }
}
stage '' V3
stage 's/95.0 1/95.0 0/' V2
stage '/^proof/d' V2
stage 's/pdr/cover:9/' V2
stage 's/pdr/bmc:9/' V2
stage '$a proof ace_a bmc:9' V2
stage '$a memory ace_a 4096' V2
stage 's/90.0 1/90.0 0/' V2
stage '/^points/d' V2
stage '/^gates/d' V2
stage '/^replayed/d' V2
stage 's/90.0 1/80.0 0/' V1
stage 's/95.0 1/80.0 1/' V1
stage '/^planted/d' V1
stage '/^coverage/d' V1
stage 's/40.0/58.0/' V1
stage '/^tested/d' -
echo "campaign_page: made of $(find docs/results/campaign docs/results/sign-off -type f | wc -l) files"
