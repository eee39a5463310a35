-- SPDX-License-Identifier: Apache-2.0
-- Microseconds of an all-reduce by schedule, on the links alone and on ACE.
SELECT network, size,
       max(time_us) FILTER (WHERE endpoint = 'ideal' AND schedule = 'baseline') AS links_baseline,
       max(time_us) FILTER (WHERE endpoint = 'ideal' AND schedule = 'balanced') AS links_balanced,
       max(time_us) FILTER (WHERE endpoint = 'ideal' AND schedule = 'baseline') /
       max(time_us) FILTER (WHERE endpoint = 'ideal' AND schedule = 'balanced') AS gain_of_links,
       max(time_us) FILTER (WHERE endpoint = 'ace' AND schedule = 'baseline') AS ACE_baseline,
       max(time_us) FILTER (WHERE endpoint = 'ace' AND schedule = 'balanced') AS ACE_balanced,
       max(time_us) FILTER (WHERE endpoint = 'ace' AND schedule = 'baseline') /
       max(time_us) FILTER (WHERE endpoint = 'ace' AND schedule = 'balanced') AS gain_of_ACE
FROM reductions GROUP BY place, size ORDER BY place, CAST(size AS INTEGER)
