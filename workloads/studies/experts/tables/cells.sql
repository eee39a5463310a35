-- SPDX-License-Identifier: Apache-2.0
-- One row for each direction, fabric, routing and placement, with the times of the three endpoints.
SELECT i.way, i.topology, i.routing, i.experts, i.point, i.bound, i.link, i.node, i.time_us AS ideal,
       a.time_us AS engine, s.time_us AS software
FROM runs i JOIN runs a USING (way, topology, routing, experts) JOIN runs s USING (way, topology, routing, experts)
WHERE i.endpoint = 'ideal' AND a.endpoint = 'ace' AND s.endpoint = 'comm-opt'
