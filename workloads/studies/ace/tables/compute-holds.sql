-- SPDX-License-Identifier: Apache-2.0
-- Between which compute times a byte the best baseline takes as much longer than ACE as published, on 64 NPUs.
WITH published(w, average) AS (VALUES ('resnet50', 1.41), ('gnmt', 1.12), ('dlrm', 1.13)),
run AS (
    SELECT json_extract(result, '$.workload') AS w, shares, CAST(compute_scale AS REAL) AS scale, endpoint AS e, time_us AS t,
           1e6 * (compute_cycles - json_extract(result, '$.contention_cycles')) / json_extract(result, '$.clock_MHz') /
               json_extract(result, '$.bytes_sent_per_npu') AS ps FROM compute),
best AS (
    SELECT w, shares, scale, max(ps) AS ps,
           min(t) FILTER (WHERE e <> 'ace') / max(t) FILTER (WHERE e = 'ace') AS r FROM run GROUP BY w, shares, scale)
SELECT w AS workload, shares, average AS published, max(r) AS "largest found",
       (SELECT ps FROM best b WHERE b.w = best.w AND b.shares = best.shares ORDER BY r DESC LIMIT 1) AS "at ps per byte",
       min(ps) FILTER (WHERE r >= average) AS "holds from", max(ps) FILTER (WHERE r >= average) AS "to",
       min(r) AS "smallest found", min(ps) FILTER (WHERE r < 0.995) AS "ACE loses from", max(ps) FILTER (WHERE r < 0.995) AS "to ps per byte",
       max(ps) FILTER (WHERE scale = 1) AS "this NPU, ps per byte"
FROM best JOIN published USING (w) GROUP BY w, shares ORDER BY w, shares
