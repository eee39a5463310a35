-- SPDX-License-Identifier: Apache-2.0
-- A DLRM's batch on n NPUs, in milliseconds, and eight of them on 64: one behind the other on all, or 64 / n at a time.
SELECT CASE WHEN command LIKE '%a100%' THEN 'A' WHEN command LIKE '%h100%' THEN 'B' ELSE 'C' END AS family,
       json_extract(result, '$.nodes') AS NPUs, CAST(expanded_bandwidth AS REAL) AS expanded_GBps,
       json_extract(result, '$.memory_bytes_per_npu') / 1e9 AS GB,
       json_extract(result, '$.expanded_memory_bytes_per_npu') / 1e9 AS expanded_GB,
       time_us / 1e3 AS ms, compute_cycles * time_us / 1e3 / cycles AS compute_ms,
       exposed_communication_cycles * time_us / 1e3 / cycles AS exposed_ms,
       time_us / 1e3 * 8 * json_extract(result, '$.nodes') / 64 AS eight_ms
FROM dlrm
