-- SPDX-License-Identifier: Apache-2.0
-- What must hold in every cell.  A row of a bank has 2,304 bits, and there are four banks.
SELECT 'more of a resource is never slower by more than 1 %' AS law, count(*) AS cells, sum(m.us > 1.01 * l.us) AS broken
FROM pairs p JOIN cells l ON l.name = p.less JOIN cells m ON m.name = p.more AND (m.work, m.NPUs) = (l.work, l.NPUs)
UNION ALL SELECT 'no set is faster than the links alone', count(*), sum(c.us < l.time_us)
FROM cells c JOIN links l ON json_extract(l.result, '$.nodes') = c.NPUs WHERE c.work = 'all-reduce'
UNION ALL SELECT 'more of a resource never has fewer bits of memory', count(*), sum(m.SRAM_bits < l.SRAM_bits)
FROM pairs p JOIN sets l ON l.name = p.less JOIN sets m ON m.name = p.more
UNION ALL SELECT 'rows of a bank add four times 2,304 bits each', count(*), sum(m.SRAM_bits - l.SRAM_bits <> 4 * 2304 * (m.rows - l.rows))
FROM sets l JOIN sets m ON (l.fsms, l.contexts, l.link_rows) = (m.fsms, m.contexts, m.link_rows) AND m.rows > l.rows
UNION ALL SELECT 'no set on a front is larger and slower than another', count(*), sum(o.area < f.area AND o.speed > f.speed + 0.005)
FROM fronts f JOIN sets o ON o.name <> f.name WHERE f.front
