-- SPDX-License-Identifier: Apache-2.0
-- A layer that decodes has two all-reduces, and nothing overlaps with them.  Times in us; shares are communication of all.
WITH published(bytes, us) AS (VALUES (16384, 32.95), (131072, 34.26), (1048576, 38.74)),
engine AS (SELECT json_extract(result, '$.size_bytes') AS bytes, min(CASE WHEN algorithm <> 'in-network' THEN time_us END) AS plain,
                  max(CASE algorithm WHEN 'in-network' THEN time_us END) AS reducing FROM layer GROUP BY 1),
alone AS (SELECT json_extract(result, '$.size_bytes') AS bytes, min(time_us) AS us FROM layer_links GROUP BY 1)
SELECT model, batch, l.bytes / 1024 AS "KiB of an all-reduce", compute_us AS "reads of memory",
       min(2 * s.one_shot_us, 2 * s.ring_us) AS software, 2 * e.plain AS "engine, plain switch", 2 * e.reducing AS "engine, in-network",
       2 * w.time_us AS "engine, whole-chunk",
       2 * a.us AS "links alone",
       printf('%.0f %%', 100 * 2 * p.us / (2 * p.us + compute_us)) AS "share, NCCL on H100",
       printf('%.1f %%', 100 * min(2 * s.one_shot_us, 2 * s.ring_us) / (min(2 * s.one_shot_us, 2 * s.ring_us) + compute_us)) AS "share, software",
       printf('%.1f %%', 100 * 2 * e.plain / (2 * e.plain + compute_us)) AS "share, engine, plain switch",
       printf('%.1f %%', 100 * 2 * e.reducing / (2 * e.reducing + compute_us)) AS "share, engine, in-network",
       printf('%.1f %%', 100 * 2 * w.time_us / (2 * w.time_us + compute_us)) AS "share, engine, whole-chunk",
       printf('%.1f %%', 100 * 2 * a.us / (2 * a.us + compute_us)) AS "share, links alone"
FROM layers l JOIN engine e USING (bytes) JOIN alone a USING (bytes)
JOIN software s ON s.bytes = l.bytes AND s.topology = 'Switch(8)'
JOIN runs w ON w.bytes = l.bytes AND w.topology = 'Switch(8)' AND w.algorithm = 'whole-chunk'
JOIN published p ON p.bytes = 16384 * batch
ORDER BY model DESC, batch
