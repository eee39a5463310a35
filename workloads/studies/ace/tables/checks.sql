-- SPDX-License-Identifier: Apache-2.0
-- Laws that hold in every cell: bytes against the closed form, and nobody beats the ideal endpoint.
WITH runs AS (
    SELECT json_extract(result, '$.workload') || ' on ' || json_extract(result, '$.topology') AS cell, endpoint, time_us AS t FROM iteration
    UNION ALL SELECT 'all-to-all on ' || topology, endpoint, time_us FROM exchange
    UNION ALL SELECT json_extract(result, '$.workload'), endpoint, time_us FROM contention)
SELECT 'cells whose bytes per dimension are the closed form''s' AS law,
       (SELECT count(*) FROM part JOIN points USING (key) WHERE "check" = 'passed') AS hold,
       (SELECT count(*) FROM part) AS of
UNION ALL SELECT 'cells not faster than the ideal endpoint',
       (SELECT count(*) FROM runs a JOIN runs b ON a.cell = b.cell AND b.endpoint = 'ideal' WHERE a.t >= b.t),
       (SELECT count(*) FROM runs)
