-- SPDX-License-Identifier: Apache-2.0
-- The fastest algorithm of each side by radix and size, with area in mm2 and energy in uJ of the whole cluster.  A row of a
-- bank has 2,304 bits.  A switch has two reducers, one for each link of an NPU, of 2 x radix ports in all.  A row that an NPU
-- sends takes a link to the switch; one goes on to an NPU.  `memories` is the energy in scratchpads and slots.
WITH fastest AS (SELECT side, radix, algorithm, bytes, "by", min(time_us) AS time_us, cycles, accesses, adds, sent, sums FROM sized GROUP BY side, radix, bytes),
formats(format) AS (VALUES ('FP32'), ('FP16')),
parts AS (
    SELECT f.*, format, s.*, CASE format WHEN 'FP32' THEN alu_fp32 ELSE alu_fp16 END AS alu, CASE format WHEN 'FP32' THEN add_fp32 ELSE add_fp16 END AS one_add,
           side = 'endpoint' AS at_endpoint
    FROM fastest f JOIN formats JOIN silicon s),
sums AS (
    SELECT *, CASE WHEN at_endpoint THEN radix * (endpoint_gates + alu + endpoint_bits * bit)
                   ELSE radix * (sender_gates + sender_bits * bit) + 2 * (radix * (reducer_gates + reducer_bits * bit) + (radix - 1) * alu) END / 1e6 AS area,
           CASE WHEN at_endpoint THEN radix * (endpoint_flops + alu_flops)
                ELSE radix * sender_flops + 2 * (radix * reducer_flops + (radix - 1) * alu_flops) END AS flops,
           2304 * bit_pJ * sqrt(2304 * (CASE WHEN at_endpoint THEN 3072 ELSE 1024 END) / pow(2, 23)) AS one_access,
           2 * 2098 * bit_pJ * sqrt(reducer_bits / pow(2, 23)) AS one_slot
    FROM parts)
SELECT side, radix, format, bytes, algorithm, "by", time_us, area,
       (accesses * one_access + radix * sums * one_slot) / 1e6 AS memories,
       adds * one_add / 1e6 AS ALUs, 2 * sent * link / 1e6 AS links, cycles * flops * clock / 1e6 AS clocks,
       (accesses * one_access + radix * sums * one_slot + adds * one_add + 2 * sent * link + cycles * flops * clock) / 1e6 AS energy
FROM sums
