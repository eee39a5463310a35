-- SPDX-License-Identifier: Apache-2.0
-- Endpoint and switch side by side in FP32.  Ratios above 1 are in favour of the switch.
SELECT e.radix AS NPUs, CASE WHEN e.bytes < 1048576 THEN (e.bytes / 1024) || ' KiB' ELSE (e.bytes / 1073741824) || ' GiB' END AS size,
       e.algorithm AS "endpoint, fastest", e.time_us AS "endpoint, us", s.time_us AS "in switch, us",
       round(e.time_us / s.time_us, 2) AS "time", round(e.time_us * e.area / (s.time_us * s.area), 2) AS "per mm2", round(e.energy / s.energy, 2) AS "per joule",
       2.0 * (e.radix - 1) / e.radix AS "bytes by closed form"
FROM sides e JOIN sides s USING (radix, format, bytes) WHERE e.side = 'endpoint' AND s.side = 'in-switch' AND format = 'FP32'
     AND bytes IN (1024, 262144, 1073741824)
ORDER BY e.radix, e.bytes
