-- SPDX-License-Identifier: Apache-2.0
-- ACE's network bandwidth over a baseline's by model and size, and how that lies to the published 1.44 and 2.67.  With
-- shares outstanding and reserved it is nearly the same: what is reserved is compute's.
WITH against AS (
    SELECT a.compute, a.w, a.n, b.e, a.g / b.g AS r FROM cells a JOIN cells b USING (shares, compute, w, n)
    WHERE a.e = 'ace' AND b.e IN ('no-overlap', 'comm-opt', 'comp-opt') AND a.shares = 'outstanding' AND (a.compute = 'shapes' OR a.compute = 'table' AND a.w = 'resnet50')
    UNION ALL SELECT compute, w, n, 'best by iteration time', bandwidth FROM ratios
    WHERE shares = 'outstanding' AND (compute = 'shapes' OR compute = 'table' AND w = 'resnet50'))
SELECT e AS "against", w AS workload, compute, max(r) FILTER (WHERE n = 16) AS "16 NPUs", max(r) FILTER (WHERE n = 32) AS "32",
       max(r) FILTER (WHERE n = 64) AS "64", max(r) FILTER (WHERE n = 128) AS "128",
       CASE WHEN count(*) = 4 THEN avg(r) END AS average,
       count(*) FILTER (WHERE r >= 1.44) || ' of ' || count(*) AS "from 1.44 on", count(*) FILTER (WHERE r >= 2.67) || ' of ' || count(*) AS "from 2.67 on"
FROM against GROUP BY e, w, compute ORDER BY e <> 'best by iteration time', e <> 'comp-opt', e <> 'comm-opt', w, compute
