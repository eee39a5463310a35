-- SPDX-License-Identifier: Apache-2.0
-- Cells of ACE in out/ace beside those of another engine, in out/before: how much longer each takes now.
--   sqlite3 out/ace/cells.sqlite < workloads/studies/ace/before.sql
ATTACH 'out/before/cells.sqlite' AS before;
SELECT printf('%+.2f %%', 100.0 * n.cycles / o.cycles - 100) AS longer, n.command
FROM points n JOIN before.points o USING (command)
WHERE json_extract(n.result, '$.endpoint') = 'ace' ORDER BY 1.0 * n.cycles / o.cycles;
