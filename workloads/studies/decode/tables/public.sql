-- SPDX-License-Identifier: Apache-2.0
-- Public times of software on eight GPUs.  H100: NCCL 2.24.3, one process, no graph (github.com/ZiyanIshani/vpbenchmarking
-- at 483959d9, results/nccl/nccl_allreduce_20260224_223444.txt).  MI300X: RCCL 2.22.3, eight processes, without and with
-- graphs (AMD's blog of 2025-03-02, "Understanding RCCL Bandwidth and xGMI Performance on AMD Instinct MI300X").  Out of place.
WITH published(bytes, h100, mi300x, graph) AS (VALUES
    (1024, 33.36, 13.11, 7.47), (4096, 33.19, 13.27, 7.61), (16384, 32.95, 13.54, 8.71), (65536, 33.62, 13.77, 9.14),
    (262144, 35.05, 16.87, 10.26))
SELECT bytes / 1024 AS KiB, h100 AS "8 x H100, NCCL", mi300x AS "8 x MI300X, RCCL", graph AS "8 x MI300X, RCCL in a graph",
       s.one_shot_us AS "one-shot, links and memory", min(CASE WHEN algorithm NOT IN ('in-network', 'whole-chunk') THEN time_us END) AS "engine, plain switch",
       max(CASE algorithm WHEN 'in-network' THEN time_us END) AS "engine, in-network",
       max(CASE algorithm WHEN 'whole-chunk' THEN time_us END) AS "engine, whole-chunk"
FROM published JOIN runs r USING (bytes) JOIN software s USING (topology, bytes) WHERE topology = 'Switch(8)' GROUP BY bytes
