-- SPDX-License-Identifier: Apache-2.0
-- How far what is composed is off its run, in percent of the run's iteration.
WITH every AS (SELECT 'links' AS sweep, * FROM links UNION ALL SELECT 'engine', * FROM engine
               UNION ALL SELECT 'lifo', * FROM engine_lifo),
parsed AS (SELECT *, json_extract(result, '$.strategy') AS text, json_extract(result, '$.composition') AS c FROM every)
SELECT sweep, point, CAST(substr(text, 3) AS INTEGER) || 'M' || CAST(substr(text, instr(text, '.pp') + 3) AS INTEGER) || 'P' ||
       CAST(substr(text, instr(text, '.dp') + 3) AS INTEGER) || 'D' AS strategy, result, cycles,
       json_extract(c, '$.run_cycles') AS run_cycles, 100 * json_extract(c, '$.batch_error') AS batch,
       100 * json_extract(c, '$.activity_error') AS activity, 100 * json_extract(c, '$.worst_activity_error') AS worst_NPU,
       100 * (SELECT max(value) FROM json_each(c, '$.stage_medians')) AS worst_stage,
       100 * json_extract(c, '$.quantiles."0.5"') AS half, 100 * json_extract(c, '$.quantiles."0.9"') AS nine_tenths,
       100 * json_extract(c, '$.quantiles."0.99"') AS all_but_a_hundredth, 100 * json_extract(c, '$.quantiles."1"') AS all_events
FROM parsed
