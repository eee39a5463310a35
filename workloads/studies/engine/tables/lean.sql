-- SPDX-License-Identifier: Apache-2.0
-- The lean design next to the default one, on the twin.
SELECT json_extract(l.result, '$.kind') AS collective, l.topology, l.cycles, c.cycles AS cycles_4_MiB,
       round(1.0 * c.cycles / l.cycles, 4) AS relative_performance
FROM lean l JOIN collectives c
  ON c.topology = l.topology AND c.rung = l.rung AND c.size = '16MiB' AND
     json_extract(c.result, '$.kind') = json_extract(l.result, '$.kind')
WHERE json_extract(l.result, '$.kind') = 'all-reduce' ORDER BY l.point
