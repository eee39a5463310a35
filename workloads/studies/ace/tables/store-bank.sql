-- SPDX-License-Identifier: Apache-2.0
-- 64 MiB on 4x2x2 with ACE: what the RX DMA, which stores results in memory, does in all cycles.
WITH runs AS (
    SELECT *, json_extract(result, '$.statistics."rx_dma.busy"') AS moves, json_extract(result, '$.statistics."rx_dma.blocked"') AS waits,
           json_extract(result, '$.statistics."rx_dma.starved"') + json_extract(result, '$.statistics."rx_dma.idle"') AS rests
    FROM store_bank)
SELECT chunk, memory_bandwidth AS "memory GB/s", memory_latency AS "memory latency, cycles", cycles, fraction_of_ideal AS "of the ideal",
       json_extract(result, '$.utilisation."link.y+"') AS "links of y in use", 1.0 * moves / (moves + waits + rests) AS "RX DMA reads a row",
       1.0 * waits / (moves + waits + rests) AS "waits", 1.0 * rests / (moves + waits + rests) AS "has none"
FROM runs ORDER BY point
