-- SPDX-License-Identifier: Apache-2.0
-- On A, by the bandwidth of expanded memory and how both memories are touched: the best strategy with it.
WITH fit AS (SELECT * FROM cells WHERE sweep = 'expansion' AND fits),
ranked AS (SELECT *, row_number() OVER (PARTITION BY expanded_GBps, touched ORDER BY s, MP, micro_batch) AS place FROM fit)
SELECT expanded_GBps, touched, MP, micro_batch, GB, s, (SELECT min(s) FROM fit WHERE expanded_GB = 0) AS local_s
FROM ranked WHERE place = 1
