-- SPDX-License-Identifier: Apache-2.0
-- The sets, with the marks of both fronts.  Times within 0.5 % count as equal.
SELECT s.*,
       NOT EXISTS (SELECT 1 FROM sets o WHERE o.area <= s.area AND o.speed >= s.speed - 0.005 AND (o.area < s.area OR o.speed > s.speed + 0.005)) AS front,
       NOT EXISTS (SELECT 1 FROM sets o WHERE o.area <= s.area AND o.us_4096 <= s.us_4096 * 1.005 AND (o.area < s.area OR o.us_4096 < s.us_4096 * 0.995)) AS front_4096
FROM sets s
