-- SPDX-License-Identifier: Apache-2.0
-- An iteration of every workload, size and endpoint, in each reading of the paper: whether shares
-- are reserved, and where compute comes from.  The authors' table is of ResNet-50; the other models have
-- the times of their shapes in every reading.
-- no-overlap and ideal reserve nothing.
WITH outstanding AS (
    SELECT 'shapes' AS compute, * FROM iteration
    UNION ALL SELECT CASE json_extract(result, '$.workload') WHEN 'resnet50' THEN 'table x 32' ELSE 'table' END, * FROM authors),
reserved AS (
    SELECT 'shapes' AS compute, * FROM iteration_reserved
    UNION ALL SELECT CASE json_extract(result, '$.workload') WHEN 'resnet50' THEN 'table x 32' ELSE 'table' END, * FROM authors_reserved),
runs AS (
    SELECT 'outstanding' AS reading, * FROM outstanding
    UNION ALL SELECT 'reserved', * FROM reserved
    UNION ALL SELECT 'reserved', * FROM outstanding WHERE endpoint IN ('no-overlap', 'ideal')),
named AS (
    SELECT reading AS shares, compute, substr(json_extract(result, '$.workload') || '-', 1, instr(json_extract(result, '$.workload') || '-', '-') - 1) AS w,
           json_extract(result, '$.nodes') AS n, endpoint AS e, time_us / 2000 AS ms, network_bandwidth_GBps AS g,
           time_us / 2000 * compute_cycles / cycles AS compute_ms, time_us / 2000 * exposed_communication_cycles / cycles AS exposed_ms,
           json_extract(result, '$.bytes_sent_per_npu') / 2 AS sent
    FROM runs)
SELECT * FROM named
UNION ALL SELECT shares, 'table', w, n, e, ms, g, compute_ms, exposed_ms, sent FROM named WHERE compute = 'shapes' AND w <> 'resnet50'
UNION ALL SELECT shares, 'table x 32', w, n, e, ms, g, compute_ms, exposed_ms, sent FROM named WHERE compute = 'shapes' AND w <> 'resnet50'
