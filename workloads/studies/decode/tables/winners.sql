-- SPDX-License-Identifier: Apache-2.0
-- The fastest algorithm of the engine by NPUs and size, with a plain switch and with one that reduces; times in us.
SELECT p.npus AS NPUs, p.bytes / 1024 AS KiB, p.algorithm AS "fastest, plain switch", p.time_us AS "store to load",
       s.time_us AS "in-network", w.time_us AS "whole-chunk", o.one_shot_us AS "software, one-shot", o.ring_us AS "software, ring"
FROM (SELECT npus, bytes, algorithm, min(time_us) AS time_us FROM runs WHERE algorithm NOT IN ('in-network', 'whole-chunk') GROUP BY npus, bytes) p
LEFT JOIN (SELECT npus, bytes, min(time_us) AS time_us FROM runs WHERE algorithm = 'in-network' GROUP BY npus, bytes) s
     USING (npus, bytes)
LEFT JOIN (SELECT npus, bytes, time_us FROM runs WHERE algorithm = 'whole-chunk') w USING (npus, bytes)
LEFT JOIN software o USING (npus, bytes)
WHERE p.bytes IN (1024, 262144) ORDER BY p.npus, p.bytes
