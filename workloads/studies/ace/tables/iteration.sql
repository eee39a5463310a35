-- SPDX-License-Identifier: Apache-2.0
-- Mean iteration of each workload, cluster and endpoint, in the reading that hardware arbitrates and in
-- the one that comes nearest to the paper: what communication adds to compute, exposed or by slowing it
-- (to a nanosecond: what is less is rounding, and 0 + makes a zero of one below it).
SELECT a.compute || ', ' || a.shares AS reading, a.w AS workload, a.n AS NPUs, a.e AS endpoint, a.ms AS "iteration, ms", i.compute_ms AS "compute alone, ms",
       0 + round(a.compute_ms - i.compute_ms, 6) AS "slowed by, ms", a.exposed_ms AS "exposed, ms", a.g AS "network GB/s",
       0 + round(100 * (a.compute_ms / i.compute_ms - 1), 6) AS "slowed, %", 100 * a.exposed_ms / i.compute_ms AS "exposed, %"
FROM cells a JOIN cells i ON i.shares = a.shares AND i.compute = a.compute AND i.w = a.w AND i.n = a.n AND i.e = 'ideal'
WHERE (a.shares = 'outstanding' AND a.compute = 'shapes') OR (a.shares = 'reserved' AND a.compute = 'table')
ORDER BY 1, a.w, a.n, a.e <> 'no-overlap', a.e <> 'comm-opt', a.e <> 'comp-opt', a.e <> 'ace'
