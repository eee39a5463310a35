-- SPDX-License-Identifier: Apache-2.0
-- The claims whose words allow a second figure, and that figure: claims.sql has the first.
WITH row(place, claim, published, reading, v) AS (
    SELECT 1, 'memory bandwidth, average', 3.5, 'the last reduction of a phase stays in registers', CASE WHEN count(*) = 4 THEN avg(b.need / a.need) END
    FROM needs a JOIN needs b USING (topology) WHERE a.endpoint = 'ACE' AND b.endpoint = 'baseline'
    UNION ALL
    SELECT 2, 'memory bandwidth, average', 3.5, 'the shares given: comm-opt / ACE (R)', 450.0 / 128
    UNION ALL
    SELECT 3, 'network bandwidth, average', 1.44, 'best on each size', avg(bandwidth)
    FROM ratios WHERE best = 'size' AND scale IN (1.0, 0.3) GROUP BY best HAVING count(*) = 12
    UNION ALL
    SELECT 4, 'network bandwidth, maximum', 2.67, 'best on each size', max(bandwidth)
    FROM ratios WHERE best = 'size' AND scale IN (1.0, 0.3) GROUP BY best HAVING count(*) = 12
    UNION ALL
    SELECT 5, 'iteration time, ResNet-50, average', 1.41, 'best on each size', avg(speed)
    FROM ratios WHERE best = 'size' AND w = 'ResNet-50' GROUP BY best HAVING count(*) = 4
    UNION ALL
    SELECT 6, 'iteration time, ResNet-50, maximum', 1.51, 'best on each size', max(speed)
    FROM ratios WHERE best = 'size' AND w = 'ResNet-50' GROUP BY best HAVING count(*) = 4)
SELECT claim, published, reading, v AS here, CASE WHEN v IS NOT NULL THEN printf('%+.1f %%', 100 * (v / published - 1)) END AS off
FROM row ORDER BY place
