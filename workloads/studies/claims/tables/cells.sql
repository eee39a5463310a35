-- SPDX-License-Identifier: Apache-2.0
-- A mean iteration of each workload, size and endpoint: its time, compute in it, and the network bandwidth while collectives
-- are outstanding.  Of GNMT here are all its scales of compute; what the claims take is 0.3.
WITH runs AS (
    SELECT 'ResNet-50' AS w, '1' AS scale, endpoint, time_us, compute_cycles, cycles, network_bandwidth_GBps, result FROM resnet50
    UNION ALL SELECT 'GNMT', compute_scale, endpoint, time_us, compute_cycles, cycles, network_bandwidth_GBps, result FROM gnmt
    UNION ALL SELECT 'DLRM', '1', endpoint, time_us, compute_cycles, cycles, network_bandwidth_GBps, result FROM dlrm)
SELECT w, CAST(scale AS REAL) AS scale, json_extract(result, '$.nodes') AS n, json_extract(result, '$.topology') AS topology, endpoint AS e,
       time_us / 2000 AS ms, time_us / 2000 * compute_cycles / cycles AS compute_ms, network_bandwidth_GBps AS g
FROM runs
