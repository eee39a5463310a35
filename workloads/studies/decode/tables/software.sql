-- SPDX-License-Identifier: Apache-2.0
-- Software without the start of a kernel and without a barrier.  One-shot: the all-to-all of npus x bytes, then each NPU
-- reads all vectors at 450 GB/s and adds them up.  The first row takes the latency of 200 cycles.
SELECT a.topology, a.npus, a.all_bytes / a.npus AS bytes,
       a.time_us + 200 / 1245.0 + a.all_bytes / 450e3 AS one_shot_us, r.time_us AS ring_us,
       a."check" = 'passed' AND r."check" = 'passed' AS passed
FROM (SELECT topology, json_extract(result, '$.nodes') AS npus, json_extract(result, '$.size_bytes') AS all_bytes, time_us,
             "check" FROM one_shot) a
JOIN (SELECT topology, json_extract(result, '$.size_bytes') AS bytes, time_us, "check" FROM ring_software) r
  ON r.topology = a.topology AND r.bytes = a.all_bytes / a.npus
