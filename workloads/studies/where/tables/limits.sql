-- SPDX-License-Identifier: Apache-2.0
-- Eight NPUs, 64 MiB and FP32 where the switch gains less: its gain in throughput by area, with other silicon.
WITH times AS (
    SELECT e.time_us / s.time_us AS gain, e.area AS endpoint, s.area AS in_switch FROM sides e JOIN sides s USING (radix, format, bytes)
    WHERE e.side = 'endpoint' AND s.side = 'in-switch' AND radix = 8 AND format = 'FP32' AND bytes = 67108864),
port AS (SELECT 2 * (reducer_gates + reducer_bits * bit) / 1e6 AS slots, 2 * reducer_bits * bit / 1e6 AS memories, 2 * alu_fp32 / 1e6 AS alu FROM silicon),
cases(silicon, endpoint, in_switch, gain) AS (
    SELECT 'as in the study', endpoint, in_switch, gain FROM times
    UNION ALL SELECT 'both with 4,096 rows of a bank', endpoint + 8 * 4 * 2304 * 1024 * bit / 1e6, in_switch + 8 * 4 * 2304 * 3072 * bit / 1e6, gain FROM times JOIN silicon
    UNION ALL SELECT 'reducers with 32 contexts', endpoint, in_switch + 8 * 3 * memories, gain FROM times JOIN port
    UNION ALL SELECT 'engines that also reduce behind the switch', endpoint, endpoint + 8 * slots + 7 * alu, gain FROM times JOIN port
    UNION ALL SELECT 'eight NPUs on a switch of 64 ports', endpoint, in_switch + 56 * (slots + alu), gain FROM times JOIN port
    UNION ALL SELECT 'the same, engines that also reduce, 32 contexts', endpoint, endpoint + 64 * (slots + 3 * memories) + 63 * alu, gain FROM times JOIN port)
SELECT silicon, endpoint AS "endpoint, mm2", in_switch AS "in switch, mm2", round(gain, 2) AS "time", round(gain * endpoint / in_switch, 2) AS "per mm2" FROM cases
