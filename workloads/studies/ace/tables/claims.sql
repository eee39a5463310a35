-- SPDX-License-Identifier: Apache-2.0
-- Headline claims (V: read in the paper) beside what this study finds in each reading.  An average is
-- over all four sizes, and over the three workloads where none is named; with fewer there is none.
WITH column(c, shares, compute) AS (
    VALUES (1, 'outstanding', 'shapes'), (2, 'reserved', 'shapes'), (3, 'outstanding', 'table'), (4, 'reserved', 'table'),
           (5, 'outstanding', 'table x 32'), (6, 'reserved', 'table x 32')),
claim(place, claim, published, w, what) AS (
    VALUES (1, 'memory bandwidth, baseline / ACE, average', 3.5, '', 'memory'),
           (2, 'effective network bandwidth, ACE / best baseline, average', 1.44, '%', 'bandwidth'),
           (3, 'the same, maximum', 2.67, '%', 'most bandwidth'),
           (4, 'iteration time, best baseline / ACE, ResNet-50, average', 1.41, 'resnet50', 'speed'),
           (5, 'the same, maximum', 1.51, 'resnet50', 'most speed'),
           (6, 'iteration time, best baseline / ACE, GNMT, average', 1.12, 'gnmt', 'speed'),
           (7, 'the same, maximum', 1.17, 'gnmt', 'most speed'),
           (8, 'iteration time, best baseline / ACE, DLRM, average', 1.13, 'dlrm', 'speed'),
           (9, 'the same, maximum', 1.19, 'dlrm', 'most speed')),
memory AS (
    SELECT CASE WHEN count(*) = 4 THEN avg(b.need / a.need) END AS r FROM needs a JOIN needs b USING (topology, level)
    WHERE level = 0.9 AND a.endpoint = 'ACE' AND b.endpoint = 'baseline'),
value AS (
    SELECT place, c,
           CASE WHEN what = 'memory' THEN (SELECT r FROM memory)
                ELSE (SELECT CASE WHEN count(*) < CASE WHEN w = '%' THEN 12 ELSE 4 END THEN NULL
                                  WHEN what = 'bandwidth' THEN avg(r.bandwidth) WHEN what = 'most bandwidth' THEN max(r.bandwidth)
                                  WHEN what = 'speed' THEN avg(r.speed) ELSE max(r.speed) END
                      FROM ratios r WHERE r.shares = column.shares AND r.compute = column.compute AND r.w LIKE claim.w) END AS v
    FROM claim JOIN column)
SELECT claim, published,
       max(v) FILTER (WHERE c = 1) AS "shapes, outstanding", max(v) FILTER (WHERE c = 2) AS "shapes, reserved",
       max(v) FILTER (WHERE c = 3) AS "table, outstanding", max(v) FILTER (WHERE c = 4) AS "table, reserved",
       max(v) FILTER (WHERE c = 5) AS "table x 32, outstanding", max(v) FILTER (WHERE c = 6) AS "table x 32, reserved"
FROM claim JOIN value USING (place) GROUP BY place ORDER BY place
