-- SPDX-License-Identifier: Apache-2.0
-- A switch that reduces, by memory: times in us from store to load.
SELECT memory_bandwidth AS "bandwidth of the engine", memory_latency AS "latency (cycles)",
       max(CASE size WHEN '1KiB' THEN time_us END) AS "1 KiB", max(CASE size WHEN '16KiB' THEN time_us END) AS "16 KiB",
       max(CASE size WHEN '64KiB' THEN time_us END) AS "64 KiB", max(CASE size WHEN '256KiB' THEN time_us END) AS "256 KiB"
FROM memory GROUP BY 1, 2 ORDER BY min(point)
