-- SPDX-License-Identifier: Apache-2.0
-- Area of both sides in mm2 by radix, with ALUs of FP32 sums.
WITH radix(n) AS (VALUES (8), (16), (32), (64))
SELECT n AS NPUs, n * endpoint_gates / 1e6 AS "engines: gates", n * alu_fp32 / 1e6 AS "engines: ALUs", n * endpoint_bits * bit / 1e6 AS "engines: memories",
       n * (endpoint_gates + alu_fp32 + endpoint_bits * bit) / 1e6 AS "endpoint, all",
       n * sender_gates / 1e6 AS "senders: gates", n * sender_bits * bit / 1e6 AS "senders: memories",
       2 * (n - 1) * alu_fp32 / 1e6 AS "switch: ALUs", 2 * n * reducer_gates / 1e6 AS "switch: gates", 2 * n * reducer_bits * bit / 1e6 AS "switch: memories",
       (n * (sender_gates + sender_bits * bit + 2 * (reducer_gates + reducer_bits * bit)) + 2 * (n - 1) * alu_fp32) / 1e6 AS "in switch, all"
FROM radix JOIN silicon
