-- SPDX-License-Identifier: Apache-2.0
-- For the figure: area in mm2, the longest time up to 128 NPUs relative to the default, and the same on 4,096 NPUs, with a
-- label for each panel.  Of sets that lie close the smallest has the label, and none of those close to the default.
WITH points AS (
    SELECT name, area, 1 / speed AS time, us_4096 / (SELECT us_4096 FROM sets WHERE name = 'default') AS time_4096, front, front_4096 FROM fronts)
SELECT name, area, time, time_4096,
       CASE WHEN area > min(area) OVER close OR max(name = 'default') OVER close THEN ' ' WHEN count(*) OVER close = 1 THEN name
            ELSE name || ' and ' || (count(*) OVER close - 1) || ' more' END AS label,
       CASE WHEN area > min(area) OVER far OR max(name = 'default') OVER far THEN ' ' WHEN count(*) OVER far = 1 THEN name
            ELSE name || ' and ' || (count(*) OVER far - 1) || ' more' END AS label_4096, front, front_4096
FROM points
WINDOW close AS (PARTITION BY round(area * 1.5 + 0.3), round(time * 10)), far AS (PARTITION BY round(area * 1.5 + 0.3), round(time_4096 * 10))
ORDER BY area
