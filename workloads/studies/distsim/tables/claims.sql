-- SPDX-License-Identifier: Apache-2.0
-- What is published beside what comes out.
SELECT 'best over worst of 15 strategies' AS claim, '7.37 x' AS published, iif(network = 'A40', 'A40, 100 Gbit/s a node', 'V100 on the links of torus-4x2x2') AS of_what,
       round(max(ms) / min(ms), 2) || ' x' AS ours FROM cells WHERE sweep = 'search' GROUP BY network
UNION ALL SELECT 'error of the iteration', 'below 4 %', CASE sweep WHEN 'links' THEN 'links alone' WHEN 'engine' THEN 'exact engines, first in first out' ELSE 'exact engines, last in first out' END || ', mean and worst of 15',
       round(avg(abs(batch)), 2) || ' and ' || round(max(abs(batch)), 2) || ' %' FROM errors GROUP BY sweep
UNION ALL SELECT 'error of activity', 'below 5 %', CASE sweep WHEN 'links' THEN 'links alone' WHEN 'engine' THEN 'exact engines, first in first out' ELSE 'exact engines, last in first out' END || ', mean and worst NPU of 15',
       round(avg(activity), 2) || ' and ' || round(max(worst_NPU), 2) || ' %' FROM errors GROUP BY sweep
UNION ALL SELECT 'strategies within both', 'all', CASE sweep WHEN 'links' THEN 'links alone' WHEN 'engine' THEN 'exact engines, first in first out' ELSE 'exact engines, last in first out' END,
       sum(abs(batch) < 4 AND worst_NPU < 5) || ' of ' || count(*) FROM errors GROUP BY sweep
UNION ALL SELECT 'unique events', '', 'of all that an NPU a stage has, least and most', min(round(100.0 * unique_events / events, 2)) || ' to ' ||
       max(round(100.0 * unique_events / events, 2)) || ' %' FROM cells WHERE sweep = 'search'
