-- SPDX-License-Identifier: Apache-2.0
-- Performance against SRAM and FSMs, relative to 4 MiB and 16 FSMs.
SELECT CAST(bank_rows AS INTEGER) * 4 * 256 / 1048576.0 AS SRAM_MiB, CAST(fsms AS INTEGER) AS fsms,
       cycles, 1.0 * (SELECT cycles FROM design_space WHERE bank_rows = '4096' AND fsms = '16') /
       cycles AS relative_performance
FROM design_space ORDER BY SRAM_MiB, CAST(fsms AS INTEGER)
