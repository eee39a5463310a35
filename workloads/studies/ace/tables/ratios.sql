-- SPDX-License-Identifier: Apache-2.0
-- ACE against the baseline whose iteration is shortest, of each cell.
WITH best AS ( -- of the row that has the minimum
    SELECT shares, compute, w, n, e, g, sent, min(ms) AS ms FROM cells WHERE e IN ('no-overlap', 'comm-opt', 'comp-opt')
    GROUP BY shares, compute, w, n)
SELECT a.shares, a.compute, a.w, a.n, best.e AS best, best.ms / a.ms AS speed, a.g / best.g AS bandwidth,
       a.sent / a.ms / (best.sent / best.ms) AS per_iteration
FROM cells a JOIN best USING (shares, compute, w, n) WHERE a.e = 'ace'
