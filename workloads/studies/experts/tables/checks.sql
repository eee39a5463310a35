-- SPDX-License-Identifier: Apache-2.0
-- What must hold in every cell.  Rows of 256 bytes round a block up, and a run ends a few latencies after its last row.
SELECT 'bytes are the closed form''s' AS law, count(*) AS cells, sum("check" <> 'passed') AS broken FROM runs
UNION ALL SELECT 'no endpoint is faster than the links alone', count(*),
       sum(engine < ideal OR software < ideal) FROM cells
UNION ALL SELECT 'the links alone take their bound', count(*), sum(ideal < 0.999 * bound OR ideal > bound + 2) FROM cells
UNION ALL SELECT 'uniform routing takes an all-to-all''s time on the links', count(*),
       sum(abs(u.bound - p.fraction_of_ideal * p.time_us / 0.94) > 0.001)
       FROM cells u JOIN plain p ON p.topology = u.topology AND p.endpoint = 'ideal'
       WHERE u.way = 'dispatch' AND u.routing = 'uniform'
UNION ALL SELECT 'balanced experts take no longer on a switch', count(*), sum(b.ideal > o.ideal)
       FROM cells b JOIN cells o USING (way, topology, routing)
       WHERE b.experts = 'balanced' AND o.experts = 'in-order' AND topology = 'Switch(8)'
