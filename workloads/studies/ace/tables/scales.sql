-- SPDX-License-Identifier: Apache-2.0
-- Runs on 64 NPUs by how long compute is for each byte sent: the sweep's scales, this NPU's own, and the authors' table,
-- which is a scale of its own.  no-overlap reserves nothing.
WITH outstanding AS (
    SELECT CAST(CAST(compute_scale AS REAL) AS TEXT) AS scale, * FROM compute
    UNION ALL SELECT '1.0', * FROM iteration
    UNION ALL SELECT 'table', * FROM authors WHERE json_extract(result, '$.workload') = 'resnet50-as-it-stands'),
reserved AS (
    SELECT CAST(CAST(compute_scale AS REAL) AS TEXT) AS scale, * FROM compute_reserved
    UNION ALL SELECT '1.0', * FROM iteration_reserved
    UNION ALL SELECT 'table', * FROM authors_reserved WHERE json_extract(result, '$.workload') = 'resnet50-as-it-stands'),
runs AS (
    SELECT 'outstanding' AS reading, * FROM outstanding
    UNION ALL SELECT 'reserved', * FROM reserved
    UNION ALL SELECT 'reserved', * FROM outstanding WHERE endpoint = 'no-overlap'),
named AS (
    SELECT CASE scale WHEN 'table' THEN 'resnet50' ELSE json_extract(result, '$.workload') END AS w, reading AS shares, scale, endpoint AS e,
           time_us AS t, network_bandwidth_GBps AS g, 1e6 * (compute_cycles - json_extract(result, '$.contention_cycles')) /
               json_extract(result, '$.clock_MHz') / json_extract(result, '$.bytes_sent_per_npu') AS ps
    FROM runs WHERE json_extract(result, '$.topology') = '4x4x4')
SELECT * FROM named WHERE w IN (SELECT json_extract(result, '$.workload') FROM compute) -- a quick look has fewer
