-- SPDX-License-Identifier: Apache-2.0
-- What must hold in every cell.
SELECT 'parts add up to the iteration' AS law, count(*) AS cells, sum(abs(compute_s + MP_s + DP_s - s) > 1e-6 * s) AS broken FROM cells
UNION ALL SELECT 'what is expanded is what is over local memory', count(*),
       sum(fits AND expanded_GB > 0 AND abs(GB - expanded_GB - CASE WHEN sweep = 'clusters' AND cluster LIKE '%b200%' THEN 180
           WHEN command LIKE '%tpu%' THEN 32 WHEN command LIKE '%dojo%' THEN 11 ELSE 80 END) > 1e-6) FROM cells
UNION ALL SELECT 'faster expanded memory is never slower', count(*), sum(s > before * (1 + 1e-9)) FROM (
    SELECT s, lag(s) OVER (PARTITION BY strategy, touched ORDER BY expanded_GBps) AS before FROM cells WHERE sweep = 'expansion')
UNION ALL SELECT 'read together is never slower than in turn', count(*), sum(b.s > a.s * (1 + 1e-9)) FROM cells a JOIN cells b
    ON a.sweep = 'expansion' AND b.sweep = 'expansion' AND a.strategy = b.strategy AND a.expanded_GBps = b.expanded_GBps
    AND a.touched = 'proportion' AND b.touched = 'together'
