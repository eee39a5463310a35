-- SPDX-License-Identifier: Apache-2.0
-- Made by scripts/silicon/where.sh, which explains each column.
SELECT 1345418 AS endpoint_gates, 35557436 AS endpoint_bits, 220515 AS endpoint_flops, 1156484 AS sender_gates, 16683068 AS sender_bits, 189207 AS sender_flops,
       116252 AS alu_fp32, 112696 AS alu_fp16, 22848 AS alu_flops, 15726 AS reducer_gates, 2148352 AS reducer_bits, 4562 AS reducer_flops,
       0.19812 AS bit, 354.2 AS add_fp32, 362.3 AS add_fp16, 970.9 AS link, 1.02 AS bit_pJ, 0.000746 AS clock
