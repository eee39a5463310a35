-- SPDX-License-Identifier: Apache-2.0
-- What is published beside what comes out: worst over best of clusters, each with its best strategy; best without
-- expanded memory over best with it.
SELECT 'worst over best cluster' AS claim, 7.7 AS published, 'Transformer-1T, A to C, TPU v4 and Dojo' AS of_what,
       max(s) / min(s) AS ours FROM families
UNION ALL SELECT 'worst over best cluster', 7.7, 'Transformer-1T, A to C', max(s) / min(s) FROM families WHERE family GLOB '[ABC][012]'
UNION ALL SELECT 'worst over best cluster', 7.7, 'Transformer-1T, clusters of A100 alone', max(s) / min(s) FROM families WHERE family GLOB 'A[012]'
UNION ALL SELECT 'worst over best cluster', 7.7, 'eight DLRMs, A to C', max(best) / min(best) FROM (
    SELECT min(eight_ms) AS best FROM jobs WHERE expanded_GB = 0 GROUP BY family
    UNION ALL SELECT min(eight_ms) FROM jobs WHERE expanded_GBps IN (128, 450) GROUP BY family, expanded_GBps)
UNION ALL SELECT 'without over with expanded memory', 1.4, 'Transformer-1T on A, expanded memory at ' || CAST(expanded_GBps AS INTEGER) || ' GB/s',
       local_s / s FROM expanded WHERE touched = 'proportion' AND expanded_GBps IN (128, 450, 1000, 2039)
UNION ALL SELECT 'without over with expanded memory', 1.4, 'eight DLRMs on A, expanded memory at ' || CAST(expanded_GBps AS INTEGER) || ' GB/s',
       (SELECT min(eight_ms) FROM jobs WHERE family = 'A' AND expanded_GB = 0) / min(eight_ms)
       FROM jobs WHERE family = 'A' AND expanded_GBps IN (128, 450, 1000, 2000) GROUP BY expanded_GBps
