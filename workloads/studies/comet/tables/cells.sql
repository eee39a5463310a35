-- SPDX-License-Identifier: Apache-2.0
-- Iterations of Transformer-1T: the strategy, where its footprint lies, where its time goes (seconds).
WITH every AS (
    SELECT 'footprint' AS sweep, * FROM footprint UNION ALL SELECT 'expansion', * FROM expansion
    UNION ALL SELECT 'compute', * FROM compute UNION ALL SELECT 'network', * FROM network
    UNION ALL SELECT 'clusters', * FROM clusters UNION ALL SELECT 'tori', * FROM tori
    UNION ALL SELECT 'mechanisms', * FROM mechanisms UNION ALL SELECT 'buffers', * FROM buffers),
parsed AS (SELECT *, json_extract(result, '$.strategy') AS strategy FROM every)
SELECT sweep, point, command, cluster, strategy, CAST(substr(strategy, 3) AS INTEGER) AS MP,
       CAST(substr(strategy, instr(strategy, '.dp') + 3) AS INTEGER) AS DP,
       CAST(CASE WHEN instr(strategy, '.zero') THEN substr(strategy, instr(strategy, '.zero') + 5) ELSE 0 END AS INTEGER) AS zero,
       CAST(CASE WHEN instr(strategy, '.b') THEN substr(strategy, instr(strategy, '.b') + 2) ELSE 1 END AS INTEGER) AS micro_batch,
       time_us / 1e6 AS s,
       compute_cycles * time_us / 1e6 / cycles AS compute_s,
       json_extract(result, '$.exposed_tensor_cycles') * time_us / 1e6 / cycles AS MP_s,
       json_extract(result, '$.exposed_data_cycles') * time_us / 1e6 / cycles AS DP_s,
       json_extract(result, '$.memory_peak_bytes') / 1e9 AS GB,
       json_extract(result, '$.memory_expanded_bytes') / 1e9 AS expanded_GB,
       json_extract(result, '$.memory_fits') AS fits,
       json_extract(result, '$.model_flops_utilization') AS MFU,
       CAST(expanded_memory AS REAL) > 0 AS with_expanded, CAST(expanded_bandwidth AS REAL) AS expanded_GBps,
       expansion AS touched, CAST(npu_matrix AS REAL) AS TFLOPS, link_bandwidth
FROM parsed
