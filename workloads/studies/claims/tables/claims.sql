-- SPDX-License-Identifier: Apache-2.0
-- Headline claims (V: read in the paper) and what is found here in the nearest reading.  An average is over the four
-- sizes, and for the network bandwidth over the three workloads; with fewer cells there is none.
WITH claim(place, claim, published, w, what, basis) AS (
    VALUES
    (1, 'memory bandwidth for the same network bandwidth, baseline / ACE, average', 3.5, '', 'memory',
     'Inferred: the baseline writes the last reduction of each phase to memory. Known: the bytes; 450 / 128 GB/s is 3.52.'),
    (2, 'effective network bandwidth, ACE / best baseline, average', 1.44, '%', 'bandwidth',
     'Inferred: best is one configuration a workload; bandwidth counts while collectives are outstanding.'),
    (3, 'the same, maximum', 2.67, '%', 'most bandwidth',
     'As above. The maximum is DLRM''s, whose table is public.'),
    (4, 'iteration time, best baseline / ACE, ResNet-50, average', 1.41, 'ResNet-50', 'speed',
     'Known: compute and FP32 bytes of the authors'' table. Inferred: its cycles are those of the whole mini-batch.'),
    (5, 'the same, maximum', 1.51, 'ResNet-50', 'most speed', 'As above.'),
    (6, 'iteration time, best baseline / ACE, GNMT, average', 1.12, 'GNMT', 'speed',
     'No test: compute is 0.3 of what the shapes give, inferred from this figure. Known: sizes of the layers.'),
    (7, 'the same, maximum', 1.17, 'GNMT', 'most speed', 'Inferred compute, as above. This figure was not used.'),
    (8, 'iteration time, best baseline / ACE, DLRM, average', 1.13, 'DLRM', 'speed',
     'Known: sizes, by the authors'' table, which is probably ACE''s own. Inferred: 90 lookups a table.'),
    (9, 'the same, maximum', 1.19, 'DLRM', 'most speed', 'As above.')),
memory AS (
    SELECT CASE WHEN count(*) = 4 THEN avg(b.need / a.need) END AS r FROM needs a JOIN needs b USING (topology)
    WHERE a.endpoint = 'ACE' AND b.endpoint = 'written'),
value AS (
    SELECT place, claim, published, basis,
           CASE WHEN what = 'memory' THEN (SELECT r FROM memory)
                ELSE (SELECT CASE WHEN count(*) < CASE WHEN claim.w = '%' THEN 12 ELSE 4 END THEN NULL
                                  WHEN what = 'bandwidth' THEN avg(bandwidth) WHEN what = 'most bandwidth' THEN max(bandwidth)
                                  WHEN what = 'speed' THEN avg(speed) ELSE max(speed) END
                      FROM ratios r WHERE r.best = 'configuration' AND r.scale IN (1.0, 0.3) AND r.w LIKE claim.w) END AS v
    FROM claim)
SELECT claim, published, v AS here, CASE WHEN v IS NOT NULL THEN printf('%+.1f %%', 100 * (v / published - 1)) END AS off, basis AS "what is known and inferred"
FROM value ORDER BY place
