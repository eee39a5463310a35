-- SPDX-License-Identifier: Apache-2.0
-- ACE against the best baseline, in two senses: the one configuration that is best for a workload, by its iteration
-- times over ACE's on average, and the one that is best on each size.
WITH mean AS (SELECT w, scale, e, avg(speed) AS speed FROM against GROUP BY w, scale, e),
configuration AS ( -- of the row that has the minimum
    SELECT w, scale, e, min(speed) FROM mean GROUP BY w, scale),
size AS (SELECT w, scale, n, e, min(speed) FROM against GROUP BY w, scale, n)
SELECT 'configuration' AS best, against.* FROM against JOIN configuration USING (w, scale, e)
UNION ALL SELECT 'size', against.* FROM against JOIN size USING (w, scale, n, e)
