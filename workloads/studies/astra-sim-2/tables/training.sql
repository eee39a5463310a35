-- SPDX-License-Identifier: Apache-2.0
-- Milliseconds of an iteration, and the share of communication that compute does not hide.
WITH every AS (
    SELECT 1 AS place, 'DLRM' AS model, command, endpoint, time_us, exposed_communication_cycles, cycles FROM dlrm
    UNION ALL SELECT 2, 'GPT-3', command, endpoint, time_us, exposed_communication_cycles, cycles FROM gpt3
    UNION ALL SELECT 3, 'Transformer-1T', command, endpoint, time_us, exposed_communication_cycles, cycles FROM transformer_1t),
named AS (SELECT *, CASE WHEN command LIKE '%conv-4d%' THEN 'conv-4d' WHEN command LIKE '%conv-3d%' THEN 'conv-3d'
    WHEN command LIKE '%torus%' THEN 'wafer-torus' ELSE 'wafer-switch' END AS network FROM every)
SELECT model, network, max(time_us / 1e3) FILTER (WHERE endpoint = 'ideal') AS on_links_alone,
       max(time_us / 1e3) FILTER (WHERE endpoint = 'ace') AS on_ACE,
       max(100.0 * exposed_communication_cycles / cycles) FILTER (WHERE endpoint = 'ace') AS ACE_exposed_percent,
       max(time_us / 1e3) FILTER (WHERE endpoint = 'comm-opt') AS in_software
FROM named GROUP BY place, network ORDER BY place, network
