-- SPDX-License-Identifier: Apache-2.0
-- All exact runs, with rows of 256 bytes over all NPUs: accesses of the scratchpads (writes of the TX DMA, of reduced and of
-- stored rows; reads of sent rows, of the engine's own operands and of the RX DMA), rows that ALUs add to others, rows that
-- NPUs send, and rows that a switch reduces from each port.
SELECT side, kind, json_extract(result, '$.nodes') AS radix, algorithm, json_extract(result, '$.size_bytes') AS bytes, time_us,
       cycles, "check", json_extract(result, '$.bytes_sent_per_npu') AS bytes_sent,
       json_extract(result, '$.statistics."tx_dma.busy"') + json_extract(result, '$.statistics."store.busy"') + json_extract(result, '$.statistics."rx_dma.busy"') +
           2 * json_extract(result, '$.statistics."reduce.busy"') + sent AS accesses,
       json_extract(result, '$.statistics."reduce.busy"') + (json_extract(result, '$.nodes') - 1) * sums AS adds, sent, sums
FROM (SELECT *, json_extract(result, '$.statistics."send.plus.busy"') + json_extract(result, '$.statistics."send.minus.busy"') AS sent,
             coalesce((SELECT sum(json_extract(value, '$.rows')) FROM json_each(result, '$.switch_reducers')), 0) AS sums
      FROM (SELECT 'endpoint' AS side, 'grid' AS kind, algorithm AS algorithm, time_us, cycles, "check", result FROM endpoint
            UNION ALL SELECT 'endpoint', 'grid', 'fibonacci-tree', time_us, cycles, "check", result FROM tree
            UNION ALL SELECT 'in-switch' AS side, 'grid' AS kind, 'whole-chunk' AS algorithm, time_us, cycles, "check", result FROM in_switch
            UNION ALL SELECT 'endpoint' AS side, 'long' AS kind, algorithm AS algorithm, time_us, cycles, "check", result FROM long
            UNION ALL SELECT 'endpoint' AS side, 'long' AS kind, 'ring' AS algorithm, time_us, cycles, "check", result FROM longest
            UNION ALL SELECT 'in-switch' AS side, 'long' AS kind, 'whole-chunk' AS algorithm, time_us, cycles, "check", result FROM long_switch))
