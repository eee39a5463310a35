-- SPDX-License-Identifier: Apache-2.0
-- Mean iteration of each workload, cluster and endpoint: compute and what communication adds.
SELECT json_extract(result, '$.workload') AS workload, json_extract(result, '$.nodes') AS NPUs,
       endpoint, time_us / 2000 AS iteration_ms,
       time_us / 2000 * compute_cycles / cycles AS compute_ms,
       time_us / 2000 * exposed_communication_cycles / cycles AS exposed_ms,
       network_bandwidth_GBps AS network_GBps
FROM iteration ORDER BY workload, NPUs, point
