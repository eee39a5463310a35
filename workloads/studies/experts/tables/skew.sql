-- SPDX-License-Identifier: Apache-2.0
-- One switch, experts in order: dispatch in us.  Skew: the bytes of the busiest link over those with uniform routing.
SELECT d.routing, round(d.bound / u.bound, 3) AS skew, d.ideal AS "dispatch, links alone",
       d.engine AS "engine", w.time_us AS "engine, 318 GB/s", d.software AS software,
       round(d.bound / d.software, 3) AS "share of the bound, software"
FROM cells d
JOIN cells u ON u.routing = 'uniform' AND (u.way, u.topology, u.experts) = (d.way, d.topology, d.experts)
JOIN fast_memory w ON w.experts = d.experts AND w.counts = 'routing/' || d.routing || '.csv'
WHERE d.way = 'dispatch' AND d.topology = 'Switch(8)' AND d.experts = 'in-order' ORDER BY d.point
