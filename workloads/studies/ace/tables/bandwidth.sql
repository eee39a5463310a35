-- SPDX-License-Identifier: Apache-2.0
-- Network bandwidth while collectives are outstanding: ACE, and the baseline whose iteration is
-- shortest.
WITH cells AS (
    SELECT json_extract(result, '$.workload') AS workload, json_extract(result, '$.nodes') AS NPUs,
           endpoint, time_us AS t, network_bandwidth_GBps AS GBps FROM iteration),
best AS ( -- of the row that has the minimum
    SELECT workload, NPUs, endpoint, GBps, min(t) FROM cells
    WHERE endpoint IN ('no-overlap', 'comm-opt', 'comp-opt') GROUP BY workload, NPUs)
SELECT workload, NPUs, a.GBps AS "ACE GB/s", b.endpoint AS best_baseline, b.GBps AS "its GB/s",
       a.GBps / b.GBps AS ratio
FROM cells a JOIN best b USING (workload, NPUs) WHERE a.endpoint = 'ace' ORDER BY workload, NPUs
