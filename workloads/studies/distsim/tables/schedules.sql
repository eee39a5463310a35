-- SPDX-License-Identifier: Apache-2.0
-- 1F1B beside GPipe on ideal links, milliseconds.
SELECT a.strategy, a.ms AS one_f_one_b, b.ms AS gpipe, a.GB AS one_f_one_b_GB, b.GB AS gpipe_GB
FROM cells a JOIN cells b USING (strategy) WHERE a.sweep = 'search' AND a.network = 'A40' AND b.sweep = 'schedules' ORDER BY a.ms
