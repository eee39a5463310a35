-- SPDX-License-Identifier: Apache-2.0
-- Cells of ACE in out/ace beside those of another engine, in out/before: how many take longer now, and which.
--   sqlite3 out/ace/cells.sqlite < workloads/studies/ace/before.sql
ATTACH 'out/before/cells.sqlite' AS before;
CREATE TEMP VIEW longer AS
SELECT 100.0 * n.cycles / o.cycles - 100 AS percent, n.command FROM points n JOIN before.points o USING (command)
WHERE json_extract(n.result, '$.endpoint') = 'ace';
SELECT printf('%d cells, %d more than 0.05 %% shorter, %d longer, %d of these more than 0.5 %%', count(*), total(percent < -0.05),
              total(percent > 0.05), total(percent > 0.5)) FROM longer;
SELECT printf('%+.2f %%', percent), command FROM longer WHERE percent > 0.05 ORDER BY percent DESC;
