-- SPDX-License-Identifier: Apache-2.0
-- How much sooner an iteration of ACE ends than one of the best baseline of the same cell, and
-- how near ACE is to the ideal endpoint.
WITH cells AS (
    SELECT json_extract(result, '$.workload') AS workload, json_extract(result, '$.nodes') AS NPUs,
           endpoint, time_us FROM iteration)
SELECT workload, NPUs,
       max(time_us) FILTER (WHERE endpoint = 'no-overlap') / max(time_us) FILTER (WHERE endpoint = 'ace') AS over_no_overlap,
       max(time_us) FILTER (WHERE endpoint = 'comm-opt') / max(time_us) FILTER (WHERE endpoint = 'ace') AS over_comm_opt,
       max(time_us) FILTER (WHERE endpoint = 'comp-opt') / max(time_us) FILTER (WHERE endpoint = 'ace') AS over_comp_opt,
       min(time_us) FILTER (WHERE endpoint IN ('no-overlap', 'comm-opt', 'comp-opt')) /
           max(time_us) FILTER (WHERE endpoint = 'ace') AS over_best_baseline,
       max(time_us) FILTER (WHERE endpoint = 'ideal') / max(time_us) FILTER (WHERE endpoint = 'ace') AS of_ideal
FROM cells GROUP BY workload, NPUs ORDER BY workload, NPUs
