-- SPDX-License-Identifier: Apache-2.0
-- How much more memory bandwidth the baseline needs than ACE, by what "needs" means: averages, and each size at 90 %.
WITH counted AS (
    SELECT topology, 1.5 * bytes AS r FROM (
        SELECT topology, 1.0 * json_extract(result, '$.bytes_sent_per_npu') / json_extract(result, '$.size_bytes') AS bytes
        FROM bound WHERE json_extract(result, '$.kind') = 'all-reduce')),
pair AS (
    SELECT a.topology, a.level, b.endpoint AS baseline, a.need AS ace, b.need AS need FROM needs a JOIN needs b USING (topology, level)
    WHERE a.endpoint = 'ACE' AND b.endpoint <> 'ACE'),
row(place, definition, topology, ace, baseline) AS (
    SELECT 1, 'reads counted, in the steady state', topology, NULL, NULL FROM counted
    UNION ALL SELECT 2, '50 % of the ideal network', topology, ace, need FROM pair WHERE level = 0.5 AND baseline = 'baseline'
    UNION ALL SELECT 3, '80 %', topology, ace, need FROM pair WHERE level = 0.8 AND baseline = 'baseline'
    UNION ALL SELECT 4, '90 %, as the paper', topology, ace, need FROM pair WHERE level = 0.9 AND baseline = 'baseline'
    UNION ALL SELECT 5, '90 %, last reductions written', topology, ace, need FROM pair WHERE level = 0.9 AND baseline = 'not lazy'
    UNION ALL SELECT 6, 'the shares given: comm-opt / ACE (R)', 'any', 128.0, 450.0),
ratio AS (
    SELECT place, definition, topology, ace, baseline, coalesce(baseline / ace, (SELECT r FROM counted WHERE counted.topology = row.topology)) AS r FROM row
    UNION ALL -- over all four sizes, or there is none
    SELECT place, definition, 'average', NULL, NULL, avg(coalesce(baseline / ace, (SELECT r FROM counted WHERE counted.topology = row.topology)))
    FROM row GROUP BY place HAVING count(*) = 4)
SELECT definition, topology, ace AS "ACE GB/s", baseline AS "baseline GB/s", r AS ratio, r / 3.5 AS "of the published 3.5"
FROM ratio WHERE topology = 'average' OR place >= 4 ORDER BY place, topology
