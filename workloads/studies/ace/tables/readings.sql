-- SPDX-License-Identifier: Apache-2.0
-- How far each reading is from the published iteration times and bandwidths: the mean factor, either way.
WITH claim(w, average, most) AS (VALUES ('resnet50', 1.41, 1.51), ('gnmt', 1.12, 1.17), ('dlrm', 1.13, 1.19)),
off AS (
    SELECT shares, compute, w, abs(ln(avg(speed) / average)) + abs(ln(max(speed) / most)) AS speed, count(*) AS n
    FROM ratios JOIN claim USING (w) GROUP BY shares, compute, w),
net AS (
    SELECT shares, compute, abs(ln(avg(bandwidth) / 1.44)) + abs(ln(max(bandwidth) / 2.67)) AS d FROM ratios GROUP BY shares, compute)
SELECT compute || ', ' || shares AS reading,
       CASE WHEN min(n) = 4 AND count(*) = 3 THEN exp(sum(speed) / 6) END AS "off the six iteration times by a factor of",
       CASE WHEN min(n) = 4 AND count(*) = 3 THEN exp((SELECT d FROM net WHERE net.shares = off.shares AND net.compute = off.compute) / 2) END
           AS "off the two bandwidths by"
FROM off GROUP BY shares, compute ORDER BY compute, shares
