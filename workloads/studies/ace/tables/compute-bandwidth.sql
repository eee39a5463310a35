-- SPDX-License-Identifier: Apache-2.0
-- Network bandwidth of ACE over that of a baseline while collectives are outstanding, 64 NPUs, by how long compute is
-- for each byte sent.
SELECT b.w AS workload, b.shares, b.e AS endpoint, b.scale AS compute_scale, b.ps AS ps_per_byte, a.g / b.g AS of_baseline,
       1.44 AS published, 2.67 AS published_maximum
FROM scales a JOIN scales b USING (w, shares, scale) WHERE a.e = 'ace' AND b.e IN ('no-overlap', 'comm-opt', 'comp-opt')
ORDER BY b.w, b.shares, b.e, b.scale = 'table', ps_per_byte
