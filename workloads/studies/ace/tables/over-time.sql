-- SPDX-License-Identifier: Apache-2.0
-- Network bandwidth of an NPU over two iterations: each sample's bytes over its time.
SELECT json_extract(result, '$.workload') AS workload, endpoint,
       x.key * json_extract(result, '$.samples.cycles_per_sample') / json_extract(result, '$.clock_MHz') / 1000 AS ms,
       (x.value + y.value + z.value) / json_extract(result, '$.nodes') /
           (1000 * json_extract(result, '$.samples.cycles_per_sample') / json_extract(result, '$.clock_MHz')) AS GBps
FROM over_time, json_each(result, '$.samples.sent_bytes_x') AS x
JOIN json_each(result, '$.samples.sent_bytes_y') AS y ON y.key = x.key
JOIN json_each(result, '$.samples.sent_bytes_z') AS z ON z.key = x.key
ORDER BY point, x.key
