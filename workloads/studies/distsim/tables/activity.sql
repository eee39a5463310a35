-- SPDX-License-Identifier: Apache-2.0
-- Each NPU's activity error, sorted: how many are below it.
SELECT sweep, 100 * json_extract(d.value, '$.activity_error') AS percent,
       100.0 * sum(json_extract(d.value, '$.like')) OVER (PARTITION BY sweep ORDER BY json_extract(d.value, '$.activity_error')
                   ROWS UNBOUNDED PRECEDING) / sum(json_extract(d.value, '$.like')) OVER (PARTITION BY sweep) AS percent_of_NPUs
FROM errors, json_each(result, '$.composition.devices') d ORDER BY sweep, percent
