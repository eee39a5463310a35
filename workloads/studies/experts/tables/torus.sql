-- SPDX-License-Identifier: Apache-2.0
-- A torus of 4x2x2, experts in order, dispatch: times in us.
SELECT d.routing, round(d.bound / u.bound, 3) AS skew, d.node AS "busiest NPU", d.link AS "its link",
       d.ideal AS "links alone", d.engine, d.software, round(d.bound / d.engine, 3) AS "share of the bound, engine",
       round(d.bound / d.software, 3) AS "share of the bound, software"
FROM cells d
JOIN cells u ON u.routing = 'uniform' AND (u.way, u.topology, u.experts) = (d.way, d.topology, d.experts)
WHERE d.topology = '4x2x2' AND d.experts = 'in-order' ORDER BY d.point
