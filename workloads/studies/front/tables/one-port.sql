-- SPDX-License-Identifier: Apache-2.0
-- The second port of the scratchpad: a bank is one memory of two ports, or four of one.
SELECT o.topology, d.us AS "two ports: us", o.time_us AS "one port: us", round(100 * (o.time_us / d.us - 1), 2) || ' %' AS "longer"
FROM one_port o JOIN cells d ON d.name = 'default' AND d.work = 'all-reduce' AND d.NPUs = json_extract(o.result, '$.nodes')
ORDER BY d.NPUs
