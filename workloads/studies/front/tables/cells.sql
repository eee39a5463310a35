-- SPDX-License-Identifier: Apache-2.0
-- Microseconds of each parameter set and work: an all-reduce of 64 MiB, or the mean iteration of a model.
SELECT replace(replace(cluster, 'studies/front/clusters/', ''), '.yaml', '') AS name, 'all-reduce' AS work,
       json_extract(result, '$.nodes') AS NPUs, time_us AS us, fraction_of_ideal AS of_ideal, result FROM all_reduce
UNION ALL
SELECT json_extract(result, '$.cluster'), json_extract(result, '$.workload'), json_extract(result, '$.nodes'),
       time_us / json_array_length(result, '$.iterations'), NULL, result FROM iteration
