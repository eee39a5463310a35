-- SPDX-License-Identifier: Apache-2.0
-- Performance against scratchpad, relative to 4 MiB with chunks of 64 KiB.
SELECT design, bank_rows * 4 * 256 / 1048576.0 AS SRAM_MiB, cycles,
       1.0 * (SELECT cycles FROM scratchpad WHERE bank_rows = '4096') / cycles AS relative_performance
FROM (SELECT 'chunks of 64 KiB, 4 contexts' AS design, CAST(bank_rows AS INTEGER) AS bank_rows, cycles, 1 AS place
      FROM scratchpad
      UNION ALL SELECT 'chunks of 32 KiB, 4 contexts', CAST(bank_rows AS INTEGER), cycles, 2 FROM scratchpad_halves
      UNION ALL SELECT 'chunks of 16 KiB, ' || contexts || ' contexts', CAST(bank_rows AS INTEGER), cycles,
                       2 + CAST(contexts AS INTEGER) FROM scratchpad_quarters)
ORDER BY place, SRAM_MiB
