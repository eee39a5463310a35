-- SPDX-License-Identifier: Apache-2.0
-- The runs, and sizes that did not run: a line through the two largest sizes of each algorithm.
WITH grid AS (SELECT * FROM runs WHERE kind = 'grid'),
ends AS (SELECT side, radix, algorithm, max(bytes) AS last,
                (SELECT max(bytes) FROM grid l WHERE (l.side, l.radix, l.algorithm) = (g.side, g.radix, g.algorithm) AND l.bytes < max(g.bytes)) AS before
         FROM grid g GROUP BY 1, 2, 3),
larger(bytes) AS (VALUES (67108864), (268435456), (1073741824))
SELECT side, radix, algorithm, bytes, 'run' AS by, time_us, cycles, accesses, adds, sent, sums FROM grid
UNION ALL
SELECT l.side, l.radix, l.algorithm, larger.bytes, 'line',
       l.time_us + (l.time_us - b.time_us) * (larger.bytes - last) / (last - before * 1.0),
       l.cycles + (l.cycles - b.cycles) * (larger.bytes - last) / (last - before * 1.0),
       l.accesses + (l.accesses - b.accesses) * (larger.bytes - last) / (last - before * 1.0),
       l.adds + (l.adds - b.adds) * (larger.bytes - last) / (last - before * 1.0),
       l.sent + (l.sent - b.sent) * (larger.bytes - last) / (last - before * 1.0),
       l.sums + (l.sums - b.sums) * (larger.bytes - last) / (last - before * 1.0)
FROM (SELECT * FROM ends WHERE algorithm <> 'fibonacci-tree') ends JOIN grid l ON (l.side, l.radix, l.algorithm, l.bytes) = (ends.side, ends.radix, ends.algorithm, last)
JOIN grid b ON (b.side, b.radix, b.algorithm, b.bytes) = (ends.side, ends.radix, ends.algorithm, before)
JOIN larger
