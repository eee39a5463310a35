-- SPDX-License-Identifier: Apache-2.0
-- Network bandwidth while collectives are outstanding, of ACE and the best baseline that overlaps.
WITH cells AS (
    SELECT json_extract(result, '$.workload') AS workload, json_extract(result, '$.nodes') AS NPUs,
           endpoint, network_bandwidth_GBps AS GBps FROM iteration)
SELECT workload, NPUs, max(GBps) FILTER (WHERE endpoint = 'ace') AS ACE_GBps,
       max(GBps) FILTER (WHERE endpoint IN ('comm-opt', 'comp-opt', 'no-overlap')) AS best_baseline_GBps,
       max(GBps) FILTER (WHERE endpoint = 'ace') /
           max(GBps) FILTER (WHERE endpoint IN ('comm-opt', 'comp-opt', 'no-overlap')) AS ratio
FROM cells GROUP BY workload, NPUs ORDER BY workload, NPUs
