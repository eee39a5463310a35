-- SPDX-License-Identifier: Apache-2.0
-- One mechanism changed at a time, on A with expanded memory at 450 GB/s: the best without it over the best with it.
WITH named AS (
    SELECT *, CASE WHEN sweep = 'buffers' AND cluster LIKE '%no-buffer%' THEN 'no buffer on the chip'
                   WHEN sweep = 'buffers' AND cluster LIKE '%tiled%' THEN 'tiles in the buffer'
                   WHEN sweep = 'buffers' THEN 'reads and writes apart'
                   WHEN command LIKE '%bucket%' THEN 'no overlap of gradients'
                   WHEN strategy LIKE '%.sp.fused%' THEN 'sequence parallelism and fused attention'
                   WHEN strategy LIKE '%.sp%' THEN 'sequence parallelism' WHEN strategy LIKE '%.fused%' THEN 'fused attention'
                   WHEN zero <> 2 THEN 'ZeRO ' || zero ELSE 'as it is' END AS what
    FROM cells WHERE sweep IN ('mechanisms', 'buffers') AND fits),
ranked AS (SELECT *, row_number() OVER (PARTITION BY what, with_expanded ORDER BY s, MP, micro_batch) AS place,
                  min(point) OVER (PARTITION BY what) + 1000 * (sweep = 'buffers') AS turn FROM named)
SELECT what AS changed, max('MP' || MP || ' b' || micro_batch) FILTER (WHERE NOT with_expanded) AS local, max(s) FILTER (WHERE NOT with_expanded) AS local_s,
       max('MP' || MP || ' b' || micro_batch) FILTER (WHERE with_expanded) AS expanded, max(s) FILTER (WHERE with_expanded) AS expanded_s,
       max(s) FILTER (WHERE NOT with_expanded) / max(s) FILTER (WHERE with_expanded) AS speed_up
FROM ranked WHERE place = 1 GROUP BY what ORDER BY min(turn)
