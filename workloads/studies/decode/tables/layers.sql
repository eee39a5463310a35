-- SPDX-License-Identifier: Apache-2.0
-- One layer of a model on eight ranks of tensor parallelism: what a rank reads for one token of each of `batch` sequences with
-- 4,096 tokens before it.  acesim plan model has the parameters.  Llama-3 70B in BF16: attention and MLP; a token's keys and
-- values are 2 x 8 x 128 numbers.  DeepSeek-V3 in FP8: attention, shared expert and the distinct ones among 256 experts that
-- 8 even draws of each token hit; a token's latent is 576 numbers in BF16, which each rank reads whole.  2904 GB/s were
-- measured (accelerators/h100-80-measured.yaml).
WITH batches(batch) AS (VALUES (1), (8), (64)),
hit(batch, experts) AS (SELECT batch, 256 * (1 - pow(1 - 8 / 256.0, batch)) FROM batches)
SELECT 'Llama-3 70B' AS model, batch, 8192 * 2 * batch AS bytes,
       (2 * (150994944 + 704643072) + batch * 4096.0 * 2 * 8 * 128 * 2) / 8 / 2904e3 AS compute_us FROM batches
UNION ALL
SELECT 'DeepSeek-V3', batch, 7168 * 2 * batch,
       ((187105280 + 1835264 + 44040192 * (1 + experts)) / 8 + batch * 4096.0 * 576 * 2) / 2904e3 FROM hit
