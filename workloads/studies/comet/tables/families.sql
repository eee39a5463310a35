-- SPDX-License-Identifier: Apache-2.0
-- The best strategy that fits each cluster: of A (A100), B (H100), C (B200) with local memory (0), with 480 GB at
-- 128 GB/s (1) and at 450 GB/s (2); TPU v4 and Dojo.  Cells that fit locally are the same with either.
WITH named AS (
    SELECT *, CASE WHEN cluster LIKE '%a100%' THEN 'A' WHEN cluster LIKE '%h100%' THEN 'B' WHEN cluster LIKE '%b200%' THEN 'C'
                   WHEN command LIKE '%tpu%' THEN 'TPU v4' ELSE 'Dojo' END ||
              CASE WHEN sweep = 'tori' THEN '' WHEN NOT with_expanded THEN '0' WHEN expanded_GBps < 200 THEN '1' ELSE '2' END AS family
    FROM cells WHERE sweep IN ('clusters', 'tori') AND fits),
ranked AS (SELECT *, row_number() OVER (PARTITION BY family ORDER BY s, MP, micro_batch) AS place FROM named)
SELECT family, MP, DP, micro_batch, GB, expanded_GB, compute_s, MP_s, DP_s, s, MFU FROM ranked WHERE place = 1
