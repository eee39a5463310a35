-- SPDX-License-Identifier: Apache-2.0
-- For the figure: what the switch gains over the endpoint by size in KiB, three ratios for each radix, in FP32.
WITH r AS (
    SELECT radix, bytes, e.time_us / s.time_us AS t, e.time_us * e.area / (s.time_us * s.area) AS a, e.energy / s.energy AS j
    FROM sides e JOIN sides s USING (radix, format, bytes) WHERE e.side = 'endpoint' AND s.side = 'in-switch' AND format = 'FP32')
SELECT bytes / 1024 AS KiB,
       max(CASE radix WHEN 8 THEN t END) AS time_8, max(CASE radix WHEN 16 THEN t END) AS time_16, max(CASE radix WHEN 32 THEN t END) AS time_32, max(CASE radix WHEN 64 THEN t END) AS time_64,
       max(CASE radix WHEN 8 THEN a END) AS area_8, max(CASE radix WHEN 16 THEN a END) AS area_16, max(CASE radix WHEN 32 THEN a END) AS area_32, max(CASE radix WHEN 64 THEN a END) AS area_64,
       max(CASE radix WHEN 8 THEN j END) AS joule_8, max(CASE radix WHEN 16 THEN j END) AS joule_16, max(CASE radix WHEN 32 THEN j END) AS joule_32, max(CASE radix WHEN 64 THEN j END) AS joule_64
FROM r GROUP BY bytes ORDER BY bytes
