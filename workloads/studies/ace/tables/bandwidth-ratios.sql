-- SPDX-License-Identifier: Apache-2.0
-- ACE's network bandwidth over a baseline's, by what is meant: averages and maxima over 3 workloads and 4 sizes.
WITH against AS (
    SELECT a.shares, a.compute, b.e, a.g / b.g AS r FROM cells a JOIN cells b USING (shares, compute, w, n)
    WHERE a.e = 'ace' AND b.e IN ('no-overlap', 'comm-opt', 'comp-opt')),
kinds(place, definition, shares, compute, r) AS (
    SELECT 1, 'while collectives are outstanding, best baseline by iteration time', shares, compute, bandwidth FROM ratios
    UNION ALL SELECT 2, 'bytes of an iteration over its time, best baseline', shares, compute, per_iteration FROM ratios
    UNION ALL SELECT CASE e WHEN 'comp-opt' THEN 3 WHEN 'comm-opt' THEN 4 ELSE 5 END, 'while outstanding, against ' || e, shares, compute, r FROM against)
SELECT definition,
       avg(r) FILTER (WHERE compute = 'shapes' AND shares = 'outstanding') AS "shapes, outstanding: average",
       max(r) FILTER (WHERE compute = 'shapes' AND shares = 'outstanding') AS "maximum",
       avg(r) FILTER (WHERE compute = 'shapes' AND shares = 'reserved') AS "shapes, reserved: average",
       max(r) FILTER (WHERE compute = 'shapes' AND shares = 'reserved') AS "maximum",
       avg(r) FILTER (WHERE compute = 'table' AND shares = 'outstanding') AS "table, outstanding: average",
       max(r) FILTER (WHERE compute = 'table' AND shares = 'outstanding') AS "maximum",
       avg(r) FILTER (WHERE compute = 'table' AND shares = 'reserved') AS "table, reserved: average",
       max(r) FILTER (WHERE compute = 'table' AND shares = 'reserved') AS "maximum"
FROM kinds GROUP BY place, definition HAVING count(*) = 6 * 12 ORDER BY place
