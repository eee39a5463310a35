-- SPDX-License-Identifier: Apache-2.0
-- The best strategy on each cluster (seconds), and its time over that of the fastest.
SELECT family AS cluster, 'MP' || MP || '_DP' || DP || ' b' || micro_batch AS best, GB, expanded_GB, compute_s AS compute,
       MP_s AS exposed_MP, DP_s AS exposed_DP, s AS iteration, 100 * MFU AS MFU_percent, s / (SELECT min(s) FROM families) AS over_the_best
FROM families ORDER BY family
