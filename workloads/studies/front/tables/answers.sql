-- SPDX-License-Identifier: Apache-2.0
-- The three questions and the default that follows, in words with the numbers of this run.
WITH d AS (SELECT * FROM sets WHERE name = 'default'),
small AS (SELECT *, min(area) FROM sets WHERE speed >= 0.98),
iterations AS (SELECT *, min(area) FROM sets WHERE iterations >= 0.98),
large AS (SELECT *, min(area) FROM sets WHERE us_4096 <= (SELECT min(us_4096) FROM sets) / 0.98),
both AS (SELECT *, min(area) FROM sets WHERE speed >= 0.98 AND us_4096 <= (SELECT min(us_4096) FROM sets) / 0.98),
two AS (SELECT * FROM area WHERE name = 'default'),
one AS (SELECT * FROM area WHERE name = 'sub-banks-4'),
port AS (SELECT max(o.time_us / c.us) AS longer FROM one_port o JOIN cells c ON c.name = 'default' AND c.work = 'all-reduce' AND c.NPUs = json_extract(o.result, '$.nodes'))
SELECT 'How small may ACE be for 98 % of its speed?' AS question,
       printf('Set %s has %.2f of the default''s %.2f mm2, %.0f %%. Its slowest work up to 128 NPUs, %s, runs at %.1f %% of the default''s speed. For iterations alone, %s suffices: %.2f mm2 and %.1f %%.',
              small.name, small.area, d.area, 100 * small.area / d.area, small.work, 100 * small.speed, iterations.name, iterations.area, 100 * iterations.iterations) AS answer
FROM small, d, iterations
UNION ALL SELECT 'What does it take at 4,096 NPUs?',
       printf('The default reaches %.1f %% of the ideal. Set %s reaches %.1f %%, with %d state machines of %d contexts, chunks of %d KiB and %.2f mm2, %.0f %% of the default''s. Chunks of 128 KiB on the default silicon reach %.1f %%.',
              100 * d.of_ideal_4096, large.name, 100 * large.of_ideal_4096, large.fsms, large.contexts, large.chunk, large.area, 100 * large.area / d.area, 100 * c.of_ideal_4096)
FROM d, large, sets c WHERE c.name = 'chunk-128'
UNION ALL SELECT 'Is a second SRAM port worth its area?',
       printf('%s: four memories of one port in a bank take at most %.1f %% longer. They add %.2f mm2 of gates and save %.2f mm2 of the second port. They are smaller when a cell of two ports takes more than %.2f times the area of a cell of one.',
              CASE WHEN port.longer < 1.01 AND one.logic - two.logic < two.second_port - one.second_port THEN 'No' ELSE 'Yes' END,
              100 * (port.longer - 1), (one.logic - two.logic) / 1e6, (two.second_port - one.second_port) / 1e6,
              1 + (one.logic - two.logic) / ((two.second_port - one.second_port) * 1.0) * 0.3)
FROM one, two, port
UNION ALL SELECT 'Which default follows?',
       printf('Set %s: %d state machines, %d contexts, chunks of %d KiB, %d rows of a bank and %d packets of a link buffer. It has %.1f %% of the default''s speed up to 128 NPUs, %.1f %% of the ideal at 4,096, and %.0f %% of the area.',
              both.name, both.fsms, both.contexts, both.chunk, both.rows, both.link_rows, 100 * both.speed, 100 * both.of_ideal_4096, 100 * both.area / d.area)
FROM both, d
