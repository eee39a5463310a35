-- SPDX-License-Identifier: Apache-2.0
-- ACE against each baseline, of each workload, scale of compute and size.
SELECT a.w, a.scale, a.n, a.topology, b.e, a.ms AS ace_ms, b.ms, b.ms / a.ms AS speed, a.g AS ace_g, b.g, a.g / b.g AS bandwidth
FROM cells a JOIN cells b USING (w, scale, n) WHERE a.e = 'ace' AND b.e <> 'ace'
