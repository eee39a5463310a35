-- SPDX-License-Identifier: Apache-2.0
-- Seconds of the best micro-batch of each degree, by the bandwidth of expanded memory, in proportion.
SELECT 'MP' || MP || '_DP' || DP AS strategy, CAST(expanded_GBps AS INTEGER) AS expanded_GBps, min(s) AS s, min(expanded_GB) AS expanded_GB
FROM cells WHERE sweep = 'expansion' AND fits AND touched = 'proportion' GROUP BY MP, expanded_GBps ORDER BY MP, expanded_GBps
