-- SPDX-License-Identifier: Apache-2.0
-- Passes of the fastest and of the slowest strategy that has a pipeline, in milliseconds: composed, and as they ran.
WITH piped AS (SELECT *, json_array_length(result, '$.stages') AS stages FROM errors WHERE sweep = 'links' AND strategy NOT LIKE '%M1P%'),
chosen AS (SELECT * FROM piped WHERE cycles IN ((SELECT min(cycles) FROM piped), (SELECT max(cycles) FROM piped)))
SELECT strategy, json_extract(p.value, '$.stage') AS stage, json_extract(p.value, '$.pass') AS pass, json_extract(p.value, '$.micro_batch') AS micro_batch,
       json_extract(p.value, '$.composed[0]') / 1245e3 AS composed_from, json_extract(p.value, '$.composed[1]') / 1245e3 AS composed_to,
       json_extract(p.value, '$.run[0]') / 1245e3 AS run_from, json_extract(p.value, '$.run[1]') / 1245e3 AS run_to
FROM chosen, json_each(result, '$.composition.passes') p ORDER BY cycles, stage, run_from
