-- SPDX-License-Identifier: Apache-2.0
-- For the figure: dispatch in us, without the worst case, which is off the scale.
SELECT topology, routing, max(CASE experts WHEN 'in-order' THEN engine END) AS engine_in_order,
       max(CASE experts WHEN 'balanced' THEN engine END) AS engine_balanced,
       max(CASE experts WHEN 'in-order' THEN software END) AS software_in_order,
       max(CASE experts WHEN 'balanced' THEN software END) AS software_balanced,
       max(CASE experts WHEN 'in-order' THEN ideal END) AS links_in_order,
       max(CASE experts WHEN 'balanced' THEN ideal END) AS links_balanced
FROM cells WHERE way = 'dispatch' AND routing <> 'one-hot' GROUP BY topology, routing ORDER BY min(point)
