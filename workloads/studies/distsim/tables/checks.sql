-- SPDX-License-Identifier: Apache-2.0
-- What must hold in every cell.
SELECT 'parts add up to the iteration' AS law, count(*) AS cells, sum(abs(compute_percent + MP_percent + DP_percent + PP_percent - 100) > 1e-6) AS broken FROM cells
UNION ALL SELECT 'a run is what is composed of tensor parallelism alone on links', count(*), sum(batch <> 0 OR all_events <> 0)
          FROM errors WHERE sweep = 'links' AND strategy = '16M1P1D'
