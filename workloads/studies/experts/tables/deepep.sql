-- SPDX-License-Identifier: Apache-2.0
-- DeepEP's published times of low-latency kernels (github.com/deepseek-ai/DeepEP at dd758caf, its page of version 1, MIT),
-- next to the same bytes here.
WITH published(way, topology, GPUs, us) AS (VALUES
    ('dispatch', 'Switch(8)', 8, 77.0), ('dispatch', 'Switch(8)_Switch(2)', 16, 118.0),
    ('dispatch', 'Switch(8)_Switch(4)', 32, 155.0), ('dispatch', 'Switch(8)_Switch(8)', 64, 173.0),
    ('dispatch', 'Switch(8)_Switch(16)', 128, 192.0), ('dispatch', 'Switch(8)_Switch(32)', 256, 194.0),
    ('combine', 'Switch(8)', 8, 114.0)),
here AS (SELECT 'dispatch' AS way, topology, endpoint, time_us FROM deepep_dispatch
         UNION ALL SELECT 'combine', topology, endpoint, time_us FROM deepep_combine)
SELECT p.way, p.GPUs, p.us AS "published (us)", i.time_us AS "links alone", s.time_us AS software, a.time_us AS engine,
       printf('%+.1f %%', 100 * (s.time_us / p.us - 1)) AS "error of software"
FROM published p JOIN here i USING (way, topology) JOIN here s USING (way, topology) JOIN here a USING (way, topology)
WHERE i.endpoint = 'ideal' AND s.endpoint = 'comm-opt' AND a.endpoint = 'ace' ORDER BY p.way DESC, p.GPUs
