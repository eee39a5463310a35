-- SPDX-License-Identifier: Apache-2.0
-- What must hold in every cell.
SELECT 'an endpoint is never faster than the links alone' AS law, count(*) AS cells,
       sum(a.time_us < i.time_us) AS broken
FROM reductions a JOIN reductions i ON a.network = i.network AND a.size = i.size AND a.schedule = i.schedule
    AND a.endpoint = 'ace' AND i.endpoint = 'ideal'
UNION ALL SELECT 'an even load is never slower on links alone', count(*), sum(b.time_us > a.time_us * 1.02)
FROM reductions a JOIN reductions b ON a.network = b.network AND a.size = b.size AND a.endpoint = 'ideal'
    AND b.endpoint = 'ideal' AND a.schedule = 'baseline' AND b.schedule = 'balanced' AND a.size <> '1MiB'
