-- SPDX-License-Identifier: Apache-2.0
-- The parameter sets on a front, and the default.  A set is on a front if no other set is at most as large and at least as fast, and better in one of both.
SELECT name AS "set", fsms AS "state machines", contexts, chunk || ' KiB' AS chunk, rows AS "rows of a bank", link_rows AS "packets of a link buffer",
       area AS "area, mm2", memories AS "memories, mm2", speed, work AS "slowest in", of_ideal_4096 AS "4,096 NPUs: share of the ideal",
       CASE WHEN front THEN 'yes' ELSE '-' END AS "front, up to 128",
       CASE WHEN front_4096 THEN 'yes' ELSE '-' END AS "front, 4,096"
FROM fronts WHERE front OR front_4096 OR name = 'default' ORDER BY area
