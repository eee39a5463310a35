-- SPDX-License-Identifier: Apache-2.0
-- Milliseconds of an iteration on both networks, and in percent where the time goes on the first.
SELECT strategy, max(ms) FILTER (WHERE network = 'A40') AS A40_ms, max(ms) FILTER (WHERE network = 'torus') AS torus_ms,
       max(compute_percent) FILTER (WHERE network = 'A40') AS compute, max(MP_percent) FILTER (WHERE network = 'A40') AS exposed_MP,
       max(DP_percent) FILTER (WHERE network = 'A40') AS exposed_DP, max(PP_percent) FILTER (WHERE network = 'A40') AS pipeline,
       max(unique_events) AS unique_events, max(GB) AS GB
FROM cells WHERE sweep = 'search' GROUP BY strategy ORDER BY A40_ms
