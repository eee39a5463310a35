-- SPDX-License-Identifier: Apache-2.0
-- Fabrics without a switch: times in us from store to load, with the algorithm that acesim chooses by size.
SELECT topology, json_extract(result, '$.size_bytes') / 1024 AS KiB,
       coalesce(json_extract(result, '$.algorithms_by_size.x'), 'ring') AS algorithm, time_us AS "store to load" FROM other ORDER BY point
