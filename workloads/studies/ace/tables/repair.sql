-- SPDX-License-Identifier: Apache-2.0
-- What ACE needs of the memory, and what it reaches with all of it: of the engine of commit ffc022a, before decision 28, and of this
-- one.  What the old one needed is measured by the same sweep.
WITH before(topology, half, most, nine, all_of_it) AS (
    VALUES ('4x2x2', 100.86, 162.16, 185.69, 0.892), ('4x4x2', 67.15, 107.77, 122.35, 0.915),
           ('4x4x4', 67.27, 108.12, 123.67, 0.925), ('4x8x4', 57.78, 93.07, 105.07, 0.923)),
now AS (
    SELECT topology, max(need) FILTER (WHERE level = 0.5) AS half, max(need) FILTER (WHERE level = 0.8) AS most, max(need) FILTER (WHERE level = 0.9) AS nine
    FROM needs WHERE endpoint = 'ACE' GROUP BY topology)
SELECT topology, b.half AS "50 %, before, GB/s", n.half AS "now", b.most AS "80 %, before", n.most AS "now", b.nine AS "90 %, before", n.nine AS "now",
       b.all_of_it AS "of the ideal with 318 GB/s, before",
       (SELECT fraction_of_ideal FROM memory_ace m WHERE m.topology = n.topology AND json_extract(m.result, '$.memory_bandwidth_GBps') = 318) AS "now"
FROM before b JOIN now n USING (topology) ORDER BY topology
