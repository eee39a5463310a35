-- SPDX-License-Identifier: Apache-2.0
-- Between which compute times a byte each claim is reached, on 64 NPUs: an average or a maximum of the paper by each of
-- the ratios.  The sweep's scales alone; a bandwidth is against the baseline whose iteration is shortest.
WITH published(place, claim, w, value) AS (
    VALUES (1, 'iteration time, average', 'resnet50', 1.41), (1, 'iteration time, average', 'gnmt', 1.12), (1, 'iteration time, average', 'dlrm', 1.13),
           (2, 'iteration time, maximum', 'resnet50', 1.51), (2, 'iteration time, maximum', 'gnmt', 1.17), (2, 'iteration time, maximum', 'dlrm', 1.19),
           (3, 'network bandwidth, average', 'resnet50', 1.44), (3, 'network bandwidth, average', 'gnmt', 1.44), (3, 'network bandwidth, average', 'dlrm', 1.44),
           (4, 'network bandwidth, maximum', 'resnet50', 2.67), (4, 'network bandwidth, maximum', 'gnmt', 2.67), (4, 'network bandwidth, maximum', 'dlrm', 2.67)),
best AS ( -- of the row that has the minimum
    SELECT w, shares, scale, g, ps, min(t) AS t FROM scales WHERE e IN ('no-overlap', 'comm-opt', 'comp-opt') AND scale <> 'table' GROUP BY w, shares, scale),
ratio AS (
    SELECT place, claim, w, shares, scale, value, best.ps, CASE WHEN place <= 2 THEN best.t / a.t ELSE a.g / best.g END AS r
    FROM best JOIN scales a USING (w, shares, scale) JOIN published USING (w) WHERE a.e = 'ace')
SELECT claim, w AS workload, shares, value AS published, max(r) AS "largest found",
       (SELECT ps FROM ratio o WHERE o.place = ratio.place AND o.w = ratio.w AND o.shares = ratio.shares ORDER BY r DESC LIMIT 1) AS "at ps per byte",
       min(ps) FILTER (WHERE r >= value) AS "reached from", max(ps) FILTER (WHERE r >= value) AS "to",
       min(r) AS "smallest found", min(ps) FILTER (WHERE r < 0.995) AS "ACE loses from", max(ps) FILTER (WHERE r < 0.995) AS "to ps per byte",
       max(ps) FILTER (WHERE scale = '1.0') AS "this NPU, ps per byte"
FROM ratio GROUP BY place, w, shares ORDER BY place, w, shares
