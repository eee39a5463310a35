-- SPDX-License-Identifier: Apache-2.0
-- Headline claims (V: read in the paper) beside what this study finds.
WITH f AS (
    SELECT 'ACE' AS e, topology AS t, json_extract(result, '$.memory_bandwidth_GBps') AS m, fraction_of_ideal AS f FROM memory_ace
    UNION ALL SELECT 'baseline', topology, json_extract(result, '$.memory_bandwidth_GBps'), fraction_of_ideal FROM memory_baseline),
s AS (SELECT e, t, m, f, lag(m) OVER w AS m0, lag(f) OVER w AS f0 FROM f WINDOW w AS (PARTITION BY e, t ORDER BY m)),
need AS (SELECT e, t, min(m0 + (m - m0) * (0.9 - f0) / (f - f0)) AS need FROM s WHERE f >= 0.9 AND f0 < 0.9 GROUP BY e, t),
memory AS (SELECT b.need / a.need AS r FROM need a JOIN need b ON a.e = 'ACE' AND b.e = 'baseline' AND a.t = b.t),
cells AS (
    SELECT json_extract(result, '$.workload') AS w, json_extract(result, '$.nodes') AS n, endpoint AS e, time_us AS t, network_bandwidth_GBps AS g
    FROM iteration),
best AS ( -- of the row that has the minimum
    SELECT w, n, g, min(t) AS t FROM cells WHERE e IN ('no-overlap', 'comm-opt', 'comp-opt') GROUP BY w, n),
ratio AS (
    SELECT w, n, best.t / a.t AS speed, a.g / best.g AS bandwidth
    FROM cells a JOIN best USING (w, n) WHERE a.e = 'ace'),
claim(place, claim, published, ours) AS (
    VALUES (1, 'memory bandwidth, baseline / ACE, average', 3.5, (SELECT avg(r) FROM memory)),
           (2, 'effective network bandwidth, ACE / best baseline, average', 1.44, (SELECT avg(bandwidth) FROM ratio)),
           (3, 'the same, maximum', 2.67, (SELECT max(bandwidth) FROM ratio)),
           (4, 'iteration time, best baseline / ACE, ResNet-50, average', 1.41, (SELECT avg(speed) FROM ratio WHERE w = 'resnet50')),
           (5, 'the same, maximum', 1.51, (SELECT max(speed) FROM ratio WHERE w = 'resnet50')),
           (6, 'iteration time, best baseline / ACE, GNMT, average', 1.12, (SELECT avg(speed) FROM ratio WHERE w = 'gnmt')),
           (7, 'the same, maximum', 1.17, (SELECT max(speed) FROM ratio WHERE w = 'gnmt')),
           (8, 'iteration time, best baseline / ACE, DLRM, average', 1.13, (SELECT avg(speed) FROM ratio WHERE w = 'dlrm')),
           (9, 'the same, maximum', 1.19, (SELECT max(speed) FROM ratio WHERE w = 'dlrm')))
SELECT claim, published, ours, ours / published AS ours_over_published FROM claim ORDER BY place
