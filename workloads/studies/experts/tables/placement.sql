-- SPDX-License-Identifier: Apache-2.0
-- What the greedy placement gains over experts in order, dispatch.
SELECT o.topology, o.routing, round(o.bound / u.bound, 3) AS "skew, in order", round(b.bound / u.bound, 3) AS "skew, balanced",
       o.engine AS "engine, in order", b.engine AS "engine, balanced",
       round(100 * (1 - b.engine / o.engine), 1) || ' %' AS "gain, engine",
       round(100 * (1 - b.software / o.software), 1) || ' %' AS "gain, software"
FROM cells o
JOIN cells b ON b.experts = 'balanced' AND (b.way, b.topology, b.routing) = (o.way, o.topology, o.routing)
JOIN cells u ON u.routing = 'uniform' AND (u.way, u.topology, u.experts) = (o.way, o.topology, o.experts)
WHERE o.way = 'dispatch' AND o.experts = 'in-order' AND o.routing <> 'uniform' ORDER BY o.point
