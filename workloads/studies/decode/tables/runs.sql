-- SPDX-License-Identifier: Apache-2.0
-- All runs of the engine from store to load, with the links alone beside them where they ran.
SELECT e.*, i.time_us AS links_us FROM (
    SELECT topology, algorithm, json_extract(result, '$.size_bytes') AS bytes, json_extract(result, '$.nodes') AS npus, time_us,
           json_extract(result, '$.cycles_by_pins') AS by_pins, json_extract(result, '$.register_path_cycles') AS path, cycles,
           json_extract(result, '$.clock_MHz') AS MHz, "check", point FROM engine
    UNION ALL
    SELECT topology, algorithm, json_extract(result, '$.size_bytes'), json_extract(result, '$.nodes'), time_us,
           json_extract(result, '$.cycles_by_pins'), json_extract(result, '$.register_path_cycles'), cycles,
           json_extract(result, '$.clock_MHz'), "check", 1000 + point FROM large
    UNION ALL
    SELECT topology, algorithm, json_extract(result, '$.size_bytes'), json_extract(result, '$.nodes'), time_us,
           json_extract(result, '$.cycles_by_pins'), json_extract(result, '$.register_path_cycles'), cycles,
           json_extract(result, '$.clock_MHz'), "check", 2000 + point FROM stages
    UNION ALL
    SELECT topology, 'in-network', json_extract(result, '$.size_bytes'), json_extract(result, '$.nodes'), time_us,
           json_extract(result, '$.cycles_by_pins'), json_extract(result, '$.register_path_cycles'), cycles,
           json_extract(result, '$.clock_MHz'), "check", 3000 + point FROM switch
    UNION ALL
    SELECT topology, 'whole-chunk', json_extract(result, '$.size_bytes'), json_extract(result, '$.nodes'), time_us,
           json_extract(result, '$.cycles_by_pins'), json_extract(result, '$.register_path_cycles'), cycles,
           json_extract(result, '$.clock_MHz'), "check", 4000 + point FROM whole_chunk) e
LEFT JOIN links_alone i USING (topology, algorithm, bytes)
