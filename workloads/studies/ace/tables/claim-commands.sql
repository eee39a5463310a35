-- SPDX-License-Identifier: Apache-2.0
-- For each cell of the claims: a command that runs what it is made of, and what to take of what that prints.
WITH reading(place, compute, shares, resnet) AS (
    VALUES (1, 'shapes', 'outstanding', 'models/resnet50'), (2, 'shapes', 'reserved', 'models/resnet50'),
           (3, 'table', 'outstanding', 'studies/ace/models/resnet50-as-it-stands'), (4, 'table', 'reserved', 'studies/ace/models/resnet50-as-it-stands'),
           (5, 'table x 32', 'outstanding', 'resnet50'), (6, 'table x 32', 'reserved', 'resnet50')),
claim(place, claim, w) AS (
    VALUES (2, 'network bandwidth', '%'), (3, 'iteration time, ResNet-50', 'resnet50'), (4, 'iteration time, GNMT', 'gnmt'), (5, 'iteration time, DLRM', 'dlrm')),
found AS (
    SELECT c.place, c.claim, c.w, r.place AS column, r.compute, r.shares, r.resnet,
           CASE WHEN count(*) = CASE c.w WHEN '%' THEN 12 ELSE 4 END THEN CASE c.w WHEN '%' THEN avg(bandwidth) ELSE avg(speed) END END AS average,
           CASE WHEN count(*) = CASE c.w WHEN '%' THEN 12 ELSE 4 END THEN CASE c.w WHEN '%' THEN max(bandwidth) ELSE max(speed) END END AS most
    FROM claim c JOIN reading r JOIN ratios x ON x.compute = r.compute AND x.shares = r.shares AND x.w LIKE c.w
    GROUP BY c.place, r.place),
need AS (SELECT a.topology, a.need AS ace, b.need AS baseline FROM needs a JOIN needs b USING (topology, level)
         WHERE level = 0.9 AND a.endpoint = 'ACE' AND b.endpoint = 'baseline')
SELECT claim, reading, average, maximum, command FROM (
    SELECT 1 AS place, 1 AS column, 'memory bandwidth, ACE' AS claim, 'all' AS reading, CASE WHEN count(*) = 4 THEN avg(baseline / ace) END AS average, NULL AS maximum,
           '`for at in ' || group_concat('"' || topology || ' --memory-bandwidth=' || printf('%.1f', ace) || 'GB/s"', ' ') ||
           '; do acesim collective all-reduce --size 64MiB --topology $at; done`' AS command FROM need
    UNION ALL
    SELECT 1, 2, 'the same, baseline', 'all', CASE WHEN count(*) = 4 THEN avg(baseline / ace) END, NULL,
           '`for at in ' || group_concat('"' || topology || ' --memory-bandwidth=' || printf('%.1f', baseline) || 'GB/s"', ' ') ||
           '; do acesim collective all-reduce --size 64MiB --endpoint comm-opt --sms 80 --topology $at; done`' FROM need
    UNION ALL
    SELECT place, column, claim,
           CASE WHEN w IN ('gnmt', 'dlrm') THEN shares ELSE compute || ', ' || shares END, average, most,
           '`for t in 4x2x2 4x4x2 4x4x4 4x8x4; do ' || CASE w WHEN '%' THEN 'for m in ' || resnet || ' models/gnmt models/dlrm; do ' ELSE '' END ||
           'acesim run workloads/clusters/torus-$t.yaml workloads/' ||
           CASE w WHEN '%' THEN '$m' WHEN 'resnet50' THEN resnet ELSE 'models/' || w END || '.yaml --shares ' || shares ||
           ' --compare ace,comm-opt,comp-opt,no-overlap; done' || CASE w WHEN '%' THEN '; done' ELSE '' END || '`'
    FROM found WHERE w NOT IN ('gnmt', 'dlrm') OR compute = 'shapes')
ORDER BY place, column
