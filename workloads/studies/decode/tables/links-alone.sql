-- SPDX-License-Identifier: Apache-2.0
SELECT topology, algorithm, json_extract(result, '$.size_bytes') AS bytes, time_us, "check" FROM links
UNION ALL
SELECT topology, 'in-network', json_extract(result, '$.size_bytes'), time_us, "check" FROM links_switch
