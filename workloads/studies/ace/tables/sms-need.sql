-- SPDX-License-Identifier: Apache-2.0
-- Fewest SMs with which the baseline reaches 90 % of the ideal network bandwidth.
SELECT topology, min(CAST(sms AS INTEGER)) AS SMs, 6 AS published
FROM sms WHERE fraction_of_ideal >= 0.9 GROUP BY topology ORDER BY topology
