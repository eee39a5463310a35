/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simplex.h -- constants with a small error, by Nelder and Mead's simplex in logarithms
 *
 * The same error function gives the same constants. The method needs no derivative, and the mean of
 * relative errors has none at an exact prediction.
 */
#ifndef SIMPLEX_H
#define SIMPLEX_H

#ifdef __cplusplus
extern "C" {
#endif

enum { SIMPLEX_MOST = 16 };

typedef struct simplex_problem {
    unsigned constants; /* to SIMPLEX_MOST */
    unsigned rounds;    /* a simplex that has shrunk into a fold is spread again, less each time */
    unsigned steps;     /* of a round */
    void *self;
    double (*error)(void *self, const double constant_[]);
} simplex_problem;

/* From *constant_ on, all above 0.  A constant on which the error does not depend stays as it was.
 */
void simplex_minimise(const simplex_problem *p, double constant_[]);

#ifdef __cplusplus
}
#endif

#endif
