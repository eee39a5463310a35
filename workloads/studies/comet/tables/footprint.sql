-- SPDX-License-Identifier: Apache-2.0
-- GB that a node holds, by degree of model parallelism and ZeRO stage; what fits 80 GB with stage 2.
SELECT 'MP' || MP || '_DP' || DP AS strategy, max(GB) FILTER (WHERE zero = 0) AS ZeRO_0, max(GB) FILTER (WHERE zero = 1) AS ZeRO_1,
       max(GB) FILTER (WHERE zero = 2) AS ZeRO_2, max(GB) FILTER (WHERE zero = 3) AS ZeRO_3,
       iif(max(fits) FILTER (WHERE zero = 2), 'yes', 'no') AS fits
FROM cells WHERE sweep = 'footprint' GROUP BY MP ORDER BY MP DESC
