-- SPDX-License-Identifier: Apache-2.0
-- FP16 against FP32 for 64 MiB: twice the values in the same bytes and time.
SELECT radix AS NPUs, format, e.area AS "endpoint, mm2", s.area AS "in switch, mm2", e.energy AS "endpoint, uJ", s.energy AS "in switch, uJ",
       bytes / (CASE format WHEN 'FP32' THEN 4 ELSE 2 END) / e.energy / 1e3 AS "endpoint, values a nJ",
       bytes / (CASE format WHEN 'FP32' THEN 4 ELSE 2 END) / s.energy / 1e3 AS "in switch, values a nJ",
       round(e.time_us * e.area / (s.time_us * s.area), 2) AS "per mm2", round(e.energy / s.energy, 2) AS "per joule"
FROM sides e JOIN sides s USING (radix, format, bytes) WHERE e.side = 'endpoint' AND s.side = 'in-switch' AND bytes = 67108864 AND radix IN (8, 64)
ORDER BY radix, format DESC
