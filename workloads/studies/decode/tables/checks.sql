-- SPDX-License-Identifier: Apache-2.0
-- What must hold in every cell.
SELECT 'bytes equal the algorithm''s formula' AS law, count(*) AS cells, sum(broken) AS broken
       FROM (SELECT "check" <> 'passed' AS broken FROM runs UNION ALL SELECT NOT passed FROM software
             UNION ALL SELECT "check" <> 'passed' FROM links_alone)
UNION ALL SELECT 'store, flag and load take 5 cycles and two latencies of memory', count(*),
       sum(path <> 405 OR cycles <> by_pins + 405) FROM runs
UNION ALL SELECT 'no engine is faster than its links alone and two latencies of memory', count(*),
       sum(time_us < links_us + 405 / MHz) FROM runs WHERE links_us IS NOT NULL
UNION ALL SELECT 'more bytes take no less time', count(*), sum(m.time_us < l.time_us)
       FROM runs l JOIN runs m USING (topology, algorithm)
       WHERE m.bytes = (SELECT min(bytes) FROM runs n WHERE (n.topology, n.algorithm) = (l.topology, l.algorithm) AND n.bytes > l.bytes)
UNION ALL SELECT 'Switch(8) that reduces: up to 16 KiB take less than 2 us', count(*), sum(time_us >= 2) FROM runs
       WHERE topology = 'Switch(8)' AND algorithm = 'in-network' AND bytes <= 16384
UNION ALL SELECT 'Switch(8) that reduces, whole chunks: up to 64 KiB take less than 2 us', count(*), sum(time_us >= 2) FROM runs
       WHERE topology = 'Switch(8)' AND algorithm = 'whole-chunk' AND bytes <= 65536
UNION ALL SELECT 'Switch(8), plain: 1 KiB take less than 2 us', count(*), sum(us >= 2)
       FROM (SELECT min(time_us) AS us FROM runs WHERE topology = 'Switch(8)' AND algorithm NOT IN ('in-network', 'whole-chunk') AND bytes = 1024)
