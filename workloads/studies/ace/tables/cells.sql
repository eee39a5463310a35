-- SPDX-License-Identifier: Apache-2.0
-- An iteration of every workload, size and endpoint, in each reading of the paper: whether shares
-- are reserved, and where compute comes from.  The authors' table is of ResNet-50; the other models have
-- the times of their shapes in every reading.
WITH runs AS (
    SELECT 'outstanding' AS shares, 'shapes' AS compute, result, endpoint, time_us, network_bandwidth_GBps AS g, compute_cycles, exposed_communication_cycles AS exposed, cycles FROM iteration
    UNION ALL
    SELECT 'reserved', 'shapes', result, endpoint, time_us, network_bandwidth_GBps, compute_cycles, exposed_communication_cycles, cycles
    FROM iteration WHERE endpoint IN ('no-overlap', 'ideal')
    UNION ALL
    SELECT 'reserved', 'shapes', result, endpoint, time_us, network_bandwidth_GBps, compute_cycles, exposed_communication_cycles, cycles FROM iteration_reserved
    UNION ALL
    SELECT shares, CASE json_extract(result, '$.workload') WHEN 'resnet50' THEN 'table x 32' ELSE 'table' END, result, endpoint, time_us,
           network_bandwidth_GBps, compute_cycles, exposed_communication_cycles, cycles FROM authors),
named AS (
    SELECT shares, compute, substr(json_extract(result, '$.workload') || '-', 1, instr(json_extract(result, '$.workload') || '-', '-') - 1) AS w,
           json_extract(result, '$.nodes') AS n, endpoint AS e, time_us / 2000 AS ms, g,
           time_us / 2000 * compute_cycles / cycles AS compute_ms, time_us / 2000 * exposed / cycles AS exposed_ms,
           json_extract(result, '$.bytes_sent_per_npu') / 2 AS sent
    FROM runs)
SELECT * FROM named
UNION ALL SELECT shares, 'table', w, n, e, ms, g, compute_ms, exposed_ms, sent FROM named WHERE compute = 'shapes' AND w <> 'resnet50'
UNION ALL SELECT shares, 'table x 32', w, n, e, ms, g, compute_ms, exposed_ms, sent FROM named WHERE compute = 'shapes' AND w <> 'resnet50'
