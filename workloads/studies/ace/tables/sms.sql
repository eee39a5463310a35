-- SPDX-License-Identifier: Apache-2.0
-- Network bandwidth against the SMs that move the data.
SELECT topology, CAST(sms AS INTEGER) AS sms, network_bandwidth_GBps AS network_GBps,
       fraction_of_ideal
FROM sms ORDER BY topology, CAST(sms AS INTEGER)
