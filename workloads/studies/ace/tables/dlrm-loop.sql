-- SPDX-License-Identifier: Apache-2.0
-- DLRM: what the background lookups and updates save, per iteration.
SELECT json_extract(result, '$.nodes') AS NPUs, endpoint,
       max(time_us) FILTER (WHERE dlrm_loop = 'plain') / 4 AS "plain, us",
       max(time_us) FILTER (WHERE dlrm_loop = 'optimised') / 4 AS "optimised, us",
       max(time_us) FILTER (WHERE dlrm_loop = 'plain') / max(time_us) FILTER (WHERE dlrm_loop = 'optimised') AS speed_up
FROM dlrm_loop GROUP BY NPUs, endpoint ORDER BY NPUs, endpoint
