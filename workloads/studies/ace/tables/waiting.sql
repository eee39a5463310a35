-- SPDX-License-Identifier: Apache-2.0
-- 128 MiB on 4x2x2 with ACE: of the ideal network bandwidth, and how much the links are in use.
SELECT memory_bandwidth AS "memory GB/s", link_latency AS "link latency, cycles", contexts, 4 * CAST(bank_rows AS INTEGER) / 4096.0 AS "SRAM, MiB",
       cycles, fraction_of_ideal AS "of the ideal", json_extract(result, '$.utilisation."link.x+"') AS "links of x in use",
       json_extract(result, '$.utilisation."link.y+"') AS "of y"
FROM waiting ORDER BY point
