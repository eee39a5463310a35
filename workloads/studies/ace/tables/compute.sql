-- SPDX-License-Identifier: Apache-2.0
-- Iteration time of a baseline over that of ACE, 64 NPUs, by how long compute is for each byte sent.
WITH published(w, average, most) AS (VALUES ('resnet50', 1.41, 1.51), ('gnmt', 1.12, 1.17), ('dlrm', 1.13, 1.19))
SELECT b.w AS workload, b.shares, b.e AS endpoint, b.scale AS compute_scale, b.ps AS ps_per_byte, b.t / a.t AS over_ACE,
       average AS published, most AS published_maximum
FROM scales a JOIN scales b USING (w, shares, scale) JOIN published USING (w) WHERE a.e = 'ace' AND b.e IN ('no-overlap', 'comm-opt', 'comp-opt')
ORDER BY b.w, b.shares, b.e, b.scale = 'table', ps_per_byte
