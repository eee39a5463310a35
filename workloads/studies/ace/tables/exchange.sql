-- SPDX-License-Identifier: Apache-2.0
-- All-to-all of 16 MiB at each NPU.
SELECT topology, endpoint, cycles, network_bandwidth_GBps AS "network GB/s", fraction_of_ideal
FROM exchange ORDER BY point
