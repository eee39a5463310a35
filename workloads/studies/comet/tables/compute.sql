-- SPDX-License-Identifier: Apache-2.0
-- The best strategy on A by the peak of its matrix units, with local memory and with 480 GB at 450 GB/s.
WITH ranked AS (
    SELECT *, row_number() OVER (PARTITION BY TFLOPS, with_expanded ORDER BY s, MP, micro_batch) AS place FROM cells WHERE sweep = 'compute' AND fits)
SELECT CAST(TFLOPS AS INTEGER) AS TFLOPS, max('MP' || MP) FILTER (WHERE NOT with_expanded) AS local, max(s) FILTER (WHERE NOT with_expanded) AS local_s,
       max('MP' || MP) FILTER (WHERE with_expanded) AS expanded, max(s) FILTER (WHERE with_expanded) AS expanded_s,
       max(s) FILTER (WHERE NOT with_expanded) / max(s) FILTER (WHERE with_expanded) AS speed_up
FROM ranked WHERE place = 1 GROUP BY TFLOPS ORDER BY TFLOPS
