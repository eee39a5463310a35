-- SPDX-License-Identifier: Apache-2.0
-- All-reduces of all networks.
SELECT 'conv-4d' AS network, 1 AS place, * FROM all_reduce_conv_4d UNION ALL SELECT 'conv-3d', 2, * FROM all_reduce_conv_3d
UNION ALL SELECT 'wafer-torus', 3, * FROM all_reduce_wafer_torus UNION ALL SELECT 'wafer-switch', 4, * FROM all_reduce_wafer_switch
