-- SPDX-License-Identifier: Apache-2.0
-- Microseconds of two iterations of DLRM on ACE, by which collective goes first.
WITH every AS (
    SELECT command, "order" AS kind, time_us FROM dlrm_orders
    UNION ALL SELECT command, 'smallest ' || smallest_first, time_us FROM dlrm_smallest_first),
named AS (SELECT *, CASE WHEN command LIKE '%conv-4d%' THEN 'conv-4d' WHEN command LIKE '%conv-3d%' THEN 'conv-3d'
    WHEN command LIKE '%torus%' THEN 'wafer-torus' ELSE 'wafer-switch' END AS network FROM every)
SELECT network, max(time_us) FILTER (WHERE kind = 'lifo') AS last_in, max(time_us) FILTER (WHERE kind = 'fifo') AS first_in,
       max(time_us) FILTER (WHERE kind = 'smallest 1') AS smallest_of_1, max(time_us) FILTER (WHERE kind = 'smallest 2') AS smallest_of_2,
       max(time_us) FILTER (WHERE kind = 'smallest 4') AS smallest_of_4, max(time_us) FILTER (WHERE kind = 'smallest 8') AS smallest_of_8
FROM named GROUP BY network ORDER BY network
