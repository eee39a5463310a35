-- SPDX-License-Identifier: Apache-2.0
-- One row for each parameter set: its resources, its area in mm2, and its speed, the default's time over its own.  Area
-- leaves out the gates of NIC, exchange and memory interface, as the paper's table does.  `speed` is the slowest of all
-- work on up to 128 NPUs, `work` names it.
WITH relative AS (
    SELECT c.*, d.us / c.us AS speed FROM cells c JOIN cells d USING (work, NPUs) WHERE d.name = 'default'),
slowest AS (SELECT name, min(speed) AS speed, work || ', ' || NPUs AS work FROM relative WHERE NPUs <= 128 GROUP BY name),
iterations AS (SELECT name, min(speed) AS speed FROM relative WHERE work <> 'all-reduce' GROUP BY name),
large AS (
    SELECT name, us, of_ideal, result FROM cells WHERE NPUs = 4096),
resources AS (
    SELECT name, json_extract(result, '$.chunk_bytes') / 1024 AS chunk, json_extract(result, '$.configuration.fsms') AS fsms,
           json_extract(result, '$.configuration.contexts') AS contexts, json_extract(result, '$.configuration.bank_rows') AS rows,
           json_extract(result, '$.configuration.link_input_rows') AS link_rows
    FROM large)
SELECT a.name, r.fsms, r.contexts, r.chunk, r.rows, r.link_rows, (a.logic + a.SRAM + a.second_port) / 1e6 AS area,
       (a.SRAM + a.second_port) / 1e6 AS memories, a.SRAM_bits, s.speed, s.work, i.speed AS iterations, l.us AS us_4096, l.of_ideal AS of_ideal_4096
FROM area a JOIN resources r USING (name) JOIN slowest s USING (name) JOIN iterations i USING (name) JOIN large l USING (name)
