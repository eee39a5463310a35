-- SPDX-License-Identifier: Apache-2.0
-- Where the energy goes: uJ of the whole cluster in FP32, for a small and a large all-reduce.
SELECT radix AS NPUs, CASE bytes WHEN 1024 THEN '1 KiB' ELSE '64 MiB' END AS size, side, memories, ALUs, links, clocks, energy AS "all, uJ", time_us AS us,
       energy / time_us AS "mean power, W"
FROM sides WHERE format = 'FP32' AND bytes IN (1024, 67108864) AND radix IN (8, 64) ORDER BY radix, bytes, side
