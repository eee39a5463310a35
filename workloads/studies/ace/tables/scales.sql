-- SPDX-License-Identifier: Apache-2.0
-- Runs on 64 NPUs by how long compute is for each byte sent: the sweep's scales, and the authors' table, which is a
-- scale of its own.
SELECT json_extract(result, '$.workload') AS w, shares, CAST(CAST(compute_scale AS REAL) AS TEXT) AS scale, endpoint AS e, time_us AS t,
       network_bandwidth_GBps AS g, 1e6 * (compute_cycles - json_extract(result, '$.contention_cycles')) / json_extract(result, '$.clock_MHz') /
           json_extract(result, '$.bytes_sent_per_npu') AS ps
FROM compute
UNION ALL
SELECT 'resnet50', shares, 'table', endpoint, time_us, network_bandwidth_GBps,
       1e6 * (compute_cycles - json_extract(result, '$.contention_cycles')) / json_extract(result, '$.clock_MHz') /
           json_extract(result, '$.bytes_sent_per_npu')
FROM authors WHERE json_extract(result, '$.workload') = 'resnet50-as-it-stands' AND json_extract(result, '$.topology') = '4x4x4'
