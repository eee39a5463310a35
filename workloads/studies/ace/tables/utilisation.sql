-- SPDX-License-Identifier: Apache-2.0
-- Share of the cycles in which ACE's units are busy, over two iterations.
SELECT json_extract(result, '$.workload') AS workload, json_extract(result, '$.nodes') AS NPUs,
       json_extract(result, '$.utilisation."link.x+"') AS link_x,
       json_extract(result, '$.utilisation."link.y+"') AS link_y,
       json_extract(result, '$.utilisation."link.z+"') AS link_z,
       json_extract(result, '$.utilisation."memory.read"') AS memory_read,
       json_extract(result, '$.utilisation.reduce') AS ALUs,
       json_extract(result, '$.utilisation.router') AS router
FROM iteration WHERE endpoint = 'ace' ORDER BY workload, NPUs
