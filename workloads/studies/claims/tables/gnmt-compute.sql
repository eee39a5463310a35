-- SPDX-License-Identifier: Apache-2.0
-- GNMT by how long it computes: iteration time of the best baseline over ACE's, and the compute times at which the published
-- average and maximum are met, interpolated between the two scales around it.
WITH compute AS (SELECT scale, avg(compute_ms) AS ms FROM cells WHERE w = 'GNMT' AND e = 'no-overlap' GROUP BY scale),
at AS (
    SELECT scale, compute.ms AS ms, avg(speed) AS average, max(speed) AS most FROM ratios JOIN compute USING (scale)
    WHERE w = 'GNMT' AND best = 'configuration' GROUP BY scale HAVING count(*) = 4),
figure(name, published) AS (VALUES ('average', 1.12), ('maximum', 1.17)),
steps AS (
    SELECT name, published, ms, lag(ms) OVER o AS ms_before, v, lag(v) OVER o AS before
    FROM (SELECT name, published, scale, ms, CASE name WHEN 'average' THEN average ELSE most END AS v FROM figure JOIN at)
    WINDOW o AS (PARTITION BY name ORDER BY scale)),
met AS (SELECT name, published, ms_before + (ms - ms_before) * (published - before) / (v - before) AS ms
        FROM steps WHERE v <= published AND before > published)
SELECT printf('%g of the shapes'' time', scale) AS compute, ms AS "ms an iteration", average, most AS maximum FROM at
UNION ALL SELECT 'inferred: meets the published ' || name, ms, CASE name WHEN 'average' THEN published END, CASE name WHEN 'maximum' THEN published END FROM met
