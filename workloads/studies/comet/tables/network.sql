-- SPDX-License-Identifier: Apache-2.0
-- Seconds of the best strategy that fits A, by GB/s in a pod and between pods.
WITH named AS (
    SELECT *, 2 * CAST(link_bandwidth AS REAL) AS pod, 2 * CAST(substr(link_bandwidth, instr(link_bandwidth, ',') + 1) AS REAL) AS between_pods
    FROM cells WHERE sweep = 'network' AND fits),
ranked AS (SELECT *, row_number() OVER (PARTITION BY pod, between_pods ORDER BY s, MP, micro_batch) AS place FROM named)
SELECT between_pods, max(s) FILTER (WHERE pod = 75) AS pod_75, max(s) FILTER (WHERE pod = 150) AS pod_150,
       max(s) FILTER (WHERE pod = 300) AS pod_300, max(s) FILTER (WHERE pod = 600) AS pod_600,
       max('MP' || MP) FILTER (WHERE pod = 300) AS best_at_300
FROM ranked WHERE place = 1 GROUP BY between_pods ORDER BY between_pods
