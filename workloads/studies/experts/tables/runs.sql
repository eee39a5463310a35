-- SPDX-License-Identifier: Apache-2.0
-- All runs with a routing, of both directions.  The bound is the time in which the busiest link carries its bytes and
-- their headers.
SELECT *, replace(replace(counts, 'routing/', ''), '.csv', '') AS routing, fraction_of_ideal * time_us / 0.94 AS bound,
       json_extract(result, '$.busiest_link') AS link, json_extract(result, '$.busiest_link_node') AS node
FROM (SELECT 'dispatch' AS way, topology, endpoint, experts, counts, point, time_us, fraction_of_ideal, "check", result
      FROM dispatch
      UNION ALL
      SELECT 'combine', topology, endpoint, experts, counts, point, time_us, fraction_of_ideal, "check", result
      FROM combine)
