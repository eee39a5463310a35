-- SPDX-License-Identifier: Apache-2.0
-- Memory bandwidth at which a share of the ideal network bandwidth is reached, interpolated between the two
-- points of the sweep around it; no row where the sweep does not reach it.
WITH points AS (
    SELECT 'ACE' AS endpoint, topology, json_extract(result, '$.memory_bandwidth_GBps') AS memory, fraction_of_ideal AS f FROM memory_ace
    UNION ALL
    SELECT 'baseline', topology, json_extract(result, '$.memory_bandwidth_GBps'), fraction_of_ideal FROM memory_baseline
    UNION ALL
    SELECT 'not lazy', topology, json_extract(result, '$.memory_bandwidth_GBps'), fraction_of_ideal FROM lazy),
steps AS (
    SELECT endpoint, topology, memory, f, lag(memory) OVER w AS memory_before, lag(f) OVER w AS f_before
    FROM points WINDOW w AS (PARTITION BY endpoint, topology ORDER BY memory)),
level(level) AS (VALUES (0.5), (0.8), (0.9))
SELECT endpoint, topology, level, min(memory_before + (memory - memory_before) * (level - f_before) / (f - f_before)) AS need
FROM steps JOIN level WHERE f >= level AND f_before < level GROUP BY endpoint, topology, level
