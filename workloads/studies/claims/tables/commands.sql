-- SPDX-License-Identifier: Apache-2.0
-- For each claim a command that runs what it is made of, and where the inputs are from.
WITH need AS (SELECT a.topology, a.need AS ace, b.need AS written FROM needs a JOIN needs b USING (topology)
              WHERE a.endpoint = 'ACE' AND b.endpoint = 'written'),
run(place, claim, model, source) AS (
    VALUES (3, 'iteration time, ResNet-50', 'studies/claims/models/resnet50-fp32.yaml', '`workloads/astra-sim/Resnet50_DataParallel.txt`: ASTRA-sim 1.0, 07d5d19'),
           (4, 'iteration time, GNMT', 'models/gnmt.yaml --compute-scale 0.3', '`workloads/models/gnmt.yaml`: MLPerf 0.5 to 0.7; 0.3 from the claim'),
           (5, 'iteration time, DLRM', 'models/dlrm-authors.yaml', '`workloads/astra-sim/medium_DLRM.txt`: yleintel/astra-sim, 81607f2'))
SELECT claim, command, source AS "inputs from" FROM (
    SELECT 1 AS place, 'memory bandwidth, ACE' AS claim,
           '`for at in ' || group_concat('"' || topology || ' --memory-bandwidth=' || printf('%.1f', ace) || 'GB/s"', ' ') ||
           '; do acesim collective all-reduce --size 64MiB --topology $at; done`' AS command, 'one all-reduce of 64 MiB' AS source FROM need
    UNION ALL
    SELECT 2, 'the same, baseline',
           '`for at in ' || group_concat('"' || topology || ' --memory-bandwidth=' || printf('%.1f', written) || 'GB/s"', ' ') ||
           '; do acesim collective all-reduce --size 64MiB --endpoint comm-opt --sms 80 --lazy-last-reduction off --topology $at; done`',
           'the same' FROM need
    UNION ALL
    SELECT place, claim,
           '`for t in 4x2x2 4x4x2 4x4x4 4x8x4; do acesim run workloads/clusters/torus-$t.yaml workloads/' || model ||
           ' --shares reserved --compare ace,comm-opt,comp-opt,no-overlap; done`', source FROM run
    UNION ALL
    SELECT 6, 'network bandwidth', 'the last three: `bandwidth` in what they print', 'as there')
ORDER BY place
