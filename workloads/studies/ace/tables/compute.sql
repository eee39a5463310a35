-- SPDX-License-Identifier: Apache-2.0
-- Iteration time of a baseline over that of ACE, 64 NPUs, by how long compute is for each byte sent.
WITH published(w, average, most) AS (VALUES ('resnet50', 1.41, 1.51), ('gnmt', 1.12, 1.17), ('dlrm', 1.13, 1.19)),
run AS (
    SELECT json_extract(result, '$.workload') AS w, shares, CAST(compute_scale AS REAL) AS scale, endpoint AS e, time_us AS t,
           1e6 * (compute_cycles - json_extract(result, '$.contention_cycles')) / json_extract(result, '$.clock_MHz') /
               json_extract(result, '$.bytes_sent_per_npu') AS ps
    FROM compute
    UNION ALL -- the authors' table is a scale of its own
    SELECT 'resnet50', shares, 0, endpoint, time_us, 1e6 * (compute_cycles - json_extract(result, '$.contention_cycles')) /
               json_extract(result, '$.clock_MHz') / json_extract(result, '$.bytes_sent_per_npu')
    FROM authors WHERE json_extract(result, '$.workload') = 'resnet50-as-it-stands' AND json_extract(result, '$.topology') = '4x4x4')
SELECT b.w AS workload, b.shares, b.e AS endpoint, CASE b.scale WHEN 0 THEN 'table' ELSE b.scale END AS compute_scale,
       b.ps AS ps_per_byte, b.t / a.t AS over_ACE, average AS published, most AS published_maximum
FROM run a JOIN run b USING (w, shares, scale) JOIN published USING (w) WHERE a.e = 'ace' AND b.e IN ('no-overlap', 'comm-opt', 'comp-opt')
ORDER BY b.w, b.shares, b.e, b.scale = 0, ps_per_byte
