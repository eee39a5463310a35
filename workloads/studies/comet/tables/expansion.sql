-- SPDX-License-Identifier: Apache-2.0
-- The best strategy on A by the bandwidth of expanded memory, and the speed-up over the best without it.
SELECT CAST(expanded_GBps AS INTEGER) AS expanded_GBps, max('MP' || MP || ' b' || micro_batch) FILTER (WHERE touched = 'proportion') AS best,
       max(s) FILTER (WHERE touched = 'proportion') AS s,
       max(local_s / s) FILTER (WHERE touched = 'proportion') AS proportion,
       max(local_s / s) FILTER (WHERE touched = 'together') AS together, max(local_s / s) FILTER (WHERE touched = 'heat') AS by_heat,
       max('MP' || MP || ' b' || micro_batch) FILTER (WHERE touched = 'heat') AS best_by_heat
FROM expanded GROUP BY expanded_GBps ORDER BY expanded_GBps
