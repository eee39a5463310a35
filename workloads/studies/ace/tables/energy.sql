-- SPDX-License-Identifier: Apache-2.0
-- Energy of ACE on 64 NPUs at the powers of the paper's 28 nm synthesis (R): SRAM 4096 mW, control unit
-- 128 mW and switch 0.329 mW flow all the time, the four ALUs (30.208 mW) while they reduce.
WITH runs AS (
    SELECT 'all-reduce of 64 MiB' AS work, 64 AS NPUs, time_us / 1000 AS ms,
           json_extract(result, '$.utilisation.reduce') AS ALUs, json_extract(result, '$.bytes_sent_per_npu') AS sent
    FROM memory_ace WHERE topology = '4x4x4' AND memory_bandwidth = '128'
    UNION ALL
    SELECT json_extract(result, '$.workload') || ', an iteration', json_extract(result, '$.nodes'), time_us / 2000,
           json_extract(result, '$.utilisation.reduce'), json_extract(result, '$.bytes_sent_per_npu') / 2
    FROM iteration WHERE endpoint = 'ace')
SELECT work, NPUs, ms, ALUs AS ALUs_busy, (4096 + 128 + 0.329 + 30.208 * ALUs) * ms / 1000 AS mJ,
       (4096 + 128 + 0.329 + 30.208 * ALUs) * ms * 1000 / sent AS "nJ per byte sent"
FROM runs WHERE NPUs = 64 ORDER BY work
