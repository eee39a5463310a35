-- SPDX-License-Identifier: Apache-2.0
-- Cycles of 64 MiB on the twin and in RTL, and the bound: the time of the links alone, or of the memory, whichever is
-- more.
WITH runs AS (
    SELECT c.point, c.topology, c.size, c.rung, c.cycles, l.cycles AS links,
           json_extract(c.result, '$.kind') AS collective,
           max(json_extract(c.result, '$.memory_read_bytes_per_npu'),
               json_extract(c.result, '$.memory_write_bytes_per_npu')) AS bytes,
           json_extract(c.result, '$.memory_bandwidth_GBps') * 1000.0 /
           json_extract(c.result, '$.clock_MHz') AS bytes_per_cycle
    FROM collectives c JOIN links l
      ON c.topology = l.topology AND c.size = l.size AND
         json_extract(c.result, '$.kind') = json_extract(l.result, '$.kind'))
SELECT collective, topology, t.cycles, CASE WHEN r.cycles = t.cycles THEN 'same' ELSE r.cycles END AS RTL,
       CAST(round(max(t.links, t.bytes / t.bytes_per_cycle)) AS INTEGER) AS bound,
       CASE WHEN t.links >= t.bytes / t.bytes_per_cycle THEN 'links' ELSE 'memory' END AS "bound by",
       round(max(1.0 * t.links, t.bytes / t.bytes_per_cycle) / t.cycles, 3) AS fraction
FROM runs t JOIN runs r USING (collective, topology, size) WHERE t.rung = 'cycle' AND r.rung = 'rtl' AND size = '64MiB' ORDER BY t.point
