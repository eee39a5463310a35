-- SPDX-License-Identifier: Apache-2.0
-- Each cell of the claims: ACE and the best configuration of the workload.
SELECT w AS workload, n AS NPUs, ace_ms AS "ACE, ms", e AS best_baseline, ms AS "its ms", speed AS "time ratio", ace_g AS "ACE GB/s", g AS "its GB/s",
       bandwidth AS "bandwidth ratio"
FROM ratios WHERE best = 'configuration' AND scale IN (1.0, 0.3) ORDER BY w, n
