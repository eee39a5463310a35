-- SPDX-License-Identifier: Apache-2.0
-- Composed iterations of a whole batch, as xMyPzD says them.
WITH every AS (SELECT 'search' AS sweep, * FROM search UNION ALL SELECT 'schedules', * FROM schedules),
parsed AS (SELECT *, json_extract(result, '$.strategy') AS text FROM every)
SELECT sweep, iif(cluster LIKE '%torus%', 'torus', 'A40') AS network, text,
       CAST(substr(text, 3) AS INTEGER) || 'M' || CAST(substr(text, instr(text, '.pp') + 3) AS INTEGER) || 'P' ||
       CAST(substr(text, instr(text, '.dp') + 3) AS INTEGER) || 'D' AS strategy,
       CAST(substr(text, instr(text, '.pp') + 3) AS INTEGER) AS PP, time_us / 1e3 AS ms, 1e6 / time_us AS iterations_per_s,
       100.0 * json_extract(result, '$.compute_cycles') / cycles AS compute_percent,
       100.0 * json_extract(result, '$.exposed_tensor_cycles') / cycles AS MP_percent,
       100.0 * json_extract(result, '$.exposed_data_cycles') / cycles AS DP_percent,
       100.0 * (json_extract(result, '$.exposed_pipeline_cycles') + json_extract(result, '$.bubble_cycles')) / cycles AS PP_percent,
       json_extract(result, '$.unique_events') AS unique_events, json_extract(result, '$.events') AS events,
       json_extract(result, '$.memory_peak_bytes') / 1e9 AS GB
FROM parsed
