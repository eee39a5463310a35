-- SPDX-License-Identifier: Apache-2.0
-- By the latency of a link, of which a way over the switch has two: times in us from store to load.
SELECT link_latency AS "cycles of a link", round(link_latency * 2 / 1.245) AS "way over the switch (ns)", algorithm,
       max(CASE json_extract(result, '$.size_bytes') WHEN 1024 THEN time_us END) AS "1 KiB",
       max(CASE json_extract(result, '$.size_bytes') WHEN 16384 THEN time_us END) AS "16 KiB",
       max(CASE json_extract(result, '$.size_bytes') WHEN 65536 THEN time_us END) AS "64 KiB"
FROM (SELECT algorithm, link_latency, result, time_us FROM latency
      UNION ALL SELECT 'whole-chunk', link_latency, result, time_us FROM whole_latency)
GROUP BY 1, 3 ORDER BY algorithm <> 'whole-chunk', algorithm <> 'in-network', algorithm <> 'fibonacci-tree', CAST(link_latency AS INTEGER)
