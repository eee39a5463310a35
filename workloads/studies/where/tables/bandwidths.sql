-- SPDX-License-Identifier: Apache-2.0
-- Eight NPUs and 16 MiB by the bandwidth of an NPU in each direction.
SELECT 2 * CAST(e.link_bandwidth AS INTEGER) AS "NPU, GB/s", e.time_us AS "endpoint, us", s.time_us AS "in switch, us", round(e.time_us / s.time_us, 2) AS "time",
       round(e.time_us * ea.area / (s.time_us * sa.area), 2) AS "per mm2"
FROM bandwidth e JOIN bandwidth_switch s USING (link_bandwidth)
JOIN (SELECT DISTINCT area FROM sides WHERE side = 'endpoint' AND radix = 8 AND format = 'FP32') ea
JOIN (SELECT DISTINCT area FROM sides WHERE side = 'in-switch' AND radix = 8 AND format = 'FP32') sa
ORDER BY 1
