/* SPDX-License-Identifier: Apache-2.0 */
/* precision.h -- the format of the numbers that training computes with */
#ifndef PRECISION_H
#define PRECISION_H

typedef enum precision {
    PRECISION_16,   /* FP16 or BF16, with an FP32 master copy of the parameters */
    PRECISION_FP32, /* elements of 32 bits; products run on vector units */
    PRECISION_TF32  /* elements of 32 bits; matrix units round them to 19 bits */
} precision;

#endif
