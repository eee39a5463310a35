-- SPDX-License-Identifier: Apache-2.0
-- The smallest scratchpad with 98 % of the performance of 4 MiB with chunks of 64 KiB.
WITH runs AS (
    SELECT '64 KiB' AS chunk, '4' AS contexts, CAST(bank_rows AS INTEGER) AS bank_rows, cycles FROM scratchpad
    UNION ALL SELECT '32 KiB', '4', CAST(bank_rows AS INTEGER), cycles FROM scratchpad_halves
    UNION ALL SELECT '16 KiB', contexts, CAST(bank_rows AS INTEGER), cycles FROM scratchpad_quarters)
SELECT chunk, contexts, bank_rows AS KiB, bank_rows / 4096.0 AS fraction_of_4_MiB, cycles,
       round(1.0 * (SELECT cycles FROM scratchpad WHERE bank_rows = '4096') / cycles, 4) AS relative_performance
FROM runs r
WHERE bank_rows = (SELECT min(bank_rows) FROM runs s WHERE s.chunk = r.chunk AND s.contexts = r.contexts AND
                   0.98 * s.cycles <= (SELECT cycles FROM scratchpad WHERE bank_rows = '4096'))
ORDER BY bank_rows DESC
