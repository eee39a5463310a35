-- SPDX-License-Identifier: Apache-2.0
-- Seconds of an iteration on A with ZeRO 2, as if all fitted.
SELECT 'MP' || MP || '_DP' || DP AS strategy, compute_s AS compute, MP_s AS exposed_MP, DP_s AS exposed_DP, s AS iteration, GB,
       iif(fits, 'yes', 'no') AS fits
FROM cells WHERE sweep = 'footprint' AND zero = 2 ORDER BY MP DESC
