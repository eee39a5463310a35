-- SPDX-License-Identifier: Apache-2.0
-- Memory bandwidth with which 90 % of the ideal network bandwidth is reached, interpolated between the two points
-- of the sweep around it; no row where the sweep does not reach it.
WITH points AS (
    SELECT 'ACE' AS endpoint, topology, json_extract(result, '$.memory_bandwidth_GBps') AS memory, fraction_of_ideal AS f FROM memory_ace
    UNION ALL
    SELECT 'baseline', topology, json_extract(result, '$.memory_bandwidth_GBps'), fraction_of_ideal FROM memory_baseline
    UNION ALL
    SELECT 'written', topology, json_extract(result, '$.memory_bandwidth_GBps'), fraction_of_ideal FROM memory_written),
steps AS (
    SELECT endpoint, topology, memory, f, lag(memory) OVER w AS memory_before, lag(f) OVER w AS f_before
    FROM points WINDOW w AS (PARTITION BY endpoint, topology ORDER BY memory))
SELECT endpoint, topology, min(memory_before + (memory - memory_before) * (0.9 - f_before) / (f - f_before)) AS need
FROM steps WHERE f >= 0.9 AND f_before < 0.9 GROUP BY endpoint, topology
