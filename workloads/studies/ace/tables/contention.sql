-- SPDX-License-Identifier: Apache-2.0
-- What an all-reduce takes from the compute beside it, and compute from it.
SELECT json_extract(result, '$.workload') AS workload, endpoint, cycles,
       compute_cycles, json_extract(result, '$.contention_cycles') AS contention_cycles,
       1.0 * compute_cycles / (compute_cycles - json_extract(result, '$.contention_cycles')) AS compute_slower_by,
       exposed_communication_cycles AS exposed_cycles
FROM contention ORDER BY point
