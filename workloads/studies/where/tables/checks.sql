-- SPDX-License-Identifier: Apache-2.0
-- What must hold in every cell.
WITH next AS (SELECT *, (SELECT min(bytes) FROM sides n WHERE (n.side, n.radix, n.format) = (s.side, s.radix, s.format) AND n.bytes > s.bytes) AS more FROM sides s)
SELECT 'bytes are the closed form''s' AS law, count(*) AS cells, sum("check" <> 'passed') AS broken FROM runs
UNION ALL SELECT 'rings and halves send 2 (n - 1) / n of a large vector, senders all of it', count(*),
       sum(bytes_sent <> CASE side WHEN 'endpoint' THEN 2 * (radix - 1) * (bytes / radix) ELSE bytes END)
       FROM runs WHERE bytes >= 1048576 AND algorithm <> 'fibonacci-tree'
UNION ALL SELECT 'rows are added n - 1 times on either side', count(*), sum(adds <> (radix - 1) * (bytes / 256))
       FROM runs WHERE bytes >= 1048576
UNION ALL SELECT 'a scratchpad has 2 + 5 (n - 1) / n accesses of a row in an engine that reduces, 4 in a sender', count(*),
       sum(accesses <> bytes / 256 * CASE side WHEN 'endpoint' THEN 2 * radix + 5 * (radix - 1) ELSE 4 * radix END)
       FROM runs WHERE bytes >= 1048576 AND algorithm <> 'fibonacci-tree'
UNION ALL SELECT 'no run is faster than its bytes at 188 GB/s', count(*), sum(time_us < bytes_sent / 188e3) FROM runs
UNION ALL SELECT 'more bytes take no less time', count(*), sum(m.time_us < l.time_us)
       FROM runs l JOIN runs m USING (side, radix, algorithm) WHERE m.bytes > l.bytes
UNION ALL SELECT 'more NPUs are never faster', count(*), sum(m.time_us < l.time_us)
       FROM sized l JOIN sized m USING (side, algorithm, bytes) WHERE m.radix > l.radix
UNION ALL SELECT 'a line is within 0.5 % of the run', count(*), sum(abs(s.time_us / r.time_us - 1) > 0.005)
       FROM runs r JOIN sized s USING (side, radix, algorithm, bytes) WHERE r.kind = 'long' AND s."by" = 'line'
UNION ALL SELECT '1 GiB in the switch takes its bytes at 188 GB/s, within 1 %', count(*), sum(abs(time_us / (bytes / 188e3) - 1) > 0.01)
       FROM sized WHERE side = 'in-switch' AND bytes = 1073741824
UNION ALL SELECT '1 GiB at the endpoint takes 2 (n - 1) / n times as long, within 2 %', count(*), sum(abs(time_us / (2.0 * (radix - 1) / radix * bytes / 188e3) - 1) > 0.02)
       FROM sides WHERE side = 'endpoint' AND bytes = 1073741824
UNION ALL SELECT 'more bytes take more energy', count(*), sum(m.energy <= n.energy) FROM next n JOIN sides m USING (side, radix, format) WHERE m.bytes = n.more
UNION ALL SELECT 'more NPUs have more area and take more energy', count(*), sum(m.area <= l.area OR m.energy <= l.energy)
       FROM sides l JOIN sides m USING (side, format, bytes) WHERE m.radix > l.radix
