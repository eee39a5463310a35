-- SPDX-License-Identifier: Apache-2.0
-- Milliseconds of eight DLRM iterations on 64 NPUs, by how many NPUs one has.
SELECT family AS cluster, CAST(expanded_GBps AS INTEGER) AS expanded_GBps, max(eight_ms) FILTER (WHERE NPUs = 64) AS on_64,
       max(eight_ms) FILTER (WHERE NPUs = 32) AS on_32, max(eight_ms) FILTER (WHERE NPUs = 16) AS on_16,
       max(eight_ms) FILTER (WHERE NPUs = 8) AS on_8, max(eight_ms) FILTER (WHERE NPUs = 64) / min(eight_ms) AS speed_up
FROM jobs GROUP BY family, expanded_GBps ORDER BY family, expanded_GBps
