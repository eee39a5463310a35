-- SPDX-License-Identifier: Apache-2.0
-- Best baseline over ACE, iteration time on 64 NPUs, as one parameter is another.
WITH cells AS (
    SELECT 'as published (R, r)' AS parameter, NULL AS value, 0 AS place, json_extract(result, '$.workload') AS w, endpoint, time_us AS t
    FROM iteration WHERE json_extract(result, '$.topology') = '4x4x4'
    UNION ALL SELECT 'link latency, cycles', link_latency, 1, json_extract(result, '$.workload'), endpoint, time_us FROM sensitivity_latency
    UNION ALL SELECT 'link efficiency', link_efficiency, 2, json_extract(result, '$.workload'), endpoint, time_us FROM sensitivity_efficiency
    UNION ALL SELECT 'link bandwidth', link_bandwidth, 3, json_extract(result, '$.workload'), endpoint, time_us FROM sensitivity_bandwidth
    UNION ALL SELECT 'chunk', chunk, 4, json_extract(result, '$.workload'), endpoint, time_us FROM sensitivity_chunk
    UNION ALL SELECT 'order', "order", 5, json_extract(result, '$.workload'), endpoint, time_us FROM sensitivity_order
    UNION ALL SELECT 'NPU', json_extract(result, '$.cluster'), 6, json_extract(result, '$.workload'), endpoint, time_us FROM sensitivity_npu),
ratios AS (
    SELECT parameter, value, place, w,
           min(t) FILTER (WHERE endpoint IN ('no-overlap', 'comm-opt', 'comp-opt')) / max(t) FILTER (WHERE endpoint = 'ace') AS r
    FROM cells GROUP BY parameter, value, place, w)
SELECT parameter, value, max(r) FILTER (WHERE w = 'resnet50') AS resnet50,
       max(r) FILTER (WHERE w = 'gnmt') AS gnmt, max(r) FILTER (WHERE w = 'dlrm') AS dlrm,
       CASE WHEN max(abs(r / (SELECT b.r FROM ratios b WHERE b.place = 0 AND b.w = ratios.w) - 1)) > 0.05 THEN 'yes' ELSE 'no' END
           AS moves_one_by_5_percent
FROM ratios GROUP BY parameter, value, place ORDER BY place, value
