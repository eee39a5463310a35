-- SPDX-License-Identifier: Apache-2.0
-- Network bandwidth of one all-reduce against the memory bandwidth it may use.
SELECT endpoint, topology, json_extract(result, '$.memory_bandwidth_GBps') AS memory_GBps,
       network_bandwidth_GBps AS network_GBps, fraction_of_ideal
FROM (SELECT 'ACE' AS endpoint, topology, result, network_bandwidth_GBps, fraction_of_ideal, point
      FROM memory_ace
      UNION ALL
      SELECT 'baseline', topology, result, network_bandwidth_GBps, fraction_of_ideal, point
      FROM memory_baseline)
ORDER BY endpoint, topology, memory_GBps
