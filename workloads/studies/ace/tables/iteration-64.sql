-- SPDX-License-Identifier: Apache-2.0
-- Mean iteration on 64 NPUs, as in iteration.sql, the two readings side by side.
WITH added AS (
    SELECT a.compute || ', ' || a.shares AS reading, a.w, a.e, a.ms, 0 + round(100 * (a.compute_ms / i.compute_ms - 1), 6) AS slowed,
           100 * a.exposed_ms / i.compute_ms AS exposed
    FROM cells a JOIN cells i ON i.shares = a.shares AND i.compute = a.compute AND i.w = a.w AND i.n = a.n AND i.e = 'ideal' WHERE a.n = 64)
SELECT a.w AS workload, a.e AS endpoint, a.ms AS "shapes, outstanding: ms", a.slowed AS "slowed, %", a.exposed AS "exposed, %",
       b.ms AS "table, reserved: ms", b.slowed AS "slowed, %", b.exposed AS "exposed, %"
FROM added a JOIN added b USING (w, e) WHERE a.reading = 'shapes, outstanding' AND b.reading = 'table, reserved'
ORDER BY a.w, a.e <> 'no-overlap', a.e <> 'comm-opt', a.e <> 'comp-opt', a.e <> 'ace'
