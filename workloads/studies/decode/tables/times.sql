-- SPDX-License-Identifier: Apache-2.0
-- Eight NPUs on a switch: times in us from store to load; links alone are those of a switch that reduces.
SELECT r.bytes / 1024 AS KiB, round(max(CASE algorithm WHEN 'direct' THEN time_us END), 3) AS direct,
       round(max(CASE algorithm WHEN 'ring' THEN time_us END), 3) AS ring,
       round(max(CASE algorithm WHEN 'halving-doubling' THEN time_us END), 3) AS "halving-doubling",
       round(max(CASE algorithm WHEN 'double-binary-tree' THEN time_us END), 3) AS "double-binary-tree",
       round(max(CASE algorithm WHEN 'fibonacci-tree' THEN time_us END), 3) AS "fibonacci-tree",
       round(max(CASE algorithm WHEN 'in-network' THEN time_us END), 3) AS "in-network",
       round(max(CASE algorithm WHEN 'whole-chunk' THEN time_us END), 3) AS "whole-chunk",
       round(s.ring_us, 3) AS "software, ring", round(s.one_shot_us, 3) AS "software, one-shot",
       round(min(CASE WHEN algorithm NOT IN ('in-network', 'whole-chunk') THEN links_us END), 3) AS "links alone",
       round(max(CASE algorithm WHEN 'in-network' THEN links_us END), 3) AS "links alone, in-network"
FROM runs r JOIN software s USING (topology, bytes) WHERE topology = 'Switch(8)' AND r.bytes IN (SELECT bytes FROM runs WHERE algorithm = 'in-network') GROUP BY r.bytes ORDER BY r.bytes
