-- SPDX-License-Identifier: Apache-2.0
-- Performance against SRAM, FSMs and chunk, relative to 4 MiB, 16 FSMs and 64 KiB.
SELECT 'chunks of ' || chunk_KiB || ' KiB, ' || fsms || ' FSMs' AS design,
       bank_rows * 4 * 256 / 1048576.0 AS SRAM_MiB, cycles,
       1.0 * (SELECT cycles FROM design_space WHERE bank_rows = '4096' AND fsms = '16') / cycles AS relative_performance
FROM (SELECT 64 AS chunk_KiB, fsms, CAST(bank_rows AS INTEGER) AS bank_rows, cycles FROM design_space
      UNION ALL SELECT 32, fsms, CAST(bank_rows AS INTEGER), cycles FROM design_space_chunks)
ORDER BY chunk_KiB DESC, CAST(fsms AS INTEGER) DESC, SRAM_MiB
